"""Points of a sweep: settings of paper A's four parameters (section 6)."""

import math
from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.numerics.types import Columns

__all__ = ["PARAMETERS", "Point", "check", "varied"]


class Point(NamedTuple):
    """One setting of a sweep.

    Attributes
    ----------
    population : float
        Number n of people from whom a dataset is drawn, a whole number, or inf for expected values alone.
    sample : int
        Number m of people in a dataset.
    epsilon, delta : float
        Parameters of probabilistic differential privacy.
    """

    population: float
    sample: int
    epsilon: float
    delta: float

    @property
    def drawn_neighbours(self) -> int:
        """Number n - m of the neighbours of a dataset, or raise `DomainError` for infinitely many, who are not drawn."""
        if math.isinf(self.population):
            raise errors.DomainError(
                "population = inf has infinitely many neighbours, who cannot be drawn; allowed: a whole number, or expected "
                "values alone"
            )
        return int(self.population) - self.sample


# Their names in this order: the columns of every table of points.
PARAMETERS = Point._fields


def check(point: Point) -> Point:
    """Return a point, or raise `DomainError` unless it is one with 1 <= m <= n, m finite, epsilon > 0 and 0 < delta <= 1."""
    if not isinstance(point, Point):
        raise errors.DomainError(f"point = {point!r} is no Point; give Point(population, sample, epsilon, delta)")
    checks.point(
        checks.count("sample", point.sample, 1) if point.population == math.inf else point.population, *point[1:]
    )
    return point


def varied(table: Columns) -> str | None:
    """Name of the first parameter that takes several values in a table of points; None if all are the same.

    Examples
    --------
    >>> table = {"population": np.array([9, 9]), "sample": np.array([3, 3])}
    >>> varied(table | {"epsilon": np.array([0.5, 1.0]), "delta": np.array([0.1, 0.1])})
    'epsilon'
    """
    return next((name for name in PARAMETERS if len(np.unique(table[name])) > 1), None)
