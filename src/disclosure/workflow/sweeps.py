"""From a sweep's entry in the configuration to its points, and from numbers of datasets to shards."""

import math
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from disclosure.mechanisms import conversions
from disclosure.numerics import checks
from disclosure.numerics.checks import count
from disclosure.numerics.errors import DomainError
from disclosure.study.points import PARAMETERS, Point, check
from disclosure.workflow import tables

__all__ = [
    "DEFINITIONS",
    "GROUPS",
    "INFINITE",
    "MOST_POINTS",
    "Calibrated",
    "calibrated_point",
    "calibrated_points",
    "chunks",
    "distinct",
    "guarantee",
    "parameter_values",
    "points",
    "shard_range",
    "shards",
    "sweep_points",
]

# Keys of the configuration that hold sweeps: those of the papers, those past the papers' limits, those over tables of people.
GROUPS = ("sweeps", "beyond", "tables")
# What epsilon and delta of a sweep may be about: paper A's definition, or approximate privacy by its Corollary 2.
DEFINITIONS = ("probabilistic", "approximate")
# Points of a range, at most. Each is a row of the calibration, which takes some milliseconds.
MOST_POINTS = 10_000
# How the configuration writes an infinite population: a text, since JSON has no infinite number.
INFINITE = "inf"
# What the configuration may say for one parameter: one value, several, or a range by its ends.
Values: TypeAlias = float | str | list[float] | dict[str, Any]
# Largest count, as of people. It is far beyond what can be computed, and below 2^53, so that floats hold all counts exactly.
LARGEST = 10**15
# Attributes of targets and neighbours that are drawn at once, 8 bytes each: 2 MB. A job holds about ten arrays of this size.
_DRAWN_AT_ONCE = 1 << 18
# Parameters that are whole numbers.
_WHOLE = ("population", "sample")


