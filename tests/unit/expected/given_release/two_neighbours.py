"""The expected failure probability for two neighbours by direct integration, an independent check.

Over the release, the target and one neighbour by Gauss rules on panels that end at every kink; the share of the other
neighbour is a length.
"""

import itertools

import numpy as np
from scipy.special import ndtr

from disclosure.beliefs.inclusion import Levels

_FAR = np.array([-12, -9, -7, -6, -5, -4.5, -4, -3.5, -3, -2.5, -2, -1.5, -1, -0.7, -0.4, -0.2, -0.1])


def symmetric(epsilon):
    """Levels of log g for the bounds (24)."""
    return Levels(-epsilon, epsilon)


def expected_failure_probability(levels, sigma, order, panels, releases):
    """E[rho] for uniform attributes.

    Parameters
    ----------
    levels : Levels
        Of log g, the first possibly -inf.
    sigma : float
    order : int
        Nodes on a panel of attributes.
    panels, releases : int
        Panels of releases between 0 and 1/2, from 12 on as many times more of them outside, and nodes on each.
    """
    nodes, weights = np.polynomial.legendre.leggauss(releases)
    split = np.linspace(0, len(_FAR) - 1, (len(_FAR) - 1) * max(1, panels // 12) + 1)
    ends = np.concatenate([np.interp(split, np.arange(len(_FAR)), _FAR) * sigma, np.linspace(0, 0.5, panels + 1)])
    total = 0.0
    for low, high in itertools.pairwise(ends):
        half = (high - low) / 2
        values = [density((low + high) / 2 + half * x, levels, sigma, order) for x in nodes]
        total += half * float(weights @ values)
    return 2 * total


def density(t, levels, sigma, order):
    """Density of failing releases at t."""

    def term(b):
        return np.exp(-((t - b) ** 2) / (2 * sigma**2))

    def distance(level):
        """How far from the release the term falls to a level."""
        return sigma * np.sqrt(np.maximum(-2 * np.log(np.maximum(level, np.finfo(float).tiny)), 0.0))

    single = np.array([term(0.0), term(1.0), term(min(max(t, 0.0), 1.0))])
    # Where terms range over orders of magnitude, a panel for each.
    scales = np.geomspace(single.min(), single.max(), 2 + int(np.log(single.max() / single.min())))
    single, sums = np.union1d(single, scales), np.unique(np.add.outer(single, np.union1d(single, scales)))
    total = 0.0
    for sign, level in ((1, levels.high), (-1, levels.low)):
        if level == -np.inf:
            continue
        a, a_weights = _rule(t, distance(sums / 2 * np.exp(-level)), order)
        threshold = 2 * np.exp(level) * term(a)
        b, b_weights = _rule(t, distance(threshold[:, None] - single), order)
        rest = threshold[:, None] - term(b)
        above = np.where(rest > 0, np.clip(t + distance(rest), 0, 1) - np.clip(t - distance(rest), 0, 1), 1.0)
        share = above if sign > 0 else 1 - above
        total += np.sum(a_weights * term(a) * (b_weights * share).sum(axis=1))
    return total / (sigma * np.sqrt(2 * np.pi))


def _rule(t, distances, order):
    """Nodes and weights on [0, 1] with breaks at distances from t; a substitution makes roots at the breaks harmless."""
    fixed = np.broadcast_to([0.0, 1.0, t], (*distances.shape[:-1], 3))
    ends = np.sort(np.clip(np.concatenate([t - distances, t + distances, fixed], axis=-1), 0.0, 1.0), axis=-1)
    nodes, weights = np.polynomial.legendre.leggauss(order)
    u, weights = (nodes + 1) / 2, weights / 2
    low, width = ends[..., :-1, None], np.diff(ends)[..., None]
    return (
        (low + width * u**2 * (3 - 2 * u)).reshape(*ends.shape[:-1], -1),
        (width * 6 * u * (1 - u) * weights).reshape(*ends.shape[:-1], -1),
    )


def rule(low, high, panels, order=10):
    """Nodes and weights of Gauss rules on equal panels."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    ends = np.linspace(low, high, panels + 1)
    half = np.diff(ends)[:, None] / 2
    return ((ends[1:] + ends[:-1])[:, None] / 2 + half * nodes).ravel(), (half * weights).ravel()


def density_below(t, epsilon, sigma, panels=60):
    """Density of a release t < 0 at which the ratio is too large: uniform neighbours, targets in closed form.

    With X in units of e^-epsilon times its value at 0, the mean of both is below that of the targets up to a distance.
    """

    def log(b):
        return epsilon - b * (b - 2 * t) / (2 * sigma**2)

    def place(largest):
        return t + np.sqrt(t**2 + 2 * sigma**2 * (epsilon - np.log(largest)))

    first, first_weights = rule(place(2.0), 1.0, panels)
    rest = 2 - np.exp(log(first))
    some = rest > np.exp(log(1.0))
    first, first_weights, nearest = first[some, None], first_weights[some], place(rest[some])[:, None]
    u, weights = rule(0.0, 1.0, panels)
    second = nearest + (1 - nearest) * u**2
    mean = (np.exp(log(first)) + np.exp(log(second))) / 2
    farthest = np.sqrt((t / sigma) ** 2 - 2 * np.log(np.clip(mean, np.finfo(float).tiny, 1.0)))
    failing = ndtr(t / sigma) - ndtr(-farthest)
    return float(first_weights @ ((1 - nearest[:, 0]) * (failing @ (2 * u * weights))))
