"""A computed number and how far off it may be."""

from typing import NamedTuple

import numpy as np

__all__ = ["Estimate"]


class Estimate(NamedTuple):
    """A value and an estimate of its absolute error, meant to be too large rather than too small.

    Both are floats, or arrays of the same shape.
    """

    value: np.ndarray
    error: np.ndarray
