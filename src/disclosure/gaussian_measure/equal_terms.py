"""Mixtures of very many terms, replaced by mixtures of fewer: in the plane exactly up to rounding, in space approximately.

In the plane (`condensed`): a term of the mixture g of `terms` is exp(-<z, c> - |c|^2 / 2). For bounded z that is a smooth
function of its gap c. So in a small cell of the plane of gaps it equals, up to rounding, the polynomial that interpolates it at
Chebyshev nodes. All terms of a cell are replaced by one term at each node. The weight of a node is the sum over the cell's
terms of their weight times the node's Lagrange polynomial at their gap. These weights have the same sum as before, and some are
negative.

In more dimensions (`grouped`) such cells would need too many nodes. There terms with nearby gaps are put into groups, and each
group becomes one term with the mean exponent of its members. By Jensen's inequality the g of groups is at most that of their
members.
"""

import math

import numpy as np
from numpy.polynomial import chebyshev

from disclosure.gaussian_measure.terms import Terms
from disclosure.numerics.normal import FAR
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["apart", "condensed", "grouped"]

# Natural logarithm: by how much an exponent changes from the middle of a cell to a side, half of the side's length times the
# largest |z| + |c|. The terms of a cell then differ by a factor of e^4 at most, and rounding grows by no more than that.
_SPAN = 2.0
# Error of interpolation relative to a term: below its rounding.
_TOLERANCE = 1e-17
# Terms of one block of work: its polynomials fit into a processor's cache.
_BLOCK = 1 << 12


def condensed(terms: Terms) -> Terms:
    """A mixture of fewer terms with the same g, to a relative 1e-13, at all z no longer than `normal.FAR`.

    Parameters
    ----------
    terms : Terms
        Of one dataset, in two dimensions.

    Returns
    -------
    Terms
        With ``reach`` set and not more terms than before; the same ones if no cell has more terms than nodes.
    """
    gaps, offsets, weights = terms.gaps[0], terms.offsets[0], terms.weights[0]
    rate = FAR + float(np.sqrt((gaps**2).sum(axis=1).max()))
    kept: list[IntArray] = []
    parts: list[tuple[FloatArray, FloatArray]] = []
    for members in _cells(gaps, np.isfinite(offsets), 2 * _SPAN / rate):
        part = _condensed_cell(gaps[members], weights[members], rate) if np.isfinite(offsets[members[0]]) else None
        if part is None:
            kept.append(members)
        else:
            parts.append(part)
    if not parts:
        return terms
    left = np.concatenate([np.empty(0, dtype=np.int64), *kept])
    gaps = np.concatenate([gaps[left], *(nodes for nodes, _ in parts)])
    weights = np.concatenate([weights[left], *(node_weights for _, node_weights in parts)])
    offsets = np.concatenate([offsets[left], (gaps[len(left) :] ** 2).sum(axis=1) / 2])
    return Terms(gaps[None], offsets[None], weights[None], FAR)


def _cells(gaps: FloatArray, present: BoolArray, side: float) -> list[IntArray]:
    """Numbers of the gaps in each square of a grid, square by square; absent terms form a cell of their own."""
    squares = np.floor((gaps - gaps.min(axis=0)) / side).astype(np.int64)
    numbers = np.where(present, squares[:, 0] * (squares[:, 1].max() + 1) + squares[:, 1], -1)
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)


def _condensed_cell(gaps: FloatArray, weights: FloatArray, rate: float) -> tuple[FloatArray, FloatArray] | None:
    """Nodes in the rectangle around a cell's gaps, and their weights; None if the nodes would not be fewer than the gaps."""
    middle, half = (gaps.max(axis=0) + gaps.min(axis=0)) / 2, np.ptp(gaps, axis=0) / 2
    count = _count(rate * half.max())
    if len(gaps) <= count**2:
        return None
    nodes = np.cos(np.pi * (np.arange(count) + 0.5) / count)
    places = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 2)
    inside = np.divide(gaps - middle, half, out=np.zeros_like(gaps), where=half > 0)
    return middle + half * places, _node_weights(inside, weights, nodes)


