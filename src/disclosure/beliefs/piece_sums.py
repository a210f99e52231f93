"""Signed sums of normal kernels with uniform pieces in them, exactly.

With normal noise the density of the release from a piece is a difference of two tails. `GaussianPieceSum` evaluates it as such,
first in floating point with a bound on the rounding error, then, where that leaves the sign open, in decimal arithmetic.

The turning points of such a sum are found with nodes of Gauss's rule in place of the pieces (docs/method.md, "Any adversary on
a line"). They only separate the zeros, which are those of the exact sum.
"""

import math
from decimal import Decimal
from itertools import pairwise

import numpy as np

from disclosure.beliefs.kernels import DIGITS, GaussianSum, KnotSum, precision, share_if_settled
from disclosure.numerics.decimal_tails import mass_over_density as exact_mass_over_density
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.tails import mass_over_density
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["ORDER", "PART", "GaussianPieceSum", "nodes_on"]

# Scales of the noise. Width of the parts into which an interval is cut, and nodes of Gauss's rule on each. 40 scales away from
# a release the kernel changes by a factor e^20 over a part, and 16 nodes integrate that to the last digit.
PART, ORDER = 0.5, 16
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(ORDER)
# Error of a sum over such nodes, over the sum of its terms: that of the rule's weights, and that of the nodes for each scale
# that the farthest lies from the origin. Both are twice the largest seen 40 scales away.
_WEIGHTS_DOUBT, _NODES_DOUBT = 4e-15, 8 * UNIT
# An error of the derivative by a share d moves its zeros, or hides two of them that are about sqrt(d) apart. Between these the
# sum itself turns back by the integral of the derivative, about d times sqrt(d).
_HIDDEN = 1.5
# Roundings of the mass of a cell over the density at its nearer end.
_MASS_ROUNDINGS = 64


