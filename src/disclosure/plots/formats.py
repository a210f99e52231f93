"""Formats of the files that figures are written as; apart from the figures, since matplotlib takes a second to import."""

import os
import pathlib

from disclosure.numerics.errors import DomainError

__all__ = ["ENDINGS", "FORMATS", "format_of"]

FORMATS = ("pdf", "svg", "png")
# In words, for the help of an option.
ENDINGS = f"{', '.join(f'.{name}' for name in FORMATS[:-1])} or .{FORMATS[-1]}"


def format_of(path: str | os.PathLike[str]) -> str:
    """Format of a file, by the ending of its name.

    Examples
    --------
    >>> format_of("figures/figure1.svg")
    'svg'
    """
    found = pathlib.Path(path).suffix[1:]
    if found not in FORMATS:
        raise DomainError(f"{path}: a figure's name ends in {ENDINGS}")
    return found
