"""Failing releases of the datasets of one point."""

import argparse

import numpy as np

from disclosure.numerics.types import IntArray
from disclosure.study import datasets, simulation, streams
from disclosure.study.methods import METHODS
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_attributes, add_datasets, add_output, add_seed, check_range, whole

_PURPOSES = {"threshold": streams.Purpose.RELEASES, "literal": streams.Purpose.LITERAL_RELEASES}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--point", type=whole, required=True, metavar="N")
    parser.add_argument("--releases", type=whole, required=True, metavar="N", help="releases per dataset")
    parser.add_argument("--method", choices=METHODS, required=True)
    add_seed(parser)
    add_datasets(parser)
    add_attributes(parser, datasets.ATTRIBUTES)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        check_range(arguments)
        calibrated = sweeps.calibrated_point(arguments.calibration, arguments.point)
        numbers = np.arange(arguments.start, arguments.stop)
        failures = [
            _failures(arguments, calibrated, first, last)
            for first, last in sweeps.chunks(calibrated.point, arguments.start, arguments.stop)
        ]
        table = {
            "point": np.full(len(numbers), arguments.point),
            "dataset": numbers,
            "releases": np.full(len(numbers), arguments.releases),
            **dict(zip(("failures", "failures_prior_free"), np.concatenate(failures, axis=1), strict=True)),
        }
        tables.write(file, tables.SIMULATION, table)


def _failures(arguments: argparse.Namespace, calibrated: sweeps.Calibrated, first: int, last: int) -> IntArray:
    """For each of the bounds the number of failing releases of each dataset."""
    point, sigma, mechanism = calibrated
    target, neighbours = datasets.draw(arguments.seed, point, first, last, attributes=arguments.attributes)
    purpose = _PURPOSES[arguments.method]
    generators = (streams.releases(arguments.seed, point, number, purpose) for number in range(first, last))
    failures: IntArray = simulation.simulate(
        target,
        neighbours,
        sigma,
        point.epsilon,
        arguments.releases,
        generators,
        arguments.method,
        mechanism=mechanism,
    )
    return failures
