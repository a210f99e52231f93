"""What all figures share: size, type, colours that differ in grey as well, alternative text, and files with the same bytes
every time."""

import io
from xml.sax.saxutils import escape

import matplotlib as mpl
from matplotlib.figure import Figure

from disclosure.plots.alternative import alternative_text

__all__ = ["BLUE", "GREY", "RED", "new_figure", "rendered"]

# Blue and red of different lightness, told apart in grey print and by colour-blind readers; markers differ as well.
BLUE = "#1f4e9c"
RED = "#e0572f"
GREY = "#444444"

_SETTINGS = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "disclosure",
    "savefig.dpi": 200,
}


def new_figure(panels, draw):
    """A figure with ``panels`` axes side by side, filled by ``draw(figure, axes)`` in the shared style."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(6.8 if panels == 1 else 9.6, 4.6), layout="constrained")
        draw(figure, figure.subplots(1, panels, squeeze=False)[0])
    return figure


def rendered(figure, kind):
    """The figure as the bytes of a pdf, svg or png file, with its alternative text."""
    title, description = alternative_text(figure)
    metadata = {
        "pdf": {"CreationDate": None, "Title": title, "Subject": description},
        "svg": {"Date": None, "Title": title},
        "png": {"Title": title, "Description": description},
    }[kind]
    buffer = io.BytesIO()
    with mpl.rc_context(_SETTINGS):
        figure.savefig(buffer, format=kind, metadata=metadata)
    return _accessible(buffer.getvalue(), description) if kind == "svg" else buffer.getvalue()


def _accessible(svg, description):
    """An SVG that a screen reader takes for one image, with a title and a description."""
    for plain, marked in (
        ("<svg ", '<svg role="img" aria-labelledby="title" aria-describedby="description" '),
        ("<title>", '<title id="title">'),
        ("</title>", f'</title>\n <desc id="description">{escape(description)}</desc>'),
    ):
        svg = svg.replace(plain.encode(), marked.encode(), 1)
    return svg
