"""Who is looked at as a target, and over how many datasets."""

import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import exposure, queries, summary, targets
from disclosure.people.limits import Limits
from tests.unit.people.tables import people


def test_people_far_from_each_other_stick_out_wherever_the_mean_is():
    centre = np.random.default_rng(1).normal(size=(2000, 2)) / 100
    values = np.concatenate([centre, np.full((6, 2), [10.0, 0.0]), [[0.0, 9.0], [0.0, -9.0]]])
    found = targets.targets(1, people(values), 20)
    assert {2006, 2007} < set(found.places[found.chosen == "farthest"])


def test_equal_people_hide_nobody():
    """Twenty-nine people of a record are all as far from the one who differs as that one is from them."""
    found = targets.targets(1, people([[0.0]] * 29 + [[77.0]]), 6)
    assert found.places.tolist() == [0, 29]
    assert found.people.tolist() == [29, 1]
    assert set(found.chosen) == {"everybody"}
    # With different weights equal records are different cases, and still stick out once.
    weights = np.arange(1.0, 31.0)
    found = targets.targets(1, people([[0.0]] * 29 + [[77.0]], weights), 6)
    assert found.places[found.chosen == "farthest"].tolist() == [29]
    assert found.places[found.chosen == "lightest"].tolist() == [0]


def test_people_equally_far_from_somebody_hide_nobody():
    """Everybody of an arc is as far from its centre as the person there is from them, and alone far from the mean."""
    t = np.arange(40)[:, None] / 256
    arc = 7 * np.hstack([1 - t**2, 2 * t]) / (1 + t**2)
    assert np.count_nonzero(np.linalg.norm(arc, axis=1) == 7) > 10
    values = np.vstack([arc, [[0.0, 0.0]]])
    found = targets.targets(1, people(values), 8)
    assert 40 in found.places[found.chosen == "farthest"]


@pytest.mark.parametrize("number", range(2, 13))
def test_the_least_likely_person_is_always_looked_at(number):
    generator = np.random.default_rng(number)
    table = people(generator.random((50, 2)), 1.0 + generator.random(50))
    found = targets.targets(1, table, number)
    assert len(np.unique(found.places)) == number
    assert found.places[found.chosen == "lightest"].tolist() == [np.argmin(table.weights)]
    assert np.count_nonzero(found.chosen == "sampled") >= number / 2
    with pytest.raises(DomainError, match=r"targets = 1 .* at least 2"):
        targets.targets(1, table, 1)


def test_targets_are_everybody_or_those_who_stick_out_and_some_others():
    values = np.random.default_rng(4).normal(size=(1000, 2))
    places, chosen, _ = targets.targets(1, people(values[:6]), 6)
    assert places.tolist() == list(range(6))
    assert set(chosen) == {"everybody"}
    few, why, alike = targets.targets(1, people(values), 20)
    more = targets.targets(1, people(values), 50).places
    assert len(few) == alike.sum() == 20
    assert np.unique(few).tolist() == few.tolist()
    assert set(few) < set(more)
    distance = np.linalg.norm(values[:, None] - values, axis=2).max(axis=1)
    assert set(few[why == "farthest"]) == set(np.argsort(distance)[-5:])
    assert np.count_nonzero(why == "sampled") == 15
    assert targets.targets(2, people(values), 20).places.tolist() != few.tolist()
    assert targets.targets(1, people(values), 1).chosen.tolist() == ["sampled"]
    with pytest.raises(DomainError, match="targets = 0"):
        targets.targets(1, people(values), 0)


def test_every_other_person_is_as_likely_to_be_sampled():
    table = people(np.arange(30.0)[:, None])
    found = [targets.targets(seed, table, 14).places for seed in range(1500)]
    counts = np.bincount(np.concatenate(found), minlength=30)
    apart = np.isin(np.arange(30), [0, 1, 2, 28, 29, 27])
    assert set(counts[[0, 1, 28, 29]]) == {1500}
    expected = 1500 * 9 / 25
    assert np.abs(counts[~apart] - expected).max() <= 4 * math.sqrt(expected * (1 - 9 / 25))


