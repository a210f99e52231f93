"""Kinds of files that a figure is written as; apart from the figures, since matplotlib takes a second to import."""

import os
import pathlib

from disclosure.numerics.errors import DomainError

__all__ = ["ENDINGS", "KINDS", "kind_of"]

KINDS = ("pdf", "svg", "png")
# In words, for the help of an option.
ENDINGS = f"{', '.join(f'.{kind}' for kind in KINDS[:-1])} or .{KINDS[-1]}"


def kind_of(path: str | os.PathLike[str]) -> str:
    """Kind of the file that is named, by the ending of its name.

    Examples
    --------
    >>> kind_of("figures/figure1.svg")
    'svg'
    """
    kind = pathlib.Path(path).suffix[1:]
    if kind not in KINDS:
        raise DomainError(f"{path}: a figure's name ends in {ENDINGS}")
    return kind
