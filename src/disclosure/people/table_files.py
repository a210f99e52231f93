"""How the text of a table is written: its encoding, what separates cells, and the decimal sign.

Spreadsheets and statistics programs write CSV in many ways. What is not stated is found from the first rows, and said; where
two ways would do, the table is refused. A file compressed by gzip is opened as it is. Byte order marks and the line ``sep=;``,
which spreadsheets write first, say what they stand for.
"""

import codecs
import contextlib
import csv
import gzip
import io
import itertools
import os
import re
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import IO, Final, NamedTuple, Protocol, TypeAlias

from disclosure.numerics import errors

__all__ = ["DECIMALS", "NOTHING", "SEPARATORS", "Format", "Reader", "Stated", "find", "opened", "rows"]

_Path: TypeAlias = str | os.PathLike[str]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
"""What may separate cells, by the names that a shell can type."""
DECIMALS = {"point": ".", "comma": ","}
"""Decimal signs by their names."""

# Rows from which the separator and the decimal sign are found.
_LOOKED_AT = 1000
# Bytes that are decoded at once, to see whether a file is in an encoding.
_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"
# Byte order marks, those that begin with another one first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# A number with a decimal comma, which no number with a decimal point looks like.
_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")
_DECLARED = re.compile(r"sep=(.)\s*", re.IGNORECASE)


class Stated(NamedTuple):
    """What is said of a table's text; None where it is to be found."""

    separator: str | None = None
    """One of the `SEPARATORS`, by its name or itself."""
    decimal: str | None = None
    """One of the `DECIMALS`, by its name or itself."""
    encoding: str | None = None
    """A name that Python knows."""


NOTHING: Final = Stated()


class Format(NamedTuple):
    """How a table's text is written."""

    encoding: str
    separator: str
    decimal: str
    compressed: bool
    declared: bool
    """Whether the first line is ``sep=...`` and no row."""
    named_rows: bool
    """Whether rows have a name that the header knows nothing of, as R writes them."""

    def __str__(self) -> str:
        separator = next(name for name, sign in SEPARATORS.items() if sign == self.separator)
        decimal = next(name for name, sign in DECIMALS.items() if sign == self.decimal)
        encoding = self.encoding.removesuffix("-sig").upper()
        packed = "compressed by gzip, " if self.compressed else ""
        named = ", rows named" if self.named_rows else ""
        return f"{packed}{encoding}, cells separated by {separator}, decimal {decimal}{named}"


def find(path: _Path, names: Collection[str], stated: Stated = NOTHING) -> Format:
    """How a table is written.

    Parameters
    ----------
    path : path-like
    names : collection of str
        Columns that it must have.
    stated : Stated, optional

    Returns
    -------
    Format

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For what is stated and not known, an encoding that the file is not in, and a file that could be read in two ways.
    """
    separator = _known("separator", stated.separator, SEPARATORS)
    decimal = _known("decimal", stated.decimal, DECIMALS)
    with open(path, "rb") as file:
        compressed = file.read(2) == _GZIP
    encoding = _encoding(path, compressed, stated.encoding)
    lines = _first_lines(path, encoding, compressed)
    declared = _DECLARED.fullmatch(lines[0]) if lines else None
    if declared:
        lines = lines[1:]
        separator = separator or declared[1]
    separator, named_rows = _separator(path, lines, names, separator)
    found = Format(encoding, separator, decimal or ".", compressed, bool(declared), named_rows)
    if decimal is None and separator != "," and _has_decimal_commas(lines, found, names):
        found = found._replace(decimal=",")
    return found


@contextlib.contextmanager
def opened(path: _Path, encoding: str, compressed: bool) -> Iterator[IO[str]]:
    """A file as text, its line ends as they are."""
    with contextlib.ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(open(path, "rb"))
        if compressed:
            file = stack.enter_context(gzip.GzipFile(fileobj=file))  # type: ignore[arg-type]
        yield stack.enter_context(io.TextIOWrapper(file, encoding=encoding, newline=""))


