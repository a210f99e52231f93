"""A figure in several formats, each file whole or not there at all."""

import argparse
import contextlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from disclosure.plots.formats import ENDINGS, format_of
from disclosure.workflow import tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["add_output", "write"]


def add_output(parser: argparse.ArgumentParser) -> None:
    """The files of a figure."""
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help=f"names ending in {ENDINGS}")


def write(paths: Iterable[str], draw: Callable[[], "Figure"]) -> None:
    """Draw a figure and write it to files.

    Parameters
    ----------
    paths : iterable of str
        Names whose endings are those of `disclosure.plots.formats`.
    draw : callable
        Makes the figure. The files are begun before: Matplotlib takes long to import, and meanwhile an older job that still
        works on them must not publish them.
    """
    with contextlib.ExitStack() as stack:
        files = [(stack.enter_context(tables.own(path)), format_of(path)) for path in paths]
        figure = draw()
        from disclosure.plots import style  # slow to import

        for file, kind in files:
            file.write(style.rendered(figure, kind))
