"""Exposure of people of a table at one point of a sweep."""

import sys

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.people import exposure, populations, queries
from disclosure.people.queries import RELATION
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_output, add_range, add_seed, add_table, check_range, whole


def arguments(parser):
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    add_table(parser)
    parser.add_argument("--point", type=whole, required=True, metavar="N")
    parser.add_argument(
        "--targets", type=whole, required=True, metavar="N", help="different people who are looked at, in all jobs"
    )
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="sampled datasets of each person")
    add_seed(parser)
    add_range(parser, "target")
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        check_range(arguments)
        checks.count("targets", arguments.targets, 1)
        checks.count("datasets", arguments.datasets, 1)
        point, sigma = sweeps.calibrated_point(arguments.calibration, arguments.point)
        population, query = read(arguments, point.sample)
        number = len(population.values)
        if number != point.population:
            raise errors.DomainError(
                f"{arguments.table}: has {number} rows; the sweep's population = {point.population} has to be the same"
            )
        looked_at = populations.targets(arguments.seed, population, arguments.targets)
        targets = populations.Targets(*(part[arguments.start : arguments.stop] for part in looked_at))
        rows = [
            exposure.assess(
                population, query, point.sample, sigma, point.epsilon, target, arguments.datasets, arguments.seed
            )
            for target in targets.places.tolist()
        ]
        print(*describe(arguments.table, population, query, point.sample), sep="\n", file=sys.stderr)
        tables.write(file, tables.EXPOSURE, people_table(rows, targets, arguments.point))


def read(arguments, sample):
    """The population and the query that the options of `options.add_table` name."""
    columns = [queries.parse_column(text) for text in arguments.columns]
    query = queries.linear(arguments.query, columns, sample)
    whole = arguments.query == "count"
    return populations.read(arguments.table, columns, arguments.weights, arguments.clip, whole), query


def describe(table, population, query, sample):
    """What the table and the release are."""
    number = len(population.values)
    names = ", ".join(f"{column.name} ({column.low:g} to {column.high:g})" for column in population.columns)
    yield f"{table}: {number:,} people; {names}"
    if population.clipped:
        yield f"  {population.clipped:,} values moved to the nearer end of their range; the release has to do the same"
    if alike := populations.repeated(population.values):
        yield f"  {alike:,} people share all values with somebody else; the paper takes records to be unique"
    others = number - sample
    yield (
        f"{query.name} over {sample:,} of them, neighbours by {RELATION}; candidates: the target and {others:,} other"
        + ("s" if others > 1 else ", so that T and rho are the same")
    )
    yield f"l2 sensitivity {query.sensitivity:.6g}, from the stated ranges"


def people_table(rows, targets, point=0):
    """Exposures of the targets as a table, `tables.EXPOSURE`."""
    columns = zip(*rows, strict=True) if rows else [()] * len(exposure.Exposure._fields)
    table = dict(zip(exposure.Exposure._fields, columns, strict=True))
    table |= {"point": np.full(len(rows), point), "chosen": targets.chosen, "people": targets.people}
    return {name: np.asarray(table[name]) for name in tables.EXPOSURE}
