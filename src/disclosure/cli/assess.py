"""What a release reveals about the people of a table: a summary on the screen, and tables and figures in a folder."""

import argparse
import contextlib
import math
import pathlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from disclosure.cli import assess_attributes
from disclosure.mechanisms import gaussian
from disclosure.numerics import checks, errors
from disclosure.numerics.types import Columns
from disclosure.people import choice
from disclosure.people.description import describe, looked_at, possible_datasets, utility
from disclosure.people.exposure import exposures
from disclosure.people.queries import LinearQuery
from disclosure.people.reading import read_release
from disclosure.people.records import Records, check_sample
from disclosure.people.summary import PROBABILISTIC, Setting, Summary, by_exposure, columns, summarise
from disclosure.people.targets import affordable
from disclosure.plots.formats import FORMATS
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import number, whole
from disclosure.workflow.people_options import add_table, add_work, reading

CONVERTED = "approximate, by Corollary 1"
# Rows of the most exposed people on the screen.
_MOST = 5
# What is written: the people, the summary, and the figure in each format.
_FILES = ("people.csv", "summary.csv", *(f"people.{kind}" for kind in FORMATS))
_SUPREMA = {
    "exact": "exact supremum",
    "bound": "a bound that no dataset exceeds",
    "none": "not known",
}


class _Guarantee(NamedTuple):
    """What is promised: its name, epsilon and delta of the bounds by probabilistic privacy, and the noise."""

    name: str
    epsilon: float
    delta: float
    sigma: float


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument("--sample", type=whole, required=True, metavar="M", help="people in the dataset")
    parser.add_argument("--epsilon", type=number, required=True)
    parser.add_argument("--delta", type=number, required=True)
    parser.add_argument(
        "--approximate", action="store_true", help="epsilon and delta are of approximate privacy; needs --failure"
    )
    parser.add_argument("--failure", type=number, metavar="P", help="stated failure probability of the bounds")
    assess_attributes.add_sensitive(parser)
    add_work(parser)
    parser.add_argument(
        "--output", default="exposure", metavar="FOLDER", help="for tables and figures (default exposure)"
    )


def run(arguments: argparse.Namespace) -> None:
    sample, seed, folder = arguments.sample, arguments.seed, _folder(arguments)
    records, query = read_release(arguments.table, arguments.query, arguments.columns, sample, reading(arguments))
    check_sample(len(records), sample)
    sensitive = assess_attributes.asked(arguments, records)
    rounds = 4 if arguments.approximate else 1  # one for each of the guarantees
    targets, datasets = affordable(seed, records, sample, arguments.targets, arguments.datasets, rounds)
    rows, exposed = [], []
    for point, promised in enumerate(_guarantees(arguments, records, query, targets.places.tolist())):
        setting = Setting(point, len(records), sample, *promised[1:])
        found = exposures(records, query, sample, setting.sigma, setting.epsilon, targets, datasets, seed, point)
        rows.append(summarise(setting, found, promised.name))
        exposed.append(found)
    sigmas = [row.sigma for row in rows]
    risks = assess_attributes.risks(records, query, sigmas, sensitive, targets) if sensitive else []
    _write(folder, query, rows, exposed)
    print(*describe(arguments.table, records, query, sample), sep="\n")
    for row, people in zip(rows, exposed, strict=True):
        print(*_lines(row, people, records, query), sep="\n")
    files = list(_FILES)
    if sensitive:
        assess_attributes.write(folder, risks)
        for changes in risks:
            print(*assess_attributes.lines(records, sensitive, targets, changes), sep="\n")
        files.append(assess_attributes.FILE)
    print(f"\nwritten to {arguments.output}: {', '.join(files)}")


def _folder(arguments: argparse.Namespace) -> pathlib.Path:
    """The folder that is written to, in which no file may be the table that is read."""
    if not arguments.output:
        raise errors.DomainError("output = '' names no folder; . is the current one")
    folder = pathlib.Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise errors.DomainError(f"output = {arguments.output!r} is a file; name a folder")
    if taken := next(
        (name for name in _FILES if (folder / name).resolve() == pathlib.Path(arguments.table).resolve()), None
    ):
        raise errors.DomainError(
            f"output = {arguments.output!r} would replace the table that is read, {taken}; name another folder"
        )
    return folder


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
    bound, delta_prime = choice.convert(arguments.epsilon, delta, failure, len(records) - sample)
    tighter = choice.calibrated_epsilon(sigma, delta_prime, query.sensitivity)
    tightest = choice.smallest_epsilon_for(records, query, sample, sigma, failure, targets).epsilon
    mass = float(gaussian.bad_region_mass(sigma, tightest, query.sensitivity))
    return [
        _Guarantee(CONVERTED, bound, delta_prime, sigma),
        _Guarantee("the same noise, calibrated directly", tighter, delta_prime, sigma),
        _Guarantee("the same noise, by T of these people", tightest, mass, sigma),
    ]


