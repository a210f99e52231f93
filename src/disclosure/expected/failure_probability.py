"""The expected failure probability E[rho] over random datasets.

There are two ways. With few neighbours, the exact rho of a dataset is integrated by a Gauss rule over each attribute, which
makes E[rho] a sum over datasets (`listed_datasets`). In general E[rho] is the integral over releases t of the density of
failing releases at t (`given_release`).
"""

import functools
import math
from typing import Literal

import numpy as np

from disclosure.beliefs.inclusion import Bounds
from disclosure.expected import infinite_population, listed_datasets
from disclosure.expected.attribute_laws import Discrete, Written
from disclosure.expected.densities import Density
from disclosure.expected.given_release.density import distances_from_kinks, failure_density, log_bound
from disclosure.expected.given_release.settings import Effort
from disclosure.expected.over_releases import crossings, first_panels, over_releases, relevant_panels
from disclosure.expected.setting import MOST_WORK, ROUNDING, Setting, checked, trivial
from disclosure.expected.union_mass import union_mass
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate

__all__ = ["expected_failure_probability"]

# Neighbours at most. A rare event has the probability e^(p x); the rounding of x, 1e-16, times p is its relative error.
_MOST_NEIGHBOURS = 1e9
# Least sigma in units of the interval. The logarithm of a term grows like 1 / sigma^2, and with it the work.
_LEAST_NOISE = 1e-3
# Nodes of the Gauss rules over each attribute, tried one after the other until two agree.
_GAUSS_ORDERS = (6, 8, 11, 16, 22, 31, 44, 62, 88)
# Number of these rules that must be within reach: with fewer they hardly ever agree, and the time is lost.
_FEWEST_ORDERS = 4
# Datasets that a rule may sum over: about as much time as the integral over releases takes.
_MOST_DATASETS = 700_000
# The error is at least the difference of the two rules before over this, since one difference alone can be small by chance.
_CHANCE = 2
# Relative error by all releases and windows that are left out as too small to matter.
_LEFT_OUT = 3e-9
# Neighbours from which on the density of failing releases, as a function of t, has kinks that panels must end at.
_BENDING = 1000
# Efforts of the integral over releases, from coarse to fine; each has the next one as its check.
_EFFORTS = (
    Effort(8, 9.0, 20.0),
    Effort(10, 11.0, 35.0),
    Effort(12, 13.0, 60.0),
    Effort(16, 18.0, 120.0),
    Effort(20, 22.0, 240.0),
    Effort(24, 26.0, 480.0),
)
# Wanted relative error from which on the first effort is tried.
_ROUGH = 1e-5
# Sigma, in units of the interval, below which terms have all orders of magnitude. The mean term then has high frequencies,
# higher ones with fewer neighbours.
_SHARP = 0.07
# Places in `_EFFORTS` of the first effort that sees these frequencies: for fewer than `_FEW` neighbours, and for more.
_FEW, _SHARP_FEW_EFFORT, _SHARP_EFFORT = 5, 3, 2

Method = Literal["datasets", "releases"]


