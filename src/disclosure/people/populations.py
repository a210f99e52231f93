"""A population given as a table of records, and who is looked at: people as targets, and sets of people as their neighbours.

A table is a CSV file with a header. Rows are named by their number, counted from 1 without the header, and by their line in the
file where something is wrong with them. People with equal records and equal weights are one *case*: a release tells the same
about each of them.
"""

import contextlib
import csv
import dataclasses
import functools
import itertools
from array import array
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from disclosure.numerics import checks, errors, numerals
from disclosure.study import streams

__all__ = [
    "Cases",
    "NeighbourSets",
    "Population",
    "Targets",
    "check_sample",
    "drawn_sets",
    "equal",
    "neighbour_sets",
    "read",
    "repeated",
    "targets",
]

_SHOWN = 5
_ROWS = 1 << 14  # rows that are read at once: the texts of their cells take some megabytes
_APART = 32  # people that stand for the ends of a table in all directions
_FARTHEST = 5
# Sets of neighbours so few are all looked at, however few datasets are asked for.
_FEW = 100
# Numbers that are drawn, or places that are listed, at once, so that memory does not grow with the number of datasets.
_CHUNK = 1 << 20


class Cases(NamedTuple):
    """Groups of people who are alike.

    Attributes
    ----------
    first : ndarray of int, shape (k,)
        Place of the first person of each case in the table, in order.
    people : ndarray of int, shape (k,)
        How many people each case has.
    of : ndarray of int, shape (n,)
        The case of each person.
    """

    first: np.ndarray
    people: np.ndarray
    of: np.ndarray


@dataclasses.dataclass(frozen=True, eq=False)
class Population:
    """People and their attributes.

    Attributes
    ----------
    columns : tuple of Column
    values : ndarray, shape (n, q)
        Attributes in their own units, within the stated ranges.
    weights : ndarray, shape (n,), or None
        How likely the adversary holds each person to be the one, up to a common factor; None for all alike.
    clipped : int
        How many values were moved to the nearer end of their range.
    """

    columns: tuple
    values: np.ndarray
    weights: np.ndarray | None = None
    clipped: int = 0

    @functools.cached_property
    def cases(self):
        """The people with equal records and equal weights, put together: `Cases`."""
        return equal(self.values if self.weights is None else np.column_stack([self.values, self.weights]))


def read(path, columns, weights=None, clip=False, whole=False):
    """Read the columns of a table and hold them against their ranges.

    Memory is 8 bytes for each row, and for each row and column, twice: 48 MB for 10^6 rows of two columns.

    Parameters
    ----------
    path : path-like
    columns : sequence of Column
    weights : str, optional
        Name of a column of positive numbers, the adversary's prior over the candidates up to a factor.
    clip : bool, optional
        Accept values outside their range and move them to its nearer end, as the release then has to do as well.
    whole : bool, optional
        Refuse values that are neither 0 nor 1, for a count.

    Returns
    -------
    Population

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Naming the column and the rows, for a column that is not there, cells that are no numbers (`numerals`), values outside
        their range, and weights that are not positive.
    """
    names = [column.name for column in columns]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise errors.DomainError(f"columns names {twice} twice; name every column once")
    wanted = names if weights is None else [*names, weights]
    cells, lines = _numbers(path, wanted)
    clipped = 0
    for place, column in enumerate(columns):
        values = cells[:, place]
        outside = (values < column.low) | (values > column.high)
        if outside.any() and not clip:
            raise errors.DomainError(
                f"{path}: {column.name} is outside {column.low:g} to {column.high:g} in "
                f"{_rows(np.flatnonzero(outside), lines, values)}; state a wider range, or accept them with --clip"
            )
        clipped += int(np.count_nonzero(outside))
        np.clip(values, column.low, column.high, out=values)
        if whole and (other := (values != 0) & (values != 1)).any():
            raise errors.DomainError(
                f"{path}: {column.name} is neither 0 nor 1 in {_rows(np.flatnonzero(other), lines, values)}; a count needs a "
                "column of zeros and ones"
            )
    if weights is None:
        return Population(tuple(columns), cells, None, clipped)
    if (none := ~(cells[:, -1] > 0)).any():
        raise errors.DomainError(
            f"{path}: {weights} is not above 0 in {_rows(np.flatnonzero(none), lines, cells[:, -1])}; leave out people who are "
            "no candidates"
        )
    return Population(tuple(columns), np.ascontiguousarray(cells[:, :-1]), cells[:, -1].copy(), clipped)


