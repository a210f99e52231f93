"""Bad regions of the Gaussian mechanism and the mass of their union, paper A's theoretical upper limit T.

With c_j = (f(x) - f(x_j)) / sigma, the standardised gap between the dataset x and its neighbour x_j, and z the noise in
units of sigma, the log density ratio of x to x_j at the release is L_j(z) = <z, c_j> + |c_j|^2 / 2. The bad region of the
pair is {|L_j| > epsilon} (paper A, equation (13)). Nothing else about the query or the population matters.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from disclosure.gaussian_measure import select
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray

__all__ = ["as_gaps", "standardised_gaps", "subadditive_limit", "union_mass", "union_mass_as_printed"]


def standardised_gaps(target: ArrayLike, neighbours: ArrayLike, sigma: float) -> FloatArray:
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
    own = checks.within("target", target, "(-inf, inf)")
    others = checks.within("neighbours", neighbours, "(-inf, inf)")
    sigma = checks.number("sigma", sigma, "[0, inf)")
    fit = own.ndim >= 1 and others.ndim >= 2 and own.shape[-1] == others.shape[-1]
    try:
        np.broadcast_shapes(own.shape[:-1], others.shape[:-2])
    except ValueError:
        fit = False
    if not fit:
        raise errors.DomainError(
            f"target has shape {own.shape} and neighbours {others.shape}; expected (..., q) and (..., p, q)"
        )
    with np.errstate(divide="ignore", over="ignore"):
        difference = own[..., None, :] - others
        if sigma > 0:
            return np.asarray(difference / sigma)
        return np.asarray(np.divide(difference, sigma, out=np.zeros_like(difference), where=difference != 0))


def as_gaps(gaps: ArrayLike) -> FloatArray:
    """Return ``gaps`` as a float array of shape (..., p, q), q >= 1, or raise `DomainError`; infinities are allowed.

    A vector of p gaps is taken for gaps in one dimension, of shape (p, 1).
    """
    checked = checks.within("gaps", gaps, "[-inf, inf]")
    checked = checked[:, None] if checked.ndim == 1 else checked
    if checked.ndim < 2 or checked.shape[-1] < 1:
        raise errors.DomainError(f"gaps has shape {checked.shape}; expected (..., p, q) with q >= 1")
    return checked


def union_mass(
    gaps: ArrayLike, epsilon: float, lines: int = DEFAULT.lines, seed: int = DEFAULT.seed
) -> Estimate[FloatArray]:
    """Mass of the union of the bad regions, P_x(S_x): the probability that some |L_j| exceeds epsilon.

    It equals paper A, equation (29). The method depends on the number of dimensions that the gaps of a dataset span, whatever q
    is (`gaussian_measure.select`):

    - one: the good regions are intervals, and so is their intersection; outside of it are two normal tails (`line`);
    - two: the good regions are strips, and their intersection is a polygon. The mass outside is a sum of Owen's T functions
    over
      its edges (`plane`), with a relative error of 1e-10 however rare the union;
    - three and more: a mean over sampled directions of lines (`space`), in time linear in neighbours times lines. The error is
      two standard errors over independent scramblings, plus the largest value along a line over the number of lines. With the
      default number of lines, in 3 to 10 dimensions, it was seen to be 0.5% to 2% where delta is 0.08, and below 0.4% where
      delta is 1e-10. It falls almost as fast as the number of lines grows.

    Parameters
    ----------
    gaps : array_like, shape (..., p, q) or (p,)
        Standardised gaps; a vector is of p gaps in one dimension. Without neighbours (p = 0) the union is empty.
    epsilon : float
        In [0, inf). At 0 the mass is 1 unless all gaps are 0.
    lines : int, optional
        Number of lines through the origin, from 32 to 2^24, rounded up to a power of two; for three dimensions and more.
    seed : int, optional
        Seed of the sampled directions, at least 0.

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
    checked, epsilon = as_gaps(gaps), checks.number("epsilon", epsilon, "[0, inf)")
    return select.mass_outside_strips(checked, epsilon, Sampling.checked(lines, seed))


def subadditive_limit(neighbours: int, delta: float) -> float:
    """The cruder limit min(1, p delta) of paper A, section 4, for ``neighbours`` = p = n - m neighbours."""
    neighbours = checks.count("neighbours", neighbours, 0)
    return min(1.0, neighbours * checks.number("delta", delta, "[0, 1]"))


def union_mass_as_printed(gaps: ArrayLike, epsilon: float, **options: Any) -> float:
    """Paper A, equation (29), term by term: 2p multivariate normal integrals. Slow, a check of `union_mass`.

    The p normal variables are linear functions of q independent ones. So for p > q the integrals are singular, and numerical
    quadrature is good to a few digits only.

    Parameters
    ----------
    gaps : array_like, shape (p, q) or (p,)
        Finite standardised gaps of any dimension, or a vector of them in one.
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

    finite = as_gaps(checks.within("gaps", gaps, "(-inf, inf)"))
    if finite.ndim != 2:
        raise errors.DomainError(f"gaps has shape {finite.shape}; expected (p, q)")
    epsilon = checks.number("epsilon", epsilon, "(0, inf)")
    options.setdefault("rng", np.random.default_rng(0))
    distance = np.linalg.norm(finite, axis=1)
    finite, distance = finite[distance > 0], distance[distance > 0]
    units = finite / distance[:, None]
    first, second = -epsilon / distance - distance / 2, epsilon / distance - distance / 2
    total = 0.0
    for i in range(len(finite)):
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
