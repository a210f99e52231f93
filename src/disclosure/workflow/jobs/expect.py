"""Expected values over all datasets, without sampling any."""

import argparse
import math

from disclosure.beliefs.inclusion import Bounds
from disclosure.expected.attribute_laws import NAMED
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.expected.union_mass import expected_union_mass
from disclosure.numerics.errors import DomainError
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_output, check_range, number, whole


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--attributes", choices=NAMED, default="uniform")
    parser.add_argument("--prior-free", action="store_true", help="for the bounds (26) as well")
    parser.add_argument("--rtol", type=number, default=1e-5, metavar="R", help="relative error, %(default)g by default")
    parser.add_argument("--start", type=whole, default=0, metavar="N", help="first point (default 0)")
    parser.add_argument("--stop", type=whole, metavar="N", help="the one after the last point (default: all points)")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        points = sweeps.calibrated_points(arguments.calibration)
        if other := next((mechanism for *_, mechanism in points if mechanism != "gaussian"), None):
            raise DomainError(
                f"mechanism = {other!r}: expected values are known for gaussian noise only; leave expect out"
            )
        arguments.stop = len(points) if arguments.stop is None else arguments.stop
        check_range(arguments)
        points = points[arguments.start : arguments.stop]
        setting = {"attributes": arguments.attributes, "rtol": arguments.rtol}

        def failure(bounds: Bounds) -> list[float]:
            return [
                expected_failure_probability(*point, sigma=sigma, bounds=bounds, **setting).value
                for point, sigma, _ in points
            ]

        values = {
            "union_mass_expected": [
                expected_union_mass(*point, sigma=sigma, **setting).value for point, sigma, _ in points
            ],
            "failure_probability_expected": failure("prior"),
            "failure_probability_prior_free_expected": (
                failure("prior_free") if arguments.prior_free else [math.nan] * len(points)
            ),
        }
        numbers = range(arguments.start, arguments.start + len(points))
        tables.write(file, tables.EXPECTED, {"point": numbers, **values})
