"""What can be seen of a table of people before a run starts: that it is there, its columns and the number of its rows."""

import csv
import os
from collections.abc import Iterable

__all__ = ["located", "sizes"]

# Bytes; Python reads as much in half a second. The jobs count the rows of a larger table.
_LARGEST = 20_000_000


def located(name: str, folders: Iterable[str | os.PathLike[str]]) -> str | None:
    """Path of a file in the first of some folders that has it, or None."""
    return next((path for folder in folders if os.path.isfile(path := os.path.join(folder, name))), None)


def sizes(path: str) -> tuple[list[str], int | None]:
    """Columns of a table, and the number of its rows.

    Returns
    -------
    header : list of str
        Empty for a file that is no table; its jobs say what is wrong with it.
    rows : int or None
        None for such a file and for one that takes long to count.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = [name.strip() for name in next(reader, [])]
            return header, sum(map(bool, reader)) if os.path.getsize(path) <= _LARGEST else None
    except (OSError, csv.Error, UnicodeDecodeError):
        return [], None
