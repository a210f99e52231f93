"""Expected values over all datasets, without sampling any."""

import argparse

from disclosure.expected import expectation
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_output, check_range, number, whole

# Distributions of the attributes; those of a sweep's datasets are uniform.
_DENSITIES = {"uniform": "uniform", "binary": ("discrete", [0.0, 1.0], [0.5, 0.5])}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--attributes", choices=_DENSITIES, default="uniform")
    parser.add_argument("--rtol", type=number, default=1e-5, metavar="R", help="relative error, %(default)g by default")
    parser.add_argument("--start", type=whole, default=0, metavar="N", help="first point (default 0)")
    parser.add_argument("--stop", type=whole, metavar="N", help="the one after the last point (default: all points)")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        points = sweeps.calibrated_points(arguments.calibration)
        arguments.stop = len(points) if arguments.stop is None else arguments.stop
        check_range(arguments)
        points = points[arguments.start : arguments.stop]
        setting = {"density": _DENSITIES[arguments.attributes], "rtol": arguments.rtol}
        quantities = {
            "union_mass_expected": expectation.expected_union_mass,
            "failure_probability_expected": expectation.expected_failure_probability,
        }
        values = {
            name: [quantity(*point, sigma=sigma, **setting).value for point, sigma in points]
            for name, quantity in quantities.items()
        }
        numbers = range(arguments.start, arguments.start + len(points))
        tables.write(file, tables.EXPECTED, {"point": numbers, **values})