class GaussianPieceSum(KnotSum):
    """Sum over knots x_j of c_j k(t - x_j), plus d_i times the integral of k(t - x) over each cell.

    k(t) = exp(-t^2 / (2 scale^2)). A cell is the interval between two neighbouring knots. `KnotSum` has the parameters.
    """

    @property
    def changes(self) -> int:
        """Number of changes of sign along the line; by Descartes' rule the sum has at most as many zeros."""
        return sum(left != right for left, right in pairwise(self._signs_in_order()))

    @property
    def turning_doubt(self) -> float:
        """Share of the sum below which it may have the other sign at a turning point, since nodes stand for cells there."""
        farthest = float(np.abs(self._places).max()) / self.scale
        return math.pow(_WEIGHTS_DOUBT + _NODES_DOUBT * farthest, _HIDDEN)

    def _signs_in_order(self) -> list[float]:
        """Signs of the knots' coefficients and the cells' densities from left to right, without zeros."""
        numbers = [
            number for pair in zip(self._coefficients, [*self._densities, Decimal(0)], strict=True) for number in pair
        ]
        return [math.copysign(1.0, number) for number in numbers if number]

    def limits(self) -> tuple[float, float]:
        """Signs of the sum far to the left and far to the right, those of the outermost knots and cells."""
        signs = self._signs_in_order()
        return signs[0], signs[-1]

    def derivative(self) -> GaussianSum:
        """What `GaussianSum.derivative` is for the sum in which nodes of Gauss's rule stand for cells."""
        places, numbers = [self._places[self._atoms]], [self._coefficients[atom] for atom in self._atoms]
        with precision():
            for cell in self._cells:
                nodes, weights = nodes_on(self._places[cell], self._places[cell + 1], self.scale)
                places = [*places, nodes]
                numbers = [*numbers, *(self._densities[cell] * Decimal(weight) for weight in weights.tolist())]
        all_places = np.concatenate(places)
        order = np.argsort(all_places, kind="stable")
        return GaussianSum(all_places[order], 0.0, self.scale, [numbers[place] for place in order]).derivative()

    def share(self, position: float) -> float:
        """The sum over the sum of its terms' sizes, in [-1, 1]; exactly 0 for a tie."""
        logs, doubts = self._sizes(position)
        settled = share_if_settled(logs, self._signs, doubts)
        return self._exact_share(position, logs, doubts) if settled is None else settled

    def _sizes(self, position: float) -> tuple[FloatArray, FloatArray]:
        """Natural logarithms of the sizes of the terms of atoms and of cells, and bounds on their absolute errors."""
        ends = (position - self._places) / self.scale
        # Places are rounded, and so are distances from them.
        slips = UNIT * (np.abs(self._places) / self.scale + np.abs(ends))
        distances, before, after = ends[self._atoms], ends[self._cells], -ends[self._cells + 1]
        slip = np.maximum(slips[self._cells], slips[self._cells + 1])
        widths = (self.knots[self._cells + 1] - self.knots[self._cells]) / self.scale
        # A cell that t lies outside of has a mass over the density at its nearer end; the one with t in it is two such cells.
        outside = np.maximum(np.maximum(-before, -after), 0.0)
        within = outside == 0
        masses = np.where(
            within,
            mass_over_density(0.0, np.where(within, before, 0.0))
            + mass_over_density(0.0, np.where(within, after, 0.0)),
            mass_over_density(outside, widths),
        )
        sizes = np.log(masses) + math.log(self.scale)
        squares = np.concatenate([distances, outside]) ** 2 / 2
        logs = self._logs + np.concatenate([np.zeros(len(distances)), sizes]) - squares
        # A slip moves the exponent by its slope, the distance; the mass of a cell by 1 at most, or by the density at its ends.
        moved = np.concatenate(
            [np.abs(distances) * slips[self._atoms], slip * (outside + 1 + within / np.minimum(widths, 1.0))]
        )
        rounded = _MASS_ROUNDINGS + 2 * np.abs(self._logs) + 4 * squares
        rounded[len(distances) :] += 2 * np.abs(sizes) + 2 * abs(math.log(self.scale))
        return logs, 2 * moved + UNIT * rounded

    def _exact_share(self, position: float, logs: FloatArray, doubts: FloatArray) -> float:
        """The share in decimal arithmetic, with as many digits as its sign needs; 0 for a tie."""
        for digits in DIGITS:
            depth = (digits + 1) * math.log(10.0)
            kept = np.flatnonzero(logs + doubts > (logs - doubts).max() - depth)
            with precision(digits):
                terms = self._exact_terms(Decimal(position) + Decimal(self.origin), kept)
                top = max(exponent for _, exponent in terms)
                values = [factor * (exponent - top).exp() for factor, exponent in terms]
                total, size = sum(values, Decimal(0)), sum(map(abs, values), Decimal(0))
                if abs(total) > size * len(logs) * Decimal(10) ** -digits:
                    return float(total / size)
        return 0.0

    def _exact_terms(self, release: Decimal, chosen: IntArray) -> list[tuple[Decimal, Decimal]]:
        """Factor and exponent of some terms at a release t; atoms come first, then cells."""
        scale = Decimal(self.scale)
        terms = []
        for term in chosen.tolist():
            if term < len(self._atoms):
                atom = self._atoms[term]
                distance = (release - Decimal(float(self.knots[atom]))) / scale
                terms.append((self._coefficients[atom], -(distance**2) / 2))
                continue
            cell = self._cells[term - len(self._atoms)]
            left, right = (Decimal(float(self.knots[place])) for place in (cell, cell + 1))
            before, after, width = (release - left) / scale, (right - release) / scale, (right - left) / scale
            start = max(-before, -after, Decimal(0))
            parts = [(start, width)] if start else [(Decimal(0), part) for part in (before, after) if part]
            mass = sum((exact_mass_over_density(*part) for part in parts), Decimal(0))
            terms.append((self._densities[cell] * scale * mass, -(start**2) / 2))
        return terms


def nodes_on(lower: float, upper: float, scale: float) -> tuple[FloatArray, FloatArray]:
    """Points and weights of Gauss's rule on the parts of an interval; the weights sum to the interval's length."""
    parts = math.ceil((upper - lower) / (PART * scale))
    ends = np.linspace(lower, upper, parts + 1)
    half = np.diff(ends) / 2
    points = (ends[:-1] + half)[:, None] + half[:, None] * _NODES
    return points.ravel(), (half[:, None] * _WEIGHTS).ravel()
