"""Limits on what a release reveals that hold for everybody in a table and for every dataset, without sampling either.

By `beliefs.ratio_limits` the risk of a target rises in its reach, the root mean square distance to its n - m neighbours. Over
all datasets that is largest where the neighbours are the farthest of the others. So one look at the others gives a limit for
every dataset.

Over people the reach is a convex function of the record: it is the largest, over sets of neighbours, of norms. So it is largest
at a vertex of the convex hull of all records. Where the vertices are not known, people are taken in the order of a limit that
costs little: by the triangle inequality nobody's reach is above the distance from the centre plus the reach of the centre. As
soon as nobody who is left can exceed what was found, that is the answer for everybody. If it takes too long to come so far, the
answer is the limit of those who are left: not attained by anybody, but not exceeded either.

Of a table that is a sample of its population, all others may have the farthest record, and infinitely many have all rows in
their proportions. The reach is then the largest distance, or the root mean square one, and convex in the record as well.
"""

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from disclosure.beliefs import ratio_limits
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.priors import largest_prior, smallest_prior, smallest_priors
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records

__all__ = ["Limit", "Limits", "largest_mean"]

# Numbers that are looked at in the search over people, at most: some seconds of work. And people, at least.
_WORK, _LEAST_PEOPLE = 50_000_000, 50
# Columns up to which the vertices of the hull are looked for: in more dimensions there are too many of them.
_MOST_HULL_COLUMNS = 3
# Share of the largest singular value of the records up to which a direction counts as not spanned.
_NO_SPREAD = 1e-12
# Relative rounding of the cheap limits: sums of n terms, added pairwise.
_ROUNDING = 64 * UNIT
# Distances for which the limit on falling is evaluated if there are more; the others take that of the next larger one.
_GRID = 64


class Limit(NamedTuple):
    """The largest of a quantity over everybody and every dataset, or what it does not exceed.

    Attributes
    ----------
    value : float
        Nobody's is above.
    place : int
        Place in the table, counted from 0, of the person whose own limit is the largest that was found.
    own : float
        That person's limit: equal to ``value`` unless the search ended early.
    """

    value: float
    place: int
    own: float


def largest_mean(values: FloatArray, weights: FloatArray | None, size: int) -> tuple[float, IntArray]:
    """The largest weighted mean of so many of some values.

    Parameters
    ----------
    values : ndarray, shape (k,)
        At least 0.
    weights : ndarray, shape (k,), or None
        Above 0; None for all alike.
    size : int
        From 1 to k.

    Returns
    -------
    mean : float
    places : ndarray of int, shape (size,)
        Of the values whose mean it is.

    Notes
    -----
    With weights w the mean of a set exceeds a level l if the sum of w (v - l) over it is above 0, and the best set for that is
    known for each l. With the mean of that set as the next level, the means rise until the set stays the same: Dinkelbach's
    method, which ends after a few steps as there are finitely many sets.
    """
    if weights is None:
        places = np.argpartition(values, len(values) - size)[len(values) - size :]
        return float(values[places].mean()), places
    mean, places = -np.inf, np.arange(0)
    while True:
        gains = weights * (values - (0.0 if mean == -np.inf else mean))
        chosen = np.argpartition(gains, len(gains) - size)[len(gains) - size :]
        found = float(weights[chosen] @ values[chosen] / weights[chosen].sum())
        if found <= mean:
            return mean, places
        mean, places = found, chosen