@pytest.mark.parametrize(
    ("dimensions", "number", "sample", "once", "four_times"),
    [
        (1, 200, 180, (200, 100), (200, 50)),
        (1, 4000, 3900, (800, 10), (200, 10)),
        (2, 400, 380, (400, 20), (200, 10)),
        (3, 400, 100, (6, 2), (6, 2)),
    ],
)
def test_by_default_as_much_is_looked_at_as_is_quick(dimensions, number, sample, once, four_times):
    records = people(np.random.default_rng(6).random((number, dimensions)))
    for rounds, expected in ((1, once), (4, four_times)):
        found, datasets = targets.affordable(1, records, sample, rounds=rounds)
        assert (len(found.places), datasets) == expected
    found, datasets = targets.affordable(1, records, sample)
    assert (len(found.places), datasets) == once
    # What is asked for is what is done.
    found, datasets = targets.affordable(1, records, sample, number=7, datasets=3)
    assert (len(found.places), datasets) == (7, 3)


def test_a_part_of_the_targets_is_those_targets():
    whole = targets.targets(1, people(np.arange(30.0)[:, None]), 14)
    part = whole.part(3, 9)
    assert part.places.tolist() == whole.places[3:9].tolist()
    assert part.chosen.tolist() == whole.chosen[3:9].tolist()
    assert part.people.tolist() == whole.people[3:9].tolist()


@pytest.mark.parametrize(("options", "named"), [({"datasets": 0}, "datasets = 0"), ({"number": 0}, "targets = 0")])
def test_nobody_and_no_dataset_are_refused(options, named):
    with pytest.raises(DomainError, match=named):
        targets.affordable(1, people([[0.0], [1.0], [2.0]]), 2, **options)
    with pytest.raises(DomainError, match="seed = -1"):
        targets.affordable(-1, people([[0.0], [1.0], [2.0]]), 2)


def test_somebody_who_is_exposed_is_looked_at_in_any_case():
    values = np.random.default_rng(4).normal(size=(300, 2))
    without = targets.targets(1, people(values), 20)
    inner = int(np.argmin(np.linalg.norm(values, axis=1)))
    found = targets.targets(1, people(values), 20, inner)
    assert found.places[found.chosen == "exposed"].tolist() == [inner]
    assert len(found.places) == 20
    assert set(without.places[without.chosen == "farthest"]) == set(found.places[found.chosen == "farthest"])
    # Who sticks out anyway keeps that reason, and somebody is left to be sampled.
    outer = int(without.places[without.chosen == "farthest"][0])
    assert targets.targets(1, people(values), 20, outer).chosen.tolist() == without.chosen.tolist()
    assert targets.targets(1, people(values), 1, inner).chosen.tolist() == ["sampled"]
    # Of people who are alike the first.
    alike = people([[0.0]] * 20 + [[1.0], [2.0], [3.0]])
    assert 0 in targets.targets(1, alike, 3, 17).places


def test_the_most_exposed_person_of_a_weighted_table_is_looked_at():
    """Far from nobody more than others are, but unlikely: the belief in that person's presence has most room to rise."""
    generator = np.random.default_rng(5)
    values = np.append(generator.random(200) * 10, 9.9)[:, None]
    table = people(values, np.append(10 + 10 * generator.random(200), 15.0))
    query = queries.linear("sum", table.columns, 150)
    worst = Limits(table, query, 150).rise_of_all(30.0, 1e-3).place
    found, _ = targets.affordable(1, table, 150, number=8, exposed=worst)
    assert worst in found.places
    exposed = exposure.exposures(table, query, 150, 30.0, 1.0, found, 2, 1)
    row = summary.summarise(summary.Setting(0, 201, 150, 1.0, 0.1, 30.0), exposed)
    assert row.most_exposed == worst + 1 == row.person_of_all
