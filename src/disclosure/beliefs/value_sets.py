"""Sets of values that somebody's attribute may lie in, and what they make of a prior over the values.

A set is a union of intervals. A half-line is an interval with one infinite end, a single value an interval from itself to
itself.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs.worlds import Mixture, MixtureLike
from disclosure.numerics import checks, errors
from disclosure.numerics.types import BoolArray

__all__ = ["Split", "ValueInterval", "contains", "split"]


class ValueInterval(NamedTuple):
    """An interval of values.

    Parameters
    ----------
    low, high : float
        Its ends in [-inf, inf], low <= high.
    with_low, with_high : bool, optional
        Whether a finite end belongs to it.
    """

    low: float
    high: float
    with_low: bool = True
    with_high: bool = True


class Split(NamedTuple):
    """A prior over values, cut in two by a set."""

    inside: Mixture
    """The part in the set. Its weights sum to the prior probability of the set."""
    outside: Mixture
    """The part outside. Its weights sum to the rest."""

    @property
    def probability(self) -> float:
        """Prior probability of the set."""
        return math.fsum([*np.asarray(self.inside.weights), *np.asarray(self.inside.pieces)[:, 2]])


def contains(values_of_set: Sequence[ValueInterval], values: ArrayLike) -> BoolArray:
    """Whether values lie in a set.

    Parameters
    ----------
    values_of_set : sequence of ValueInterval
    values : array_like

    Returns
    -------
    ndarray of bool, of the shape of ``values``

    Examples
    --------
    >>> contains([ValueInterval(2, 3, with_high=False), ValueInterval(5, 5)], [1.0, 2.0, 3.0, 5.0]).tolist()
    [False, True, False, True]
    """
    points = np.asarray(values, dtype=float)
    found = np.zeros(points.shape, dtype=bool)
    for low, high, with_low, with_high in values_of_set:
        above = points >= low if with_low else points > low
        below = points <= high if with_high else points < high
        found |= above & below
    return found


def split(prior: MixtureLike, values_of_set: Sequence[ValueInterval]) -> Split:
    """The prior given that the value lies in a set, and given that it does not.

    Parameters
    ----------
    prior : Mixture or tuple
        The adversary's law of the value: atoms with weights, and pieces over which it is spread uniformly.
    values_of_set : sequence of ValueInterval

    Returns
    -------
    Split

    Raises
    ------
    DomainError
        If an interval is none, or if the prior probability of the set is 0 or 1: then no release moves its odds.

    Examples
    --------
    >>> below, above = Mixture(pieces=[(0, 4, 1)]), [ValueInterval(3, math.inf)]
    >>> split(below, above).inside.pieces.tolist(), split(below, above).probability
    ([[3.0, 4.0, 0.25]], 0.25)
    """
    for low, high, *_ in values_of_set:
        if not low <= high:
            raise errors.DomainError(f"the interval from {low} to {high} is empty; allowed: low <= high")
    given = Mixture(*prior)
    answers = checks.within("prior: answers", given.answers, "(-inf, inf)")
    weights = checks.within("prior: weights", given.weights, "[0, inf)")
    pieces = checks.within("prior: pieces", given.pieces, "(-inf, inf)").reshape(-1, 3)
    parts = np.array([part for piece in pieces.tolist() for part in _cut(piece, values_of_set)]).reshape(-1, 3)
    total = weights.sum() + parts[:, 2].sum()
    atom_within, part_within = contains(values_of_set, answers), contains(values_of_set, parts[:, :2].mean(axis=1))
    shared = parts / [1, 1, total]
    laws = [
        Mixture(answers[atoms], weights[atoms] / total, shared[of_pieces])
        for atoms, of_pieces in ((atom_within, part_within), (~atom_within, ~part_within))
    ]
    for law, said in zip(laws, ("0", "1"), strict=True):
        if not (np.asarray(law.weights) > 0).any() and not (np.asarray(law.pieces)[:, 2] > 0).any():
            raise errors.DomainError(
                f"the prior probability of the set is {said}, so that no release moves its odds; name another set"
            )
    return Split(*laws)


def _cut(piece: list[float], values_of_set: Sequence[ValueInterval]) -> list[tuple[float, float, float]]:
    """The parts of a uniform piece between the ends of the set's intervals, each with its share of the weight."""
    low, high, weight = piece
    ends = sorted({low, high, *(end for interval in values_of_set for end in interval[:2] if low < end < high)})
    return [(left, right, weight * (right - left) / (high - low)) for left, right in pairwise(ends)]
