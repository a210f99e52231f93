"""Literal releases against exact probabilities, point by point."""

import pathlib

import numpy as np
from scipy.special import ndtr, pdtr, pdtrc

from disclosure.numerics import checks
from disclosure.workflow import tables
from disclosure.workflow.options import add_output, whole


def arguments(parser):
    parser.add_argument("--calibrations", nargs="+", required=True, help="calibration.csv of every sweep")
    parser.add_argument(
        "--upper-limit", nargs="+", required=True, metavar="FILE", help="shards of upper_limit, all sweeps"
    )
    parser.add_argument("--simulate", nargs="+", required=True, metavar="FILE", help="shards of literal releases")
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="datasets per point")
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        checks.count("datasets", arguments.datasets, 1)
        parts = []
        for path in arguments.calibrations:
            folder = pathlib.Path(path).parent
            calibration = tables.read(path, tables.CALIBRATION)
            points = len(calibration["point"])
            shape = arguments.datasets, points
            exact = tables.read_shards(_inside(arguments.upper_limit, folder), tables.UPPER_LIMIT, *shape)
            drawn = tables.read_shards(_inside(arguments.simulate, folder), tables.SIMULATION, *shape)
            part = _compare(exact["failure_probability"], drawn)
            part |= {"sweep": np.full(points, folder.resolve().name), **calibration}
            parts.append({name: part[name] for name in tables.VERIFICATION})
        table = {name: np.concatenate([part[name] for part in parts]) for name in tables.VERIFICATION}
        tables.write(file, tables.VERIFICATION, table)
        _report(table)


def _inside(paths, folder):
    return [path for path in paths if folder in pathlib.Path(path).parents]


def _compare(probability, drawn):
    releases = drawn["releases"]
    failures = drawn["failures"].sum(axis=1)
    expected = (releases * probability).sum(axis=1)
    variance = (releases * probability * (1 - probability)).sum(axis=1)
    return {
        "datasets": np.full(len(failures), probability.shape[1]),
        "releases": releases.max(axis=1),
        "failures": failures,
        "expected": expected,
        "standard_error": np.sqrt(variance),
        "p_value": _p_value(failures, expected, variance),
    }


def _p_value(failures, expected, variance):
    """Two-sided p-value of a count of independent failures with different probabilities, given the datasets.

    Normal where the variance is large, with a correction for continuity. Small counts are of rare failures, and Poisson.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        normal = 2 * ndtr(-np.maximum(np.abs(failures - expected) - 0.5, 0) / np.sqrt(variance))
    tail = np.where(failures <= expected, pdtr(failures, expected), pdtrc(failures - 1, expected))
    certain = np.where(failures == np.rint(expected), 1.0, 0.0)
    return np.where(variance > 100, normal, np.where(variance > 0, np.minimum(2 * tail, 1.0), certain))


def _report(table):
    p_values = np.sort(table["p_value"])
    print(
        f"{len(p_values)} points, {int(table['failures'].sum())} literal failures, "
        f"{table['expected'].sum():.1f} expected; smallest p-value {p_values[0]:.3g}, "
        f"of {len(p_values)} true hypotheses expected {1 / (len(p_values) + 1):.3g}"
    )
