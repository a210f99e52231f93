"""Plain, slow forms that the tests hold the fast ones against. They know nothing of intervals, roots or convexity."""

import numpy as np
from scipy.stats import chi, norm

__all__ = ["failure_by_grid", "failure_by_sphere", "failure_flags", "log_density_ratios", "random_gaps", "union_flags"]


def log_density_ratios(z, gaps):
    """log of the density of x over that of x_j, from two normal densities: shape (k, p) for noise (k, q), gaps (p, q)."""
    own = log_density(z).sum(axis=-1)[:, None]
    others = log_density(z[:, None, :] + gaps[None]).sum(axis=-1)
    return own - others


def log_density(x):
    """Of the standard normal distribution; `scipy.stats.norm.logpdf` takes ten times as long."""
    return -(x**2) / 2 - np.log(2 * np.pi) / 2


def union_flags(z, gaps, epsilon):
    """Whether the noise lies in some bad region."""
    return (np.abs(log_density_ratios(z, gaps)) > epsilon).any(axis=1)


def failure_flags(z, gaps, epsilon, weights=None, prior=None, bounds="prior"):
    """Whether the ratio leaves its bounds, from posterior and prior."""
    weights = np.full(len(gaps), 1 / len(gaps)) if weights is None else weights
    prior = 1 / (len(gaps) + 1) if prior is None else prior
    densities = np.exp(-log_density_ratios(z, gaps))  # of the neighbours, in units of the target's
    ratio = 1 / (prior + (1 - prior) * (densities * weights).sum(axis=1))
    if bounds == "prior":
        lower, upper = 1 / (prior + (1 - prior) * np.exp(epsilon)), 1 / (prior + (1 - prior) * np.exp(-epsilon))
    else:
        lower, upper = np.exp(-epsilon), np.exp(epsilon)
    return (ratio < lower) | (ratio > upper)


def failure_by_grid(flags, points=60_001, reach=8.5):
    """Mass of a set of scalar noise given by its indicator, by the midpoint rule, and the error of the rule."""
    edges = np.linspace(-reach, reach, points)
    middles = (edges[1:] + edges[:-1]) / 2
    mass = norm.cdf(edges[1:]) - norm.cdf(edges[:-1])
    inside = flags(middles[:, None])
    changes = np.count_nonzero(inside[1:] != inside[:-1]) + 2
    return float(mass[inside].sum()), changes * float(mass.max()) + 2 * norm.sf(reach)


def failure_by_sphere(gaps, weights, epsilon, rings=100, reach=38.0):
    """Failure probability in three dimensions: bisection along the rays of a Gauss rule over all of the sphere.

    It is good to 1e-4 where the sets turn in angles of 1/10 or more, and knows nothing of where they are. Radii are good to
    1e-6, masses to 1e-5.
    """
    heights, heights_weights = np.polynomial.legendre.leggauss(rings)
    angles = 2 * np.pi * np.arange(2 * rings) / (2 * rings)
    circles = np.sqrt(1 - heights**2)
    rays = np.stack(
        [np.outer(circles, np.cos(angles)), np.outer(circles, np.sin(angles)), np.outer(heights, np.ones(2 * rings))],
        axis=-1,
    ).reshape(-1, 3)
    slopes, constants = -(rays @ gaps.T), np.log(weights) - (gaps**2).sum(axis=1) / 2

    def log_g(chosen, radius):
        exponents = constants + slopes[chosen] * radius[:, None]
        largest = exponents.max(axis=1)
        return largest + np.log(np.exp(exponents - largest[:, None]).sum(axis=1))

    def rises(chosen, radius):
        exponents = constants + slopes[chosen] * radius[:, None]
        return (np.exp(exponents - exponents.max(axis=1)[:, None]) * slopes[chosen]).sum(axis=1) > 0

    def first(begin, end, holds):
        """Where a condition that stays true once it is begins to hold."""
        for _ in range(26):
            middle = (begin + end) / 2
            holding = holds(middle)
            begin, end = np.where(holding, begin, middle), np.where(holding, middle, end)
        return end

    mass, far = np.zeros(len(rays)), np.full(len(rays), reach)
    high = np.flatnonzero(log_g(slice(None), far) > epsilon)
    mass[high] = chi(3).sf(first(0 * far[high], far[high], lambda radius: log_g(high, radius) > epsilon))
    lowest = first(0 * far, far, lambda radius: rises(slice(None), radius))
    low = np.flatnonzero(log_g(slice(None), lowest) < -epsilon)
    enters = first(0 * far[low], lowest[low], lambda radius: log_g(low, radius) < -epsilon)
    leaves = first(lowest[low], far[low], lambda radius: log_g(low, radius) > -epsilon)
    mass[low] += chi(3).sf(enters) - chi(3).sf(leaves)
    return float((mass.reshape(rings, -1).mean(axis=1) * heights_weights).sum() / 2)


def random_gaps(seed, neighbours, scale, kind="uniform"):
    """Gaps of scalar attributes: uniform, clustered away from the target, with ties and with zeros."""
    generator = np.random.default_rng(seed)
    if kind == "uniform":
        values = generator.random(neighbours + 1)
    elif kind == "clustered":
        values = np.append(1.0, 0.2 * generator.random(neighbours))
    else:
        values = generator.integers(0, 4, neighbours + 1) / 3
    return ((values[0] - values[1:]) * scale)[:, None]
