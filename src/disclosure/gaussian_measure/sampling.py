"""Directions that are sampled in three dimensions and more: how many, from which seed, and the error of a mean over them."""

from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks
from disclosure.numerics.types import FloatArray

__all__ = ["DEFAULT", "Sampling", "mean_and_error", "uniform_numbers", "unit"]

# Independent scramblings of the points. The spread of their 16 means is the estimate of the error, itself good to a fifth.
_SCRAMBLINGS = 16
# The stated error is so many standard errors: it is exceeded about once in twenty times.
_STANDARD_ERRORS = 2.0
# Every scrambling has two points at least.
_FEWEST_LINES = 2 * _SCRAMBLINGS
# More lines need more memory than time is worth waiting for: 2^24 of three coordinates are 400 MB.
_MOST_LINES = 1 << 24
# The ends of the uniform numbers lie outside (0, 1), where normal quantiles are finite; these are the nearest inside.
_LEAST_UNIFORM, _LARGEST_UNIFORM = 2.0**-54, 1 - 2.0**-53


class Sampling(NamedTuple):
    """How directions are sampled; one and two dimensions need none of it."""

    lines: int = 1 << 12  # over which a mean is taken, through the origin or a point inside a set
    seed: int = 0  # of the scramblings

    @classmethod
    def checked(cls, lines: int, seed: int) -> "Sampling":
        """The same after a check: from 32 to 2^24 lines, and a seed of at least 0."""
        return cls(checks.count("lines", lines, _FEWEST_LINES, _MOST_LINES), checks.count("seed", seed, 0))


DEFAULT = Sampling()


def uniform_numbers(sampling: Sampling, dimension: int) -> FloatArray:
    """Scrambled Sobol points inside (0, 1).

    Returns
    -------
    ndarray, shape (scramblings, points, dimension)
        The number of points is a power of two, the smallest with which there are as many as lines wanted.
    """
    from scipy.stats import qmc  # slow to import, and needed in three dimensions and more only

    exponent = max(0, int(np.ceil(np.log2(sampling.lines / _SCRAMBLINGS))))
    generators = np.random.default_rng(sampling.seed).spawn(_SCRAMBLINGS)
    points = [qmc.Sobol(dimension, rng=generator).random_base2(exponent) for generator in generators]
    return np.clip(np.array(points), _LEAST_UNIFORM, _LARGEST_UNIFORM)


def mean_and_error(values: FloatArray) -> tuple[float, float]:
    """Mean, and an estimate of its error, of values of shape (scramblings, points)."""
    scale = np.abs(values).max()
    if scale == 0:
        return 0.0, 0.0
    # In units of the largest value: squares of rare probabilities underflow.
    means = (values / scale).mean(axis=1)
    spread = means.std(ddof=1)
    # A value that has been met once, or never, does not show in the spread.
    error = _STANDARD_ERRORS * spread / np.sqrt(len(means)) + 1 / values.size
    return float(scale * means.mean()), float(scale * error)


def unit(vectors: FloatArray) -> FloatArray:
    """Vectors of shape (..., q) divided by their lengths."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
