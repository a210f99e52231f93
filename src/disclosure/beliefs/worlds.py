"""Laws of an answer over the worlds that an adversary has in mind.

A law has atoms, answers with a positive weight, and pieces, intervals over which the answer is spread uniformly. With noise
added, the density of the release is a sum with one kernel for each atom and an integral of kernels for each piece.

`difference` gives the signed sum (`kernels`) that is positive where the odds pass a threshold; `mass` gives the probability of
a set of releases under a law.
"""

from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs.kernels import FINEST, GaussianSum, LaplaceSum, precision
from disclosure.beliefs.noises import Noise
from disclosure.beliefs.piece_sums import GaussianPieceSum, nodes_on
from disclosure.numerics import checks, errors
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray

__all__ = ["Interval", "Law", "Mixture", "MixtureLike", "checked", "difference", "mass"]

Interval: TypeAlias = tuple[float, float]
Cells: TypeAlias = dict[Interval, Decimal]

# Scales of the noise. Width of all pieces of a law together, so that the nodes that may stand for them take a few hundred
# megabytes at most.
_WIDEST = 1 << 14
# Digits of the finest decimal arithmetic that rounding may use up.
_MARGIN_DIGITS = 10
# Share. A difference whose absolute value is below this share of its terms is 0: the terms are equal up to their rounding.
_TIE = Decimal(10) ** (_MARGIN_DIGITS - FINEST)
# Roundings of the mass of an interval; and of the interval's ends, for each scale between them and the answer or the origin.
_MASS_ROUNDINGS, _END_ROUNDINGS = 16, 4


class Mixture(NamedTuple):
    """Law of an answer over the worlds that an adversary has in mind: atoms, and pieces over which it is spread uniformly.

    Parameters
    ----------
    answers : array_like, shape (n,)
        The answer of each atom, in any order, in (-inf, inf).
    weights : array_like, shape (n,)
        The weight of each atom, in [0, inf). The weights of atoms and pieces are divided by their sum.
    pieces : array_like, shape (m, 3)
        The lower end, the upper end and the weight of each piece. Pieces may overlap.
    """

    answers: ArrayLike = ()
    weights: ArrayLike = ()
    pieces: ArrayLike = ()


MixtureLike: TypeAlias = Mixture | tuple[ArrayLike, ArrayLike]
"""A `Mixture`, or the pair (answers, weights) of one that has atoms only."""


class Law(NamedTuple):
    """A `Mixture` that has been checked, as arrays of the same shapes, without atoms and pieces of weight 0."""

    answers: FloatArray
    weights: FloatArray
    pieces: FloatArray

    @property
    def ends(self) -> FloatArray:
        """Answers of atoms and ends of pieces, in no order."""
        return np.concatenate([self.answers, self.pieces[:, :2].ravel()])


def checked(name: str, mixture: MixtureLike, noise: Noise) -> Law:
    """A mixture as arrays.

    Parameters
    ----------
    name : str
        What a message calls the mixture.
    mixture : MixtureLike
    noise : Noise
        Noise on whole numbers allows whole answers only, and no pieces.

    Returns
    -------
    Law

    Raises
    ------
    DomainError
        If the mixture is none, has no weight, or does not suit the noise.
    """
    try:
        given = Mixture(*mixture)
    except TypeError:
        raise errors.DomainError(f"{name} is neither a Mixture nor a pair of answers and weights") from None
    answers, weights = _checked_atoms(name, given)
    pieces = _checked_pieces(name, given)
    if noise.whole and (pieces.size or (answers != np.round(answers)).any()):
        raise errors.DomainError(
            f"{name}: {noise.name} noise is for answers that are whole numbers, without pieces; use other noise"
        )
    answers, weights, pieces = answers[weights > 0], weights[weights > 0], pieces[pieces[:, 2] > 0]
    if not len(answers) and not len(pieces):
        raise errors.DomainError(f"{name} has no weight; give one answer of positive weight at least")
    if (pieces[:, 1] - pieces[:, 0]).sum() / noise.scale > _WIDEST:
        raise errors.DomainError(f"{name}: pieces are wider than {_WIDEST} scales; narrow them")
    return Law(answers, weights, pieces)


def _checked_atoms(name: str, mixture: Mixture) -> tuple[FloatArray, FloatArray]:
    answers = checks.within(f"{name}: answers", mixture.answers, "(-inf, inf)")
    weights = checks.within(f"{name}: weights", mixture.weights, "[0, inf)")
    if answers.ndim != 1 or answers.shape != weights.shape:
        raise errors.DomainError(
            f"{name}: answers have shape {answers.shape} and weights {weights.shape}; expected (n,) of both"
        )
    return answers, weights


def _checked_pieces(name: str, mixture: Mixture) -> FloatArray:
    pieces = checks.within(f"{name}: pieces", mixture.pieces, "(-inf, inf)")
    pieces = pieces.reshape(-1, 3) if pieces.size == 0 else pieces
    if pieces.ndim != 2 or pieces.shape[1] != 3:
        raise errors.DomainError(
            f"{name}: pieces have shape {pieces.shape}; expected (m, 3): lower end, upper end, weight"
        )
    checks.within(f"{name}: weights of pieces", pieces[:, 2], "[0, inf)")
    if not (pieces[:, 0] < pieces[:, 1]).all():
        raise errors.DomainError(
            f"{name}: a piece does not end above where it begins; a single answer belongs to the atoms"
        )
    return pieces


