"""Signed sums of kernels on a line, F(t) = sum_j c_j k(t - x_j), with a sign that is always right.

A sum is evaluated in floating point, scaled by its largest term, together with a bound on its rounding error. If the sum is not
larger than the bound, its sign is open, and the sum is evaluated again in decimal arithmetic of 20, 40, 80 and 160 digits. The
floats that go in are taken as exact. A sum that is smaller than its terms by a factor of 10^-160 counts as 0, and is called a
tie.
"""

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from itertools import pairwise
from typing import Protocol

import numpy as np

from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray

__all__ = ["DIGITS", "FINEST", "GaussianSum", "KernelSum", "KnotSum", "LaplaceSum", "precision", "share_if_settled"]

DIGITS = (20, 40, 80, 160)
"""Digits of decimal arithmetic, tried one after the other; coefficients have as many as the last."""
FINEST = DIGITS[-1]
"""Digits of the finest arithmetic: a sum that is smaller than its terms by a factor of 10^-FINEST counts as 0."""
# Digits that decimal arithmetic has beyond those wanted, since rounding uses some up.
_SPENT = 10
# Natural logarithm. A sum in floating point leaves out terms that are smaller than one near the position by e^60 = 1e26 or
# more; what they add is counted in the bound on the rounding error.
_FAINT = 60.0
# Roundings that a summand goes through at most when NumPy adds up a long sum, which it does in pairs of parts.
_SUMMATIONS = 64
# Roundings of a term that has been scaled by the largest one: the subtraction, the exponential, its sign and a margin.
_TERM_ROUNDINGS = 4
# Relative margin of a reach, the distance within which terms count: more than any rounding of the reach.
_REACH_MARGIN = 1e-9
# Roundings of the exponent -(t - x)^2 / (2 scale^2), relative to its size, with a margin.
_EXPONENT_ROUNDINGS = 16
_LOG_TEN = math.log(10.0)


class KernelSum(Protocol):
    """A signed sum of kernels as a function of the position of a release, in units of the answers."""

    @property
    def scale(self) -> float:
        """Scale of the kernels, in units of the position: sigma of normal noise, b of Laplace noise."""

    @property
    def turning_doubt(self) -> float:
        """Share of the sum below which it may have the other sign at a turning point; 0 if turning points have all digits."""

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' absolute values, in [-1, 1]; exactly 0 for a tie."""

    def limits(self) -> tuple[float, float]:
        """Two numbers that have the signs of the sum far to the left and far to the right."""


def precision(digits: int = FINEST) -> AbstractContextManager[Context]:
    """Context of decimal arithmetic in which results have ``digits`` right digits, and nothing overflows."""
    return localcontext(Context(prec=digits + _SPENT, Emax=MAX_EMAX, Emin=MIN_EMIN))


def _log_sizes(numbers: list[Decimal]) -> FloatArray:
    """Natural logarithms of the absolute values of decimal numbers, which may lie outside the range of floats."""
    exponents = np.array([number.adjusted() for number in numbers], dtype=float)
    with precision():
        leading = [float(abs(number).scaleb(-number.adjusted())) for number in numbers]
    return np.asarray(np.log(np.array(leading, dtype=float)) + exponents * _LOG_TEN)


def _signs(numbers: list[Decimal]) -> FloatArray:
    """1.0 or -1.0 for each number."""
    return np.array([math.copysign(1.0, number) for number in numbers], dtype=float)


def share_if_settled(logs: FloatArray, signs: FloatArray, doubts: FloatArray, left_out: float = 0.0) -> float | None:
    """Share of a sum, or None if rounding leaves its sign open.

    Parameters
    ----------
    logs, signs : ndarray, shape (n,)
        Natural logarithms of the absolute values of the terms, and their signs.
    doubts : ndarray, shape (n,)
        Bounds on the absolute errors of ``logs``.
    left_out : float
        Bound on all terms that are left out, over the largest term.
    """
    sizes = np.exp(logs - logs.max())
    total, size = float((signs * sizes).sum()), float(sizes.sum())
    doubt = float((sizes * (doubts + UNIT * (_TERM_ROUNDINGS + min(len(sizes), _SUMMATIONS)))).sum()) + left_out
    return total / size if abs(total) > doubt else None


