"""Statistics of a planned release: what a record adds, and sensitivities that some pair of records attains and none exceeds."""

import itertools
import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people.conditions import parse_condition
from disclosure.people.queries import Column
from disclosure.releases import statistic

KG, YEARS = Column("kg", 35.0, 170.0), Column("years", -20.0, 60.0)
TRUE = Column("smoker", 0.0, 1.0, "truth")
SEX = statistic.categories("sex", ["F", "M"])
# Records of two categories of sex: neither, the first, or the second.
OF_SEX = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]


def box(*columns):
    """Records at the corners, the middle and other places of the ranges."""
    places = [(c.low, c.high, 0.3 * c.low + 0.7 * c.high, 0.0 if c.low < 0 else c.low) for c in columns]
    return [tuple(record) for record in itertools.product(*places)]


CASES = {
    "mean": (statistic.additive("s", "mean", [KG, YEARS], 10), box(KG, YEARS)),
    "sum": (statistic.additive("s", "sum", [YEARS], 10), box(YEARS)),
    "count": (statistic.additive("s", "count", [TRUE], 10), [(0.0,), (1.0,)]),
    "where": (statistic.count("s", parse_condition("kg in 80..90")), [(79.0,), (80.0,), (90.0,), (91.0,)]),
    "identity": (statistic.additive("s", "identity", [KG], 10), box(KG)),
    "table": (
        statistic.table("s", [SEX, statistic.cut("kg", [60.0, 80.0])]),
        [(*sex, kg) for sex in OF_SEX for kg in (35.0, 60.0, 79.9, 80.0)],
    ),
    "sum by": (
        statistic.grouped(statistic.additive("s", "sum", [KG], 10), SEX),
        [(*kg, *s) for kg in box(KG) for s in OF_SEX],
    ),
    "sum of one group": (
        statistic.grouped(statistic.additive("s", "sum", [KG], 10), statistic.categories("sex", ["F"])),
        [(*kg, woman) for kg in box(KG) for woman in (0.0, 1.0)],
    ),
    "signed sum by": (
        statistic.grouped(statistic.additive("s", "sum", [YEARS], 10), SEX),
        [(*years, *s) for years in box(YEARS) for s in OF_SEX],
    ),
    "count by": (
        statistic.grouped(statistic.count("s", parse_condition("kg >= 80")), SEX),
        [(kg, *s) for kg in (79.0, 80.0) for s in OF_SEX],
    ),
    "least_squares": (statistic.least_squares("s", [KG], YEARS), [*box(KG, YEARS), (102.5, 20.0), (102.5, 60.0)]),
}


@pytest.mark.parametrize("name", CASES)
def test_no_record_moves_a_part_farther_than_its_sensitivity_and_some_record_as_far(name):
    found, records = CASES[name]
    added = found.features(np.array(records, dtype=float))
    assert added.shape == (len(records), found.entries)
    ends = np.cumsum([0, *(len(part.labels) for part in found.parts)])
    for part, (start, end) in zip(found.parts, itertools.pairwise(ends), strict=True):
        moved = added[:, None, start:end] - added[None, :, start:end]
        assert np.linalg.norm(moved, axis=2).max() == pytest.approx(part.sensitivity, rel=1e-12)
        assert np.abs(moved).sum(axis=2).max() == pytest.approx(part.sensitivity_l1, rel=1e-12)
        if part.whole:
            assert (added[:, start:end] == np.round(added[:, start:end])).all()


def test_an_answer_is_the_sum_of_what_the_records_add():
    kg = np.array([[50.0], [80.0], [110.0]])
    assert statistic.additive("s", "mean", [KG], 3).features(kg).sum() == pytest.approx(80.0, rel=1e-14)
    cells = statistic.table("s", [statistic.cut("kg", [80.0]), SEX])
    assert cells.parts[0].labels == ("kg < 80, sex=F", "kg < 80, sex=M", "kg >= 80, sex=F", "kg >= 80, sex=M")
    people = np.array([[50.0, 1, 0], [79.0, 1, 0], [80.0, 0, 1], [90.0, 0, 0]])
    assert cells.features(people).sum(axis=0).tolist() == [2, 0, 0, 1]
    sums = statistic.grouped(statistic.additive("s", "sum", [KG], 3), SEX)
    assert sums.parts[0].labels == ("kg, sex=F", "kg, sex=M")
    assert sums.features(people).sum(axis=0).tolist() == [129.0, 80.0]


def test_a_least_squares_fit_comes_out_of_its_sums():
    generator = np.random.default_rng(1)
    x, y = generator.uniform(35, 170, 50), generator.uniform(-20, 60, 50)
    found = statistic.least_squares("s", [KG], YEARS).features(np.column_stack([x, y])).sum(axis=0)
    sx, sy, sxx, sxy, _ = found
    slope, intercept = np.linalg.solve([[sxx, sx], [sx, 50]], [sxy, sy])
    # Back from columns of -1 to 1 to their units.
    expected = np.polyfit(x, y, 1)
    assert slope * 40 / 67.5 == pytest.approx(expected[0], rel=1e-9)
    assert 20 + 40 * (intercept - slope * 102.5 / 67.5) == pytest.approx(expected[1], rel=1e-9)


def test_cells_of_one_class_move_by_one():
    assert statistic.table("s", [statistic.categories("sex", ["F"])]).parts[0].sensitivity == 1.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: statistic.cut("kg", [2.0, 2.0]), "cuts of kg = .* do not rise"),
        (lambda: statistic.cut("kg", []), "cuts of kg = .* do not rise"),
        (lambda: statistic.cut("kg", [math.nan]), "cuts of kg = nan"),
        (lambda: statistic.categories("sex", ["F", "F"]), "each once"),
        (lambda: statistic.table("s", []), "at least"),
        (lambda: statistic.additive("s", "mean", [], 3), "names no column"),
        (lambda: statistic.grouped(statistic.additive("s", "mean", [KG], 3), SEX), "release the sum and the count"),
        (lambda: statistic.least_squares("s", [], KG), "names no predictor"),
        (lambda: statistic.additive("s", "count", [KG], 3), "zeros and ones"),
    ],
)
def test_what_is_no_statistic_is_refused(make, words):
    with pytest.raises(DomainError, match=words):
        make()
