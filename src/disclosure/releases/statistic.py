"""Statistics of a planned release: what each record adds to their answers, and how far one record can move these.

The answer of a statistic has entries: a mean of two columns has two, a table of six cells six. All but functions of one's own
add up over the records, f(x) = sum of what each member adds, so that with another record in the target's place an entry moves
by the difference of what the two add. Entries of one *part* get noise of one scale, and the part's sensitivity follows from the
stated ranges for neighbours by replace-one. Columns in units of their own are parts of their own; the cells of a table, of
which every record is in one at most, are one part, and move by sqrt(2) however many they are.
"""

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs.value_sets import ValueInterval
from disclosure.numerics import checks, errors
from disclosure.numerics.types import BoolArray, FloatArray
from disclosure.people.conditions import Condition
from disclosure.people.queries import Column, CustomQuery, custom, linear

__all__ = [
    "Classes",
    "Part",
    "Statistic",
    "additive",
    "categories",
    "count",
    "crossed",
    "cut",
    "function",
    "grouped",
    "least_squares",
    "of_people",
    "table",
]

_Added: TypeAlias = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Part:
    """Entries of an answer that get noise of one scale.

    Attributes
    ----------
    labels : tuple of str
        Names of the entries.
    sensitivity, sensitivity_l1 : float
        Of the entries together, in l2 and in l1.
    largest : float
        The most that one record adds, to one of the entries; NaN for a function of one's own.
    whole : bool
        Whether the entries are whole numbers, for noise on these.
    columns : tuple of Column
        Of the table, from which the entries are computed.
    """

    labels: tuple[str, ...]
    sensitivity: float
    sensitivity_l1: float
    largest: float
    whole: bool = False
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Statistic:
    """One of the answers of a planned release.

    Attributes
    ----------
    name, kind, unit : str
    columns : tuple of Column
        That are read from the table.
    parts : tuple of Part
    features : callable
        From records, shape (n, columns), to what each adds to the entries, shape (n, entries). For a function of one's own it
        leaves the records as they are.
    function : CustomQuery, optional
        A function of the records that is no sum over them.
    """

    name: str
    kind: str
    columns: tuple[Column, ...]
    parts: tuple[Part, ...]
    features: _Added
    unit: str = ""
    function: CustomQuery | None = None

    @property
    def entries(self) -> int:
        """How many numbers the answer has."""
        return sum(len(part.labels) for part in self.parts)


@dataclass(frozen=True)
class Classes:
    """Classes of a column, of which every record is in one at most.

    Attributes
    ----------
    columns : tuple of Column
    labels : tuple of str
    members : callable
        From records, shape (n, columns), to ones and zeros, shape (n, classes).
    """

    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    members: _Added


def additive(name: str, kind: str, columns: Sequence[Column], sample: int, unit: str = "") -> Statistic:
    """A mean, a sum, everybody's record, or counts of ones, each column with noise of its own.

    Parameters
    ----------
    name : str
    kind : {"mean", "sum", "identity", "count"}
        As of `disclosure.people.queries.linear`.
    columns : sequence of Column
    sample : int
        Size m of the dataset.
    unit : str, optional

    Returns
    -------
    Statistic

    Examples
    --------
    >>> statistic = additive("size", "mean", [Column("cm", 0.0, 200.0), Column("kg", 0.0, 100.0)], 10)
    >>> [part.sensitivity for part in statistic.parts]
    [20.0, 10.0]
    """
    queries = [linear(kind, [column], sample) for column in columns]
    if not queries:
        raise errors.DomainError(f"{name}: names no column; a {kind} needs one at least")
    factor = queries[0].factor
    parts = tuple(
        Part(
            (column.name,),
            query.sensitivity,
            query.sensitivity_l1,
            factor * max(abs(column.low), abs(column.high)),
            _whole(kind, column),
            (column,),
        )
        for column, query in zip(columns, queries, strict=True)
    )
    return Statistic(name, kind, tuple(columns), parts, lambda records: factor * records, unit)


def _whole(kind: str, column: Column) -> bool:
    """Whether an answer is a whole number, whatever the records are."""
    return kind == "count" or (kind == "sum" and column.reads != "number")


def count(name: str, condition: Condition, unit: str = "") -> Statistic:
    """How many records a condition holds for.

    Examples
    --------
    >>> from disclosure.people.conditions import parse_condition
    >>> count("heavy", parse_condition("kg >= 80")).features(np.array([[79.0], [80.0]])).tolist()
    [[0.0], [1.0]]
    """
    column = Column(condition.column, -math.inf, math.inf)

    def features(records: FloatArray) -> FloatArray:
        held = np.any([_inside(records[:, 0], interval) for interval in condition.values], axis=0)
        return np.asarray(held[:, None], dtype=float)

    part = Part((condition.text,), 1.0, 1.0, 1.0, True, (column,))
    return Statistic(name, "count", (column,), (part,), features, unit)


