"""Tables of people from CSV files with a header, or from Parquet.

Where something is wrong with rows, the error names them by their number, counted from 1 without the header, and by their line
in the file.
"""

import dataclasses
import itertools
import os
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from disclosure.numerics import errors
from disclosure.numerics.types import BoolArray, FloatArray, IntArray
from disclosure.people import sources
from disclosure.people.cells import MISSING, Cells
from disclosure.people.queries import Column, LinearQuery, linear, parse_column
from disclosure.people.records import Records
from disclosure.people.table_files import NOTHING, Stated

__all__ = ["PLAIN", "Reading", "read", "read_release", "read_texts"]

_Path: TypeAlias = str | os.PathLike[str]

# Wrong rows that an error names, so that it stays one line, and categories that it lists.
_SHOWN = 5
# What stands for a missing value in a column of numbers, where somebody has decided for a number.
_NINES = re.compile(r"-?9{2,}|-9")
# Rows that are read at once: the texts of their cells take some megabytes.
_BLOCK = 1 << 14


class Reading(NamedTuple):
    """How a table is read.

    Attributes
    ----------
    weights : str, optional
        Name of a column of positive numbers, the adversary's prior over the candidates up to a factor.
    clip : bool
        Accept values outside their range and move them to its nearer end, as the release then has to do as well.
    missing : {"refuse", "drop", "category"}
        What is done with people of whom a value is missing: the table is refused, they are left out, or a missing value is a
        category like any other; numbers that are missing are refused then.
    stated : disclosure.people.table_files.Stated
        What is known of the text of a CSV file.
    """

    weights: str | None = None
    clip: bool = False
    missing: str = "refuse"
    stated: Stated = NOTHING


PLAIN: Final = Reading()
"""Without weights, with everything else as found, and nothing changed."""


def read_release(
    path: _Path, query: str, columns: Sequence[str], sample: int, reading: Reading = PLAIN
) -> tuple[Records, LinearQuery]:
    """The records of a table, and the query that is released about a sample of them.

    Parameters
    ----------
    path : path-like
    query : str
        One of `disclosure.people.queries.LINEAR`.
    columns : sequence of str
        Columns as `parse_column` reads them, like ``height_cm:50:210``.
    sample : int
        Size m of the dataset.
    reading : Reading, optional

    Returns
    -------
    Records, LinearQuery
    """
    parsed = [parse_column(text) for text in columns]
    released = linear(query, parsed, sample)
    return read(path, parsed, reading, binary=query == "count"), released


def read(
    path: _Path,
    columns: Sequence[Column],
    reading: Reading = PLAIN,
    binary: bool = False,
    block: int = _BLOCK,
) -> Records:
    """Read the columns of a table and hold them against their ranges.

    Memory is 8 bytes for each row, and for each row and column, twice: 48 MB for 10^6 rows of two columns.

    Parameters
    ----------
    path : path-like
        A CSV file as `table_files` finds it written, or a Parquet file with a name in ``.parquet``.
    columns : sequence of Column
    reading : Reading, optional
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
        Naming the column and the rows, for a column that is not there, cells that are not what the column holds (`cells`),
        values outside their range, and weights that are not positive or of which the sum or the least share is no float.
    """
    names = [column.name for column in columns]
    if not names:
        raise errors.DomainError("columns names none; a table is read for at least one")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise errors.DomainError(f"columns names {twice} twice; name every column once")
    if reading.missing not in MISSING:
        raise errors.DomainError(f"missing = {reading.missing!r} is none of {', '.join(MISSING)}")
    weighted = [] if reading.weights is None else [Column(reading.weights, -np.inf, np.inf)]
    table = _read(path, [*columns, *weighted], reading, block)
    records = _within(path, columns, table, reading.clip, binary)
    if reading.weights is None:
        return records
    values = table.cells[:, -1]
    _refuse(
        path, reading.weights, "not above 0", ~(values > 0), table, values, "leave out people who are no candidates"
    )
    with np.errstate(over="ignore", under="ignore"):
        least = values.min() / values.sum()
    if not least >= np.finfo(float).tiny:
        raise errors.DomainError(
            f"{path}: {reading.weights} from {values.min():g} to {values.max():g} is too wide for priors that are floats; "
            "only ratios of weights matter: divide them by a number, or leave out people of next to none"
        )
    return dataclasses.replace(records, values=np.ascontiguousarray(records.values[:, :-1]), weights=values.copy())


def read_texts(path: _Path, column: str, reading: Reading = PLAIN) -> list[str]:
    """The cells of a column in all rows of a table, as they are written but for blanks around them.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a column that is not there, and for empty cells.
    """
    with sources.opened(path, [column], reading.stated) as source:
        place = source.header.index(column)
        texts = [row[place].strip() for row in source.rows]
    if "" in texts:
        raise errors.DomainError(
            f"{path}: {column} is empty in row {texts.index('') + 1}; name the person of every row"
        )
    return texts


class _Table(NamedTuple):
    """What was read.

    Attributes
    ----------
    cells : ndarray, shape (n, k)
        Values of the people who are kept.
    rows : ndarray of int, shape (n,), or None
        Their rows, counted from 0; None if nobody was left out.
    lines : ndarray of int, shape (n,)
        The lines of these rows in the file.
    format : str
        How the file is written.
    missing : int
        People with a missing value, whether they are kept or not.
    """

    cells: FloatArray
    rows: IntArray | None
    lines: IntArray
    format: str
    missing: int


