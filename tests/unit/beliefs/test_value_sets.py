"""Sets of values: which values lie in them, and what they make of a prior."""

import math

import numpy as np
import pytest

from disclosure.beliefs.value_sets import ValueInterval, contains, split
from disclosure.beliefs.worlds import Mixture
from disclosure.numerics.errors import DomainError

CLOSED, HALF_OPEN, HALF_LINE = ValueInterval(2, 3), ValueInterval(4, 5, with_low=False), ValueInterval(7, math.inf)


def test_values_lie_in_a_set_up_to_the_ends_that_belong_to_it():
    values = [1.9, 2.0, 3.0, 3.1, 4.0, 4.1, 5.0, 6.9, 7.0, 1e9]
    found = contains([CLOSED, HALF_OPEN, HALF_LINE], values)
    assert found.tolist() == [False, True, True, False, False, True, True, False, True, True]


def test_atoms_and_pieces_are_divided_between_the_set_and_its_complement():
    prior = Mixture([2.5, 4.0, 8.0], [1.0, 2.0, 3.0], [(0.0, 10.0, 20.0)])
    inside, outside = cut = split(prior, [CLOSED, HALF_OPEN, HALF_LINE])
    assert np.asarray(inside.answers).tolist() == [2.5, 8.0]
    assert np.asarray(outside.answers).tolist() == [4.0]
    assert np.asarray(inside.pieces)[:, :2].tolist() == [[2, 3], [4, 5], [7, 10]]
    assert np.asarray(outside.pieces)[:, :2].tolist() == [[0, 2], [3, 4], [5, 7]]
    # Of 26 in all: 4 of the atoms, and 20 times 5 tenths of the piece.
    assert cut.probability == pytest.approx(14 / 26, rel=1e-15)
    assert np.asarray(outside.weights).sum() + np.asarray(outside.pieces)[:, 2].sum() == pytest.approx(
        12 / 26, rel=1e-15
    )


@pytest.mark.parametrize(
    ("prior", "values"),
    [
        (([1.0, 2.0], [1, 1]), [ValueInterval(3, 4)]),
        (([1.0, 2.0], [1, 1]), [ValueInterval(0, 4)]),
        (([1.0, 3.0], [1, 0]), [ValueInterval(3, 4)]),
        (Mixture(pieces=[(0, 1, 1)]), [ValueInterval(0.5, 0.5)]),
        (Mixture(pieces=[(0, 1, 1)]), [ValueInterval(0, 2)]),
        (([1.0, 2.0], [1, 1]), [ValueInterval(2, 1)]),
        (([1.0, 2.0], [1, 1]), [ValueInterval(2, math.nan)]),
    ],
)
def test_a_set_that_is_certain_or_impossible_and_an_interval_that_is_none_are_refused(prior, values):
    with pytest.raises(DomainError):
        split(prior, values)
