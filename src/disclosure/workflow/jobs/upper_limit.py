"""Union mass T, exact failure probabilities and quantiles of the ratio of every dataset of a sweep."""

import argparse

import numpy as np

from disclosure.beliefs import inclusion
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study import datasets
from disclosure.workflow import sweeps, tables
from disclosure.workflow.exact_probabilities import Datasets, of_datasets
from disclosure.workflow.options import add_attributes, add_datasets, add_output, add_seed, check_range, number


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
    add_attributes(parser, datasets.ATTRIBUTES)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        parts = [
            (np.full(len(numbers), index), *_columns(numbers, some, arguments.ratio_probability))
            for index, calibrated in enumerate(sweeps.calibrated_points(arguments.calibration))
            for numbers, some in of_datasets(
                arguments.seed, calibrated, arguments.start, arguments.stop, attributes=arguments.attributes
            )
        ]
        columns = map(np.concatenate, zip(*parts, strict=True))
        tables.write(file, tables.UPPER_LIMIT, dict(zip(tables.UPPER_LIMIT, columns, strict=True)))


def _columns(numbers: IntArray, some: Datasets, ratio_probability: float) -> tuple[IntArray | FloatArray, ...]:
    """The columns of the table, but for the number of the point."""
    return (
        numbers,
        some.union_mass(),
        *map(some.failure_probability, inclusion.BOUNDS),
        np.full(len(numbers), ratio_probability),
        *some.ratio_quantiles(ratio_probability),
    )
