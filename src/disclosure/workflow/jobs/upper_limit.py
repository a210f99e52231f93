"""Union mass T, exact failure probabilities and quantiles of the ratio of every dataset of a sweep."""

import argparse

import numpy as np

from disclosure.beliefs import inclusion, quantiles, regions
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study.points import Point
from disclosure.workflow import sweeps, tables
from disclosure.workflow.exact_probabilities import gaps_of_datasets
from disclosure.workflow.options import add_datasets, add_output, add_seed, check_range, number


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument(
        "--ratio-probability",
        type=number,
        required=True,
        metavar="P",
        help="with which the posterior-to-prior ratio is beyond its quantile, on either side",
    )
    add_seed(parser)
    add_datasets(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        parts = [
            (np.full(len(numbers), index), *_of_datasets(numbers, gaps, point, arguments.ratio_probability))
            for index, (point, sigma) in enumerate(sweeps.calibrated_points(arguments.calibration))
            for numbers, gaps in gaps_of_datasets(arguments.seed, point, sigma, arguments.start, arguments.stop)
        ]
        columns = map(np.concatenate, zip(*parts, strict=True))
        tables.write(file, tables.UPPER_LIMIT, dict(zip(tables.UPPER_LIMIT, columns, strict=True)))


def _of_datasets(
    numbers: IntArray, gaps: FloatArray, point: Point, ratio_probability: float
) -> tuple[IntArray | FloatArray, ...]:
    """The columns of the table, but for the number of the point."""
    return (
        numbers,
        regions.union_mass(gaps, point.epsilon).value,
        *(inclusion.failure_probability(gaps, point.epsilon, bounds=some).value for some in inclusion.BOUNDS),
        np.full(len(numbers), ratio_probability),
        *quantiles.ratio_quantiles(gaps, ratio_probability),
    )
