"""Attribute inference from two noisy numbers, one of which is about the sensitive column.

The adversary has a prior over whole records (x, y), and the set is one of values x. The release is a point (r, u) of a plane,
the record plus normal noise of the same size in both columns. Seen along a line on which u is fixed, the factor h by which the
odds change is that of `attributes`, with the weights of the records multiplied by a kernel in y - u. So for a half-line h is
monotone along each line, and passes a level once. The probability that it does pass is a sum over lines, by the trapezoidal
rule, of normal tails. In the plane the set of releases is not convex, and no tail is its mass.

Log h is computed on a grid. Between the points of a line it is a cubic through four of them, and around its turning points a
parabola. The error is the difference to what every second line and point give.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.normal import density
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["PlaneChanges", "PlaneQuantiles", "plane_changes", "plane_quantiles"]

# Scales. Farther from the truth than this there is a probability of 1e-16.
_REACH = 8.3
# Steps of the grid for each scale, across its lines and along a line. The second grows with the spread of the records. Sixteen
# lines are enough as long as the level does not run within 3 degrees of the direction of the lines; if it does, the error
# tells.
_LINES, _STEPS = 16, 8
# Terms of the sums on the grid: some twenty seconds of work.
_MOST_TERMS = 1 << 34
# Log h beyond this is 0 or infinite in floating point.
_MOST = 745.0
# Newton's steps from an end of a cell to the zero. The error is squared each time, or at first halved near a turning point.
_NEWTON_STEPS = 8
# Least probability of a quantile: tails are differences of numbers near 1 here.
_LEAST_PROBABILITY = 1e-9
# Absolute error of a level beside that of the grid; and what the bracket of a level is wider than log h on the grid.
_PRECISION, _MARGIN = 1e-12, 1e-3
# Orders of differences, and their factorials.
_ORDERS = ((1, 1.0), (2, 2.0), (3, 6.0))


class PlaneChanges(NamedTuple):
    """As `disclosure.beliefs.attributes.OddsChanges`, with errors."""

    rise: Estimate[FloatArray]
    fall: Estimate[FloatArray]


class PlaneQuantiles(NamedTuple):
    """As `disclosure.beliefs.attributes.OddsQuantiles`, with errors."""

    lower: Estimate[FloatArray]
    upper: Estimate[FloatArray]


class _Turns(NamedTuple):
    """Turning points of log h along the lines, each between two points of its line; arrays of shape (e,)."""

    line: IntArray
    places: FloatArray
    values: FloatArray
    """Log h at the turning points."""
    ends: FloatArray
    """Log h at the points before and after, shape (2, e)."""
    curvatures: FloatArray
    """Second derivatives of log h."""


class _Plane(NamedTuple):
    """Log h on lines of fixed u; positions in scales of the noise, about an origin."""

    lines: FloatArray
    """u of the lines, equidistant, shape (k,)."""
    steps: FloatArray
    """r on each line, equidistant, shape (m,)."""
    heights: FloatArray
    """Log h, shape (k, m)."""
    turns: _Turns
    truths: FloatArray
    """Records (r, u) of which one is the target's, shape (t, 2)."""

    @classmethod
    def of(cls, lines: FloatArray, steps: FloatArray, heights: FloatArray, truths: FloatArray) -> "_Plane":
        slopes = (heights[:, 2:] - heights[:, :-2]) / 2  # at the points 1, 2, ..., for one step
        line, cell = np.nonzero(slopes[:, 1:] * slopes[:, :-1] < 0)
        before, after = slopes[line, cell], slopes[line, cell + 1]
        share, step = before / (before - after), steps[1] - steps[0]
        ends = np.array([heights[line, cell + 1], heights[line, cell + 2]])
        turns = _Turns(
            line, steps[cell + 1] + share * step, ends[0] + before * share / 2, ends, (after - before) / step**2
        )
        return cls(lines, steps, heights, turns, truths)

    def coarser(self) -> "_Plane":
        """Every second line and every second point of it."""
        return _Plane.of(self.lines[::2], self.steps[::2], self.heights[::2, ::2], self.truths)

    def above(self, level: float, truths: FloatArray) -> FloatArray:
        """Probability that log h is above a level, for each of some truths."""
        over = self.heights > level
        line, cell = np.nonzero(over[:, 1:] != over[:, :-1])
        # Each line begins above the level or below it, and at each crossing the tail from there on is added or taken away.
        ends = [(line, self._crossings(level, line, cell), np.where(over[line, cell], -1.0, 1.0)), *self._hidden(level)]
        lines, places, signs = (np.concatenate(parts) for parts in zip(*ends, strict=True))
        mass = np.zeros((len(truths), len(self.lines)))
        for row, (sensitive, _) in enumerate(truths.tolist()):
            mass[row] = np.bincount(lines, signs * ndtr(sensitive - places), len(self.lines)) + over[:, 0]
        weights = density(self.lines - truths[:, 1:]) * (self.lines[1] - self.lines[0])
        return np.clip(contracted("tk,tk->t", mass, weights), 0.0, 1.0)

    def _hidden(self, level: float) -> list[tuple[IntArray, FloatArray, FloatArray]]:
        """Crossings on both sides of a turning point, between two points that are on the same side of the level."""
        turns = self.turns
        over = turns.values > level
        seen = (turns.ends > level) == over
        line, place, curvature = (part[~seen.any(axis=0)] for part in (turns.line, turns.places, turns.curvatures))
        excess = np.abs(turns.values - level)[~seen.any(axis=0)]
        width = np.minimum(np.sqrt(2 * excess / np.abs(curvature)), self.steps[1] - self.steps[0])
        sign = np.where(over[~seen.any(axis=0)], 1.0, -1.0)
        return [(line, place - width, sign), (line, place + width, -sign)]

    def _crossings(self, level: float, line: IntArray, cell: IntArray) -> FloatArray:
        """Where log h passes a level, between two points of each of some lines."""
        first = np.clip(cell - 1, 0, len(self.steps) - 4)
        values = np.array([self.heights[line, first + place] for place in range(4)]) - level
        offset = (cell - first).astype(float)
        # The cubic in Newton's form, in units of the step from the first of the four points.
        one, two, three = (np.diff(values, order, axis=0)[0] / order_factorial for order, order_factorial in _ORDERS)
        # From the end at which the cubic and its curvature have the same sign, Newton's method runs monotonically to the zero.
        at_left = self.heights[line, cell] - level
        place = np.where(at_left * (two + (offset - 0.5) * three) > 0, offset, offset + 1)
        for _ in range(_NEWTON_STEPS):
            cubic = values[0] + place * (one + (place - 1) * (two + (place - 2) * three))
            slope = one + (2 * place - 1) * two + (3 * place**2 - 6 * place + 2) * three
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.nan_to_num(cubic / slope, nan=0.0, posinf=0.0, neginf=0.0)
            place = np.clip(place - step, offset, offset + 1)
        return np.asarray(self.steps[0] + (first + place) * (self.steps[1] - self.steps[0]))

    def quantile(self, row: int, probability: float) -> float:
        """The level that log h exceeds with a probability, for one truth."""
        from scipy.optimize import brentq  # slow to import

        truth = self.truths[row : row + 1]
        # A square around the truth has at least the stated probability, and at least 1 minus that. The level lies between the
        # least and the largest log h in it.
        half = float(-ndtri(min(probability, 1 - probability) / 4))
        square = [
            np.abs(axis - place) <= half + (axis[1] - axis[0])
            for axis, place in ((self.lines, truth[0, 1]), (self.steps, truth[0, 0]))
        ]
        heights = self.heights[np.ix_(*square)]
        low, high = float(heights.min()) - _MARGIN, float(heights.max()) + _MARGIN

        def excess(level: float) -> float:
            """A function of the mass that is 0 where it is the probability, and nearly straight."""
            mass = float(self.above(level, truth)[0])
            return float(np.clip(ndtri(mass), -_REACH, _REACH) - ndtri(probability))

        return float(brentq(excess, high, low, xtol=_PRECISION))


