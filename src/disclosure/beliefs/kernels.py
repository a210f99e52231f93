"""Signed sums of kernels on a line, sum_j c_j k(t - x_j), with a sign that is always right.

A sum is evaluated in floating point, scaled by its largest term, next to a bound on its rounding error. Where the bound
does not settle the sign, the sum is evaluated again in decimal arithmetic of 20, 40, 80 and 160 digits. The numbers that go
in are taken as exactly what the floats say. A sum that is smaller than its terms by a factor of 10^-160 counts as 0: a tie.
"""

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from itertools import pairwise
from typing import Protocol

import numpy as np

from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["FINEST", "GaussianSum", "KernelSum", "LaplaceSum", "precision"]

# Digits of decimal arithmetic, tried one after the other; the last ones also hold the coefficients.
_DIGITS = (20, 40, 80, 160)
FINEST = _DIGITS[-1]
"""Digits of the finest arithmetic: a sum that is smaller than its terms by a factor of 10^-FINEST counts as 0."""
# Digits beyond those wanted, for rounding to use up.
_SPENT = 10
# Logarithm of the factor between a term near the position and those left out of a sum in floating point: e^60 = 1e26.
_FAINT = 60.0
# Most roundings in a row when NumPy adds up a long sum, which it does pairwise.
_ROUNDINGS = 64
_LOG_TEN = math.log(10.0)


class KernelSum(Protocol):
    """A signed sum of kernels as a function of the position of a release."""

    @property
    def scale(self) -> float:
        """Of the kernels, in units of the position."""

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' sizes, in [-1, 1]; exactly 0 for a tie."""

    def limits(self) -> tuple[float, float]:
        """Numbers with the signs of the sum far to the left and far to the right."""


def precision(digits: int = FINEST) -> AbstractContextManager[Context]:
    """Context of decimal arithmetic in which so many digits come out right, without overflow."""
    return localcontext(Context(prec=digits + _SPENT, Emax=MAX_EMAX, Emin=MIN_EMIN))


def _log_sizes(numbers: list[Decimal]) -> FloatArray:
    """Natural logarithms of the sizes of decimal numbers, however large or small these are."""
    exponents = np.array([number.adjusted() for number in numbers], dtype=float)
    leading = [float(abs(number).scaleb(-number.adjusted())) for number in numbers]
    return np.asarray(np.log(np.array(leading, dtype=float)) + exponents * _LOG_TEN)


def _signs(numbers: list[Decimal]) -> FloatArray:
    return np.array([math.copysign(1.0, number) for number in numbers], dtype=float)


def _share_if_settled(logs: FloatArray, signs: FloatArray, doubts: FloatArray, left_out: float = 0.0) -> float | None:
    """Signed share of a sum in the sum of its terms' sizes, or None where rounding leaves the sign open.

    The terms are given by logarithms of their sizes, whose absolute errors are at most ``doubts``.
    """
    sizes = np.exp(logs - logs.max())
    total, size = float((signs * sizes).sum()), float(sizes.sum())
    doubt = float((sizes * (doubts + UNIT * (4 + min(len(sizes), _ROUNDINGS)))).sum()) + left_out
    return total / size if abs(total) > doubt else None


