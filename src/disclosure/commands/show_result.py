"""A figure, a table, or both, as a page of the report."""

import csv
import pathlib

from disclosure.commands.options import add_caption, add_output
from disclosure.domain import DomainError
from disclosure.pipeline import pages, tables


def arguments(parser):
    parser.add_argument("--title", required=True)
    parser.add_argument("--figure", metavar="FILE", help="in SVG")
    parser.add_argument("--table", metavar="FILE", help="in CSV, with a header")
    add_caption(parser)
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        parts = []
        if arguments.figure:
            parts.append(pages.figure(pathlib.Path(arguments.figure).read_text(encoding="utf-8")))
        if arguments.table:
            parts.append(_table(arguments.table))
        if not parts:
            raise DomainError("neither figure nor table; allowed: one of them, or both")
        file.write(pages.page(arguments.title, arguments.caption, *parts).encode())


def _table(path):
    with open(path, encoding="utf-8", newline="") as file:
        header, *cells = list(csv.reader(file)) or [[]]
    if not header:
        raise DomainError(f"{path}: is empty; expected a header, and rows")
    same, header, cells = pages.rows(header, cells)
    constant = "; in all rows " + ", ".join(f"{name} = {value}" for name, value in same.items()) if same else ""
    return pages.table(f"{path}{constant}", header, cells)
