"""What can be seen of a table of people before a run starts: that it is there, its columns, its values and how many people."""

import os
from collections.abc import Iterable, Sequence

from disclosure.people import sources
from disclosure.people.queries import Column
from disclosure.people.reading import Reading, read
from disclosure.people.table_files import Stated

__all__ = ["header", "located", "number"]

# Bytes of a table whose values are looked at, and of one whose rows are counted: half a second each. The jobs do it for larger
# ones.
_LARGEST_READ, _LARGEST_COUNTED = 4_000_000, 20_000_000


def located(name: str, folders: Iterable[str | os.PathLike[str]]) -> str | None:
    """Path of a file in the first of some folders that has it, or None."""
    return next((path for folder in folders if os.path.isfile(path := os.path.join(folder, name))), None)


def header(path: str, names: Sequence[str], stated: Stated) -> list[str]:
    """Columns of a table; the names of those that it should have tell how it is written.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a file that is no table.
    """
    with sources.opened(path, names, stated, check=False) as source:
        return source.header


def number(path: str, columns: Sequence[Column], reading: Reading, binary: bool) -> int | None:
    """People of a table, without those who are left out; None where that takes long to know.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For cells that are no values, values outside their range and weights that are none, as a job would.
    """
    size = os.path.getsize(path)
    if size <= _LARGEST_READ:
        return len(read(path, columns, reading, binary))
    if size > _LARGEST_COUNTED or reading.missing == "drop":
        return None
    with sources.opened(path, [column.source for column in columns], reading.stated) as source:
        return sum(1 for _ in source.rows)
