"""Expected values over random datasets, without sampling any.

For attributes drawn independently and uniformly from [0, 1] the neighbours are independent given the target's attribute a
and the noise z, so the expected union mass is the two-dimensional integral

    E[T] = E_a E_z [1 - (1 - H(a, z))^(n - m)],

H(a, z) the probability that the bad region of one neighbour contains z. With t = a + sigma z, a neighbour b does so when
|t - b| > sigma sqrt(z^2 + 2 epsilon) or |t - b| < sigma sqrt(z^2 - 2 epsilon). In a, H is piecewise linear; in z, the
integrand is smooth between a few known points.
"""

import itertools

import numpy as np

from disclosure import domain
from disclosure.datasets import Point, check

__all__ = ["expected_union_mass"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_FAR = 40.0  # the normal density beyond is 0 in floating point


def expected_union_mass(population, sample, epsilon, sigma):
    """Expected union mass, E[T], over datasets with attributes uniform on [0, 1].

    Parameters
    ----------
    population, sample : int
        n and m, 1 <= m <= n.
    epsilon : float
        In (0, inf).
    sigma : float
        Standard deviation of the noise, in [0, inf).

    Returns
    -------
    float
        With a relative error of about 1e-10.

    Examples
    --------
    >>> round(expected_union_mass(100, 90, 1.0, 1.818897663380472), 6)
    0.015...
    """
    check(Point(population, sample, epsilon, 1.0))
    sigma = float(domain.within("sigma", sigma, "[0, inf)"))
    neighbours = int(population) - int(sample)
    if neighbours == 0:
        return 0.0
    if sigma == 0:
        return 1.0
    z, weights = _noise_nodes(float(epsilon), sigma)
    inner = _mean_over_target(z, float(epsilon), sigma, neighbours)
    # Mirroring a, b and z leaves everything as it is, so the positive half of the noise counts twice.
    return float(2 * np.sum(weights * np.exp(-(z**2) / 2) * inner) / np.sqrt(2 * np.pi))


def _noise_nodes(epsilon, sigma):
    """Quadrature nodes and weights on (0, inf) for functions smooth between the points where H changes its form."""
    spread = 2 * epsilon * sigma**2
    kinks = [np.sqrt(2 * epsilon), abs(spread - 1) / (2 * sigma), (spread + 1) / (2 * sigma)]
    ends = np.unique([0.0, *(kink for kink in kinks if kink < _FAR), _FAR])
    nodes, weights = [], []
    for begin, end in itertools.pairwise(ends):
        # Square root singularities sit at the ends; panels that shrink towards both resolve them, and the tail as well.
        middle = (begin + end) / 2
        graded = (middle - begin) * 0.5 ** np.arange(0, 40)
        panels = np.concatenate(([begin], begin + graded[::-1], end - graded[1:], [end]))
        for low, high in itertools.pairwise(panels):
            for part_low, part_high in _split(low, high):
                half = (part_high - part_low) / 2
                nodes.append((part_low + part_high) / 2 + half * _NODES)
                weights.append(half * _WEIGHTS)
    return np.concatenate(nodes), np.concatenate(weights)


def _split(low, high):
    """Panels no longer than 1, so that the normal density is resolved."""
    ends = np.linspace(low, high, int(np.ceil(high - low)) + 1)
    return itertools.pairwise(ends)


def _mean_over_target(z, epsilon, sigma, neighbours):
    """E_a [1 - (1 - H(a, z))^p] for each z > 0, a uniform on [0, 1]."""
    outer = sigma * np.sqrt(z**2 + 2 * epsilon)
    with np.errstate(invalid="ignore"):
        inner = np.where(z**2 > 2 * epsilon, sigma * np.sqrt(np.abs(z**2 - 2 * epsilon)), np.nan)
    shift = sigma * z
    # How far below a, and how far above it, bad neighbours begin, without cancellation:
    # sigma (sqrt(z^2 + 2 epsilon) - z) and sigma (z - sqrt(z^2 - 2 epsilon)).
    below = 2 * epsilon * sigma / (z + outer / sigma)
    inner_low = 2 * epsilon * sigma / (z + inner / sigma)

    kinks = np.column_stack([below, 1 - shift - outer, 1 - inner_low, 1 - shift - inner])
    ends = np.sort(np.clip(np.nan_to_num(kinks, nan=0.0), 0.0, 1.0), axis=1)
    ends = np.column_stack([np.zeros_like(z), ends, np.ones_like(z)])

    def bad_share(a):
        share = np.clip(a - below[:, None], 0, 1) + np.clip(1 - (a + (shift + outer)[:, None]), 0, 1)
        low, high = a + inner_low[:, None], a + (shift + inner)[:, None]
        middle = np.minimum(high, 1) - np.minimum(low, 1)
        return share + np.where(np.isnan(middle), 0.0, middle)

    total = np.zeros_like(z)
    for begin, end in zip(ends[:, :-1].T, ends[:, 1:].T, strict=True):
        # H is continuous, and linear on the piece.
        first, last = bad_share(np.column_stack([begin, end])).T
        total += (end - begin) * _mean_over_linear(first, last, neighbours)
    return total


def _mean_over_linear(first, last, neighbours):
    """Mean of 1 - (1 - h)^p over h between two values."""
    first, last = np.minimum(first, last), np.maximum(first, last)
    width = last - first
    steep = neighbours * width > 2
    result = np.empty_like(first)
    flat = ~steep
    h = (first[flat] + last[flat])[:, None] / 2 + width[flat][:, None] / 2 * _NODES
    result[flat] = _one_minus_power(h, neighbours) @ _WEIGHTS / 2
    # The antiderivative h + (1 - h)^(p + 1) / (p + 1); the width is large enough that the difference does not cancel.
    antiderivative = [h[steep] - _one_minus_power(h[steep], neighbours + 1) / (neighbours + 1) for h in (first, last)]
    result[steep] = (antiderivative[1] - antiderivative[0]) / width[steep]
    return result


def _one_minus_power(h, power):
    with np.errstate(divide="ignore"):
        return -np.expm1(power * np.log1p(-np.minimum(h, 1.0)))
