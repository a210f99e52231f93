"""Three dimensions and more: masses under the standard normal distribution as means over scrambled Sobol directions.

The masses along the two rays of a line are exact, as in `level_sets`; only the directions are sampled.

Rare sets are far away, and few of all directions lead there. So the directions are drawn by half-spaces (`half_spaces`).
Along a line, the mass of the set over the masses of all half-spaces is then what is averaged. For the union of half-spaces
itself it lies between 1 over their number and 1, so the relative error does not grow when the union becomes rare.

No part of a set may be left without lines of its own. So half-spaces that are nearly in another one are left out, since many
alike would take all the lines; and for the high set there is one wherever a term alone reaches the level.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure.gaussian_measure import equal_terms, half_spaces, interior, level_sets, rays
from disclosure.gaussian_measure.half_spaces import HalfSpaces
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling, mean_and_error, uniform_numbers, unit
from disclosure.gaussian_measure.strips import strips
from disclosure.gaussian_measure.terms import Terms, rounding
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Groups", "mass_outside_levels", "mass_outside_strips"]

# Tangents are sought along lines drawn by the half-spaces of single neighbours, and along the gaps of neighbours that are far
# from each other. Each step leads from a tangent to a nearer one.
_PILOTS, _REPRESENTATIVES, _PILOT_STEPS = 64, 64, 4
# Share of the lines that are drawn by the half-spaces of single neighbours, whose union contains the high set, and how many
# neighbours, far from each other, are enough for it.
_DEFENSIVE, _FACES = 0.25, 256
# Share of the lines for the union that is drawn by different half-spaces only, lest many alike take all, and how many of the
# nearest are enough for the others.
_DISTINCT, _MOST_DRAWN = 0.5, 1 << 10
# Parts of the high set with less than this share of its mass need no half-space of their own.
_RARE = 1e-7


class Groups(NamedTuple):
    """How mixtures of very many terms are averaged as groups and corrected."""

    beyond: int = 1 << 12  # terms; mixtures of no more are averaged as they are
    number: int = 1 << 10  # of groups
    corrected: int = 32  # one line of so many is taken for what the terms themselves add


_GROUPS = Groups()


def mass_outside_strips(gaps: FloatArray, epsilon: float, sampling: Sampling = DEFAULT) -> Estimate[FloatArray]:
    """Mass outside the intersection of the strips {|<z, c> + |c|^2 / 2| <= epsilon}.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, q)
        Standardised. With an infinite one the mass is 1.
    epsilon : float
        Above 0.
    sampling : Sampling, optional

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    finite, (normals, lower, upper) = strips(gaps, epsilon)
    uniform = uniform_numbers(sampling, gaps.shape[2] + 1)
    value, error = np.ones(len(gaps)), np.zeros(len(gaps))
    for place, row in enumerate(np.flatnonzero(finite)):
        value[row], error[row] = _outside_strips(normals[place], lower[place], upper[place], uniform)
    return Estimate(value, error)


def _outside_strips(
    normals: FloatArray, lower: FloatArray, upper: FloatArray, uniform: FloatArray
) -> tuple[float, float]:
    """Mass and its error for one dataset."""
    bounded = np.isfinite(upper)
    normals, lower, upper = normals[bounded], lower[bounded], upper[bounded]
    normals_of_all, bounds = np.concatenate([normals, -normals]), np.concatenate([upper, -lower])
    # Where the origin is in one of the half-spaces, or different ones add up to more than 1, the union is not rare.
    distinct = HalfSpaces(*half_spaces.distinct(normals_of_all, bounds)) if (bounds >= 0).all() else None
    if distinct is None or distinct.total > 1:
        return mean_and_error(_strip_masses(normals, lower, upper, unit(ndtri(uniform[..., 1:]))))
    if not distinct.total:
        return 0.0, 0.0
    nearest = np.argsort(bounds, kind="stable")[:_MOST_DRAWN]
    others = HalfSpaces(normals_of_all[nearest], bounds[nearest])
    lines, density = half_spaces.drawn(distinct, others, _DISTINCT, uniform)
    return mean_and_error(_strip_masses(normals, lower, upper, lines) / density)


def _strip_masses(normals: FloatArray, lower: FloatArray, upper: FloatArray, lines: FloatArray) -> FloatArray:
    """Mass outside the strips along lines through the origin: the mean of two rays."""
    masses = np.empty(lines.shape[:-1])
    flat = masses.reshape(-1)
    for part, slopes in half_spaces.slopes_of(normals, lines):
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.where(slopes == 0, np.inf, upper / slopes), np.where(slopes == 0, -np.inf, lower / slopes)
        right = np.where(slopes < 0, ends[1], ends[0]).min(axis=1)
        left = np.where(slopes < 0, ends[0], ends[1]).max(axis=1)
        flat[part] = _mass_outside_interval(left, right, lines.shape[-1])
    return masses


def _mass_outside_interval(left: FloatArray, right: FloatArray, dimension: int) -> FloatArray:
    """Of a line through the origin: the mean of what its two rays leave out of an interval."""
    near, far = np.minimum(np.abs(left), np.abs(right)), np.maximum(np.abs(left), np.abs(right))
    tails = rays.chi_tail(near, dimension), rays.chi_tail(far, dimension)
    around = (left <= 0) & (right >= 0)
    return np.where(around, (tails[0] + tails[1]) / 2, np.where(left < right, 1 - (tails[0] - tails[1]) / 2, 1.0))


