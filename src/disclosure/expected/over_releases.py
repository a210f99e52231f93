"""Integrals over releases t of a function that is computed for one release at a time.

Releases and noise are in units of the attributes' interval, which is moved to [0, 1].
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

# Sigma. Distances from the ends of the interval at which the first panels outside of it end. At 38 the normal density is
# 5e-314.
_BEYOND = np.array([0.0, 1.0, 2.5, 5.0, 10.0, 18.0, 38.0])
# Half of the number of first panels within the interval, at most. They are about a sigma long if that needs no more.
_MOST_EVEN = 25.0
# Sigma, and natural logarithm: length of a panel near an end or a break, and change of the integrand's logarithm on a panel, at
# most. They suit the Gauss rule of degree 13 on a panel; where its estimated error is large all the same, panels are halved.
_PANEL, _LOG_GROWTH = 10.0, 15.0
# Natural logarithm. Releases at which the bound is below e^-20 = 2e-9 of its largest value are left out.
_IGNORED = 20.0
# Factor of the rule's own error estimate, the difference of two rules, which at a kink can be less than the error.
_CAUTION = 2.0
# Absolute error of a release at which a function changes its sign, in units of the interval.
_CROSSING = 1e-12


def first_panels(density: Density, sigma: float) -> tuple[FloatArray, float]:
    """Ends of the first panels of releases, and the factor of the integral over them.

    If the density of the attributes is symmetric, only the left half of the releases is returned, and the factor is 2.
    """
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

    Every second release is computed at the next effort as well. The change, about the error of the lower effort, is added to
    the value and is a part of the error.

    Parameters
    ----------
    function : callable
        From a release and an effort to the integrand.
    efforts : sequence
        At least two, from coarse to fine.
    ends : ndarray, shape (k + 1,)
        Ends of the first panels, increasing.
    rtol : float
        Wanted relative error. The value is returned also if the last pair of efforts misses it.

    Returns
    -------
    value, error : float
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
    """Releases at which a component of a function changes its sign; at most one for each component and panel is found."""
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
    """Panels of releases at which the integrand is not negligible, and the bound below which it is.

    Parameters
    ----------
    density : Density
        Of the attributes.
    sigma : float
        Of the noise.
    ends : ndarray, shape (k + 1,)
        Ends of panels that hold all releases.
    log_bound : callable
        From a release to the natural logarithm of a bound on the integrand.

    Returns
    -------
    ends : ndarray
        Ends of panels.
    floor : float
        Natural logarithm of the bound below which the integrand is negligible; -inf if ``log_bound`` is -inf everywhere.
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
    """How many panels are needed between each two neighbouring probes, as a fraction.

    Near an end of the interval or a break of the density a panel is some sigma long. Far from all of these it may be as long as
    the density of the attributes allows.
    """
    longest = _PANEL * sigma
    ends = np.array([0.0, 1.0, *density.breaks])
    middle = (probes[1:] + probes[:-1]) / 2
    away = np.maximum(np.abs(middle[:, None] - ends).min(axis=1) / longest, 1.0)
    own = np.diff(np.interp(probes, density.points, density.demand))
    return np.asarray(np.diff(probes) / longest * np.minimum(1.0, 1 / away + own * longest / np.diff(probes)))
