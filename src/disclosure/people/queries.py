"""What is released about the people in a dataset, and how far one person can move it.

Neighbours are by replace-one: the new record takes the old one's place. A query that is linear in the records answers f(x) =
factor * (sum of the records), or the records themselves. It moves by factor * (phi_target - phi_j) when person j takes the
target's place, and by no more than the stated ranges allow. The sensitivity follows from these ranges, and never from the
data, which it would give away.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import checks, errors, numerals
from disclosure.numerics.types import FloatArray

__all__ = ["LINEAR", "Column", "CustomQuery", "LinearQuery", "Query", "custom", "linear", "parse_column"]

# Names of the queries that the commands and the configuration offer.
LINEAR = ("mean", "sum", "identity", "count")


# Widths of ranges: within these, squares of distances are floats of full precision.
_WIDTHS = "[1e-100, 1e100]"


class Column(NamedTuple):
    """An attribute and the range that is stated for it, in the attribute's units.

    ``reads`` tells what the cells of a table's column are: a ``number``; the ``truth``, 1 for yes and 0 for no; or a
    ``category``, 1 where it is the one that the name states, ``smoker=yes``, and 0 elsewhere.
    """

    name: str
    low: float
    high: float
    reads: str = "number"

    @property
    def source(self) -> str:
        """Name of the table's column."""
        return self.name.partition("=")[0].strip() if self.reads == "category" else self.name

    @property
    def category(self) -> str | None:
        """The category that counts as 1, if it is one."""
        return self.name.partition("=")[2].strip() if self.reads == "category" else None


class Query(Protocol):
    """A query and its sensitivities for replace-one neighbours.

    Attributes
    ----------
    name : str
    sensitivity : float
        In l2, in the units of the answer.
    sensitivity_l1 : float
        In l1, for the Laplace mechanism; NaN where it is not known.
    """

    @property
    def name(self) -> str: ...

    @property
    def sensitivity(self) -> float: ...

    @property
    def sensitivity_l1(self) -> float: ...

    def differences(self, target: FloatArray, neighbours: FloatArray, known: FloatArray | None = None) -> FloatArray:
        """Differences f(x) - f(x_j) of the answers between a dataset and its neighbours.

        Parameters
        ----------
        target : ndarray, shape (q,)
            The target's record.
        neighbours : ndarray, shape (..., p, q)
            Records of the people who could stand in its place.
        known : ndarray, shape (..., m - 1, q), optional
            Records of the other members, which only a query that is not linear needs.

        Returns
        -------
        ndarray, shape (..., p, k)
            For answers of k entries.
        """


@dataclass(frozen=True)
class LinearQuery:
    """A query from whose differences the other members of a dataset cancel.

    Attributes
    ----------
    name, sensitivity, sensitivity_l1
        As of every `Query`.
    factor : float
        By how much the answer moves when a record moves by 1.
    """

    name: str
    sensitivity: float
    sensitivity_l1: float
    factor: float

    def differences(self, target: FloatArray, neighbours: FloatArray, known: FloatArray | None = None) -> FloatArray:
        """As of every `Query`; an answer has as many entries as a record."""
        return self.factor * (target - neighbours)


@dataclass(frozen=True)
class CustomQuery:
    """Any function of the records.

    Attributes
    ----------
    name, sensitivity, sensitivity_l1
        As of every `Query`.
    function : callable
        From records, shape (m, q), to a finite number or a vector.
    """

    name: str
    sensitivity: float
    sensitivity_l1: float
    function: Callable[[FloatArray], ArrayLike]

    def differences(self, target: FloatArray, neighbours: FloatArray, known: FloatArray | None = None) -> FloatArray:
        """As of every `Query`; the other members must be given."""
        if known is None:
            raise errors.DomainError(f"known is missing; query {self.name} needs the records of the other members")
        cases = [
            self._differences(target, others, members)
            for others, members in zip(
                neighbours.reshape(-1, *neighbours.shape[-2:]), known.reshape(-1, *known.shape[-2:]), strict=True
            )
        ]
        return np.reshape(cases, (*neighbours.shape[:-1], -1))

    def _differences(self, target: FloatArray, neighbours: FloatArray, known: FloatArray) -> FloatArray:
        answers = [self._answer(np.vstack([record, known])) for record in (target, *neighbours)]
        return answers[0] - np.array(answers[1:])

    def _answer(self, members: FloatArray) -> FloatArray:
        answer = np.atleast_1d(np.asarray(self.function(members), dtype=float))
        if answer.ndim != 1 or not np.isfinite(answer).all():
            raise errors.DomainError(
                f"query {self.name} answers {answer!r}; expected a finite number or a vector of them"
            )
        return answer


