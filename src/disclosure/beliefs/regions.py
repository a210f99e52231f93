"""Bad regions of the Gaussian mechanism and the mass of their union, paper A's theoretical upper limit T.

With c_j = (f(x) - f(x_j)) / sigma, the standardised gap between the dataset x and its neighbour x_j, and z the noise in
units of sigma, the log density ratio of x to x_j at the release is L_j(z) = <z, c_j> + |c_j|^2 / 2. The bad region of the
pair is {|L_j| > epsilon} (paper A, equation (13)). Nothing else about the query or the population matters.
"""

import numpy as np
from scipy.special import ndtr

from disclosure.gaussian_measure import plane, space
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate

__all__ = ["as_gaps", "by_rank", "standardised_gaps", "subadditive_limit", "union_mass", "union_mass_as_printed"]


# Of how many lines the directions are averaged over, in three dimensions and more.
LINES = 1 << 12
# More need more memory than time is worth waiting for.
MOST_LINES = 1 << 24
# Relative error that rounding may leave in a normal tail, and in its argument.
_ROUNDING = 1e-12
_PLANAR_ROUNDING = 1e-10
# No noise in floating point reaches the good region of a gap so long, nor leaves it a share in the ratio.
_FAR_GAP = 100.0
# Smaller gaps, and dimensions in which all gaps together are smaller by this factor, make no difference.
_NO_GAP, _FLAT = 1e-100, 1e-13
# Below this epsilon |c|^2 / 2 is nothing beside it, unless the gap c is so long that it is exceeded almost surely: gaps and
# epsilon may be enlarged together.
_TINY_EPSILON = 1e-60
# Numbers of the gaps that are worked on at a time, so that memory stays bounded beside the gaps themselves.
_BLOCK = 1 << 20


def standardised_gaps(target, neighbours, sigma):
    """Differences between a dataset's answer and those of its neighbours, in units of the noise.

    Parameters
    ----------
    target : array_like, shape (..., q)
        Answer f(x) of the dataset; for scalar attributes, q = 1, the target's attribute.
    neighbours : array_like, shape (..., p, q)
        Answers f(x_j) of the p neighbours.
    sigma : float
        Standard deviation of the noise, in [0, inf). At 0, the noiseless limit, every gap is 0 or infinite.

    Returns
    -------
    ndarray, shape (..., p, q)

    Examples
    --------
    >>> standardised_gaps([0.5], [[0.25], [0.5], [1.0]], 0.5)[:, 0]
    array([ 0.5,  0. , -1. ])
    """
    target = checks.within("target", target, "(-inf, inf)")
    neighbours = checks.within("neighbours", neighbours, "(-inf, inf)")
    sigma = checks.number("sigma", sigma, "[0, inf)")
    fit = target.ndim >= 1 and neighbours.ndim >= 2 and target.shape[-1] == neighbours.shape[-1]
    try:
        np.broadcast_shapes(target.shape[:-1], neighbours.shape[:-2])
    except ValueError:
        fit = False
    if not fit:
        raise errors.DomainError(
            f"target has shape {target.shape} and neighbours {neighbours.shape}; expected (..., q) and (..., p, q)"
        )
    with np.errstate(divide="ignore", over="ignore"):
        difference = target[..., None, :] - neighbours
        return np.divide(difference, sigma, out=np.zeros_like(difference), where=difference != 0)


def as_gaps(gaps):
    """Return ``gaps`` as a float array of shape (..., p, q), q >= 1, or raise `DomainError`; infinities are allowed."""
    gaps = checks.within("gaps", gaps, "[-inf, inf]")
    if gaps.ndim < 2 or gaps.shape[-1] < 1:
        raise errors.DomainError(f"gaps has shape {gaps.shape}; expected (..., p, q) with q >= 1")
    return gaps


