"""The datasets of a point, with the exact probabilities and quantiles of each, whatever the noise."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from disclosure.beliefs import inclusion, inclusion_on_a_line, quantiles, regions
from disclosure.beliefs.inclusion import Bounds
from disclosure.beliefs.noises import Noise, noise_named
from disclosure.beliefs.quantiles import RatioQuantiles
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.study import datasets
from disclosure.workflow import sweeps
from disclosure.workflow.sweeps import Calibrated

__all__ = ["Datasets", "of_datasets"]


class Datasets(Protocol):
    """Some datasets of a point; answers have an entry for each."""

    def union_mass(self) -> FloatArray:
        """Mass of the union of the bad regions, T."""

    def failure_probability(self, bounds: Bounds = "prior", negligible: float = 0.0) -> FloatArray:
        """Probability that the posterior-to-prior ratio leaves its bounds (24) or (26).

        At most twice ``negligible``, which is for Gaussian noise, may be missing.
        """

    def ratio_quantiles(self, probability: float) -> RatioQuantiles:
        """Factors that the ratio stays below, or above, except with a probability."""


class _WithGaussianNoise(NamedTuple):
    """Also those without noise, for which all kinds of noise are the same."""

    gaps: FloatArray
    epsilon: float

    def union_mass(self) -> FloatArray:
        return regions.union_mass(self.gaps, self.epsilon).value

    def failure_probability(self, bounds: Bounds = "prior", negligible: float = 0.0) -> FloatArray:
        return inclusion.failure_probability(self.gaps, self.epsilon, bounds=bounds, negligible=negligible).value

    def ratio_quantiles(self, probability: float) -> RatioQuantiles:
        return quantiles.ratio_quantiles(self.gaps, probability)


class _WithOtherNoise(NamedTuple):
    target: FloatArray
    neighbours: FloatArray
    noise: Noise
    epsilon: float

    def union_mass(self) -> FloatArray:
        return inclusion_on_a_line.union_mass(*self)

    def failure_probability(self, bounds: Bounds = "prior", negligible: float = 0.0) -> FloatArray:
        return inclusion_on_a_line.failure_probability(*self, bounds)

    def ratio_quantiles(self, probability: float) -> RatioQuantiles:
        return inclusion_on_a_line.ratio_quantiles(*self[:3], probability)


def of_datasets(
    seed: int,
    calibrated: Calibrated,
    start: int,
    stop: int,
    replication: int | None = None,
    attributes: str = "uniform",
) -> Iterator[tuple[IntArray, Datasets]]:
    """Yield numbers and probabilities of datasets, as many at a time as are drawn at once.

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
        found: Datasets
        if mechanism != "gaussian" and sigma > 0:
            found = _WithOtherNoise(target, neighbours, noise_named(mechanism, sigma), point.epsilon)
        else:
            found = _WithGaussianNoise(regions.standardised_gaps(target, neighbours, sigma), point.epsilon)
        yield np.arange(first, last), found