def mass_outside_levels(
    gaps: FloatArray,
    weights: FloatArray,
    low: float,
    high: float,
    sampling: Sampling = DEFAULT,
    groups: Groups = _GROUPS,
) -> Estimate[FloatArray]:
    """Mass where log g is below ``low`` or above ``high``.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, q)
        Standardised; (inf, 0, ..., 0) stands for an infinite one.
    weights : ndarray, shape (k, p) or (1, p)
        Positive, each row summing to 1.
    low, high : float
        low <= 0 <= high.
    sampling : Sampling, optional
        The number of lines is for each of the two sets.
    groups : Groups, optional

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    terms = Terms.from_gaps(gaps, weights)
    uniform = uniform_numbers(sampling, gaps.shape[2] + 1)
    mass, error = np.empty(len(gaps)), np.empty(len(gaps))
    for row in range(len(gaps)):
        mass[row], error[row] = _outside_levels(terms.of(slice(row, row + 1)), low, high, uniform, groups)
    return Estimate(np.minimum(mass, 1.0), error + rounding(gaps.shape[1]) * mass)


def _outside_levels(terms: Terms, low: float, high: float, uniform: FloatArray, groups: Groups) -> tuple[float, float]:
    """Mass and its error for one dataset."""
    few = terms
    if terms.gaps.shape[1] > groups.beyond:
        few, same = equal_terms.grouped(terms, groups.number)
        terms = few if same else terms
    above = _above(terms, few, high, uniform, groups.corrected)
    below = _below(terms, few, low, uniform, groups.corrected)
    return above[0] + below[0], above[1] + below[1]


def _below(terms: Terms, few: Terms, low: float, uniform: FloatArray, corrected: int) -> tuple[float, float]:
    """Mass of the low set of one dataset, from directions that are uniform in the shape of the set."""
    rows, inside = interior.inside(terms, low)
    if not rows.size:
        return 0.0, 0.0
    lines = unit(ndtri(uniform[..., 1:]))

    # The g of groups is not above that of their members, so that the point is inside their low set as well.
    def masses(part: Terms, directions: FloatArray) -> FloatArray:
        return level_sets.low_masses(part, low, inside, directions)

    return _mean_mass(masses, terms, few, lines, np.ones(lines.shape[:2]), corrected)


def _above(terms: Terms, few: Terms, high: float, uniform: FloatArray, corrected: int) -> tuple[float, float]:
    """Mass of the high set of one dataset."""
    faces = HalfSpaces(*_of_single_terms(few, high, equal_terms.apart(few.gaps[0], _FACES)[0]))
    if not faces.total:
        return 0.0, 0.0
    tangents = HalfSpaces(*_tangents(few, high, faces.lines(uniform[0, :_PILOTS])))
    if not tangents.total:
        return 0.0, 0.0
    lines, density = half_spaces.drawn(tangents, faces, 1 - _DEFENSIVE, uniform)

    def masses(part: Terms, directions: FloatArray) -> FloatArray:
        return level_sets.high_masses(part, high, directions)

    return _mean_mass(masses, terms, few, lines, density, corrected)


def _of_single_terms(
    terms: Terms, heights: FloatArray | float, chosen: IntArray | slice
) -> tuple[FloatArray, FloatArray]:
    """Half-spaces in which the exponentials of some terms of one mixture, without their weights, exceed e^height."""
    gaps, offsets = terms.gaps[0, chosen], terms.offsets[0, chosen]
    distance = np.linalg.norm(gaps, axis=1)
    present = (distance > 0) & np.isfinite(offsets)
    above = np.broadcast_to(heights, present.shape)[present]
    return -gaps[present] / distance[present, None], (above + offsets[present]) / distance[present]


def _tangents(terms: Terms, high: float, lines: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Half-spaces in the high set, one or more around each point of it that is near the origin.

    A half-space beyond a tangent of the convex set {log g < high} lies outside it. From the direction of its normal the next
    tangent is found, which leads towards a point nearest to the origin. Where one term alone reaches the level there is a
    half-space as well; without these a part of the set would be missed that no ray has led to.
    """
    representatives = _of_single_terms(terms, high, equal_terms.apart(terms.gaps[0], _REPRESENTATIVES)[0])[0]
    normals, bounds = np.concatenate([lines, -lines, representatives]), np.empty(0)
    for _ in range(_PILOT_STEPS):
        normals, bounds = level_sets.high_tangents(terms, high, normals)
    alone, alone_bounds = _of_single_terms(terms, high - np.log(terms.weights[0]), slice(None))
    masses = ndtr(-alone_bounds)
    counts = masses * len(masses) > _RARE * max(ndtr(-bounds).max(initial=0.0), masses.max(initial=0.0))
    return half_spaces.distinct(
        np.concatenate([normals, alone[counts]]), np.concatenate([bounds, alone_bounds[counts]])
    )


def _mean_mass(
    masses: Callable[[Terms, FloatArray], FloatArray],
    terms: Terms,
    few: Terms,
    lines: FloatArray,
    density: FloatArray,
    corrected: int,
) -> tuple[float, float]:
    """Mean and its error of the masses along lines over their density, of a mixture that has fewer terms in groups.

    The groups are averaged over all lines, and what the mixture itself adds to them over a part.
    """

    def values(part: Terms, chosen: slice) -> FloatArray:
        directions = lines[:, chosen]
        found = masses(part, directions.reshape(-1, lines.shape[2])).reshape(directions.shape[:2])
        return np.asarray(found / density[:, chosen])

    everywhere = values(few, slice(None))
    mean, error = mean_and_error(everywhere)
    if few is not terms:
        # Evenly spaced, so that both kinds of lines have the same shares as among all.
        some = slice(None, None, max(1, min(corrected, lines.shape[1] // 4)))
        more, more_error = mean_and_error(values(terms, some) - everywhere[:, some])
        mean, error = max(mean + more, 0.0), error + more_error
    return mean, error
