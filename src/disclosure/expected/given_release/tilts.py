"""The law of a term, tilted: its density times e^(theta X), for a row of tilts theta, as many as windows are wanted.

With K(theta) = log E e^(theta X) the mean of p terms has at most the probability exp(p (K(theta) - theta s)) of lying beyond
s on the side towards which theta tilts; that is least, and close to the truth, for the theta whose tilted mean is s (Chernoff's
bound).
"""

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
        The tilts, per unit of X.
    mean, deviation : ndarray
        Mean and standard deviation of one tilted term.
    origin, moment : ndarray
        A value of X, and log E e^(theta (X - origin)), the origin chosen so that the logarithm keeps its accuracy.
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
        """K(theta) - theta s for one value s for each theta; times p, the logarithm of Chernoff's bound."""
        return self.moment - self.theta * (value - self.origin)


def tilts_of_windows(law: TermLaw) -> tuple[Tilts, int]:
    """Tilts in increasing order, one for each window, and the number of the one that is 0.

    Tilted means lie a few standard deviations of the mean term apart, and come close to the smallest and the largest term.
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
    """Tilts from 0 on that grow geometrically, until the mean is next to one end of the terms, or is impossible there."""
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
    """More tilts where the mean jumps between two of them, as it does towards a rare and distant part of the law."""
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
    """Tilts of one sign, up to the first that is too steep for what floats can tell.

    Terms are counted from the end towards which they are tilted, so that no exponential overflows.
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
        # Times p, the rounding error of the logarithm of a number close to 1 would matter.
        origin[small] = law.mean
        moment[small] = np.log1p(np.expm1(thetas[small, None] * (law.terms - law.mean)) @ law.weights)
    return Tilts(thetas, mean + end, deviation, origin, moment + law.log_mass)


def _strides(tilts: Tilts, neighbours: int, end: float) -> FloatArray:
    """How far the mean of the next window may be: a few deviations, and at most a part of the way to the end."""
    spacing = SETTINGS.spacing * tilts.deviation / np.sqrt(neighbours)
    return np.asarray(np.minimum(spacing, SETTINGS.approach * np.abs(tilts.mean - end)))


def _spaced(family: Tilts, neighbours: int, end: float) -> Tilts:
    """Tilts of windows out of a family, which begins with no tilt; that one is left out."""
    return family.some(list(_steps(np.abs(family.mean - end), _strides(family, neighbours, end))))


def _steps(remaining: FloatArray, strides: FloatArray) -> Iterable[int]:
    """Numbers of the means to which steps of at most a stride lead, where there is one so close.

    Parameters
    ----------
    remaining : ndarray, shape (k,)
        Distances of the means from the end, decreasing.
    strides : ndarray, shape (k,)
        The longest step from each.
    """
    position, last = 0, len(remaining) - 1
    while position < last:
        distance, stride = remaining[position], strides[position]
        position = max(position + 1, int(np.searchsorted(-remaining, stride - distance, side="right")) - 1)
        if position < last and distance - remaining[position] < SETTINGS.least_step * stride:
            position += 1  # past a tiny step before one that is too long
        if position < last or distance - remaining[position] > stride / SETTINGS.last_step_parts:
            yield position
