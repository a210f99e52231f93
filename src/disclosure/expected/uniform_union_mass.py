"""The expected union mass for uniform attributes, E[T] = E_a E_z [1 - (1 - H(a, z))^p], in closed form over the targets.

H(a, z) is the probability that the bad region of one neighbour contains the noise z, when the target has the attribute a: with
the release t = a + sigma z, that a uniform neighbour b has |t - b| > sigma sqrt(z^2 + 2 epsilon) or
|t - b| < sigma sqrt(z^2 - 2 epsilon). For fixed z it is piecewise linear in a. The mean over z is a quadrature.
"""

import itertools

import numpy as np

from disclosure.numerics import quadrature
from disclosure.numerics.types import FloatArray

__all__ = ["one_minus_power", "uniform_union_mass"]

# Nodes of Gauss's rule, on a panel of noise and for the mean of a power over a piece on which it changes little: its error is
# below rounding.
_ORDER = 20
# Standard deviations. Beyond this distance from 0 the normal density is 0 in floating point.
_FAR = 40.0
# Panels towards the point at which a square root begins, each half as long as the one before: 2^-40 of the piece is left over.
_HALVINGS = 40
# Change of H on a piece, times p. Up to this the mean of (1 - H)^p over the piece is found by quadrature; above it by the
# difference of two powers, which does not cancel then.
_STEEP = 2


def uniform_union_mass(epsilon: float, sigma: float, neighbours: int) -> float:
    """E[T] for attributes uniform on [0, 1], to a relative error of 1e-10.

    Parameters
    ----------
    epsilon, sigma : float
        In (0, inf).
    neighbours : int
        n - m >= 1.
    """
    z, weights = _noise_nodes(epsilon, sigma)
    inner = _mean_over_target(z, epsilon, sigma, neighbours)
    # Mirroring a, b and z leaves everything as it is, so the positive half of the noise counts twice.
    return float(2 * np.sum(weights * np.exp(-(z**2) / 2) * inner) / np.sqrt(2 * np.pi))


def one_minus_power(h: FloatArray, power: float) -> FloatArray:
    """1 - (1 - h)^power, to full relative accuracy, for h up to a rounding error above 1."""
    with np.errstate(divide="ignore"):
        return -np.expm1(power * np.log1p(-np.minimum(h, 1.0)))


def _noise_nodes(epsilon: float, sigma: float) -> tuple[FloatArray, FloatArray]:
    """Quadrature nodes and weights on (0, inf), for functions that are smooth but where H changes its form."""
    spread = 2 * epsilon * sigma**2
    # Where the ends of a piece meet the ends of the attributes' interval, and where they meet each other.
    kinks = [np.sqrt(2 * epsilon), abs(spread - 1) / (2 * sigma), (spread + 1) / (2 * sigma)]
    kinks += [np.sqrt(max((outer / sigma) ** 2 - 2 * epsilon, 0.0)) for outer in (0.5, 0.5 + spread)]
    pieces = np.unique([0.0, *(kink for kink in kinks if kink < _FAR), _FAR])
    ends = [np.zeros(1)]
    for begin, end in itertools.pairwise(pieces):
        # Square roots branch at both ends of a piece: panels that shrink towards them resolve these, and the tail as well.
        middle = (begin + end) / 2
        halved = (middle - begin) * 0.5 ** np.arange(0, _HALVINGS)
        panels = np.concatenate(([begin], begin + halved[::-1], end - halved[1:], [end]))
        # No panel is longer than 1, so that the normal density is resolved.
        ends += [np.linspace(low, high, int(np.ceil(high - low)) + 1)[1:] for low, high in itertools.pairwise(panels)]
    return quadrature.composite(np.concatenate(ends), _ORDER)


def _mean_over_target(z: FloatArray, epsilon: float, sigma: float, neighbours: int) -> FloatArray:
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

    def bad_share(a: FloatArray) -> FloatArray:
        share = np.clip(a - below[:, None], 0, 1) + np.clip(1 - (a + (shift + outer)[:, None]), 0, 1)
        low, high = a + inner_low[:, None], a + (shift + inner)[:, None]
        middle = np.minimum(high, 1) - np.minimum(low, 1)
        return np.asarray(share + np.where(np.isnan(middle), 0.0, middle))

    total = np.zeros_like(z)
    for begin, end in zip(ends[:, :-1].T, ends[:, 1:].T, strict=True):
        # H is continuous, and linear on the piece.
        first, last = bad_share(np.column_stack([begin, end])).T
        total += (end - begin) * _mean_over_linear(first, last, neighbours)
    return total


def _mean_over_linear(first: FloatArray, last: FloatArray, neighbours: int) -> FloatArray:
    """Mean of 1 - (1 - h)^p over h between two values."""
    first, last = np.minimum(first, last), np.maximum(first, last)
    width = last - first
    steep = neighbours * width > _STEEP
    result = np.empty_like(first)
    flat = ~steep
    nodes, weights = quadrature.gauss(_ORDER)
    h = (first[flat] + last[flat])[:, None] / 2 + width[flat][:, None] / 2 * nodes
    result[flat] = one_minus_power(h, neighbours) @ weights / 2
    # The antiderivative is h + (1 - h)^(p + 1) / (p + 1).
    lower, upper = (h[steep] - one_minus_power(h[steep], neighbours + 1) / (neighbours + 1) for h in (first, last))
    result[steep] = (upper - lower) / width[steep]
    return result
