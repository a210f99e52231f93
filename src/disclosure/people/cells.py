"""From the cells of a table to numbers: decimal signs, yes and no, categories, and cells that are missing.

A column of people is read in one of three ways (`disclosure.people.queries.Column`): as numbers; as ones and zeros for yes and
no; or as ones for one category, ``smoker=yes`` say, and zeros for all others.
"""

import math
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from disclosure.numerics import numerals
from disclosure.numerics.types import BoolArray, FloatArray
from disclosure.people.queries import Column
from disclosure.people.table_files import THOUSANDS

__all__ = ["MISSING", "Cells", "is_missing"]

MISSING = ("refuse", "drop", "category")
"""What is done with missing cells: the table is refused, their people are left out, or they are a category of their own."""

_YES: Final = frozenset(("yes", "y", "true", "t", "1"))
_NO: Final = frozenset(("no", "n", "false", "f", "0"))
# What programs write for a missing value. In a column of numbers more of it is beyond doubt: "none" may be a category.
_ABSENT: Final = frozenset(("", "na", "n/a", "#n/a", "<na>", "nan", "null"))
_ABSENT_NUMBER: Final = _ABSENT | {"none", "missing", ".", "?", "-"}

# A number in which a point is no decimal sign, and so stands between thousands if anywhere.
_POINTED = re.compile(r"\s*[+-]?[\d.,]*\.[\d.,]*\s*")

# Letters of a cell in a message, and categories that are remembered for one.
_LONGEST, _LISTED = 40, 10


def is_missing(text: str, column: Column) -> bool:
    """Whether a cell of a column says that there is no value."""
    text = text.strip()
    return text != column.category and text.casefold() in (_ABSENT_NUMBER if column.reads == "number" else _ABSENT)


class Cells:
    """Reads the cells of one column, block by block.

    Parameters
    ----------
    column : Column
    decimal : {".", ","}
        Decimal sign of its numbers.
    missing : {"refuse", "drop", "category"}
    stated : bool
        Whether the decimal sign was stated, and not found.

    Attributes
    ----------
    column : Column
    thousands : str
        A number of the blocks read so far that may be written with a sign between thousands, if none speaks against that;
        otherwise empty.
    categories : set of str
        Categories of a column of these, some of them if there are many; the one asked for is among them if anybody has it.
    """

    def __init__(self, column: Column, decimal: str, missing: str, stated: bool = True) -> None:
        self.column, self._decimal, self._missing = column, decimal, missing
        self._unsure, self.thousands = not stated, ""
        self.categories: set[str] = set()

    def read(self, texts: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        """Values of some cells, NaN for those that are none, and which are missing.

        Under the policy ``category`` a missing cell of yes and no, or of a category, is 0 as any other than the one asked for.

        Parameters
        ----------
        texts : list of str

        Returns
        -------
        values : ndarray
        missing : ndarray of bool
        """
        if self.column.reads == "number":
            values = self._numbers(texts)
        elif self.column.reads == "truth":
            values = np.array([_truth(text) for text in texts])
        else:
            values = np.array([float(text.strip() == self.column.category) for text in texts])
            found = {text.strip() for text in texts}
            self.categories |= found & {self.column.category or ""}
            self.categories |= set(sorted(found)[: max(0, _LISTED - len(self.categories))])
        # A missing cell is no number and no truth value, and looks like any other category.
        doubtful = np.isnan(values) if self.column.reads != "category" else values == 0
        missing = np.zeros(len(texts), dtype=bool)
        for place in np.flatnonzero(doubtful).tolist():
            missing[place] = is_missing(texts[place], self.column)
        if self.column.reads != "number" and self._missing == "category":
            values[missing] = 0.0
        elif self.column.reads == "category":
            values[missing] = np.nan
        return values, missing

    def fault(self, text: str) -> str:
        """What is wrong with a cell that is no value of the column."""
        name, shown = self.column.name, repr(_short(text))
        if is_missing(text, self.column):
            return f"{name} is {'empty' if not text.strip() else shown + ', missing'}"
        if self.column.reads == "truth":
            return f"{name} is {shown}, neither yes nor no"
        fault = self._fault(text)
        return f"{name} is {shown}" + ("" if fault in (None, "is no number") else f" ({fault.partition(';')[0]})")

    def advice(self, text: str) -> str:
        """What to do about a cell that is no value of the column."""
        name = self.column.source
        if is_missing(text, self.column):
            if self.column.reads == "number":
                of_categories = self._missing == "category"
                why = f"; --missing category is for categories, and {name} has numbers" if of_categories else ""
                return f"leave people with missing values out by --missing drop{why}"
            return (
                "leave people with missing values out by --missing drop, or take these for one more category by --missing "
                "category"
            )
        if self.column.reads == "truth":
            return (
                f"column {name!r} has no range, and so is one of yes and no: for one category write {name}={_short(text)}, "
                f"for numbers {name}:LOW:HIGH"
            )
        fault = self._fault(text)
        if fault == "is a date":
            return f"write the dates of {name} as numbers, of years or of days since one of them"
        if fault in ("is no number", "is a range"):
            return f"correct these cells, leave their rows out, or for one category write {name}={_short(text)}"
        if fault and fault.startswith(("has a comma", "has a point")):
            other = "point" if self._decimal == "," else "comma"
            return f"state --decimal {other} if that is the decimal sign of {name}, or take signs between thousands out"
        return "correct these cells, or leave their rows out"

    def _fault(self, text: str) -> str | None:
        fault = numerals.fault(text)
        if self._decimal == "." or fault == "is a date":
            return fault
        if _POINTED.fullmatch(text):
            return "has a point; the decimal sign is a comma, and nothing stands between thousands"
        return numerals.fault(self._pointed(text))

    def _numbers(self, texts: Sequence[str]) -> FloatArray:
        if self._unsure:
            self._look_for_thousands(texts)
        if self._decimal == ",":
            texts = [self._pointed(text) for text in texts]
        return numerals.numbers(texts)

    def _pointed(self, text: str) -> str:
        """A number with a decimal point; a point that stands there already makes it none."""
        return text.replace(".", "_").replace(",", ".") if self._decimal == "," else text

    def _look_for_thousands(self, texts: Sequence[str]) -> None:
        for text in texts:
            if self._decimal in text:
                number = text.strip()
                if not THOUSANDS.fullmatch(number):
                    self._unsure, self.thousands = False, ""
                    return
                whole = float(re.sub(r"[.,]", "", number))
                if not self.column.low <= whole <= self.column.high and math.isfinite(self.column.high):
                    self._unsure, self.thousands = False, ""
                    return
                self.thousands = self.thousands or number


def _short(text: str) -> str:
    text = text.strip()
    return text[:_LONGEST] + "..." if len(text) > _LONGEST else text


def _truth(text: str) -> float:
    text = text.strip().casefold()
    if text in _YES or text in _NO:
        return float(text in _YES)
    # What knows no truth values writes them as numbers, and those beside missing ones as 1.0 and 0.0.
    number = numerals.parsed(text)
    return float(number) if number in (0, 1) else math.nan
