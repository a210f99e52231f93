"""Union mass T and exact failure probability of every dataset of a sweep."""

import argparse
from collections.abc import Iterator

import numpy as np

from disclosure.beliefs import inclusion, regions
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study import datasets
from disclosure.study.points import Point
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_datasets, add_output, add_seed, check_range


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    add_seed(parser)
    add_datasets(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        parts = [
            (index, *part)
            for index, (point, sigma) in enumerate(sweeps.calibrated_points(arguments.calibration))
            for part in probabilities(arguments.seed, point, sigma, arguments.start, arguments.stop)
        ]
        table = {
            "point": np.concatenate([np.full(len(numbers), index) for index, numbers, *_ in parts]),
            **{
                name: np.concatenate([part[place] for part in parts])
                for place, name in enumerate(("dataset", "union_mass", "failure_probability"), start=1)
            },
        }
        tables.write(file, tables.UPPER_LIMIT, table)


def probabilities(
    seed: int, point: Point, sigma: float, start: int, stop: int, replication: int | None = None
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yield numbers, union masses and failure probabilities of a point's datasets, chunk by chunk."""
    for first, last in sweeps.chunks(point, start, stop):
        target, neighbours = datasets.draw(seed, point, first, last, replication)
        gaps = regions.standardised_gaps(target, neighbours, sigma)
        yield (
            np.arange(first, last),
            regions.union_mass(gaps, point.epsilon).value,
            inclusion.failure_probability(gaps, point.epsilon).value,
        )