@contextlib.contextmanager
def _opened(path):
    """The rows of a table below its header, and the header."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file, strict=True)
            yield reader, [name.strip() for name in next(reader, [])]
        except (csv.Error, UnicodeDecodeError) as error:
            raise errors.DomainError(f"{path}: is no CSV table in UTF-8 ({error})") from None


def _numbers(path, names):
    """Columns as an array of floats, and the line in the file of each row."""
    parts, lines = [], array("q")
    wrong, texts = array("q"), {}
    with _opened(path) as (reader, header):
        if not header:
            raise errors.DomainError(
                f"{path}: is empty; expected a header with {', '.join(names)}, and a row for each person"
            )
        places = _places(path, header, names)
        while block := list(itertools.islice(_rows_of(path, reader, len(header), lines), _ROWS)):
            start = len(lines) - len(block)
            columns = [[row[place] for row in block] for place in places]
            parts.append(np.column_stack([numerals.numbers(column) for column in columns]))
            for row in np.flatnonzero(np.isnan(parts[-1]).any(axis=1)).tolist():
                wrong.append(start + row)
                if len(wrong) <= _SHOWN:
                    texts[wrong[-1]] = _first_wrong(names, [column[row] for column in columns])
    if not lines:
        raise errors.DomainError(f"{path}: has no rows below its header")
    if wrong:
        raise errors.DomainError(
            f"{path}: not a number in {_rows(wrong, lines, texts)}; correct these cells or leave their rows out"
        )
    return np.concatenate(parts), np.array(lines)


def _rows_of(path, reader, cells, lines):
    """Rows that are not empty; the line of each is appended to ``lines``."""
    for row in reader:
        if row:
            lines.append(reader.line_num)
            if len(row) != cells:
                raise errors.DomainError(
                    f"{path}: row {len(lines)} (line {reader.line_num}) has {len(row)} cells; the header has {cells}"
                )
            yield row


def _first_wrong(names, texts):
    name, text, fault = next((n, t, f) for n, t in zip(names, texts, strict=True) if (f := numerals.fault(t)))
    if not text.strip():
        return f"{name} is empty"
    return f"{name} is {text!r}" + ("" if fault == "is no number" else f" ({fault})")


def _places(path, header, names):
    for name in names:
        if header.count(name) != 1:
            said = "stands twice in the header" if name in header else "is not a column"
            raise errors.DomainError(f"{path}: {name} {said}; there are {', '.join(header) or 'none'}")
    return [header.index(name) for name in names]


def _rows(rows, lines, values):
    """Some rows by number, line and value, and how many others there are."""
    shown = []
    for row in list(rows)[:_SHOWN]:
        value = values[row] if isinstance(values[row], str) else f"{values[row]:g}"
        shown.append(f"row {row + 1} (line {lines[row]}): {value}")
    more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    return ", ".join(shown) + more


def equal(values):
    """Rows of an array that are equal, put together.

    Parameters
    ----------
    values : ndarray, shape (n, k)

    Returns
    -------
    Cases

    Examples
    --------
    >>> cases = equal(np.array([[7.0], [0.0], [7.0]]))
    >>> cases.first.tolist(), cases.people.tolist(), cases.of.tolist()
    ([0, 1], [2, 1], [0, 1, 0])
    """
    order = np.lexsort(values.T)
    new = np.append(True, (values[order[1:]] != values[order[:-1]]).any(axis=1))
    # The sort is stable, so that the first of each group is the first in the table.
    first, group = order[new], np.cumsum(new) - 1
    rank = np.argsort(first)
    of = np.empty(len(values), dtype=np.intp)
    of[order] = np.argsort(rank)[group]
    return Cases(first[rank], np.bincount(group)[rank], of)


def repeated(values):
    """How many people share all their values with somebody else.

    The paper takes records to be unique. An identical record is a candidate with an empty bad region; it lowers what a
    release can tell about either person.

    Examples
    --------
    >>> repeated(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))
    2
    """
    people = equal(values).people
    return int(people[people > 1].sum())


def check_sample(population, sample):
    """Raise `DomainError` unless 1 <= m < n: without anybody outside the dataset nothing is left to guess."""
    if checks.count("sample", sample, 1) >= population:
        raise errors.DomainError(
            f"sample = {sample} of population = {population} leaves no other candidate; allowed: 1 to {population - 1}"
        )


class Targets(NamedTuple):
    """People who are looked at as targets, one of each case.

    Attributes
    ----------
    places : ndarray of int, shape (t,)
        In the table, counted from 0, in order.
    chosen : ndarray of str, shape (t,)
        Why each of them is there: ``everybody``, ``farthest``, ``lightest`` or ``sampled``.
    people : ndarray of int, shape (t,)
        How many people are like each of them, themselves included.
    """

    places: np.ndarray
    chosen: np.ndarray
    people: np.ndarray


def targets(seed, population, number):
    """People who are looked at as targets: everybody, or those who stick out and a random sample of the others.

    Parameters
    ----------
    seed : int
    population : Population
        With attributes in units in which the noise is the same in all columns.
    number : int
        How many different people, at least 1 (2 with weights); everybody from the number of cases on. Of fewer, five (or half
        of them, if that is less) stick out: those from whom somebody is farthest away, among equals those farthest from the
        mean of all, one of each record. Their bad regions are the largest. T of the others may still be larger, by a factor
        of n - m at most at the same distance. With weights the person of the smallest weight is there as well, who has the
        smallest prior.

    Returns
    -------
    Targets
        A larger number keeps the people of a smaller one.
    """
    cases, values = population.cases, population.values
    if checks.count("targets", number, 1) >= len(cases.first):
        return Targets(cases.first, np.full(len(cases.first), "everybody"), cases.people)
    special = {}
    if population.weights is not None:
        if number == 1:
            raise errors.DomainError(
                "targets = 1 leaves nobody beside the person with the smallest prior; allowed with weights: at least 2"
            )
        special[int(cases.first[cases.of[np.argmin(population.weights)]])] = "lightest"
    records = cases.first if population.weights is None else equal(values).first
    for place in records[_outward(values[records], values.mean(axis=0))][:_FARTHEST].tolist():
        if len(special) < number // 2:
            special.setdefault(place, "farthest")
    order = streams.targets(seed, len(values)).permutation(len(values))
    first = np.zeros(len(values), dtype=bool)
    first[cases.first] = True
    first[list(special)] = False
    for place in order[first[order]][: number - len(special)].tolist():
        special[place] = "sampled"
    places = np.sort(list(special))
    return Targets(places, np.array([special[place] for place in places.tolist()]), cases.people[cases.of[places]])


def _outward(values, mean):
    """Order from the record to which somebody is farthest; among those equally far, from the one farthest from the mean."""
    return np.lexsort([-np.linalg.norm(values - mean, axis=1), -_reach(values, mean)])


def _reach(values, mean):
    """Everybody's distance to the farthest of some people far from each other, each taken farthest from those before."""
    distances = np.linalg.norm(values - mean, axis=1)
    nearest, farthest = np.full(len(values), np.inf), np.zeros(len(values))
    for _ in range(_APART):
        distances = np.linalg.norm(values - values[np.argmax(distances)], axis=1)
        nearest, farthest = np.minimum(nearest, distances), np.maximum(farthest, distances)
        distances = nearest
    return farthest


