"""Expected values over random datasets whose attributes take finitely many values: exact sums over all datasets.

Neither the union mass nor the failure probability depends on the order of the neighbours, so the sums run over how many of
them have each value, with multinomial probabilities.
"""

import itertools
import math

import numpy as np
from scipy.special import gammaln

from disclosure.beliefs import inclusion, regions

__all__ = ["expected_failure_probability", "expected_union_mass", "number"]

_BLOCK = 1 << 17  # gaps at a time


def number(kinds, neighbours):
    """How many datasets there are: values of the target, times ways in which the neighbours can share the values."""
    return kinds * math.comb(neighbours + kinds - 1, neighbours)


def expected_union_mass(values, probabilities, neighbours, epsilon, sigma):
    """E[T] for attributes that are independent draws of values.

    Parameters
    ----------
    values, probabilities : ndarray, shape (k,)
        Distinct values, and positive probabilities that sum to 1.
    neighbours : int
        n - m >= 1.
    epsilon, sigma : float
        In (0, inf) and [0, inf), sigma in the units of the values.
    """

    def masses(gaps, counts):
        # A gap of 0 has no bad region, and takes a value without neighbours out of the union.
        return regions.union_mass(gaps if counts is None else np.where(counts[..., None] > 0, gaps, 0.0), epsilon).value

    return _mean(masses, values, probabilities, neighbours, sigma)


def expected_failure_probability(values, probabilities, neighbours, epsilon, sigma):
    """E[rho], of the arguments of `expected_union_mass`."""

    def masses(gaps, counts):
        if counts is None:
            return inclusion.failure_probability(gaps, epsilon).value
        # An absent value needs a weight, of no consequence with an infinite gap.
        gaps = np.where(counts[..., None] > 0, gaps, np.inf)
        return inclusion.failure_probability(
            gaps, epsilon, np.where(counts > 0, counts / neighbours, np.finfo(float).tiny)
        ).value

    return _mean(masses, values, probabilities, neighbours, sigma)


def _mean(masses, values, probabilities, neighbours, sigma):
    total, log = 0.0, np.log(probabilities)
    blocks = _neighbours_of_their_own if neighbours <= len(values) else _counts
    for log_multiplicity, columns, counts in blocks(len(values), neighbours):
        log_mass = log_multiplicity + (log[columns].sum(axis=1) if counts is None else counts @ log)
        mass = np.exp(log_mass + gammaln(neighbours + 1))
        for value, probability in zip(values, probabilities, strict=True):
            gaps = regions.standardised_gaps([value], values[columns][..., None], sigma)
            total += probability * float(mass @ masses(gaps, counts))
    return total


def _neighbours_of_their_own(kinds, neighbours):
    """Blocks of datasets of few neighbours: minus log of the orders that are the same, index of each neighbour's value."""
    for block in _blocks(itertools.combinations_with_replacement(range(kinds), neighbours), neighbours):
        # The product of 1, 2, ... along every run of equal values is that of the factorials of the counts.
        run, log_product = np.ones(len(block)), np.zeros(len(block))
        for before, after in itertools.pairwise(block.T):
            run = np.where(after == before, run + 1, 1.0)
            log_product += np.log(run)
        yield -log_product, block, None


def _counts(kinds, neighbours):
    """Blocks of datasets of many neighbours: the same, the indices of all values, and how many neighbours have each."""
    # Bars between stars: every choice of places for the bars is one way to share the stars.
    for bars in _blocks(itertools.combinations(range(neighbours + kinds - 1), kinds - 1), kinds - 1, kinds):
        ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), neighbours + kinds - 1)
        counts = np.diff(np.concatenate([ends[0], bars, ends[1]], axis=1), axis=1) - 1.0
        yield -gammaln(counts + 1).sum(axis=1), np.arange(kinds)[None, :], counts


def _blocks(tuples, length, width=None):
    while block := list(itertools.islice(tuples, max(1, _BLOCK // (width or length)))):
        yield np.array(block, dtype=int).reshape(len(block), length)