class Reader(Protocol):
    """What `csv.reader` gives: rows, and how many lines it has read."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[list[str]]: ...

    def __next__(self) -> list[str]: ...


def rows(lines: Iterable[str], separator: str) -> Reader:
    """The rows of lines of text; blanks may stand before a quoted cell."""
    # Of a column that nobody asks for a cell may be as long as a book.
    csv.field_size_limit(sys.maxsize)
    return csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=separator != " ")


def _known(name: str, stated: str | None, options: dict[str, str]) -> str | None:
    if stated is None or stated in options.values():
        return stated
    if stated not in options:
        raise errors.DomainError(f"{name} = {stated!r} is none of {', '.join(options)}")
    return options[stated]


def _encoding(path: _Path, compressed: bool, stated: str | None) -> str:
    """The encoding of a file: the one stated, that of its byte order mark, UTF-8, or cp1252 if it is in none of these."""
    if stated is not None:
        try:
            "".encode(stated)  # refuses codecs that are none of text
            name = codecs.lookup(stated).name
        except LookupError:
            raise errors.DomainError(
                f"encoding = {stated!r} is not known; write utf-8, utf-16 or cp1252, say"
            ) from None
        if (place := _undecodable(path, name, compressed)) is not None:
            raise errors.DomainError(f"{path}: is not in {stated}, by what stands {place}; state another --encoding")
        return name
    with _bytes(path, compressed) as file:
        start = file.read(_BLOCK)
    mark = next((name for mark, name in _MARKS if start.startswith(mark)), None)
    if mark is None and b"\0" in start:
        raise errors.DomainError(
            f"{path}: has bytes of 0, as UTF-16 has without its mark; state --encoding utf-16-le, say"
        )
    for name in (mark,) if mark else ("utf-8", "cp1252"):
        if _undecodable(path, name, compressed) is None:
            return name
    raise errors.DomainError(f"{path}: is in neither UTF-8 nor cp1252; state its --encoding, latin-1 say")


def _undecodable(path: _Path, encoding: str, compressed: bool) -> str | None:
    """Where a file is not in an encoding, in words; None if it is."""
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    with _bytes(path, compressed) as file:
        while block := file.read(_BLOCK):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                return f"in line {line + block.count(10, 0, error.start)}"
            line += block.count(10)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "at its end"
    return None


@contextlib.contextmanager
def _bytes(path: _Path, compressed: bool) -> Iterator[IO[bytes]]:
    with open(path, "rb") as plain:
        file: IO[bytes] = gzip.GzipFile(fileobj=plain) if compressed else plain  # type: ignore[assignment]
        try:
            yield file
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise errors.DomainError(f"{path}: is compressed by gzip, and damaged ({error})") from None


def _first_lines(path: _Path, encoding: str, compressed: bool) -> list[str]:
    with opened(path, encoding, compressed) as file:
        return list(itertools.islice(file, _LOOKED_AT))


def _separator(path: _Path, lines: Sequence[str], names: Collection[str], stated: str | None) -> tuple[str, bool]:
    """What separates the cells, and whether rows have a cell more than the header.

    Of the separators with which all rows have equally many cells, one more in rows that R has named, it is the one with which
    the header has the names; a table of one column is read with any.
    """
    if stated is not None:
        widths = _widths(lines, stated)
        return stated, bool(widths) and all(width == widths[0] + 1 for width in widths[1:]) and len(widths) > 1
    fitting = {}
    for sign in SEPARATORS.values():
        widths = _widths(lines, sign)
        more = {width - widths[0] for width in widths[1:]} if widths else set()
        if widths and (more in ({0}, set()) or (more == {1} and widths[0] > 1)):
            fitting[sign] = (widths[0], more == {1})
    several = {sign: found for sign, found in fitting.items() if found[0] > 1}
    named = {sign: found for sign, found in several.items() if _has(lines, sign, names)}
    choice = named or several
    if len(choice) > 1 and " " in choice:  # blanks within cells are common, and a separator only where nothing else is
        choice = {sign: found for sign, found in choice.items() if sign != " "}
    if len(choice) > 1:
        signs = " or ".join(name for name, sign in SEPARATORS.items() if sign in choice)
        raise errors.DomainError(f"{path}: its cells could be separated by {signs}; state which by --separator")
    if choice:
        ((sign, (_, named_rows)),) = choice.items()
        return sign, named_rows
    # With a header of one cell, rows of two are numbers with a decimal comma.
    single = next((sign for sign in fitting if _has(lines, sign, names)), None)
    if single is not None:
        return single, False
    # Nothing fits all rows, and what is wrong with them is told with the separator that the header has most of.
    return max(SEPARATORS.values(), key=lambda sign: (_widths(lines[:1], sign) or [0])[0] if sign != " " else 0), False


def _widths(lines: Sequence[str], separator: str) -> list[int]:
    """Numbers of cells in the rows of the first lines; empty where these are no rows."""
    found: list[int] = []
    try:
        found.extend(len(row) for row in rows(lines, separator) if row)
    except csv.Error:
        # A quoted cell may go on beyond the lines that were looked at; otherwise it is no table.
        return found if len(lines) == _LOOKED_AT else []
    return found


def _has(lines: Sequence[str], separator: str, names: Collection[str]) -> bool:
    header = next(filter(None, rows(lines, separator)), [])
    return {cell.strip() for cell in header} >= set(names)


def _has_decimal_commas(lines: Sequence[str], found: Format, names: Collection[str]) -> bool:
    """Whether cells of the columns are numbers with a decimal comma, and none has a point."""
    header, *body = [row for row in rows(lines, found.separator) if row] or [[]]
    places = [place + found.named_rows for place, cell in enumerate(header) if cell.strip() in names]
    cells = [row[place] for row in body for place in places if place < len(row)]
    return any(map(_COMMA.fullmatch, cells)) and not any("." in cell for cell in cells)
