"""Limits on what a release reveals that hold for everybody in a table and for every dataset, without sampling either.

By `beliefs.ratio_limits` the risk of a target rises in its reach, the root mean square distance to its n - m neighbours. Over
all datasets that is largest where the neighbours are the farthest of the others. So one look at the others gives a limit for
every dataset. With weights the heaviest sets of neighbours make the smallest prior, at which the ratio has most room, and need
not be the farthest. Which reach and which prior go together is what `best_sets` say.

Over people the reach is a convex function of the record: it is the largest, over sets of neighbours, of norms. So it is largest
at a vertex of the convex hull of all records. So is the limit on falling, which is quasi-convex in it (docs/method.md). Where
the vertices are not known, people are taken in the order of a limit that costs little: by the triangle inequality no reach is
above the distance from the centre plus the reach of the centre. The person of the largest limit gets a better one, until the
largest is a person's own: nobody's is above. If it takes too long to come so far, the answer is the largest limit then, or that
of a reach as large as the sensitivity where it is less: not attained by anybody, but not exceeded either.

Of a table that is a sample of its population, all others may have the farthest record, and infinitely many have all rows in
their proportions. The reach is then the largest distance, or the root mean square one, and convex in the record as well.
"""

import dataclasses
import functools
import heapq
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from disclosure.beliefs import ratio_limits
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.best_sets import BestSets, best_sets, largest_mean
from disclosure.people.priors import smallest_priors
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records

__all__ = ["Limit", "Limits"]

