"""The expected union mass E[T] over random datasets: paper A's theoretical upper limit, by the law of the attributes alone.

E[T] = E_a E_z [1 - (1 - H(a, z))^p], H(a, z) the probability that the bad region of one neighbour contains z: a neighbour b
has it there when |t - b| > sigma sqrt(z^2 + 2 epsilon) or |t - b| < sigma sqrt(z^2 - 2 epsilon), with the release
t = a + sigma z. For a density the integral runs over t and a.
"""

import functools
import itertools
import math

import numpy as np

from disclosure.expected import infinite_population, listed_datasets
from disclosure.expected.attribute_laws import Discrete, Written
from disclosure.expected.densities import Density, Uniform
from disclosure.expected.over_releases import first_panels, over_releases
from disclosure.expected.setting import MOST_WORK, Setting, checked, trivial
from disclosure.expected.uniform_union_mass import one_minus_power, uniform_union_mass
from disclosure.numerics import quadrature
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray

__all__ = ["expected_union_mass", "union_mass"]

# Relative error of the closed form for uniform attributes.
_UNIFORM_ERROR = 1e-10
# Nodes on a panel of targets, from coarse to fine; each number has the next one as its check.
_ORDERS = (10, 16, 24, 36, 54)
# Evaluations of H, the probability that one neighbour is bad, in one unit of work.
_SHARES_OF_WORK = 300.0
# Lengths of the interval. The integrand over releases has kinks, the sharper the more neighbours there are. Beside a kink the
# shortest panel is 5 / (p + 50) long, and each panel 8 times as long as the one before.
_RELEASE_SHORTEST, _RELEASE_NEIGHBOURS, _RELEASE_RATIO = 5, 50, 8.0
# Lengths of the interval. With many neighbours the integrand over targets rises from 0 to 1 within about 1 / p of a kink. There
# the shortest panel is 0.02 / p long, and each panel 4 times as long as the one before.
_TARGET_SHORTEST, _TARGET_RATIO = 0.02, 4.0
# If the density is infinite at an end, the integrand rises at a kink like a power of the distance that is below 1. The shortest
# panel has to hold no more than `_POWER_ERROR` of the integral, but may be `_POWER_RANGE` times as long as that alone would ask
# for, since a Gauss rule follows a part of the rise.
_POWER_ERROR, _POWER_RANGE = 1e-8, 256
# Panels of targets towards an end of the interval: ratio of two lengths, and the largest distance at which they begin, in
# lengths of the interval.
_END_RATIO, _END_LONGEST = 8.0, 0.1
# Natural logarithms. Where the density of the noise is below e^-40 of its largest value, targets need no panels on its account;
# elsewhere its logarithm changes by at most 3 on a panel.
_DEEP, _LOG_GROWTH = 40, 3


def expected_union_mass(
    population: float,
    sample: int,
    epsilon: float,
    delta: float,
    attributes: Written = "uniform",
    rtol: float = 1e-6,
    *,
    sigma: float | None = None,
    most_work: float = MOST_WORK,
) -> Estimate[float]:
    """Expected union mass, E[T], over datasets whose attributes are independent draws.

    Parameters
    ----------
    population, sample : int
        n and m, 1 <= m <= n. For n = m there is no neighbour and the answer is 0. A population of inf stands for the limit of
        many people at a finite sample: every value of positive density is some neighbour's.
    epsilon : float
        In (0, inf).
    delta : float
        In (0, 1]; 1 is the noiseless limit, where T = 1 almost surely.
    attributes : str or tuple, optional
        Law of one attribute:

        - ``"uniform"``, on [0, 1];
        - ``"binary"``, 0 or 1 at even odds;
        - ``("beta", a, b)``, a, b in (0, inf), on [0, 1];
        - ``(function, low, high)``: the function maps an array of attributes to their density, which integrates to 1, is
          smooth inside (low, high), and at each end behaves like a power from -0.95 on of the distance. Points where
          it has a kink or a jump go between low and high, in order;
        - ``("discrete", values, probabilities)``: a finite list of distinct values. The sum runs over all counts of the
          values among the neighbours, at most 10^6 of them.
    rtol : float, optional
        Wanted relative error, in [1e-8, 0.1].
    sigma : float, optional
        Standard deviation of the noise, in [0, inf), in the units of the attributes. Calibrated to (epsilon, delta) by
        equation (30) if left out, with the length of the interval, or the range of the values, as sensitivity.
    most_work : float, optional
        Work allowed to an integral, in units of about half a millisecond; twenty seconds by default.

    Returns
    -------
    Estimate

    Raises
    ------
    DomainError
        Outside these ranges.
    ConvergenceError
        If the estimated error stays above ``rtol`` times the value, or would take too much work; if the answer is too small
        for floating point, but is not shown to be.

    Examples
    --------
    >>> round(expected_union_mass(100, 90, 1.0, 10**-1.1).value, 6)
    0.015...
    """
    law, setting = checked(
        "expected union mass", population, sample, epsilon, delta, attributes, rtol, sigma, most_work
    )
    infinite = math.isinf(setting.neighbours)
    if isinstance(law, Discrete):
        if infinite:
            return infinite_population.union_mass_over_values(law, setting)
        return listed_datasets.over_values(law, setting, listed_datasets.mean_union_mass)
    known = trivial(setting)
    if known:
        return known
    return infinite_population.union_mass(law, setting) if infinite else union_mass(law, setting)