def _within(path: _Path, columns: Sequence[Column], table: _Table, clip: bool, binary: bool) -> Records:
    """The records of a table whose values are within their ranges."""
    clipped = 0
    for place, column in enumerate(columns):
        values = table.cells[:, place]
        outside = (values < column.low) | (values > column.high)
        if not clip:
            hint = _code(values[outside]) + (
                "state the range that the attribute can have, whatever the data are, or accept these with --clip"
            )
            _refuse(path, column.name, f"outside {column.low:g} to {column.high:g}", outside, table, values, hint)
        clipped += int(np.count_nonzero(outside))
        np.clip(values, column.low, column.high, out=values)
        if binary:
            other = (values != 0) & (values != 1)
            hint = "a count needs a column of zeros and ones"
            _refuse(path, column.name, "neither 0 nor 1", other, table, values, hint)
    return Records(tuple(columns), table.cells, None, clipped, table.rows, table.missing, table.format)


def _code(outside: FloatArray) -> str:
    """A hint for values outside their range that are all one code of nines, such as -999; otherwise nothing."""
    codes = np.unique(outside)
    if len(codes) != 1 or not _NINES.fullmatch(f"{codes[0]:.15g}"):
        return ""
    return f"if {codes[0]:.15g} stands for a missing value, empty these cells and decide by --missing; otherwise "


def _refuse(path: _Path, name: str, said: str, wrong: BoolArray, table: _Table, values: FloatArray, hint: str) -> None:
    """Raise `DomainError` if some values of a column are wrong."""
    if wrong.any():
        places = np.flatnonzero(wrong)
        shown = {place: f"{values[place]:g}" for place in places[:_SHOWN].tolist()}
        if places.tolist() == [len(values) - 1] and len(values) > 1:
            hint = f"if the last row is a total leave it out, otherwise {hint}"
        raise errors.DomainError(f"{path}: {name} is {said} in {_shown(places.tolist(), table, shown)}; {hint}")


def _read(path: _Path, columns: Sequence[Column], reading: Reading, block: int) -> _Table:
    """Columns as an array of floats, for the people who are kept."""
    parts, left_out, wrong = [], array("q"), array("q")
    texts, advice, missing = dict[int, str](), dict[tuple[int, bool], str](), 0
    with sources.opened(path, [column.source for column in columns], reading.stated) as source:
        places = [source.header.index(column.source) for column in columns]
        known = reading.stated.decimal is not None
        readers = [Cells(column, source.decimal, reading.missing, known) for column in columns]
        while rows := list(itertools.islice(source.rows, block)):
            start = len(source.lines) - len(rows)
            cells = [[row[place] for row in rows] for place in places]
            values, absent = (
                np.column_stack(found)
                for found in zip(*(r.read(column) for r, column in zip(readers, cells, strict=True)), strict=True)
            )
            missing += int(np.count_nonzero(absent.any(axis=1)))
            dropped = absent.any(axis=1) & (reading.missing == "drop")
            parts.append(values[~dropped] if dropped.any() else values)
            left_out.extend((start + np.flatnonzero(dropped)).tolist())
            for row in np.flatnonzero(np.isnan(values).any(axis=1) & ~dropped).tolist():
                wrong.append(start + row)
                if len(wrong) <= _SHOWN:
                    place = int(np.flatnonzero(np.isnan(values[row]))[0])
                    cell, kind = cells[place][row], (place, bool(absent[row, place]))
                    texts[wrong[-1]] = readers[place].fault(cell)
                    advice.setdefault(kind, readers[place].advice(cell))
    _check_cells(path, source, readers, len(left_out), wrong, texts, advice.values())
    lines = np.array(source.lines)
    if not left_out:
        return _Table(np.concatenate(parts), None, lines, source.format, missing)
    kept = np.delete(np.arange(len(lines)), left_out)
    return _Table(np.concatenate(parts), kept, lines[kept], source.format, missing)


def _check_cells(
    path: _Path,
    source: sources.Source,
    readers: Sequence[Cells],
    left_out: int,
    wrong: Sequence[int],
    texts: Mapping[int, str],
    advice: Iterable[str],
) -> None:
    """Raise `DomainError` for a table without people, cells that are no values, and numbers that may be others."""
    if not source.lines:
        raise errors.DomainError(f"{path}: has no rows below its header")
    if wrong:
        everybody = _Table(np.empty(0), None, np.array(source.lines), "", 0)
        raise errors.DomainError(
            f"{path}: not a value in {_shown(wrong, everybody, texts)} ({source.format}); {'; '.join(dict.fromkeys(advice))}"
        )
    if len(source.lines) == left_out:
        raise errors.DomainError(f"{path}: has no person without a missing value")
    for reader in readers:
        if reader.column.reads == "category" and reader.column.category not in reader.categories:
            raise errors.DomainError(
                f"{path}: {reader.column.name} is the category of nobody; there are {', '.join(sorted(reader.categories))}"
            )
        if number := reader.thousands:
            sign = "comma" if source.decimal == "," else "point"
            raise errors.DomainError(
                f"{path}: {reader.column.name} has {number}, which could be written with a sign between thousands, as all of "
                f"its fractions could; state --decimal {sign} if they are fractions, and take the signs out if not"
            )


def _shown(places: Sequence[int], table: _Table, said: Mapping[int, str]) -> str:
    """Some people by row, line and what is said about each, and how many others there are."""
    first = places[:_SHOWN]
    rows = first if table.rows is None else table.rows[list(first)].tolist()
    shown = [
        f"row {row + 1} (line {table.lines[place]}): {said[place]}" for row, place in zip(rows, first, strict=True)
    ]
    more = f" and {len(places) - _SHOWN:,} more" if len(places) > _SHOWN else ""
    return ", ".join(shown) + more
