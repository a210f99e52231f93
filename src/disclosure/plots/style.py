"""What all figures share: size, type, colours, alternative text, and files with the same bytes every time."""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from disclosure.plots.alternative import alternative_text

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

__all__ = ["BLUE", "GREY", "RED", "new_figure", "rendered"]

# Blue and red of different lightness, told apart in grey print and by colour-blind readers; markers differ as well.
BLUE = "#1f4e9c"
RED = "#e0572f"
GREY = "#444444"

# Inches: of one panel, which fills a page's text in width, and of two side by side.
_WIDTHS = {1: 6.8, 2: 9.6}
_HEIGHT = 4.6

_SETTINGS: "dict[RcKeyType, Any]" = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # text as text, in TrueType
    "svg.fonttype": "none",  # text as text
    "svg.hashsalt": "disclosure",  # the same names of parts every time
    "savefig.dpi": 200,
}


def new_figure(panels: int, draw: Callable[[Figure, list[Axes]], None]) -> Figure:
    """A figure in the shared style.

    Parameters
    ----------
    panels : {1, 2}
        How many axes it has side by side.
    draw : callable
        Fills the figure; it takes the figure and its axes.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(_WIDTHS[panels], _HEIGHT), layout="constrained")
        draw(figure, list(figure.subplots(1, panels, squeeze=False)[0]))
    return figure


def rendered(figure: Figure, kind: str) -> bytes:
    """The figure as a file of one of the `disclosure.plots.formats.FORMATS`, with its alternative text."""
    title, description = alternative_text(figure)
    metadata: dict[str, dict[str, Any]] = {
        "pdf": {"CreationDate": None, "Title": title, "Subject": description},
        "svg": {"Date": None, "Title": title},
        "png": {"Title": title, "Description": description},
    }
    buffer = io.BytesIO()
    with mpl.rc_context(_SETTINGS):
        figure.savefig(buffer, format=kind, metadata=metadata[kind])
    return _accessible(buffer.getvalue(), description) if kind == "svg" else buffer.getvalue()


def _accessible(svg: bytes, description: str) -> bytes:
    """An SVG that a screen reader takes for one image, with a title and a description."""
    for plain, marked in (
        ("<svg ", '<svg role="img" aria-labelledby="title" aria-describedby="description" '),
        ("<title>", '<title id="title">'),
        ("</title>", f'</title>\n <desc id="description">{escape(description)}</desc>'),
    ):
        svg = svg.replace(plain.encode(), marked.encode(), 1)
    return svg
