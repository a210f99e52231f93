"""How far belief rises against the error of a statistic: the errors by drawing datasets, the rises by the limits."""

import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import queries
from disclosure.people.comparison import Statistic, compare
from disclosure.people.limits import Limits
from disclosure.people.records import sample_of
from tests.unit.people.tables import people

TABLE = people(np.round(np.random.default_rng(1).gamma(2.0, 1.5, (40, 2)).clip(0, 10), 2) + [[0.0, 0.5]] * 40)


@pytest.mark.parametrize("name", ["mean", "sum"])
def test_the_sampling_error_is_that_of_drawn_datasets(name):
    statistic = Statistic(TABLE, name, 30)
    generator = np.random.default_rng(2)
    drawn = np.array([generator.permutation(TABLE.values)[:30] for _ in range(20_000)])
    answers = drawn.mean(axis=1) if name == "mean" else drawn.sum(axis=1)
    place = int(answers.mean(axis=0).argmin())
    assert statistic.column == TABLE.columns[place].name
    assert statistic.value == pytest.approx(answers[:, place].mean(), rel=1e-2)
    # The relative error of a standard deviation of so many is 1 / sqrt(2 * 20000).
    assert statistic.sampling_error == pytest.approx(
        answers[:, place].std() / statistic.value, rel=4 / math.sqrt(40_000)
    )


def test_a_sample_of_an_infinite_population_has_the_whole_sampling_error():
    few, many, infinite = (Statistic(sample_of(TABLE, size), "mean", 20) for size in (40, 10**9, math.inf))
    assert few.sampling_error == pytest.approx(infinite.sampling_error * math.sqrt(0.5), rel=1e-12)
    assert many.sampling_error == pytest.approx(infinite.sampling_error, rel=1e-6)


def test_rises_are_the_limits_for_everybody_at_each_noise():
    rises = compare(TABLE, "mean", [10, 30], [1e-2, 1e-6])
    assert set(zip(rises["sample"].tolist(), rises["probability"].tolist(), strict=True)) == {
        (10, 1e-2),
        (10, 1e-6),
        (30, 1e-2),
        (30, 1e-6),
    }
    for place in (0, 7, 40, 81, len(rises["sigma"]) - 1):
        sample, sigma = int(rises["sample"][place]), float(rises["sigma"][place])
        limits = Limits(TABLE, queries.linear("mean", TABLE.columns, sample), sample)
        own = [limits.rise(target, sigma, float(rises["probability"][place])) for target in range(len(TABLE))]
        assert rises["rise_limit"][place] == pytest.approx(max(own), rel=1e-12)
        # Without much noise several come to the most that there is.
        assert own[rises["person_of_all"][place] - 1] == pytest.approx(max(own), rel=1e-12)
        assert rises["prior"][place] == pytest.approx(1 / (len(TABLE) - sample + 1))
        after = [limits.posterior(target, sigma, float(rises["probability"][place])) for target in range(len(TABLE))]
        assert rises["posterior_limit"][place] == pytest.approx(max(after), rel=1e-9)
        assert rises["relative_error"][place] * Statistic(TABLE, "mean", sample).value == pytest.approx(sigma)
    equal = np.isclose(rises["relative_error"], rises["relative_sampling_error"])
    assert (np.isnan(rises["rise_found"]) != equal).all()
    assert equal.sum() == 4
    assert (rises["rise_found"][equal] <= rises["rise_limit"][equal] * (1 + 1e-9)).all()
    assert (rises["rise_found"][equal] > 0.9 * rises["rise_limit"][equal]).all()
    # Risk rises where the error falls, and more so at smaller probabilities.
    for sample in (10, 30):
        of_sample = rises["sample"] == sample
        likely, seldom = (rises["rise_limit"][of_sample & (rises["probability"] == p)] for p in (1e-2, 1e-6))
        assert (np.diff(likely) <= 0).all()
        assert likely[-1] < 1.3 < 5 < likely[0]
        assert (seldom >= likely).all()
        assert (seldom[8:] > likely[8:]).all()


def test_people_who_are_all_alike_have_no_sampling_error():
    rises = compare(people([[3.0]] * 6), "mean", [2], [1e-3])
    assert (rises["relative_sampling_error"] == 0).all()
    assert (rises["rise_limit"] == 1).all()
    assert np.isfinite(rises["sigma"]).all()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": "identity"}, "identity releases records and no statistic"),
        ({"samples": [40]}, "sample = 40 of population = 40"),
        ({"samples": [10, 10]}, "samples = 10, 10; state at least one, and every one once"),
        ({"probabilities": []}, "probability = ; state at least one"),
        ({"probabilities": [0.7]}, "probability = 0.7"),
        ({"records": people([[0.0], [0.0], [0.0]])}, "the mean of a is 0"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(change, named):
    arguments = {"records": TABLE, "name": "mean", "samples": [2], "probabilities": [1e-3]} | change
    with pytest.raises(DomainError, match=named):
        compare(**arguments)