def plane_changes(
    records: ArrayLike, weights: ArrayLike, sensitive: ArrayLike, truths: ArrayLike, *, scale: float, factor: float
) -> PlaneChanges:
    """Probability that two noisy numbers change the odds of a set by more than a factor, in either direction.

    Parameters
    ----------
    records : array_like, shape (n, 2)
        Records that the target may have, the sensitive column first.
    weights : array_like, shape (n,)
        The adversary's prior over them, positive, up to a factor.
    sensitive : array_like of bool, shape (n,)
        Whether the first value of each lies in the set: of some, not of all.
    truths : array_like, shape (t, 2)
        Records that the target may have in truth.
    scale : float
        Standard deviation of the noise in each column, in (0, inf), in units of the records.
    factor : float
        In (1, 1e300].

    Returns
    -------
    PlaneChanges
        Arrays of shape (t,).

    Raises
    ------
    DomainError
        Outside these ranges, and where the noise is so small beside the records that it would take minutes.

    Examples
    --------
    >>> records, sensitive = [[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]], [False, False, True]
    >>> found = plane_changes(records, [1, 1, 1], sensitive, records, scale=1.5, factor=2.0)
    >>> found.rise.value.round(4).tolist()
    [0.0799, 0.1637, 0.4322]
    """
    level = float(np.log(checks.number("factor", factor, "(1, 1e300]")))
    plane = _plane(records, weights, sensitive, truths, scale)

    def changes(grid: _Plane) -> list[FloatArray]:
        return [grid.above(level, grid.truths), 1 - grid.above(-level, grid.truths)]

    return PlaneChanges(*_compared(changes(plane), changes(plane.coarser())))


