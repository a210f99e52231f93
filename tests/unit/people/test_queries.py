"""Sensitivities: each factor, pinned by hand and found again by moving one record from end to end."""

import itertools
import math

import numpy as np
import pytest

from disclosure.beliefs import regions
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError
from disclosure.people import queries
from disclosure.people.queries import Column

HEIGHT, WEIGHT = Column("height", 50.0, 210.0), Column("weight", 35.0, 170.0)
ONE = Column("case", 0.0, 1.0)


@pytest.mark.parametrize(
    ("name", "columns", "l2", "l1"),
    [
        ("mean", [HEIGHT], 160 / 180, 160 / 180),
        ("sum", [HEIGHT], 160, 160),
        ("identity", [HEIGHT], 160, 160),
        ("count", [ONE], 1, 1),
        ("count", [ONE, Column("other", 0.0, 1.0)], math.sqrt(2), 2),
        ("mean", [HEIGHT, WEIGHT], math.sqrt(160**2 + 135**2) / 180, 295 / 180),
        ("sum", [HEIGHT, WEIGHT], math.sqrt(160**2 + 135**2), 295),
        ("identity", [HEIGHT, WEIGHT], math.sqrt(160**2 + 135**2), 295),
        ("sum", [Column("debt", -5.0, -2.0)], 3, 3),
    ],
)
def test_sensitivities(name, columns, l2, l1):
    query = queries.linear(name, columns, 180)
    assert query.sensitivity == pytest.approx(l2, rel=1e-15)
    assert query.sensitivity_l1 == pytest.approx(l1, rel=1e-15)


ANSWERS = {
    "mean": lambda records: records.mean(axis=0),
    "sum": lambda records: records.sum(axis=0),
    "identity": lambda records: records.ravel(),
    "count": lambda records: (records == 1).sum(axis=0),
}


@pytest.mark.parametrize("name", queries.LINEAR)
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_the_sensitivity_is_the_largest_move_of_the_answer_itself(name, dimensions):
    columns = [ONE] * dimensions if name == "count" else [Column("a", -1.0, 4.0), HEIGHT, WEIGHT][:dimensions]
    corners = list(itertools.product(*[(column.low, column.high) for column in columns]))
    others = np.array(corners * 5)[:4]
    answers = [ANSWERS[name](np.vstack([corner, others])) for corner in corners]
    moves = [np.asarray(a - b, dtype=float) for a in answers for b in answers]
    query = queries.linear(name, columns, 5)
    assert query.sensitivity == pytest.approx(max(np.linalg.norm(move) for move in moves), rel=1e-12)
    assert query.sensitivity_l1 == pytest.approx(max(np.abs(move).sum() for move in moves), rel=1e-12)


def test_differences_are_those_of_the_answers():
    generator = np.random.default_rng(5)
    target, neighbours, known = generator.random(2), generator.random((3, 4, 2)), generator.random((3, 6, 2))
    for name in ("mean", "sum"):
        fast = queries.linear(name, [HEIGHT, WEIGHT], 7).differences(target, neighbours)
        slow = queries.custom(ANSWERS[name], 1.0).differences(target, neighbours, known)
        assert fast == pytest.approx(slow, rel=1e-12, abs=1e-14)
    # The identity moves in the target's place alone.
    slow = queries.custom(ANSWERS["identity"], 1.0).differences(target, neighbours, known)
    assert slow[..., :2] == pytest.approx(
        queries.linear("identity", [HEIGHT, WEIGHT], 7).differences(target, neighbours)
    )
    assert not slow[..., 2:].any()


def test_calibrated_queries_have_the_same_gaps():
    generator = np.random.default_rng(6)
    target, neighbours = 50 + 100 * generator.random(2), 50 + 100 * generator.random((9, 2))
    gaps = []
    for name in ("mean", "sum", "identity"):
        query = queries.linear(name, [HEIGHT, WEIGHT], 30)
        differences = query.differences(target, neighbours)
        sigma = gaussian.calibrate(1.0, 0.01, query.sensitivity, definition="probabilistic")
        gaps.append(regions.standardised_gaps(np.zeros(2), -differences, sigma))
    assert gaps[0] == pytest.approx(gaps[1], rel=1e-12)
    assert gaps[0] == pytest.approx(gaps[2], rel=1e-12)


