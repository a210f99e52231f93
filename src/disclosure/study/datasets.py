"""Seeded draws of datasets: the outer loop of paper A's Procedure.

The adversary knows everybody in the dataset but one, so of the population's n attributes only n - m + 1 matter: the
target's, and those of the n - m people who are not in the dataset and could stand in the target's place. The others
cancel from the ratio (32), and are not drawn.

The records of a dataset form a set. "The vector of attribute values" is taken here with the replacing record in the
place of the replaced one; with the records in the order of their index one replacement could shift every coordinate,
and the sensitivity would not be 1.
"""

from typing import NamedTuple

from disclosure.numerics import checks
from disclosure.study import streams

__all__ = ["Point", "check", "draw"]


class Point(NamedTuple):
    """One setting of a sweep: population n, sample size m, epsilon and delta."""

    population: int
    sample: int
    epsilon: float
    delta: float


def check(point):
    """Raise `DomainError` unless 1 <= m <= n, epsilon > 0 and 0 < delta <= 1."""
    checks.point(*point)
    return point


def draw(seed, point, start, stop, replication=None):
    """Attributes of the target and of its neighbours, uniform on [0, 1], for a range of a point's datasets.

    Parameters
    ----------
    seed : int
        Root seed.
    point : Point
    start, stop : int
        The datasets ``start, ..., stop - 1``. The same dataset has the same attributes in every range.
    replication : int, optional
        Draw for an independent replication of the study.

    Returns
    -------
    target : ndarray, shape (stop - start, 1)
    neighbours : ndarray, shape (stop - start, n - m, 1)
    """
    check(point)
    candidates = point.population - point.sample + 1
    generator = streams.attributes(seed, point, skip=start * candidates, replication=replication)
    values = generator.random((stop - start, candidates))
    return values[:, :1], values[:, 1:, None]
