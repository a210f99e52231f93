"""What a release reveals about the people of a table: a summary on the screen, and tables and figures in a folder."""

import argparse
import contextlib
import itertools
import json
import math
import pathlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from disclosure.cli import answer_folder, assess_attributes, page
from disclosure.cli.assess_text import CONVERTED, assessed
from disclosure.mechanisms import gaussian
from disclosure.numerics import checks, errors, rounding
from disclosure.numerics.types import Columns
from disclosure.people import choice
from disclosure.people.asked import Asked
from disclosure.people.attribute_risk import totals
from disclosure.people.description import describe
from disclosure.people.exposure import exposures, movements
from disclosure.people.limits import Limits
from disclosure.people.queries import LinearQuery
from disclosure.people.reading import read_release
from disclosure.people.records import Records, check_sample, sample_of
from disclosure.people.summary import PROBABILISTIC, Setting, Summary, columns, summarise
from disclosure.people.targets import Targets, affordable
from disclosure.plots.formats import FORMATS
from disclosure.workflow import tables
from disclosure.workflow.options import number, whole
from disclosure.workflow.people_options import add_population, add_ratio, add_table, add_work, reading

# What is written beside the page: the people, how far belief in each moves, the summary, and the figure in each format.
_FILES = ("people.csv", "ratios.csv", "summary.csv", *(f"people.{kind}" for kind in FORMATS))


class _Guarantee(NamedTuple):
    """What is promised: its name, epsilon and delta of the bounds by probabilistic privacy, and the noise."""

    name: str
    epsilon: float
    delta: float
    sigma: float


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument("--sample", type=whole, required=True, metavar="M", help="people in the dataset")
    add_population(parser)
    parser.add_argument("--epsilon", type=number, required=True)
    parser.add_argument("--delta", type=number, required=True)
    parser.add_argument(
        "--approximate", action="store_true", help="epsilon and delta are of approximate privacy; needs --failure"
    )
    parser.add_argument("--failure", type=number, metavar="P", help="stated failure probability of the bounds")
    add_ratio(parser, several=True)
    assess_attributes.add_sensitive(parser)
    add_work(parser)
    page.add_output(parser, "tables, figures and a page")
    parser.add_argument("--json", action="store_true", help="the summary for machines")


def run(arguments: argparse.Namespace) -> None:
    sample, seed = arguments.sample, arguments.seed
    files = [*page.FILES, *_FILES, *([assess_attributes.FILE] if arguments.sensitive is not None else [])]
    answer_folder.check(arguments.output, files, table=arguments.table)
    records, query = read_release(arguments.table, arguments.query, arguments.columns, sample, reading(arguments))
    if arguments.population is not None:
        records = sample_of(records, arguments.population)
    check_sample(records.size, sample, records.left_out)
    sensitive = assess_attributes.asked(arguments, records)
    rounds = 4 if arguments.approximate else 1  # one for each of the guarantees
    exposed = _exposed(arguments, records, query)
    targets, datasets = affordable(seed, records, sample, arguments.targets, arguments.datasets, rounds, exposed)
    promises = _guarantees(arguments, records, query, targets.places.tolist())
    found = [
        _assessed(arguments, records, query, targets, datasets, Setting(point, records.size, sample, *promised[1:]))
        for point, promised in enumerate(promises)
    ]
    rows = [
        summarise(setting, people, promised.name)
        for promised, (setting, people, _) in zip(promises, found, strict=True)
    ]
    sigmas = [row.sigma for row in rows]
    risks = assess_attributes.risks(records, query, sigmas, sensitive, targets) if sensitive else []
    released = (
        f"{pathlib.Path(arguments.table).name}: {query.name} of {', '.join(column.name for column in records.columns)}"
    )
    values = [page.value_risk(totals(records, sensitive, risks[0]), len(records))] if sensitive else []
    with answer_folder.replaced(arguments.output, files, table=arguments.table) as folder:
        _write(folder, released, rows, [people for _, people, _ in found], [moved for _, _, moved in found])
        if sensitive:
            assess_attributes.write(folder, risks)
        page.assessed(arguments, records, query, targets, rows, found[0][2], values, files)
    if arguments.json:
        answer = {
            "summary": [_known(row._asdict()) for row in rows],
            "ratios": [_of_all(part) for _, _, parts in found for part in parts],
        }
        if sensitive:
            answer["attribute"] = assess_attributes.summary(records, sensitive, risks)
        print(json.dumps(answer))
        return
    print(*describe(arguments.table, records, query, sample), sep="\n")
    print("All that follows depends on the people in the table: whoever learns it learns something about them.")
    for _, same in itertools.groupby(zip(rows, found, strict=True), key=lambda pair: pair[0].sigma):
        guarantees, answers = zip(*same, strict=True)
        people, moved = [people for _, people, _ in answers], answers[0][2]
        print(*assessed(guarantees, people, moved, records, query), sep="\n")
    if sensitive:
        for changes in risks:
            print(*assess_attributes.lines(records, sensitive, targets, changes), sep="\n")
    print(f"\nwritten to {arguments.output}: {', '.join(files)}")


def _exposed(arguments: argparse.Namespace, records: Records, query: LinearQuery) -> int:
    """Place of the person whose limit is the largest of everybody, with the noise of the first guarantee."""
    definition = "approximate" if arguments.approximate else "probabilistic"
    sigma = _sigma(arguments.epsilon, arguments.delta, query.sensitivity, definition)
    return Limits(records, query, arguments.sample).rise_of_all(sigma, _asked(arguments)[0].probability).place


