"""Integrals over releases of densities that are worked out one release at a time.

Releases and noise are in units of the attributes' interval, which is [0, 1].
"""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from scipy.optimize import brentq

from disclosure.expected.densities import Density
from disclosure.expected.setting import ROUNDING
from disclosure.numerics import quadrature
from disclosure.numerics.types import FloatArray

__all__ = ["crossings", "first_panels", "over_releases", "relevant_panels"]

_Effort = TypeVar("_Effort")

# Ends of the first panels beyond the ends of the interval, in sigma. At 38 the normal density is 5e-314.
_BEYOND = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 13.0, 17.0, 22.0, 30.0, 38.0])
# First panels within the interval are about a sigma long, but no more than twice so many.
_MOST_EVEN = 25.0
# Longest panel, in sigma, on which the density of failing releases follows the noise; and growth of its logarithm on a panel.
# They come from the Gauss rule of degree 13, whose error `over_releases` estimates and which halves panels where it is large.
_PANEL, _LOG_GROWTH = 14.0, 20.0
# Logarithm of how much larger than at a release the density is elsewhere, at most: e^-20 = 2e-9 of it is left out.
_IGNORED = 20.0
# Times the difference of the two rules on the panels: at a kink that difference can be less than the error.
_CAUTION = 2.0
# Absolute accuracy of a release at which a function changes its sign.
_CROSSING = 1e-12


def first_panels(density: Density, sigma: float) -> tuple[FloatArray, float]:
    """Ends of panels of releases, and how often their integral counts: twice if only the left half is returned."""
    inner = np.linspace(0.0, 1.0, 2 * int(np.ceil(min(0.5 / sigma, _MOST_EVEN))) + 1)
    beyond = sigma * _BEYOND[1:]
    ends = np.concatenate([-beyond[::-1], inner, 1 + beyond])
    if 0.5 / sigma > _MOST_EVEN:
        around = np.concatenate([-beyond[::-1], [0.0], beyond])
        breaks = np.concatenate([end + around for end in (0.0, 1.0, *density.breaks)])
        ends = np.union1d(ends, breaks[(breaks > ends[0]) & (breaks < ends[-1])])
    return (ends[ends <= 0.5], 2.0) if density.symmetric else (ends, 1.0)


def over_releases(
    function: Callable[[float, _Effort], float], efforts: Sequence[_Effort], ends: FloatArray, rtol: float
) -> tuple[float, float]:
    """Integral over releases and its estimated absolute error, at growing effort until the error is small enough.

    Every second release is worked out at the next effort as well; what this changes corrects the value, and is about the
    error of the lower effort.

    Parameters
    ----------
    function : callable
        From a release and an effort to the density of failing releases.
    efforts : sequence
        At least two, from coarse to fine.
    ends : ndarray, shape (k + 1,)
        Ends of the first panels.
    rtol : float
        Wanted relative error. The last pair of efforts may miss it.
    """
    at = functools.cache(function)

    def integrand(effort: _Effort) -> Callable[[FloatArray], FloatArray]:
        return lambda releases: np.array([at(float(t), effort) for t in releases])

    value, error = 0.0, np.inf
    for effort, finer in itertools.pairwise(efforts):
        most = max(quadrature.MOST_PANELS, 2 * len(ends))
        found = quadrature.adaptive(integrand(effort), ends, rtol / 4, most)
        ends = found.ends
        correction = quadrature.every_second(integrand(finer), ends) - quadrature.every_second(integrand(effort), ends)
        value, error = found.value + correction, _CAUTION * found.error + abs(correction) + ROUNDING * found.value
        if error <= rtol * found.value:
            break
    return value, error


def crossings(ends: FloatArray, function: Callable[[float], FloatArray]) -> list[float]:
    """Releases at which components of a function change their sign, found to one change a component and panel."""
    values = np.array([function(t) for t in ends])

    def component(t: float, k: int) -> float:
        return float(function(t)[k])

    return [
        float(brentq(component, ends[i], ends[i + 1], args=(k,), xtol=_CROSSING))
        for i, k in np.argwhere(values[1:] * values[:-1] < 0)
    ]


def relevant_panels(
    density: Density, sigma: float, ends: FloatArray, log_bound: Callable[[float], float]
) -> tuple[FloatArray, float]:
    """Ends of panels on which a bound is not negligible next to its largest value, and the bound below which it is.

    Parameters
    ----------
    density, sigma
        Of the attributes, and the noise.
    ends : ndarray, shape (k + 1,)
        Ends of panels that hold all releases.
    log_bound : callable
        From a release to the logarithm of a bound on the integrand. If it is -inf everywhere, so is what is returned.
    """
    probes = np.sort(np.concatenate([ends, (ends[1:] + ends[:-1]) / 2]))
    bounds = np.array([log_bound(t) for t in probes])
    floor = float(bounds.max()) - _IGNORED
    if floor == -np.inf:
        return ends, floor
    seen = np.flatnonzero(bounds > floor)
    kept = slice(max(seen[0] - 1, 0), seen[-1] + 2)
    probes, clipped = probes[kept], np.maximum(bounds[kept], floor)
    demand = np.abs(np.diff(clipped)) / _LOG_GROWTH + _in_panels(density, sigma, probes)
    return quadrature.partition(probes, np.concatenate([[0.0], np.cumsum(demand)])), floor


def _in_panels(density: Density, sigma: float, probes: FloatArray) -> FloatArray:
    """Distances between releases next to each other, in units of a panel's length.

    That is some sigma near an end of the interval or a break; far from all of these, what the density asks for.
    """
    longest = _PANEL * sigma
    ends = np.array([0.0, 1.0, *density.breaks])
    middle = (probes[1:] + probes[:-1]) / 2
    away = np.maximum(np.abs(middle[:, None] - ends).min(axis=1) / longest, 1.0)
    own = np.diff(np.interp(probes, density.points, density.demand))
    return np.asarray(np.diff(probes) / longest * np.minimum(1.0, 1 / away + own * longest / np.diff(probes)))
