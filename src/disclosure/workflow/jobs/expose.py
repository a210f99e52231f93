"""Exposure of people of a table at one point of a sweep."""

import argparse
import sys

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.people.asked import Asked
from disclosure.people.description import describe
from disclosure.people.exposure import exposures, movements
from disclosure.people.limits import Limits
from disclosure.people.reading import read_release
from disclosure.people.records import sample_of
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
    add_ratio(parser, several=True)
    parser.add_argument(
        "--sampled", action="store_true", help="the table is a sample of the population of the calibration"
    )
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
        if arguments.sampled:
            records = sample_of(records, point.population)
        if records.size != point.population:
            raise errors.DomainError(
                f"{arguments.table}: has {len(records)} rows; the sweep's population = {point.population} has to be the same"
            )
        first, *others = (Asked(probability, arguments.ratio) for probability in arguments.probability)
        limit = Limits(records, query, point.sample).rise_of_all(sigma, first.probability)
        looked = targets(arguments.seed, records, arguments.targets, limit.place).part(arguments.start, arguments.stop)
        datasets, seed, number = arguments.datasets, arguments.seed, arguments.point
        found = exposures(records, query, point.sample, sigma, point.epsilon, looked, datasets, seed, number, first)
        moved = (
            movements(records, query, point.sample, sigma, looked, datasets, seed, number, asked) for asked in others
        )
        parts = [found, *({**found, **part} for part in moved)]
        print(*describe(arguments.table, records, query, point.sample), sep="\n", file=sys.stderr)
        table = {name: np.concatenate([part[name] for part in parts]) for name in tables.EXPOSURE}
        tables.write(file, tables.EXPOSURE, table)