def plane_quantiles(
    records: ArrayLike, weights: ArrayLike, sensitive: ArrayLike, truths: ArrayLike, *, scale: float, probability: float
) -> PlaneQuantiles:
    """Factors by which two noisy numbers let the odds of a set rise, or fall, with a stated probability only.

    Parameters
    ----------
    records, weights, sensitive, truths, scale
        As in `plane_changes`.
    probability : float
        Of exceeding each, in [1e-9, 1 - 1e-9].

    Returns
    -------
    PlaneQuantiles
        Arrays of shape (t,).

    Raises
    ------
    DomainError
        As `plane_changes` does.
    """
    probability = checks.number("probability", probability, f"[{_LEAST_PROBABILITY}, {1 - _LEAST_PROBABILITY}]")
    plane = _plane(records, weights, sensitive, truths, scale)

    def quantiles(grid: _Plane) -> list[FloatArray]:
        rows = range(len(grid.truths))
        return [np.exp([grid.quantile(row, share) for row in rows]) for share in (1 - probability, probability)]

    return PlaneQuantiles(*_compared(quantiles(plane), quantiles(plane.coarser())))


def _compared(fine: list[FloatArray], coarse: list[FloatArray]) -> list[Estimate[FloatArray]]:
    return [Estimate(one, np.abs(one - other)) for one, other in zip(fine, coarse, strict=True)]


def _plane(records: ArrayLike, weights: ArrayLike, sensitive: ArrayLike, truths: ArrayLike, scale: float) -> _Plane:
    scale = checks.number("scale", scale, "(0, inf)")
    points, places = checks.within("records", records, "(-inf, inf)"), checks.within("truths", truths, "(-inf, inf)")
    shares, inside = checks.within("weights", weights, "(0, inf)"), np.asarray(sensitive, dtype=bool)
    size = len(points)
    if points.shape != (size, 2) or shares.shape != (size,) or inside.shape != (size,):
        raise errors.DomainError(
            f"records, weights and sensitive have shapes {points.shape}, {shares.shape} and {inside.shape}; "
            "expected (n, 2), (n,) and (n,)"
        )
    if places.ndim != 2 or places.shape[1] != 2:
        raise errors.DomainError(f"truths has shape {places.shape}; expected (t, 2)")
    if inside.all() or not inside.any():
        raise errors.DomainError("the set holds for all records or for none, so that no release moves its odds")
    origin = (points.min(axis=0) + points.max(axis=0)) / 2
    points, places = (points - origin) / scale, (places - origin) / scale
    spread = float(np.ptp(np.concatenate([points, places]), axis=0).max())
    fine = _STEPS * max(1.0, spread)
    if _size(places[:, 0], fine) * _size(places[:, 1], _LINES) * size > _MOST_TERMS:
        raise errors.DomainError(
            f"the noise is {spread:.3g} times smaller than the records' spread, too small for two columns; release one column"
        )
    steps, lines = _axis(places[:, 0], fine), _axis(places[:, 1], _LINES)
    along = _kernels(steps, points[:, 0])
    across = _kernels(lines, points[:, 1]) * shares
    logs = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for law in (inside, ~inside):
            total = shares[law].sum()
            logs.append(np.log(contracted("kn,mn->km", across[:, law], along[:, law]) / total))
        heights = np.nan_to_num(logs[0] - logs[1], nan=0.0, posinf=_MOST, neginf=-_MOST)
    return _Plane.of(lines, steps, heights, places)


def _size(places: FloatArray, steps: float) -> int:
    """How many positions an axis has, an odd number, with so many for each scale as far as any truth reaches."""
    return 2 * math.ceil((float(np.ptp(places)) + 2 * _REACH) * steps / 2) + 1


def _axis(places: FloatArray, steps: float) -> FloatArray:
    """Equidistant positions, `_size` of them."""
    return np.linspace(places.min() - _REACH, places.max() + _REACH, _size(places, steps))


def _kernels(positions: FloatArray, places: FloatArray) -> FloatArray:
    """exp(-(position - place)^2 / 2) for all pairs, over the largest of each position."""
    exponents = positions[:, None] * places - places**2 / 2
    return np.asarray(np.exp(exponents - exponents.max(axis=1, keepdims=True)))