class GaussianSum:
    """Sum of c_j exp(-(t - x_j)^2 / (2 scale^2)) over different answers x_j, with c_j other than 0.

    Parameters
    ----------
    answers : ndarray, shape (n,)
        x_j, increasing.
    origin : float
        What is added to a position to give t, in units of the answers.
    scale : float
        Standard deviation of the noise, in units of the answers, above 0.
    coefficients : list of Decimal, length n
        c_j, not 0.
    """

    turning_doubt = 0.0

    def __init__(self, answers: FloatArray, origin: float, scale: float, coefficients: list[Decimal]) -> None:
        self.answers, self.origin, self.scale = answers, origin, scale
        self._coefficients = coefficients
        self._signs, self._logs = _signs(coefficients), _log_sizes(coefficients)
        # A logarithm has two roundings of its own size and, near 0, two of 1.
        self._doubts: FloatArray = UNIT * (2 * np.abs(self._logs) + 2)

    @property
    def changes(self) -> int:
        """Number of changes of sign in the sequence c_1, c_2, ...; by Descartes' rule the sum has at most as many zeros."""
        return int(np.count_nonzero(self._signs[1:] != self._signs[:-1]))

    def derivative(self) -> "GaussianSum":
        """The derivative of the sum times exp(t^2 / (2 scale^2) - y t / scale^2), up to a positive factor: again such a sum.

        Its coefficients are c_j (x_j - y). With y half way between the two answers of the last change of sign, they have one
        change of sign fewer (docs/method.md, proof of Descartes' rule).
        """
        last = np.flatnonzero(self._signs[1:] != self._signs[:-1])[-1]
        shift = float(self.answers[last] / 2 + self.answers[last + 1] / 2)
        kept = np.flatnonzero(self.answers != shift)
        with precision():
            coefficients = [
                self._coefficients[place] * (Decimal(answer) - Decimal(shift))
                for place, answer in zip(kept.tolist(), self.answers[kept].tolist(), strict=True)
            ]
        return GaussianSum(self.answers[kept], self.origin, self.scale, coefficients)

    def limits(self) -> tuple[float, float]:
        """Signs of the sum far to the left and far to the right: there the first and the last answer have the largest term."""
        return float(self._signs[0]), float(self._signs[-1])

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' sizes, in [-1, 1]; exactly 0 for a tie."""
        near = self._near(position, _FAINT)
        places, logs = self.answers[near] - self.origin, self._logs[near]
        distances = (position - places) / self.scale
        # Roundings of the places move the exponent by its slope, the distance; roundings of the exponent itself are relative.
        doubts = self._doubts[near] + UNIT * np.abs(distances) * (np.abs(places) / self.scale + 4 * np.abs(distances))
        left_out = len(self.answers) * math.exp(-_FAINT)
        settled = share_if_settled(logs - distances**2 / 2, self._signs[near], doubts, left_out)
        return self._exact_share(position) if settled is None else settled

    def _near(self, position: float, depth: float) -> slice:
        """Slice of the answers whose terms are larger than e^-depth times the one of an answer next to the position."""
        release = position + self.origin
        nearest = min(int(np.searchsorted(self.answers, release)), len(self.answers) - 1)
        distance = abs(self.answers[nearest] - release) / self.scale
        reach = math.sqrt(distance**2 + 2 * (self._logs.max() - self._logs[nearest] + depth))
        # With a margin for the rounding of the release and of the reach, so that no larger term is left out.
        reach = (reach * self.scale + 2 * np.spacing(abs(release))) * (1 + _REACH_MARGIN)
        first, last = np.searchsorted(self.answers, [release - reach, release + reach])
        return slice(min(int(first), nearest), max(int(last), nearest + 1))

    def _exact_share(self, position: float) -> float:
        """The share in decimal arithmetic, with as many digits as its sign needs; 0 for a tie."""
        for digits in DIGITS:
            depth = (digits + 1) * _LOG_TEN
            near = self._near(position, depth)
            squares = ((position - (self.answers[near] - self.origin)) / self.scale) ** 2 / 2
            exponents = self._logs[near] - squares
            # Far out the rounding of the exponents may be larger than their differences: terms count unless clearly too small.
            rounding = _EXPONENT_ROUNDINGS * UNIT * float(squares.max())
            kept = near.start + np.flatnonzero(exponents > exponents.max() - depth - rounding)
            with precision(digits):
                terms = [self._exact_term(place, position) for place in kept.tolist()]
                top = max(exponent for _, exponent in terms)
                values = [coefficient * (exponent - top).exp() for coefficient, exponent in terms]
                total, size = sum(values, Decimal(0)), sum(map(abs, values), Decimal(0))
                if abs(total) > size * len(self.answers) * Decimal(10) ** -digits:
                    return float(total / size)
        return 0.0

    def _exact_term(self, place: int, position: float) -> tuple[Decimal, Decimal]:
        """c_j and the exponent of the term of the answer at a place."""
        distance = Decimal(position) + Decimal(self.origin) - Decimal(float(self.answers[place]))
        return self._coefficients[place], -((distance / Decimal(self.scale)) ** 2) / 2


