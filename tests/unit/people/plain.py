"""Plain forms of what people are exposed to."""

import itertools

import numpy as np
from scipy.stats import norm


def all_sets(number, sample, target):
    others = [k for k in range(number) if k != target]
    return np.array(list(itertools.combinations(others, number - sample)))


def gaps_of(table, query, sigma, target, set_):
    return query.differences(table.values[target], table.values[set_]) / sigma


def plain_union_mass(gaps, epsilon, points=3_001):
    """T in two dimensions: for every first coordinate of the noise the good second ones are an interval."""
    first = np.linspace(-9, 9, points)
    low, high = np.full(first.size, -np.inf), np.full(first.size, np.inf)
    for c in gaps:
        for sign, offset in ((1.0, epsilon - c @ c / 2), (-1.0, epsilon + c @ c / 2)):
            slope, rest = sign * c[1], offset - sign * c[0] * first
            if slope > 0:
                high = np.minimum(high, rest / slope)
            elif slope < 0:
                low = np.maximum(low, rest / slope)
            else:
                high = np.where(rest < 0, -np.inf, high)
    bad = np.where(low < high, norm.cdf(low) + norm.sf(high), 1.0)
    return np.trapezoid(norm.pdf(first) * bad, first)
