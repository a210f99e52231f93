"""What is released about the people in a dataset, and how far one person can move it.

Neighbours are by replace-one: the new record takes the old one's place. A query that is linear in the records, f(x) = factor *
(sum of the records) or the records themselves, moves by factor * (phi_target - phi_j) when person j takes the target's
place, and by no more than the stated ranges allow. The sensitivity follows from these ranges and never from the data, which
would give them away.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks, errors, numerals

__all__ = ["LINEAR", "RELATION", "Column", "Query", "custom", "linear", "parse_column"]

LINEAR = ("mean", "sum", "identity", "count")
RELATION = "replacing one record"


class Column(NamedTuple):
    """An attribute and the range that is stated for it, in the attribute's units."""

    name: str
    low: float
    high: float


class Query(NamedTuple):
    """A query and its sensitivities for replace-one neighbours.

    Attributes
    ----------
    name : str
    sensitivity : float
        In l2, in the units of the answer.
    sensitivity_l1 : float
        In l1, for the Laplace mechanism; NaN where it is not known.
    factor : float or None
        By how much the answer moves when a record moves by 1; None for a query that is not linear.
    function : callable or None
        Of such a query: from records, shape (m, q), to an answer, shape (k,).
    """

    name: str
    sensitivity: float
    sensitivity_l1: float
    factor: float | None = None
    function: Callable | None = None

    def differences(self, target, neighbours, known=None):
        """Differences f(x) - f(x_j) of the answers between a dataset and its neighbours.

        Parameters
        ----------
        target : ndarray, shape (q,)
            The target's record.
        neighbours : ndarray, shape (..., p, q)
            Records of the people who could stand in its place.
        known : ndarray, shape (..., m - 1, q), optional
            The other members' records, which cancel from a linear query.

        Returns
        -------
        ndarray, shape (..., p, k)
            k = q for a linear query.
        """
        if self.factor is not None:
            return self.factor * (target - neighbours)
        cases = [
            self._differences(target, others, members)
            for others, members in zip(
                neighbours.reshape(-1, *neighbours.shape[-2:]), known.reshape(-1, *known.shape[-2:]), strict=True
            )
        ]
        return np.reshape(cases, (*neighbours.shape[:-1], -1))

    def _differences(self, target, neighbours, known):
        answers = [self._answer(np.vstack([record, known])) for record in (target, *neighbours)]
        return answers[0] - np.array(answers[1:])

    def _answer(self, records):
        answer = np.atleast_1d(np.asarray(self.function(records), dtype=float))
        if answer.ndim != 1 or not np.isfinite(answer).all():
            raise errors.DomainError(
                f"query {self.name} answers {answer!r}; expected a finite number or a vector of them"
            )
        return answer


def linear(name, columns, sample):
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
    Query
        A record can move by the Euclidean length of the ranges' widths (in l1 by their sum), the mean by that over m. The
        noise is the same in every column, in the columns' own units: a column of large numbers dominates the
        sensitivity, and others get more noise than they would need alone.

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
    return Query(name, factor * math.hypot(*widths), factor * math.fsum(widths), factor)


def custom(function, sensitivity, name="custom", sensitivity_l1=math.nan):
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
    Query

    Examples
    --------
    >>> largest = custom(lambda records: records.max(axis=0), sensitivity=1.0)
    >>> largest.differences(np.array([0.9]), np.array([[0.2], [0.6]]), np.array([[0.5]])).round(12).tolist()
    [[0.4], [0.3]]
    """
    sensitivity = checks.number("sensitivity", sensitivity, "(0, inf)", "state it for the neighbours by replace-one")
    return Query(name, sensitivity, sensitivity_l1, function=function)


def parse_column(text):
    """A column and its range from a text like ``height_cm:50:210``.

    Examples
    --------
    >>> parse_column("height_cm:50:210")
    Column(name='height_cm', low=50.0, high=210.0)
    """
    name, *ends = text.rsplit(":", 2)
    wrong = next((f": {end!r} {fault}" for end in ends if (fault := numerals.fault(end))), "")
    if not name or len(ends) < 2 or wrong:
        raise errors.DomainError(
            f"column {text!r} has no range{wrong}; write NAME:LOW:HIGH, for example height_cm:50:210"
        )
    return Column(name, *map(numerals.number, ends))


def _check(column, query):
    checks.within(f"range of {column.name}", [column.low, column.high], "(-inf, inf)")
    if not column.low < column.high:
        raise errors.DomainError(
            f"range of {column.name} = {column.low:g} to {column.high:g} is the wrong way round; allowed: low < high"
        )
    if query == "count" and (column.low, column.high) != (0, 1):
        raise errors.DomainError(
            f"range of {column.name} = {column.low:g} to {column.high:g}; a count needs a column of zeros and ones, 0 to 1"
        )
