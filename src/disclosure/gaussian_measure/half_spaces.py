"""Half-spaces, by which lines through the origin are drawn that lead into a rare set.

Of all directions few lead into a set that is far out. So a half-space is drawn with a probability in proportion to its mass,
then a point of the normal distribution within it; the line goes through that point. Lines are then drawn about as often as the
mass of the set along them is large (docs/method.md, "Several dimensions").
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure.gaussian_measure import rays
from disclosure.gaussian_measure.sampling import unit
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import FloatArray

__all__ = ["HalfSpaces", "distinct", "drawn", "slopes_of"]

# Lines times half-spaces of one block of work, so that memory stays bounded.
_BLOCK = 1 << 16
# Share of the largest half-space's mass. Of n half-spaces those with less than this over n are never drawn: all of them
# together hold less than rounding takes from the mass of the set.
_NEGLIGIBLE = 1e-14
# Natural logarithm of a factor of the normal density. A half-space is left out if its foot point, the one nearest to the
# origin, lies in another half-space, or so near it that the density at the other's boundary is at most e^0.1 times lower. The
# lines of the other half-space then reach the foot point about as often as its own lines would.
_SLACK = 0.1
# Half-spaces that the others are compared with at most; the time is the product of both numbers. What is left then is kept.
_MOST_COMPARED = 1 << 10


class HalfSpaces:
    """Half-spaces {<z, normal> > bound} by which lines are drawn.

    Parameters
    ----------
    normals : ndarray, shape (n, q)
        Unit vectors.
    bounds : ndarray, shape (n,)
        Distances of the half-spaces from the origin, in standard deviations, at least 0.

    Attributes
    ----------
    normals, bounds : ndarray
        Those of the half-spaces that are not negligible.
    masses : ndarray
        Their standard normal masses.
    total : float
        The sum of these.
    """

    def __init__(self, normals: FloatArray, bounds: FloatArray) -> None:
        masses = ndtr(-bounds)
        kept = masses > _NEGLIGIBLE * masses.max(initial=0.0) / max(1, len(masses))
        self.normals, self.bounds, self.masses = normals[kept], bounds[kept], masses[kept]
        self.total = float(self.masses.sum())

    def lines(self, uniform: FloatArray) -> FloatArray:
        """Directions of lines through points that are drawn from the half-spaces.

        Parameters
        ----------
        uniform : ndarray, shape (..., q + 1)
            Uniform on (0, 1). The first number chooses the half-space, the second the point's coordinate along the normal, and
            the q - 1 others its coordinates across.

        Returns
        -------
        ndarray, shape (..., q)
            Unit vectors.
        """
        shares = np.cumsum(self.masses) / self.total
        chosen = np.minimum(np.searchsorted(shares, uniform[..., 0], side="right"), len(shares) - 1)
        normals = self.normals[chosen]
        along = -ndtri(uniform[..., 1] * self.masses[chosen])
        others = ndtri(uniform[..., 2:])
        # Points are drawn with the normal as the first axis; a (Householder) reflection then maps the first axis to the normal.
        points = np.concatenate([along[..., None], others], axis=-1)
        mirror = normals.copy()
        mirror[..., 0] -= 1
        square = (mirror**2).sum(axis=-1, keepdims=True)
        scale = np.divide(
            2 * (mirror * points).sum(axis=-1, keepdims=True), square, out=np.zeros_like(square), where=square > 0
        )
        return unit(points - scale * mirror)

    def density(self, lines: FloatArray) -> FloatArray:
        """How many times as often as by a uniform direction each line is drawn.

        Parameters
        ----------
        lines : ndarray, shape (..., q)
            Unit vectors.

        Returns
        -------
        ndarray, shape (...)
            The mass of all half-spaces along the line, each counted, over ``total``.
        """
        density = np.empty(lines.shape[:-1])
        flat = density.reshape(-1)
        for part, slopes in slopes_of(self.normals, lines):
            with np.errstate(divide="ignore"):
                distance = self.bounds / np.abs(slopes)
            flat[part] = rays.chi_tail(distance, lines.shape[-1]).sum(axis=1) / 2
        return np.asarray(density / self.total)


def drawn(first: HalfSpaces, second: HalfSpaces, share: float, uniform: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lines of which a share is drawn by the first half-spaces and the rest by the second, and their density.

    Parameters
    ----------
    first, second : HalfSpaces
    share : float
        In [0, 1].
    uniform : ndarray, shape (s, n, q + 1)
        For `HalfSpaces.lines`: n lines in each of s independent scramblings.

    Returns
    -------
    lines : ndarray, shape (s, n, q)
        Unit vectors.
    density : ndarray, shape (s, n)
        How many times as often as by a uniform direction each line is drawn. The mean over the lines of a set's mass along the
        line, divided by this density, is the mass of the set.
    """
    points = uniform.shape[1]
    some = int(share * points)
    lines = np.concatenate([first.lines(uniform[:, :some]), second.lines(uniform[:, some:])], axis=1)
    return lines, (some * first.density(lines) + (points - some) * second.density(lines)) / points


def distinct(normals: FloatArray, bounds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Half-spaces without those whose foot point lies in, or close to, a nearer one that is kept.

    Many half-spaces that are nearly alike then get no more lines than one. The foot point of a half-space is its point nearest
    to the origin.

    Parameters
    ----------
    normals : ndarray, shape (n, q)
        Unit vectors.
    bounds : ndarray, shape (n,)
        Distances from the origin, at least 0.

    Returns
    -------
    normals : ndarray, shape (m, q)
        Of the m half-spaces that are kept, the nearest first.
    bounds : ndarray, shape (m,)
    """
    kept: list[int] = []
    left = np.argsort(bounds, kind="stable")
    while left.size and len(kept) < _MOST_COMPARED:
        first = left[0]
        kept.append(int(first))
        depth = bounds[left] * contracted("nq,q->n", normals[left], normals[first]) - bounds[first]
        left = left[(depth * max(bounds[first], 1.0) < -_SLACK) & (left != first)]
    chosen = np.concatenate([np.array(kept, dtype=np.int64), left])
    return normals[chosen], bounds[chosen]


def slopes_of(normals: FloatArray, lines: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """Scalar products of the lines' unit vectors with normals, block by block.

    Parameters
    ----------
    normals : ndarray, shape (p, q)
    lines : ndarray, shape (..., q)

    Yields
    ------
    slice
        Lines of the block, counted along the flattened leading axes.
    ndarray, shape (number of these lines, p)
    """
    flat = lines.reshape(-1, lines.shape[-1])
    step = max(1, _BLOCK // len(normals))
    for start in range(0, len(flat), step):
        part = slice(start, start + step)
        yield part, contracted("nq,pq->np", flat[part], normals)
