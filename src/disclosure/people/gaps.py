"""Standardised gaps of a target: how far the answers with others in its place are, in units of the noise."""

from typing import NamedTuple

import numpy as np

from disclosure.beliefs import regions
from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records, runs

__all__ = ["Gathered", "gaps_of_differences", "gathered", "merged", "sampled_gaps"]


def gaps_of_differences(differences: FloatArray, sigma: float) -> FloatArray:
    """Standardised gaps of answers that differ by f(x) - f(x_j), both of shape (..., p, k)."""
    return regions.standardised_gaps(np.zeros(differences.shape[-1]), -differences, sigma)


def sampled_gaps(records: Records, query: Query, sigma: float, target: int, sets: IntArray) -> FloatArray:
    """Standardised gaps of a target for some sets of neighbours.

    Parameters
    ----------
    records, query, sigma, target
        As in `disclosure.people.exposure.assess`.
    sets : ndarray of int, shape (k, n - m)
        Places in the table.

    Returns
    -------
    ndarray, shape (k, n - m, q)
    """
    values, known = records.values, None
    if not isinstance(query, LinearQuery):
        if records.population is not None:
            raise errors.DomainError(
                f"query {query.name} is not linear; of a sample of a population its answers are unknown"
            )
        member = np.ones((len(sets), len(values)), dtype=bool)
        member[:, target] = False
        np.put_along_axis(member, sets, False, axis=1)
        known = np.array([values[row] for row in member])
    differences = query.differences(values[target], values[sets], known)
    return gaps_of_differences(differences, sigma)


def merged(gaps: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distinct gaps of one dataset, each with the shares of all neighbours that have it."""
    order, first = runs(gaps)
    together = np.bincount(np.cumsum(first) - 1, shares[order])
    return gaps[order][first], np.asarray(together, dtype=np.float64)


class Gathered(NamedTuple):
    """Gaps of one dataset with near ones put together, and what that does to log g.

    Attributes
    ----------
    gaps : ndarray, shape (k, q)
        Their means.
    shares : ndarray, shape (k,)
        Summing to 1.
    shift, error : float
        At every noise up to a stated length, log g is at least that of these gaps and shares plus ``shift``, and above it by
        ``error`` at most.
    """

    gaps: FloatArray
    shares: FloatArray
    shift: float
    error: float


def gathered(gaps: FloatArray, shares: FloatArray, most: int, reach: float) -> Gathered:
    """Gaps of one dataset, put together in so many cells at most.

    Parameters
    ----------
    gaps : ndarray, shape (p, q)
    shares : ndarray, shape (p,)
        Summing to 1.
    most : int
        At least 2^q.
    reach : float
        Length of the noise up to which the error holds.

    Returns
    -------
    Gathered

    Notes
    -----
    Let x_j = -L_j(z), and let y be its mean over a cell, by the shares. By Jensen's inequality the mean of e^x_j is not below
    e^y; where all |x_j - y| are at most d it is not above e^y cosh d (a convex function is largest at the ends), so that its
    logarithm is within d^2 / 2. As y is linear in z, with the mean of the squares |c_j|^2 in place of the square of the mean,
    the cell is one gap whose share is a little smaller.
    """
    low, width = gaps.min(axis=0), np.ptp(gaps, axis=0)
    along = max(1, int(most ** (1 / gaps.shape[1]) + 1e-9) - 1)
    cells = np.floor((gaps - low) * (along / (width.max() or 1.0))).astype(np.int64)
    flat = np.ravel_multi_index(tuple(cells.T), (along + 1,) * gaps.shape[1])
    _, cell = np.unique(flat, return_inverse=True)
    together = np.bincount(cell, shares)
    means = np.column_stack([np.bincount(cell, shares * column) for column in gaps.T]) / together[:, None]
    squares = (gaps**2).sum(axis=1)
    mean_squares = np.bincount(cell, shares * squares) / together
    away = np.linalg.norm(gaps - means[cell], axis=1) * reach + np.abs(squares - mean_squares[cell]) / 2
    weights = together * np.exp(((means**2).sum(axis=1) - mean_squares) / 2)
    return Gathered(means, weights / weights.sum(), float(np.log(weights.sum())), float(away.max()) ** 2 / 2)
