"""Answer to a question that both papers leave open, as a table."""

import argparse
import json

from disclosure.workflow import questions, tables
from disclosure.workflow.options import add_output


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", choices=questions.QUESTIONS)
    parser.add_argument(
        "--settings", required=True, type=json.loads, metavar="JSON", help="those that the question reads"
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        question = questions.question(arguments.question)
        tables.write(file, question.COLUMNS, question.rows(arguments.settings))
