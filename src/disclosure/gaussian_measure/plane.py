"""Two dimensions: masses under the standard normal distribution of the plane, by deterministic rules.

The good regions |L_j| <= epsilon are strips, and their intersection is a convex polygon (`polygons`). The mass that lies behind
an edge, as seen from the origin, is a difference of two values of Owen's T function; the mass outside the polygon is the sum of
these over its edges.

The masses of the two sets of `level_sets` are means over the angles of lines. What is averaged is smooth and periodic, so a
rule with equidistant angles converges faster than any power of their number.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure import equal_terms, interior, level_sets, many_strips, polygons, terms
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.gaussian_measure.strips import strips
from disclosure.gaussian_measure.terms import Terms
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Angles", "mass_outside_levels", "mass_outside_strips"]

# Floats of one block of work, so that memory stays bounded.
_BLOCK = 1 << 16
# Floats that one strip takes in a block: two ends, two coordinates of its normal, and its scalar products with four vertices.
_FLOATS_OF_A_STRIP = 8
# Relative error of a mass outside strips, and of one outside levels, that rounding may leave.
_ROUNDING_OF_STRIPS, _ROUNDING_OF_LEVELS = 1e-10, 1e-11
# Number of strips from which on time linear in it is less than the product of strips and edges.
_MANY_STRIPS = 1_000
# Number of terms from which on a mixture is condensed, since that then saves time; and the relative error that it may leave in
# a mass.
_MANY, _CONDENSING = 5_000, 1e-9
# A doubling of the angles changes a mean by a step. The next step over this one is taken to be at most this many times as large
# as this one over the one before.
_CAUTION = 10.0
# The first number of angles is no more than this share of the largest, so that it is doubled twice and its error can be told.
_FIRST_SHARE = 1 / 4

# From row numbers, shape (n,), and unit vectors, shape (m, 2), to values of shape (n, m).
_Function = Callable[[IntArray, FloatArray], FloatArray]


class Angles(NamedTuple):
    """How many equidistant angles of lines in [0, pi) a periodic rule takes.

    Attributes
    ----------
    first : int
        Lines that the rule starts with for the smoothest functions.
    most : int
        Lines at most. Each has two rays, so these are twice as many directions.
    rtol : float
        Relative error at which the number of lines is no longer doubled.
    """

    first: int = 16
    most: int = 1 << 13
    rtol: float = 1e-9


_ANGLES = Angles()


def mass_outside_strips(
    gaps: FloatArray, epsilon: float, sampling: Sampling = DEFAULT, many: int = _MANY_STRIPS
) -> Estimate[FloatArray]:
    """Mass outside the intersection of the strips {|<z, c> + |c|^2 / 2| <= epsilon}: the union mass of each dataset.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, 2)
        Standardised. If a dataset has an infinite gap, its mass is 1.
    epsilon : float
        Above 0.
    sampling : Sampling, optional
        Not used: nothing is sampled.
    many : int, optional
        Number of neighbours from which on `many_strips` takes over, unless the origin lies outside a strip.

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    finite, (normals, lower, upper) = strips(gaps, epsilon)
    found, left_out = np.empty(len(normals)), np.zeros(len(normals))
    step = max(1, _BLOCK // (_FLOATS_OF_A_STRIP * max(1, normals.shape[1])))
    for start in range(0, len(normals), step):
        rows = slice(start, start + step)
        if normals.shape[1] >= many and (upper[rows] > 0).all():
            for row in range(start, min(start + step, len(normals))):
                found[row], left_out[row] = many_strips.mass_outside(normals[row], lower[row], upper[row])
        else:
            found[rows] = polygons.mass_outside(normals[rows], lower[rows], upper[rows])
    value, error = np.ones(len(gaps)), np.zeros(len(gaps))
    value[finite], error[finite] = found, left_out
    return Estimate(value, _ROUNDING_OF_STRIPS * value + error)


def mass_outside_levels(
    gaps: FloatArray,
    weights: FloatArray,
    low: float,
    high: float,
    sampling: Sampling = DEFAULT,
    angles: Angles = _ANGLES,
    many: int = _MANY,
) -> Estimate[FloatArray]:
    """Mass where log g is below ``low`` or above ``high``.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, 2)
        Standardised; (inf, 0) stands for an infinite one.
    weights : ndarray, shape (k, p) or (1, p)
        Positive, each row summing to 1.
    low, high : float
        low <= 0 <= high < inf.
    sampling : Sampling, optional
        Not used: nothing is sampled.
    angles : Angles, optional
    many : int, optional
        Number of neighbours from which on the mixture is condensed.

    Returns
    -------
    Estimate
        Of shape (k,). The error is absolute, and below 1e-8 of the mass unless a set has more and sharper corners than 16,384
        directions resolve.
    """
    whole = Terms.from_gaps(gaps, weights)
    mass, error = np.empty(len(gaps)), np.empty(len(gaps))
    condense = gaps.shape[1] >= many and low < 0 < high
    step = 1 if condense else max(1, _BLOCK // gaps.shape[1])
    for start in range(0, len(mass), step):
        rows = slice(start, start + step)
        part = whole.of(rows)
        few = equal_terms.condensed(part) if condense else part
        mass[rows], error[rows] = _mass_outside_levels(part, few, low, high, angles)
    for relative in (_CONDENSING if condense else _ROUNDING_OF_LEVELS, terms.rounding(gaps.shape[1])):
        error += relative * mass
    return Estimate(np.minimum(mass, 1.0), error)


def _mass_outside_levels(
    whole: Terms, few: Terms, low: float, high: float, angles: Angles
) -> tuple[FloatArray, FloatArray]:
    """Masses of the low and the high set together, and their errors, each of shape (k,).

    Masses are computed from ``few``, the mixtures ``whole`` with fewer terms; sharpness and points inside come from ``whole``.
    """

    def high_masses(rows: IntArray, directions: FloatArray) -> FloatArray:
        return level_sets.high_masses(few.of(rows), high, directions)

    sharpness = level_sets.high_sharpness(whole, high)
    mass, error = _periodic_means(high_masses, sharpness, np.zeros(len(whole.gaps)), angles)
    rows, inside = interior.inside(whole, low)
    few_below = few.of(rows)

    def low_masses(part: IntArray, directions: FloatArray) -> FloatArray:
        return level_sets.low_masses(few_below.of(part), low, inside.of(part), directions)

    sharpness = level_sets.low_sharpness(whole.of(rows), inside)
    low_mass, low_error = _periodic_means(low_masses, sharpness, mass[rows], angles)
    mass[rows] += low_mass
    error[rows] += low_error
    return mass, error


def _periodic_means(
    function: _Function, sharpness: FloatArray, others: FloatArray, angles: Angles
) -> tuple[FloatArray, FloatArray]:
    """Means of k functions over all directions, and estimates of their absolute errors, each of shape (k,).

    Parameters
    ----------
    function : callable
        From the numbers of some of the k functions, shape (n,), and unit vectors, shape (m, 2), to values of shape (n, m).
        Opposite vectors have the same value.
    sharpness : ndarray, shape (k,)
        Inverse of the smallest angle in which each function may change much, in 1 / radians. The rule starts with as many
        angles: a coarser one may overlook what it misses.
    others : ndarray, shape (k,)
        What the means are added to. The number of angles doubles until the error is small beside the sum.
    angles : Angles
    """
    mean, error = np.empty(len(sharpness)), np.empty(len(sharpness))
    first = 2.0 ** np.ceil(np.log2(np.clip(sharpness, angles.first, _FIRST_SHARE * angles.most)))
    for lines in np.unique(first):
        rows = np.flatnonzero(first == lines)
        mean[rows], error[rows] = _doubled(function, rows, int(lines), others, angles)
    return mean, error


def _doubled(
    function: _Function, rows: IntArray, lines: int, others: FloatArray, angles: Angles
) -> tuple[FloatArray, FloatArray]:
    """Means and errors of `_periodic_means` for some rows, which all start with the same number of lines."""
    mean = _mean_over_angles(function, rows, lines, 0.0)
    change, error = np.full(rows.size, np.inf), mean.copy()
    going = np.arange(rows.size)
    while going.size and lines < angles.most:
        finer = (mean[going] + _mean_over_angles(function, rows[going], lines, 0.5)) / 2
        lines *= 2
        step = np.abs(finer - mean[going])
        # From one doubling to the next the steps shrink faster and faster. So what is left after the last step is below that
        # step times the factor by which it was smaller than the one before, with some caution.
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(np.isinf(change[going]), 1.0, np.minimum(_CAUTION * step / change[going], 1.0))
        mean[going], change[going], error[going] = finer, step, np.where(step > 0, step * factor, 0.0)
        going = going[error[going] > angles.rtol * (finer + others[rows[going]])]
    return mean, error


def _mean_over_angles(function: _Function, rows: IntArray, lines: int, shift: float) -> FloatArray:
    """Means of some rows over equidistant angles of lines; the first angle is ``shift`` times the distance between two."""
    angles = np.pi * (np.arange(lines) + shift) / lines
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    step = max(1, _BLOCK // lines)
    parts = [function(rows[start : start + step], directions).mean(axis=1) for start in range(0, len(rows), step)]
    return np.concatenate([np.empty(0), *parts])
