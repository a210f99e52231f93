"""Tables of people from CSV files with a header.

Where something is wrong with rows, the error names them by their number, counted from 1 without the header, and by their line
in the file.
"""

import contextlib
import csv
import itertools
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np

from disclosure.numerics import errors, numerals
from disclosure.numerics.types import BoolArray, FloatArray, IntArray
from disclosure.people.queries import Column, LinearQuery, linear, parse_column
from disclosure.people.records import Records

__all__ = ["read", "read_release"]

_Path: TypeAlias = str | os.PathLike[str]
_Row: TypeAlias = list[str]

# Wrong rows that an error names, so that it stays one line.
_SHOWN = 5
# Rows that are read at once: the texts of their cells take some megabytes.
_BLOCK = 1 << 14


def read_release(
    path: _Path, query: str, columns: Sequence[str], sample: int, weights: str | None = None, clip: bool = False
) -> tuple[Records, LinearQuery]:
    """The records of a table, and the query that is released about a sample of them.

    Parameters
    ----------
    path : path-like
    query : str
        One of `disclosure.people.queries.LINEAR`.
    columns : sequence of str
        Columns and their ranges, like ``height_cm:50:210``.
    sample : int
        Size m of the dataset.
    weights, clip : optional
        As in `read`.

    Returns
    -------
    Records, LinearQuery
    """
    parsed = [parse_column(text) for text in columns]
    released = linear(query, parsed, sample)
    return read(path, parsed, weights, clip, binary=query == "count"), released


def read(
    path: _Path,
    columns: Sequence[Column],
    weights: str | None = None,
    clip: bool = False,
    binary: bool = False,
    block: int = _BLOCK,
) -> Records:
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
    binary : bool, optional
        Refuse values that are neither 0 nor 1, for a count.
    block : int, optional
        Rows that are read at once; changes no result.

    Returns
    -------
    Records

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Naming the column and the rows, for a column that is not there, cells that are no numbers (`numerals`), values outside
        their range, and weights that are not positive.
    """
    names = [column.name for column in columns]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise errors.DomainError(f"columns names {twice} twice; name every column once")
    cells, lines = _numbers(path, names if weights is None else [*names, weights], block)
    clipped = 0
    for place, column in enumerate(columns):
        values = cells[:, place]
        outside = (values < column.low) | (values > column.high)
        if not clip:
            said, hint = f"outside {column.low:g} to {column.high:g}", "state a wider range, or accept them with --clip"
            _refuse(path, column.name, said, outside, lines, values, hint)
        clipped += int(np.count_nonzero(outside))
        np.clip(values, column.low, column.high, out=values)
        if binary:
            other = (values != 0) & (values != 1)
            hint = "a count needs a column of zeros and ones"
            _refuse(path, column.name, "neither 0 nor 1", other, lines, values, hint)
    if weights is None:
        return Records(tuple(columns), cells, None, clipped)
    values = cells[:, -1]
    _refuse(path, weights, "not above 0", ~(values > 0), lines, values, "leave out people who are no candidates")
    return Records(tuple(columns), np.ascontiguousarray(cells[:, :-1]), values.copy(), clipped)


class _Reader(Protocol):
    """What `csv.reader` gives: rows, and how many lines of the file it has read."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[_Row]: ...


def _refuse(
    path: _Path, name: str, said: str, wrong: BoolArray, lines: IntArray, values: FloatArray, hint: str
) -> None:
    """Raise `DomainError` if some values of a column are wrong."""
    if wrong.any():
        rows = np.flatnonzero(wrong).tolist()
        shown = {row: f"{values[row]:g}" for row in rows[:_SHOWN]}
        raise errors.DomainError(f"{path}: {name} is {said} in {_rows(rows, lines, shown)}; {hint}")


def _numbers(path: _Path, names: list[str], block: int) -> tuple[FloatArray, IntArray]:
    """Columns as an array of floats, and the line in the file of each row."""
    parts, lines = [], array("q")
    wrong, texts = array("q"), dict[int, str]()
    with _opened(path) as (reader, header):
        if not header:
            raise errors.DomainError(
                f"{path}: is empty; expected a header with {', '.join(names)}, and a row for each person"
            )
        places = _places(path, header, names)
        filled = _filled_rows(path, reader, len(header), lines)
        while rows := list(itertools.islice(filled, block)):
            start = len(lines) - len(rows)
            columns = [[row[place] for row in rows] for place in places]
            parts.append(np.column_stack([numerals.numbers(column) for column in columns]))
            for row in np.flatnonzero(np.isnan(parts[-1]).any(axis=1)).tolist():
                wrong.append(start + row)
                if len(wrong) <= _SHOWN:
                    texts[wrong[-1]] = _first_fault(names, [column[row] for column in columns])
    if not lines:
        raise errors.DomainError(f"{path}: has no rows below its header")
    if wrong:
        raise errors.DomainError(
            f"{path}: not a number in {_rows(wrong, lines, texts)}; correct these cells or leave their rows out"
        )
    return np.concatenate(parts), np.array(lines)


@contextlib.contextmanager
def _opened(path: _Path) -> Iterator[tuple[_Reader, _Row]]:
    """The rows of a table below its header, and the header."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file, strict=True)
            yield reader, [name.strip() for name in next(reader, [])]
        except (csv.Error, UnicodeDecodeError) as error:
            raise errors.DomainError(f"{path}: is no CSV table in UTF-8 ({error})") from None


def _filled_rows(path: _Path, reader: _Reader, cells: int, lines: "array[int]") -> Iterator[_Row]:
    """Rows that are not empty, each with so many cells; the line of each is appended to ``lines``."""
    for row in reader:
        if row:
            lines.append(reader.line_num)
            if len(row) != cells:
                raise errors.DomainError(
                    f"{path}: row {len(lines)} (line {reader.line_num}) has {len(row)} cells; the header has {cells}"
                )
            yield row


def _first_fault(names: Sequence[str], texts: Sequence[str]) -> str:
    """What is wrong with the first text of a row that is no number."""
    name, text, fault = next((n, t, f) for n, t in zip(names, texts, strict=True) if (f := numerals.fault(t)))
    if not text.strip():
        return f"{name} is empty"
    return f"{name} is {text!r}" + ("" if fault == "is no number" else f" ({fault})")


def _places(path: _Path, header: _Row, names: Sequence[str]) -> list[int]:
    """Places of columns in the header."""
    for name in names:
        if header.count(name) != 1:
            said = "stands twice in the header" if name in header else "is not a column"
            raise errors.DomainError(f"{path}: {name} {said}; there are {', '.join(header) or 'none'}")
    return [header.index(name) for name in names]


def _rows(rows: Sequence[int], lines: Sequence[int] | IntArray, said: Mapping[int, str]) -> str:
    """Some rows by number, line and what is said about each, and how many others there are."""
    shown = [f"row {row + 1} (line {lines[row]}): {said[row]}" for row in rows[:_SHOWN]]
    more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    return ", ".join(shown) + more
