"""In words: what a table and a release are, who was looked at, over which datasets, and how far off the release is."""

import math
import os
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics.types import IntArray
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records, repeated
from disclosure.people.targets import EXPOSED, FARTHEST, LIGHTEST

__all__ = ["dataset", "describe", "looked_at", "near_nothing", "possible_datasets", "utility"]

# Logarithm of the number of datasets from which on its digits are too many to be read.
_READABLE = math.log(1e15)
# Share of its range that a column fills at least, unless the two are probably in different units: metres and centimetres differ
# by a factor of 100. And people from whom on this says something.
_SMALL_PART, _TELLING = 0.02, 10
# Delta from which on a guarantee fails more often than it holds.
_MOSTLY = 0.5
# Relative error of a total whose digits were rounded with those of the numbers.
_ROUNDED = 1e-6


def describe(table: str | os.PathLike[str], records: Records, query: LinearQuery, sample: int) -> Iterator[str]:
    """Lines that say what a table and the release about a sample of its people are."""
    names = ", ".join(f"{column.name} ({column.low:g} to {column.high:g})" for column in records.columns)
    yield f"{table}: {len(records):,} people; {names}"
    yield from _population(records)
    if records.format:
        yield f"  read as {records.format}"
    if records.missing:
        yield f"  {_missing(records)}"
    yield from _warnings(records)
    if records.clipped:
        yield f"  {records.clipped:,} values moved to the nearer end of their range; the release has to do the same"
    if alike := repeated(records.values):
        yield f"  {alike:,} people share all values with somebody else; the paper takes records to be unique"
    others, them = records.neighbours(sample), "them" if records.population is None else "the population"
    number = "infinitely many" if others == math.inf else f"{others:,}"
    yield (
        f"{query.name} over {sample:,} of {them}, neighbours by {REPLACE_ONE}; candidates: the target and "
        f"{number} other" + ("s" if others > 1 else ", so that T is the failure probability")
    )
    yield f"l2 sensitivity {query.sensitivity:.6g}, from the stated ranges"


def _population(records: Records) -> Iterator[str]:
    """Of what the table is a sample, and what that means for the other candidates."""
    if records.population is None:
        return
    if records.population == math.inf:
        yield "  the table is a sample of an infinite population; the other candidates have its rows in their proportions"
    else:
        yield (
            f"  the table is a sample of a population of {records.population:,} people; other candidates drawn from its rows "
            "with replacement"
        )
    yield "  what follows is about records that occur in the table; people with others are covered by the stated ranges alone"


def _missing(records: Records) -> str:
    if records.rows is not None:
        return f"{records.missing:,} people with missing values left out: nothing here is about them"
    return f"{records.missing:,} people with missing values, which count as a category of their own"


def _warnings(records: Records) -> Iterator[str]:
    """What makes it likely that a stated range is not meant, or was read off the data, and that a row is no person."""
    if (last := _total(records)) is not None:
        yield f"  warning: row {last} has the sum of all others; leave it out if it is a total and no person"
    for column, values in zip(records.columns, records.values.T, strict=True):
        low, high, width = float(values.min()), float(values.max()), column.high - column.low
        if column.reads != "number" or len(records) < _TELLING:
            continue
        if (low, high) == (column.low, column.high) and (low, high) != (0, 1):
            yield (
                f"  warning: the range of {column.name} ends at the smallest and the largest value of the table; a range "
                "that is read off the data gives these away"
            )
        elif high - low < _SMALL_PART * width:
            yield (
                f"  warning: {column.name} goes from {low:g} to {high:g}, a small part of its range; is the range in other "
                "units?"
            )


def _total(records: Records) -> int | None:
    """The last row, if each of its numbers is the sum of those of all others, and larger than any of them; otherwise None."""
    numbers = [place for place, column in enumerate(records.columns) if column.reads == "number"]
    others, last = records.values[:-1, numbers], records.values[-1, numbers]
    if len(records) < _TELLING or not numbers or not (last > others.max(axis=0)).all():
        return None
    return records.row(len(records) - 1) if np.allclose(others.sum(axis=0), last, rtol=_ROUNDED, atol=0) else None


def near_nothing(delta: float) -> Iterator[str]:
    """A warning of a guarantee by the ranges that says next to nothing."""
    if delta >= _MOSTLY:
        yield (
            f"  warning: delta = {delta:.3g} promises next to nothing by the stated ranges: the privacy loss may exceed "
            "epsilon more often than not"
        )


def dataset(records: Records) -> str:
    """What a limit holds for all of."""
    if records.population is None:
        return "dataset"
    if records.population == math.inf:
        return "dataset, the other candidates having its rows in their proportions"
    return "dataset, even if all other candidates have the farthest of its rows"


def utility(records: Records, query: LinearQuery, sigma: float) -> str:
    """Expected error of the release, column by column."""
    parts = []
    for column in records.columns:
        width = query.factor * (column.high - column.low)
        parts.append(f"{sigma:.4g} in {column.name} ({sigma / width:.2g} times the most that one person can move it)")
    return "expected error (root mean square): " + ", ".join(parts)


def looked_at(chosen: NDArray[np.str_], people: IntArray, population: int) -> str:
    """Which people were targets.

    Parameters
    ----------
    chosen, people : ndarray, shape (t,)
        As of `disclosure.people.targets.Targets`.
    population : int
        n.

    Returns
    -------
    str
    """
    if people.sum() == population:
        return "everybody"
    share = f"{len(chosen):,} people of {population:,}"
    if people.sum() > len(chosen):
        share += f" ({people.sum():,} with those who are like them)"
    farthest = np.count_nonzero(chosen == FARTHEST)
    special = ["the one of the smallest weight"] if LIGHTEST in chosen else []
    special += ["the one of the largest limit"] if EXPOSED in chosen else []
    special += [f"the {farthest} from whom somebody is farthest"] if farthest else []
    return f"{', '.join([share, *special])} and a random sample of the others" if special else f"{share}, sampled"


def possible_datasets(population: int, sample: int) -> str:
    """How many datasets a target has, C(n - 1, n - m), as long as that can be read."""
    log = math.lgamma(population) - math.lgamma(population - sample + 1) - math.lgamma(sample)
    return f"all {math.comb(population - 1, sample - 1):,} datasets" if log < _READABLE else "all datasets"