class NeighbourSets(NamedTuple):
    """The sets of neighbours of a target that are looked at.

    All n - 1 others who may be outside the dataset make C(n - 1, n - m) sets, all equally likely, and fewer that differ in more
    than in who of some equal people are in them. If these are few, all of them are listed; else some are drawn.

    Attributes
    ----------
    number : int
        How many sets.
    probabilities : ndarray, shape (number,), or None
        Of each set, where all are listed; None for draws, which are equally likely.
    blocks : callable
        Without arguments, to an iterator over the sets, some at a time: ndarrays of int, shape (k, n - m), places in the table.
    """

    number: int
    probabilities: np.ndarray | None
    blocks: Callable


def neighbour_sets(seed, population, sample, target, datasets):
    """Sets of neighbours of a target: all that are different, if they are few, or as many draws as are asked for.

    Parameters
    ----------
    seed : int
    population : Population
    sample : int
        Size m of the dataset, 1 <= m < n.
    target : int
        Place in the table.
    datasets : int
        How many sets are drawn, at least 1. If no more than that are different, or no more than 100, all are listed instead.

    Returns
    -------
    NeighbourSets
    """
    number, datasets = len(population.values), checks.count("datasets", datasets, 1)
    check_sample(number, sample)
    size = number - sample
    listed = _listed_sets(population.cases, size, target, max(datasets, _FEW))
    return listed or NeighbourSets(datasets, None, lambda: _drawn_blocks(seed, number, sample, target, datasets))