class KnotSum:
    """Knots x_j with coefficients c_j, and the cells between neighbouring knots with densities d_i: a signed measure on a line.

    A subclass adds up its kernels.

    Parameters
    ----------
    knots : ndarray, shape (n,)
        Answers and ends of cells, increasing.
    origin : float
        What is added to a position to give a release t, in units of the answers.
    scale : float
        Scale of the noise, in units of the answers, above 0.
    coefficients : list of Decimal, length n
        c of the knots; 0 where a knot is only the end of a cell.
    densities : list of Decimal, length n - 1
        d of the cells; 0 where the cell has no density.
    """

    def __init__(
        self, knots: FloatArray, origin: float, scale: float, coefficients: list[Decimal], densities: list[Decimal]
    ) -> None:
        self.knots, self.origin, self.scale = knots, origin, scale
        self._coefficients, self._densities = coefficients, densities
        self._places = knots - origin
        self._atoms = np.array([place for place, number in enumerate(coefficients) if number], dtype=int)
        self._cells = np.array([place for place, number in enumerate(densities) if number], dtype=int)
        atoms, cells = [coefficients[place] for place in self._atoms], [densities[place] for place in self._cells]
        self._logs = np.concatenate([_log_sizes(atoms), _log_sizes(cells)])
        self._signs = np.concatenate([_signs(atoms), _signs(cells)])