def linear(name: str, columns: Sequence[Column], sample: int) -> LinearQuery:
    """A mean, sum, identity or count of attributes with stated ranges.

    Parameters
    ----------
    name : {"mean", "sum", "identity", "count"}
        ``identity`` releases every member's record, ``count`` the number of ones in columns of zeros and ones.
    columns : sequence of Column
        With low < high; 0 and 1 for a count.
    sample : int
        Size m of the dataset, at least 1.

    Returns
    -------
    LinearQuery
        One record moves a sum by at most the Euclidean length of the ranges' widths (in l1 by their sum), and a mean by that
        over m. The noise is the same in every column, in the columns' own units. So a column of large numbers dominates the
        sensitivity, and the other columns get more noise than they would need alone.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Outside these domains.

    Examples
    --------
    >>> columns = [Column("height", 0.0, 3.0), Column("weight", 10.0, 14.0)]
    >>> linear("sum", columns, 10).sensitivity, linear("mean", columns, 10).sensitivity
    (5.0, 0.5)
    """
    if name not in LINEAR:
        raise errors.DomainError(f"query = {name!r} is none of {', '.join(LINEAR)}")
    sample = checks.count("sample", sample, 1)
    if not columns:
        raise errors.DomainError("columns names none; a query needs at least one column")
    for column in columns:
        _check(column, name)
    widths = [column.high - column.low for column in columns]
    factor = 1 / sample if name == "mean" else 1.0
    return LinearQuery(name, factor * math.hypot(*widths), factor * math.fsum(widths), factor)


def custom(
    function: Callable[[FloatArray], ArrayLike],
    sensitivity: float,
    name: str = "custom",
    sensitivity_l1: float = math.nan,
) -> CustomQuery:
    """Any function of the records, with a sensitivity that its author answers for.

    Parameters
    ----------
    function : callable
        From records, shape (m, q), to a finite number or a vector. The target's record, or the one that takes its place,
        is the first of them. It is evaluated n - m + 1 times a dataset.
    sensitivity : float
        In l2, for replace-one neighbours, in (0, inf).
    name : str, optional
    sensitivity_l1 : float, optional
        The same in l1.

    Returns
    -------
    CustomQuery

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Outside these ranges, and for a function that cannot be called.

    Examples
    --------
    >>> largest = custom(lambda records: records.max(axis=0), sensitivity=1.0)
    >>> largest.differences(np.array([0.9]), np.array([[0.2], [0.6]]), np.array([[0.5]])).round(12).tolist()
    [[0.4], [0.3]]
    """
    if not callable(function):
        raise errors.DomainError(
            f"function = {function!r} is no function; give one from records, shape (m, q), to a number or a vector"
        )
    sensitivity = checks.number("sensitivity", sensitivity, "(0, inf)", "state it for the neighbours by replace-one")
    return CustomQuery(name, sensitivity, sensitivity_l1, function)


def parse_column(text: str) -> Column:
    """A column and its range from a text: ``height_cm:50:210``, ``smoker`` for yes and no, or ``region=north`` for a category.

    Examples
    --------
    >>> parse_column("height_cm:50:210")
    Column(name='height_cm', low=50.0, high=210.0, reads='number')
    >>> parse_column("region=north")
    Column(name='region=north', low=0.0, high=1.0, reads='category')
    """
    name, *ends = map(str.strip, text.rsplit(":", 2))
    if not any(numerals.fault(end) is None for end in ends):
        source, equals, category = (part.strip() for part in text.partition("="))
        if source and (category or not equals) and ":" not in source:
            return Column(f"{source}={category}" if equals else source, 0.0, 1.0, "category" if equals else "truth")
    wrong = next((f": {end!r} {fault}" for end in ends if (fault := numerals.fault(end))), "")
    if not name or len(ends) < 2 or wrong:
        raise errors.DomainError(
            f"column {text!r} has no range{wrong}; write NAME:LOW:HIGH, for example height_cm:50:210, NAME for yes and no, or "
            "NAME=CATEGORY"
        )
    low, high = map(numerals.number, ends)
    return Column(name, low, high)


def _check(column: Column, query: str) -> None:
    checks.within(f"range of {column.name}", [column.low, column.high], "(-inf, inf)")
    if not column.low < column.high:
        raise errors.DomainError(
            f"range of {column.name} = {column.low:g} to {column.high:g} is empty; allowed: low < high"
        )
    checks.number(f"width of {column.name}", column.high - column.low, _WIDTHS, "use other units")
    checks.number(f"largest of {column.name}", max(abs(column.low), abs(column.high)), "[0, 1e100]", "use other units")
    if query == "count" and (column.low, column.high) != (0, 1):
        raise errors.DomainError(
            f"range of {column.name} = {column.low:g} to {column.high:g}; a count needs a column of zeros and ones, 0 to 1"
        )
