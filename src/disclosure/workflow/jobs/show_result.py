"""A figure, a table, or both, as a page of the report."""

import argparse
import csv
import pathlib

from disclosure.numerics.errors import DomainError
from disclosure.workflow import tables
from disclosure.workflow.options import add_caption, add_output
from disclosure.workflow.report import extents, pages

# Rows of a table that a reader may still want to see on a page; the sweeps of the papers have 40.
_MOST_ROWS = 200


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--title", required=True)
    parser.add_argument("--figure", nargs="?", metavar="FILE", help="in SVG")
    parser.add_argument("--table", nargs="?", metavar="FILE", help="in CSV, with a header")
    parser.add_argument("--finding", default="", metavar="TEXT", help="what comes out")
    add_caption(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        if not arguments.figure and not arguments.table:
            raise DomainError("neither figure nor table; allowed: one of them, or both")
        svg = pathlib.Path(arguments.figure).read_text(encoding="utf-8") if arguments.figure else ""
        table, shown = _table(arguments.table) if arguments.table else ([], "")
        page = pages.page(arguments.title, arguments.caption, table, finding=arguments.finding, shown=shown, svg=svg)
        file.write(page.encode())


def _table(path: str) -> tuple[list[pages.Table], str]:
    """A file as the tables of a page, and what it shows if it is the summary of a sweep."""
    with open(path, encoding="utf-8", newline="") as file:
        header, *cells = list(csv.reader(file)) or [[]]
    if not header:
        raise DomainError(f"{path}: is empty; expected a header, and rows")
    if len(cells) > _MOST_ROWS:
        return [], f"The numbers stand in {path}, {len(cells):,} rows of {', '.join(header)}."
    kinds = (tables.SUMMARY, tables.PEOPLE_SUMMARY)
    shown = next((extents.sentence(tables.read(path, kind)) for kind in kinds if list(kind) == header), "")
    same, header, cells = pages.rows(header, cells)
    note = f"In all rows {', '.join(f'{name} = {value}' for name, value in same.items())}." if same else ""
    return [pages.table(path, header, cells, note=note)], shown
