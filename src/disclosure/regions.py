"""Bad regions of the Gaussian mechanism and the mass of their union, paper A's theoretical upper limit T.

With c_j = (f(x) - f(x_j)) / sigma, the standardised gap between the dataset x and its neighbour x_j, and z the noise in
units of sigma, the log density ratio of x to x_j at the release is L_j(z) = <z, c_j> + |c_j|^2 / 2. The bad region of the
pair is {|L_j| > epsilon} (paper A, equation (13)). Nothing else about the query or the population matters.
"""

import numpy as np
from scipy.special import ndtr

from disclosure import domain

__all__ = ["as_gaps", "standardised_gaps", "subadditive_limit", "union_mass", "union_mass_as_printed"]


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
    target = domain.within("target", target, "(-inf, inf)")
    neighbours = domain.within("neighbours", neighbours, "(-inf, inf)")
    sigma = domain.number("sigma", sigma, "[0, inf)")
    if target.ndim < 1 or neighbours.ndim < 2 or target.shape[-1] != neighbours.shape[-1]:
        raise domain.DomainError(
            f"target has shape {target.shape} and neighbours {neighbours.shape}; expected (..., q) and (..., p, q)"
        )
    difference = target[..., None, :] - neighbours
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(difference, sigma, out=np.zeros_like(difference), where=difference != 0)


def as_gaps(gaps):
    """Return ``gaps`` as a float array of shape (..., p, q), q >= 1, or raise `DomainError`; infinities are allowed."""
    gaps = domain.within("gaps", gaps, "[-inf, inf]")
    if gaps.ndim < 2 or gaps.shape[-1] < 1:
        raise domain.DomainError(f"gaps has shape {gaps.shape}; expected (..., p, q) with q >= 1")
    if gaps.shape[-1] > 1:
        raise NotImplementedError(f"gaps has q = {gaps.shape[-1]} dimensions; only q = 1 can be computed")
    return gaps


def union_mass(gaps, epsilon):
    """Mass of the union of the bad regions, P_x(S_x): the probability that some |L_j| exceeds epsilon.

    It equals paper A, equation (29). In one dimension the good regions are intervals, and so is their intersection, which
    leaves two normal tails.

    Parameters
    ----------
    gaps : array_like, shape (..., p, q)
        Standardised gaps; q = 1. Without neighbours (p = 0) the union is empty.
    epsilon : float
        In [0, inf).

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> float(union_mass([[0.5], [-0.25]], 1.0))
    0.0522836...
    """
    epsilon = domain.number("epsilon", epsilon, "[0, inf)")
    lower, upper = _good_intervals(as_gaps(gaps)[..., 0], epsilon)
    lower, upper = lower.max(axis=-1, initial=-np.inf), upper.min(axis=-1, initial=np.inf)
    return np.where(lower < upper, ndtr(lower) + ndtr(-upper), 1.0)


def _good_intervals(gaps, epsilon):
    """Noise z with |z c + c^2 / 2| <= epsilon; everything where the gap c is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        half_width = np.where(gaps == 0, np.inf, epsilon / np.abs(gaps))
    return -half_width - gaps / 2, half_width - gaps / 2


def subadditive_limit(neighbours, delta):
    """The cruder limit min(1, p delta) of paper A, section 4, for ``neighbours`` = p = n - m neighbours."""
    neighbours = domain.count("neighbours", neighbours, 0)
    return min(1.0, neighbours * domain.number("delta", delta, "[0, 1]"))


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
        For ``scipy.stats.multivariate_normal.cdf``.

    Returns
    -------
    float
    """
    from scipy.stats import multivariate_normal  # slow to import, and nothing but the check needs it

    gaps = domain.within("gaps", gaps, "(-inf, inf)")
    epsilon = domain.number("epsilon", epsilon, "(0, inf)")
    distance = np.linalg.norm(gaps, axis=1)
    gaps, distance = gaps[distance > 0], distance[distance > 0]
    directions = gaps / distance[:, None]
    first, second = -epsilon / distance - distance / 2, epsilon / distance - distance / 2
    total = 0.0
    for i in range(len(gaps)):
        for sign, end in ((1.0, first[i]), (-1.0, -second[i])):
            signs = np.ones(i + 1)
            signs[i] = sign
            covariance = directions[: i + 1] @ directions[: i + 1].T * np.outer(signs, signs)
            np.fill_diagonal(covariance, 1.0)
            total += multivariate_normal.cdf(
                np.append(second[:i], end),
                cov=covariance,
                allow_singular=True,
                lower_limit=np.append(first[:i], -np.inf),
                **options,
            )
    return float(total)
