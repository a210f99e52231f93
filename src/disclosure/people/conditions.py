"""Which values of a column are sensitive, as a person types it.

A condition names a column and some of its values::

    income >= 100000        also <=, >, < and ==, and with the number first, 100000 <= income
    age in 3..5             an interval, both ends included
    region in 1,4,7         some values
    age >= 18 and age < 25  several conditions on one column, joined by ``and``

Numbers are in the grammar of `disclosure.numerics.numerals`.
"""

import math
import re
from typing import NamedTuple

from disclosure.beliefs.value_sets import ValueInterval
from disclosure.numerics import numerals
from disclosure.numerics.errors import DomainError

__all__ = ["Condition", "parse_condition"]

_COMPARED = re.compile(r"\s*(?P<left>[^<>=]*[^<>=\s])\s*(?P<sign>>=|<=|==|>|<)\s*(?P<right>[^<>=]+)")
_LISTED = re.compile(r"\s*(?P<column>[^<>=]*[^<>=\s])\s+in\s+(?P<values>[^<>=]+)")
_MIRRORED = {">=": "<=", "<=": ">=", "==": "==", ">": "<", "<": ">"}
_WORDS = {"yes": 1, "true": 1, "no": 0, "false": 0}
_AND = re.compile(r"\s+and\s+")
_EXAMPLES = "'income >= 100000', 'age in 3..5', 'region in 1,4,7' or 'age >= 18 and age < 25'"


class Condition(NamedTuple):
    """Sensitive values of a column.

    Attributes
    ----------
    text : str
        As it was typed, without blanks around it.
    column : str
        Name of the column.
    values : tuple of ValueInterval
        Disjoint intervals, increasing.
    """

    text: str
    column: str
    values: tuple[ValueInterval, ...]


def parse_condition(text: str, name: str = "sensitive") -> Condition:
    """The condition that a text stands for.

    Parameters
    ----------
    text : str
        In the grammar above.
    name : str, optional
        What the caller calls the condition.

    Returns
    -------
    Condition

    Raises
    ------
    disclosure.numerics.errors.DomainError
        With the text, and what in it is wrong.

    Examples
    --------
    >>> parse_condition("age >= 18 and age < 25").values
    (ValueInterval(low=18.0, high=25.0, with_low=True, with_high=False),)
    >>> [interval.low for interval in parse_condition("region in 4,1").values]
    [1.0, 4.0]
    """
    text = text.strip()
    said = f"{name} = {text!r}"
    parts = [_parsed(said, part) for part in _AND.split(text)]
    columns = list(dict.fromkeys(column for column, _ in parts))
    if len(columns) > 1:
        raise _wrong(said, f"is about two columns, {columns[0]} and {columns[1]}; name one")
    values = parts[0][1]
    for _, others in parts[1:]:
        values = [common for one in values for other in others if (common := _common(one, other))]
    if not values:
        raise _wrong(said, "holds for no number")
    return Condition(text, columns[0], tuple(values))


def _parsed(said: str, part: str) -> tuple[str, list[ValueInterval]]:
    """The column that one of several conditions is about, and its values."""
    if match := _COMPARED.fullmatch(part):
        column, sign, number = match["left"], match["sign"], match["right"].strip()
        if numerals.fault(number) and numerals.fault(column) is None:
            column, sign, number = number, _MIRRORED[sign], column
        if sign == "==" and number.casefold() in _WORDS:
            raise _wrong(
                said,
                f"compares with a word; yes is the number 1 and no is 0: write {column} == {_WORDS[number.casefold()]}",
            )
        value = _number(said, number)
        return column, [
            {
                ">=": ValueInterval(value, math.inf),
                ">": ValueInterval(value, math.inf, with_low=False),
                "<=": ValueInterval(-math.inf, value),
                "<": ValueInterval(-math.inf, value, with_high=False),
                "==": ValueInterval(value, value),
            }[sign]
        ]
    if match := _LISTED.fullmatch(part):
        if "..." in match["values"]:
            raise _wrong(said, "has three points in its interval; write two, as in 3..5")
        low, dots, high = match["values"].partition("..")
        if not dots:
            numbers = {_number(said, value) for value in match["values"].split(",")}
            return match["column"], [ValueInterval(value, value) for value in sorted(numbers)]
        ends = _number(said, low), _number(said, high)
        if ends[0] > ends[1]:
            raise _wrong(said, f"has an interval from {low.strip()} down to {high.strip()}; swap its ends")
        return match["column"], [ValueInterval(*ends)]
    raise _wrong(said, f"is no condition; write one like {_EXAMPLES}")


def _number(said: str, number: str) -> float:
    if fault := numerals.fault(number):
        raise _wrong(said, f"has {number.strip()!r} for a number, which {fault}; write one like 12, -0.5 or 1e-3")
    return numerals.number(number)


def _wrong(said: str, fault: str) -> DomainError:
    return DomainError(f"{said} {fault}")


def _common(one: ValueInterval, other: ValueInterval) -> ValueInterval | None:
    """What two intervals have in common, or None for nothing."""
    low, with_low = max((one.low, not one.with_low), (other.low, not other.with_low))
    high, with_high = min((one.high, one.with_high), (other.high, other.with_high))
    common = ValueInterval(low, high, not with_low, with_high)
    empty = low > high or (low == high and not (common.with_low and common.with_high))
    return None if empty else common
