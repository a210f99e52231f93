"""Prior probabilities of the people of a table: how likely the adversary holds each candidate to be the one in the dataset."""

import numpy as np

from disclosure.numerics.types import FloatArray
from disclosure.people.neighbour_sets import Sets
from disclosure.people.records import Records

__all__ = ["beliefs", "largest_prior", "least_prior", "smallest_prior", "smallest_priors"]


def beliefs(records: Records, target: int, sets: Sets) -> tuple[FloatArray | None, FloatArray]:
    """What the adversary believes of a target and its neighbours before the release.

    Parameters
    ----------
    records : Records
    target : int
        Place in the table.
    sets : Sets
        k sets of neighbours, with p places each.

    Returns
    -------
    shares : ndarray, shape (k, p), or None
        Prior over the neighbours given that the target is not included; None if all are equally likely.
    priors : ndarray, shape (k,)
        Of the target.
    """
    places = sets.places
    if sets.shares is not None:
        return sets.shares, np.full(len(places), sets.prior)
    if records.weights is None:
        return None, np.full(len(places), 1 / (places.shape[1] + 1))
    others, own = records.weights[places], records.weights[target]
    return others / others.sum(axis=1, keepdims=True), own / (own + others.sum(axis=1))


def smallest_prior(records: Records, sample: int, target: int) -> float:
    """A target's smallest prior probability over all sets of neighbours.

    For equally likely candidates it is 1 / (n - m + 1), n the people of the population, and 0 if these are infinitely many.

    The bounds (24) are widest there.
    """
    if records.weights is None:
        return 1 / (records.neighbours(sample) + 1)
    neighbours = len(records) - sample
    others = np.delete(records.weights, target)
    heaviest = np.partition(others, len(others) - neighbours)[len(others) - neighbours :]
    own = records.weights[target]
    return float(own / (own + heaviest.sum()))


def largest_prior(records: Records, sample: int, target: int) -> float:
    """A target's largest prior probability over all sets of neighbours, with the lightest as the others."""
    if records.weights is None:
        return 1 / (records.neighbours(sample) + 1)
    neighbours = len(records) - sample
    lightest = np.partition(np.delete(records.weights, target), neighbours - 1)[:neighbours]
    own = records.weights[target]
    return float(own / (own + lightest.sum()))


def smallest_priors(records: Records, sample: int) -> FloatArray:
    """A bound from below on everybody's `smallest_prior`, shape (n,): themselves not left out of the heaviest people."""
    if records.weights is None:
        return np.full(len(records), 1 / (records.neighbours(sample) + 1))
    heaviest = np.partition(records.weights, sample)[sample:]
    return np.asarray(records.weights / (records.weights + heaviest.sum()))


def least_prior(records: Records, sample: int) -> float:
    """The smallest `smallest_prior` of everybody: that of the person of the smallest weight."""
    return smallest_prior(records, sample, 0 if records.weights is None else int(np.argmin(records.weights)))
