"""Alternative text of a figure, for readers who don't see it: its axes, where each curve starts and ends, what is marked."""

import re

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

__all__ = ["alternative_text", "plain"]

_WORDS = {
    r"\\bar\{(\w)\}": r"\1 bar",
    r"\\varepsilon": "epsilon",
    r"\\(delta|rho|sigma|min)": r"\1",
    r"\\pm": "±",
    r"\\times": "times",
    r"\\ldots": "...",
    r"\\,": " ",
    r"\{,\}": ",",
    r"\\%": "%",
    r"[${}]|_(?=\{)": "",
}


def alternative_text(figure: Figure) -> tuple[str, str]:
    """A title and a description of a figure, in plain words.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    title, description : str
    """
    (title, first), *others = [_panel(axis) for axis in figure.axes]
    heading = plain(figure.get_suptitle().replace("\n", ", "))
    parts = [f"{heading}.", *first] if heading else [*first]
    for axis, (heading, sentences) in zip(figure.axes[1:], others, strict=True):
        if sentences == first:
            parts.append(f"Another panel, {plain(axis.get_title())}: the same.")
        else:
            parts += [f"Another panel, {heading}:", *sentences]
    return title, " ".join(parts)


def plain(text: str) -> str:
    r"""Words in place of the formulas of a label.

    Examples
    --------
    >>> plain(r"$\bar{T}$, theoretical upper limit ($\pm$1 s.e.), $P_{10} \leq 1$"), plain(r"$n = 1{,}000$")
    ('T bar, theoretical upper limit (±1 s.e.), P10 \\leq 1', 'n = 1,000')
    """
    for formula, words in _WORDS.items():
        text = re.sub(formula, words, text)
    return re.sub(r"\s+", " ", text).strip()


def _panel(axis: Axes) -> tuple[str, list[str]]:
    """What a panel shows over what, and a sentence for each of its curves and marks."""
    heading = _capital(" over ".join(filter(None, map(plain, (axis.get_ylabel(), axis.get_xlabel())))))
    handles, labels = axis.get_legend_handles_labels()
    # Curves that a legend names, or else those that are more than a mark or a level.
    curves = list(zip(handles, map(plain, labels), strict=True)) or [
        (line, "curve") for line in axis.lines if np.size(line.get_xdata()) > 2 and line.get_linestyle() != "None"
    ]
    sentences = [sentence for handle, label in curves if (sentence := _curve(handle, _capital(label)))]
    return heading, [*sentences, *(f"Marked: {plain(text.get_text())}." for text in axis.texts)]


def _curve(handle: Artist | ErrorbarContainer, label: str) -> str:
    line = handle[0] if isinstance(handle, tuple) else handle
    if not isinstance(line, Line2D):
        return f"{label}: a band."
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    shown = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if not shown.size:
        return ""
    first, last = shown[0], shown[-1]
    if first == last:
        return f"{label}: {y[first]:.3g} at {x[first]:.4g}."
    inside = y[shown]
    ends = f"{label}: from {y[first]:.3g} at {x[first]:.4g} to {y[last]:.3g} at {x[last]:.4g}"
    turns = [
        f"{name} {y[shown[place]]:.3g} at {x[shown[place]]:.4g}"
        for name, place in (("lowest", inside.argmin()), ("highest", inside.argmax()))
        if shown[place] not in (first, last) and not np.isclose(inside[place], [y[first], y[last]]).any()
    ]
    return ", ".join([ends, *turns]) + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
