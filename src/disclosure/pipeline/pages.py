"""Results as pages that a browser shows without asking for anything else: figures, tables, claims, provenance."""

import html
import math
import re

__all__ = ["figure", "page", "rows", "settings", "table"]

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; color: #1b1b1b; background: #fff; }
h1 { font-size: 1.3rem; }
figure { margin: 0; max-width: 60rem; }
figure svg { width: 100%; height: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.4rem; }
th, td { border-bottom: 1px solid #ddd; padding: 0.25rem 0.7rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #444; white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.agrees { color: #1f4e9c; } td.deviates { color: #a3330f; font-weight: 600; } td.explained, td.open { color: #444; }
p.caption { max-width: 46rem; }
td.text { max-width: 34rem; }
"""


def page(title, caption, *parts):
    """A whole page in HTML: what to see in it, and its parts."""
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>{html.escape(title)}</h1>",
            f'<p class="caption">{html.escape(caption.strip())}</p>',
            *parts,
            "</body>\n</html>\n",
        ]
    )


def figure(svg):
    """A figure as part of a page: its text stays text, and its alternative text is what a screen reader reads."""
    return f"<figure>\n{svg[svg.index('<svg') :].strip()}\n</figure>"


def table(caption, header, cells, classes=None):
    """A table as part of a page.

    Parameters
    ----------
    caption : str
    header : list of str
    cells : list of list of str
    classes : callable, optional
        Style class of a cell, from its column's name and its text; by default numbers are set apart.
    """
    classes = classes or (lambda _, text: "number" if _is_number(text) else "text")
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    body = [
        "".join(f'<td class="{classes(*cell)}">{html.escape(cell[1])}</td>' for cell in zip(header, row, strict=True))
        for row in cells
    ]
    lines = [f"<tr>{row}</tr>" for row in body]
    return "\n".join(
        [
            f"<table>\n<caption>{html.escape(caption)}</caption>",
            f"<thead><tr>{head}</tr></thead>\n<tbody>",
            *lines,
            "</tbody>\n</table>",
        ]
    )


def rows(header, cells):
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


def settings(value, name=""):
    """Rows (name, value) of nested settings, names joined by dots.

    >>> settings({"seed": 1, "sweeps": {"figure1": {"sample": [9, 90]}}})
    [('seed', '1'), ('sweeps.figure1.sample', '9, 90')]
    """
    if isinstance(value, dict):
        return [row for key, item in value.items() for row in settings(item, f"{name}.{key}".lstrip("."))]
    if isinstance(value, list):
        return [(name, ", ".join(map(str, value)))]
    return [(name, str(value))]


def _is_number(text):
    return bool(re.fullmatch(r"[+-]?[\d.,]+(e[+-]?\d+)?|", text))


def _short(text):
    """A number at four digits; whole numbers and words as they are.

    >>> [_short(text) for text in ("0.014823456", "1000000", "1.2345678e-11", "uniform", "")]
    ['0.01482', '1000000', '1.235e-11', 'uniform', '']
    """
    try:
        number = float(text)
    except ValueError:
        return text
    return text if text.lstrip("-").isdigit() or not math.isfinite(number) else f"{number:.4g}"