@functools.singledispatch
def union_mass(density: Density, setting: Setting) -> Estimate[float]:
    """E[T] for a density: by quadrature over releases and targets, or in closed form over the targets of a uniform one."""
    ends, copies = first_panels(density, setting.sigma)
    kinks = _release_kinks(2 * setting.epsilon * setting.sigma**2, [0.0, 1.0, *density.breaks])
    shortest = _RELEASE_SHORTEST / (setting.neighbours + _RELEASE_NEIGHBOURS)
    kinks = np.concatenate(
        [quadrature.graded(kink, shortest, kink - 1, kink + 1, _RELEASE_RATIO) for kink in kinks.tolist()]
    )
    ends = np.unique(np.concatenate([ends, kinks[(kinks > ends[0]) & (kinks < ends[-1])]]))
    work = setting.work()

    def density_at(t: float, order: int) -> float:
        return _density_in_union(t, density, setting, order, work)

    value, error = over_releases(density_at, _ORDERS, ends, setting.rtol)
    return setting.estimate(copies * value, copies * error)


@union_mass.register
def _of_uniform(density: Uniform, setting: Setting) -> Estimate[float]:
    value = uniform_union_mass(setting.epsilon, setting.sigma, int(setting.neighbours))
    return setting.estimate(value, _UNIFORM_ERROR * value)


def _release_kinks(spread: float, points: list[float]) -> FloatArray:
    """Releases at which kinks in the target's attribute, where (t - a)^2 = (t - b)^2 +- spread, meet each other or an end.

    Parameters
    ----------
    spread : float
        2 epsilon sigma^2.
    points : list of float
        The attributes b: ends of the interval, and breaks of the density.
    """
    kinks = [np.asarray(points) + root for root in (-np.sqrt(spread), np.sqrt(spread))]
    for first, second in itertools.combinations(points, 2):
        kinks.append((first + second + np.arange(-2, 3) * spread / (second - first)) / 2)
    return np.concatenate(kinks)


def _density_in_union(t: float, density: Density, setting: Setting, order: int, work: quadrature.Work) -> float:
    """Density of the release at t, times the probability that it lies in the union of the bad regions."""
    sigma, spread = setting.sigma, 2 * setting.epsilon * setting.sigma**2
    a, weights = density.rule(_target_panels(t, density, setting, spread), order)
    work.spend(a.size / _SHARES_OF_WORK)
    squared = (t - a) ** 2
    outer, inner = np.sqrt(squared + spread), np.sqrt(np.maximum(squared - spread, 0.0))
    bad = density.below(t - outer) + density.above(t + outer) + density.between(t - inner, t + inner)
    normal = np.exp(-squared / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    return float(weights @ (normal * one_minus_power(bad, setting.neighbours)))


def _target_panels(t: float, density: Density, setting: Setting, spread: float) -> FloatArray:
    """Ends of panels of targets, fine enough for the density of the attributes, that of the noise, and the kinks."""
    squares = np.array([(t - b) ** 2 for b in (0.0, 1.0, *density.breaks)])
    squares = np.concatenate([squares - spread, squares + spread, [spread, 0.0]])
    roots = np.sqrt(squares[squares >= 0])
    kinks = np.concatenate([t - roots, t + roots, [0.0, 1.0]])
    kinks = np.unique(kinks[(kinks >= 0) & (kinks <= 1)])
    shortest = min(
        _TARGET_SHORTEST / setting.neighbours, _POWER_RANGE * _POWER_ERROR ** (1 / (2 + min(density.powers)))
    )
    breaks = [quadrature.graded(kink, shortest, 0.0, 1.0, _TARGET_RATIO) for kink in kinks.tolist()]
    # A power of the distance to an end is smooth only between points whose distances have a moderate ratio.
    between = kinks[1:-1]
    breaks += [
        quadrature.graded(end, abs(between - end).min(initial=_END_LONGEST), 0.0, 1.0, _END_RATIO) for end in (0.0, 1.0)
    ]
    log_normal = -(((t - density.points) / setting.sigma) ** 2) / 2
    clipped = np.maximum(log_normal, log_normal.max() - _DEEP)
    growth = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(clipped)))])
    demand = density.demand + growth / _LOG_GROWTH
    return quadrature.partition(density.points, demand, np.concatenate([*breaks, kinks, density.panel_ends]))