def points(population: Values, sample: Values, epsilon: Values, delta: Values) -> list[Point]:
    """Points of a sweep; parameters that take several values take equally many and vary together.

    Parameters
    ----------
    population, sample, epsilon, delta : number, list of numbers, or dict with ``start``, ``stop`` and ``points``
        A range has equidistant values, or equal ratios with ``spacing: log``; those of population and sample are rounded to
        whole numbers.

    Returns
    -------
    list of Point

    Examples
    --------
    >>> [point.sample for point in points(100, {"start": 10, "stop": 99, "points": 4}, 1.0, 0.1)]
    [10, 40, 69, 99]
    """
    values = {
        name: parameter_values(name, value)
        for name, value in zip(PARAMETERS, (population, sample, epsilon, delta), strict=True)
    }
    several = {name: len(list_) for name, list_ in values.items() if len(list_) > 1}
    if len(set(several.values())) > 1:
        numbers = " and ".join(f"{name} {number} values" for name, number in several.items())
        raise DomainError(f"{numbers}: parameters that vary together take equally many")
    length = max(map(len, values.values()))
    found = [
        check(Point(*row)) for row in zip(*(list_ * (length // len(list_)) for list_ in values.values()), strict=True)
    ]
    seen = set()
    for point in found:
        if point in seen:
            raise DomainError(f"the point {tuple(point)} stands twice in a sweep; points must be all different")
        seen.add(point)
    return found


def sweep_points(entry: Mapping[str, Any]) -> list[Point]:
    """Points of a sweep's entry in the configuration."""
    return points(*(entry[name] for name in PARAMETERS))


def parameter_values(name: str, value: Values) -> list[float]:
    """Values of one parameter of the configuration: one, several, or a range."""
    if isinstance(value, dict):
        value = _range(name, **value)
    values = [_number(name, item) for item in (value if isinstance(value, list) else [value])]
    if not values:
        raise DomainError(f"{name} takes no value; it needs at least one")
    return values


def distinct(name: str, values: list[float]) -> None:
    """Raise `DomainError` if a value of a setting stands there twice."""
    if twice := next((value for value in values if values.count(value) > 1), None):
        raise DomainError(f"{name} = {twice:g} stands twice; state every value once")


def _range(
    name: str,
    start: object = None,
    stop: object = None,
    points: Any = None,
    spacing: object = "linear",
    **unknown: object,
) -> list[float]:
    if unknown or None in (start, stop, points):
        raise DomainError(f"{name} is no range; a range has start, stop and points, and spacing if it is log")
    if spacing not in ("linear", "log"):
        raise DomainError(f"{name}.spacing = {spacing!r} is neither linear nor log")
    start, stop = _number(name, start), _number(name, stop)
    if not (math.isfinite(start) and math.isfinite(stop)):
        raise DomainError(f"{name} runs from {start} to {stop}; a range has finite ends")
    if start > stop:
        raise DomainError(f"{name}.start = {start} is larger than {name}.stop = {stop}")
    if spacing == "log" and start <= 0:
        raise DomainError(f"{name}.start = {start} has no logarithm; a log range starts above 0")
    if count(f"{name}.points", points, 2) > MOST_POINTS:
        raise DomainError(f"{name}.points = {points} is more than {MOST_POINTS}")
    values = (np.geomspace if spacing == "log" else np.linspace)(start, stop, int(points))
    found: list[float] = (np.rint(values) if name in _WHOLE else values).tolist()
    if name in _WHOLE and len(set(found)) < len(found):
        raise DomainError(
            f"{name}.points = {points} from {start} to {stop} has the same whole number twice; take fewer points"
        )
    return found


def _number(name: str, value: object) -> int | float:
    if name == "population" and value in (INFINITE, math.inf):
        return math.inf
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DomainError(f"{name} = {value!r} is not a number")
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        raise DomainError(f"{name} has {value.bit_length()} bits; no float is as large")
    if name not in _WHOLE:
        return float(value)
    if value > LARGEST:
        raise DomainError(
            f"{name} = {value!r} is more than {LARGEST}, the most people that a table of results can hold"
        )
    return count(name, value, 1)


def guarantee(point: Point, definition: str, delta_prime: float | None) -> tuple[float, float]:
    """The probabilistic privacy that follows from a point's approximate one (paper A, Corollary 1).

    Parameters
    ----------
    point : Point
    definition : {"probabilistic", "approximate"}
        What its epsilon and delta are about.
    delta_prime : float or None
        Of the probabilistic privacy, in (delta, 1), for an approximate one only.

    Returns
    -------
    epsilon_prime, delta_prime : float
        NaN for a point of probabilistic privacy.

    Raises
    ------
    DomainError
        Outside these ranges.
    """
    if definition == "probabilistic":
        if delta_prime is not None:
            raise DomainError(
                f"delta_prime = {delta_prime!r} is for definition = 'approximate'; with 'probabilistic' leave it out"
            )
        return math.nan, math.nan
    if delta_prime is None:
        raise DomainError("delta_prime is missing; definition = 'approximate' needs one, above delta and below 1")
    checks.number(
        "delta_prime", delta_prime, f"({point.delta!r}, 1)", "Corollary 2 of paper A asks for more than delta"
    )
    return conversions.approximate_to_probabilistic(point.epsilon, point.delta, delta_prime=delta_prime)


class Calibrated(NamedTuple):
    """A point and its noise."""

    point: Point
    sigma: float
    """Scale of the noise; the standard deviation of Gaussian noise."""
    mechanism: str


def calibrated_points(path: str | os.PathLike[str]) -> list[Calibrated]:
    """Points and their noise from a sweep's calibration file.

    Epsilon and delta are those that the bounds of the ratio are stated with: of approximate privacy what follows from it.
    """
    table = tables.read(path, tables.CALIBRATION)
    for name in ("epsilon", "delta"):
        follows = table[f"{name}_prime"]
        table[name] = np.where(np.isnan(follows), table[name], follows)
    columns = [table[name].tolist() for name in (*PARAMETERS, "sigma", "mechanism")]
    found = [
        Calibrated(Point(people if math.isinf(people) else int(people), *row), sigma, mechanism)
        for people, *row, sigma, mechanism in zip(*columns, strict=True)
    ]
    for calibrated in found:
        check(calibrated.point)
    return found


def calibrated_point(path: str | os.PathLike[str], number: int) -> Calibrated:
    """The point of this number and its noise."""
    points = calibrated_points(path)
    if not 0 <= number < len(points):
        raise DomainError(f"point = {number} is none of the sweep's points 0 to {len(points) - 1}")
    return points[number]


def chunks(point: Point, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Ranges of a point's datasets ``start, ..., stop - 1``, each drawn at once: memory does not grow with their number."""
    step = max(1, _DRAWN_AT_ONCE // (point.drawn_neighbours + 1))
    for first in range(start, stop, step):
        yield first, min(stop, first + step)


def shards(total: int, per_job: int) -> int:
    """Into how many shards ``total`` units of work fall at ``per_job`` of them."""
    return -(-total // max(1, int(per_job)))


def shard_range(shard: int, total: int, per_job: int) -> tuple[int, int]:
    """First unit of a shard, and the one after its last."""
    per_job = max(1, int(per_job))
    return shard * per_job, min(total, (shard + 1) * per_job)