def expected_failure_probability(
    population: float,
    sample: int,
    epsilon: float,
    delta: float,
    attributes: Written = "uniform",
    rtol: float = 1e-6,
    *,
    sigma: float | None = None,
    bounds: Bounds = "prior",
    method: Method | None = None,
    most_work: float = MOST_WORK,
) -> Estimate[float]:
    """Expected failure probability, E[rho], over datasets whose attributes are independent draws.

    The failing bounds are (24) or (26) of paper A, with the uniform prior over candidates.

    Parameters
    ----------
    population, sample, epsilon, delta, attributes, rtol
        As in `disclosure.expected_union_mass`; at most 10^9 neighbours, or infinitely many.
    sigma : float, optional
        As there; for densities and more than one neighbour, 0 or at least 0.001 of the length over which attributes spread.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24), or the wider (26).
    method : {"datasets", "releases"}, optional
        For densities and more than one neighbour. ``datasets`` is a sum over the datasets of Gauss's nodes, for few neighbours;
        ``releases`` is the integral over releases. By default the first of the two that reaches ``rtol``.
    most_work : float, optional
        Work allowed to the integral over releases, in units of about half a millisecond; twenty seconds by default.

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

    Notes
    -----
    With one neighbour the bounds (24) fail exactly in the bad region, so E[rho] = E[T]. Otherwise the error estimate of the
    integral is a sum of two: the error that the rule over releases estimates of itself, and the difference that a finer
    computation makes at every second release. That difference is about the error of the coarser computation, and is added to
    the value.

    In an infinite population the adversary knows the law of the neighbours alone: g is its mean over that law.

    A point of uniform attributes takes one to five seconds, whatever n is up to 10^9 neighbours, for epsilon up to 100 and
    sigma from 0.07 of the interval on. Epsilon up to 10^4 or sigma down to 0.001 take up to about twenty; so does a density
    that is infinite at an end, which wants an rtol of 1e-4; narrow spikes are mostly out of reach. The work is counted, and
    `ConvergenceError` ends what would take more. Of an answer of 0 the error says that it is below the smallest float.

    Examples
    --------
    >>> round(expected_failure_probability(100, 90, 1.0, 10**-1.1).value, 9)
    0.000117112
    """
    if method not in (None, "datasets", "releases"):
        raise errors.DomainError(f'method = {method!r} is not known; use "datasets" or "releases", or leave it out')
    law, setting = checked(
        "expected failure probability", population, sample, epsilon, delta, attributes, rtol, sigma, most_work, bounds
    )
    infinite = math.isinf(setting.neighbours)
    if isinstance(law, Discrete):
        if infinite:  # nobody is likely before the release, and the bounds (24) and (26) are the same
            return infinite_population.failure_probability_over_values(law, setting)
        mean = functools.partial(listed_datasets.mean_failure_probability, bounds=bounds)
        return listed_datasets.over_values(law, setting, mean)
    known = trivial(setting)
    if known:
        return known
    if setting.neighbours == 1 and bounds == "prior":
        return union_mass(law, setting)
    if not infinite:
        hint = "its rounding would show beyond; an infinite population takes inf"
        checks.within("population - sample", setting.neighbours, f"[0, {_MOST_NEIGHBOURS:g}]", hint)
    checks.within(
        "sigma in units of the attributes' interval",
        setting.sigma,
        f"[{_LEAST_NOISE:g}, inf)",
        "sigma = 0 stands for none, and with so little all but neighbours next to the target tell everything",
    )
    if infinite:
        return infinite_population.failure_probability(law, setting)
    if method == "releases":
        return _over_all_releases(law, setting)
    found = _over_datasets(law, setting)
    if found is None and method == "datasets":
        raise errors.ConvergenceError(
            f'{setting}: Gauss rules of at most {_MOST_DATASETS} datasets do not agree; use method = "releases"'
        )
    return found or _over_all_releases(law, setting)


def _over_datasets(density: Density, setting: Setting) -> Estimate[float] | None:
    """E[rho] by Gauss rules over each attribute, or None if no two of those within reach agree.

    The nodes of a rule are a finite list of values of the attribute. The failure probability of a dataset varies smoothly with
    its attributes, except that it begins like a square root where an interval of failures opens; there the rules may not agree.
    """
    neighbours = int(setting.neighbours)
    orders = [order for order in _GAUSS_ORDERS if listed_datasets.number(order, neighbours) <= _MOST_DATASETS]
    value, difference = np.inf, np.inf
    for order in orders if len(orders) >= _FEWEST_ORDERS else []:
        nodes, weights = density.gauss(order)
        last, before = value, difference
        value = listed_datasets.mean_failure_probability(
            nodes, weights, neighbours, setting.epsilon, setting.sigma, setting.bounds
        )
        difference = abs(value - last)
        error = max(difference, before / _CHANCE) + ROUNDING * value
        if 0 < error <= setting.rtol * value:
            return Estimate(float(value), float(error))
    return None


def _over_all_releases(density: Density, setting: Setting) -> Estimate[float]:
    """E[rho] by the integral over releases, or raise `ConvergenceError`."""
    neighbours, levels, sigma, work = int(setting.neighbours), setting.levels, setting.sigma, setting.work()
    ends, copies = first_panels(density, sigma)
    ends, floor = relevant_panels(
        density, sigma, ends, lambda t: log_bound(t, density, neighbours, levels, sigma, work)
    )
    if floor == -np.inf:
        return setting.estimate(0.0, 0.0)
    if neighbours >= _BENDING:
        bends = crossings(ends, lambda t: distances_from_kinks(t, density, neighbours, levels, sigma))
        ends = np.union1d(ends, bends)

    def density_at(t: float, effort: Effort) -> float:
        return failure_density(t, density, neighbours, levels, sigma, effort, floor, work)

    value, error = over_releases(density_at, _EFFORTS[_first_effort(setting) :], ends, setting.rtol)
    return setting.estimate(copies * value, copies * (error + _LEFT_OUT * value))


def _first_effort(setting: Setting) -> int:
    """Place in `_EFFORTS` of the effort to begin with."""
    if setting.sigma < _SHARP:
        return _SHARP_FEW_EFFORT if setting.neighbours < _FEW else _SHARP_EFFORT
    return 0 if setting.rtol >= _ROUGH else 1
