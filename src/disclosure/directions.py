"""Three dimensions and more: masses under the standard normal distribution as means over scrambled Sobol directions.

The masses along the two rays of a line are exact, as in `level_sets`; only the directions are sampled.

Rare sets are far away, and few of all directions lead there. So the directions are drawn by half-spaces: a half-space in
proportion to its mass, a point of the normal distribution within it, and the direction of that point. Along a line, the
mass of the set over the masses of all half-spaces is then what is averaged. For the union of half-spaces itself it lies
between 1 over their number and 1, so the relative error does not grow when the union becomes rare.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure import level_sets, radial

__all__ = ["mass_outside_levels", "mass_outside_strips"]

# Independent scramblings: the spread of their means is the error estimate.
_SCRAMBLINGS = 16
_STANDARD_ERRORS = 2.0
_BLOCK = 1 << 16
# Half-spaces whose mass is smaller than the largest one's by this factor are not drawn.
_NEGLIGIBLE = 1e-14
_PILOTS, _PILOT_STEPS = 64, 4
# Share of the lines that are drawn by the half-spaces of single neighbours, which miss no part of the high set.
_FACES = 0.25


def mass_outside_strips(normals, lower, upper, count, seed):
    """Mass outside the intersection of strips.

    Parameters
    ----------
    normals : ndarray, shape (k, p, q)
        Unit vectors, or zeros for strips that hold everything.
    lower, upper : ndarray, shape (k, p)
        The strips are lower <= <z, normal> <= upper.
    count : int
        Number of lines.
    seed : int
        Of the scramblings.

    Returns
    -------
    mass, error : ndarray, shape (k,)
    """
    uniform = _uniform_numbers(count, normals.shape[2] + 1, seed)
    results = [_outside_strips(*dataset, uniform) for dataset in zip(normals, lower, upper, strict=True)]
    return tuple(np.array(results).reshape(-1, 2).T)


def _outside_strips(normals, lower, upper, uniform):
    half_spaces = _HalfSpaces(np.concatenate([normals, -normals]), np.concatenate([upper, -lower]))
    if not half_spaces.total:
        return 0.0, 0.0
    # The origin is in one of the half-spaces, or they overlap a lot: the union is not rare.
    if half_spaces.total > 1 or (upper < 0).any():
        return _estimate(_strip_masses(normals, lower, upper, _unit(ndtri(uniform[..., 1:]))))
    lines = half_spaces.lines(uniform)
    return _estimate(_strip_masses(normals, lower, upper, lines) / half_spaces.density(lines))


def _strip_masses(normals, lower, upper, lines):
    """Mass outside the strips along lines through the origin: the mean of two rays."""
    masses = np.empty(lines.shape[:-1])
    flat = masses.reshape(-1)
    for part, slopes in _slopes(normals, lines):
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.where(slopes == 0, np.inf, upper / slopes), np.where(slopes == 0, -np.inf, lower / slopes)
        right = np.where(slopes < 0, ends[1], ends[0]).min(axis=1)
        left = np.where(slopes < 0, ends[0], ends[1]).max(axis=1)
        flat[part] = _mass_outside_interval(left, right, lines.shape[-1])
    return masses


def _mass_outside_interval(left, right, dimension):
    """Of a line through the origin: the mean of what its two rays leave out of an interval."""
    near, far = np.minimum(np.abs(left), np.abs(right)), np.maximum(np.abs(left), np.abs(right))
    tails = radial.chi_tail(near, dimension), radial.chi_tail(far, dimension)
    around = (left <= 0) & (right >= 0)
    return np.where(around, (tails[0] + tails[1]) / 2, np.where(left < right, 1 - (tails[0] - tails[1]) / 2, 1.0))


def _slopes(normals, lines):
    """Blocks of lines, and the scalar products of their unit vectors with the normals."""
    flat = lines.reshape(-1, lines.shape[-1])
    step = max(1, _BLOCK // len(normals))
    for start in range(0, len(flat), step):
        part = slice(start, start + step)
        yield part, np.einsum("nq,pq->np", flat[part], normals)


class _HalfSpaces:
    """Half-spaces {<z, normal> > bound} from which directions are drawn, with bounds that are not negative."""

    def __init__(self, normals, bounds):
        masses = ndtr(-bounds)
        kept = masses > _NEGLIGIBLE * masses.max(initial=0.0) / max(1, len(masses))
        self.normals, self.bounds, self.masses = normals[kept], bounds[kept], masses[kept]
        self.total = self.masses.sum()

    def lines(self, uniform):
        """Unit vectors of the directions of points drawn from one of the half-spaces."""
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
        return _unit(points - scale * mirror)

    def density(self, lines):
        """How much more often than uniformly a line is drawn, over the sum of the masses."""
        density = np.empty(lines.shape[:-1])
        flat = density.reshape(-1)
        for part, slopes in _slopes(self.normals, lines):
            with np.errstate(divide="ignore"):
                distance = self.bounds / np.abs(slopes)
            flat[part] = radial.chi_tail(distance, lines.shape[-1]).sum(axis=1) / 2
        return density / self.total


def mass_outside_levels(terms, low, high, count, seed):
    """Mass where log g is below ``low`` or above ``high``.

    Parameters
    ----------
    terms : level_sets.Terms
        Of k datasets.
    low, high : float
        low <= 0 <= high.
    count : int
        Number of lines for each of the two sets.
    seed : int
        Of the scramblings.

    Returns
    -------
    mass, error : ndarray, shape (k,)
    """
    dimension = terms.gaps.shape[2]
    uniform = _uniform_numbers(count, dimension + 1, seed)
    everywhere = _unit(ndtri(uniform[..., 1:]))
    results = np.array([_above(terms.of(slice(row, row + 1)), high, uniform) for row in range(len(terms.gaps))])
    rows, inside = level_sets.inside(terms, low)
    for place, row in enumerate(rows):
        one = slice(place, place + 1)
        values = level_sets.low_masses(terms.of(rows[one]), low, inside.of(one), everywhere.reshape(-1, dimension))
        results[row] += _estimate(values.reshape(everywhere.shape[:-1]))
    return tuple(results.reshape(-1, 2).T)


def _above(terms, high, uniform):
    """Mass of the high set of one dataset."""
    distance = np.sqrt(2 * terms.offsets[0])
    present = (distance > 0) & np.isfinite(distance)
    normals = -terms.gaps[0, present] / distance[present, None]
    bounds = high / distance[present] + distance[present] / 2
    faces = _HalfSpaces(normals, bounds)
    if not faces.total:
        return 0.0, 0.0
    tangents = _tangents(terms, high, faces.lines(uniform[0, :_PILOTS]))
    if not tangents.total:
        return 0.0, 0.0
    some = int((1 - _FACES) * uniform.shape[1])
    lines = np.concatenate([tangents.lines(uniform[:, :some]), faces.lines(uniform[:, some:])], axis=1)
    masses = level_sets.high_masses(terms, high, lines.reshape(-1, lines.shape[-1])).reshape(lines.shape[:-1])
    return _estimate(masses / ((1 - _FACES) * tangents.density(lines) + _FACES * faces.density(lines)))


def _tangents(terms, high, lines):
    """Half-spaces in the high set, around where it comes nearest to the origin.

    A half-space beyond a tangent of the convex set {log g < high} lies outside it. From the direction of its normal the next
    tangent is found, which leads towards a point nearest to the origin.
    """
    directions = np.concatenate([lines, -lines])
    for _ in range(_PILOT_STEPS):
        directions, bounds = level_sets.high_tangents(terms, high, directions)
    return _HalfSpaces(directions, bounds)


def _estimate(values):
    """Mean and its error from values of shape (scramblings, points)."""
    means = values.mean(axis=1)
    mean = means.mean()
    # In units of the mean: squares of rare probabilities underflow.
    spread = (means / mean).std(ddof=1) if mean > 0 else 0.0
    # What is met less often than once in all lines does not show in the spread.
    return mean, (_STANDARD_ERRORS * spread / np.sqrt(len(means)) + 1 / values.size) * mean


def _uniform_numbers(count, dimension, seed):
    """Scrambled Sobol points, of shape (scramblings, points, dimension), inside (0, 1)."""
    from scipy.stats import qmc  # slow to import, and needed in three dimensions and more only

    exponent = max(0, int(np.ceil(np.log2(count / _SCRAMBLINGS))))
    generators = np.random.default_rng(seed).spawn(_SCRAMBLINGS)
    points = [qmc.Sobol(dimension, rng=generator).random_base2(exponent) for generator in generators]
    return np.clip(points, 2.0**-54, 1 - 2.0**-53)


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
