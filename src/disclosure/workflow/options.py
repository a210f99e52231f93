"""Options that several subcommands share."""

import argparse

from disclosure.numerics import numerals
from disclosure.numerics.errors import DomainError
from disclosure.people.queries import LINEAR

__all__ = ["add_caption", "add_datasets", "add_design", "add_output", "add_query", "add_range", "add_seed", "add_table"]
__all__ += ["add_work", "check_range", "number", "whole"]


def number(text):
    """Type of an option that takes a number; see `numerals`."""
    return _parsed(numerals.number, text)


def whole(text):
    """Type of an option that takes a whole number."""
    return _parsed(numerals.whole, text)


def _parsed(parse, text):
    try:
        return parse(text)
    except DomainError as error:
        # Of other errors argparse does not tell what is wrong.
        raise argparse.ArgumentTypeError(str(error)) from None


def add_output(parser):
    """The file that the subcommand writes, whole or not at all."""
    parser.add_argument("--output", required=True, metavar="FILE")


def add_caption(parser):
    """What the subcommand's page tells to see in it."""
    parser.add_argument("--caption", default="", metavar="TEXT", help="what to see")


def add_seed(parser):
    """The root seed of all random numbers."""
    parser.add_argument("--seed", type=whole, required=True, metavar="N", help="root seed, at least 0")


def add_datasets(parser):
    """The range of datasets that a job works on."""
    add_range(parser, "dataset")


def add_range(parser, unit):
    """A range of units of work."""
    parser.add_argument("--start", type=whole, default=0, metavar="N", help=f"first {unit} (default 0)")
    parser.add_argument("--stop", type=whole, required=True, metavar="N", help=f"the one after the last {unit}")


def check_range(arguments):
    """Raise `DomainError` unless the range holds something."""
    if not 0 <= arguments.start < arguments.stop:
        raise DomainError(f"start = {arguments.start} and stop = {arguments.stop}; allowed: 0 <= start < stop")


def add_design(parser):
    """An odds risk profile, and the case-control study that it is for."""
    parser.add_argument("--profile", required=True, metavar="FILE", help="YAML with knots: [[P10, B], ...] and scale")
    parser.add_argument("--participants", type=whole, required=True, metavar="N", help="2n + 1 people in the study")
    parser.add_argument("--prevalence", type=number, required=True, metavar="P", help="of cases in the population")


def add_query(parser, required=True):
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


def add_table(parser):
    """A table of people."""
    parser.add_argument("table", help="CSV with a header, a row for each person")
    add_query(parser)
    parser.add_argument("--weights", metavar="NAME", help="column of the adversary's prior over people, up to a factor")
    parser.add_argument("--clip", action="store_true", help="move values outside their range to its nearer end")
