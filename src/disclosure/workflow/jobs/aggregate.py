"""Summary of a sweep, a row for each point."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray
from disclosure.people.summary import Setting, columns, summarise
from disclosure.study import statistics
from disclosure.workflow import tables
from disclosure.workflow.options import add_output, whole


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("calibration", help="calibration.csv of the sweep")
    parser.add_argument("--datasets", type=whole, required=True, metavar="N", help="datasets per point")
    parser.add_argument(
        "--upper-limit", nargs="*", default=[], metavar="FILE", help="all shards of upper_limit, if any"
    )
    parser.add_argument("--simulate", nargs="*", default=[], metavar="FILE", help="all shards of simulate, if any")
    parser.add_argument("--expected", nargs="*", default=[], metavar="FILE", help="all shards of expect, if any")
    parser.add_argument(
        "--exposure", nargs="*", default=[], metavar="FILE", help="all shards of expose, for a table of people"
    )
    parser.add_argument("--targets", type=whole, metavar="N", help="people who were looked at, for a table of people")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        checks.count("datasets", arguments.datasets, 0)
        calibration = tables.read(arguments.calibration, tables.CALIBRATION)
        if arguments.exposure:
            tables.write(file, tables.PEOPLE_SUMMARY, _exposed(calibration, arguments))
            return
        points, datasets = len(calibration["point"]), arguments.datasets
        sampled = bool(arguments.upper_limit or arguments.simulate)
        summary = {**calibration, "datasets": np.full(points, datasets if sampled else 0)}
        summary |= _simulated(arguments.simulate, datasets, points)
        summary |= _exact(arguments.upper_limit, datasets, points)
        summary |= _expected(arguments.expected, points)
        tables.write(file, tables.SUMMARY, {name: summary[name] for name in tables.SUMMARY})


def _exposed(calibration: tables.Table, arguments: argparse.Namespace) -> dict[str, list[Any]]:
    if arguments.targets is None:
        raise errors.DomainError("targets is missing; --exposure needs the number of people who were looked at")
    checks.count("targets", arguments.targets, 1)
    shards = [tables.read(path, tables.EXPOSURE) for path in arguments.exposure]
    exposed = {name: np.concatenate([shard[name] for shard in shards]) for name in tables.EXPOSURE}
    names, rows = [], []
    for sweep, *setting in zip(*(calibration[name].tolist() for name in ("sweep", *Setting._fields)), strict=True):
        point = Setting(*setting)
        chosen = exposed["point"] == point.point
        for probability in dict.fromkeys(exposed["probability"].tolist()):
            asked = chosen & (exposed["probability"] == probability)
            part = {name: column[asked] for name, column in exposed.items()}
            number, everybody = len(part["person"]), part["people"].sum() == exposed["rows"][0]
            if len(set(part["person"].tolist())) < number or not (everybody or number == arguments.targets):
                raise tables.TableError(
                    f"{arguments.exposure[0]} and its siblings hold {number} rows of point {point.point} and probability "
                    f"{probability:g}; expected each of {arguments.targets} people once"
                )
            names.append(sweep)
            rows.append(summarise(point, part))
    return {"sweep": names, **columns(rows)}


def _simulated(paths: Sequence[str], datasets: int, points: int) -> dict[str, Any]:
    names = ("failure_share_mean", "failure_share_se", "failure_share_sd_published")
    prior_free = ("failure_share_prior_free_mean", "failure_share_prior_free_se")
    if not paths:
        return {"releases": np.zeros(points, dtype=int), **_missing((*names, *prior_free), points)}
    shards = tables.Shards(paths, tables.SIMULATION, datasets, points)
    releases = np.array([of_point.max() for of_point in shards["releases"]])
    rates, free = (
        [statistics.failure_rate(f, r) for f, r in zip(shards[failures], releases, strict=True)]
        for failures in ("failures", "failures_prior_free")
    )
    printed = [
        statistics.published_standard_deviation(rate.value, datasets, r)
        for rate, r in zip(rates, releases, strict=True)
    ]
    found = (*zip(*rates, strict=True), printed, *zip(*free, strict=True))
    return {"releases": releases, **dict(zip((*names, *prior_free), found, strict=True))}


def _exact(paths: Sequence[str], datasets: int, points: int) -> dict[str, Any]:
    quantities = ("union_mass", "failure_probability", "failure_probability_prior_free")
    means = [f"{quantity}_{part}" for quantity in quantities for part in ("mean", "se")]
    parts = ("var_between", "var_within")
    quantiles: dict[str, tuple[str, Callable[[FloatArray], float]]] = {
        "ratio_probability": ("ratio_probability", np.max),
        "ratio_lower_quantile_mean": ("ratio_lower_quantile", np.mean),
        "ratio_lower_quantile_smallest": ("ratio_lower_quantile", np.min),
        "ratio_upper_quantile_mean": ("ratio_upper_quantile", np.mean),
        "ratio_upper_quantile_largest": ("ratio_upper_quantile", np.max),
    }
    if not paths:
        return _missing((*means, *parts, *quantiles), points)
    exact = tables.Shards(paths, tables.UPPER_LIMIT, datasets, points)
    found = [
        *(column for name in quantities for column in zip(*map(statistics.mean, exact[name]), strict=True)),
        *zip(*map(statistics.exact_variance_components, exact["failure_probability"]), strict=True),
        *([over_datasets(of_point) for of_point in exact[column]] for column, over_datasets in quantiles.values()),
    ]
    return dict(zip((*means, *parts, *quantiles), found, strict=True))


def _expected(paths: Sequence[str], points: int) -> tables.Table:
    names = [name for name in tables.EXPECTED if name != "point"]
    if not paths:
        return _missing(names, points)
    shards = [tables.read(path, tables.EXPECTED) for path in paths]
    table = {name: np.concatenate([shard[name] for shard in shards]) for name in tables.EXPECTED}
    order = np.argsort(table["point"])
    if not np.array_equal(table["point"][order], np.arange(points)):
        raise tables.TableError(
            f"{paths[0]} and its {len(paths) - 1} siblings hold {order.size} rows; expected each of {points} points once"
        )
    return {name: table[name][order] for name in names}


def _missing(names: Iterable[str], points: int) -> tables.Table:
    """Empty columns of quantities that a sweep does not have."""
    return {name: np.full(points, np.nan) for name in names}
