"""People with several rows: what they move together, against all pairs of sets of rows, and against a table of one row each."""

import itertools

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people.queries import Column
from disclosure.people.records import Records
from disclosure.releases import statistic
from disclosure.releases.answer import answered
from disclosure.releases.budget import Rho
from disclosure.releases.plan import Person, Planned, ReleasePlan
from disclosure.releases.several_rows import by_person
from tests.unit.releases.test_statistic import CASES

KG = Column("kg", 35.0, 170.0)
ROWS = np.array([[50.0], [60.0], [170.0], [80.0], [35.0], [90.0], [100.0]])
NAMES = ["a", "b", "a", "c", "b", "d", "a"]


def plan(rows=3, **settings):
    own = statistic.of_people(statistic.additive("s", "sum", [KG], 2), rows)
    return ReleasePlan(2, (Planned(own),), None, Rho(0.1), (), Person("id", rows), **settings)


@pytest.mark.parametrize(
    "name", ["sum", "signed sum by", "sum by", "count", "where", "table", "count by", "least_squares"]
)
def test_no_person_moves_a_part_farther_than_its_sensitivity_and_some_person_as_far(name):
    one, records = CASES[name]
    most = 2
    found = statistic.of_people(one, most)
    added = one.features(np.array(records, dtype=float))
    pairs = [added[i] + added[j] for i, j in itertools.combinations_with_replacement(range(len(added)), 2)]
    people = np.concatenate([added, pairs])
    ends = np.cumsum([0, *(len(part.labels) for part in found.parts)])
    for part, (start, end) in zip(found.parts, itertools.pairwise(ends), strict=True):
        own = np.unique(people[:, start:end], axis=0)
        moved = own[:, None] - own[None]
        assert np.linalg.norm(moved, axis=2).max() == pytest.approx(part.sensitivity, rel=1e-12)
        assert np.abs(moved).sum(axis=2).max() == pytest.approx(part.sensitivity_l1, rel=1e-12)


def test_people_are_their_rows_together():
    sums, people = by_person(plan(), Records((KG,), ROWS), NAMES)
    assert people.values[:, 0].tolist() == [320.0, 95.0, 80.0, 90.0]
    assert people.row_numbers(np.arange(4)).tolist() == [1, 2, 4, 6]
    found = answered(sums, people)
    # The same as of a table with one row for each, and the same noise.
    one = Column("total", 0.0, 510.0)
    alone = Planned(statistic.additive("s", "sum", [one], 2), scales=(found.parts[0].scale,))
    expected = answered(ReleasePlan(2, (alone,)), Records((one,), people.values))
    for name in ("rise_found", "rise_limit", "fall_limit", "posterior_limit"):
        assert found.people.movements[name] == pytest.approx(expected.people.movements[name], rel=1e-12, nan_ok=True)
    assert found.parts[0].scale == pytest.approx((3 * 170 - 35) / np.sqrt(0.2), rel=1e-9)


def test_rows_that_were_left_out_are_nobodys():
    records = Records((KG,), ROWS[[0, 1, 3, 6]], rows=np.array([0, 1, 3, 6]))
    _, people = by_person(plan(2), records, NAMES)
    assert people.values[:, 0].tolist() == [150.0, 60.0, 80.0]
    assert people.row_numbers(np.arange(3)).tolist() == [1, 2, 4]


def test_one_row_each_changes_nothing():
    one = statistic.additive("s", "sum", [KG], 2)
    assert statistic.of_people(one, 1).parts == one.parts


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: by_person(plan(2), Records((KG,), ROWS), NAMES),
            "person.rows = 2 is less than the 3 rows with id = a",
        ),
        (lambda: by_person(plan(), Records((KG,), ROWS, np.ones(7)), NAMES), "leave out --weights"),
        (lambda: statistic.of_people(statistic.additive("s", "mean", [KG], 2), 2), "release sums and counts"),
        (lambda: statistic.of_people(statistic.additive("s", "sum", [KG], 2), 0), "rows = 0"),
    ],
)
def test_what_is_not_known_of_people_is_refused(make, words):
    with pytest.raises(DomainError, match=words):
        make()
