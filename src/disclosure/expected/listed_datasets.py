"""Expected values over random datasets whose attributes take finitely many values: sums over all datasets.

Neither the union mass nor the failure probability depends on the order of the neighbours, so the sums run over how many of
them have each value, with multinomial probabilities. The values are a population's, or the nodes of a Gauss rule.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
from scipy.special import gammaln

from disclosure.beliefs import inclusion, regions
from disclosure.expected.attribute_laws import Discrete
from disclosure.expected.setting import ROUNDING, Setting, shown_to_be_zero
from disclosure.numerics import errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["mean_failure_probability", "mean_union_mass", "number", "over_values"]

# Array entries (indices of neighbours' values, or counts of values) of one block of work, so that memory stays bounded.
_BLOCK = 1 << 17
# Datasets that are summed at most: about ten seconds.
_MOST_DATASETS = 1_000_000
# Relative rounding error that each neighbour adds to the logarithm of a multinomial probability.
_ROUNDING_OF_ONE = 1e-15

# Of k datasets: minus the logarithm of the product of the counts' factorials, shape (k,); indices of values, shape (k, c) or
# (1, c); and how many neighbours have each of these, shape (k, c), or None if each index is one neighbour's.
_Block: TypeAlias = tuple[FloatArray, IntArray, FloatArray | None]
Mean: TypeAlias = Callable[[FloatArray, FloatArray, int, float, float], float]


def number(kinds: int, neighbours: int) -> int:
    """Number of different datasets: values of the target times multisets of the neighbours' values."""
    return kinds * math.comb(neighbours + kinds - 1, neighbours)


def mean_union_mass(
    values: FloatArray, probabilities: FloatArray, neighbours: int, epsilon: float, sigma: float
) -> float:
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

    def masses(gaps: FloatArray, counts: FloatArray | None) -> FloatArray:
        # A gap of 0 has no bad region, and takes a value without neighbours out of the union.
        return regions.union_mass(gaps if counts is None else np.where(counts[..., None] > 0, gaps, 0.0), epsilon).value

    return _mean(masses, values, probabilities, neighbours, sigma)


def mean_failure_probability(
    values: FloatArray,
    probabilities: FloatArray,
    neighbours: int,
    epsilon: float,
    sigma: float,
    bounds: inclusion.Bounds = "prior",
) -> float:
    """E[rho], of the arguments of `mean_union_mass` and the bounds (24) or (26)."""
    prior = 1 / (neighbours + 1)

    def masses(gaps: FloatArray, counts: FloatArray | None) -> FloatArray:
        if counts is None:
            return inclusion.failure_probability(gaps, epsilon, None, prior, bounds).value
        # A value that no neighbour has must have a positive weight. With an infinite gap its term is 0 whatever the weight is.
        gaps = np.where(counts[..., None] > 0, gaps, np.inf)
        weights = np.where(counts > 0, counts / neighbours, np.finfo(float).tiny)
        return inclusion.failure_probability(gaps, epsilon, weights, prior, bounds).value

    return _mean(masses, values, probabilities, neighbours, sigma)


def over_values(law: Discrete, setting: Setting, mean: Mean) -> Estimate[float]:
    """One of the means above for a list of values, with its error; or raise `DomainError` if there are too many datasets."""
    neighbours, kinds = int(setting.neighbours), len(law.values)
    if neighbours == 0:
        return Estimate(0.0, 0.0)
    datasets = number(kinds, neighbours)
    if datasets > _MOST_DATASETS:
        raise errors.DomainError(
            f"attributes has {kinds} values, which {neighbours} neighbours can share in {datasets:.3g} ways; at most "
            f"{_MOST_DATASETS} can be summed: take fewer values, or a density"
        )
    differ = kinds > 1
    if setting.sigma == 0 and setting.levels.low == -np.inf:
        return Estimate(0.0, 0.0)
    if differ and setting.sigma > 0:
        nothing = shown_to_be_zero(setting)
        if nothing:
            return nothing
    total = mean(law.values, law.probabilities, neighbours, setting.epsilon, setting.sigma)
    if total == 0 and differ:
        return setting.estimate(total, 0.0)
    return Estimate(total, max(ROUNDING, _ROUNDING_OF_ONE * neighbours) * total)


def _mean(
    masses: Callable[[FloatArray, FloatArray | None], FloatArray],
    values: FloatArray,
    probabilities: FloatArray,
    neighbours: int,
    sigma: float,
) -> float:
    """Mean of a function over all datasets.

    Parameters
    ----------
    masses : callable
        From the gaps of k datasets, and how many neighbours stand behind each gap (or None for one each), to values of shape
        (k,).
    values, probabilities, neighbours, sigma
        As in `mean_union_mass`.
    """
    total, log = 0.0, np.log(probabilities)
    blocks = _neighbours_of_their_own if neighbours <= len(values) else _counts
    for log_multiplicity, columns, counts in blocks(len(values), neighbours):
        log_mass = log_multiplicity + (log[columns].sum(axis=1) if counts is None else counts @ log)
        mass = np.exp(log_mass + gammaln(neighbours + 1))
        for value, probability in zip(values, probabilities, strict=True):
            gaps = regions.standardised_gaps([value], values[columns][..., None], sigma)
            total += float(probability) * float(mass @ masses(gaps, counts))
    return total


def _neighbours_of_their_own(kinds: int, neighbours: int) -> Iterator[_Block]:
    """Blocks of datasets, for few neighbours: the index of each neighbour's value."""
    for block in _blocks(itertools.combinations_with_replacement(range(kinds), neighbours), neighbours):
        # Along a run of c equal values the factors 1, 2, ..., c multiply to c!.
        run, log_product = np.ones(len(block)), np.zeros(len(block))
        for before, after in itertools.pairwise(block.T):
            run = np.where(after == before, run + 1, 1.0)
            log_product += np.log(run)
        yield -log_product, block, None


def _counts(kinds: int, neighbours: int) -> Iterator[_Block]:
    """Blocks of datasets, for many neighbours: the indices of all values, and how many neighbours have each."""
    # Stars and bars: neighbours are stars in a row, and bars between them divide the row into one part for each value. Every
    # choice of places for the bars gives the counts of one dataset.
    for bars in _blocks(itertools.combinations(range(neighbours + kinds - 1), kinds - 1), kinds - 1, kinds):
        ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), neighbours + kinds - 1)
        counts = np.diff(np.concatenate([ends[0], bars, ends[1]], axis=1), axis=1) - 1.0
        yield -gammaln(counts + 1).sum(axis=1), np.arange(kinds)[None, :], counts


def _blocks(tuples: Iterable[tuple[int, ...]], length: int, width: int | None = None) -> Iterator[IntArray]:
    """Tuples of one length as rows of arrays, as many as fit into a block; a row takes ``width`` entries there."""
    tuples = iter(tuples)
    while block := list(itertools.islice(tuples, max(1, _BLOCK // (width or length)))):
        yield np.array(block, dtype=int).reshape(len(block), length)
