"""What `assess` and `choose` write for people who decide: a page, its points as a table, and a record for machines."""

import argparse
import collections
import contextlib
import json
import math
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from disclosure.cli.choose_text import RATIO, Answer
from disclosure.numerics.types import Columns
from disclosure.pages import release, table
from disclosure.pages.record import record
from disclosure.pages.shown import Release, Statistic, ValueRisk
from disclosure.pages.words import number
from disclosure.people.limits import Limits
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records
from disclosure.people.summary import PROBABILISTIC, Summary
from disclosure.people.targets import Targets, affordable
from disclosure.releases.answer import People, ReleaseAnswer
from disclosure.workflow import tables

__all__ = ["FILES", "FOLDER", "add_output", "assessed", "chosen", "planned", "value_risk", "write"]

FOLDER = "exposure"
"""Where they are written unless another folder is stated."""

FILES = ("index.html", "points.csv", "release.json")
"""Names of what is written: the page, its points, the record."""

# What the page says of the files beside it.
_CONTENTS = {
    "people.csv": "a row for each person looked at (confidential)",
    "ratios.csv": "how far belief in each moves (confidential)",
    "statistics.csv": "every number that is released, of everybody's record every column, and how far off it is "
    "(its sampling error is confidential)",
    "budget.csv": "what the release may reveal, from the stated ranges alone (may be published)",
    "summary.csv": "a row for each guarantee (confidential)",
    "attribute.csv": "how the odds of sensitive values change, for each person looked at (confidential)",
    "points.csv": "the points of this page as a table (confidential)",
    "release.json": "a record of the release for machines, from the stated ranges alone (may be published)",
}
# Delta at which the page of `choose` tells epsilon: a usual one, and no part of the answer.
_AT_DELTA = 1e-6
# Distances between people that `choose`, which knows everybody's limit, looks at to name the most exposed: a second of work;
# and people, at least.
_WORK, _LEAST_PEOPLE = 20_000_000, 20


def add_output(parser: argparse.ArgumentParser, contents: str, default: str | None = FOLDER) -> None:
    """Where files are written."""
    parser.add_argument("--output", default=default, metavar="FOLDER", help=f"for {contents} (default {FOLDER})")


def assessed(
    arguments: argparse.Namespace,
    records: Records,
    query: LinearQuery,
    targets: Targets,
    rows: Sequence[Summary],
    moved: Sequence[Columns],
    values: Sequence[ValueRisk],
    files: Iterable[str],
) -> None:
    """Write what `assess` found; ``moved`` is of the first of the guarantees, which is the release."""
    own, definition = rows[0].sigma, "approximate" if arguments.approximate else PROBABILISTIC
    marks = {own: "this release"}
    for row in rows:
        marks.setdefault(row.sigma, row.guarantee)
    noise = table.Noise(
        [table.Mark(sigma, name) for sigma, name in marks.items()],
        table.Guarantee(definition, arguments.delta),
        f"It was chosen for ({arguments.epsilon:g}, {arguments.delta:g})-{definition} privacy, by the stated ranges alone.",
    )
    shown = table.release(
        pathlib.Path(arguments.table).name,
        records,
        query,
        arguments.sample,
        targets,
        noise,
        arguments.probability,
        _beside(files),
        {(own, float(part["probability"][0])): _largest(part["rise_found"].tolist()) for part in moved},
        values,
    )
    write(pathlib.Path(arguments.output), shown)