def by_rank(gaps, level):
    """Sort datasets by how many dimensions their gaps need, block by block, and describe the gaps in those.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, q)
    level : float
        The largest |L_j| that matters. A gap so long that no noise leaves |L_j| anywhere near it becomes infinite.

    Yields
    ------
    rows : ndarray of int
        Datasets of the same block and of the same rank r.
    ndarray, shape (number of rows, p, max(r, 1))
        The gaps turned into r coordinates, (inf, 0, ..., 0) where they are infinite.
    """
    step = max(1, _BLOCK // max(1, gaps.shape[1] * gaps.shape[2]))
    for start in range(0, len(gaps), step):
        block = gaps[start : start + step]
        with np.errstate(over="ignore"):
            infinite = np.linalg.norm(block, axis=-1) > _FAR_GAP + 2 * np.sqrt(level)
        finite = np.where(infinite[..., None], 0.0, block)
        _, sizes, axes = np.linalg.svd(finite, full_matrices=False)
        ranks = (sizes > np.maximum(_FLAT * sizes.max(axis=1, keepdims=True, initial=0.0), _NO_GAP)).sum(axis=1)
        for rank in np.unique(ranks):
            rows = np.flatnonzero(ranks == rank)
            turned = np.ascontiguousarray(np.einsum("kpi,kji->kpj", finite[rows], axes[rows, : max(rank, 1)]))
            turned[infinite[rows], 0] = np.inf
            yield start + rows, turned


def union_mass(gaps, epsilon, lines=LINES, seed=0):
    """Mass of the union of the bad regions, P_x(S_x): the probability that some |L_j| exceeds epsilon.

    It equals paper A, equation (29). How it is computed follows from the number of dimensions that the gaps of a dataset
    span, whatever q is:

    - one: the good regions are intervals, and so is their intersection, which leaves two normal tails;
    - two: they are strips, their intersection is a polygon, and what lies behind its edges is a sum of Owen's T functions
      (`planar`), to a relative error of 1e-10 however rare the union;
    - three and more: a mean over sampled directions (`directions`), in time linear in neighbours times lines. The error is
      two standard errors over independent scramblings, and the largest value along a line over their number: with the default
      number of lines, in 3 to 10 dimensions, seen to be 0.5% to 2% where delta is 0.08 and below 0.4% where it is 1e-10. It
      falls almost as fast as the number of lines grows.

    Parameters
    ----------
    gaps : array_like, shape (..., p, q)
        Standardised gaps. Without neighbours (p = 0) the union is empty.
    epsilon : float
        In [0, inf). At 0 the mass is 1 unless all gaps are 0.
    lines : int, optional
        Number of lines through the origin, from 32 to 2^24, rounded up to a power of two; for three dimensions and more.
    seed : int, optional
        Of the lines' directions.

    Returns
    -------
    Estimate
        Arrays of shape (...).

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    >>> float(union_mass([[0.5], [-0.25]], 1.0).value)
    0.0522836...
    >>> float(union_mass([[0.3, 0.4], [-0.2, 0.15]], 1.0).value)
    0.0523517...
    """
    gaps, epsilon = as_gaps(gaps), checks.number("epsilon", epsilon, "[0, inf)")
    lines, seed = checks.count("lines", lines, 32, MOST_LINES), checks.count("seed", seed, 0)
    if epsilon == 0:
        value = (gaps != 0).any(axis=(-2, -1)).astype(float)
        return Estimate(value, np.zeros(value.shape))
    if gaps.shape[-1] == 1:
        value = _mass_outside_intervals(gaps[..., 0], epsilon)
        return Estimate(value, _ROUNDING * value)
    if epsilon < _TINY_EPSILON:
        factor = 2.0 ** np.round(np.log2(_TINY_EPSILON / epsilon))
        with np.errstate(over="ignore"):
            gaps, epsilon = gaps * factor, epsilon * factor
    value, error = np.zeros(gaps.shape[:-2]), np.zeros(gaps.shape[:-2])
    if gaps.shape[-2]:
        flat_value, flat_error = value.reshape(-1), error.reshape(-1)
        for rows, part in by_rank(gaps.reshape(-1, *gaps.shape[-2:]), epsilon):
            flat_value[rows], flat_error[rows] = _mass_outside_strips(part, epsilon, lines, seed)
    return Estimate(value, error)


def _mass_outside_strips(gaps, epsilon, lines, seed):
    """Mass of the union and its error, for datasets whose gaps span all their dimensions."""
    if gaps.shape[-1] == 1:
        value = _mass_outside_intervals(gaps[..., 0], epsilon)
        return value, _ROUNDING * value
    distance = np.linalg.norm(gaps, axis=-1)
    certain = np.isinf(distance).any(axis=1)
    value = np.ones(len(gaps))
    gaps, distance = gaps[~certain], distance[~certain]
    zero = distance < _NO_GAP
    with np.errstate(divide="ignore", invalid="ignore"):
        normals = np.where(zero[..., None], 0.0, gaps / distance[..., None])
        half_width = np.where(zero, np.inf, epsilon / distance)
    strips = normals, -half_width - distance / 2, half_width - distance / 2
    if gaps.shape[-1] == 2:
        value[~certain] = plane.mass_outside_strips(*strips)
        return value, _PLANAR_ROUNDING * value
    error = np.zeros(len(value))
    value[~certain], error[~certain] = space.mass_outside_strips(*strips, lines, seed)
    return value, error


def _mass_outside_intervals(gaps, epsilon):
    lower, upper = _good_intervals(gaps, epsilon)
    lower, upper = lower.max(axis=-1, initial=-np.inf), upper.min(axis=-1, initial=np.inf)
    return np.where(lower < upper, ndtr(lower) + ndtr(-upper), 1.0)


def _good_intervals(gaps, epsilon):
    """Noise z with |z c + c^2 / 2| <= epsilon; everything where the gap c is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        half_width = np.where(gaps == 0, np.inf, epsilon / np.abs(gaps))
    return -half_width - gaps / 2, half_width - gaps / 2


def subadditive_limit(neighbours, delta):
    """The cruder limit min(1, p delta) of paper A, section 4, for ``neighbours`` = p = n - m neighbours."""
    neighbours = checks.count("neighbours", neighbours, 0)
    return min(1.0, neighbours * checks.number("delta", delta, "[0, 1]"))


def union_mass_as_printed(gaps, epsilon, **options):
    """Paper A, equation (29), term by term: 2p multivariate normal integrals. Slow, a check of `union_mass`.

    The p variables are q-dimensional at heart, so the integrals are singular for p > q, and numerical quadrature is good
    to a few digits only.

    Parameters
    ----------
    gaps : array_like, shape (p, q)
        Finite standardised gaps of any dimension.
    epsilon : float
        In (0, inf).
    **options
        For ``scipy.stats.multivariate_normal.cdf``. Without a generator ``rng`` among them its integrator draws from one with
        the seed 0, the same in every call.

    Returns
    -------
    float
    """
    from scipy.stats import multivariate_normal  # slow to import, and nothing but the check needs it

    gaps = checks.within("gaps", gaps, "(-inf, inf)")
    if gaps.ndim != 2:
        raise errors.DomainError(f"gaps has shape {gaps.shape}; expected (p, q)")
    epsilon = checks.number("epsilon", epsilon, "(0, inf)")
    options.setdefault("rng", np.random.default_rng(0))
    distance = np.linalg.norm(gaps, axis=1)
    gaps, distance = gaps[distance > 0], distance[distance > 0]
    units = gaps / distance[:, None]
    first, second = -epsilon / distance - distance / 2, epsilon / distance - distance / 2
    total = 0.0
    for i in range(len(gaps)):
        for sign, end in ((1.0, first[i]), (-1.0, -second[i])):
            signs = np.ones(i + 1)
            signs[i] = sign
            covariance = units[: i + 1] @ units[: i + 1].T * np.outer(signs, signs)
            np.fill_diagonal(covariance, 1.0)
            total += multivariate_normal.cdf(
                np.append(second[:i], end),
                cov=covariance,
                allow_singular=True,
                lower_limit=np.append(first[:i], -np.inf),
                **options,
            )
    return float(total)
