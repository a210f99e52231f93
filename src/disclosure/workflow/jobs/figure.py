"""Figure of a sweep's summary."""

import contextlib
import pathlib

from disclosure.numerics.errors import DomainError
from disclosure.workflow import tables


def arguments(parser):
    parser.add_argument("summary", help="summary.csv of the sweep")
    parser.add_argument("--attributes", choices=("uniform", "binary"), default="uniform", help="of the sweep's people")
    parser.add_argument("--people", action="store_true", help="the summary is of a table of people")
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help="names ending in .pdf, .svg or .png")


def run(arguments):
    with contextlib.ExitStack() as stack:
        files = [(stack.enter_context(tables.own(path)), kind_of(path)) for path in arguments.output]
        from disclosure.plots import (
            exposure,  # slow to import; the outputs are owned before
            style,  # slow to import; the outputs are owned before
            sweep,  # slow to import; the outputs are owned before
        )

        if arguments.people:
            figure = exposure.sweep_figure(tables.read(arguments.summary, tables.PEOPLE_SUMMARY))
        else:
            figure = sweep.sweep_figure(tables.read(arguments.summary, tables.SUMMARY), arguments.attributes)
        for file, kind in files:
            file.write(style.rendered(figure, kind))


def kind_of(path):
    kind = pathlib.Path(path).suffix[1:]
    if kind not in ("pdf", "svg", "png"):
        raise DomainError(f"{path}: a figure's name ends in .pdf, .svg or .png")
    return kind
