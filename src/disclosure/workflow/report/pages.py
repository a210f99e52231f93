"""Results as pages that a browser shows without asking for anything else: figures, tables, claims, provenance."""

import html
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from disclosure.pages.templates import template

__all__ = ["Table", "page", "rows", "settings", "table", "typeset"]

# Plain text after html.escape, and how it is set.
_SET = (
    (r"\b([TF])_bar\b", "\\1\u0304"),
    (r"\bepsilon\b", "ε"),
    (r"\bdelta\b", "δ"),
    (r"\brho\b", "ρ"),
    (r"\bsqrt(?=\()", "√"),
    (r"(?<=\d) x (?=\d)", " × "),
    (r"(?<![\w.])(-?\d+(?:\.\d+)?)e\+?(-?)0*(\d+)\b", r"\1·10^\2\3"),
    (r"\b1·(?=10\^)", ""),
    (r"(?<= )-(?= )", "−"),
    (r"(?<![\w)])-(?=[\d(])", "−"),
    (r"\^\(([^()]*)\)|\^(−?\([^()]*\)|−?\w+(?:\.\d+)?)", r"<sup>\1\2</sup>"),
    (r"\b(N)(1|2)\b", r"\1<sub>\2</sub>"),
)


class Table(NamedTuple):
    """A table of a page.

    ``columns`` are pairs of a name and a kind: "number" to the right, "text", "verbatim" for text that is left as it is,
    "name" for names joined by dots, or "verdict". ``layout`` is a style class. With ``front`` the table stands on the front
    page of the report as well.
    """

    caption: str
    columns: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[str]]
    note: str = ""
    layout: str = ""
    front: bool = False


def page(
    title: str,
    caption: str,
    tables: Iterable[Table] = (),
    *,
    finding: str = "",
    shown: str = "",
    svg: str = "",
) -> str:
    """A whole page in HTML.

    Parameters
    ----------
    title, caption : str
        The caption tells what is shown.
    tables : iterable of Table, optional
    finding : str, optional
        What comes out.
    shown : str, optional
        The same in numbers of this run.
    svg : str, optional
        A figure. Its text stays text, and its alternative text is what a screen reader reads.

    Returns
    -------
    str
    """
    return _TEMPLATE.render(
        title=title,
        caption=caption.strip(),
        tables=list(tables),
        finding=finding.strip(),
        shown=shown,
        svg=svg[svg.find("<svg") :].strip() if svg else "",
    )


def table(caption: str, header: Sequence[str], cells: Sequence[Sequence[str]], **options: Any) -> Table:
    """A table whose columns of numbers are known by their cells; further options are those of `Table`."""
    columns = [
        (name, "number" if all(_is_number(row[place]) for row in cells) else "text")
        for place, name in enumerate(header)
    ]
    return Table(caption, columns, cells, **options)


def rows(header: Sequence[str], cells: Sequence[Sequence[str]]) -> tuple[dict[str, str], list[str], list[list[str]]]:
    """The same table without its empty columns, numbers at four digits, and what is the same in all rows apart.

    Returns
    -------
    constant : dict of str to str
    header : list of str
    cells : list of list of str
    """
    columns = {name: [_short(row[place]) for row in cells] for place, name in enumerate(header)}
    columns = {name: values for name, values in columns.items() if any(values)}
    same = {name: values[0] for name, values in columns.items() if len(values) > 1 and len(set(values)) == 1}
    varied = [name for name in columns if name not in same]
    return same, varied, [list(row) for row in zip(*(columns[name] for name in varied), strict=True)]


def settings(value: object, name: str = "") -> list[tuple[str, str]]:
    """Rows (name, value) of nested settings, names joined by dots.

    Examples
    --------
    >>> settings({"seed": 1, "sweeps": {"figure1": {"sample": [9, 90]}}})
    [('seed', '1'), ('sweeps.figure1.sample', '9, 90')]
    """
    if isinstance(value, dict):
        return [row for key, item in value.items() for row in settings(item, f"{name}.{key}".lstrip("."))]
    if isinstance(value, list):
        return [(name, ", ".join(map(str, value)))]
    return [(name, str(value))]


def typeset(text: object) -> Markup:
    """Plain text in HTML: the formulas in it as they are printed, and nothing in it taken for markup.

    Examples
    --------
    >>> typeset("T_bar <= 1.49e-02 at delta = 10^-1.1, e^(2 x 0.35) or 2^-(n - m)")
    Markup('T̄ &lt;= 1.49·10<sup>−2</sup> at δ = 10<sup>−1.1</sup>, e<sup>2 × 0.35</sup> or 2<sup>−(n − m)</sup>')
    """
    text = html.escape(str(text))
    for plain, printed in _SET:
        text = re.sub(plain, printed, text)
    return Markup(text)


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[+-]?[\d.,]+(e[+-]?\d+)?|", text))


def _short(text: str) -> str:
    """A number at four digits; whole numbers and words as they are.

    >>> [_short(text) for text in ("0.014823456", "1000000", "1.2345678e-11", "uniform", "")]
    ['0.01482', '1000000', '1.235e-11', 'uniform', '']
    """
    try:
        number = float(text)
    except ValueError:
        return text
    return text if text.lstrip("-").isdigit() or not math.isfinite(number) else f"{number:.4g}"


_TEMPLATE = template("disclosure.workflow.report", "pages.html", typeset=typeset)