def _sigma(epsilon: float, delta: float, sensitivity: float, definition: str) -> float:
    sigma = sweeps.round_up(gaussian.calibrate(epsilon, delta, sensitivity, definition=definition))
    return checks.number("sigma", sigma, "(0, inf)", "delta = 1 promises nothing, and no noise is added")


def _write(folder: pathlib.Path, query: LinearQuery, rows: Sequence[Summary], exposed: Sequence[Columns]) -> None:
    """Write both tables, and the figure of the first guarantee."""
    from disclosure.plots import exposure as plots  # slow to import
    from disclosure.plots import style

    with contextlib.ExitStack() as stack:
        people_file, summary_file, *figures = (stack.enter_context(tables.own(folder / name)) for name in _FILES)
        together = {name: np.concatenate([table[name] for table in exposed]) for name in tables.EXPOSURE}
        tables.write(people_file, tables.EXPOSURE, together)
        tables.write(summary_file, tables.EXPOSURE_SUMMARY, columns(rows))
        figure = plots.people_figure(exposed[0], rows[0], query.name)
        for file, kind in zip(figures, FORMATS, strict=True):
            file.write(style.rendered(figure, kind))


def _lines(row: Summary, people: Columns, records: Records, query: LinearQuery) -> Iterator[str]:
    """What one guarantee comes to."""
    yield ""
    yield f"{row.guarantee}: epsilon = {row.epsilon:.6g}, delta = {row.delta:.6g}, sigma = {row.sigma:.6g}"
    yield "  " + utility(records, query, row.sigma)
    yield from _summary(row, people)
    yield from _most_exposed(people)


def _summary(row: Summary, people: Columns) -> list[str]:
    """A row of a summary, in words."""
    who = looked_at(people["chosen"], people["people"], row.population)
    masses = row.union_mass_mean, row.union_mass_se, row.union_mass_largest
    failures = row.failure_probability_mean, row.failure_probability_se, row.failure_probability_largest
    labels = {
        "prior": f"{row.prior:.6g}",
        f"bounds ({24 if row.guarantee != CONVERTED else 25})": f"{row.ratio_lower:.6g} to {row.ratio_upper:.6g}",
        "bounds (26)": f"{row.prior_free_lower:.6g} to {row.prior_free_upper:.6g}",
        "targets": f"{who}; {_datasets(row, people)}",
        "T, upper limit": _risk(row, *masses),
        "": f"largest of all datasets {row.union_mass_supremum:.4g} ({_SUPREMA[row.supremum]})",
        "failure probability": _risk(row, *failures),
    }
    return [f"  {label:<18}{text}" for label, text in labels.items()]


def _datasets(row: Summary, people: Columns) -> str:
    """Which datasets of each target were looked at."""
    listed = people["datasets"] == 0
    if listed.all():
        return f"{possible_datasets(row.population, row.sample)} of each"
    return f"{row.datasets:,} sampled datasets of each{', or all where few differ' if listed.any() else ''}"


def _risk(row: Summary, mean: float, standard_error: float, largest: float) -> str:
    """Mean and largest of a probability, and how far the mean is from that over everybody and all datasets."""
    of_which = "largest sampled"
    if row.targets < row.population:
        known = " (estimated, with no standard error: somebody who was not looked at may carry it)"
    elif row.datasets == 0:
        known, of_which = " (exact)", "largest"
    else:
        known = "" if math.isnan(standard_error) else f" (standard error {standard_error:.2g})"
    return f"mean {mean:.4g}{known}, {of_which} {largest:.4g}"


def _most_exposed(people: Columns) -> Iterator[str]:
    yield "  most exposed, by mean failure probability; distances in diagonals of the stated ranges:"
    yield f"  {'row':>8}{'rho':>11}{'largest':>11}{'T':>11}{'nearest':>10}{'centre':>10}{'farthest':>10}"
    for place in by_exposure(people)[:_MOST]:
        person = {name: column[place] for name, column in people.items()}
        risks = "".join(
            f"{person[name]:>11.3g}"
            for name in ("failure_probability_mean", "failure_probability_largest", "union_mass_supremum")
        )
        distances = "".join(f"{person[name]:>10.3f}" for name in ("nearest", "centre", "farthest"))
        alike = f"  and {person['people'] - 1:,} like it" if person["people"] > 1 else ""
        yield f"  {person['person']:>8}{risks}{distances}{alike}"
