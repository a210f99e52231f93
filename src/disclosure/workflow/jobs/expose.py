"""Exposure of people of a table at one point of a sweep."""

import argparse
import sys

from disclosure.numerics import checks, errors
from disclosure.people.asked import Asked
from disclosure.people.description import describe
from disclosure.people.exposure import exposures
from disclosure.people.limits import Limits
from disclosure.people.reading import read_release
from disclosure.people.targets import targets
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_output, add_range, add_seed, check_range, whole
from disclosure.workflow.people_options import add_ratio, add_table, reading


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    add_table(parser)
    parser.add_argument("--point", type=whole, required=True, metavar="N")
    parser.add_argument(
        "--targets", type=whole, required=True, metavar="N", help="different people who are looked at, in all jobs"
    )
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="sampled datasets of each person")
    add_ratio(parser)
    add_seed(parser)
    add_range(parser, "target")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        checks.count("targets", arguments.targets, 1)
        checks.count("datasets", arguments.datasets, 1)
        point, sigma, _ = sweeps.calibrated_point(arguments.calibration, arguments.point)
        records, query = read_release(
            arguments.table, arguments.query, arguments.columns, point.sample, reading(arguments)
        )
        if len(records) != point.population:
            raise errors.DomainError(
                f"{arguments.table}: has {len(records)} rows; the sweep's population = {point.population} has to be the same"
            )
        limit = Limits(records, query, point.sample).rise_of_all(sigma, arguments.probability)
        exposed = limit.place
        found = exposures(
            records,
            query,
            point.sample,
            sigma,
            point.epsilon,
            targets(arguments.seed, records, arguments.targets, exposed).part(arguments.start, arguments.stop),
            arguments.datasets,
            arguments.seed,
            arguments.point,
            Asked(arguments.probability, arguments.ratio),
        )
        print(*describe(arguments.table, records, query, point.sample), sep="\n", file=sys.stderr)
        tables.write(file, tables.EXPOSURE, {name: found[name] for name in tables.EXPOSURE})
