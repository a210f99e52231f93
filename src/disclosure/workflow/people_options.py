"""Options of the subcommands that are about a table of people."""

import argparse

from disclosure.people.queries import LINEAR
from disclosure.workflow.options import whole

__all__ = ["add_query", "add_table", "add_work"]


def add_query(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """What is released, and the ranges that its sensitivity follows from."""
    parser.add_argument("--query", required=required, metavar="NAME", help=f"{', '.join(LINEAR[:-1])} or {LINEAR[-1]}")
    parser.add_argument(
        "--columns",
        nargs="+",
        required=required,
        metavar="NAME:LOW:HIGH",
        help="columns of the table and the ranges stated for them, in their own units",
    )


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


def add_table(parser: argparse.ArgumentParser) -> None:
    """A table of people."""
    parser.add_argument("table", help="CSV with a header, a row for each person")
    add_query(parser)
    parser.add_argument("--weights", metavar="NAME", help="column of the adversary's prior over people, up to a factor")
    parser.add_argument("--clip", action="store_true", help="move values outside their range to its nearer end")
