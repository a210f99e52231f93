"""What is left of the bounds for households, against closed forms and every dataset."""

import itertools

import numpy as np
import pytest
from scipy.special import ndtr

from disclosure.beliefs import inclusion
from disclosure.beliefs.mixtures import failure_probability
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.mechanisms import gaussian
from disclosure.workflow.questions import households

SETTINGS = {"population": 12, "sample": 8, "sizes": [2, 4, 1], "epsilon": 1.0, "delta": 10**-1.1}
SIGMA = gaussian.calibrate(1.0, 10**-1.1, definition="probabilistic")


@pytest.fixture(scope="module")
def table():
    return {name: np.asarray(values) for name, values in households.rows(SETTINGS).items()}


def test_every_size_has_a_row(table):
    assert list(table) == list(households.COLUMNS)
    assert table["members"].tolist() == [2, 4, 1]
    assert table["households"].tolist() == [6, 3, 12]
    assert table["drawn"].tolist() == [4, 2, 8]


def test_ones_against_zeros_are_as_far_apart_as_the_household_is_large(table):
    mu = table["members"] / SIGMA
    assert table["failure_largest"] == pytest.approx(ndtr(mu / 2 - 1 / mu) + ndtr(-mu / 2 - 1 / mu), rel=1e-12)
    assert table["failure_largest"][0] == pytest.approx(0.43, abs=0.005)
    left = table["epsilon_left"]
    assert ndtr(mu / 2 - left / mu) + ndtr(-mu / 2 - left / mu) == pytest.approx(10**-1.1, rel=1e-9)
    assert left[2] == pytest.approx(1.0, rel=1e-9)


def test_households_of_one_are_people(table):
    expected = expected_failure_probability(12, 8, 1.0, 10**-1.1, attributes="binary").value
    assert table["failure_alike_informed"][2] == pytest.approx(expected, rel=1e-11)
    assert table["failure_mixed_informed"][2] == pytest.approx(expected, rel=1e-11)


def test_means_are_those_over_all_attributes_of_all_people(table):
    # Three households of four; two are in the data, the target's and another one.
    alike = [4 * np.array(values) for values in itertools.product((0, 1), repeat=3)]
    mixed = [np.array(values).reshape(3, 4).sum(axis=1) for values in itertools.product((0, 1), repeat=12)]
    for name, datasets in (("failure_alike_informed", alike), ("failure_mixed_informed", mixed)):
        gaps = np.array([(sums[0] - sums[2:])[:, None] / SIGMA for sums in datasets])
        assert table[name][1] == pytest.approx(inclusion.failure_probability(gaps, 1.0).value.mean(), rel=1e-10)
    failures = []
    for own, *others in alike:
        inside, outside = [own + other for other in others], [sum(others)]
        laws = [(answers, np.ones(len(answers))) for answers in (inside, outside)]
        failures.append(failure_probability(*laws, laws[0], scale=SIGMA, low=-1, high=1).value)
    assert table["failure_alike_uninformed"][1] == pytest.approx(np.mean(failures), rel=1e-11)


def test_no_failure_exceeds_its_limit(table):
    for name in ("failure_largest", "failure_alike_informed", "failure_mixed_informed", "failure_alike_uninformed"):
        assert (table[name] < table["limit"]).all()


def test_in_large_households_who_knows_nothing_may_fail_more_often():
    settings = {"population": 120, "sample": 108, "sizes": [6, 12], "epsilon": 1.0, "delta": 10**-1.1}
    table = households.rows(settings)
    assert (np.array(table["failure_alike_uninformed"]) > table["failure_alike_informed"]).all()
