"""Where a signed sum of kernels F(t) = sum_j c_j k(t - x_j) changes its sign, and where it is positive.

Turning points are positions between which F, times some positive function, is monotone. So between two neighbouring turning
points F has one zero if its signs there differ, and none if they do not. The signs are exact (`kernels`), and a zero is
bracketed down to the last digit of a float.

The turning points of a sum of Gaussian kernels are the zeros of a second such sum, whose coefficients have one change of sign
fewer. The turning points of that one are the zeros of a third, and so on down to a sum with one change of sign, hence one zero.
This is the proof of Descartes' rule (docs/method.md, "Any adversary on a line").

Positions are in units of the answers. The scale is that of the kernel: sigma of normal noise, b of Laplace noise. The share of
a sum at a position is the sum over the sum of its terms' absolute values, in [-1, 1].
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from disclosure.beliefs.kernels import GaussianSum, KernelSum, LaplaceSum
from disclosure.beliefs.piece_sums import GaussianPieceSum

__all__ = ["Signs", "doubtful", "find_signs", "positive_integers", "positive_intervals"]

# Scales. A bracket around a zero need not be narrower than this, though floats near the origin are finer.
_FINEST = 1e-28
# Scales. Zeros farther from the origin than this count as infinite.
_FARTHEST = 1e40
# Steps of the bracketing, at most. Bisection takes fewer from a bracket as wide as `_FARTHEST` to one of `_FINEST`.
_MOST_STEPS = 4000
# Scales. Width of the bracket around a zero of a second or higher derivative. Two such zeros that are nearer to each other are
# missed; between them the sum itself turns back by about the cube of the width beside its terms, which is below rounding.
_TURNING = 1e-14
# Share of a sum. At a turning point, which is known only up to a unit in the last place, a sum with a smaller share may in
# truth have the other sign.
_TOUCH = 1e-24
# Factor by which the distance from a point grows, in the search for where the sum is no longer in doubt.
_GROWTH = 4


class Signs(NamedTuple):
    """Signs of a sum along the line."""

    points: list[tuple[float, float]]
    """-inf, the turning points and inf, increasing, each with the share of the sum there."""
    zeros: list[float]
    """Positions at which the sign changes, increasing."""


def find_signs(kernel_sum: GaussianSum | GaussianPieceSum | LaplaceSum) -> Signs:
    """Turning points, signs and zeros of a sum."""
    if isinstance(kernel_sum, LaplaceSum):
        return _signs(kernel_sum, kernel_sum.turning_points())
    derivatives: list[GaussianSum | GaussianPieceSum] = [kernel_sum]
    # With one change of sign there is one zero, between the limits, and turning points are not needed.
    while derivatives[-1].changes > 1:
        derivatives.append(derivatives[-1].derivative())
    zeros: list[float] = []
    for depth in range(len(derivatives) - 1, 0, -1):
        zeros = _signs(derivatives[depth], zeros, _TURNING if depth > 1 else _FINEST).zeros
    return _signs(kernel_sum, zeros)


def _signs(kernel_sum: KernelSum, turning_points: list[float], finest: float = _FINEST) -> Signs:
    """Signs and zeros between given turning points; ``finest`` is the width of the bracket around a zero, in scales."""
    points = [(point, kernel_sum.share(point)) for point in turning_points]
    start, end = (turning_points[0], turning_points[-1]) if turning_points else (0.0, 0.0)
    first, last = _outermost(kernel_sum, start, -1.0), _outermost(kernel_sum, end, 1.0)
    # At a turning point with the value 0 the sum touches the axis or crosses it. The signs at the points on both sides tell
    # which.
    signed = [point for point in (first, *points, last) if point[1]]
    zeros = [
        _bracketed(kernel_sum, left, right, left_share, right_share, finest)
        for (left, left_share), (right, right_share) in pairwise(signed)
        if left_share * right_share < 0
    ]
    return Signs([(-math.inf, first[1]), *points, (math.inf, last[1])], zeros)


def positive_intervals(signs: Signs) -> list[tuple[float, float]]:
    """Open intervals in which the sum is positive, increasing; touching ones are put together."""
    intervals: list[tuple[float, float]] = []
    for (left, left_share), (right, right_share) in pairwise(signs.points):
        if left_share <= 0 and right_share <= 0:
            continue
        begin, end = left, right
        if left_share * right_share < 0:
            zero = next(zero for zero in signs.zeros if left <= zero <= right)
            begin, end = (left, zero) if left_share > 0 else (zero, right)
        if intervals and intervals[-1][1] == begin and left_share > 0:
            begin = intervals.pop()[0]
        if begin < end:
            intervals.append((begin, end))
    return intervals


def positive_integers(kernel_sum: KernelSum, signs: Signs) -> list[tuple[float, float]]:
    """First and last number of each run of consecutive whole numbers at which the sum is positive, increasing.

    Whole numbers next to turning points and zeros are looked at one by one. Between two of these numbers the sign stays the
    same.
    """
    places = [*(point for point, _ in signs.points[1:-1]), *signs.zeros] or [0.0]
    marks = sorted({float(near(place)) for place in places for near in (math.floor, math.ceil)})
    # First and last number of each run with one sign, and a number in it at which the sign is found.
    runs = [(-math.inf, marks[0] - 1, marks[0] - 1)]
    for mark, following in zip(marks, [*marks[1:], math.inf], strict=True):
        runs.append((mark, mark, mark))
        if following - mark > 1:
            runs.append((mark + 1, following - 1, mark + 1))
    positive: list[tuple[float, float]] = []
    for first, last, example in runs:
        if kernel_sum.share(example) > 0:
            begin = positive.pop()[0] if positive and positive[-1][1] == first - 1 else first
            positive.append((begin, last))
    return positive


def doubtful(kernel_sum: KernelSum, signs: Signs) -> list[tuple[float, float]]:
    """Intervals in which the sign of the sum is not certain: around zeros, and where the sum nearly touches 0.

    Of a zero the last digits are in doubt. Beside a turning point whose own digits are in doubt, so is all that is nearer to 0
    than the sum's `turning_doubt`.

    Parameters
    ----------
    kernel_sum : GaussianSum, GaussianPieceSum or LaplaceSum
    signs : Signs
        Of the same sum.

    Returns
    -------
    list of tuple of float
        Lower and upper ends. The intervals may overlap.
    """
    doubt = kernel_sum.turning_doubt
    touching = [point for point, share in signs.points[1:-1] if abs(share) <= max(doubt, _TOUCH)]
    intervals = []
    for points, tolerance in ((signs.zeros, 0.0), (touching, doubt)):
        for point in points:
            left, right = (_settled(kernel_sum, point, side, tolerance) for side in (-1.0, 1.0))
            intervals.append((left, right))
    return intervals


def _settled(kernel_sum: KernelSum, point: float, side: float, tolerance: float) -> float:
    """A position beyond the last digits of a point, at which the share of the sum is larger than a tolerance above 0."""
    step = _resolution(point, _FINEST * kernel_sum.scale)
    while tolerance and step < kernel_sum.scale and abs(kernel_sum.share(point + side * step)) <= tolerance:
        step *= _GROWTH
    return point + side * step


def _resolution(position: float, finest: float) -> float:
    """Two units in the last place of a position, or ``finest`` where that is more."""
    return max(2 * float(np.spacing(abs(position))), finest)


def _outermost(kernel_sum: KernelSum, position: float, side: float) -> tuple[float, float]:
    """A point beyond ``position`` at which the sum has the sign of its limit, and its share there.

    Steps go to the left (``side`` -1) or the right (1), each twice as long as the one before. They end at `_FARTHEST` at the
    latest.
    """
    limit = kernel_sum.limits()[0 if side < 0 else 1]
    step = kernel_sum.scale
    share = kernel_sum.share(position)
    while share * limit <= 0 and limit and abs(position) < _FARTHEST * kernel_sum.scale:
        position += side * step
        share = kernel_sum.share(position)
        step *= 2
    return position, share


def _bracketed(
    kernel_sum: KernelSum, left: float, right: float, left_share: float, right_share: float, finest: float
) -> float:
    """The zero between two points of different signs, by Chandrupatla's method (Advances in Engineering Software 28, 1997).

    The method is written by hand, since `doubtful` relies on a zero to two units in the last place. SciPy's scalar methods stop
    at four or more units. Its version of this method is for arrays, and takes ten times as long for a single zero.
    """
    # a is the newest point, b the end of the bracket on the other side of the zero, c the point that a or b has replaced.
    a, b, c, at_a, at_b, at_c = left, right, right, left_share, right_share, right_share
    portion = 0.5
    for _ in range(_MOST_STEPS):
        new = a + portion * (b - a)
        share = kernel_sum.share(new)
        if share == 0:
            return new
        if share * at_a > 0:
            c, at_c = a, at_a
        else:
            c, b, at_c, at_b = b, a, at_b, at_a
        a, at_a = new, share
        nearest = a if abs(at_a) < abs(at_b) else b
        least = _resolution(nearest, finest * kernel_sum.scale) / 2 / abs(b - a)
        if least > 0.5:
            return nearest
        portion = min(max(_portion(a, b, c, at_a, at_b, at_c), least), 1 - least)
    raise ArithmeticError(f"a zero between {left!r} and {right!r} has not been found in {_MOST_STEPS} steps")


def _portion(a: float, b: float, c: float, at_a: float, at_b: float, at_c: float) -> float:
    """Share of the way from a to b at which the next point lies: by inverse quadratic interpolation, or a half where that is
    unsafe.

    It is safe if the three points lie so that the interpolating curve is monotone (Chandrupatla's criterion).
    """
    if at_c in (at_a, at_b):
        return 0.5
    place, height = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    if not (0 < place < 1 and 1 - math.sqrt(1 - place) < height < math.sqrt(place)):
        return 0.5
    return at_a / (at_b - at_a) * at_c / (at_b - at_c) + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
