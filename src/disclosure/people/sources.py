"""The rows of a table as texts, from CSV or from Parquet, with the header that names their cells."""

import contextlib
import csv
import itertools
import os
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from disclosure.numerics import errors
from disclosure.people import table_files
from disclosure.people.table_files import Stated

__all__ = ["Source", "opened"]

_Path: TypeAlias = str | os.PathLike[str]
_Row: TypeAlias = list[str]


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
        for name in names if check else ():
            if source.header.count(name) != 1:
                said = "stands twice in the header" if name in source.header else "is not a column"
                raise errors.DomainError(f"{path}: {name} {said}; there are {', '.join(source.header)}")
        yield source


@contextlib.contextmanager
def _csv(path: _Path, names: Sequence[str], stated: Stated) -> Iterator[Source]:
    found = table_files.find(path, names, stated)
    with table_files.opened(path, found.encoding, found.compressed) as file:
        skipped = 1 if found.declared else 0
        reader = table_files.rows(itertools.islice(file, skipped, None), found.separator)
        try:
            header = [name.strip() for name in next(filter(None, reader), [])]
            if found.named_rows and header:
                header = ["", *header]
            lines = array("q")
            yield Source(header, _filled(path, reader, len(header), skipped, lines), lines, found.decimal, str(found))
        except csv.Error as error:
            raise errors.DomainError(f"{path}: is no CSV table ({error} in line {reader.line_num + skipped})") from None


def _filled(path: _Path, reader: table_files.Reader, cells: int, skipped: int, lines: "array[int]") -> Iterator[_Row]:
    for row in reader:
        if row:
            lines.append(reader.line_num + skipped)
            if len(row) != cells:
                raise errors.DomainError(
                    f"{path}: row {len(lines)} (line {lines[-1]}) has {len(row)} cells; the header has {cells}"
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
