"""Incomes of a made-up population, for the question about sensitive values and for the check of its settings."""

from statistics import NormalDist

import numpy as np

from disclosure.numerics.types import FloatArray

__all__ = ["incomes"]


def incomes(people: int, median: float, spread: float, highest: float) -> FloatArray:
    """Incomes of a population: log-normal ones at equally likely places, cut off at the end of the stated range.

    Parameters
    ----------
    people : int
    median : float
    spread : float
        Standard deviation of the logarithm.
    highest : float

    Returns
    -------
    ndarray, shape (people,)
    """
    # The settings are checked while rules are read, which is before SciPy is there.
    normal = NormalDist()
    quantiles = np.array([normal.inv_cdf((place + 0.5) / people) for place in range(people)])
    return np.minimum(median * np.exp(spread * quantiles), highest)
