"""Union mass T and exact failure probability of the datasets of a point."""

from collections.abc import Iterator

import numpy as np

from disclosure.beliefs import inclusion, inclusion_on_a_line, regions
from disclosure.beliefs.noises import noise_named
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study import datasets
from disclosure.workflow import sweeps
from disclosure.workflow.sweeps import Calibrated

__all__ = ["of_datasets"]


def of_datasets(
    seed: int,
    calibrated: Calibrated,
    start: int,
    stop: int,
    replication: int | None = None,
    attributes: str = "uniform",
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yield numbers, union masses and failure probabilities of datasets, as many at a time as are drawn at once.

    Parameters
    ----------
    seed : int
        Root seed.
    calibrated : Calibrated
        Point, and noise of the release.
    start, stop : int
        The datasets ``start, ..., stop - 1``.
    replication : int, optional
        Of an independent replication of the study.
    attributes : {"uniform", "binary"}, optional
        Law of the people's attributes.
    """
    point, sigma, mechanism = calibrated
    for first, last in sweeps.chunks(point, start, stop):
        target, neighbours = datasets.draw(seed, point, first, last, replication, attributes)
        numbers = np.arange(first, last)
        if mechanism != "gaussian" and sigma > 0:
            case = target, neighbours, noise_named(mechanism, sigma), point.epsilon
            yield numbers, inclusion_on_a_line.union_mass(*case), inclusion_on_a_line.failure_probability(*case)
            continue
        # Without noise all mechanisms are the same.
        gaps = regions.standardised_gaps(target, neighbours, sigma)
        yield (
            numbers,
            regions.union_mass(gaps, point.epsilon).value,
            inclusion.failure_probability(gaps, point.epsilon).value,
        )
