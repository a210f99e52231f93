"""The one place that chooses between `line`, `plane` and `space`, by how many dimensions the gaps of a dataset span.

Noise orthogonal to all gaps of a dataset changes none of its log density ratios. So the gaps are turned into as many
coordinates as they need, and each dataset goes to the most accurate method for these, whatever the dimension of the query is.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from disclosure.gaussian_measure import line, plane, space
from disclosure.gaussian_measure.sampling import Sampling
from disclosure.gaussian_measure.terms import NO_GAP
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Measure", "by_rank", "mass_outside_levels", "mass_outside_strips", "measure"]

# Standard deviations of the noise. A gap longer than this plus 2 sqrt(level) counts as infinite: no noise in floating point
# reaches its good region, and its term of the mixture is 0.
_FAR_GAP = 100.0
# Share of the largest singular value of a dataset's gaps. Dimensions whose singular value is smaller count as not spanned: the
# error of the decomposition is 1e-15 of the largest.
_FLAT = 1e-13
# Below this epsilon a gap c has either |c|^2 / 2 far below epsilon, or a log density ratio that exceeds epsilon almost surely.
# So gaps and epsilon may be multiplied by one factor, lest squares of gaps underflow.
_TINY_EPSILON = 1e-60
# Floats of the gaps that are turned at a time, so that memory stays bounded beside the gaps themselves.
_BLOCK = 1 << 20


class Measure(Protocol):
    """What each of `line`, `plane` and `space` offers: two masses for k datasets whose gaps span all of their coordinates."""

    def mass_outside_strips(self, gaps: FloatArray, epsilon: float, sampling: Sampling) -> Estimate[FloatArray]:
        """Mass of the noise z with |<z, c> + |c|^2 / 2| > epsilon for some gap c."""

    def mass_outside_levels(
        self, gaps: FloatArray, weights: FloatArray, low: float, high: float, sampling: Sampling
    ) -> Estimate[FloatArray]:
        """Mass of the noise at which the mixture g of `terms` has log g < low or log g > high."""


def measure(dimension: int) -> Measure:
    """`line` for gaps of one coordinate, `plane` of two, `space` of more."""
    methods: tuple[Measure, Measure] = line, plane
    return methods[dimension - 1] if dimension <= len(methods) else space


def mass_outside_strips(gaps: FloatArray, epsilon: float, sampling: Sampling) -> Estimate[FloatArray]:
    """Mass of the noise z with |<z, c> + |c|^2 / 2| > epsilon for some gap c of a dataset.

    Parameters
    ----------
    gaps : ndarray, shape (..., p, q)
        Standardised; infinities are allowed.
    epsilon : float
        In [0, inf). At 0 the mass is 1 unless all gaps are 0.
    sampling : Sampling
        For datasets whose gaps span three dimensions or more.

    Returns
    -------
    Estimate
        Of shape (...).
    """
    if epsilon == 0 or gaps.shape[-2] == 0:
        return _surely_if_somebody_differs(gaps)
    if epsilon < _TINY_EPSILON:
        factor = float(2.0 ** np.round(np.log2(_TINY_EPSILON / epsilon)))
        with np.errstate(over="ignore"):
            gaps, epsilon = gaps * factor, epsilon * factor
    value, error = np.empty(gaps.shape[:-2]), np.empty(gaps.shape[:-2])
    for rows, part in by_rank(gaps.reshape(-1, *gaps.shape[-2:]), epsilon):
        found = measure(part.shape[-1]).mass_outside_strips(part, epsilon, sampling)
        value.reshape(-1)[rows], error.reshape(-1)[rows] = found
    return Estimate(value, error)


def mass_outside_levels(
    gaps: FloatArray, weights: FloatArray, low: float, high: float, sampling: Sampling
) -> Estimate[FloatArray]:
    """Mass of the noise at which the mixture g of a dataset has log g < low or log g > high.

    Parameters
    ----------
    gaps : ndarray, shape (..., p, q)
        Standardised; infinities are allowed.
    weights : ndarray, shape (k, p) or (1, p)
        Of the k datasets of gaps, in their order, or of all.
    low, high : float
        low <= 0 <= high. Infinite levels are never left. At the levels 0 and 0 the mass is 1 unless all gaps are 0, since log g
        is analytic.
    sampling : Sampling
        For datasets whose gaps span three dimensions or more.

    Returns
    -------
    Estimate
        Of shape (...).

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    if low == high == 0 or gaps.shape[-2] == 0:
        return _surely_if_somebody_differs(gaps)
    value, error = np.zeros(gaps.shape[:-2]), np.zeros(gaps.shape[:-2])
    finite = [abs(level) for level in (low, high) if np.isfinite(level)]
    if not finite:
        return Estimate(value, error)
    for rows, part in by_rank(gaps.reshape(-1, *gaps.shape[-2:]), max(finite)):
        part_weights = weights if len(weights) == 1 else weights[rows]
        found = measure(part.shape[-1]).mass_outside_levels(part, part_weights, low, high, sampling)
        value.reshape(-1)[rows], error.reshape(-1)[rows] = found
    return Estimate(value, error)


def _surely_if_somebody_differs(gaps: FloatArray) -> Estimate[FloatArray]:
    """The mass at epsilon = 0: exactly 1 for a dataset with a gap other than 0, and 0 for others."""
    value = (gaps != 0).any(axis=(-2, -1)).astype(float)
    return Estimate(value, np.zeros(value.shape))


def by_rank(gaps: FloatArray, level: float) -> Iterator[tuple[IntArray | slice, FloatArray]]:
    """Sort datasets by the rank of their gaps, block by block, and turn the gaps into as many coordinates.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, q)
        Standardised; infinities are allowed.
    level : float
        The largest absolute log density ratio that matters. A gap so long that no noise brings its log density ratio near this
        level becomes infinite, except with q = 1, where nothing is turned.

    Yields
    ------
    rows : ndarray of int, or slice
        Datasets of the same block and of the same rank r.
    ndarray, shape (number of rows, p, max(r, 1))
        The gaps turned into r coordinates, (inf, 0, ..., 0) where they are infinite.
    """
    if gaps.shape[2] == 1:
        yield slice(None), gaps
        return
    step = max(1, _BLOCK // max(1, gaps.shape[1] * gaps.shape[2]))
    for start in range(0, len(gaps), step):
        block = gaps[start : start + step]
        with np.errstate(over="ignore"):
            infinite = np.linalg.norm(block, axis=-1) > _FAR_GAP + 2 * np.sqrt(level)
        finite = np.where(infinite[..., None], 0.0, block)
        _, sizes, axes = np.linalg.svd(finite, full_matrices=False)
        ranks = (sizes > np.maximum(_FLAT * sizes.max(axis=1, keepdims=True, initial=0.0), NO_GAP)).sum(axis=1)
        for rank in np.unique(ranks):
            rows = np.flatnonzero(ranks == rank)
            turned = np.ascontiguousarray(contracted("kpi,kji->kpj", finite[rows], axes[rows, : max(rank, 1)]))
            turned[infinite[rows], 0] = np.inf
            yield start + rows, turned
