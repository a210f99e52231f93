"""What can be seen of a table of people before a run starts: that it is there, its columns and the number of its rows."""

import os
from collections.abc import Iterable, Sequence

from disclosure.people import sources
from disclosure.people.table_files import Stated

__all__ = ["located", "sizes"]

# Bytes; Python reads as much in half a second. The jobs count the rows of a larger table.
_LARGEST = 20_000_000


def located(name: str, folders: Iterable[str | os.PathLike[str]]) -> str | None:
    """Path of a file in the first of some folders that has it, or None."""
    return next((path for folder in folders if os.path.isfile(path := os.path.join(folder, name))), None)


def sizes(path: str, names: Sequence[str], stated: Stated) -> tuple[list[str], int | None]:
    """Columns of a table, and the number of its rows; None for one that takes long to count.

    The names of the columns that it should have tell how it is written.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a file that is no table.
    """
    with sources.opened(path, names, stated, check=False) as source:
        return source.header, sum(1 for _ in source.rows) if os.path.getsize(path) <= _LARGEST else None
