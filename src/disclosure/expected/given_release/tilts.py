"""The tilted law of a term, its density times e^(theta X) over E e^(theta X), for one tilt theta a window.

Let K(theta) = log E e^(theta X). For theta > 0 the mean of p terms is at least s with probability exp(p (K(theta) - theta s))
at most, for theta < 0 it is at most s with at most that probability (Chernoff's bound). The bound is least, and close to the
true probability, for the theta under which the mean of the tilted law is s.
"""

import bisect
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from disclosure.expected.given_release.settings import SETTINGS
from disclosure.expected.given_release.terms import TermLaw
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["Tilts", "tilts_of_windows"]


class Tilts(NamedTuple):
    """A row of tilts, each an array of shape (k,).

    Attributes
    ----------
    theta : ndarray
        The tilts, in one over the unit of X.
    mean, deviation : ndarray
        Mean and standard deviation of one term under the tilted law.
    origin, moment : ndarray
        A value of X, chosen so that no digits are lost, and log E e^(theta (X - origin)). So K(theta) = moment + theta origin.
    """

    theta: FloatArray
    mean: FloatArray
    deviation: FloatArray
    origin: FloatArray
    moment: FloatArray

    def some(self, chosen: slice | list[int]) -> "Tilts":
        """Some of the tilts."""
        return Tilts(*(column[chosen] for column in self))

    def exponent(self, value: FloatArray | float) -> FloatArray:
        """K(theta) - theta s at a value s for each theta. Times p it is the logarithm of Chernoff's bound."""
        return self.moment - self.theta * (value - self.origin)


def tilts_of_windows(law: TermLaw) -> tuple[Tilts, int]:
    """Tilts in increasing order, one for each window, and the place of the tilt 0 among them.

    The means under consecutive tilts lie a few standard deviations of the mean term apart. The first and the last come close to
    the smallest and the largest term.
    """
    deviation = law.deviation
    first = SETTINGS.first_tilt / (np.sqrt(law.neighbours) * deviation)
    untilted = Tilts(*(np.array([value]) for value in (0.0, law.mean, deviation, law.mean, law.log_mass)))
    below, above = (
        _spaced(_family(law, untilted, theta, end), law.neighbours, end)
        for theta, end in ((-first, law.release.bottom), (first, law.release.top))
    )
    return _joined(below.some(slice(None, None, -1)), untilted, above), len(below.theta)


def _joined(*parts: Tilts) -> Tilts:
    return Tilts(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _family(law: TermLaw, untilted: Tilts, first: float, end: float) -> Tilts:
    """Tilts from 0 on that grow geometrically, until the mean is next to ``end``, or a mean term so far out is impossible.

    ``end`` is the smallest or the largest term, and ``first`` the first tilt after 0, with the sign that leads there.
    """
    near = SETTINGS.near_end * min(abs(law.mean - end), abs(end) or np.inf)
    theta, family = first, untilted
    while True:
        thetas = np.asarray(theta * SETTINGS.tilt_growth ** np.arange(SETTINGS.tilts_at_a_time), dtype=float)
        more = _tilted(law, thetas, end)
        family = _joined(family, more)
        rate = family.exponent(family.mean)[-1]
        ended = abs(family.mean[-1] - end) < near or law.neighbours * rate < SETTINGS.impossible_log
        if ended or len(more.theta) < SETTINGS.tilts_at_a_time:
            return _without_jumps(law, family, end)
        theta = thetas[-1] * SETTINGS.tilt_growth


def _without_jumps(law: TermLaw, family: Tilts, end: float) -> Tilts:
    """The tilts, with more of them where the mean jumps from one to the next, towards a rare and distant part of the law."""
    for _ in range(SETTINGS.bisections):
        gaps = np.abs(np.diff(family.mean))
        before = np.concatenate([[0.0], gaps[:-1]])
        allowed = np.maximum(_strides(family, law.neighbours, end)[:-1], SETTINGS.jump * before)
        wide = np.flatnonzero(gaps > allowed)
        if not wide.size:
            break
        more = _tilted(law, (family.theta[wide] + family.theta[wide + 1]) / 2, end)
        family = Tilts(*(np.insert(column, wide + 1, new) for column, new in zip(family, more, strict=True)))
    return family


def _tilted(law: TermLaw, thetas: FloatArray, end: float) -> Tilts:
    """Tilted laws for tilts of one sign; those too steep for floats are left out.

    Terms are measured from the end towards which they are tilted. The exponents theta (X - end) are then at most 0, and no
    exponential overflows.
    """
    law.work.spend(thetas.size * law.terms.size / SETTINGS.exponentials_of_work)
    shifted = law.terms - end
    tilted = np.exp(np.maximum(thetas[:, None] * shifted, -SETTINGS.largest_exponent)) * law.weights
    total = tilted.sum(axis=1)
    alive: BoolArray = total > SETTINGS.least_total
    thetas, total, tilted = thetas[alive], total[alive], tilted[alive]
    mean, square = tilted @ shifted / total, tilted @ shifted**2 / total
    deviation = np.sqrt(np.maximum(square - mean**2, SETTINGS.least_variance * square))
    moment, origin = np.log(total), np.full(len(thetas), end)
    small = np.abs(thetas) * np.abs(shifted).max() < SETTINGS.small_tilt
    if small.any():
        # The logarithm of a number close to 1 would lose digits, and its error is multiplied by p.
        origin[small] = law.mean
        moment[small] = np.log1p(np.expm1(thetas[small, None] * (law.terms - law.mean)) @ law.weights)
    return Tilts(thetas, mean + end, deviation, origin, moment + law.log_mass)


def _strides(tilts: Tilts, neighbours: int, end: float) -> FloatArray:
    """Largest step from each tilt's mean to the next window's: a few deviations, and at most a part of the way to the end."""
    spacing = SETTINGS.spacing * tilts.deviation / np.sqrt(neighbours)
    return np.asarray(np.minimum(spacing, SETTINGS.approach * np.abs(tilts.mean - end)))


def _spaced(family: Tilts, neighbours: int, end: float) -> Tilts:
    """The tilts out of a family whose windows are used, without the tilt 0 with which the family begins."""
    return family.some(list(_steps(np.abs(family.mean - end), _strides(family, neighbours, end))))


def _steps(remaining: FloatArray, strides: FloatArray) -> Iterable[int]:
    """Places of the means that are reached in steps as long as possible, but no longer than a stride if a mean is so close.

    Parameters
    ----------
    remaining : ndarray, shape (k,)
        Distances of the means from the end, decreasing.
    strides : ndarray, shape (k,)
        The longest step from each.
    """
    # Lists, since a number at a time is looked at.
    approaches, reaches = (-remaining).tolist(), strides.tolist()
    position, last = 0, len(approaches) - 1
    while position < last:
        start, stride = approaches[position], reaches[position]
        position = max(position + 1, bisect.bisect_right(approaches, start + stride) - 1)
        if position < last and approaches[position] - start < SETTINGS.least_step * stride:
            position += 1  # a tiny step before a jump would make a needlessly narrow window
        if position < last or approaches[position] - start > stride / SETTINGS.last_step_parts:
            yield position
