"""Mixtures of very many terms in the plane, as mixtures of fewer terms that are the same up to rounding.

A term of the mixture g of `ratio` is exp(-<z, c> - |c|^2 / 2). Where z is bounded, it is a smooth function of its gap c: in a
small cell of the plane of gaps it equals, up to rounding, its polynomial interpolant at Chebyshev nodes. So the terms of a cell
become one term at each of the cell's nodes, weighted by the sum over the cell's terms of weight times Lagrange polynomial. Such
weights have the same sum as before, and some are negative.
"""

import numpy as np

from disclosure.level_sets import FAR, Terms

__all__ = ["condensed"]

# Half the side of a cell times the largest |z| + |c|, and nodes along a side. Relative to a term, interpolation is then off by
# a few 2 / nodes! e^2 = 2e-15, and rounding grows by the ratio of the terms in a cell, e^4 at most.
_SPAN, _NODES = 2.0, 18
# Terms of one block of work: its polynomials fit into a processor's cache.
_BLOCK = 1 << 12


def condensed(terms):
    """A mixture with the same g at all z up to the distance `level_sets.FAR`, to a relative 1e-13.

    Parameters
    ----------
    terms : disclosure.level_sets.Terms
        Of one dataset, in two dimensions.

    Returns
    -------
    Terms
        With ``reach`` set; not more terms than before. Cells with fewer terms than nodes keep theirs.
    """
    gaps, offsets, weights = terms.gaps[0], terms.offsets[0], terms.weights[0]
    lowest, longest = gaps.min(axis=0), np.sqrt((gaps**2).sum(axis=1).max())
    half = _SPAN / (FAR + longest)
    cells = np.floor((gaps - lowest) / (2 * half)).astype(np.int64)
    numbers = cells[:, 0] * (cells[:, 1].max() + 1) + cells[:, 1]
    # A term that is absent belongs to no cell.
    numbers[np.isinf(offsets)] = -1
    order = np.argsort(numbers, kind="stable")
    begins = np.flatnonzero(np.diff(numbers[order], prepend=-2))
    nodes, kept, parts = _nodes(), [], []
    for members in np.split(order, begins[1:]):
        if len(members) <= _NODES**2 or numbers[members[0]] < 0:
            kept.append(members)
            continue
        middle = lowest + (2 * cells[members[0]] + 1) * half
        places = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 2)
        parts.append((middle + half * places, _node_weights((gaps[members] - middle) / half, weights[members])))
    kept = np.concatenate([np.empty(0, dtype=np.int64), *kept])
    new_gaps, new_weights = zip((gaps[kept], weights[kept]), *parts, strict=True)
    new_gaps, new_weights = np.concatenate(new_gaps), np.concatenate(new_weights)
    new_offsets = (new_gaps**2).sum(axis=1) / 2
    new_offsets[: len(kept)] = offsets[kept]
    return Terms(new_gaps[None], new_offsets[None], new_weights[None], FAR)


def _nodes():
    return np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)


def _node_weights(places, weights):
    """Sums of the weights of points of the square from -1 to 1, times the Lagrange polynomials of the nodes."""
    moments = np.zeros((_NODES, _NODES))
    for start in range(0, len(places), _BLOCK):
        block = slice(start, start + _BLOCK)
        first, second = (_chebyshev(places[block, axis]) for axis in (0, 1))
        # Without a matrix product, whose rounding may depend on the number of processors.
        moments += np.einsum("ki,li->kl", first * weights[block], second)
    lagrange = _chebyshev(_nodes()).T * np.where(np.arange(_NODES) == 0, 1.0, 2.0) / _NODES
    return np.einsum("ik,kl,jl->ij", lagrange, moments, lagrange).reshape(-1)


def _chebyshev(x):
    """Chebyshev polynomials of the first kind, one for each row."""
    values = np.empty((_NODES, len(x)))
    values[0], values[1] = 1.0, x
    for degree in range(2, _NODES):
        np.multiply(2 * x, values[degree - 1], out=values[degree])
        values[degree] -= values[degree - 2]
    return values
