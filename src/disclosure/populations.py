"""A population given as a table of records, and seeded draws of who is in a dataset beside a target.

A table is a CSV file with a header. Rows are named by their number, counted from 1 without the header, and by their line in the
file where something is wrong with them.
"""

import contextlib
import csv
from array import array
from typing import NamedTuple

import numpy as np

from disclosure import domain, streams

__all__ = ["Population", "check_sample", "neighbour_sets", "read", "repeated", "targets"]

_SHOWN = 5
_APART = 32  # people that stand for the ends of a table in all directions
_FARTHEST = 5


class Population(NamedTuple):
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
    disclosure.domain.DomainError
        Naming the column and the rows, for a column that is not there, cells that are no finite numbers, values outside their
        range, and weights that are not positive.
    """
    names = [column.name for column in columns]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise domain.DomainError(f"columns names {twice} twice; name every column once")
    wanted = names if weights is None else [*names, weights]
    cells, lines = _numbers(path, wanted)
    clipped = 0
    for place, column in enumerate(columns):
        values = cells[:, place]
        outside = (values < column.low) | (values > column.high)
        if outside.any() and not clip:
            raise domain.DomainError(
                f"{path}: {column.name} is outside {column.low:g} to {column.high:g} in "
                f"{_rows(np.flatnonzero(outside), lines, values)}; state a wider range, or accept them with --clip"
            )
        clipped += int(np.count_nonzero(outside))
        np.clip(values, column.low, column.high, out=values)
        if whole and (other := (values != 0) & (values != 1)).any():
            raise domain.DomainError(
                f"{path}: {column.name} is neither 0 nor 1 in {_rows(np.flatnonzero(other), lines, values)}; a count needs a "
                "column of zeros and ones"
            )
    if weights is None:
        return Population(tuple(columns), cells, None, clipped)
    if (none := ~(cells[:, -1] > 0)).any():
        raise domain.DomainError(
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
            raise domain.DomainError(f"{path}: is no CSV table in UTF-8 ({error})") from None


def _numbers(path, names):
    """Columns as an array of floats, and the line in the file of each row."""
    cells, lines = array("d"), array("q")
    wrong, texts = array("q"), {}
    with _opened(path) as (reader, header):
        if not header:
            raise domain.DomainError(
                f"{path}: is empty; expected a header with {', '.join(names)}, and a row for each person"
            )
        places = _places(path, header, names)
        for row in reader:
            if not row:
                continue
            lines.append(reader.line_num)
            if len(row) != len(header):
                raise domain.DomainError(
                    f"{path}: row {len(lines)} (line {reader.line_num}) has {len(row)} cells; the header has {len(header)}"
                )
            values = [_number(row[place]) for place in places]
            cells.extend(values)
            if any(value != value for value in values):
                wrong.append(len(lines) - 1)
                if len(wrong) <= _SHOWN:
                    texts[wrong[-1]] = _first_wrong(names, values, [row[place] for place in places])
    if not lines:
        raise domain.DomainError(f"{path}: has no rows below its header")
    if wrong:
        raise domain.DomainError(
            f"{path}: not a number in {_rows(wrong, lines, texts)}; correct these cells or leave their rows out"
        )
    return np.array(cells).reshape(-1, len(names)), np.array(lines)


def _first_wrong(names, values, texts):
    name, text = next((n, t) for n, v, t in zip(names, values, texts, strict=True) if v != v)
    return f"{name} is {text!r}" if text.strip() else f"{name} is empty"


def _number(cell):
    """A finite number, or NaN for anything else."""
    try:
        value = float(cell)
    except ValueError:
        return np.nan
    return value if -np.inf < value < np.inf else np.nan


def _places(path, header, names):
    for name in names:
        if header.count(name) != 1:
            said = "stands twice in the header" if name in header else "is not a column"
            raise domain.DomainError(f"{path}: {name} {said}; there are {', '.join(header) or 'none'}")
    return [header.index(name) for name in names]


def _rows(rows, lines, values):
    """Some rows by number, line and value, and how many others there are."""
    shown = []
    for row in list(rows)[:_SHOWN]:
        value = values[row] if isinstance(values[row], str) else f"{values[row]:g}"
        shown.append(f"row {row + 1} (line {lines[row]}): {value}")
    more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    return ", ".join(shown) + more


def repeated(values):
    """How many people share all their values with somebody else.

    The paper takes records to be unique. An identical record is a candidate with an empty bad region; it lowers what a
    release can tell about either person.

    Examples
    --------
    >>> repeated(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))
    2
    """
    order = np.lexsort(values.T)
    same = (values[order][1:] == values[order][:-1]).all(axis=1)
    return int(np.count_nonzero(np.append(same, False) | np.append(False, same)))


def check_sample(population, sample):
    """Raise `DomainError` unless 1 <= m < n: without anybody outside the dataset nothing is left to guess."""
    if domain.count("sample", sample, 1) >= population:
        raise domain.DomainError(
            f"sample = {sample} of population = {population} leaves no other candidate; allowed: 1 to {population - 1}"
        )


def targets(seed, values, number):
    """People who are looked at as targets: everybody, or those who stick out and a random sample of the others.

    Parameters
    ----------
    seed : int
    values : ndarray, shape (n, q)
        Attributes in units in which the noise is the same in all columns.
    number : int
        How many, at least 1; everybody from n on. Of fewer, five (or half of them, if that is less) are those from whom
        somebody is farthest away: their bad regions are the largest. T of the others may still be larger, by a factor of
        n - m at most at the same distance.

    Returns
    -------
    places : ndarray of int
        In the table, counted from 0, in order. A larger number keeps the people of a smaller one.
    chosen : ndarray of str
        Why each of them is there: ``everybody``, ``farthest`` or ``sampled``.
    """
    population = len(values)
    if domain.count("targets", number, 1) >= population:
        return np.arange(population), np.full(population, "everybody")
    extreme = min(_FARTHEST, number // 2)
    farthest = np.argsort(-_reach(values), kind="stable")[:extreme]
    order = streams.targets(seed, population).permutation(population)
    sampled = order[~np.isin(order, farthest)][: number - extreme]
    places = np.concatenate([farthest, sampled])
    chosen = np.repeat(["farthest", "sampled"], [extreme, number - extreme])
    return np.sort(places), chosen[np.argsort(places)]


def _reach(values):
    """Everybody's distance to the farthest of some people far from each other, each taken farthest from those before."""
    distances = np.linalg.norm(values - values.mean(axis=0), axis=1)
    nearest, farthest = np.full(len(values), np.inf), np.zeros(len(values))
    for _ in range(_APART):
        distances = np.linalg.norm(values - values[np.argmax(distances)], axis=1)
        nearest, farthest = np.minimum(nearest, distances), np.maximum(farthest, distances)
        distances = nearest
    return farthest


def neighbour_sets(seed, population, sample, target, start, stop):
    """Who is not in the dataset and could stand in the target's place: for each dataset n - m of the n - 1 others.

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
