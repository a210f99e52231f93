"""The posterior-to-prior ratio of inclusion belief, its bounds, and the exact probability that they fail.

With the log density ratios L_j of `regions` and the prior w over the neighbours,

    g(z) = sum_j w_j exp(-L_j(z)),    R = 1 / (p + (1 - p) g),

p the prior of the target. For any p the ratio R keeps the bounds (24) exactly when |log g| <= epsilon.
"""

from typing import NamedTuple

import numpy as np

from disclosure import conversions, domain, radial
from disclosure.normal import interval_mass
from disclosure.regions import as_gaps

__all__ = [
    "RatioBounds",
    "approximate_ratio_bounds",
    "failure_intervals",
    "failure_probability",
    "posterior",
    "prior_free_bounds",
    "ratio",
    "ratio_bounds",
]

# Elements of one block of gaps: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 14
_NO_GAP, _INFINITE_GAP = 1e-100, 1e100


class RatioBounds(NamedTuple):
    """Lower and upper bound on the posterior-to-prior ratio."""

    lower: np.ndarray
    upper: np.ndarray


def ratio_bounds(prior, epsilon):
    """Bounds on the ratio outside the union of the bad regions (paper A, equation (24)).

    Parameters
    ----------
    prior : array_like
        The target's prior probability of inclusion, in (0, 1].
    epsilon : array_like
        Of probabilistic privacy, in [0, inf).

    Returns
    -------
    RatioBounds

    Examples
    --------
    >>> lower, upper = ratio_bounds(1 / 11, 1.0)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.3903, 2.351)
    """
    prior = domain.within("prior", prior, "(0, 1]")
    epsilon = domain.within("epsilon", epsilon, "[0, inf)")
    shrunk = np.exp(-epsilon)
    # 1 / (p + (1 - p) e^epsilon) without the overflow; at p = 1 both bounds are 1 for every epsilon.
    with np.errstate(invalid="ignore"):
        lower = np.where(prior == 1, 1.0, shrunk / (prior * shrunk + (1 - prior)))
    return RatioBounds(lower, 1 / (prior + (1 - prior) * shrunk))


def approximate_ratio_bounds(prior, epsilon, delta, delta_prime):
    """Bounds on the ratio for a mechanism with approximate privacy (paper A, equation (25)).

    Parameters
    ----------
    prior : array_like
        In (0, 1].
    epsilon, delta : float
        Of approximate privacy; delta in [0, 1).
    delta_prime : float
        Of the probabilistic privacy that follows by Corollary 1, in (delta, 1). Corollary 2 of the paper writes
        [delta, 1), but at delta_prime = delta its epsilon is infinite.

    Returns
    -------
    RatioBounds
    """
    delta_prime = domain.within("delta_prime", delta_prime, "(0, 1)")
    epsilon_prime, _ = conversions.approximate_to_probabilistic(epsilon, delta, delta_prime=delta_prime)
    return ratio_bounds(prior, epsilon_prime)


def prior_free_bounds(epsilon):
    """The wider bounds e^-epsilon and e^epsilon, the same for every prior (paper A, equation (26))."""
    epsilon = domain.within("epsilon", epsilon, "[0, inf)")
    with np.errstate(over="ignore"):
        return RatioBounds(np.exp(-epsilon), np.exp(epsilon))


def posterior(release, candidates, sigma, weights=None):
    """Posterior probability of every candidate after a release (paper A, equation (31), normalised).

    Parameters
    ----------
    release : array_like, shape (..., m)
        The noisy output t.
    candidates : array_like, shape (c, m)
        The noiseless output for each of the c candidates.
    sigma : float
        Standard deviation of the noise, in (0, inf).
    weights : array_like, shape (c,), optional
        Prior probabilities of the candidates, positive and summing to 1; uniform by default.

    Returns
    -------
    ndarray, shape (..., c)
    """
    release = domain.within("release", release, "(-inf, inf)")
    candidates = domain.within("candidates", candidates, "(-inf, inf)")
    if release.ndim < 1 or candidates.ndim != 2 or release.shape[-1] != candidates.shape[1]:
        raise domain.DomainError(
            f"release has shape {release.shape} and candidates {candidates.shape}; expected (..., m) and (c, m)"
        )
    sigma = domain.number("sigma", sigma, "(0, inf)")
    weights = _distribution("weights", weights, candidates.shape[0])
    log_gamma = -(((release[..., None, :] - candidates) / sigma) ** 2).sum(axis=-1) / 2 + np.log(weights)
    gamma = np.exp(log_gamma - log_gamma.max(axis=-1, keepdims=True))
    return gamma / gamma.sum(axis=-1, keepdims=True)


def ratio(release, candidates, sigma, weights=None):
    """Posterior-to-prior ratio of the first candidate, the target (paper A, equation (32)).

    Takes the arguments of `posterior`; the result has shape (...).
    """
    probabilities = posterior(release, candidates, sigma, weights)
    return probabilities[..., 0] / _distribution("weights", weights, probabilities.shape[-1])[0]


