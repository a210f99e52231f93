"""What a planned release of several statistics reveals, how accurate it is, and who of a table is how exposed."""

import argparse
import contextlib
import dataclasses
import json
import math
import pathlib
from typing import Any

from disclosure.cli import answer_folder, page
from disclosure.cli.planned_people import read_people
from disclosure.cli.release_text import told
from disclosure.numerics import checks
from disclosure.people.asked import Asked
from disclosure.people.queries import LinearQuery
from disclosure.releases.answer import DELTA, ReleaseAnswer, answered
from disclosure.workflow import tables
from disclosure.workflow.options import number
from disclosure.workflow.people_options import add_ratio, add_reading, add_work

_PEOPLE = "people.csv"
_FILES = ("statistics.csv", "budget.csv", _PEOPLE)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", help="YAML with the statistics, the budget and the size of the dataset")
    parser.add_argument(
        "table",
        nargs="?",
        help="CSV or Parquet with a header, a row for each person (without it: what the stated ranges tell)",
    )
    add_reading(parser)
    add_ratio(parser)
    parser.add_argument(
        "--at-delta", type=number, default=DELTA, metavar="D", help=f"delta of the epsilons told (default {DELTA:g})"
    )
    add_work(parser)
    parser.add_argument("--output", default="release", metavar="FOLDER", help="for tables (default release)")
    parser.add_argument("--json", action="store_true", help="the answer for machines")


def run(arguments: argparse.Namespace) -> None:
    from disclosure.workflow.config.release import read_plan  # slow to import, as all models are

    plan = read_plan(arguments.plan)
    records = None
    if arguments.table is not None:
        plan, records = read_people(plan, arguments)
    probability = checks.number(
        "probability", arguments.probability, "(0, 0.5]", "a factor that is mostly exceeded limits nothing"
    )
    asked = Asked(probability, checks.number("ratio", arguments.ratio, "(1, inf)"))
    answer = answered(plan, records, asked, arguments.at_delta, arguments.targets, arguments.datasets, arguments.seed)
    files = _files(answer)
    with answer_folder.replaced(arguments.output, files, table=arguments.table, plan=arguments.plan) as folder:
        _write(folder, answer)
        if answer.people and page.FILES[0] in files:
            page.planned(arguments, answer, answer.people, files)
    if arguments.json:
        print(json.dumps(_for_json(answer)))
        return
    print(*told(answer, arguments.table), sep="\n")
    print(f"\nwritten to {arguments.output}: {', '.join(files)}")


def _write(folder: pathlib.Path, answer: ReleaseAnswer) -> None:
    with contextlib.ExitStack() as stack:
        statistics, budget = (stack.enter_context(tables.own(folder / name)) for name in _FILES[:2])
        rows = [dataclasses.asdict(accuracy) for accuracy in answer.accuracy]
        tables.write(statistics, tables.RELEASE_STATISTICS, _columns(rows))
        tables.write(budget, tables.RELEASE_BUDGET, _columns([_budget(answer)]))
        if answer.people:
            people = stack.enter_context(tables.own(folder / _PEOPLE))
            moved = answer.people.movements
            tables.write(people, tables.RELEASE_PEOPLE, {name: moved[name] for name in tables.RELEASE_PEOPLE})


def _files(answer: ReleaseAnswer) -> tuple[str, ...]:
    """Names of what is written: people and a page for a table.

    The page offers other noise, so that it is left out where that is not known in closed form, and where a part of the risk
    does not move with the noise since it was spent before.
    """
    if not answer.people:
        return _FILES[:-1]
    closed = answer.budget.normal and not answer.budget.spent and isinstance(answer.people.query, LinearQuery)
    return (*page.FILES, *_FILES) if closed else _FILES


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def _budget(answer: ReleaseAnswer) -> dict[str, Any]:
    """The budget and what it limits for every table, under the names of the columns."""
    found, limits = answer.budget, answer.limits
    return {
        "population": answer.population,
        "sample": answer.plan.sample,
        **dataclasses.asdict(found),
        "prior": limits.prior,
        "probability": limits.asked.probability,
        "rise_limit": limits.rise,
        "fall_limit": limits.fall,
        "ratio": limits.asked.ratio,
        "exceeding_limit": limits.exceeding,
    }


def _for_json(answer: ReleaseAnswer) -> dict[str, Any]:
    found = {
        "budget": _known(_budget(answer)),
        "statistics": [_known(dataclasses.asdict(accuracy)) for accuracy in answer.accuracy],
    }
    if answer.people:
        moved = answer.people.movements
        found["people"] = [_known({name: moved[name][0].item() for name in tables.RELEASE_PEOPLE})]
    return found


def _known(values: dict[str, Any]) -> dict[str, Any]:
    """The same with None for NaN and "inf" for infinity, which JSON has not."""
    return {name: None if value != value else "inf" if value == math.inf else value for name, value in values.items()}
