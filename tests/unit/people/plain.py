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


class PlainRatios:
    """Posterior-to-prior ratios of one target, for every set of neighbours and noise on a grid.

    The ratio is 1 / (p + (1 - p) g), p the prior, g the mean over the neighbours of exp(-<z, c> - |c|^2 / 2), at noise z.
    """

    def __init__(self, table, query, sample, sigma, target, reach=6.0):
        dimensions = table.values.shape[1]
        line = np.linspace(-reach, reach, {1: 401, 2: 61}[dimensions])
        grid = np.stack(np.meshgrid(*[line] * dimensions, indexing="ij"), axis=-1).reshape(-1, dimensions)
        self.weights = norm.pdf(grid).prod(axis=1)
        self.weights /= self.weights.sum()
        alike = (table.values[:, None] == table.values).all(axis=2).argmax(axis=1)
        sets = np.unique(np.sort(alike[all_sets(len(table), sample, target)], axis=1), axis=0)
        gaps = gaps_of(table, query, sigma, target, np.arange(len(table)))
        terms = np.exp(-gaps @ grid.T - (gaps**2).sum(axis=1)[:, None] / 2)
        prior = 1 / (len(table) - sample + 1)
        self.values = 1 / (prior + (1 - prior) * np.mean([terms[place] for place in sets.T], axis=0))

    def exceeding(self, factor):
        """The probability that the ratio exceeds a factor, in the worst dataset."""
        return ((self.values > factor) @ self.weights).max()

    def rise(self, probability):
        """What the ratio does not exceed except with a probability, in any dataset."""
        order = np.argsort(-self.values, axis=1)
        places = (np.cumsum(self.weights[order], axis=1) > probability).argmax(axis=1)
        return max(row[at[place]] for row, at, place in zip(self.values, order, places, strict=True))
