"""Checks of arguments: what is no number is refused by name, in one line."""

import fractions
import re

import numpy as np
import pytest

from disclosure.numerics import checks, errors


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("1", "x = '1' is not numeric"),
        (b"1", "x = b'1' is not numeric"),
        (["0.5", 0.25], "x = '0.5' is not numeric"),
        ([0.5, [0.25, "1"]], "x = '1' is not numeric"),
        (np.array(["0.5"]), "x = '0.5' is not numeric"),
        (np.array([0.5, "1"], dtype=object), "x = '1' is not numeric"),
        (None, "x = None is not numeric"),
        ([0.5, None], "x = None is not numeric"),
        (True, "x = True is not numeric"),
        (np.True_, "x = True is not numeric"),
        ([True, 0.5], "x = True is not numeric"),
        (np.array([False, True]), "x = False is not numeric"),
        (0.5 + 0j, "is not numeric"),
        (np.array([0.5j]), "is not numeric"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "is not numeric"),
        ({"a": 1}, "is not numeric"),
        ([[0.5], [0.25, 0.5]], "is not numeric"),
        (10**400, "is too large for a float"),
        ([0.5, -(10**400)], "is too large for a float"),
        (np.ma.masked_array([0.5, 0.25], [False, True]), "x has masked entries"),
        ([np.ma.masked, 0.5], "x has masked entries"),
        ([np.ma.masked_array([0.5, 0.25], [True, False])], "x has masked entries"),
        (np.ma.masked, "x has masked entries"),
        (np.nan, "x = nan is outside"),
    ],
)
def test_what_is_no_number_is_refused_by_name_in_one_line(value, named):
    with pytest.raises(errors.DomainError, match=re.escape(named)) as refused:
        checks.within("x", value, "(0, 1]")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_numbers_of_all_kinds_are_taken_as_they_are():
    for value in (0.5, np.float32(0.5), fractions.Fraction(1, 2), [0.5], (0.5,), np.array([fractions.Fraction(1, 2)])):
        assert (checks.within("x", value, "(0, 1]") == 0.5).all()
    assert checks.within("x", 1, "(0, 1]") == 1.0
    assert checks.within("x", np.ma.masked_array([0.5], [False]), "(0, 1]").tolist() == [0.5]
    assert checks.within("x", [], "(0, 1]").size == 0
    array = np.array([0.25, 0.5])
    assert checks.within("x", array, "(0, 1]") is array


def test_the_hint_about_an_end_stands_beside_that_end_only():
    for value, said in ((0.0, True), (-1.0, False), (np.nan, False), (2.0, False)):
        with pytest.raises(errors.DomainError) as refused:
            checks.within("x", value, "(0, 1]", end_hint="take more")
        assert ("take more" in str(refused.value)) == said


def test_shapes_that_do_not_fit_are_refused_by_name():
    checks.broadcast(x=np.zeros((2, 3)), y=np.zeros(3), z=0.0)
    with pytest.raises(errors.DomainError, match=re.escape("x (2,), y (3,)")):
        checks.broadcast(x=np.zeros(2), y=np.zeros(3))


def test_counts_are_whole_numbers_in_their_range():
    assert checks.count("n", 3.0, 1) == 3
    for value in (True, "3", 2.5, 0, np.nan, np.inf, None, 10**400):
        with pytest.raises(errors.DomainError, match="n = "):
            checks.count("n", value, 1, 10**6)


@pytest.mark.parametrize("interval", ["[0, 1]", "(0, 1]", "[0, 1)", "(0, 1)"])
def test_a_square_bracket_takes_its_end_in_and_a_round_one_leaves_it_out(interval):
    assert checks.within("x", 0.5, interval) == 0.5
    for end, square in ((0.0, interval[0] == "["), (1.0, interval[-1] == "]")):
        if square:
            assert checks.within("x", end, interval) == end
        else:
            with pytest.raises(errors.DomainError, match=re.escape(f"x = {end} is outside {interval}")):
                checks.within("x", end, interval)


def test_a_point_is_four_numbers_in_their_ranges():
    assert checks.point(100.0, np.int64(90), 0.5, 1) == (100, 90, 0.5, 1.0)
    for point, message in (
        ((0, 1, 1.0, 0.5), "population = 0"),
        ((10, 11, 1.0, 0.5), "sample = 11 is larger than population = 10"),
        ((10, 5, 0.0, 0.5), "epsilon = 0.0 .*; no noise level can be calibrated"),
        ((10, 5, [1.0, 2.0], 0.5), "epsilon has shape"),
        ((10, 5, 1.0, 1.5), r"delta = 1.5 is outside \(0, 1\]"),
    ):
        with pytest.raises(errors.DomainError, match=message):
            checks.point(*point)


def test_distributions_are_divided_by_their_sum_and_refused_if_that_is_not_1():
    assert checks.distribution("w", None, 4).tolist() == [0.25] * 4
    assert checks.distribution("w", None, 0).size == 0
    written = checks.distribution("w", [[0.333333333] * 3, [0.2, 0.3, 0.5]], 3)
    assert written.sum(axis=1) == pytest.approx([1.0, 1.0], rel=1e-15)
    assert written[0].tolist() == pytest.approx([1 / 3] * 3, rel=1e-15)
    for weights, named in (
        ([0.5, 0.6], "w sums to 1.1"),
        ([0.0, 1.0], "w = 0.0 is outside (0, 1]; leave out candidates"),
        ([1.0], "w has shape (1,); expected 2 along its last axis"),
        ([0.5, 0.5 + 2e-9], "w sums to 1.000000002"),
    ):
        with pytest.raises(errors.DomainError, match=re.escape(named)):
            checks.distribution("w", weights, 2)
