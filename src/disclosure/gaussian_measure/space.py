"""Three dimensions and more: masses under the standard normal distribution as means over scrambled Sobol directions.

The masses along the two rays of a line are exact, as in `level_sets`; only the directions are sampled.

Rare sets are far away, and few of all directions lead there. So the directions are drawn by half-spaces: a half-space in
proportion to its mass, a point of the normal distribution within it, and the direction of that point. Along a line, the
mass of the set over the masses of all half-spaces is then what is averaged. For the union of half-spaces itself it lies
between 1 over their number and 1, so the relative error does not grow when the union becomes rare.

No part of a set may be left without lines of its own. So half-spaces that are nearly in another one are left out, since many
alike would take all the lines; and for the high set there is one wherever a term alone reaches the level.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure.gaussian_measure import equal_terms, level_sets, rays

__all__ = ["mass_outside_levels", "mass_outside_strips"]

# Independent scramblings: the spread of their means is the error estimate.
_SCRAMBLINGS = 16
_STANDARD_ERRORS = 2.0
_BLOCK = 1 << 16
# Half-spaces whose mass is smaller than the largest one's by this factor are not drawn.
_NEGLIGIBLE = 1e-14
# Tangents are sought along lines drawn by the half-spaces of single neighbours, and along the gaps of neighbours that are far
# from each other. Each step leads from a tangent to a nearer one.
_PILOTS, _REPRESENTATIVES, _PILOT_STEPS = 64, 64, 4
# Share of the lines that are drawn by the half-spaces of single neighbours, whose union contains the high set, and how many
# neighbours, far from each other, are enough for it.
_DEFENSIVE, _FACES = 0.25, 256
# Share of the lines for the union that is drawn by different half-spaces only, lest many alike take all, and how many of the
# nearest are enough for the others.
_DISTINCT, _MOST_DRAWN = 0.5, 1 << 10
# A half-space is left out if its foot point is in another one, or so near that the density there is higher by a tenth.
_SLACK = 0.1
# So many are compared with the others; what is left then is kept.
_MOST_DISTINCT = 1 << 10
# Parts of the high set with less than this share of its mass need no half-space of their own.
_RARE = 1e-7
# Mixtures of more terms than this are averaged as so many groups, and corrected on one of 32 lines.
_MANY, _GROUPS, _CORRECTED = 1 << 12, 1 << 10, 32


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
    bounded = np.isfinite(upper)
    normals, lower, upper = normals[bounded], lower[bounded], upper[bounded]
    normals_of_all, bounds = np.concatenate([normals, -normals]), np.concatenate([upper, -lower])
    # Where the origin is in one of the half-spaces, or different ones add up to more than 1, the union is not rare.
    rare = (bounds >= 0).all()
    if rare:
        distinct = _HalfSpaces(*_distinct(normals_of_all, bounds))
        rare = distinct.total <= 1
    if not rare:
        return _estimate(_strip_masses(normals, lower, upper, _unit(ndtri(uniform[..., 1:]))))
    if not distinct.total:
        return 0.0, 0.0
    nearest = np.argsort(bounds, kind="stable")[:_MOST_DRAWN]
    lines, density = _drawn(distinct, _HalfSpaces(normals_of_all[nearest], bounds[nearest]), _DISTINCT, uniform)
    return _estimate(_strip_masses(normals, lower, upper, lines) / density)


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
    tails = rays.chi_tail(near, dimension), rays.chi_tail(far, dimension)
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
            flat[part] = rays.chi_tail(distance, lines.shape[-1]).sum(axis=1) / 2
        return density / self.total


def _drawn(first, second, share, uniform):
    """Lines of which a share is drawn by the first half-spaces and the rest by the second, and their density.

    The density is relative to uniform directions: the mass along a line over it has the mass of a set for its mean.
    """
    points = uniform.shape[1]
    some = int(share * points)
    lines = np.concatenate([first.lines(uniform[:, :some]), second.lines(uniform[:, some:])], axis=1)
    return lines, (some * first.density(lines) + (points - some) * second.density(lines)) / points


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
    uniform = _uniform_numbers(count, terms.gaps.shape[2] + 1, seed)
    results = [_outside_levels(terms.of(slice(row, row + 1)), low, high, uniform) for row in range(len(terms.gaps))]
    return tuple(np.array(results).reshape(-1, 2).T)


def _outside_levels(terms, low, high, uniform):
    """Mass and its error for one dataset."""
    few = terms
    if terms.gaps.shape[1] > _MANY:
        few, same = equal_terms.grouped(terms, _GROUPS)
        terms = few if same else terms
    above, below = _above(terms, few, high, uniform), _below(terms, few, low, uniform)
    return above[0] + below[0], above[1] + below[1]


def _below(terms, few, low, uniform):
    """Mass of the low set of one dataset, from directions that are uniform in the shape of the set."""
    rows, inside = level_sets.inside(terms, low)
    if not rows.size:
        return 0.0, 0.0
    lines = _unit(ndtri(uniform[..., 1:]))
    # The g of groups is not above that of their members, so that the point is inside their low set as well.
    return _mean_mass(lambda part, directions: level_sets.low_masses(part, low, inside, directions), terms, few, lines)


def _above(terms, few, high, uniform):
    """Mass of the high set of one dataset."""
    normals, bounds = _half_spaces(few, high, equal_terms.apart(few.gaps[0], _FACES)[0])
    faces = _HalfSpaces(normals, bounds)
    if not faces.total:
        return 0.0, 0.0
    tangents = _HalfSpaces(*_tangents(few, high, faces.lines(uniform[0, :_PILOTS])))
    if not tangents.total:
        return 0.0, 0.0
    lines, density = _drawn(tangents, faces, 1 - _DEFENSIVE, uniform)
    return _mean_mass(
        lambda part, directions: level_sets.high_masses(part, high, directions), terms, few, lines, density
    )


def _half_spaces(terms, heights, chosen):
    """Half-spaces in which the exponentials of some terms of one mixture, without their weights, exceed e^height."""
    gaps, offsets = terms.gaps[0, chosen], terms.offsets[0, chosen]
    distance = np.linalg.norm(gaps, axis=1)
    present = (distance > 0) & np.isfinite(offsets)
    heights = np.broadcast_to(heights, present.shape)[present]
    return -gaps[present] / distance[present, None], (heights + offsets[present]) / distance[present]


def _tangents(terms, high, lines):
    """Half-spaces in the high set, one or more around each point of it that is near the origin.

    A half-space beyond a tangent of the convex set {log g < high} lies outside it. From the direction of its normal the next
    tangent is found, which leads towards a point nearest to the origin. Where one term alone reaches the level there is a
    half-space as well; without these a part of the set would be missed that no ray has led to.
    """
    representatives = _half_spaces(terms, high, equal_terms.apart(terms.gaps[0], _REPRESENTATIVES)[0])[0]
    normals = np.concatenate([lines, -lines, representatives])
    for _ in range(_PILOT_STEPS):
        normals, bounds = level_sets.high_tangents(terms, high, normals)
    alone, alone_bounds = _half_spaces(terms, high - np.log(terms.weights[0]), slice(None))
    masses = ndtr(-alone_bounds)
    counts = masses * len(masses) > _RARE * max(ndtr(-bounds).max(initial=0.0), masses.max(initial=0.0))
    return _distinct(np.concatenate([normals, alone[counts]]), np.concatenate([bounds, alone_bounds[counts]]))


def _distinct(normals, bounds):
    """Those half-spaces, the nearest first, whose foot points are not in one before: many alike get no more lines than one."""
    kept, left = [], np.argsort(bounds, kind="stable")
    while left.size and len(kept) < _MOST_DISTINCT:
        first = left[0]
        kept.append(first)
        depth = bounds[left] * np.einsum("nq,q->n", normals[left], normals[first]) - bounds[first]
        left = left[(depth * max(bounds[first], 1.0) < -_SLACK) & (left != first)]
    kept = np.concatenate([np.array(kept, dtype=np.int64), left])
    return normals[kept], bounds[kept]


def _mean_mass(masses, terms, few, lines, density=1.0):
    """Mean and its error of the masses along lines over their density, of a mixture that has fewer terms in groups.

    The groups are averaged over all lines, and what the mixture itself adds to them over a part.
    """
    density = np.broadcast_to(density, lines.shape[:2])

    def values(part, chosen):
        directions = lines[:, chosen]
        return masses(part, directions.reshape(-1, lines.shape[2])).reshape(directions.shape[:2]) / density[:, chosen]

    everywhere = values(few, slice(None))
    mean, error = _estimate(everywhere)
    if few is not terms:
        # Evenly spaced, so that both kinds of lines have the same shares as among all.
        some = slice(None, None, max(1, min(_CORRECTED, lines.shape[1] // 4)))
        more, more_error = _estimate(values(terms, some) - everywhere[:, some])
        mean, error = max(mean + more, 0.0), error + more_error
    return mean, error


def _estimate(values):
    """Mean and its error from values of shape (scramblings, points)."""
    scale = np.abs(values).max()
    if scale == 0:
        return 0.0, 0.0
    # In units of the largest value: squares of rare probabilities underflow.
    means = (values / scale).mean(axis=1)
    spread = means.std(ddof=1)
    # A value that has been met once, or never, does not show in the spread.
    return scale * means.mean(), scale * (_STANDARD_ERRORS * spread / np.sqrt(len(means)) + 1 / values.size)


def _uniform_numbers(count, dimension, seed):
    """Scrambled Sobol points, of shape (scramblings, points, dimension), inside (0, 1)."""
    from scipy.stats import qmc  # slow to import, and needed in three dimensions and more only

    exponent = max(0, int(np.ceil(np.log2(count / _SCRAMBLINGS))))
    generators = np.random.default_rng(seed).spawn(_SCRAMBLINGS)
    points = [qmc.Sobol(dimension, rng=generator).random_base2(exponent) for generator in generators]
    return np.clip(points, 2.0**-54, 1 - 2.0**-53)


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
