"""Three dimensions and more: masses under the standard normal distribution as means over scrambled Sobol directions.

The masses along the two rays of a line are exact, as in `level_sets`; only the directions of lines are sampled.

Rare sets are far away, and few of all directions lead there. So lines are drawn by half-spaces (`half_spaces`): the more often,
the more mass the half-spaces have along them. What is averaged over lines is the mass of the set along a line divided by how
often the line is drawn. The set outside all strips is itself a union of N half-spaces. For it that quotient varies by the
factor N at most, so the relative error does not grow when the union becomes rare.

No part of a set may be left without lines that lead to it. Many half-spaces that are nearly alike would take all the lines, so
those whose foot point lies in or next to another one are left out. For the high set {log g > high} there is a half-space
wherever one term alone reaches the level.
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

# The high set. A face is a half-space {-L_j > high}, in which the term of one neighbour, without its weight, exceeds e^high;
# the union of all faces contains the high set. Tangents of the high set are half-spaces within it.
#
# The search for tangents starts along this many lines drawn by faces, and along the gaps of this many neighbours that are far
# from each other; and it takes so many steps, each from a tangent to a nearer one.
_PILOTS, _REPRESENTATIVES, _PILOT_STEPS = 64, 64, 4
# Share of the lines that is drawn by faces, lest a part of the set that no tangent touches is missed; and the number of
# neighbours, far from each other, whose faces are taken if there are more.
_DEFENSIVE, _FACES = 0.25, 256
# Share of the largest half-space's mass. Of N terms those that alone reach the level on a mass below this over N get no
# half-space.
_RARE = 1e-7
# The union mass. Share of the lines that is drawn by distinct half-spaces only, lest many that are alike take all lines; and
# the number of half-spaces, the nearest to the origin, by which the other lines are drawn.
_DISTINCT, _MOST_DRAWN = 0.5, 1 << 10
# Lines of each scrambling over which the correction of groups is averaged, at least.
_FEWEST_CORRECTED = 4


class Groups(NamedTuple):
    """How a mixture of very many terms is put into groups, whose mass is averaged over all lines, and corrected over some.

    Attributes
    ----------
    beyond : int
        Mixtures of more terms than this are put into groups.
    number : int
        Number of groups.
    corrected : int
        The difference between the terms and their groups is averaged over every line whose number is a multiple of this.
    """

    beyond: int = 1 << 12
    number: int = 1 << 10
    corrected: int = 32


_GROUPS = Groups()


def mass_outside_strips(gaps: FloatArray, epsilon: float, sampling: Sampling = DEFAULT) -> Estimate[FloatArray]:
    """Mass outside the intersection of the strips {|<z, c> + |c|^2 / 2| <= epsilon}: the union mass of each dataset.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, q)
        Standardised. If a dataset has an infinite gap, its mass is 1.
    epsilon : float
        Above 0.
    sampling : Sampling, optional

    Returns
    -------
    Estimate
        Of shape (k,); the error is absolute, two standard errors over the scramblings.
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
    """Mass outside the strips and its error, for one dataset."""
    bounded = np.isfinite(upper)
    normals, lower, upper = normals[bounded], lower[bounded], upper[bounded]
    # Two half-spaces outside each strip.
    normals_of_all, bounds = np.concatenate([normals, -normals]), np.concatenate([upper, -lower])
    # If a half-space holds the origin, or the masses of the distinct ones sum to more than 1, the union is not rare, and
    # uniform directions meet it often enough.
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
    """Mass outside the strips along lines through the origin, the mean over both rays; shape (...) for lines (..., q)."""
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
    """Mass outside the interval from left to right along a line through the origin, the mean over its two rays."""
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
        Its number of lines is taken for the high set and again for the low set.
    groups : Groups, optional

    Returns
    -------
    Estimate
        Of shape (k,); the error is absolute, two standard errors over the scramblings and what rounding may add.
    """
    terms = Terms.from_gaps(gaps, weights)
    uniform = uniform_numbers(sampling, gaps.shape[2] + 1)
    mass, error = np.empty(len(gaps)), np.empty(len(gaps))
    for row in range(len(gaps)):
        mass[row], error[row] = _outside_levels(terms.of(slice(row, row + 1)), low, high, uniform, groups)
    return Estimate(np.minimum(mass, 1.0), error + rounding(gaps.shape[1]) * mass)


def _outside_levels(terms: Terms, low: float, high: float, uniform: FloatArray, groups: Groups) -> tuple[float, float]:
    """Mass of the low and the high set together, and its error, for one dataset."""
    few = terms
    if terms.gaps.shape[1] > groups.beyond:
        few, same = equal_terms.grouped(terms, groups.number)
        terms = few if same else terms
    above = _above(terms, few, high, uniform, groups.corrected)
    below = _below(terms, few, low, uniform, groups.corrected)
    return above[0] + below[0], above[1] + below[1]


def _below(terms: Terms, few: Terms, low: float, uniform: FloatArray, corrected: int) -> tuple[float, float]:
    """Mass of the low set of one dataset and its error, from directions that are uniform in the units of the set's shape.

    ``few`` is the same mixture put into groups, or ``terms`` itself.
    """
    rows, inside = interior.inside(terms, low)
    if not rows.size:
        return 0.0, 0.0
    lines = unit(ndtri(uniform[..., 1:]))

    # The g of groups is at most that of their members. So the point, inside the members' low set, is in that of the groups too.
    def masses(part: Terms, directions: FloatArray) -> FloatArray:
        return level_sets.low_masses(part, low, inside, directions)

    return _mean_mass(masses, terms, few, lines, np.ones(lines.shape[:2]), corrected)


def _above(terms: Terms, few: Terms, high: float, uniform: FloatArray, corrected: int) -> tuple[float, float]:
    """Mass of the high set of one dataset and its error; ``few`` is the same mixture put into groups, or ``terms`` itself."""
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
    """Normals and bounds of the half-spaces {-L_j > height} of some terms of one mixture.

    In it the exponential of the term, without its weight, exceeds e^height, one number or one for each term. Terms without a
    gap have none.
    """
    gaps, offsets = terms.gaps[0, chosen], terms.offsets[0, chosen]
    distance = np.linalg.norm(gaps, axis=1)
    present = (distance > 0) & np.isfinite(offsets)
    above = np.broadcast_to(heights, present.shape)[present]
    return -gaps[present] / distance[present, None], (above + offsets[present]) / distance[present]


def _tangents(terms: Terms, high: float, lines: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Normals and bounds of half-spaces within the high set, one or more for each part of the set that is near the origin.

    The half-space beyond a tangent of the convex set {log g < high} lies outside of that set, hence in the high set. The ray
    along the tangent's normal gives the next tangent; a few such steps lead to where the high set is nearest to the origin. The
    half-spaces in which one weighted term alone exceeds e^high are added: rays may have led to no tangent there.

    Parameters
    ----------
    terms : Terms
        Of one dataset.
    high : float
    lines : ndarray, shape (n, q)
        Unit vectors along which, in both directions, the search starts.
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
    """Mean of masses along lines divided by the lines' density, and its error.

    Parameters
    ----------
    masses : callable
        From a mixture and directions of shape (n, q) to masses of shape (1, n).
    terms, few : Terms
        The mixture, and the same put into groups; if these are two, the mean for the groups is taken over all lines, and the
        mean of the difference between the mixture and its groups over a part of them.
    lines : ndarray, shape (s, n, q)
    density : ndarray, shape (s, n)
    corrected : int
        As in `Groups`.
    """

    def values(part: Terms, chosen: slice) -> FloatArray:
        directions = lines[:, chosen]
        found = masses(part, directions.reshape(-1, lines.shape[2])).reshape(directions.shape[:2])
        return np.asarray(found / density[:, chosen])

    everywhere = values(few, slice(None))
    mean, error = mean_and_error(everywhere)
    if few is not terms:
        # Evenly spaced lines: those drawn by tangents and those drawn by faces keep their shares.
        some = slice(None, None, max(1, min(corrected, lines.shape[1] // _FEWEST_CORRECTED)))
        more, more_error = mean_and_error(values(terms, some) - everywhere[:, some])
        mean, error = max(mean + more, 0.0), error + more_error
    return mean, error