def _inside(values: FloatArray, interval: ValueInterval) -> BoolArray:
    above: BoolArray = values >= interval.low if interval.with_low else values > interval.low
    below = values <= interval.high if interval.with_high else values < interval.high
    return np.asarray(above & below)


def categories(column: str, names: Sequence[str]) -> Classes:
    """Categories of a column; people of others are in no class."""
    _check_different(f"categories of {column}", names)
    labels = tuple(f"{column}={name}" for name in names)
    return Classes(tuple(Column(label, 0.0, 1.0, "category") for label in labels), labels, lambda records: records)


def cut(column: str, cuts: Sequence[float]) -> Classes:
    """Classes of a column of numbers: below the first cut, from each cut to the next, and from the last one on.

    Examples
    --------
    >>> classes = cut("cm", [165.0, 175.0])
    >>> classes.labels
    ('cm < 165', '165 <= cm < 175', 'cm >= 175')
    >>> classes.members(np.array([[165.0], [190.0]])).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    inner = checks.within(f"cuts of {column}", list(cuts), "(-inf, inf)")
    if not inner.size or (np.diff(inner) <= 0).any():
        raise errors.DomainError(f"cuts of {column} = {list(cuts)} do not rise; name one number at least, in order")
    middle = [f"{low:g} <= {column} < {high:g}" for low, high in itertools.pairwise(inner)]
    labels = (f"{column} < {inner[0]:g}", *middle, f"{column} >= {inner[-1]:g}")

    def members(records: FloatArray) -> FloatArray:
        classes = np.searchsorted(inner, records[:, 0], side="right")
        return np.asarray(classes[:, None] == np.arange(len(labels)), dtype=float)

    return Classes((Column(column, -math.inf, math.inf),), labels, members)


def crossed(classes: Sequence[Classes]) -> Classes:
    """Combinations of classes, one of each."""
    if not classes:
        raise errors.DomainError("classes names none; a table or a group needs one column of them at least")
    columns = tuple(column for one in classes for column in one.columns)
    labels = tuple(", ".join(names) for names in itertools.product(*(one.labels for one in classes)))
    ends = np.cumsum([0, *(len(one.columns) for one in classes)])

    def members(records: FloatArray) -> FloatArray:
        found = np.ones((len(records), 1))
        for one, (start, end) in zip(classes, itertools.pairwise(ends), strict=True):
            own = one.members(records[:, start:end])
            found = (found[:, :, None] * own[:, None, :]).reshape(len(records), -1)
        return found

    return Classes(columns, labels, members)


def table(name: str, classes: Sequence[Classes], unit: str = "") -> Statistic:
    """A histogram, or a table of the classes of several columns: how many people are in each cell.

    Returns
    -------
    Statistic
        Of one part: with another record in a target's place one cell loses a person and another one gets it.

    Examples
    --------
    >>> cells = table("sizes", [categories("sex", ["F", "M"]), cut("cm", [165.0, 175.0])])
    >>> cells.entries, cells.parts[0].sensitivity
    (6, 1.414...)
    """
    cells = crossed(classes)
    moved = min(2.0, len(cells.labels))
    part = Part(cells.labels, math.sqrt(moved), moved, 1.0, True, cells.columns)
    return Statistic(name, "table", cells.columns, (part,), cells.members, unit)


def grouped(statistic: Statistic, classes: Classes) -> Statistic:
    """A sum or a count in each of some groups.

    Parameters
    ----------
    statistic : Statistic
        Of kind "sum" or "count": the numbers of people, which the mean of a group needs, are not public.
    classes : Classes
        The groups, of which every record is in one at most.

    Returns
    -------
    Statistic
        With a part for each of its parts, which has all groups. A record within a group moves its entry by the width of the
        range; one that takes the place of another group's moves two entries, each by the largest of the range at most. With one
        group alone there is no other entry.

    Examples
    --------
    >>> weight = additive("weight", "sum", [Column("kg", 35.0, 170.0)], 10)
    >>> grouped(weight, categories("sex", ["F", "M"])).parts[0].sensitivity / 170
    1.414...
    """
    if statistic.kind not in ("sum", "count"):
        raise errors.DomainError(
            f"{statistic.name}: by is for sums and counts, not for the kind {statistic.kind}: how many people a group has is "
            "not public; release the sum and the count of each group"
        )
    own, moved, parts = len(statistic.columns), min(2, len(classes.labels)), []
    for column, part in zip(statistic.columns, statistic.parts, strict=True):
        # A count by a condition reads a column of any numbers, and adds 0 or 1.
        low, high = (column.low, column.high) if statistic.kind == "sum" else (0.0, 1.0)
        largest, width = max(abs(low), abs(high)), high - low
        labels = tuple(f"{part.labels[0]}, {group}" for group in classes.labels)
        sensitivity, sensitivity_l1 = max(width, math.sqrt(moved) * largest), max(width, moved * largest)
        read = (column, *classes.columns)
        parts.append(Part(labels, sensitivity, sensitivity_l1, largest, part.whole, read))

    def features(records: FloatArray) -> FloatArray:
        values, members = statistic.features(records[:, :own]), classes.members(records[:, own:])
        return (values[:, :, None] * members[:, None, :]).reshape(len(records), -1)

    columns = (*statistic.columns, *classes.columns)
    return Statistic(statistic.name, statistic.kind, columns, tuple(parts), features, statistic.unit)


def least_squares(name: str, predictors: Sequence[Column], response: Column, unit: str = "") -> Statistic:
    """What a least squares fit with an intercept is computed from: sums of all columns and of products of two of them.

    Parameters
    ----------
    name : str
    predictors : sequence of Column
        At least one, with stated ranges.
    response : Column
    unit : str, optional

    Returns
    -------
    Statistic
        Columns are moved and scaled to z from -1 to 1 over their stated range, in which the products are of one size. Its
        entries are the sums of z_i, of z_i z_j of each pair, and of z_i^2; each has noise of its own. z_i and z_i z_j move by 2
        at most, and z_i^2 by 1.

    Examples
    --------
    >>> statistic = least_squares("fit", [Column("cm", 100.0, 200.0)], Column("kg", 0.0, 100.0))
    >>> [part.labels[0] for part in statistic.parts], [part.sensitivity for part in statistic.parts]
    (['cm', 'kg', 'cm * cm', 'cm * kg', 'kg * kg'], [2.0, 2.0, 1.0, 2.0, 1.0])
    """
    columns = (*predictors, response)
    if not predictors:
        raise errors.DomainError(f"{name}: names no predictor; a least squares fit needs one at least")
    linear("sum", columns, 1)  # refuses ranges that are none
    pairs = list(itertools.combinations_with_replacement(range(len(columns)), 2))
    low, high = (np.array([getattr(column, end) for column in columns]) for end in ("low", "high"))

    def features(records: FloatArray) -> FloatArray:
        scaled = (records - (low + high) / 2) / ((high - low) / 2)
        return np.column_stack([scaled, *(scaled[:, i] * scaled[:, j] for i, j in pairs)])

    parts = [Part((column.name,), 2.0, 2.0, 1.0, columns=(column,)) for column in columns]
    parts += [
        Part((f"{columns[i].name} * {columns[j].name}",), moved, moved, 1.0, columns=(columns[i], columns[j]))
        for i, j in pairs
        for moved in [1.0 if i == j else 2.0]
    ]
    return Statistic(name, "least_squares", columns, tuple(parts), features, unit)


def of_people(statistic: Statistic, rows: int) -> Statistic:
    """A statistic of which a person may have several records, all replaced together by those of another person.

    Parameters
    ----------
    statistic : Statistic
        A sum over records whose number is not public: a sum, a count, a table, or the sums of a least squares fit.
    rows : int
        Records of a person at most; at least 1.

    Returns
    -------
    Statistic
        With what k records and k others move. Of a person with k records and one with j, min(j, k) pairs move the answer by the
        sensitivity each, and those left over by the most that a record adds: Delta + (k - 1) max(Delta, largest) at most.

    Examples
    --------
    >>> weight = additive("weight", "sum", [Column("kg", 35.0, 170.0)], 10)
    >>> of_people(weight, 3).parts[0].sensitivity, 3 * 170 - 35
    (475.0, 475)
    """
    if statistic.kind not in ("sum", "count", "table", "least_squares"):
        raise errors.DomainError(
            f"{statistic.name}: a {statistic.kind} is not known of people with several rows each, whose number is not public; "
            "release sums and counts"
        )
    more = checks.count("rows", rows, 1) - 1
    parts = tuple(
        dataclasses.replace(
            part,
            sensitivity=part.sensitivity + more * max(part.sensitivity, part.largest),
            sensitivity_l1=part.sensitivity_l1 + more * max(part.sensitivity_l1, part.largest),
            largest=rows * part.largest,
        )
        for part in statistic.parts
    )
    return dataclasses.replace(statistic, parts=parts)


def function(
    name: str,
    columns: Sequence[Column],
    of_records: Callable[[FloatArray], ArrayLike],
    labels: Sequence[str],
    sensitivity: float,
    sensitivity_l1: float = math.nan,
    unit: str = "",
) -> Statistic:
    """Any function of the records, with a sensitivity that its author answers for.

    Parameters
    ----------
    name : str
    columns : sequence of Column
    of_records : callable
        From records, shape (m, columns), to one number for each label.
    labels : sequence of str
        Names of its entries.
    sensitivity, sensitivity_l1 : float
        As of `disclosure.people.queries.custom`.
    unit : str, optional

    Returns
    -------
    Statistic
    """
    query = custom(of_records, sensitivity, name, sensitivity_l1)
    part = Part(tuple(labels), query.sensitivity, query.sensitivity_l1, math.nan, columns=tuple(columns))
    return Statistic(name, "function", tuple(columns), (part,), lambda records: records, unit, query)


def _check_different(name: str, values: Sequence[str] | Mapping[str, object]) -> None:
    names = list(values)
    if not names or len(set(names)) < len(names):
        raise errors.DomainError(f"{name} = {names}; name at least one, and each once")