def failure_probability(gaps, epsilon, weights=None, prior=None, bounds="prior"):
    """Probability that the ratio leaves its bounds, exact up to rounding.

    In one dimension the bounds fail in at most three intervals of the noise, whose ends Newton's method finds
    (`radial.sublevel`); the probability is a sum of normal tails, with relative accuracy however small it is.

    Parameters
    ----------
    gaps : array_like, shape (..., p, q)
        Standardised gaps; q = 1. Without neighbours (p = 0) the ratio is 1 and nothing fails.
    epsilon : float
        In [0, inf).
    weights : array_like, shape (..., p), optional
        Prior over the neighbours given that the target is not included: positive, summing to 1 over p. Uniform by
        default.
    prior : float, optional
        The target's prior probability, in (0, 1); 1 / (p + 1) by default. The bounds (24) fail together for every prior, so
        it matters for the prior-free bounds only.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24) or the wider (26).

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> float(failure_probability([[0.5], [-0.25]], 1.0))
    0.0002496951...
    """
    intervals = failure_intervals(gaps, epsilon, weights, prior, bounds)
    return np.minimum(interval_mass(intervals[..., 0], intervals[..., 1]).sum(axis=-1), 1.0)


def failure_intervals(gaps, epsilon, weights=None, prior=None, bounds="prior"):
    """Intervals of the noise z in which the ratio leaves its bounds, from left to right.

    Takes the arguments of `failure_probability`.

    Returns
    -------
    ndarray, shape (..., 3, 2)
        Open and disjoint. In the outer two the ratio is too small, in the middle one too large; ``(inf, -inf)`` stands for
        an empty interval.
    """
    gaps = as_gaps(gaps)[..., 0]
    epsilon = domain.number("epsilon", epsilon, "[0, inf)")
    if bounds not in ("prior", "prior_free"):
        raise domain.DomainError(f"bounds = {bounds!r} is neither 'prior' nor 'prior_free'")
    leading, neighbours = gaps.shape[:-1], gaps.shape[-1]
    weights = _distribution("weights", weights, neighbours)
    prior = domain.number("prior", 1 / (neighbours + 1) if prior is None else prior, "(0, 1]")
    intervals = np.empty((*leading, 3, 2))
    intervals[...] = np.inf, -np.inf
    if neighbours == 0:
        return intervals
    levels = (-epsilon, epsilon) if bounds == "prior" else _prior_free_levels(prior, epsilon)

    rows = gaps.reshape(-1, neighbours)
    row_weights = np.broadcast_to(weights, gaps.shape).reshape(rows.shape) if weights.ndim > 1 else weights[None]
    flat = intervals.reshape(-1, 3, 2)
    step = max(1, _BLOCK // neighbours)
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        block_weights = row_weights if len(row_weights) == 1 else row_weights[block]
        flat[block] = _intervals(rows[block], block_weights, *levels)
    return intervals


def _intervals(gaps, weights, low, high):
    slopes, offsets = _affine(np.ascontiguousarray(gaps.T))
    columns = np.ascontiguousarray(weights.T)
    intervals = np.empty((len(gaps), 3, 2))
    intervals[...] = np.inf, -np.inf
    intervals[:, 1] = np.column_stack(radial.sublevel(slopes, offsets, columns, low))
    # log g(0) <= 0 <= high: the closed sublevel set is never empty, and the high set lies on both sides of it.
    left, right = radial.sublevel(slopes, offsets, columns, high, closed=True)
    bounded = left > -np.inf
    intervals[bounded, 0, 0], intervals[bounded, 0, 1] = -np.inf, left[bounded]
    bounded = right < np.inf
    intervals[bounded, 2, 0], intervals[bounded, 2, 1] = right[bounded], np.inf
    return intervals


def _affine(gaps):
    """Slope and offset in z of each log density ratio, z c + c^2 / 2.

    Gaps that no float of any consequence can tell from 0 are 0. An infinite gap, or one as good as that, leaves a term of g
    that is 0 wherever the noise can be.
    """
    size = np.abs(gaps)
    slopes = np.where((size < _NO_GAP) | (size > _INFINITE_GAP), 0.0, gaps)
    return slopes, np.where(size > _INFINITE_GAP, np.inf, slopes**2 / 2)


def _prior_free_levels(prior, epsilon):
    """Levels of log g beyond which R > e^epsilon and R < e^-epsilon; -inf where the former is impossible."""
    if prior == 1:
        return -np.inf, np.inf
    low = np.log1p(np.expm1(-epsilon) / (1 - prior)) if prior < np.exp(-epsilon) else -np.inf
    high = (
        np.log1p(np.expm1(epsilon) / (1 - prior))
        if epsilon < 1
        else epsilon + np.log1p(-prior * np.exp(-epsilon)) - np.log1p(-prior)
    )
    return float(low), float(high)


def _distribution(name, weights, size):
    """Positive weights over the last axis, summing to 1; uniform if None."""
    if weights is None:
        return np.full(size, 1 / size) if size else np.empty(0)
    weights = domain.within(name, weights, "(0, 1]", "leave out candidates without prior probability")
    if weights.shape[-1:] != (size,):
        raise domain.DomainError(f"{name} has shape {weights.shape}; expected {size} along its last axis")
    if size and not np.allclose(weights.sum(axis=-1), 1.0, rtol=0, atol=1e-9):
        raise domain.DomainError(f"{name} sums to {float(weights.sum(axis=-1).flat[0])!r}; a distribution sums to 1")
    return weights
