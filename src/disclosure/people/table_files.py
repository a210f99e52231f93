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

from disclosure.numerics import errors, numerals

__all__ = [
    "DECIMALS",
    "NOTHING",
    "SEPARATORS",
    "THOUSANDS",
    "Format",
    "Reader",
    "Stated",
    "empty",
    "find",
    "fits",
    "header",
    "opened",
    "rows",
]

_Path: TypeAlias = str | os.PathLike[str]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
"""What may separate cells, by the names that a shell can type; any number of blanks are one space."""
DECIMALS = {"point": ".", "comma": ","}
"""Decimal signs by their names."""

# Rows from which the separator and the decimal sign are found.
_LOOKED_AT = 1000
# Bytes that are decoded at once, to see whether a file is in an encoding.
_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"
# Where a tar archive says what it is.
_TAR = slice(257, 262)
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
_POINT = re.compile(r"\s*[+-]?\d*\.\d+(?:[eE][+-]?\d+)?\s*")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+")
"""Digits with a sign between groups of three, like 139.750: a fraction, or thousands."""
_DECLARED = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
# How files begin that hold tables, and are no text.
_NO_TEXT = {
    rb"PK\x03\x04": "a spreadsheet or another zip archive",
    rb"\xd0\xcf\x11\xe0": "an Excel workbook",
    rb"PAR1": "Parquet, whose name should end in .parquet",
    rb"\$FL[23]": "of SPSS",
    rb"<stata_dta>": "of Stata",
    rb"BZh[1-9]1AY&SY": "compressed by bzip2",
    rb"\xfd7zXZ\x00": "compressed by xz",
    rb"\x28\xb5\x2f\xfd": "compressed by zstd",
}
_LONGEST_BEGINNING = 16


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
        start = file.read(_LONGEST_BEGINNING)
    if kind := next((kind for form, kind in _NO_TEXT.items() if re.match(form, start)), None):
        raise errors.DomainError(f"{path}: is {kind}, and no CSV; write the table as CSV")
    compressed = start.startswith(_GZIP)
    encoding = _encoding(path, compressed, stated.encoding)
    lines = _first_lines(path, encoding, compressed)
    declared = _DECLARED.fullmatch(lines[0]) if lines else None
    if declared:
        lines = lines[1:]
        separator = separator or declared[1]
    separator, named_rows = _separator(path, lines, names, separator)
    if not _has(lines, separator, names):
        _refuse_lines_above(path, lines, names, bool(declared))
    if named_rows and separator == "," and decimal is None and _may_split_numbers(lines):
        raise errors.DomainError(
            f"{path}: has a cell more in its rows than in its header: names of rows, or numbers with a decimal comma that lack "
            "quotes; state --decimal point for the first, and separate cells by semicolons in the second case"
        )
    found = Format(encoding, separator, decimal or ".", compressed, bool(declared), named_rows)
    if decimal is None and separator != "," and _has_decimal_commas(lines, found, names):
        found = found._replace(decimal=",")
    if decimal is None and separator != ",":
        _refuse_unlike_decimals(path, lines, found, names)
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
    """The rows of lines of text; blanks may stand before a quoted cell, and around cells that blanks separate."""
    # Of a column that nobody asks for a cell may be as long as a book.
    csv.field_size_limit(sys.maxsize)
    if separator == " ":
        lines = (line.rstrip() + "\n" for line in lines)
    return csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)


def empty(row: Sequence[str]) -> bool:
    """Whether a row is none, as of an empty line or of one with separators only; a single empty cell is a missing value."""
    return not row or (len(row) > 1 and not any(row))


def header(row: Sequence[str]) -> list[str]:
    """Names of the columns: the cells of the first row, without blanks around them and single quotes around all of them."""
    cells = [cell.strip() for cell in row]
    quoted = all(len(cell) > 1 and cell[0] == cell[-1] == "'" for cell in cells)
    return [cell[1:-1] for cell in cells] if quoted else cells


