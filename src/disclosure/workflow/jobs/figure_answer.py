"""Figure of the answer to a question that both papers leave open."""

import argparse
import importlib
from typing import TYPE_CHECKING

from disclosure.workflow import figures, questions, tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", choices=questions.QUESTIONS)
    parser.add_argument("answer", help="its table")
    figures.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    figures.write(arguments.output, lambda: _figure(arguments))


def _figure(arguments: argparse.Namespace) -> "Figure":
    plots = importlib.import_module(f"disclosure.plots.questions.{arguments.question}")  # slow to import
    table = tables.read(arguments.answer, questions.question(arguments.question).COLUMNS)
    figure: Figure = plots.figure(table)
    return figure
