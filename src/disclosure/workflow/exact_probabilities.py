"""Union mass T and exact failure probability of the datasets of a point."""

from collections.abc import Iterator

import numpy as np

from disclosure.beliefs import inclusion, regions
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study import datasets
from disclosure.study.points import Point
from disclosure.workflow import sweeps

__all__ = ["of_datasets"]


def of_datasets(
    seed: int, point: Point, sigma: float, start: int, stop: int, replication: int | None = None
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yield numbers, union masses and failure probabilities of datasets, as many at a time as are drawn at once.

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
        gaps = regions.standardised_gaps(target, neighbours, sigma)
        yield (
            np.arange(first, last),
            regions.union_mass(gaps, point.epsilon).value,
            inclusion.failure_probability(gaps, point.epsilon).value,
        )