def fits(row: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a row has a cell for each name; empty ones may follow, and be left out at the end where names are empty."""
    if len(row) < len(names):
        return not any(names[len(row) :])
    return not any(map(str.strip, row[len(names) :]))


def _known(name: str, stated: str | None, options: dict[str, str]) -> str | None:
    if stated is None or stated in options.values():
        return stated
    if stated not in options:
        raise errors.DomainError(f"{name} = {stated!r} is none of {', '.join(options)}")
    return options[stated]


def _encoding(path: _Path, compressed: bool, stated: str | None) -> str:
    """The encoding of a file: the one stated, that of its byte order mark, UTF-8, or cp1252 if it is in none of these."""
    with _bytes(path, compressed) as file:
        start = file.read(_BLOCK)
    if compressed and (start.startswith(_GZIP) or start[_TAR] == b"ustar"):
        raise errors.DomainError(
            f"{path}: holds another archive within gzip; write the table itself, as CSV or CSV in gzip"
        )
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
        if b"\0" in start and not name.startswith(("utf-16", "utf-32")):
            raise errors.DomainError(f"{path}: is not in {stated}, by its bytes of 0; state --encoding utf-16-le, say")
        return name
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
            except UnicodeError:  # of UTF-16 and UTF-32, which begin with a mark
                return "at its beginning"
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


class _Fit(NamedTuple):
    """A separator with which every row has a cell for each name of the header."""

    cells: int
    named_rows: bool


def _separator(path: _Path, lines: Sequence[str], names: Collection[str], stated: str | None) -> tuple[str, bool]:
    """What separates the cells, and whether rows have a cell more than the header.

    Of the separators with which all rows have equally many cells, one more in rows that R has named, it is the one with which
    the header has the names; a table of one column is read with any.
    """
    if stated is not None:
        fit = _fit(lines, stated)
        return stated, fit is not None and fit.named_rows
    fitting = {sign: fit for sign in SEPARATORS.values() if (fit := _fit(lines, sign))}
    several = {sign: fit for sign, fit in fitting.items() if fit.cells > 1}
    choice = {sign: fit for sign, fit in several.items() if _has(lines, sign, names)}
    # With a header of one cell, rows of two are numbers with a decimal comma.
    single = next((sign for sign in fitting if _has(lines, sign, names)), None)
    if not choice and single is None:
        choice = several
    if len(choice) > 1 and " " in choice:  # blanks within cells are common, and a separator only where nothing else is
        choice = {sign: fit for sign, fit in choice.items() if sign != " "}
    if len(choice) > 1:
        signs = " or ".join(name for name, sign in SEPARATORS.items() if sign in choice)
        raise errors.DomainError(f"{path}: its cells could be separated by {signs}; state which by --separator")
    if choice:
        ((sign, fit),) = choice.items()
        return sign, fit.named_rows
    if single is not None:
        return single, False

    # Nothing fits all rows, and what is wrong with them is told with the separator that gives the header the names or, if none
    # does, most cells.
    def said_of(sign: str) -> tuple[bool, bool, int]:
        return _has(lines, sign, names), sign != " ", len((_cells(lines[:1], sign) or [[]])[0])

    return max(SEPARATORS.values(), key=said_of), False


def _fit(lines: Sequence[str], separator: str) -> _Fit | None:
    found = _cells(lines, separator)
    if not found:
        return None
    names, body = header(found[0]), found[1:]
    if len(names) > 1 and _names_rows(lines, names, body, separator):
        return _Fit(len(names), True)
    return _Fit(len(names), False) if all(fits(row, names) for row in body) else None


def _names_rows(lines: Sequence[str], names: Sequence[str], body: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether every row begins with a name of its own that the header lacks, and does not just end in a separator."""
    first = {row[0] for row in body}
    if not body or {len(row) for row in body} != {len(names) + 1} or len(first) < len(body) or "" in first:
        return False
    if all(not row[-1].strip() for row in body):
        return False
    # Where blanks align the columns, a cell more may be a text of two words.
    aligned = separator == " " and any("  " in line.strip() for line in lines)
    below = [line for line in lines if line.strip()][1:]
    return not aligned or lines[0][:1] == " " != below[0][:1] or all(line.startswith('"') for line in below)


def _may_split_numbers(lines: Sequence[str]) -> bool:
    """Whether a comma might be the decimal sign of a number that is not quoted: digits stand at both sides in all rows."""
    _, *body = _cells(lines, ",")
    quoted = all(line.startswith('"') for line in lines if line.strip())
    whole = [all(re.fullmatch(r"\s*[+-]?\d+\s*", cell) for cell in column) for column in zip(*body, strict=False)]
    return not quoted and any(left and right for left, right in itertools.pairwise(whole))


def _cells(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Rows of the first lines that are not empty; none where these are no rows."""
    found: list[list[str]] = []
    try:
        found.extend(itertools.filterfalse(empty, rows(lines, separator)))
    except csv.Error:
        # A quoted cell may go on beyond the lines that were looked at; otherwise it is no table.
        return found if len(lines) == _LOOKED_AT else []
    return found


def _refuse_lines_above(path: _Path, lines: Sequence[str], names: Collection[str], declared: bool) -> None:
    """Raise `DomainError` if the columns are named further down than in the first row."""
    for separator in SEPARATORS.values():
        reader = rows(lines, separator)
        with contextlib.suppress(csv.Error):
            for row in reader:
                above = reader.line_num + declared - 1
                if names and above and set(header(row)) >= set(names):
                    raise errors.DomainError(
                        f"{path}: names its columns in line {above + 1}; a table begins with that line, so take out the "
                        f"{above} above it"
                    )


def _has(lines: Sequence[str], separator: str, names: Collection[str]) -> bool:
    with contextlib.suppress(csv.Error):
        return set(header(next(itertools.filterfalse(empty, rows(lines, separator)), []))) >= set(names)
    return False


def _refuse_unlike_decimals(path: _Path, lines: Sequence[str], found: Format, names: Collection[str]) -> None:
    """Raise `DomainError` if all fractions of the columns may be thousands, and those of other columns have the other sign."""
    first, *body = _cells(lines, found.separator) or [[]]
    same, other = (_POINT, _COMMA) if found.decimal == "." else (_COMMA, _POINT)
    own, others = list[str](), list[str]()
    for place, name in enumerate(header(first), found.named_rows):
        cells = [row[place].strip() for row in body if place < len(row)]
        if name in names:
            own += [cell for cell in cells if same.fullmatch(cell)]
        else:
            fractions = (cell for cell in cells if other.fullmatch(cell) and not THOUSANDS.fullmatch(cell))
            others += [f"{cell} in {name}" for cell in itertools.islice(fractions, 1)]
    if own and others and all(map(THOUSANDS.fullmatch, own)):
        sign = next(word for word, sign in DECIMALS.items() if sign == found.decimal)
        raise errors.DomainError(
            f"{path}: has {own[0]}, a fraction or thousands, and {others[0]}, with a decimal sign; state --decimal {sign} "
            "if the first is a fraction, and take the signs between thousands out if not"
        )


def _has_decimal_commas(lines: Sequence[str], found: Format, names: Collection[str]) -> bool:
    """Whether cells of the columns are numbers with a decimal comma, and none is one with a point."""
    first, *body = _cells(lines, found.separator) or [[]]
    places = [place + found.named_rows for place, name in enumerate(header(first)) if name in names]
    cells = [row[place] for row in body for place in places if place < len(row)]
    return any(map(_COMMA.fullmatch, cells)) and not any("." in cell and numerals.fault(cell) is None for cell in cells)
