"""How far belief in a person's presence moves: factors that it keeps within except with a stated probability.

The factors are quantiles of the posterior-to-prior ratio, and no bounds or guarantees are part of them. Of every dataset of a
linear query `limits` has an answer that is not exceeded. Beside it stands what some dataset comes to, exactly: the worst of all
datasets, if all different ones are listed; else the worst of those in which the neighbours are the farthest of the others, on
all sides or on one. So the true worst lies between the two.
"""

import functools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, ndtri

from disclosure.beliefs import quantiles, ratio_limits
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.asked import Asked
from disclosure.people.best_sets import largest_mean
from disclosure.people.gaps import Gathered, gathered, merged, sampled_gaps
from disclosure.people.limits import Limits
from disclosure.people.neighbour_sets import NeighbourSets, Sets
from disclosure.people.priors import beliefs
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records

__all__ = ["Movement", "exceeding", "largest_limits", "limited", "looked_at", "movement", "worst_sets"]

# Different gaps of a dataset up to which its quantiles are exact, by the number of columns and beyond two: a second of work.
_MOST_GAPS = {1: 1_000_000, 2: 5_000}
_MOST_GAPS_BEYOND = 500
# Of more, near ones are put together in so many cells, and what was found is what the dataset comes to at least. Where log g is
# off by more than the error the limits stand alone.
_CELLS, _LARGEST_ERROR = 250, 0.05
# Probability of noise that is too long for this, as a share of the probability that was asked for, and of one that is asked.
_LONG_SHARE, _LONG = 1e-6, 1e-15


class Movement(NamedTuple):
    """Factors that belief in one person's presence keeps within, except with a stated probability for each.

    Attributes
    ----------
    rise_found, fall_found : float
        It does not rise by more, and not fall below, in the worst datasets that were looked at; NaN where that takes too long.
    rise_limit, fall_limit : float
        The same for every dataset; NaN for a query that is not linear.
    posterior_limit : float
        Belief itself does not rise above it in any dataset; NaN for a query that is not linear.
    """

    rise_found: float
    rise_limit: float
    fall_found: float
    fall_limit: float
    posterior_limit: float


def worst_sets(limits: Limits, target: int) -> IntArray:
    """Sets of neighbours of a target that are the farthest of the others: on all sides, on one side and on the other.

    Parameters
    ----------
    limits : Limits
    target : int
        Place in the table.

    Returns
    -------
    ndarray of int, shape (k, n - m)
        From one to three different sets, places in the table. The sides are along the line to the farthest of all. If the
        worst dataset is none of these it is hardly worse, for a release that raises belief is far on the target's side.
    """
    _, farthest = limits.farthest(target)
    values, weights = limits.records.values, limits.records.weights
    others = np.delete(np.arange(len(values)), target)
    differences = limits.query.differences(values[target], values[others])
    direction = differences[np.argmax((differences**2).sum(axis=1))]
    along = differences @ direction
    beside = None if weights is None else weights[others]
    sides = [others[largest_mean(side, beside, limits.neighbours)[1]] for side in (along, -along)]
    sets = np.sort([farthest, *sides], axis=1)
    # `numpy.unique` by rows takes half a minute for a million columns.
    return sets[[not any(np.array_equal(one, earlier) for earlier in sets[:place]) for place, one in enumerate(sets)]]


def looked_at(records: Records, query: Query, sample: int, target: int, sets: NeighbourSets) -> Iterator[Sets]:
    """The sets of neighbours over which the worst is looked for, block by block.

    All if they are listed, `worst_sets` if not, and those that are drawn for a query that is not linear, and where others are
    drawn from the rows with replacement: that all have the farthest record is a limit, and next to impossible.
    """
    if sets.probabilities is None and isinstance(query, LinearQuery) and records.population is None:
        yield Sets(worst_sets(Limits(records, query, sample), target))
    else:
        yield from sets.blocks()


def movement(
    records: Records, query: Query, sample: int, sigma: float, target: int, sets: NeighbourSets, probability: float
) -> Movement:
    """How far belief in one person's presence moves.

    Parameters
    ----------
    records, query, sample, sigma, target, sets
        As in `disclosure.people.exposure.assess`.
    probability : float
        In (0, 1/2].

    Returns
    -------
    Movement
    """
    rise, fall = 1.0, 1.0
    for block in looked_at(records, query, sample, target, sets):
        rise, fall = _Datasets.of(records, query, sigma, target, block).worst(probability, rise, fall)
    if not isinstance(query, LinearQuery):
        return Movement(rise, np.nan, fall, np.nan, np.nan)
    limits = limited(Limits(records, query, sample), sigma, target, probability)
    return limits._replace(rise_found=rise, fall_found=fall)


def largest_limits(
    records: Records, query: Query, sample: int, sigma: float, target: int, sets: NeighbourSets, asked: Asked
) -> tuple[float, float]:
    """Limits on how far belief rises, and on the probability of the stated ratio, over the sets that are looked at only."""
    found = []
    for block in looked_at(records, query, sample, target, sets):
        part = _Datasets.of(records, query, sigma, target, block)
        found.append((part.rise_limits(asked.probability).max(), part.exceeding_limits(asked.ratio).max()))
    rise, exceeding = np.max(found, axis=0)
    return float(rise), float(exceeding)


def limited(limits: Limits, sigma: float, target: int, probability: float) -> Movement:
    """The part of `movement` that holds for every dataset, with NaN for what was found."""
    return Movement(
        np.nan,
        limits.rise(target, sigma, probability),
        np.nan,
        limits.fall(target, sigma, probability),
        limits.posterior(target, sigma, probability),
    )


