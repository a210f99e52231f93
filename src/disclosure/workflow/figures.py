"""A figure in several formats, each file whole or not there at all."""

import contextlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from disclosure.plots.formats import format_of
from disclosure.workflow import tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["write"]


def write(paths: Iterable[str], draw: Callable[[], "Figure"]) -> None:
    """Draw a figure and write it to files.

    Parameters
    ----------
    paths : iterable of str
        Names whose endings are those of `disclosure.plots.formats`.
    draw : callable
        Makes the figure. The files are begun before, since Matplotlib takes long to import, and an older job that still works on
        them must not publish any more.
    """
    with contextlib.ExitStack() as stack:
        files = [(stack.enter_context(tables.own(path)), format_of(path)) for path in paths]
        figure = draw()
        from disclosure.plots import style  # slow to import

        for file, kind in files:
            file.write(style.rendered(figure, kind))