def _asked(arguments: argparse.Namespace) -> list[Asked]:
    """What is asked of the ratio, once for each probability."""
    ratio = checks.number(
        "ratio", arguments.ratio, "(1, inf)", "no release lets belief rise by a factor of 1 or less only"
    )
    hint = "a factor that is mostly exceeded limits nothing"
    return [Asked(checks.number("probability", value, "(0, 0.5]", hint), ratio) for value in arguments.probability]


def _assessed(
    arguments: argparse.Namespace,
    records: Records,
    query: LinearQuery,
    targets: Targets,
    datasets: int,
    setting: Setting,
) -> tuple[Setting, Columns, list[Columns]]:
    """Exposures at one setting, and how far belief moves, a table for each of the probabilities."""
    sample, sigma, seed, point = setting.sample, setting.sigma, arguments.seed, setting.point
    first, *others = _asked(arguments)
    people = exposures(records, query, sample, sigma, setting.epsilon, targets, datasets, seed, point, first)
    moved = [movements(records, query, sample, sigma, targets, datasets, seed, point, asked) for asked in others]
    return setting, people, [people, *moved]


def _of_all(moved: Columns) -> dict[str, Any]:
    """How far belief moves, except with one probability, for everybody, and the most that was found."""
    limits = {name: moved[f"{name}_of_all"][0].item() for name in ("rise_limit", "fall_limit")}
    found = {"rise_found": np.fmax.reduce(moved["rise_found"]), "fall_found": np.fmin.reduce(moved["fall_found"])}
    same = {name: moved[name][0].item() for name in ("point", "probability")}
    return _known(same | limits | {name: float(value) for name, value in found.items()})


def _known(values: dict[str, Any]) -> dict[str, Any]:
    """The same with None for NaN and "inf" for infinity, which JSON has not."""
    return {name: None if value != value else "inf" if value == math.inf else value for name, value in values.items()}


def _guarantees(
    arguments: argparse.Namespace, records: Records, query: LinearQuery, targets: Sequence[int]
) -> list[_Guarantee]:
    """What is promised: one guarantee, or with ``--approximate`` that one, two tighter ones of its noise, and a direct one."""
    epsilon, delta, failure = arguments.epsilon, arguments.delta, arguments.failure
    sigma = _sigma(epsilon, delta, query.sensitivity, "probabilistic")
    direct = _Guarantee(PROBABILISTIC, epsilon, delta, sigma)
    if not arguments.approximate:
        if failure is not None:
            raise errors.DomainError(
                f"failure = {failure:g} is for --approximate only; add that, or leave it out: the answer has it"
            )
        return [direct]
    if failure is None:
        raise errors.DomainError(
            "failure is missing; --approximate needs the failure probability that is stated for the bounds"
        )
    return [*_approximate(arguments, records, query, targets), direct]


def _approximate(
    arguments: argparse.Namespace, records: Records, query: LinearQuery, targets: Sequence[int]
) -> list[_Guarantee]:
    """Bounds that noise for approximate privacy keeps but for the stated failure probability, from wide to tight."""
    sample, failure, delta = arguments.sample, arguments.failure, arguments.delta
    sigma = _sigma(arguments.epsilon, delta, query.sensitivity, "approximate")
    bound, delta_prime = choice.convert(arguments.epsilon, delta, failure)
    tighter = choice.epsilon_from_ranges(sigma, failure, query.sensitivity, records.neighbours(sample))
    tightest = choice.smallest_epsilon_for(records, query, sample, sigma, failure, targets).epsilon
    of_ranges, of_people = (
        float(gaussian.bad_region_mass(sigma, epsilon, query.sensitivity)) for epsilon in (tighter, tightest)
    )
    return [
        _Guarantee(CONVERTED, bound, delta_prime, sigma),
        _Guarantee("the same noise, calibrated directly", tighter, of_ranges, sigma),
        _Guarantee("the same noise, by T of the people looked at", tightest, of_people, sigma),
    ]


def _sigma(epsilon: float, delta: float, sensitivity: float, definition: str) -> float:
    sigma = rounding.round_up(gaussian.calibrate(epsilon, delta, sensitivity, definition=definition))
    return checks.number("sigma", sigma, "(0, inf)", "delta = 1 promises nothing, and no noise is added")


def _write(
    folder: pathlib.Path,
    released: str,
    rows: Sequence[Summary],
    exposed: Sequence[Columns],
    moved: Sequence[Sequence[Columns]],
) -> None:
    """Write the tables, and the figure of the first guarantee."""
    from disclosure.plots import exposure as plots  # slow to import
    from disclosure.plots import style

    with contextlib.ExitStack() as stack:
        files = (stack.enter_context(tables.own(folder / name)) for name in _FILES)
        people_file, ratios_file, summary_file, *figures = files
        tables.write(people_file, tables.EXPOSURE, _together(exposed, tables.EXPOSURE))
        parts = [part for parts in moved for part in parts]
        tables.write(ratios_file, tables.MOVEMENT, _together(parts, tables.MOVEMENT))
        tables.write(summary_file, tables.EXPOSURE_SUMMARY, columns(rows))
        figure = plots.people_figure(exposed[0], rows[0], released)
        for file, kind in zip(figures, FORMATS, strict=True):
            file.write(style.rendered(figure, kind))


def _together(parts: Sequence[Columns], columns: tables.Columns) -> Columns:
    """Tables with these columns, and perhaps others, one below the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in columns}
