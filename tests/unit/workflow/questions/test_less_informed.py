"""Failure probabilities over the number of known members, against every dataset and what is known otherwise."""

import functools
import itertools

import numpy as np
import pytest

from disclosure.beliefs import inclusion, regions
from disclosure.beliefs.mixtures import failure_probability
from disclosure.mechanisms import gaussian
from disclosure.workflow.questions import less_informed

SETTINGS = {"populations": [[12, 10, 6], [7, 4, 3]], "epsilon": 1.0, "delta": 10**-1.1}
SIGMA = gaussian.calibrate(1.0, 10**-1.1, definition="probabilistic")


@pytest.fixture(scope="module")
def table():
    return {name: np.asarray(values) for name, values in less_informed.rows(SETTINGS).items()}


def test_every_number_of_known_members_has_a_row(table):
    assert list(table) == list(less_informed.COLUMNS)
    assert table["known"].tolist() == [*range(10), *range(4)]
    assert table["population"].tolist() == [12] * 10 + [7] * 4
    assert set(table["sigma"]) == {SIGMA}


def test_means_are_those_known_otherwise(table):
    # Computed outside the project.
    expected = [4.132e-3, 4.379e-3, 4.685e-3, 5.110e-3, 5.698e-3, 6.527e-3, 7.804e-3, 9.861e-3, 1.338e-2, 2.244e-2]
    assert table["failure_probability"][:10] == pytest.approx(expected, rel=5e-4)


def every_case(known):
    """Of 7 people, 3 of them with a one: failure probability of every dataset of 4, target in it and set of known members.

    Each comes with what is known: the target and its value, the known members.
    """
    values, people = np.array([1, 1, 1, 0, 0, 0, 0]), range(7)
    for target in people:
        for chosen in itertools.combinations(set(people) - {target}, known):
            worlds = [set(world) for world in itertools.combinations(people, 4) if set(chosen) <= set(world)]
            inside, outside = (
                [values[list(world)].sum() for world in worlds if (target in world) == has] for has in (True, False)
            )
            for answer in inside:
                yield (target, chosen), failure(tuple(sorted(inside)), tuple(sorted(outside)), answer)


@functools.cache
def failure(inside, outside, answer):
    """Failure probability of a dataset, for equally likely answers inside and outside."""
    laws = [(answers, np.ones(len(answers))) for answers in (inside, outside)]
    return failure_probability(*laws, ([answer], [1.0]), scale=SIGMA, low=-1, high=1).value


def test_means_and_ranges_are_those_over_all_datasets(table):
    for known in range(4):
        row = {name: values[10 + known] for name, values in table.items()}
        cases = list(every_case(known))
        failures = np.array([value for _, value in cases])
        assert row["failure_probability"] == pytest.approx(failures.mean(), rel=1e-11)
        assert row["dataset_least"] == pytest.approx(failures.min(), rel=1e-11)
        assert row["dataset_most"] == pytest.approx(failures.max(), rel=1e-11)
        for name, share in (("dataset_low", 0.025), ("dataset_high", 0.975)):
            assert (failures < row[name] * (1 - 1e-9)).mean() <= share <= (failures <= row[name] * (1 + 1e-9)).mean()
        known_most = max(np.mean([value for what, value in cases if what == state]) for state, _ in cases)
        assert row["known_most"] == pytest.approx(known_most, rel=1e-11)


def test_limits_are_those_of_the_paper_if_all_but_one_are_known(table):
    row = {name: values[13] for name, values in table.items()}
    values = np.array([1, 1, 1, 0, 0, 0, 0])
    masses, failures = [], []
    for target in range(7):
        for outside in itertools.combinations(set(range(7)) - {target}, 3):
            gaps = (values[target] - values[list(outside)])[:, None] / SIGMA
            masses.append(float(regions.union_mass(gaps, 1.0).value))
            failures.append(float(inclusion.failure_probability(gaps, 1.0).value))
    assert row["union_mass"] == pytest.approx(np.mean(masses), rel=1e-11)
    assert row["worlds_union_mass"] == pytest.approx(np.mean(masses), rel=1e-11)
    assert row["failure_probability"] == pytest.approx(np.mean(failures), rel=1e-11)


def test_limits_are_in_order(table):
    assert (table["failure_probability"] <= table["worlds_union_mass"]).all()
    assert (table["union_mass"] <= table["worlds_union_mass"] * (1 + 1e-12)).all()
    assert (table["known_most"] < table["limit"]).all()
    assert table["limit"] == pytest.approx(0.19103, abs=5e-6)


def test_without_different_people_nothing_fails():
    for ones in (0, 5):
        table = less_informed.rows({**SETTINGS, "populations": [[5, 3, ones]]})
        for name in ("failure_probability", "dataset_most", "known_most", "union_mass", "worlds_union_mass"):
            assert table[name] == [0.0, 0.0, 0.0]
