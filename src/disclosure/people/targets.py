"""Who is looked at as a target, and over how many datasets."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.effort import quick_datasets, quick_targets
from disclosure.people.neighbour_sets import places_of_a_set
from disclosure.people.records import Records, equal
from disclosure.study import streams

__all__ = [
    "EVERYBODY",
    "FARTHEST",
    "LIGHTEST",
    "SAMPLED",
    "Targets",
    "affordable",
    "targets",
]

# Why somebody is a target.
EVERYBODY, EXPOSED, FARTHEST, LIGHTEST, SAMPLED = "everybody", "exposed", "farthest", "lightest", "sampled"

# People, far from each other, from whom distances are measured to find who is farthest from somebody.
_ENDS = 32
# People who are targets because they stick out, at most.
_MOST_FARTHEST = 5


class Targets(NamedTuple):
    """People who are looked at as targets, one of each case.

    Attributes
    ----------
    places : ndarray of int, shape (t,)
        In the table, counted from 0, in order.
    chosen : ndarray of str, shape (t,)
        Why each of them is there: ``everybody``, ``exposed``, ``farthest``, ``lightest`` or ``sampled``.
    people : ndarray of int, shape (t,)
        How many people are like each of them, themselves included.
    """

    places: IntArray
    chosen: NDArray[np.str_]
    people: IntArray

    def part(self, start: int, stop: int) -> "Targets":
        """The targets ``start, ..., stop - 1``."""
        return Targets(self.places[start:stop], self.chosen[start:stop], self.people[start:stop])


def targets(seed: int, records: Records, number: int, exposed: int | None = None) -> Targets:
    """People who are looked at as targets: everybody, or those who stick out and a random sample of the others.

    Parameters
    ----------
    seed : int
    records : Records
    number : int
        How many, at least 1 (2 with weights). Everybody is a target from the number of cases on. Of fewer, five stick out, or
        half of the targets if that is less: those from whom somebody is farthest away, among equals those farthest from the
        mean of all, one of each record. Their bad regions are the largest. T of the others may still be larger, by a factor
        of n - m at most at the same distance. With weights the person of the smallest weight, who has the smallest prior, is
        a target as well.

    exposed : int, optional
        Place of somebody who is a target in any case, unless that left nobody to be sampled: of the largest limit of everybody
        (`disclosure.people.limits`).

    Returns
    -------
    Targets
        A larger number keeps the people of a smaller one.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For fewer targets than that.
    """
    cases, values = records.cases, records.values
    if checks.count("targets", number, 1) >= len(cases.first):
        return Targets(cases.first, np.full(len(cases.first), EVERYBODY), cases.people)
    reasons = _sticking_out(records, number, exposed)
    order = streams.targets(seed, len(values)).permutation(len(values))
    first = np.zeros(len(values), dtype=bool)
    first[cases.first] = True
    first[list(reasons)] = False
    for place in order[first[order]][: number - len(reasons)].tolist():
        reasons[place] = SAMPLED
    places = np.sort(list(reasons))
    chosen = np.array([reasons[place] for place in places.tolist()])
    return Targets(places, chosen, cases.people[cases.of[places]])


def _sticking_out(records: Records, number: int, exposed: int | None) -> dict[int, str]:
    """Places of the people who stick out, and why; at most half of so many targets, but for the lightest of two."""
    cases, values, reasons = records.cases, records.values, dict[int, str]()
    if records.weights is not None:
        if number == 1:
            raise errors.DomainError(
                "targets = 1 leaves nobody beside the person with the smallest prior; allowed with weights: at least 2"
            )
        reasons[int(cases.first[cases.of[np.argmin(records.weights)]])] = LIGHTEST
    different = cases.first if records.weights is None else equal(values).first
    for place in different[_outward(values[different], values.mean(axis=0))][:_MOST_FARTHEST].tolist():
        if len(reasons) < number // 2:
            reasons.setdefault(place, FARTHEST)
    if exposed is not None and len(reasons) < number - 1:
        reasons.setdefault(int(cases.first[cases.of[exposed]]), EXPOSED)
    return reasons


def _outward(values: FloatArray, mean: FloatArray) -> IntArray:
    """Order from the record to which somebody is farthest; among those equally far, from the one farthest from the mean."""
    return np.lexsort([-np.linalg.norm(values - mean, axis=1), -_reach(values, mean)])


def _reach(values: FloatArray, mean: FloatArray) -> FloatArray:
    """Everybody's distance to the farthest of some people far from each other, each taken farthest from those before."""
    distances: FloatArray = np.linalg.norm(values - mean, axis=1)
    nearest, farthest = np.full(len(values), np.inf), np.zeros(len(values))
    for _ in range(_ENDS):
        distances = np.linalg.norm(values - values[np.argmax(distances)], axis=1)
        nearest, farthest = np.minimum(nearest, distances), np.maximum(farthest, distances)
        distances = nearest
    return farthest


def affordable(
    seed: int,
    records: Records,
    sample: int,
    number: int | None = None,
    datasets: int | None = None,
    rounds: int = 1,
    exposed: int | None = None,
) -> tuple[Targets, int]:
    """Targets and the number of datasets of each, by default as many as some seconds allow.

    By default everybody is a target, of people who are alike one, with 100 datasets each. If that takes long, there are fewer
    datasets, at least 10; then fewer people; and in the largest tables 6 people with 2 datasets, which for 10^6 rows and two
    columns is some 16 seconds, and 280 MB.

    Parameters
    ----------
    seed : int
        Root seed, at least 0.
    records : Records
    sample : int
        Size m of the dataset, 1 <= m < n.
    number : int, optional
        How many targets.
    datasets : int, optional
        How many datasets of each, at least 1.
    rounds : int, optional
        How often all is computed.
    exposed : int, optional
        As in `targets`.

    Returns
    -------
    targets : Targets
    datasets : int
    """
    checks.count("seed", seed, 0)
    dimensions, neighbours = records.values.shape[1], places_of_a_set(records, sample)
    if records.population == math.inf:
        datasets = 1  # the law of infinitely many others is one
    if number is None:
        number = quick_targets(len(records.cases.first), neighbours, dimensions, datasets, rounds)
    chosen = targets(seed, records, number, exposed)
    if datasets is None:
        datasets = quick_datasets(len(chosen.places), neighbours, dimensions, rounds)
    return chosen, checks.count("datasets", datasets, 1)
