"""The sets of people outside the dataset who could stand in a target's place.

A dataset is a sample of m of the n people, the target among them. So its neighbours are any n - m of the n - 1 others. Of a
table that is itself a sample of the population, each neighbour has the record of one of its rows, drawn with replacement: how
many have the record of each case is multinomial. Infinitely many have it in the proportions of the table.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from disclosure.numerics import checks
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.records import Cases, Records, check_sample
from disclosure.study import streams

__all__ = ["NeighbourSets", "Sets", "drawn_sets", "neighbour_sets", "places_of_a_set"]

# Different sets. Up to this number all are listed, even if fewer datasets are asked for.
_FEW = 100
# Numbers that are drawn, or places that are listed, at once: 8 MB, so that memory does not grow with the number of datasets.
_BLOCK = 1 << 20


class Sets(NamedTuple):
    """Some sets of neighbours of a target.

    Attributes
    ----------
    places : ndarray of int, shape (k, p)
        In the table: one for each neighbour.
    shares : ndarray, shape (k, p), or None
        Prior over the places given that the target is not included, where neighbours are drawn with replacement and a place
        stands for all who have its record.
    prior : float
        The target's prior then.
    """

    places: IntArray
    shares: FloatArray | None = None
    prior: float = math.nan


class NeighbourSets(NamedTuple):
    """The sets of neighbours of a target that are looked at.

    In a whole population there are C(n - 1, n - m) sets, all equally likely. Two sets that differ only in which of several
    equal people they contain count as the same. If few sets are different, all of them are listed; otherwise some are drawn.

    Attributes
    ----------
    number : int
        Number of sets that are listed or drawn.
    probabilities : ndarray, shape (number,), or None
        Probability of each set if all are listed; None for draws, which are equally likely.
    blocks : callable
        Without arguments, to an iterator over the sets, some at a time.
    """

    number: int
    probabilities: FloatArray | None
    blocks: Callable[[], Iterator[Sets]]


def neighbour_sets(
    seed: int, records: Records, sample: int, target: int, datasets: int, few: int = _FEW, block: int = _BLOCK
) -> NeighbourSets:
    """Sets of neighbours of a target: all that are different, if they are few, or as many draws as are asked for.

    Parameters
    ----------
    seed : int
    records : Records
    sample : int
        Size m of the dataset, 1 <= m < n, n the people of the population.
    target : int
        Place in the table.
    datasets : int
        How many sets are drawn, at least 1. All are listed instead if no more than that, or no more than ``few``, are
        different.
    few : int, optional
    block : int, optional
        Numbers that are held at once; changes no result.

    Returns
    -------
    NeighbourSets
    """
    number, datasets = len(records), checks.count("datasets", datasets, 1)
    check_sample(records.size, sample)
    if records.population is not None:
        return _with_replacement(seed, records, sample, target, datasets, max(datasets, few), block)
    listed = _listed_sets(records.cases, number - sample, target, max(datasets, few), block)
    return listed or NeighbourSets(datasets, None, lambda: _drawn_blocks(seed, number, sample, target, datasets, block))


def places_of_a_set(records: Records, sample: int) -> int:
    """Different places of a set of neighbours, at most; it does not grow with the population of which the rows are a sample."""
    neighbours = records.neighbours(sample)
    return int(neighbours if records.population is None else min(neighbours, len(records.cases.first)))


def _drawn_blocks(seed: int, population: int, sample: int, target: int, datasets: int, block: int) -> Iterator[Sets]:
    step = max(1, block // population)
    for start in range(0, datasets, step):
        yield Sets(drawn_sets(seed, population, sample, target, start, min(datasets, start + step)))


def drawn_sets(seed: int, population: int, sample: int, target: int, start: int, stop: int) -> IntArray:
    """Random sets of neighbours: for each dataset n - m of the n - 1 others.

    All sets are equally likely. They belong to the target and the sizes alone, so that epsilon and noise are compared over the
    same datasets. Each dataset takes the n - m people of the smallest of n - 1 uniform numbers, and not those that
    `numpy.random.Generator.choice` gives: it takes a known number of steps in the stream, so that any range of datasets can
    be drawn alone.

    Parameters
    ----------
    seed, population, sample : int
    target : int
        Place in the table.
    start, stop : int
        The datasets ``start, ..., stop - 1``. A dataset has the same neighbours in every range that holds it.

    Returns
    -------
    ndarray of int, shape (stop - start, n - m)
        Places in the table, in order.
    """
    others, neighbours = population - 1, population - sample
    generator = streams.neighbours(seed, population, sample, target, skip=start * others)
    keys = generator.random((stop - start, others))
    found = np.sort(np.argpartition(keys, neighbours - 1, axis=1)[:, :neighbours], axis=1)
    return found + (found >= target)


def _listed_sets(cases: Cases, size: int, target: int, most: int, block: int) -> NeighbourSets | None:
    """All different sets of so many of the others, with their probabilities; None if there are more than ``most``."""
    people = cases.people.copy()
    people[cases.of[target]] -= 1
    groups, others = people[people > 0], len(cases.of) - 1
    if _at_least(groups, size, others) > most:
        return None
    number = sum(1 for _ in itertools.islice(_different_sets(groups, size), most + 1))
    if number > most:
        return None

    def blocks() -> Iterator[Sets]:
        of = cases.of.copy()
        of[target] = len(people)  # behind all others
        order, sets = np.argsort(of, kind="stable")[:others], _different_sets(groups, size)
        while places := list(itertools.islice(sets, max(1, block // others))):
            yield Sets(np.sort(order[np.array(places)], axis=1))

    return NeighbourSets(number, _probabilities(groups, size), blocks)


def _probabilities(groups: IntArray, size: int) -> FloatArray:
    """Of each of the `_different_sets`: its share of all sets, from the number of ways to take its people from the groups."""
    ends = np.cumsum(groups)
    counts = np.array([np.diff(np.searchsorted(chosen, ends), prepend=0) for chosen in _different_sets(groups, size)])
    logs = (gammaln(groups + 1) - gammaln(counts + 1) - gammaln(groups - counts + 1)).sum(axis=1)
    ways = np.exp(logs - logs.max())
    probabilities: FloatArray = ways / ways.sum()
    return probabilities


def _at_least(groups: IntArray, size: int, others: int) -> int:
    """A bound from below on the number of different sets, which needs no listing.

    The number of sets as a function of their size is symmetric and rises towards the middle, and there is one set of one
    person for each group. And the two largest groups can share places in one way more than the smaller of them has people.
    """
    if size == others:
        return 1
    second = int(np.partition(groups, -2)[-2]) if len(groups) > 1 else 0
    return max(len(groups), min(second, size, others - size) + 1)


def _different_sets(groups: IntArray, size: int) -> Iterator[IntArray]:
    """All different choices of so many people out of groups of equal ones, as places in the sequence of the groups."""
    ends, group = np.cumsum(groups), np.repeat(np.arange(len(groups)), groups)
    last_groups = group[len(group) - size :]
    places = np.arange(size)
    while True:
        yield places
        # The next in lexicographic order: from the last place on that can move to a later group, the first who stand there.
        movable = np.flatnonzero(group[places] < last_groups)
        if not movable.size:
            return
        kept = movable[-1]
        start = ends[group[places[kept]]]
        places = np.concatenate([places[:kept], np.arange(start, start + size - kept)])


def _with_replacement(
    seed: int, records: Records, sample: int, target: int, datasets: int, most: int, block: int
) -> NeighbourSets:
    """Sets of neighbours drawn from the rows: the law of infinitely many, all of up to ``most``, or as many draws as asked."""
    cases, size = records.cases, records.neighbours(sample)
    shares, prior, width = cases.people / len(records), 1 / (size + 1), places_of_a_set(records, sample)
    if size == math.inf:
        return NeighbourSets(1, np.ones(1), lambda: iter([Sets(cases.first[None], shares[None], prior)]))
    size = int(size)
    # Multisets of so many of the cases.
    number = math.comb(size + len(shares) - 1, size) if size <= most else most + 1
    if number <= most:

        def listed() -> Iterator[Sets]:
            sets = _multisets(len(shares), size)
            while places := list(itertools.islice(sets, max(1, block // size))):
                yield Sets(cases.first[np.array(places)], np.full((len(places), size), 1 / size), prior)

        return NeighbourSets(number, _multinomial(shares, size), listed)

    def drawn() -> Iterator[Sets]:
        generator, step = streams.neighbours(seed, sample + size, sample, target), max(1, block // len(shares))
        for start in range(0, datasets, step):
            counts = generator.multinomial(size, shares, min(step, datasets - start))
            places, parts = _without_zeros(counts, width)
            yield Sets(cases.first[places], parts / size, prior)

    return NeighbourSets(datasets, None, drawn)


def _multisets(cases: int, size: int) -> Iterator[tuple[int, ...]]:
    return itertools.combinations_with_replacement(range(cases), size)


def _multinomial(shares: FloatArray, size: int) -> FloatArray:
    """Of each of the `_multisets`: its probability if each of its members has the cases with these shares."""
    logs = np.log(shares)
    found = [
        logs[list(chosen)].sum() - gammaln(np.bincount(chosen) + 1).sum() for chosen in _multisets(len(shares), size)
    ]
    ways = np.exp(np.array(found) - max(found))
    return np.asarray(ways / ways.sum())


def _without_zeros(counts: IntArray, width: int) -> tuple[IntArray, FloatArray]:
    """Places and values of the counts above 0 in each row, at most so many.

    A row with fewer has its first place several times, and its count in equal parts.
    """
    places = np.argsort(counts == 0, axis=1, kind="stable")[:, :width]
    values = np.take_along_axis(counts, places, axis=1)
    first = values == 0
    first[:, 0] = True
    parts = values[:, :1] / first.sum(axis=1, keepdims=True)
    return np.where(first, places[:, :1], places), np.where(first, parts, values)