def chosen(arguments: argparse.Namespace, records: Records, query: LinearQuery, answer: Answer) -> None:
    """Write what `choose` found: the noise that is safe to publish is the release; that for the table is marked beside it."""
    ranges, people = answer.sigma_from_ranges, answer.sigma
    marks = [table.Mark(ranges, "enough for every table with these ranges")]
    if people not in (0, ranges):
        marks.append(table.Mark(people, "enough for the people of this table; confidential"))
    promise, tolerated = _tolerated(answer)
    exposed = Limits(records, query, arguments.sample).rise_of_all(ranges, answer.failure).place
    most = arguments.targets or min(len(records.cases.first), max(_LEAST_PEOPLE, _WORK // len(records)))
    targets, _ = affordable(arguments.seed, records, arguments.sample, most, 1, exposed=exposed)
    noise = table.Noise(marks, table.Guarantee("approximate", _AT_DELTA), promise, tolerated)
    name = pathlib.Path(arguments.table).name
    shown = table.release(name, records, query, arguments.sample, targets, noise, [answer.failure], _beside(FILES))
    write(pathlib.Path(arguments.output), shown)


def planned(arguments: argparse.Namespace, answer: ReleaseAnswer, people: People, files: Iterable[str]) -> None:
    """Write what `release` found about a table; all noise is normal, and every statistic a sum over records."""
    asked = answer.limits.asked
    noise = table.Noise(
        [table.Mark(1.0, "this release")],
        table.Guarantee("approximate", answer.budget.delta),
        f"It costs rho = {answer.budget.rho:.6g} of zero-concentrated privacy, by the stated ranges alone"
        + (f", {answer.budget.spent:.6g} of which was spent before." if answer.budget.spent else "."),
    )
    query = people.query
    assert isinstance(query, LinearQuery)
    shown = table.release(
        pathlib.Path(arguments.table).name,
        people.stack,
        query,
        answer.plan.sample,
        people.targets,
        noise,
        [asked.probability],
        _beside(files),
        {(1.0, asked.probability): _largest(people.movements["rise_found"].tolist())},
        statistics=_numbers(answer),
        rows=answer.plan.person.rows if answer.plan.person else 1,
    )
    write(pathlib.Path(arguments.output), shown)


def _numbers(answer: ReleaseAnswer) -> Iterator[Statistic]:
    """Every number of a planned release."""
    numbers = collections.Counter(accuracy.statistic for accuracy in answer.accuracy)
    columns = [noisy.part.columns for noisy in answer.parts for _ in noisy.part.labels]
    for accuracy, read in zip(answer.accuracy, columns, strict=True):
        yield Statistic(
            f"{accuracy.statistic} ({accuracy.entry})" if numbers[accuracy.statistic] > 1 else accuracy.statistic,
            accuracy.kind,
            table.ranges(read),
            accuracy.scale,
            accuracy.sampling_error,
            accuracy.entry,
            accuracy.unit,
            accuracy.statistic,
        )


def value_risk(total: Mapping[str, Any], people: int) -> ValueRisk:
    """What `disclosure.people.attribute_risk.totals` says about sensitive values in a table of so many people."""
    return ValueRisk(
        condition=total["sensitive"],
        holders=total["holders"],
        people=people,
        factor=total["factor"],
        change=total["change_probability_largest"],
        probability=total["probability"],
        lower=total["odds_factor_lower"],
        upper=total["odds_factor_upper"],
    )


def write(output: pathlib.Path, shown: Release) -> None:
    """Write the page, its points and the record into a folder."""
    with contextlib.ExitStack() as stack:
        page, points, machines = (stack.enter_context(tables.own(output / name)) for name in FILES)
        page.write(release.page(shown).encode("utf-8", "replace"))
        tables.write(points, tables.POINTS, table.columns(shown))
        machines.write((json.dumps(record(shown), indent=2, allow_nan=False) + "\n").encode())


def _tolerated(answer: Answer) -> tuple[str, str]:
    """How the noise was chosen, and the first sentence of the headline if that follows from it."""
    if answer.criterion != RATIO:
        return (
            f"It keeps the failure of the bounds {answer.bound} at {answer.failure:g} at most, for every table with these "
            "ranges.",
            "",
        )
    return (
        "It is the smallest that keeps what is tolerated for every table with these ranges.",
        f"With noise of {number(answer.sigma_from_ranges)}, belief in anybody's presence in the data rises by more than a "
        f"factor {answer.largest_ratio:g} with probability {answer.failure:g} at most, whoever is in the table.",
    )


def _beside(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, _CONTENTS[name]) for name in names if name in _CONTENTS]


def _largest(values: Sequence[float]) -> float:
    return max((value for value in values if not math.isnan(value)), default=math.nan)