class GaussianSum:
    """Sum of c_j exp(-(t - x_j)^2 / (2 scale^2)) over different answers x_j, none of whose c_j is 0.

    Parameters
    ----------
    answers : ndarray, shape (n,)
        Increasing.
    origin : float
        Positions t are measured from there.
    scale : float
    coefficients : list of Decimal
        Each belongs to one answer or, for the nodes of a uniform piece, to many.
    owners : ndarray of int, shape (n,)
        Which of the coefficients belongs to each answer.
    factors : ndarray, shape (n,)
        Positive; c_j is the coefficient times this factor.
    """

    def __init__(
        self,
        answers: FloatArray,
        origin: float,
        scale: float,
        coefficients: list[Decimal],
        owners: IntArray,
        factors: FloatArray,
    ) -> None:
        self.answers, self.origin, self.scale = answers, origin, scale
        self._coefficients, self._owners, self._factors = coefficients, owners, factors
        self._signs = _signs(coefficients)[owners]
        sizes, shares = _log_sizes(coefficients)[owners], np.log(factors)
        self._logs: FloatArray = sizes + shares
        self._doubts: FloatArray = UNIT * ((2 * np.abs(sizes) + 2) + (2 * np.abs(shares) + 2))

    @property
    def changes(self) -> int:
        """Changes of sign in the sequence of coefficients: by Descartes' rule there are no more zeros."""
        return int(np.count_nonzero(self._signs[1:] != self._signs[:-1]))

    def derivative(self) -> "GaussianSum":
        """Derivative of the sum times exp(t^2 / (2 scale^2) - y t / scale^2), but for a positive factor.

        The coefficients become c_j (x_j - y). With y between the answers of the last change of sign, one change fewer is left.
        """
        last = np.flatnonzero(self._signs[1:] != self._signs[:-1])[-1]
        shift = float(self.answers[last] / 2 + self.answers[last + 1] / 2)
        kept = np.flatnonzero(self.answers != shift)
        with precision():
            coefficients = [
                self._coefficient(place) * (Decimal(answer) - Decimal(shift))
                for place, answer in zip(kept.tolist(), self.answers[kept].tolist(), strict=True)
            ]
        size = len(kept)
        return GaussianSum(self.answers[kept], self.origin, self.scale, coefficients, np.arange(size), np.ones(size))

    def _coefficient(self, place: int) -> Decimal:
        return self._coefficients[int(self._owners[place])] * Decimal(float(self._factors[place]))

    def limits(self) -> tuple[float, float]:
        """Signs far to the left and far to the right."""
        return float(self._signs[0]), float(self._signs[-1])

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' sizes, in [-1, 1]; exactly 0 for a tie."""
        near = self._near(position, _FAINT)
        places, logs = self.answers[near] - self.origin, self._logs[near]
        distances = (position - places) / self.scale
        doubts = self._doubts[near] + UNIT * np.abs(distances) * (np.abs(places) / self.scale + 4 * np.abs(distances))
        left_out = len(self.answers) * math.exp(-_FAINT)
        settled = _share_if_settled(logs - distances**2 / 2, self._signs[near], doubts, left_out)
        return self._exact_share(position) if settled is None else settled

    def _near(self, position: float, depth: float) -> slice:
        """Slice of the answers whose terms are larger than e^-depth times the one of an answer next to the position."""
        release = position + self.origin
        nearest = min(int(np.searchsorted(self.answers, release)), len(self.answers) - 1)
        distance = abs(self.answers[nearest] - release) / self.scale
        reach = math.sqrt(distance**2 + 2 * (self._logs.max() - self._logs[nearest] + depth))
        # A reach that is larger than any rounding of it, so that no larger term is left out.
        reach = (reach * self.scale + 2 * np.spacing(abs(release))) * (1 + 1e-9)
        first, last = np.searchsorted(self.answers, [release - reach, release + reach])
        return slice(min(int(first), nearest), max(int(last), nearest + 1))

    def _exact_share(self, position: float) -> float:
        for digits in _DIGITS:
            depth = (digits + 1) * _LOG_TEN
            near = self._near(position, depth)
            squares = ((position - (self.answers[near] - self.origin)) / self.scale) ** 2 / 2
            exponents = self._logs[near] - squares
            # Far out the rounding of the exponents may change the order of their terms.
            rounding = 16 * UNIT * float(squares.max())
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
        """Coefficient and exponent of a term."""
        distance = Decimal(position) + Decimal(self.origin) - Decimal(float(self.answers[place]))
        return self._coefficient(place), -((distance / Decimal(self.scale)) ** 2) / 2


class LaplaceSum:
    """Sum of c_j exp(-|t - x_j| / scale), and of d_i times the integral of exp(-|t - x| / scale) over cells.

    Parameters
    ----------
    knots : ndarray, shape (n,)
        Increasing: answers and ends of cells.
    origin : float
        Positions t are measured from there.
    scale : float
    coefficients : list of Decimal, length n
        c of the knots, 0 where a knot is no more than the end of a cell.
    densities : list of Decimal, length n - 1
        d of the cells between the knots, 0 where nothing lies.
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

    def turning_points(self) -> list[float]:
        """Positions between which the sum is monotone, or an exponential function apart from a factor."""
        return sorted({*map(float, self._places), *self._turns_within_cells()})

    def _turns_within_cells(self) -> Iterator[float]:
        """Within a cell the sum is 2 b d + A e^(-(t - l) / b) + B e^(-(r - t) / b), with one turn if A and B have one sign.

        Without the cell's own density its two exponentials cannot add up to 0 unless the one rises where the other falls.
        """
        if not len(self._cells):
            return
        with precision():
            scale = Decimal(self.scale)
            places = [Decimal(float(knot)) - Decimal(self.origin) for knot in self.knots]
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
        """Signs far to the left and far to the right, the same as at the outermost knots."""
        return self.share(float(self._places[0])), self.share(float(self._places[-1]))

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' sizes, in [-1, 1]; exactly 0 for a tie."""
        size = np.abs(self._places).max() + abs(position)
        distances = np.abs(position - self._places[self._atoms]) / self.scale
        left, right = self._places[self._cells], self._places[self._cells + 1]
        before, after = (position - left) / self.scale, (right - position) / self.scale
        outside = np.maximum(np.maximum(-before, -after), 0.0)
        width = (right - left) / self.scale
        # Over a cell that does not hold t the integral is an exponential; over the one that does it is two pieces of one.
        within = outside == 0
        masses = np.where(
            within,
            -np.expm1(-np.where(within, before, 0.0)) - np.expm1(-np.where(within, after, 0.0)),
            -np.expm1(-width),
        )
        exponents = np.concatenate([-distances, np.log(masses * self.scale) - outside])
        # Positions are rounded in units of the largest; a cell's width is a difference of two.
        widths = np.concatenate([np.full(len(distances), np.inf), np.minimum(width, 1.0)])
        doubts = UNIT * (8 + 2 * np.abs(self._logs) + 4 * np.abs(exponents) + 4 * size / self.scale * (1 + 1 / widths))
        settled = _share_if_settled(self._logs + exponents, self._signs, doubts)
        return self._exact_share(position) if settled is None else settled

    def _exact_share(self, position: float) -> float:
        for digits in _DIGITS:
            with precision(digits):
                values = self._exact_terms(Decimal(position) + Decimal(self.origin))
                total, size = sum(values, Decimal(0)), sum(map(abs, values), Decimal(0))
                if abs(total) > size * len(self.knots) * Decimal(10) ** -digits:
                    return float(total / size)
        return 0.0

    def _exact_terms(self, release: Decimal) -> list[Decimal]:
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
