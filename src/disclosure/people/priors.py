"""Prior probabilities of the people of a table: how likely the adversary holds each candidate to be the one in the dataset."""

import numpy as np

from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.records import Records

__all__ = ["beliefs", "largest_prior", "least_prior", "smallest_prior", "smallest_priors"]


def beliefs(records: Records, target: int, sets: IntArray) -> tuple[FloatArray | None, FloatArray]:
    """What the adversary believes of a target and its neighbours before the release.

    Parameters
    ----------
    records : Records
    target : int
        Place in the table.
    sets : ndarray of int, shape (k, n - m)
        Sets of neighbours, places in the table.

    Returns
    -------
    shares : ndarray, shape (k, n - m), or None
        Prior over the neighbours given that the target is not included; None if all are equally likely.
    priors : ndarray, shape (k,)
        Of the target.
    """
    if records.weights is None:
        return None, np.full(len(sets), 1 / (sets.shape[1] + 1))
    others, own = records.weights[sets], records.weights[target]
    return others / others.sum(axis=1, keepdims=True), own / (own + others.sum(axis=1))


def smallest_prior(records: Records, sample: int, target: int) -> float:
    """A target's smallest prior probability over all sets of neighbours; 1 / (n - m + 1) for equally likely candidates.

    The bounds (24) are widest there.
    """
    neighbours = len(records) - sample
    if records.weights is None:
        return 1 / (neighbours + 1)
    others = np.delete(records.weights, target)
    heaviest = np.partition(others, len(others) - neighbours)[len(others) - neighbours :]
    own = records.weights[target]
    return float(own / (own + heaviest.sum()))


def largest_prior(records: Records, sample: int, target: int) -> float:
    """A target's largest prior probability over all sets of neighbours, with the lightest as the others."""
    neighbours = len(records) - sample
    if records.weights is None:
        return 1 / (neighbours + 1)
    lightest = np.partition(np.delete(records.weights, target), neighbours - 1)[:neighbours]
    own = records.weights[target]
    return float(own / (own + lightest.sum()))


def smallest_priors(records: Records, sample: int) -> FloatArray:
    """A bound from below on everybody's `smallest_prior`, shape (n,): themselves not left out of the heaviest people."""
    neighbours = len(records) - sample
    if records.weights is None:
        return np.full(len(records), 1 / (neighbours + 1))
    heaviest = np.partition(records.weights, sample)[sample:]
    return np.asarray(records.weights / (records.weights + heaviest.sum()))


def least_prior(records: Records, sample: int) -> float:
    """The smallest `smallest_prior` of everybody: that of the person of the smallest weight."""
    return smallest_prior(records, sample, 0 if records.weights is None else int(np.argmin(records.weights)))
