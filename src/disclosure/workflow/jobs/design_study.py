"""Cheapest numbers of datasets and releases for a wanted error, and the error that the published ones have."""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from disclosure.study import design
from disclosure.workflow import tables
from disclosure.workflow.claims import scale
from disclosure.workflow.options import add_output, number


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("summaries", nargs="+", help="summary of every sweep")
    parser.add_argument("--relative-error", type=number, required=True, help="wanted standard error of F over F")
    parser.add_argument("--seconds-per-dataset", type=number, required=True)
    parser.add_argument("--seconds-per-release", type=number, required=True)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        rows = [row for path in arguments.summaries for row in _rows(tables.read(path, tables.SUMMARY), arguments)]
        tables.write(file, tables.DESIGN, {name: [row[name] for row in rows] for name in tables.DESIGN})


def _rows(summary: tables.Table, arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row for each point at which the failure probability varies between datasets."""
    costs = arguments.seconds_per_dataset, arguments.seconds_per_release
    for place in np.flatnonzero((summary["var_between"] > 0) & (summary["failure_probability_mean"] > 0)):
        row = {name: values[place] for name, values in summary.items()}
        between, within, mean = row["var_between"], row["var_within"], row["failure_probability_mean"]
        published = between / scale.DATASETS + within / (scale.DATASETS * scale.RELEASES)
        best = design.cheapest_allocation(between, within, mean, arguments.relative_error, *costs)
        exact = int(np.ceil(between / (arguments.relative_error * mean) ** 2))
        yield {
            **row,
            "published_relative_error": np.sqrt(published) / mean,
            "published_seconds": scale.DATASETS * (costs[0] + scale.RELEASES * costs[1]),
            "datasets": best.datasets,
            "releases": best.releases,
            "seconds": best.cost,
            "exact_datasets": exact,
            "exact_seconds": exact * costs[0],
        }
