"""Figure of a sweep's summary."""

import argparse
from typing import TYPE_CHECKING

from disclosure.workflow import figures, tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("summary", help="summary.csv of the sweep")
    parser.add_argument("--attributes", choices=("uniform", "binary"), default="uniform", help="of the sweep's people")
    parser.add_argument(
        "--people", metavar="TEXT", help="the summary is of people: table, query and columns, for the title"
    )
    figures.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    figures.write(arguments.output, lambda: _figure(arguments))


def _figure(arguments: argparse.Namespace) -> "Figure":
    from disclosure.plots import exposure, sweep  # slow to import

    if arguments.people is not None:
        return exposure.sweep_figure(tables.read(arguments.summary, tables.PEOPLE_SUMMARY), arguments.people)
    return sweep.sweep_figure(tables.read(arguments.summary, tables.SUMMARY), arguments.attributes)