def difference(
    inside: Law, outside: Law, level: float, sign: int, noise: Noise, origin: float
) -> GaussianSum | GaussianPieceSum | LaplaceSum | None:
    """A signed sum that is positive where log g > level (``sign`` 1), or where log g < level (``sign`` -1).

    It is sign (f_outside - e^level f_inside) times a positive number, f the density of the release, g = f_outside / f_inside.

    Parameters
    ----------
    inside, outside : Law
        Laws of the answer given the event, and given its opposite.
    level : float
        A threshold of log g, finite.
    sign : {1, -1}
    noise : Noise
    origin : float
        What is added to a position to give a release, in units of the answers.

    Returns
    -------
    GaussianSum, GaussianPieceSum, LaplaceSum or None
        None if the difference is 0 everywhere.
    """
    atoms, cells = _signed_weights(inside, outside, level, sign)
    if not atoms and not cells:
        return None
    if not cells and not noise.exponential:
        return GaussianSum(np.array(sorted(atoms)), origin, noise.scale, [atoms[answer] for answer in sorted(atoms)])
    return _sum_of_pieces(atoms, cells, noise, origin)


def _signed_weights(inside: Law, outside: Law, level: float, sign: int) -> tuple[dict[float, Decimal], Cells]:
    """The measure ``sign`` (outside - e^level inside), times a positive number: its atoms, and cells with their densities.

    Cells are the intervals between neighbouring ends of pieces. Atoms and cells with 0 are left out.
    """
    with precision():
        factor = Decimal(level).exp()
        size_inside, size_outside = (
            sum((Decimal(weight) for weight in [*law.weights.tolist(), *law.pieces[:, 2].tolist()]), Decimal(0))
            for law in (inside, outside)
        )
        atoms: dict[float, list[Decimal]] = {}
        pieces: list[tuple[float, float, Decimal]] = []
        for law, share in ((outside, sign * size_inside), (inside, -sign * factor * size_outside)):
            for answer, weight in zip(law.answers.tolist(), law.weights.tolist(), strict=True):
                atoms.setdefault(answer + 0.0, []).append(share * Decimal(weight))
            for lower, upper, weight in law.pieces.tolist():
                pieces.append((lower, upper, share * Decimal(weight) / (Decimal(upper) - Decimal(lower))))
        ends = sorted({end for piece in pieces for end in piece[:2]})
        cells = {
            (left, right): [density for lower, upper, density in pieces if lower <= left and right <= upper]
            for left, right in pairwise(ends)
        }
        return (
            {answer: total for answer, terms in atoms.items() if (total := _untied(terms))},
            {cell: total for cell, terms in cells.items() if (total := _untied(terms))},
        )


def _untied(terms: list[Decimal]) -> Decimal:
    """The sum of terms; 0 if it is no more than their rounding."""
    total = sum(terms, Decimal(0))
    return total if abs(total) > _TIE * sum(map(abs, terms)) else Decimal(0)


def _sum_of_pieces(
    atoms: dict[float, Decimal], cells: Cells, noise: Noise, origin: float
) -> GaussianPieceSum | LaplaceSum:
    knots = sorted({*atoms, *(end for cell in cells for end in cell)})
    # An atom within a cell cuts the cell in two, of the same density.
    densities = [
        next((density for (lower, upper), density in cells.items() if lower <= left and right <= upper), Decimal(0))
        for left, right in pairwise(knots)
    ]
    coefficients = [atoms.get(knot, Decimal(0)) for knot in knots]
    kind = LaplaceSum if noise.exponential else GaussianPieceSum
    return kind(np.array(knots), origin, noise.scale, coefficients, densities)


def mass(truth: Law, noise: Noise, origin: float, intervals: list[Interval]) -> tuple[float, float]:
    """Probability of a set of releases if the answer has the law ``truth``.

    Parameters
    ----------
    truth : Law
    noise : Noise
    origin : float
        What is added to a position to give a release, in units of the answers.
    intervals : list of tuple of float
        Disjoint intervals of positions.

    Returns
    -------
    mass, error : float
        The probability, and a bound on its absolute rounding error.
    """
    if not intervals:
        return 0.0, 0.0
    lower, upper = np.array(intervals, dtype=float).T
    places, weights = _atoms_in_place_of_pieces(truth, noise, np.concatenate([lower, upper]), origin)
    places = places[:, None]
    masses = weights[:, None] * noise.mass(lower - places, upper - places)
    distances = np.maximum(np.maximum(lower - places, places - upper), 0.0) / noise.scale
    # An end's rounding, in scales, changes a tail relatively by that times the slope of the tail's logarithm: 1, or at most
    # 1 + distance for normal noise.
    falls = 1.0 if noise.exponential else 1 + distances
    doubts = UNIT * (_MASS_ROUNDINGS + _END_ROUNDINGS * falls * (np.abs(places) / noise.scale + distances))
    return float(masses.sum()), float((masses * doubts).sum())


def _atoms_in_place_of_pieces(law: Law, noise: Noise, cuts: FloatArray, origin: float) -> tuple[FloatArray, FloatArray]:
    """Positions and weights, summing to 1, of a law in which nodes of Gauss's rule stand for pieces.

    Pieces are cut at ``cuts``, the positions at which intervals end: there masses, as functions of the answer, are not smooth.
    """
    places, weights = [law.answers - origin], [law.weights]
    for lower, upper, weight in law.pieces.tolist():
        first, last = lower - origin, upper - origin
        ends = np.unique(np.concatenate([[first, last], cuts[(cuts > first) & (cuts < last)]]))
        for left, right in pairwise(ends.tolist()):
            nodes, shares = nodes_on(left, right, noise.scale)
            places, weights = [*places, nodes], [*weights, shares / (upper - lower) * weight]
    return np.concatenate(places), np.concatenate(weights) / (law.weights.sum() + law.pieces[:, 2].sum())