class LaplaceSum(KnotSum):
    """Sum over knots x_j of c_j exp(-|t - x_j| / scale), plus d_i times the integral of exp(-|t - x| / scale) over each cell.

    A cell is the interval between two neighbouring knots. `KnotSum` has the parameters.
    """

    turning_doubt = 0.0

    def turning_points(self) -> list[float]:
        """Positions between which the sum, times some positive function, is monotone: knots, and one point in some cells."""
        return sorted({*map(float, self._places), *self._turns_within_cells()})

    def _turns_within_cells(self) -> Iterator[float]:
        """Positions within cells at which the sum's derivative is 0.

        In a cell from l to r with density d the sum is 2 b d + A e^(-(t - l) / b) + B e^(-(r - t) / b). If A and B have the
        same sign it turns once, where both exponentials are equal; otherwise it is monotone. A cell with d = 0 needs no such
        point: A and B of the same sign leave no zero.
        """
        if not len(self._cells):
            return
        with precision():
            scale = Decimal(self.scale)
            places = [Decimal(float(knot)) - Decimal(self.origin) for knot in self.knots]
            # By what factor an exponential falls over each cell; then A of all cells, from the left, and B, from the right.
            fades = [(-(right - left) / scale).exp() for left, right in pairwise(places)]
            from_left, from_right = self._coefficients[:1], self._coefficients[-1:]
            for fade, density, coefficient in zip(fades, self._densities, self._coefficients[1:], strict=True):
                from_left = [*from_left, from_left[-1] * fade + density * scale * (1 - fade) + coefficient]
            backwards = zip(fades[::-1], self._densities[::-1], self._coefficients[-2::-1], strict=True)
            for fade, density, coefficient in backwards:
                from_right = [*from_right, from_right[-1] * fade + density * scale * (1 - fade) + coefficient]
            for cell in self._cells:
                falling = from_left[cell] - scale * self._densities[cell]
                rising = from_right[-2 - cell] - scale * self._densities[cell]
                if falling * rising > 0:
                    middle = (places[cell] + places[cell + 1]) / 2 + scale * (falling / rising).ln() / 2
                    if places[cell] < middle < places[cell + 1]:
                        yield float(middle)

    def limits(self) -> tuple[float, float]:
        """Numbers with the signs of the sum far to the left and far to the right, those at the outermost knots."""
        return self.share(float(self._places[0])), self.share(float(self._places[-1]))

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' sizes, in [-1, 1]; exactly 0 for a tie."""
        size = np.abs(self._places).max() + abs(position)
        distances = np.abs(position - self._places[self._atoms]) / self.scale
        left, right = self._places[self._cells], self._places[self._cells + 1]
        before, after = (position - left) / self.scale, (right - position) / self.scale
        outside = np.maximum(np.maximum(-before, -after), 0.0)
        width = (right - left) / self.scale
        # Over a cell that t lies outside of, the integral is one exponential at its nearer end; over the cell with t in it,
        # two.
        within = outside == 0
        masses = np.where(
            within,
            -np.expm1(-np.where(within, before, 0.0)) - np.expm1(-np.where(within, after, 0.0)),
            -np.expm1(-width),
        )
        exponents = np.concatenate([-distances, np.log(masses * self.scale) - outside])
        # Positions have a rounding error in proportion to the largest of them. The width of a cell is a difference of two, so
        # its relative error is larger the narrower the cell is.
        widths = np.concatenate([np.full(len(distances), np.inf), np.minimum(width, 1.0)])
        doubts = UNIT * (8 + 2 * np.abs(self._logs) + 4 * np.abs(exponents) + 4 * size / self.scale * (1 + 1 / widths))
        settled = share_if_settled(self._logs + exponents, self._signs, doubts)
        return self._exact_share(position) if settled is None else settled

    def _exact_share(self, position: float) -> float:
        """The share in decimal arithmetic, with as many digits as its sign needs; 0 for a tie."""
        for digits in DIGITS:
            with precision(digits):
                values = self._exact_terms(Decimal(position) + Decimal(self.origin))
                total, size = sum(values, Decimal(0)), sum(map(abs, values), Decimal(0))
                if abs(total) > size * len(self.knots) * Decimal(10) ** -digits:
                    return float(total / size)
        return 0.0

    def _exact_terms(self, release: Decimal) -> list[Decimal]:
        """Terms of the knots, then those of the cells, at a release t."""
        scale = Decimal(self.scale)
        knots = [Decimal(float(knot)) for knot in self.knots]
        values = [self._coefficients[atom] * (-abs(release - knots[atom]) / scale).exp() for atom in self._atoms]
        for cell in self._cells:
            left, right = ((release - knots[place]) / scale for place in (cell, cell + 1))
            if right >= 0:
                mass = (-right).exp() - (-left).exp()
            elif left <= 0:
                mass = left.exp() - right.exp()
            else:
                mass = 2 - (-left).exp() - right.exp()
            values.append(self._densities[cell] * scale * mass)
        return values
