"""The largest union mass T of a target over all sets of neighbours, without sampling any.

T never falls when a neighbour is added. So T with all n - 1 others as neighbours is a bound on T of every set of n - m. The
good region of the noise is then a polytope, and its faces belong to a few of the others. If these are no more than n - m
people, some set contains them all and attains the bound: it is the exact supremum. In one dimension they are at most two.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import regions
from disclosure.gaussian_measure import many_strips
from disclosure.numerics import checks
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.people.gaps import gaps_of_differences
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records

__all__ = ["Supremum", "determining_neighbours", "largest_union_mass", "supremum_of"]

# Dimensions that the gaps span, at most, for the faces to be looked for. The hull of k points in q dimensions may have as many
# as k^(q/2) faces.
_LARGEST_RANK = 4
# People from which on those who have no face are left out before the hull is made, in the plane; and people at most who may
# have one, so that the hull takes a second.
_MANY, _MOST_OUTER = 1_000, 20_000
# Relative distance that |c|^2 must keep below 2 epsilon. Closer, the hull's point c / (epsilon - |c|^2 / 2) has lost more than
# 9 of its 16 digits.
_MARGIN = 1e-9
# Share of the largest singular value of the gaps up to which a direction counts as not spanned: 1e4 units in the last place.
_NO_SPREAD = 1e-12


class Supremum(NamedTuple):
    """Largest union mass over all sets of neighbours.

    Attributes
    ----------
    mass : Estimate
    kind : {"exact", "bound", "none"}
        ``exact`` if some set attains the mass, ``bound`` if no set exceeds it, ``none`` if nothing is known without sampling.
    """

    mass: Estimate[float]
    kind: str


def supremum_of(records: Records, query: Query, sigma: float, epsilon: float, sample: int, target: int) -> Supremum:
    """`largest_union_mass` of a target; of kind "none" for a query that is not linear.

    Parameters
    ----------
    records, query, sigma, epsilon, sample, target
        As in `disclosure.people.exposure.assess`.

    Returns
    -------
    Supremum
    """
    if not isinstance(query, LinearQuery):
        return Supremum(Estimate(np.nan, np.nan), "none")
    # Nested, so that memory is free as soon as it can be: a table of 10^6 people has 16 MB for each of these arrays.
    gaps = gaps_of_differences(query.differences(records.values[target], records.of_others(target)), sigma)
    return largest_union_mass(gaps, epsilon, records.neighbours(sample))


def largest_union_mass(gaps: ArrayLike, epsilon: float, neighbours: float) -> Supremum:
    """Largest union mass over all sets of so many neighbours.

    Parameters
    ----------
    gaps : array_like, shape (k, q)
        Finite standardised gaps to all k people who may be neighbours.
    epsilon : float
        In (0, inf).
    neighbours : float
        p, from 1 to k; or more, where neighbours may have equal records.

    Returns
    -------
    Supremum
        The kind is "bound", with the mass of the union over all k, in three cases: more than p people have a face of the good
        region, or may have one; the faces were not looked for, at a rank above 4; the good region does not contain the
        origin, so that the mass is above 1/2.

    Examples
    --------
    >>> largest_union_mass([[0.5], [0.1], [-0.25], [0.2]], 1.0, 2)
    Supremum(mass=Estimate(value=0.0522836..., error=...), kind='exact')
    """
    gaps = checks.within("gaps", gaps, "(-inf, inf)")
    if neighbours == 1:
        # The mass of one bad region grows with the distance.
        farthest = np.linalg.norm(gaps, axis=1).argmax()
        return Supremum(_mass(gaps[[farthest]], epsilon), "exact")
    reduced = _reduced(gaps)
    if reduced.shape[1] <= 1:
        return Supremum(_mass(gaps, epsilon), "exact")
    needed = determining_neighbours(reduced, epsilon)
    if needed is None:
        return Supremum(_mass(gaps, epsilon), "bound" if len(gaps) > neighbours else "exact")
    return Supremum(_mass(gaps[needed], epsilon), "exact" if len(needed) <= neighbours else "bound")


def determining_neighbours(gaps: FloatArray, epsilon: float) -> IntArray | None:
    """Places of the neighbours whose bad regions have a part in the boundary of the union of all.

    The good region is the polytope of all z with <z, y> <= 1 for the points y = c / (epsilon - |c|^2 / 2) and
    y = -c / (epsilon + |c|^2 / 2) of every gap c. With the origin inside, its faces belong to the vertices of the convex hull
    of these points.

    Parameters
    ----------
    gaps : ndarray, shape (k, q)
        Finite, spanning all q >= 2 dimensions.
    epsilon : float

    Returns
    -------
    ndarray of int, or None
        None where this was not found out: if some |c|^2 >= 2 epsilon, which leaves the origin outside, and if q > 4. Of very
        many who may have a face, as people who are equal in one column, all are named.
    """
    from scipy.spatial import ConvexHull  # slow to import, and one dimension needs none

    squares = (gaps**2).sum(axis=1)
    if squares.max() >= 2 * epsilon * (1 - _MARGIN) or gaps.shape[1] > _LARGEST_RANK:
        return None
    polar = np.empty((2 * len(gaps), gaps.shape[1]))
    np.divide(gaps, (epsilon - squares / 2)[:, None], out=polar[: len(gaps)])
    np.divide(gaps, (-epsilon - squares / 2)[:, None], out=polar[len(gaps) :])
    outer = np.arange(len(polar))
    if gaps.shape[1] == 2 and len(gaps) >= _MANY:
        outer = np.flatnonzero(many_strips.outer_points(polar))
    if len(outer) <= _MOST_OUTER:
        outer = outer[ConvexHull(polar[outer]).vertices]
    places: IntArray = np.unique(outer % len(gaps))
    return places


def _reduced(gaps: FloatArray) -> FloatArray:
    """The gaps in coordinates of the space that they span; as they are if that is all of it."""
    # The factor R of the QR decomposition has the same singular values and axes.
    _, spread, axes = np.linalg.svd(np.linalg.qr(gaps, mode="r"), full_matrices=False)
    spanned = spread > _NO_SPREAD * spread[0]
    if len(axes) == gaps.shape[1] and spanned.all():
        return gaps
    reduced: FloatArray = gaps @ axes[spanned].T
    return reduced


def _mass(gaps: FloatArray, epsilon: float) -> Estimate[float]:
    mass = regions.union_mass(gaps, epsilon)
    return Estimate(float(mass.value), float(mass.error))
