"""Options that several subcommands share.

Every job imports this, so it imports neither queries nor figures: a change there makes nothing stale that does not use them.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from disclosure.numerics import numerals
from disclosure.numerics.errors import DomainError

__all__ = [
    "add_attributes",
    "add_caption",
    "add_datasets",
    "add_design",
    "add_output",
    "add_range",
    "add_seed",
    "check_range",
    "number",
    "size",
    "whole",
]


Number = TypeVar("Number", int, float)


def number(text: str) -> float:
    """Type of an option that takes a number; see `numerals`."""
    return _parsed(numerals.number, text)


def whole(text: str) -> int:
    """Type of an option that takes a whole number."""
    return _parsed(numerals.whole, text)


def size(text: str) -> float:
    """Type of an option that takes a size of a population, a whole number or inf."""
    return math.inf if text == "inf" else whole(text)


def _parsed(parse: Callable[[str], Number], text: str) -> Number:
    try:
        return parse(text)
    except DomainError as error:
        # Of other errors argparse does not tell what is wrong.
        raise argparse.ArgumentTypeError(str(error)) from None


def add_output(parser: argparse.ArgumentParser) -> None:
    """The file that the subcommand writes, whole or not at all."""
    parser.add_argument("--output", required=True, metavar="FILE")


def add_caption(parser: argparse.ArgumentParser) -> None:
    """What the subcommand's page tells to see in it."""
    parser.add_argument("--caption", default="", metavar="TEXT", help="what to see")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The root seed of all random numbers."""
    parser.add_argument("--seed", type=whole, required=True, metavar="N", help="root seed, at least 0")


def add_datasets(parser: argparse.ArgumentParser) -> None:
    """The range of datasets that a job works on."""
    add_range(parser, "dataset")


def add_attributes(parser: argparse.ArgumentParser, laws: Sequence[str]) -> None:
    """The law of the people's attributes, the first one by default."""
    parser.add_argument(
        "--attributes", choices=laws, default=laws[0], help=f"law of the attributes (default: {laws[0]})"
    )


def add_range(parser: argparse.ArgumentParser, unit: str) -> None:
    """A range of units of work."""
    parser.add_argument("--start", type=whole, default=0, metavar="N", help=f"first {unit} (default 0)")
    parser.add_argument("--stop", type=whole, required=True, metavar="N", help=f"the one after the last {unit}")


def check_range(arguments: argparse.Namespace) -> None:
    """Raise `DomainError` unless the range holds something."""
    if not 0 <= arguments.start < arguments.stop:
        raise DomainError(f"start = {arguments.start} and stop = {arguments.stop}; allowed: 0 <= start < stop")


def add_design(parser: argparse.ArgumentParser) -> None:
    """An odds risk profile, and the case-control study that it is for."""
    parser.add_argument("--profile", required=True, metavar="FILE", help="YAML with knots: [[P10, B], ...] and scale")
    parser.add_argument("--participants", type=whole, required=True, metavar="N", help="2n + 1 people in the study")
    parser.add_argument("--prevalence", type=number, required=True, metavar="P", help="of cases in the population")
