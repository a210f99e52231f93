"""The expected failure probability for infinitely many uniform neighbours by plain quadrature and a scan over the noise."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr
from scipy.stats import norm

from disclosure.mechanisms import gaussian
from tests.unit.expected.given_release import two_neighbours


def infinitely_many(epsilon, delta, panels):
    """E[rho] in the limit of many neighbours: then g is its mean mu(a, z), and the noise fails where |log mu| > epsilon."""
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    noise = np.linspace(-20, 20, 2_001)

    def log_mean(a, z):
        # Mirrored where both ends lie far to the right.
        low, high = z + (a - 1) / sigma, z + a / sigma
        near, far = np.where(z > 0, -low, high), np.where(z > 0, -high, low)
        log_share = log_ndtr(near) + np.log(-np.expm1(log_ndtr(far) - log_ndtr(near)))
        return z**2 / 2 + np.log(sigma * np.sqrt(2 * np.pi)) + log_share

    # log mu is convex in z, so each level has at most two crossings.
    def mass(a):
        failing = np.abs(log_mean(a, noise)) > epsilon
        changes = np.flatnonzero(np.diff(failing))
        ends = [brentq(lambda z: abs(log_mean(a, z)) - epsilon, noise[i], noise[i + 1], xtol=1e-13) for i in changes]
        total, inside, begin = 0.0, failing[0], -np.inf
        for end in [*ends, np.inf]:
            if inside:
                total += norm.sf(-end) - norm.sf(-begin) if end < 0 else norm.sf(begin) - norm.sf(end)
            begin, inside = end, not inside
        return total

    targets, weights = two_neighbours.rule(0.0, 0.5, panels, 10)
    return 2 * sum(weight * mass(a) for a, weight in zip(targets, weights, strict=True))
