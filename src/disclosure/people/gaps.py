"""Standardised gaps of a target: how far the answers with others in its place are, in units of the noise."""

import numpy as np

from disclosure.beliefs import regions
from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records, runs

__all__ = ["gaps_of_differences", "merged", "sampled_gaps"]


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
