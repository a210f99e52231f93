"""The mixture g whose logarithm the posterior-to-prior ratio depends on, for many datasets at a time.

With the standardised gaps c_j of a dataset's p neighbours in R^q, their weights w_j, and noise z in R^q,

    g(z) = sum_j w_j exp(-(<z, c_j> + |c_j|^2 / 2)).

log g is convex, and at most 0 at z = 0 (docs/method.md, "log g is convex"). Elsewhere in this package b is the slope of a
term's exponent along a line, |c_j|^2 / 2 its offset, and a dataset one row of gaps.
"""

from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure.exponential_sums import SMALL_LEVEL
from disclosure.numerics.ordered_sums import scalar_products
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["NO_GAP", "Terms", "log_mixture", "rounding"]

# Standard deviations of the noise. Shorter gaps count as 0: no noise in floating point brings their log density ratios to an
# epsilon that can be asked for, so they change no probability.
NO_GAP = 1e-100
# Relative error that rounding may leave in a probability: at least the first, and the second times the number of terms.
_ROUNDING, _ROUNDING_OF_A_TERM = 1e-11, 1e-15


class Terms(NamedTuple):
    """The mixtures g of k datasets.

    A term that is 0 everywhere, that of an infinite gap, is called absent: it has the gap 0 and the offset inf.

    Attributes
    ----------
    gaps : ndarray, shape (k, p, q)
        Standardised, in standard deviations of the noise.
    offsets : ndarray, shape (k, p)
        |c|^2 / 2 of each gap, or the mean of a group's.
    weights : ndarray, shape (k, p) or (1, p)
        Each row sums to 1; one row if all datasets have the same.
    reach : float
        Largest |z| at which the terms stand for the mixture, inf for the mixture itself. Where it is finite, weights may be
        negative (`equal_terms.condensed`).
    """

    gaps: FloatArray
    offsets: FloatArray
    weights: FloatArray
    reach: float = np.inf

    @classmethod
    def from_gaps(cls, gaps: FloatArray, weights: FloatArray) -> "Terms":
        """The mixtures of gaps of shape (k, p, q); the term of a gap (inf, 0, ..., 0) is absent."""
        absent = np.isinf(gaps[..., 0])
        gaps = np.where(absent[..., None], 0.0, gaps)
        return cls(gaps, np.where(absent, np.inf, (gaps**2).sum(axis=-1) / 2), weights)

    def of(self, rows: IntArray | slice) -> "Terms":
        """The mixtures of some of the datasets."""
        weights = self.weights if len(self.weights) == 1 else self.weights[rows]
        return Terms(self.gaps[rows], self.offsets[rows], weights, self.reach)


def log_mixture(terms: Terms, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """log g of k datasets, each at a point of its own, with gradients and second derivatives.

    Parameters
    ----------
    terms : Terms
        Of k datasets, or of one for all points.
    points : ndarray, shape (k, q)
        In standard deviations of the noise.

    Returns
    -------
    value : ndarray, shape (k,)
    gradient : ndarray, shape (k, q)
    hessian : ndarray, shape (k, q, q)
    """
    exponents = -(scalar_products(terms.gaps, points[:, None]) + terms.offsets)
    largest = exponents.max(axis=1, keepdims=True)
    shares = terms.weights * np.exp(exponents - largest)
    total = shares.sum(axis=1, keepdims=True)
    shares /= total
    value = (largest + np.log(total))[:, 0]
    small = np.abs(value) < SMALL_LEVEL
    if small.any():
        weights = terms.weights if len(terms.weights) == 1 else terms.weights[small]
        value[small] = np.log1p((weights * np.expm1(exponents[small])).sum(axis=1))
    weighted = shares[..., None] * terms.gaps
    mean = weighted.sum(axis=1)
    hessian = weighted.swapaxes(1, 2) @ (terms.gaps - mean[:, None])
    return value, -mean, (hessian + hessian.swapaxes(1, 2)) / 2


def rounding(count: int) -> float:
    """Relative error that rounding may leave in a probability from a mixture of so many terms."""
    return max(_ROUNDING, _ROUNDING_OF_A_TERM * count)
