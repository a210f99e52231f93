"""The part of `assess` that is about attribute inference: options, a table, and lines on the screen."""

import argparse
import math
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from disclosure.numerics import errors
from disclosure.numerics.types import Columns
from disclosure.people.attribute_risk import (
    FACTOR,
    PRIORS,
    PROBABILITY,
    Sensitive,
    attribute_risks,
    by_change,
    sensitive_values,
    totals,
)
from disclosure.people.description import looked_at, small
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records
from disclosure.people.targets import Targets
from disclosure.workflow import tables
from disclosure.workflow.options import number

__all__ = ["FILE", "add_sensitive", "asked", "lines", "risks", "summary", "write"]

FILE = "attribute.csv"
"""The table that is written: a row for each noise and each different person."""

# Rows of the most exposed people on the screen, and the columns that are shown of each: probabilities, and factors.
_MOST = 5
_CHANGES = ("odds_rise_probability", "odds_fall_probability")
_FACTORS = ("odds_factor_lower", "odds_factor_upper")


def add_sensitive(parser: argparse.ArgumentParser) -> None:
    """Which values are sensitive, and what is asked about them."""
    parser.add_argument(
        "--sensitive",
        metavar="CONDITION",
        help="whose values are guessed: 'income >= 100000', 'age in 3..5', 'region in 1,4', 'age >= 18 and age < 25'",
    )
    parser.add_argument(
        "--factor",
        type=number,
        metavar="F",
        help=f"change of the odds of sensitive values whose chance is told (default {FACTOR:g})",
    )
    parser.add_argument(
        "--odds-probability",
        type=number,
        metavar="P",
        help=f"except with which these odds stay within the factors told (default {PROBABILITY:g})",
    )
    parser.add_argument(
        "--value-prior",
        choices=PRIORS,
        help="what the adversary thinks of the value before: values of the table, or the stated range alike (default table)",
    )


def asked(arguments: argparse.Namespace, records: Records) -> Sensitive | None:
    """What is asked about sensitive values, checked; None if nothing is."""
    options = {"factor": arguments.factor, "probability": arguments.odds_probability, "prior": arguments.value_prior}
    given = {name: value for name, value in options.items() if value is not None}
    if arguments.sensitive is None:
        if given:
            raise errors.DomainError(
                "factor, odds probability and value prior are about sensitive values; name these with --sensitive"
            )
        return None
    return sensitive_values(arguments.sensitive, records, **given)


def risks(
    records: Records, query: LinearQuery, sigmas: Sequence[float], sensitive: Sensitive, targets: Targets
) -> list[Columns]:
    """Attribute risks at each different noise."""
    return [attribute_risks(records, query, sigma, sensitive, targets) for sigma in dict.fromkeys(sigmas)]


def write(folder: pathlib.Path, found: Sequence[Columns]) -> None:
    """Write the table."""
    with tables.own(folder / FILE) as file:
        together = {name: np.concatenate([people[name] for people in found]) for name in tables.ATTRIBUTE_RISK}
        tables.write(file, tables.ATTRIBUTE_RISK, together)


def summary(records: Records, sensitive: Sensitive, found: Sequence[Columns]) -> list[dict[str, Any]]:
    """What the risks at each noise come to, for machines; None where a factor is infinite."""
    rows = [totals(records, sensitive, people) for people in found]
    return [{name: None if value == math.inf else value for name, value in row.items()} for row in rows]


def lines(records: Records, sensitive: Sensitive, targets: Targets, people: Columns) -> Iterator[str]:
    """What the risks at one noise come to, in words."""
    total = totals(records, sensitive, people)
    values = "values as in the table" if sensitive.prior == "table" else "all values of the stated range alike"
    fall = _inverse(total["odds_factor_lower"])
    labels = {
        "noise (sigma)": f"{total['sigma']:.6g}",
        "belief before": f"{values}, odds {total['prior_odds']:.4g}",
        "looked at": looked_at(targets.chosen, targets.people, len(records)),
        f"odds change > {sensitive.factor:g}": f"mean probability {small(total['change_probability_mean'], 4)}, largest "
        f"{small(total['change_probability_largest'], 4)}",
        f"except with {sensitive.probability:g}": f"odds rise by a factor {total['odds_factor_upper']:.4g} at most, and fall "
        f"by {fall:.4g} at most, for everybody looked at",
    }
    yield ""
    yield (
        f"sensitive: {sensitive.condition.text}, true of {total['holders']:,} of {len(records):,} people; "
        "the adversary knows everybody else in the data"
    )
    yield from (f"  {label:<20}{text}" for label, text in labels.items())
    yield f"  most exposed, by the probability that the odds rise or fall by more than {sensitive.factor:g}; range of factors:"
    yield f"  {'row':>8}{'sensitive':>11}{'rise':>14}{'fall':>14}{'from':>11}{'to':>11}"
    for place in by_change(people)[:_MOST]:
        person = {name: column[place] for name, column in people.items()}
        shown = "".join(f"{small(person[name]):>14}" for name in _CHANGES)
        shown += "".join(f"{person[name]:>11.3g}" for name in _FACTORS)
        alike = f"  and {person['people'] - 1:,} like it" if person["people"] > 1 else ""
        yield f"  {person['person']:>8}{'yes' if person['sensitive'] else 'no':>11}{shown}{alike}"


def _inverse(factor: float) -> float:
    return 1 / factor if factor else math.inf
