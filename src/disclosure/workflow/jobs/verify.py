"""Literal releases against exact probabilities, point by point."""

import argparse
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, pdtr, pdtrc

from disclosure.numerics import checks
from disclosure.numerics.errors import DomainError
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.workflow import tables
from disclosure.workflow.options import add_output, whole

# The bounds whose failures are compared, and how their columns end.
_BOUNDS = {"(24)": "", "(26)": "_prior_free"}
# Variance of a count from which on the count is treated as normal: its skewness is then at most 0.1.
_MANY = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    # Once for each sweep, in the same order.
    for name, files, words in (
        ("--calibration", None, "calibration.csv of a sweep; once for each sweep"),
        ("--upper-limit", "+", "all shards of upper_limit of the same sweep"),
        ("--simulate", "+", "all shards of literal releases of the same sweep"),
    ):
        parser.add_argument(name, nargs=files, action="append", default=[], metavar="FILE", help=words)
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="datasets per point")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        checks.count("datasets", arguments.datasets, 1)
        given = arguments.calibration, arguments.upper_limit, arguments.simulate
        if not arguments.calibration or len(set(map(len, given))) > 1:
            numbers = ", ".join(map(str, map(len, given)))
            raise DomainError(
                f"calibration, upper-limit and simulate stand {numbers} times; allowed: each once for every sweep"
            )
        parts = []
        for path, upper_limit, simulate in zip(*given, strict=True):
            calibration = tables.read(path, tables.CALIBRATION)
            points = len(calibration["point"])
            shape = arguments.datasets, points
            exact = tables.Shards(upper_limit, tables.UPPER_LIMIT, *shape)
            drawn = tables.Shards(simulate, tables.SIMULATION, *shape)
            part = {**calibration, "datasets": np.full(points, arguments.datasets)}
            part["releases"] = np.array([releases.max() for releases in drawn["releases"]])
            for suffix in _BOUNDS.values():
                found = _compare(exact[f"failure_probability{suffix}"], drawn[f"failures{suffix}"], drawn["releases"])
                part |= {f"{name}{suffix}": values for name, values in found.items()}
            parts.append({name: part[name] for name in tables.VERIFICATION})
        table = {name: np.concatenate([part[name] for part in parts]) for name in tables.VERIFICATION}
        tables.write(file, tables.VERIFICATION, table)
        _report(table)


def _compare(
    probabilities: Iterable[FloatArray], counts: Iterable[IntArray], releases: Iterable[IntArray]
) -> dict[str, NDArray[Any]]:
    """The columns of a comparison, from the probabilities, counts and releases of the datasets of each point."""
    sums = [
        (failures.sum(), (number * probability).sum(), (number * probability * (1 - probability)).sum())
        for probability, failures, number in zip(probabilities, counts, releases, strict=True)
    ]
    failures, expected, variance = (np.array(column) for column in zip(*sums, strict=True))
    return {
        "failures": failures,
        "expected": expected,
        "standard_error": np.sqrt(variance),
        "p_value": _p_value(failures, expected, variance),
    }


def _p_value(failures: IntArray, expected: FloatArray, variance: FloatArray) -> FloatArray:
    """Two-sided p-value of a count of independent failures with different probabilities, given the datasets.

    Normal where the variance is large, with a correction for continuity. Small counts are of rare failures, and Poisson.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        normal = 2 * ndtr(-np.maximum(np.abs(failures - expected) - 0.5, 0) / np.sqrt(variance))
    tail = np.where(failures <= expected, pdtr(failures, expected), pdtrc(failures - 1, expected))
    certain = np.where(failures == np.rint(expected), 1.0, 0.0)
    return np.where(variance > _MANY, normal, np.where(variance > 0, np.minimum(2 * tail, 1.0), certain))


def _report(table: tables.Table) -> None:
    for bounds, suffix in _BOUNDS.items():
        p_values = table[f"p_value{suffix}"]
        print(
            f"bounds {bounds}, {len(p_values)} points: {int(table[f'failures{suffix}'].sum())} literal failures, "
            f"{table[f'expected{suffix}'].sum():.1f} expected; smallest p-value {p_values.min():.3g}, "
            f"of {len(p_values)} true hypotheses expected {1 / (len(p_values) + 1):.3g}"
        )