# Numbers that are looked at in the search over people, at most: some seconds of work. And people, at least. The reaches of sets
# of each weight are as much work as the largest one of so many people.
_WORK, _LEAST_PEOPLE, _SETS_OF_WEIGHTS = 50_000_000, 50, 10
# Classes of sets by weight for the limit that costs little.
_CLASSES = 16
# Columns up to which the vertices of the hull are looked for: in more dimensions there are too many of them.
_MOST_HULL_COLUMNS = 3
# Share of the largest singular value of the records up to which a direction counts as not spanned.
_NO_SPREAD = 1e-12
# Relative rounding of the cheap limits: sums of n terms, added pairwise.
_ROUNDING = 64 * UNIT
# Tilts for which the limit on falling is evaluated at little cost, from 0 to the largest: so near each other that it is above
# the best by some per cent. And further ones for sets of other weights than the farthest.
_TILTS, _FEW_TILTS = 16, 6


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
    def _best(self) -> dict[int, BestSets]:
        return {}

    def _reaches(self, target: int) -> BestSets:
        """The largest squared reaches of a target, in the units of the answer, over sets of each weight."""
        if target not in self._best:
            self._best[target] = best_sets(self._lengths(target) ** 2, self._weights_beside(target), self.neighbours)
        return self._best[target]

    def _priors(self, target: int | IntArray, weights: FloatArray) -> FloatArray:
        """Priors of a target, or of several, beside neighbours of some weights together."""
        if self.records.weights is None:
            return np.full(weights.shape, 1 / (self.records.neighbours(self.sample) + 1))
        own = self.records.weights[target]
        return np.asarray(own / (own + weights))

    def farthest(self, target: int) -> tuple[float, IntArray]:
        """The largest reach of a target over all sets of neighbours, in the units of the answer, and the set of places."""
        places = np.arange(len(self.records))
        others = places if self.records.population is not None else np.delete(places, target)
        mean, chosen = largest_mean(self._lengths(target) ** 2, self._weights_beside(target), self.neighbours)
        return float(np.sqrt(mean)), others[chosen]

    def reach(self, target: int) -> float:
        """The largest reach of a target over all sets of neighbours, in the units of the answer."""
        return float(np.sqrt(self._reaches(target).means.max()))

    def rise(self, target: int, sigma: float, probability: float) -> float:
        """A factor that belief in a target's presence does not rise beyond, in any dataset, except with a probability."""
        sets = self._reaches(target)
        priors = self._priors(target, sets.heaviest)
        return float(ratio_limits.rise_limit(np.sqrt(sets.means) / sigma, probability, priors).max())

    def posterior(self, target: int, sigma: float, probability: float) -> float:
        """A posterior that no dataset leads beyond, except with a probability."""
        sets = self._reaches(target)
        priors = self._priors(target, sets.lightest)
        if not priors.all():  # one of infinitely many
            return 0.0
        return float(ratio_limits.posterior_limit(np.sqrt(sets.means) / sigma, probability, priors).max())

    def fall(self, target: int, sigma: float, probability: float) -> float:
        """A factor that belief in a target's presence does not fall below, in any dataset, except with a probability."""
        gaps, weights = self._lengths(target) / sigma, self._weights_beside(target)
        tilts = np.atleast_1d(self._tilt(gaps, weights, probability))
        if weights is not None:  # the heaviest sets need not be the farthest, and others may be best for them
            tilts = np.append(tilts, np.linspace(0, -ndtri(probability), _FEW_TILTS))
        log_means, heaviest = zip(*(self._tilted(gaps, weights, tilt) for tilt in tilts.tolist()), strict=True)
        priors = self._priors(target, heaviest[0])
        factors = ratio_limits.fall_limit(np.array(log_means), tilts[:, None], probability, priors)
        return float(factors.max(axis=0).min())

    def _tilt(self, gaps: FloatArray, weights: FloatArray | None, probability: float) -> float:
        """The best tilt for the farthest neighbours."""
        _, farthest = largest_mean(gaps**2, weights, self.neighbours)
        shares = np.ones(len(farthest)) if weights is None else weights[farthest]
        return float(ratio_limits.tilt(gaps[farthest], shares, probability))

    def exceeding(self, target: int, sigma: float, ratio: float, every_prior: bool = False) -> float:
        """A probability that the ratio exceeds a stated one with at most, in any dataset, or also for every prior."""
        reaches, priors = self._reaches_and_priors(target, every_prior)
        return float(ratio_limits.exceeding_limit(reaches / sigma, ratio, priors).max())

    def noise(self, target: int, ratio: float, failure: float, every_prior: bool = False) -> float:
        """The noise from which on `exceeding` is at most ``failure``, there and at every larger sigma."""
        reaches, priors = self._reaches_and_priors(target, every_prior)
        return float((reaches / ratio_limits.reach_for(ratio, failure, priors)).max())

    def _reaches_and_priors(self, target: int, every_prior: bool) -> tuple[FloatArray, FloatArray]:
        sets = self._reaches(target)
        priors = np.zeros(len(sets.means)) if every_prior else self._priors(target, sets.heaviest)
        return np.sqrt(sets.means), priors

    def _log_mean(self, gaps: FloatArray, weights: FloatArray | None, tilt: float) -> float:
        """Logarithm of the largest mean of e^(k |c|) over sets of neighbours."""
        largest = tilt * float(gaps.max())
        return largest + math.log(largest_mean(np.exp(tilt * gaps - largest), weights, self.neighbours)[0])

    def _tilted(self, gaps: FloatArray, weights: FloatArray | None, tilt: float) -> tuple[FloatArray, FloatArray]:
        """Logarithms of the largest means of e^(k |c|) over sets of each weight, and these weights at most."""
        largest = tilt * gaps.max()
        sets = best_sets(np.exp(tilt * gaps - largest), weights, self.neighbours)
        return largest + np.log(sets.means), sets.heaviest

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

        def falls(log_mean: ArrayLike, tilt: float, targets: int | IntArray) -> FloatArray:
            priors = self._smallest_priors[targets]
            with np.errstate(divide="ignore"):
                return 1 / ratio_limits.fall_limit(log_mean, tilt, probability, priors) * (1 + _ROUNDING)

        def better(target: int) -> float:
            gaps, weights = self._lengths(target) / sigma, self._weights_beside(target)
            tilt = self._tilt(gaps, weights, probability)
            return float(falls(self._log_mean(gaps, weights, tilt), tilt, target))

        places, gaps = self._candidates, self._from_centre / sigma
        distances, limits = gaps[places] * (1 + _ROUNDING), np.full(len(places), np.inf)
        for tilt in np.linspace(0, -ndtri(probability), _TILTS).tolist():
            # All of the others straight behind the centre.
            log_mean = self._log_mean(gaps, self.records.weights, tilt) + tilt * distances
            limits = np.minimum(limits, falls(log_mean, tilt, places))
        within = ratio_limits.fall_limit_within(
            self.query.sensitivity * (1 + _ROUNDING) / sigma, probability, self._smallest_priors[places]
        )
        ceiling = float(1 / within.min()) * (1 + _ROUNDING)
        return self._search(places, limits, ceiling, better, lambda target: 1 / self.fall(target, sigma, probability))

    def _by_reach(self, own: Callable[[int], float], limit: Callable[[FloatArray, FloatArray], FloatArray]) -> Limit:
        """The largest over everybody of a function that rises in the reach and does not rise in the prior."""

        def better(target: int) -> float:
            reach = np.array(self.farthest(target)[0] * (1 + _ROUNDING))
            return float(limit(reach, self._smallest_priors[target]))

        places, limits = self._candidates, np.array(-np.inf)
        sets = best_sets(self._from_centre**2, self.records.weights, self.neighbours, _CLASSES)
        for mean, heaviest in zip(sets.means, sets.heaviest, strict=True):
            reaches = (self._from_centre[places] + np.sqrt(mean)) * (1 + _ROUNDING)
            limits = np.maximum(limits, limit(reaches, self._priors(places, np.full(len(places), heaviest))))
        farthest = np.array(self.query.sensitivity * (1 + _ROUNDING))
        ceiling = float(limit(farthest, self._smallest_priors[places]).max())
        return self._search(places, limits, ceiling, better, own)

    def _search(
        self,
        places: IntArray,
        limits: FloatArray,
        ceiling: float,
        better: Callable[[int], float],
        own: Callable[[int], float],
    ) -> Limit:
        """The largest of everybody's own values, none of which is above the person's limit, or above a better one.

        The largest limit is always the next to be replaced by a better one, and then by the own value. Without weights the
        better limit is the own value. Nobody's value is above the ceiling either, which the stated ranges give; it does
        not tell who is next.
        """
        steps = (own,) if self.records.weights is None else (better, own)
        order, work = np.argsort(-limits, kind="stable"), self.most or max(_LEAST_PEOPLE, _WORK // len(self.records))
        waiting: list[
            tuple[float, int, int]
        ] = []  # less a limit, the place in the order, and the steps that were taken
        begun, best, largest = 0, -np.inf, 0
        while True:
            if begun == len(order) or (waiting and -waiting[0][0] >= limits[order[begun]]):
                less, number, taken = heapq.heappop(waiting)
            else:
                less, number, taken = -float(limits[order[begun]]), begun, 0
                begun += 1
            if taken == len(steps):
                return Limit(-less, largest, best)
            if work <= 0 and best > -np.inf:
                return Limit(max(best, min(-less, ceiling)), largest, best)
            target = int(places[order[number]])
            value = steps[taken](target)
            work -= _SETS_OF_WEIGHTS if taken else 1
            if taken + 1 == len(steps) and value > best:
                best, largest = value, target
            heapq.heappush(waiting, (-value, number, taken + 1))

    def _lengths(self, target: int) -> FloatArray:
        """Distances of the answers to those with each of the others in the target's place."""
        others = self.records.of_others(target)
        return np.asarray(np.linalg.norm(self.query.differences(self.records.values[target], others), axis=1))

    def _weights_beside(self, target: int) -> FloatArray | None:
        return None if self.records.weights is None else np.delete(self.records.weights, target)

    @functools.cached_property
    def _smallest_priors(self) -> FloatArray:
        return smallest_priors(self.records, self.sample)

    @functools.cached_property
    def _from_centre(self) -> FloatArray:
        """Distances of everybody's record from the middle of all, in the units of the answer."""
        values = self.records.values
        middle = (values.max(axis=0) + values.min(axis=0)) / 2
        return np.asarray(np.linalg.norm(self.query.differences(middle, values), axis=1))

    @property
    def _candidates(self) -> IntArray:
        """Places of people among whom the largest limit of everybody is: with weights it may be anybody's."""
        return self._outermost if self.records.weights is None else self.records.cases.first

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