@dataclasses.dataclass(frozen=True, eq=False)
class Limits:
    """What no dataset exceeds, for each person of a table and for everybody.

    Attributes
    ----------
    records : Records
    query : LinearQuery
    sample : int
        Size m of the dataset, at least 1 and less than the population.
    most : int, optional
        People who are looked at in a search over everybody, at most; by default as many as take some seconds.
    """

    records: Records
    query: LinearQuery
    sample: int
    most: int | None = None

    @property
    def neighbours(self) -> int:
        """Over how many records the largest mean is: n - m others.

        Drawn with replacement all others may have the farthest record, so that it is one. Infinitely many have all rows.
        """
        population = self.records.population
        if population is None:
            return len(self.records) - self.sample
        return len(self.records) if population == math.inf else 1

    @functools.cached_property
    def _reaches(self) -> dict[int, float]:
        return {}

    def farthest(self, target: int) -> tuple[float, IntArray]:
        """The largest reach of a target over all sets of neighbours, in the units of the answer, and the set of places."""
        places = np.arange(len(self.records))
        others = places if self.records.population is not None else np.delete(places, target)
        mean, chosen = largest_mean(self._lengths(target) ** 2, self._weights_beside(target), self.neighbours)
        return float(np.sqrt(mean)), others[chosen]

    def reach(self, target: int) -> float:
        """The largest reach of a target over all sets of neighbours, in the units of the answer."""
        if target not in self._reaches:
            self._reaches[target] = self.farthest(target)[0]
        return self._reaches[target]

    def rise(self, target: int, sigma: float, probability: float) -> float:
        """A factor that belief in a target's presence does not rise beyond, in any dataset, except with a probability."""
        prior = smallest_prior(self.records, self.sample, target)
        return float(ratio_limits.rise_limit(self.reach(target) / sigma, probability, prior))

    def posterior(self, target: int, sigma: float, probability: float) -> float:
        """A posterior that no dataset leads beyond, except with a probability."""
        prior = largest_prior(self.records, self.sample, target)
        if prior == 0:  # one of infinitely many
            return 0.0
        return float(ratio_limits.posterior_limit(self.reach(target) / sigma, probability, prior))

    def fall(self, target: int, sigma: float, probability: float) -> float:
        """A factor that belief in a target's presence does not fall below, in any dataset, except with a probability."""
        terms = ratio_limits.falling_terms(self._lengths(target) / sigma, probability)
        mean, _ = largest_mean(terms, self._weights_beside(target), self.neighbours)
        return float(ratio_limits.fall_limit(mean, smallest_prior(self.records, self.sample, target)))

    def exceeding(self, target: int, sigma: float, ratio: float, every_prior: bool = False) -> float:
        """A probability that the ratio exceeds a stated one with at most, in any dataset, or also for every prior."""
        prior = 0.0 if every_prior else smallest_prior(self.records, self.sample, target)
        return float(ratio_limits.exceeding_limit(self.reach(target) / sigma, ratio, prior))

    def noise(self, target: int, ratio: float, failure: float, every_prior: bool = False) -> float:
        """The noise from which on `exceeding` is at most ``failure``, there and at every larger sigma."""
        prior = 0.0 if every_prior else smallest_prior(self.records, self.sample, target)
        return self.reach(target) / float(ratio_limits.reach_for(ratio, failure, prior))

    def rise_of_all(self, sigma: float, probability: float) -> Limit:
        """`rise` over everybody."""
        return self._by_reach(
            lambda target: self.rise(target, sigma, probability),
            lambda reach, prior: ratio_limits.rise_limit(reach / sigma, probability, prior),
        )

    def exceeding_of_all(self, sigma: float, ratio: float, every_prior: bool = False) -> Limit:
        """`exceeding` over everybody."""
        return self._by_reach(
            lambda target: self.exceeding(target, sigma, ratio, every_prior),
            lambda reach, prior: ratio_limits.exceeding_limit(
                reach / sigma, ratio, 0 * prior if every_prior else prior
            ),
        )

    def noise_of_all(self, ratio: float, failure: float, every_prior: bool = False) -> Limit:
        """`noise` over everybody."""
        return self._by_reach(
            lambda target: self.noise(target, ratio, failure, every_prior),
            lambda reach, prior: reach / ratio_limits.reach_for(ratio, failure, 0 * prior if every_prior else prior),
        )

    def fall_of_all(self, sigma: float, probability: float) -> Limit:
        """1 over `fall` over everybody: the largest factor by which belief falls."""
        lengths = self._from_centre
        # While no gap is above z, Phi(gap - z) is convex in the gap, and the limit is largest at a vertex.
        convex = 2 * lengths.max() / sigma <= -ndtri(probability)
        places = self._outermost if convex and self.records.weights is None else self.records.cases.first
        # The mean term of a person so far from the centre is not above the one with all of the others straight behind it.
        own = lengths[places] * (1 + _ROUNDING)
        grid = np.unique(own) if len(places) <= _GRID else np.linspace(0, own.max(), _GRID)
        means = np.array([self._mean_term((length + lengths) / sigma, probability) for length in grid])
        limits = 1 / ratio_limits.fall_limit(means[np.searchsorted(grid, own)], self._smallest_priors[places])
        return self._search(lambda target: 1 / self.fall(target, sigma, probability), places, limits * (1 + _ROUNDING))

    def _by_reach(self, own: Callable[[int], float], limit: Callable[[FloatArray, FloatArray], FloatArray]) -> Limit:
        """The largest over everybody of a function that rises in the reach and does not rise in the prior."""
        places = self._outermost if self.records.weights is None else self.records.cases.first
        lengths = self._from_centre
        centre = np.sqrt(largest_mean(lengths**2, self.records.weights, self.neighbours)[0])
        reaches = (lengths[places] + centre) * (1 + _ROUNDING)
        return self._search(own, places, limit(reaches, self._smallest_priors[places]))

    def _search(self, own: Callable[[int], float], places: IntArray, limits: FloatArray) -> Limit:
        """The largest of everybody's own values, none of which is above the person's limit."""
        order = np.argsort(-limits, kind="stable")
        most = self.most or max(_LEAST_PEOPLE, _WORK // len(self.records))
        best, largest = -np.inf, 0
        for count, place in enumerate(order.tolist()):
            if limits[place] <= best:
                break
            if count == most:
                return Limit(float(limits[place]), largest, best)
            value = own(int(places[place]))
            if value > best:
                best, largest = value, int(places[place])
        return Limit(best, largest, best)

    def _lengths(self, target: int) -> FloatArray:
        """Distances of the answers to those with each of the others in the target's place."""
        others = self.records.of_others(target)
        return np.asarray(np.linalg.norm(self.query.differences(self.records.values[target], others), axis=1))

    def _weights_beside(self, target: int) -> FloatArray | None:
        return None if self.records.weights is None else np.delete(self.records.weights, target)

    def _mean_term(self, lengths: FloatArray, probability: float) -> float:
        """The largest mean of `falling_terms` over neighbours among everybody."""
        terms = ratio_limits.falling_terms(lengths, probability)
        return largest_mean(terms, self.records.weights, self.neighbours)[0]

    @functools.cached_property
    def _smallest_priors(self) -> FloatArray:
        return smallest_priors(self.records, self.sample)

    @functools.cached_property
    def _from_centre(self) -> FloatArray:
        """Distances of everybody's record from the middle of all, in the units of the answer."""
        values = self.records.values
        middle = (values.max(axis=0) + values.min(axis=0)) / 2
        return np.asarray(np.linalg.norm(self.query.differences(middle, values), axis=1))

    @functools.cached_property
    def _outermost(self) -> IntArray:
        """Places of people, one of each case, among whom the largest of every convex function of the record is."""
        return _outermost(self.records.values, self.records.cases.first)


def _outermost(values: FloatArray, places: IntArray) -> IntArray:
    """Those of some places whose records are vertices of the convex hull; all of them where it is not looked for."""
    centred = values[places] - values[places].mean(axis=0)
    if values.shape[1] > _MOST_HULL_COLUMNS:
        return places
    _, spread, axes = np.linalg.svd(centred.T @ centred)
    reduced = centred @ axes[np.sqrt(spread) > _NO_SPREAD * np.sqrt(spread[0])].T
    if reduced.shape[1] == 0:
        return places[:1]
    if reduced.shape[1] == 1:
        ends: IntArray = places[np.unique([reduced[:, 0].argmin(), reduced[:, 0].argmax()])]
        return ends
    if len(places) <= reduced.shape[1] + 1:
        return places
    from scipy.spatial import ConvexHull, QhullError  # slow to import, and one column needs none

    try:
        outermost: IntArray = places[np.sort(ConvexHull(reduced).vertices)]
        return outermost
    except QhullError:
        return places
