"""A table of people: their records, and which of them are alike.

Rows are named by their number, counted from 1 without the header. People with equal records and equal weights are one *case*:
a release tells the same about each of them.
"""

import dataclasses
import functools
import math
from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.numerics.types import BoolArray, FloatArray, IntArray
from disclosure.people.queries import Column

__all__ = ["Cases", "Records", "check_sample", "equal", "repeated", "runs", "sample_of"]

# People of a population: so many are a whole number as a float as well.
_MOST_PEOPLE = 10**15


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

    first: IntArray
    people: IntArray
    of: IntArray


@dataclasses.dataclass(frozen=True, eq=False)
class Records:
    """The n people of a table and their attributes.

    Attributes
    ----------
    columns : tuple of Column
        Names and stated ranges of the q attributes.
    values : ndarray, shape (n, q)
        Attributes in their own units, within the stated ranges.
    weights : ndarray, shape (n,), or None
        How likely the adversary holds each person to be the one in the dataset, up to a common factor; None for all alike.
    clipped : int
        How many values were moved to the nearer end of their range.
    rows : ndarray of int, shape (n,), or None
        Places of the people in the file, counted from 0; None if nobody was left out.
    missing : int
        How many people in the file have a missing value.
    format : str
        How the file is written, in words.
    population : float, or None
        How many people the population has of which the rows are a sample: a whole number, or inf. The other candidates are
        then drawn from the rows with replacement. None if the rows are the whole population (`sample_of`).
    """

    columns: tuple[Column, ...]
    values: FloatArray
    weights: FloatArray | None = None
    clipped: int = 0
    rows: IntArray | None = None
    missing: int = 0
    format: str = ""
    population: float | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def size(self) -> float:
        """How many people the population has: as many as there are rows, unless these are a sample of it."""
        return len(self) if self.population is None else self.population

    def neighbours(self, sample: int) -> float:
        """How many other candidates a target of a dataset of so many people has: n - m."""
        return self.size - sample

    def of_others(self, target: int) -> FloatArray:
        """The records that other candidates may have; drawn with replacement they may also have the target's."""
        return np.delete(self.values, target, axis=0) if self.population is None else self.values

    @property
    def left_out(self) -> int:
        """How many people of the population were left out, since a value of theirs is missing."""
        return 0 if self.rows is None or self.population is not None else self.missing

    def row(self, place: int) -> int:
        """Row of the table in which a person stands, counted from 1 without the header."""
        return int(self.row_numbers(np.array(place)))

    def row_numbers(self, places: IntArray) -> IntArray:
        """The `row` of each of several people."""
        return np.asarray((places if self.rows is None else self.rows[places]) + 1)

    @functools.cached_property
    def cases(self) -> Cases:
        """The people with equal records and equal weights, put together."""
        return equal(self.values if self.weights is None else np.column_stack([self.values, self.weights]))


def runs(values: FloatArray) -> tuple[IntArray, BoolArray]:
    """An order of the rows of an array in which equal rows follow each other.

    Parameters
    ----------
    values : ndarray, shape (n, k)

    Returns
    -------
    order : ndarray of int, shape (n,)
        Places of the rows, sorted by the last column, then by the one before, and so on; equal rows in their own order.
    first : ndarray of bool, shape (n,)
        Whether a row differs from the one before it in this order.
    """
    order = np.lexsort(values.T)
    first = np.zeros(len(values), dtype=bool)
    first[:1] = True
    for column in values.T:  # along rows of few columns a reduction is slow
        in_order = column[order]
        first[1:] |= in_order[1:] != in_order[:-1]
    return order, first


def equal(values: FloatArray) -> Cases:
    """Rows of an array that are equal, put together.

    `numpy.unique` by rows tells the same, and takes three times as long for 10^6 rows of two columns.

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
    order, new = runs(values)
    first, group = order[new], np.cumsum(new) - 1
    rank = np.argsort(first)
    of = np.empty(len(values), dtype=np.intp)
    of[order] = np.argsort(rank)[group]
    return Cases(first[rank], np.bincount(group)[rank], of)


def repeated(values: FloatArray) -> int:
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


def sample_of(records: Records, population: float) -> Records:
    """The same rows as a sample of a population of which nothing else is known than how many people it has.

    Parameters
    ----------
    records : Records
        Without weights.
    population : float
        N, a whole number from that of the rows to 10^15, or inf.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For weights, a single row, and another number.
    """
    if records.weights is not None:
        raise errors.DomainError(
            "weights are about the people of a whole population; leave out --weights, or --population with which others are "
            "drawn from the rows alike"
        )
    if len(records) == 1:
        raise errors.DomainError("one row is no sample of a population; a table needs two people at least")
    if population < len(records):
        raise errors.DomainError(
            f"population = {population:g} is below the {len(records)} rows of the table, which are a part of it; state at "
            "least as many, or leave it out: the rows are then the population"
        )
    size = population if population == math.inf else checks.count("population", population, 1, _MOST_PEOPLE)
    return dataclasses.replace(records, population=size)


def check_sample(population: float, sample: int, left_out: int = 0) -> None:
    """Raise `DomainError` unless 1 <= m < n: without anybody outside the dataset nothing is left to guess.

    Of the rows of a table some people may be ``left_out``, which the error then says.
    """
    people = f"population = {population:.15g}"
    if left_out:
        people += f" (after {left_out:,} {'person' if left_out == 1 else 'people'} with missing values were left out)"
    if population == 1:
        raise errors.DomainError(f"{people} leaves no other candidate; a table needs two people at least")
    if checks.count("sample", sample, 1) >= population:
        allowed = "1" if population == 2 else f"1 to {population - 1:.15g}"
        raise errors.DomainError(f"sample = {sample} of {people} leaves no other candidate; allowed: {allowed}")