def exceeding(
    records: Records,
    query: Query,
    sample: int,
    sigma: float,
    target: int,
    sets: NeighbourSets,
    ratio: float,
    every_prior: bool = False,
) -> float:
    """Probability that the ratio exceeds a stated one, in the worst of the datasets that are looked at.

    Takes the arguments of `movement`, with the ratio in (1, inf) in place of the probability. It is the largest over all priors
    of the target, the limit of small ones, with ``every_prior``.
    """
    largest = 0.0
    for block in looked_at(records, query, sample, target, sets):
        part = _Datasets.of(records, query, sigma, target, block)
        if every_prior:
            part = part._replace(priors=np.zeros_like(part.priors))
        largest = _largest(part.exceeding_limits(ratio), functools.partial(part.exceeding, ratio), largest)
    return largest


def _largest(limits: FloatArray, value: Callable[[int], float], known: float) -> float:
    """The largest of a known value and of some values, each not above its limit: those are computed that may exceed it.

    NaN if one of these is.
    """
    for place in np.argsort(-limits, kind="stable").tolist():
        if limits[place] <= known:
            break
        known = float(np.maximum(known, value(place)))
    return known


class _Datasets(NamedTuple):
    """Some datasets of one target.

    Attributes
    ----------
    gaps : ndarray, shape (k, p, q)
    shares : ndarray, shape (k, p)
        Prior over the neighbours.
    priors : ndarray, shape (k,)
        Of the target.
    """

    gaps: FloatArray
    shares: FloatArray
    priors: FloatArray

    @classmethod
    def of(cls, records: Records, query: Query, sigma: float, target: int, sets: Sets) -> "_Datasets":
        shares, priors = beliefs(records, target, sets)
        shares = np.full(sets.places.shape, 1 / sets.places.shape[1]) if shares is None else shares
        return cls(sampled_gaps(records, query, sigma, target, sets.places), shares, priors)

    def worst(self, probability: float, rise: float, fall: float) -> tuple[float, float]:
        """The largest upper and the smallest lower quantile of the ratio over the datasets and two known ones."""
        factors = functools.cache(functools.partial(self._factors, probability))
        rise = _largest(self.rise_limits(probability), lambda place: factors(place)[1], rise)
        depth = _largest(1 / self._fall_limits(probability), lambda place: 1 / factors(place)[0], 1 / fall)
        return rise, 1 / depth

    def exceeding(self, ratio: float, place: int) -> float:
        """P(R > r) in one dataset."""
        prior, part = float(self.priors[place]), self._gathered(place, _LONG)
        if part.error > _LARGEST_ERROR:
            return np.nan
        if not part.error or ratio * prior >= 1:
            return float(quantiles.exceeding_probability(part.gaps, ratio, part.shares, prior).value)
        odds = (1 - prior) / (1 / ratio - prior) * math.exp(part.shift + part.error)
        return max(0.0, float(quantiles.exceeding_probability(part.gaps, odds, part.shares, 0.0).value) - _LONG)

    def exceeding_limits(self, ratio: float) -> FloatArray:
        """Limits on P(R > r) of each dataset."""
        return ratio_limits.exceeding_limit(np.sqrt(self._moments()[0]), ratio, self.priors)

    def _factors(self, probability: float, place: int) -> tuple[float, float]:
        """The quantiles of the ratio in one dataset, lower and upper."""
        prior, part = float(self.priors[place]), self._gathered(place, _LONG_SHARE * probability)
        if part.error > _LARGEST_ERROR:
            return np.nan, np.nan
        if not part.error:
            found = quantiles.ratio_quantiles(part.gaps, probability, part.shares, prior)
            return float(found.lower), float(found.upper)
        # At a prior of 0 the ratio is 1 / g. The true g is never below the shifted one, and seldom above it by more than the
        # error.
        found = quantiles.ratio_quantiles(part.gaps, probability * (1 + _LONG_SHARE), part.shares, 0.0)
        least, most = math.exp(part.shift) / found.lower, math.exp(part.shift + part.error) / found.upper
        return float(1 / (prior + (1 - prior) * least)), float(1 / (prior + (1 - prior) * most))

    def _gathered(self, place: int, long: float) -> Gathered:
        """The gaps of one dataset, equal ones put together, and of very many also near ones.

        Noise that is too long for the error that is told has the probability ``long``.
        """
        gaps, shares = merged(self.gaps[place], self.shares[place])
        shares, dimensions = shares / shares.sum(), gaps.shape[1]
        if len(gaps) <= _MOST_GAPS.get(dimensions, _MOST_GAPS_BEYOND):
            return Gathered(gaps, shares, 0.0, 0.0)
        return gathered(gaps, shares, _CELLS, math.sqrt(chdtri(dimensions, long)))

    def rise_limits(self, probability: float) -> FloatArray:
        """Limits on the upper quantile of each dataset: `ratio_limits.rise_limit` with the mean gap in place of the reach."""
        squares, length = self._moments()
        exponent = squares / 2 - ndtri(probability) * length
        with np.errstate(divide="ignore"):
            return np.asarray(1 / (self.priors + (1 - self.priors) * np.exp(-exponent)))

    def _fall_limits(self, probability: float) -> FloatArray:
        """Limits on the lower quantile of each dataset."""
        lengths = np.linalg.norm(self.gaps, axis=2)
        tilts = ratio_limits.tilt(lengths, self.shares, probability)
        log_means = ratio_limits.tilted_mean(lengths, self.shares, tilts)
        return ratio_limits.fall_limit(log_means, tilts, probability, self.priors)

    def _moments(self) -> tuple[FloatArray, FloatArray]:
        """Mean of the squared length of the gaps, and length of their mean, of each dataset."""
        squares = (self.shares * (self.gaps**2).sum(axis=2)).sum(axis=1)
        return squares, np.linalg.norm((self.shares[..., None] * self.gaps).sum(axis=1), axis=1)
