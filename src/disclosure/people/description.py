"""In words: what a table and a release are, who was looked at, over which datasets, and how far off the release is."""

import math
import os
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics.types import Columns, IntArray
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records, repeated
from disclosure.people.release_errors import ReleaseError, release_errors
from disclosure.people.targets import EXPOSED, FARTHEST, LIGHTEST

__all__ = [
    "OF_INFINITELY_MANY",
    "caveats",
    "counted",
    "dataset",
    "describe",
    "describe_sizes",
    "fallen",
    "looked_at",
    "near_nothing",
    "no_limit_on_falling",
    "possible_datasets",
    "small",
    "utility",
]

OF_INFINITELY_MANY = (
    "of infinitely many candidates belief in each is 0 before and after; the factors are the limits of those in large "
    "populations"
)
"""What is said of belief in the presence of a person where the population is infinite."""

# Logarithm of the number of datasets from which on its digits are too many to be read.
_READABLE = math.log(1e15)
# Share of its range that a column fills at least, unless the two are probably in different units: metres and centimetres differ
# by a factor of 100. And people from whom on this says something.
_SMALL_PART, _TELLING = 0.02, 10
# Probabilities below this are told as such: nobody can tell them apart.
_TINY = 1e-12
_RELEASED = {"mean": "the mean", "sum": "the sum", "identity": "every record", "count": "the count"}
_PROTECTED = (
    "protected: belief about presence, whether one person, the target, is in that sample; neighbours by " + REPLACE_ONE
)
# Belief from which on nothing is left to be told, up to rounding.
_CERTAIN = 1 - 1e-9
# Delta from which on a guarantee fails more often than it holds.
_MOSTLY = 0.5
# Relative error of a total whose digits were rounded with those of the numbers.
_ROUNDED = 1e-6


def describe(table: str | os.PathLike[str], records: Records, query: LinearQuery, sample: int) -> Iterator[str]:
    """Lines that say what a table and the release about a sample of its people are."""
    yield from _describe_table(table, records)
    them = "them" if records.population is None else "the population"
    yield (
        f"released: {_RELEASED[query.name]} of {sample:,} of {them}, with normal noise; one person moves it by at most "
        f"{query.sensitivity:.6g} (l2 sensitivity), from the stated ranges"
    )
    others = records.neighbours(sample)
    yield f"{_PROTECTED}; candidates: {_candidates(records, sample)}" + (
        ", so that the bounds fail as often as their upper limit (T) says" if others == 1 else ""
    )


def describe_sizes(
    table: str | os.PathLike[str], records: Records, queries: Sequence[LinearQuery], samples: Sequence[int]
) -> Iterator[str]:
    """The same for datasets of several sizes, each with its query."""
    yield from _describe_table(table, records)
    them = "them" if records.population is None else "the population"
    sizes = (
        ", ".join(f"{sample:,}" for sample in samples[:-1]) + (" or " if len(samples) > 1 else "") + f"{samples[-1]:,}"
    )
    yield f"released: {_RELEASED[queries[0].name]} of {sizes} of {them}, with normal noise"
    yield _PROTECTED
    yield "by the sizes and the stated ranges alone:"
    for query, sample in zip(queries, samples, strict=True):
        yield (
            f"  {sample:,} people: one person moves it by at most {query.sensitivity:.6g} (l2 sensitivity); candidates: "
            f"{_candidates(records, sample)}"
        )


def _candidates(records: Records, sample: int) -> str:
    """Who may be the one that the adversary does not know."""
    others = records.neighbours(sample)
    number = "infinitely many" if others == math.inf else f"{others:,}"
    return f"the target and {number} other" + ("s" if others > 1 else "")


def _describe_table(table: str | os.PathLike[str], records: Records) -> Iterator[str]:
    """Lines that say what a table is."""
    names = ", ".join(f"{column.name} ({column.low:g} to {column.high:g})" for column in records.columns)
    yield f"{table}: {counted(len(records), 'person', 'people')}; {names}"
    if records.format:
        yield f"  read as {records.format}"
    yield from (f"  {caveat}" for caveat in caveats(records))
    yield from _warnings(records)
    if alike := repeated(records.values):
        yield f"  {alike:,} people share all values with somebody else: a release tells the same about each of them"


def caveats(records: Records, rows: int = 1) -> Iterator[str]:
    """Who is covered by what is said about a table, and what was done to its values: each a sentence without its full stop.

    Parameters
    ----------
    records : Records
    rows : int, optional
        Rows of the table that a person has at most.
    """
    yield from _population(records)
    if rows > 1:
        yield f"a person has up to {rows:,} rows of the table, which are replaced together"
    if records.missing:
        yield _missing(records, ("person", "people") if rows == 1 else ("row", "rows"))
    if records.clipped:
        moved = counted(records.clipped, "value", "values")
        yield f"{moved} moved to the nearer end of their range; the release has to do the same"


