"""Figure of a sweep's summary."""

import contextlib

from disclosure.plots.formats import ENDINGS, format_of
from disclosure.workflow import tables


def arguments(parser):
    parser.add_argument("summary", help="summary.csv of the sweep")
    parser.add_argument("--attributes", choices=("uniform", "binary"), default="uniform", help="of the sweep's people")
    parser.add_argument("--people", action="store_true", help="the summary is of a table of people")
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help=f"names ending in {ENDINGS}")


def run(arguments):
    with contextlib.ExitStack() as stack:
        files = [(stack.enter_context(tables.own(path)), format_of(path)) for path in arguments.output]
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
