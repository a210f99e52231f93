"""Independent replications of the whole study, by exact probabilities instead of releases."""

import argparse

import numpy as np

from disclosure.beliefs import inclusion, regions
from disclosure.numerics import checks
from disclosure.study import statistics
from disclosure.study.points import Point
from disclosure.workflow import sweeps, tables
from disclosure.workflow.exact_probabilities import gaps_of_datasets
from disclosure.workflow.options import add_output, add_range, add_seed, check_range, whole


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="datasets per point")
    add_range(parser, "replication")
    add_seed(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        checks.count("datasets", arguments.datasets, 1)
        points = sweeps.calibrated_points(arguments.calibration)
        name = tables.sweep_name(arguments.calibration, tables.read(arguments.calibration, tables.CALIBRATION))
        rows = [
            (replication, name, index, *_means(arguments, replication, point, sigma))
            for replication in range(arguments.start, arguments.stop)
            for index, (point, sigma) in enumerate(points)
        ]
        tables.write(file, tables.REPLICATION, dict(zip(tables.REPLICATION, zip(*rows, strict=True), strict=True)))


def _means(arguments: argparse.Namespace, replication: int, point: Point, sigma: float) -> tuple[float, float, float]:
    masses, probabilities = [], []
    for _, gaps in gaps_of_datasets(arguments.seed, point, sigma, 0, arguments.datasets, replication):
        masses.append(regions.union_mass(gaps, point.epsilon).value)
        probabilities.append(inclusion.failure_probability(gaps, point.epsilon).value)
    mean, error = statistics.mean(np.concatenate(masses))
    return mean, error, float(np.concatenate(probabilities).mean())
