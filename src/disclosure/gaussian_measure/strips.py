"""The strips in which log density ratios stay within a bound, in two dimensions and more.

For a gap c of length d the set {|<z, c> + d^2 / 2| <= epsilon} is the strip

    -epsilon / d - d / 2 <= <z, c / d> <= epsilon / d - d / 2.
"""

from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure.terms import NO_GAP
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["Strips", "strips"]


class Strips(NamedTuple):
    """The strips lower <= <z, normal> <= upper of k datasets.

    Attributes
    ----------
    normals : ndarray, shape (k, p, q)
        Unit vectors; zeros for the strip of a gap 0, which holds everything.
    lower, upper : ndarray, shape (k, p)
        In standard deviations of the noise.
    """

    normals: FloatArray
    lower: FloatArray
    upper: FloatArray


def strips(gaps: FloatArray, epsilon: float) -> tuple[BoolArray, Strips]:
    """The strips of all datasets without an infinite gap; the strip of an infinite gap is empty.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, q)
        Standardised.
    epsilon : float
        Above 0.

    Returns
    -------
    finite : ndarray of bool, shape (k,)
        Which datasets have no infinite gap.
    Strips
        Of those.
    """
    distance = np.linalg.norm(gaps, axis=-1)
    finite = ~np.isinf(distance).any(axis=1)
    gaps, distance = gaps[finite], distance[finite]
    zero = distance < NO_GAP
    with np.errstate(divide="ignore", invalid="ignore"):
        normals = np.where(zero[..., None], 0.0, gaps / distance[..., None])
        half_width = np.where(zero, np.inf, epsilon / distance)
    return finite, Strips(normals, -half_width - distance / 2, half_width - distance / 2)
