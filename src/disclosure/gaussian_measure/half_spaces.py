"""Half-spaces, from which the directions of rare sets are drawn.

A half-space is drawn in proportion to its mass, a point of the normal distribution within it, and the direction of that
point. Lines with a set far out are then as frequent as their share of its mass asks for.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure.gaussian_measure import rays
from disclosure.gaussian_measure.sampling import unit
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import FloatArray

__all__ = ["HalfSpaces", "distinct", "drawn", "slopes_of"]

# Products of lines and half-spaces in one block of work, so that memory stays bounded.
_BLOCK = 1 << 16
# Half-spaces whose mass is smaller than the largest one's by this factor, over their number, are not drawn: all of them
# together hold less of a set than rounding does.
_NEGLIGIBLE = 1e-14
# A half-space is left out if its foot point is in another one, or so near that the density there is higher by a tenth. Lines
# of the other one then reach it as often as its own would, but for that tenth.
_SLACK = 0.1
# So many are compared with the others, which takes time in proportion to both numbers; what is left then is kept.
_MOST_COMPARED = 1 << 10


class HalfSpaces:
    """Half-spaces {<z, normal> > bound} from which directions are drawn.

    Parameters
    ----------
    normals : ndarray, shape (n, q)
        Unit vectors.
    bounds : ndarray, shape (n,)
        At least 0.

    Attributes
    ----------
    total : float
        The sum of their masses.
    """

    def __init__(self, normals: FloatArray, bounds: FloatArray) -> None:
        masses = ndtr(-bounds)
        kept = masses > _NEGLIGIBLE * masses.max(initial=0.0) / max(1, len(masses))
        self.normals, self.bounds, self.masses = normals[kept], bounds[kept], masses[kept]
        self.total = float(self.masses.sum())

    def lines(self, uniform: FloatArray) -> FloatArray:
        """Directions of points drawn from the half-spaces.

        Parameters
        ----------
        uniform : ndarray, shape (..., q + 1)
            Uniform on (0, 1): which half-space, how far out, and where across.

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
        # The reflection that maps the first axis to the normal.
        points = np.concatenate([along[..., None], others], axis=-1)
        mirror = normals.copy()
        mirror[..., 0] -= 1
        square = (mirror**2).sum(axis=-1, keepdims=True)
        scale = np.divide(
            2 * (mirror * points).sum(axis=-1, keepdims=True), square, out=np.zeros_like(square), where=square > 0
        )
        return unit(points - scale * mirror)

    def density(self, lines: FloatArray) -> FloatArray:
        """How much more often than uniformly a line is drawn, over the sum of the masses; shape (...) for (..., q)."""
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
        As `HalfSpaces.lines` takes them.

    Returns
    -------
    lines : ndarray, shape (s, n, q)
    density : ndarray, shape (s, n)
        Relative to uniform directions: the mass along a line over it has the mass of a set for its mean.
    """
    points = uniform.shape[1]
    some = int(share * points)
    lines = np.concatenate([first.lines(uniform[:, :some]), second.lines(uniform[:, some:])], axis=1)
    return lines, (some * first.density(lines) + (points - some) * second.density(lines)) / points


def distinct(normals: FloatArray, bounds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Those half-spaces, the nearest first, whose foot points are not in one before: many alike get no more lines than one."""
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
    """Blocks of lines, and the scalar products of their unit vectors with the normals: shape (number of lines, p)."""
    flat = lines.reshape(-1, lines.shape[-1])
    step = max(1, _BLOCK // len(normals))
    for start in range(0, len(flat), step):
        part = slice(start, start + step)
        yield part, contracted("nq,pq->np", flat[part], normals)
