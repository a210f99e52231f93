"""Options of the subcommands that are about a table of people."""

import argparse
import os

from disclosure.people.asked import ASKED
from disclosure.people.cells import MISSING
from disclosure.people.queries import LINEAR
from disclosure.people.reading import Reading
from disclosure.people.table_files import DECIMALS, SEPARATORS, Stated
from disclosure.workflow.options import number, size, whole

__all__ = [
    "add_population",
    "add_probability",
    "add_query",
    "add_ratio",
    "add_reading",
    "add_table",
    "add_work",
    "reading",
]


def add_population(parser: argparse.ArgumentParser) -> None:
    """Of what the table is a sample, if it is one."""
    parser.add_argument(
        "--population",
        type=size,
        metavar="N",
        help="people in the population of which the table is a sample, or inf; other candidates are then drawn from its rows "
        "with replacement (default: the table is the population)",
    )


def add_query(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """What is released, and the ranges that its sensitivity follows from."""
    parser.add_argument("--query", required=required, metavar="NAME", help=f"{', '.join(LINEAR[:-1])} or {LINEAR[-1]}")
    parser.add_argument(
        "--columns",
        nargs="+",
        type=_column,
        required=required,
        metavar="NAME:LOW:HIGH",
        help="columns of the table and the ranges stated for them, in their own units; NAME for a column of yes and no, "
        "NAME=VALUE for one of its categories",
    )


def _column(text: str) -> str:
    """Type of a column; a table that stands after the columns would be taken for one of them."""
    if "." in text and os.path.isfile(text):
        raise argparse.ArgumentTypeError(f"{text!r} is a file and no column; name the table before --columns")
    return text


def add_work(parser: argparse.ArgumentParser) -> None:
    """How many people of a table and datasets are looked at, and which."""
    parser.add_argument(
        "--targets", type=whole, metavar="N", help="different people who are looked at (default: all, if that is quick)"
    )
    parser.add_argument(
        "--datasets",
        type=whole,
        metavar="N",
        help="sampled datasets of each (default: 100, if that is quick); all, if so few differ",
    )
    parser.add_argument("--seed", type=whole, default=1, metavar="N", help="root seed, at least 0 (default 1)")


def add_probability(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """Except with which probability belief in presence stays within the factors told."""
    parser.add_argument(
        "--probability",
        type=number,
        nargs="+" if several else None,
        default=[ASKED.probability] if several else ASKED.probability,
        metavar="P",
        help=f"except with which belief in anybody's presence stays within the factors told (default {ASKED.probability:g})",
    )


def add_ratio(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """What is asked of the posterior-to-prior ratio of belief in presence."""
    add_probability(parser, several)
    parser.add_argument(
        "--ratio",
        type=number,
        default=ASKED.ratio,
        metavar="R",
        help=f"posterior over prior whose probability of being exceeded is told (default {ASKED.ratio:g})",
    )


def add_table(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """A table of people, and what is released about it."""
    parser.add_argument("table", help="CSV or Parquet with a header, a row for each person")
    add_query(parser, required)
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How a table of people is read."""
    parser.add_argument("--weights", metavar="NAME", help="column of the adversary's prior over people, up to a factor")
    parser.add_argument("--clip", action="store_true", help="move values outside their range to its nearer end")
    parser.add_argument(
        "--missing",
        choices=MISSING,
        default=MISSING[0],
        help="what to do with missing values: refuse the table (default), drop these people, or take them for a category",
    )
    text = parser.add_argument_group("how a CSV table is written, if that is not to be found out")
    text.add_argument("--separator", metavar="NAME", help=f"of cells: {', '.join(SEPARATORS)}, or the sign itself")
    text.add_argument("--decimal", metavar="NAME", help=f"sign in numbers: {' or '.join(DECIMALS)}")
    text.add_argument("--encoding", metavar="NAME", help="utf-8, utf-16, cp1252 or another one that Python knows")


def reading(arguments: argparse.Namespace) -> Reading:
    """How the table is read, by the options of `add_reading`."""
    stated = Stated(arguments.separator, arguments.decimal, arguments.encoding)
    return Reading(arguments.weights, arguments.clip, arguments.missing, stated)