def _population(records: Records) -> Iterator[str]:
    """Of what the table is a sample, and what that means for the other candidates."""
    if records.population is None:
        return
    if records.population == math.inf:
        yield "the table is a sample of an infinite population; the other candidates have its rows in their proportions"
    else:
        yield (
            f"the table is a sample of a population of {records.population:,} people; other candidates drawn from its rows "
            "with replacement"
        )
    yield "what follows is about records that occur in the table; people with others are covered by the stated ranges alone"


def _missing(records: Records, who_is_counted: tuple[str, str]) -> str:
    who = counted(records.missing, *who_is_counted)
    if records.rows is not None:
        return f"{who} with missing values left out: nothing here is about them"
    return f"{who} with missing values, which count as a category of their own"


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


def utility(records: Records, query: LinearQuery, sample: int, sigma: float) -> Iterator[str]:
    """Lines about the error of the release, column by column: of the value, of the sampling error, of what one person moves."""
    yield "error of the release (root mean square), beside value and spread in this table, which are not for publication:"
    for error in release_errors(records, query, sample, sigma):
        yield f"  {error.column}: {', '.join(_compared(error, query.name == 'identity'))}"


def _compared(error: ReleaseError, of_people: bool) -> Iterator[str]:
    yield f"{error.noise:.4g}"
    value = f"{'a mean record' if of_people else 'the expected value'} of {error.value:.4g}"
    yield f"{_two_digits(100 * error.noise / abs(error.value))}% of {value}" if error.value else f"beside {value}"
    spread = f"the {'spread between people' if of_people else 'sampling error'} of {error.spread:.2g}"
    yield f"{_two_digits(error.noise / error.spread)} times {spread}" if error.spread else f"beside {spread}"
    yield f"{_two_digits(error.noise / error.move)} times the most that one person can move it"


def _two_digits(number: float) -> str:
    """Two digits, and no exponent as long as that can be read.

    >>> [_two_digits(number) for number in (0.0123, 3.44, 521.3, 26213.0, 1.25e9)]
    ['0.012', '3.4', '520', '26,000', '1.2e+09']
    """
    return f"{float(f'{number:.2g}'):,g}"


def small(probability: float, digits: int = 3) -> str:
    """A probability, of which nobody needs to know how far it is below 1e-12.

    Examples
    --------
    >>> small(0.0), small(0.012345), small(3e-20)
    ('0', '0.0123', 'below 1e-12')
    """
    return f"{probability:.{digits}g}" if probability >= _TINY or probability == 0 else f"below {_TINY:g}"


def fallen(factor: float) -> str:
    """What some dataset comes to as the factor that belief falls by.

    Examples
    --------
    >>> fallen(0.25), fallen(1.0)
    ('1/4', 'no fall')
    """
    return f"1/{1 / factor:.4g}" if factor < 1 else "no fall"


def no_limit_on_falling(moved: Columns) -> Iterator[str]:
    """A line for noise that hides nothing: belief in those who are present rises to 1, and the limit on falling is idle."""
    if np.fmax.reduce(moved["posterior_limit"]) >= _CERTAIN:
        yield "    this noise may tell all: belief rises to 1, and the limit on falling says next to nothing"


def counted(number: int, one: str, several: str) -> str:
    """A number and the word for what it counts.

    Examples
    --------
    >>> counted(1, "person", "people"), counted(2000, "person", "people")
    ('1 person', '2,000 people')
    """
    return f"{number:,} {one if number == 1 else several}"


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
    share = f"{counted(len(chosen), 'person', 'people')} of {population:,}"
    if people.sum() > len(chosen):
        share += f" ({people.sum():,} with those who are like them)"
    farthest = np.count_nonzero(chosen == FARTHEST)
    special = ["the one of the smallest weight"] if LIGHTEST in chosen else []
    special += ["the one of the largest limit"] if EXPOSED in chosen else []
    special += [f"the {'one' if farthest == 1 else farthest} from whom somebody is farthest"] if farthest else []
    return f"{', '.join([share, *special])} and a random sample of the others" if special else f"{share}, sampled"


def possible_datasets(population: int, sample: int) -> str:
    """How many datasets a target has, C(n - 1, n - m), as long as that can be read."""
    log = math.lgamma(population) - math.lgamma(population - sample + 1) - math.lgamma(sample)
    if log >= _READABLE:
        return "all datasets"
    number = math.comb(population - 1, sample - 1)
    return "the only dataset" if number == 1 else f"all {number:,} datasets"
