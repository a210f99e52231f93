"""Independent replications of the whole study, by exact probabilities instead of releases."""

import argparse

import numpy as np

from disclosure.numerics import checks
from disclosure.study import datasets, statistics
from disclosure.workflow import sweeps, tables
from disclosure.workflow.exact_probabilities import of_datasets
from disclosure.workflow.options import add_attributes, add_output, add_range, add_seed, check_range, whole

# A normal tail that may be left out of a dataset's failure probability on either side, so that fewer roots are needed. The
# means of a study lie above 1e-7 and have a relative Monte Carlo error of some percent.
NEGLIGIBLE = 1e-15


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="datasets per point")
    add_range(parser, "replication")
    add_attributes(parser, datasets.ATTRIBUTES)
    add_seed(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        checks.count("datasets", arguments.datasets, 1)
        points = sweeps.calibrated_points(arguments.calibration)
        name = tables.sweep_name(arguments.calibration, tables.read(arguments.calibration, tables.CALIBRATION))
        rows = [
            (replication, name, index, *_means(arguments, replication, calibrated))
            for replication in range(arguments.start, arguments.stop)
            for index, calibrated in enumerate(points)
        ]
        tables.write(file, tables.REPLICATION, dict(zip(tables.REPLICATION, zip(*rows, strict=True), strict=True)))


def _means(
    arguments: argparse.Namespace, replication: int, calibrated: sweeps.Calibrated
) -> tuple[float, float, float, float]:
    masses, probabilities = [], []
    for _, some in of_datasets(arguments.seed, calibrated, 0, arguments.datasets, replication, arguments.attributes):
        masses.append(some.union_mass())
        probabilities.append(some.failure_probability(negligible=NEGLIGIBLE))
    mean, error = statistics.mean(np.concatenate(masses))
    return mean, error, float(np.concatenate(probabilities).mean()), 2 * NEGLIGIBLE
