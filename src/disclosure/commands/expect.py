"""Expected values over all datasets, without sampling any."""

import numpy as np

from disclosure import expectation
from disclosure.commands.options import add_output
from disclosure.pipeline import sweeps, tables


def arguments(parser):
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        points = sweeps.calibrated_points(arguments.calibration)
        expected = [expectation.expected_union_mass(p.population, p.sample, p.epsilon, sigma) for p, sigma in points]
        table = {"point": range(len(points)), "T_expected": expected, "rho_expected": np.full(len(points), np.nan)}
        tables.write(file, tables.EXPECTED, table)