def _drawn_blocks(seed, population, sample, target, datasets):
    step = max(1, _CHUNK // population)
    for start in range(0, datasets, step):
        yield drawn_sets(seed, population, sample, target, start, min(datasets, start + step))


def _listed_sets(cases, size, target, most):
    """All different sets of so many of the others, with their probabilities; None if there are more than ``most``."""
    people = cases.people.copy()
    people[cases.of[target]] -= 1
    groups, others = people[people > 0], len(cases.of) - 1
    if _at_least(groups, size, others) > most:
        return None
    for number, _ in enumerate(_different_sets(groups, size), 1):
        if number > most:
            return None
    ends = np.cumsum(groups)
    counts = np.array([np.diff(np.searchsorted(chosen, ends), prepend=0) for chosen in _different_sets(groups, size)])
    logs = (gammaln(groups + 1) - gammaln(counts + 1) - gammaln(groups - counts + 1)).sum(axis=1)
    ways = np.exp(logs - logs.max())

    def blocks():
        of = cases.of.copy()
        of[target] = len(people)
        order, sets = np.argsort(of, kind="stable")[:others], _different_sets(groups, size)
        while block := list(itertools.islice(sets, max(1, _CHUNK // others))):
            yield np.sort(order[np.array(block)], axis=1)

    return NeighbourSets(number, ways / ways.sum(), blocks)


def _at_least(groups, size, others):
    """A bound from below on the number of different sets, which needs no listing.

    The numbers of sets are symmetric in their size and rise towards the middle, and there is one set of one person for each
    group. And the two largest groups can share places in one way more than the smaller of them has people.
    """
    if size == others:
        return 1
    second = np.partition(groups, -2)[-2] if len(groups) > 1 else 0
    return max(len(groups), min(second, size, others - size) + 1)


def _different_sets(people, size):
    """All different choices of so many people out of groups of equal ones, as places in the sequence of the groups."""
    ends, group = np.cumsum(people), np.repeat(np.arange(len(people)), people)
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


def drawn_sets(seed, population, sample, target, start, stop):
    """Random sets of neighbours: for each dataset n - m of the n - 1 others.

    All sets are equally likely. They belong to the target and the sizes alone, so epsilon and noise are compared over the same
    datasets.

    Parameters
    ----------
    seed, population, sample : int
    target : int
        Place in the table.
    start, stop : int
        The datasets ``start, ..., stop - 1``. The same dataset has the same neighbours in every range.

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
