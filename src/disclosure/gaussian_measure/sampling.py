"""How exactly masses are computed: directions that are sampled in three dimensions and more, and the error of their mean."""

from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks
from disclosure.numerics.types import FloatArray

__all__ = ["DEFAULT", "Sampling", "mean_and_error", "uniform_numbers", "unit"]

# Independent scramblings of the Sobol points. The spread of their means gives the standard error; with 16 of them that has
# itself a relative error of about a fifth.
_SCRAMBLINGS = 16
# Standard errors in the stated error, which the true one then exceeds about once in twenty times.
_STANDARD_ERRORS = 2.0
# Lines, so that every scrambling has two of them at least.
_FEWEST_LINES = 2 * _SCRAMBLINGS
# Lines at most, so that memory stays bounded: 2^24 points of three coordinates take 400 MB.
_MOST_LINES = 1 << 24
# A Sobol coordinate may be 0, or be rounded to 1, where normal quantiles are infinite. These are about the nearest floats
# inside.
_LEAST_UNIFORM, _LARGEST_UNIFORM = 2.0**-54, 1 - 2.0**-53


class Sampling(NamedTuple):
    """How directions are sampled in three dimensions and more, and what may be left out in one.

    Attributes
    ----------
    lines : int
        Lines, through the origin or a point inside a set, over which a mean is taken.
    seed : int
        Of the scramblings.
    negligible : float
        In one dimension, a normal tail that may be left out on either side; what is left out is part of the stated error.
    """

    lines: int = 1 << 12
    seed: int = 0
    negligible: float = 0.0

    @classmethod
    def checked(cls, lines: int, seed: int, negligible: float = 0.0) -> "Sampling":
        """The same after a check: from 32 to 2^24 lines, a seed of at least 0, and a negligible tail in [0, 0.5)."""
        return cls(
            checks.count("lines", lines, _FEWEST_LINES, _MOST_LINES),
            checks.count("seed", seed, 0),
            checks.number("negligible", negligible, "[0, 0.5)"),
        )


DEFAULT = Sampling()


def uniform_numbers(sampling: Sampling, dimension: int) -> FloatArray:
    """Scrambled Sobol points, with coordinates inside (0, 1).

    Parameters
    ----------
    sampling : Sampling
    dimension : int
        Coordinates of a point.

    Returns
    -------
    ndarray, shape (scramblings, points, dimension)
        The number of points in a scrambling is the smallest power of two with which there are at least ``sampling.lines`` in
        all.
    """
    from scipy.stats import qmc  # slow to import, and needed in three dimensions and more only

    exponent = max(0, int(np.ceil(np.log2(sampling.lines / _SCRAMBLINGS))))
    generators = np.random.default_rng(sampling.seed).spawn(_SCRAMBLINGS)
    points = [qmc.Sobol(dimension, rng=generator).random_base2(exponent) for generator in generators]
    return np.clip(np.array(points), _LEAST_UNIFORM, _LARGEST_UNIFORM)


def mean_and_error(values: FloatArray) -> tuple[float, float]:
    """Mean of values of shape (scramblings, points), and an estimate of its absolute error.

    The error is two standard errors over the scramblings, plus the largest value over the number of values.
    """
    scale = np.abs(values).max()
    if scale == 0:
        return 0.0, 0.0
    # In units of the largest value, since squares of small probabilities would underflow.
    means = (values / scale).mean(axis=1)
    spread = means.std(ddof=1)
    # A large value that few lines meet may not show in the spread; as if one more line had met the largest.
    error = _STANDARD_ERRORS * spread / np.sqrt(len(means)) + 1 / values.size
    return float(scale * means.mean()), float(scale * error)


def unit(vectors: FloatArray) -> FloatArray:
    """Vectors of shape (..., q) divided by their lengths."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