def _count(span: float) -> int:
    """Number of nodes along a side that interpolate, to `_TOLERANCE`, exponentials that change by e^span from the middle."""
    count = 2
    while (span / 2) ** count / math.factorial(count) * math.exp(span) > _TOLERANCE:
        count += 1
    return count


def _node_weights(places: FloatArray, weights: FloatArray, nodes: FloatArray) -> FloatArray:
    """Sums of the weights of points of the square from -1 to 1, times the Lagrange polynomials of the nodes."""
    count = len(nodes)
    moments = np.zeros((count, count))
    for start in range(0, len(places), _BLOCK):
        block = slice(start, start + _BLOCK)
        first, second = (_chebyshev(places[block, axis], count) for axis in (0, 1))
        moments += contracted("ki,li->kl", first * weights[block], second)
    lagrange = _chebyshev(nodes, count).T * np.where(np.arange(count) == 0, 1.0, 2.0) / count
    return contracted("ik,kl,jl->ij", lagrange, moments, lagrange).reshape(-1)


def _chebyshev(x: FloatArray, count: int) -> FloatArray:
    """The first Chebyshev polynomials of the first kind, one for each row."""
    return np.ascontiguousarray(chebyshev.chebvander(x, count - 1).T)


def grouped(terms: Terms, count: int) -> tuple[Terms, bool]:
    """A mixture of groups around ``count`` terms that are far from each other; its g is at most that of ``terms``.

    Parameters
    ----------
    terms : Terms
        Of one dataset, in any number of dimensions.
    count : int
        Number of groups, at most; absent terms form one more.

    Returns
    -------
    Terms
        Of at most ``count`` + 1 groups.
    bool
        Whether the mixtures are the same, because all members of every group have the same gap.
    """
    gaps, offsets, weights = terms.gaps[0], terms.offsets[0], terms.weights[0]
    present = np.isfinite(offsets)
    chosen, group, distance = apart(gaps[present], count)
    total: FloatArray = np.bincount(group, weights[present]).astype(float)
    members = weights[present]
    means = np.array([np.bincount(group, members * part) / total for part in (*gaps[present].T, offsets[present])]).T
    # One gap in a group is its mean, without rounding.
    alike = np.bincount(group, distance) == 0
    means[alike] = np.column_stack([gaps[present], offsets[present]])[chosen][alike]
    if not present.all():
        means = np.concatenate([means, [[0.0] * gaps.shape[1] + [np.inf]]])
        total = np.append(total, weights[~present].sum())
    return Terms(means[None, :, :-1], means[None, :, -1], total[None], terms.reach), bool(alike.all())


def apart(points: FloatArray, count: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Points that are far from each other: first the longest, then each time the one farthest from those before (Gonzalez
    1985).

    Parameters
    ----------
    points : ndarray, shape (p, q)
    count : int
        How many at most; fewer if there are no more different points.

    Returns
    -------
    chosen : ndarray of int
        Numbers of the points.
    nearest : ndarray of int, shape (p,)
        For every point the place in ``chosen`` of the chosen point nearest to it.
    distance : ndarray, shape (p,)
        The square of the distance to that chosen point.
    """
    distance = (points**2).sum(axis=1)
    chosen: list[int] = []
    nearest = np.zeros(len(points), dtype=np.int64)
    while len(points) and len(chosen) < count:
        farthest = int(np.argmax(distance))
        if chosen and distance[farthest] == 0:
            break
        from_it = ((points - points[farthest]) ** 2).sum(axis=1)
        closer = from_it < distance if chosen else np.ones(len(points), dtype=bool)
        nearest[closer], distance = len(chosen), np.where(closer, from_it, distance)
        chosen.append(farthest)
    return np.array(chosen, dtype=np.int64), nearest, distance
