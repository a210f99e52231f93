"""Union mass T and exact failure probability of every dataset of a sweep."""

import argparse

import numpy as np

from disclosure.study import datasets
from disclosure.workflow import exact_probabilities, sweeps, tables
from disclosure.workflow.options import add_attributes, add_datasets, add_output, add_seed, check_range


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    add_seed(parser)
    add_datasets(parser)
    add_attributes(parser, datasets.ATTRIBUTES)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        parts = [
            (index, *part)
            for index, calibrated in enumerate(sweeps.calibrated_points(arguments.calibration))
            for part in exact_probabilities.of_datasets(
                arguments.seed, calibrated, arguments.start, arguments.stop, attributes=arguments.attributes
            )
        ]
        table = {
            "point": np.concatenate([np.full(len(numbers), index) for index, numbers, *_ in parts]),
            **{
                name: np.concatenate([part[place] for part in parts])
                for place, name in enumerate(("dataset", "union_mass", "failure_probability"), start=1)
            },
        }
        tables.write(file, tables.UPPER_LIMIT, table)
