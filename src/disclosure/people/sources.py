"""The rows of a table as texts, from CSV or from Parquet, with the header that names their cells."""

import contextlib
import csv
import difflib
import itertools
import os
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from disclosure.numerics import errors, numerals
from disclosure.people import table_files
from disclosure.people.table_files import Stated

__all__ = ["Source", "opened"]

_Path: TypeAlias = str | os.PathLike[str]
_Row: TypeAlias = list[str]

# Names of columns in a message, and letters of each.
_LISTED, _LONGEST = 20, 40


class Source(NamedTuple):
    """An open table.

    Attributes
    ----------
    header : list of str
        Names of the cells of a row.
    rows : iterator of list of str
        Rows that are not empty, each with as many cells as the header.
    lines : array of int
        Line in the file of each row that was read so far; the row's number where a file has no lines.
    decimal : str
        Decimal sign.
    format : str
        How the file is written, in words.
    """

    header: _Row
    rows: Iterator[_Row]
    lines: "array[int]"
    decimal: str
    format: str


@contextlib.contextmanager
def opened(path: _Path, names: Sequence[str], stated: Stated, check: bool = True) -> Iterator[Source]:
    """An open table that should have columns of these names.

    Parameters
    ----------
    path : path-like
        A Parquet file if its name ends in ``.parquet``, otherwise a CSV file.
    names : sequence of str
    stated : Stated
        What is known of the text of a CSV file.
    check : bool, optional
        Whether a table that does not have each of these columns once is refused.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a file that is no such table, now or while it is read.
    """
    kind = _parquet if os.fspath(path).lower().endswith(".parquet") else _csv
    with kind(path, names, stated) as source:
        if not source.header:
            raise errors.DomainError(
                f"{path}: is empty; expected a header with {', '.join(names)}, and a row for each person"
            )
        if check:
            _check_header(path, source.header, names)
        yield source


def _check_header(path: _Path, header: Sequence[str], names: Sequence[str]) -> None:
    """Raise `DomainError` unless a header has each name once, and is one."""
    if all(numerals.fault(name.replace(",", ".")) is None for name in header):
        raise errors.DomainError(
            f"{path}: begins with {_listed(header)}, which are numbers; write a line above that names the columns"
        )
    for name in names:
        if name in header and header.count(name) > 1:
            raise errors.DomainError(
                f"{path}: {name} stands twice in the header; rename one, there are {_listed(header)}"
            )
        if name not in header:
            lower = {other.casefold(): other for other in header}
            near = difflib.get_close_matches(name.casefold(), lower, n=1) if len(lower) > 1 else []
            hint = f", but {lower[near[0]]} is" if near else ""
            raise errors.DomainError(f"{path}: {name} is not a column{hint}; there are {_listed(header)}")


def _listed(header: Sequence[str]) -> str:
    """Names of columns, the first of them if there are many."""
    names = [name if len(name) <= _LONGEST else name[:_LONGEST] + "..." for name in header if name]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


@contextlib.contextmanager
def _csv(path: _Path, names: Sequence[str], stated: Stated) -> Iterator[Source]:
    found = table_files.find(path, names, stated)
    with table_files.opened(path, found.encoding, found.compressed) as file:
        skipped = 1 if found.declared else 0
        reader = table_files.rows(itertools.islice(file, skipped, None), found.separator)
        try:
            header = table_files.header(next(itertools.filterfalse(table_files.empty, reader), []))
            if found.named_rows and header:
                header = ["", *header]
            lines = array("q")
            yield Source(header, _filled(path, reader, header, skipped, lines), lines, found.decimal, str(found))
        except csv.Error as error:
            raise errors.DomainError(
                f"{path}: is no CSV table ({error} in line {reader.line_num + skipped}); quotes stand around a whole cell, and "
                "within it twice"
            ) from None


def _filled(
    path: _Path, reader: table_files.Reader, header: Sequence[str], skipped: int, lines: "array[int]"
) -> Iterator[_Row]:
    cells = len(header)
    for row in reader:
        if not table_files.empty(row):
            lines.append(reader.line_num + skipped)
            if len(row) != cells and not table_files.fits(row, header):
                raise errors.DomainError(
                    f"{path}: row {len(lines)} (line {lines[-1]}) has {len(row)} cells; the header has {cells}; a cell with "
                    "the separator or the decimal comma in it needs quotes"
                )
            yield row


@contextlib.contextmanager
def _parquet(path: _Path, names: Sequence[str], stated: Stated) -> Iterator[Source]:
    """Columns of a Parquet file, their values as texts; missing values are empty."""
    if any(stated):
        raise errors.DomainError(f"{path}: is Parquet, which has no separator, decimal sign or encoding; state none")
    try:
        from pyarrow import parquet  # type: ignore[import-not-found]  # not among the dependencies, since few need it
    except ImportError:
        raise errors.DomainError(
            f"{path}: is Parquet, which pyarrow reads; install pyarrow, or write the table as CSV"
        ) from None
    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise errors.DomainError(f"{path}: is no Parquet file ({error})") from None
    with file:
        lines = array("q")
        yield Source(list(file.schema_arrow.names), _from_parquet(file, lines), lines, ".", "Parquet")


def _from_parquet(file: Any, lines: "array[int]") -> Iterator[_Row]:
    for batch in file.iter_batches():
        columns = [[_text(value) for value in column.to_pylist()] for column in batch.columns]
        for row in zip(*columns, strict=True):
            lines.append(len(lines) + 1)
            yield list(row)


def _text(value: object) -> str:
    return "" if value is None else str(value)