def test_the_new_record_takes_the_place_of_the_old_one():
    first = queries.custom(lambda records: records[0, 0], 1.0)
    last = queries.custom(lambda records: records[-1, 0], 1.0)
    target, neighbours, known = np.array([3.0]), np.array([[1.0], [2.0]]), np.array([[7.0]])
    assert first.differences(target, neighbours, known).ravel().tolist() == [2.0, 1.0]
    assert last.differences(target, neighbours, known).ravel().tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: queries.linear("median", [ONE], 5), "query = 'median' is none of mean, sum, identity, count"),
        (lambda: queries.linear("mean", [], 5), "columns names none"),
        (lambda: queries.linear("mean", [ONE], 0), "sample = 0"),
        (lambda: queries.linear("mean", [Column("a", 2.0, 1.0)], 5), "range of a = 2 to 1 is empty"),
        (lambda: queries.linear("mean", [Column("a", 1.0, 1.0)], 5), "range of a = 1 to 1 is empty"),
        (lambda: queries.linear("mean", [Column("a", 0.0, math.inf)], 5), "range of a = inf"),
        (lambda: queries.linear("count", [HEIGHT], 5), "range of height = 50 to 210; a count needs"),
        (lambda: queries.custom(np.sum, 0.0), "sensitivity = 0.0"),
        (lambda: queries.parse_column("=yes"), "column '=yes' has no range"),
        (lambda: queries.parse_column("smoker="), "column 'smoker=' has no range"),
        (lambda: queries.parse_column("a:b:c"), "column 'a:b:c' has no range"),
        (lambda: queries.parse_column("height:1"), "column 'height:1' has no range"),
        (lambda: queries.parse_column("height:a:2"), "column 'height:a:2' has no range"),
        (lambda: queries.parse_column(":1:2"), "column ':1:2' has no range"),
        (
            lambda: queries.custom(lambda records: np.nan, 1.0).differences(
                np.ones(1), np.ones((1, 1)), np.ones((1, 1))
            ),
            "query custom answers",
        ),
    ],
)
def test_what_is_no_query_is_refused_by_name(call, named):
    with pytest.raises(DomainError) as caught:
        call()
    assert named in str(caught.value)


def test_a_column_name_may_have_colons():
    assert queries.parse_column("smoker") == Column("smoker", 0.0, 1.0, "truth")
    category = queries.parse_column(" region = north:west ")
    assert category == Column("region=north:west", 0.0, 1.0, "category")
    assert (category.source, category.category) == ("region", "north:west")
    assert queries.parse_column("a=b:0:24") == Column("a=b", 0.0, 24.0)
    assert queries.parse_column("time:start:0:24") == Column("time:start", 0.0, 24.0)


@pytest.mark.parametrize("function", [5, None, "mean"])
def test_a_query_of_ones_own_is_a_function(function):
    with pytest.raises(DomainError, match=r"function = .* is no function; give one from records, shape \(m, q\)"):
        queries.custom(function, 1.0)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.0, 1e-299, r"width of a = 1e-299 is outside \[1e-100, 1e100\]; use other units"),
        (0.0, 1e301, r"width of a = 1e\+301 is outside"),
        (1e150, 1.1e150, r"width of a = .* is outside"),
        (1e101, 1e101 + 1e99, r"largest of a = .* is outside \[0, 1e100\]; use other units"),
    ],
)
def test_ranges_whose_squares_are_no_floats_are_refused(low, high, said):
    with pytest.raises(DomainError, match=said):
        queries.linear("mean", [Column("a", low, high)], 3)
    assert queries.linear("sum", [Column("a", 0.0, 1e-100)], 3).sensitivity == 1e-100
