"""The datasets of a point as the standardised gaps that every exact probability follows from."""

from collections.abc import Iterator

import numpy as np

from disclosure.beliefs import regions
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study import datasets
from disclosure.study.points import Point
from disclosure.workflow import sweeps

__all__ = ["gaps_of_datasets"]


def gaps_of_datasets(
    seed: int, point: Point, sigma: float, start: int, stop: int, replication: int | None = None
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield numbers and standardised gaps of datasets, as many at a time as are drawn at once.

    Parameters
    ----------
    seed : int
        Root seed.
    point : Point
    sigma : float
        Noise of the release.
    start, stop : int
        The datasets ``start, ..., stop - 1``.
    replication : int, optional
        Of an independent replication of the study.
    """
    for first, last in sweeps.chunks(point, start, stop):
        target, neighbours = datasets.draw(seed, point, first, last, replication)
        yield np.arange(first, last), regions.standardised_gaps(target, neighbours, sigma)
