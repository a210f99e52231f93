"""Expected values over all datasets, without sampling any."""

import numpy as np

from disclosure import expectation
from disclosure.commands.options import add_output
from disclosure.pipeline import sweeps, tables

# Distributions of the attributes; those of a sweep's datasets are uniform.
_DENSITIES = {"uniform": "uniform", "binary": ("discrete", [0.0, 1.0], [0.5, 0.5])}


def arguments(parser):
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--attributes", choices=_DENSITIES, default="uniform")
    parser.add_argument("--failure", action="store_true", help="the failure probability as well, seconds a point")
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        points = sweeps.calibrated_points(arguments.calibration)
        density = _DENSITIES[arguments.attributes]
        upper_limit = [expectation.expected_union_mass(*point, density, sigma=sigma) for point, sigma in points]
        failure = [
            expectation.expected_failure_probability(*point, density, sigma=sigma).value
            if arguments.failure
            else np.nan
            for point, sigma in points
        ]
        table = {
            "point": range(len(points)),
            "T_expected": [expected.value for expected in upper_limit],
            "rho_expected": failure,
        }
        tables.write(file, tables.EXPECTED, table)
