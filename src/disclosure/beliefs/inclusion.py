"""The posterior-to-prior ratio of inclusion belief, its bounds, and the exact probability that they fail.

With the log density ratios L_j of `regions` and the prior w over the neighbours,

    g(z) = sum_j w_j exp(-L_j(z)),    R = 1 / (p + (1 - p) g),

p the prior of the target. For any p the ratio R keeps the bounds (24) exactly when |log g| <= epsilon.
"""

import math
from typing import NamedTuple

import numpy as np

from disclosure.beliefs.regions import LINES, MOST_LINES, as_gaps, by_rank
from disclosure.gaussian_measure import level_sets, plane, rays, space
from disclosure.mechanisms import conversions
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.normal import interval_mass

__all__ = [
    "RatioBounds",
    "approximate_ratio_bounds",
    "distribution",
    "failure_intervals",
    "failure_probability",
    "posterior",
    "prior_free_bounds",
    "ratio",
    "ratio_bounds",
]

# Elements of one block of gaps: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 14
# Smaller gaps are 0 and larger ones infinite for every epsilon that is not below the smallest one.
_NO_GAP, _INFINITE_GAP = 1e-100, 1e100
# Smallest epsilon beside 0: rounding of log g, 1e-16 of its largest terms, is small beside it.
_SMALLEST_EPSILON = 1e-12
# Weights that have been written with ten digits or so sum to 1 within this.
_SUM_TOLERANCE = 1e-9


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
    prior = checks.within("prior", prior, "(0, 1]")
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    checks.broadcast(prior=prior, epsilon=epsilon)
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
    delta_prime = checks.within("delta_prime", delta_prime, "(0, 1)")
    epsilon_prime, _ = conversions.approximate_to_probabilistic(epsilon, delta, delta_prime=delta_prime)
    return ratio_bounds(prior, epsilon_prime)


def prior_free_bounds(epsilon):
    """The wider bounds e^-epsilon and e^epsilon, the same for every prior (paper A, equation (26))."""
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    with np.errstate(over="ignore"):
        return RatioBounds(np.exp(-epsilon), np.exp(epsilon))


def posterior(release, candidates, sigma, weights=None):
    """Posterior probability of every candidate after a release (paper A, equation (31), normalised).

    Parameters
    ----------
    release : array_like, shape (..., m)
        The noisy output t.
    candidates : array_like, shape (c, m)
        The noiseless output for each of the c candidates, c >= 1.
    sigma : float
        Standard deviation of the noise, in (0, inf).
    weights : array_like, shape (c,), optional
        Prior probabilities of the candidates, positive and summing to 1 within 1e-9; they are divided by their sum. Uniform by
        default.

    Returns
    -------
    ndarray, shape (..., c)
    """
    release = checks.within("release", release, "(-inf, inf)")
    candidates = checks.within("candidates", candidates, "(-inf, inf)")
    if release.ndim < 1 or candidates.ndim != 2 or release.shape[-1] != candidates.shape[1]:
        raise errors.DomainError(
            f"release has shape {release.shape} and candidates {candidates.shape}; expected (..., m) and (c, m)"
        )
    if not len(candidates):
        raise errors.DomainError("candidates is empty; give the target's answer and those of the others")
    sigma = checks.number("sigma", sigma, "(0, inf)")
    weights = distribution("weights", weights, len(candidates))
    if weights.ndim > 1:
        raise errors.DomainError(
            f"weights has shape {weights.shape}; expected ({len(candidates)},), one for each candidate"
        )
    # Relative to the first candidate, so that a release far from all of them does not cancel.
    with np.errstate(over="ignore", invalid="ignore"):
        noise, gaps = (release - candidates[0]) / sigma, (candidates - candidates[0]) / sigma
        log_gamma = ((noise[..., None, :] - gaps / 2) * gaps).sum(axis=-1) + np.log(weights)
    if not np.isfinite(log_gamma).all():
        raise errors.DomainError(
            "release and candidates are so many sigma apart that log densities are infinite; take a larger sigma"
        )
    gamma = np.exp(log_gamma - log_gamma.max(axis=-1, keepdims=True))
    return gamma / gamma.sum(axis=-1, keepdims=True)


def ratio(release, candidates, sigma, weights=None):
    """Posterior-to-prior ratio of the first candidate, the target (paper A, equation (32)).

    Takes the arguments of `posterior`; the result has shape (...).
    """
    probabilities = posterior(release, candidates, sigma, weights)
    return probabilities[..., 0] / distribution("weights", weights, probabilities.shape[-1])[0]


def failure_probability(gaps, epsilon, weights=None, prior=None, bounds="prior", lines=LINES, seed=0):
    """Probability that the ratio leaves its bounds.

    How it is computed follows from the number of dimensions that the gaps of a dataset span, whatever q is:

    - one: the bounds fail in at most three intervals of the noise, whose ends Newton's method finds (`radial.sublevel`), and
      the probability is a sum of normal tails, exact up to rounding however small it is. Where log g hardly falls below a
      level, or hardly crosses it, the error says how far rounding may move the ends;
    - two: a mean over the directions of lines on which it is known in that way (`planar`), to a relative error of 1e-9, or the
      error that is returned where more than 16,384 directions would be needed;
    - three and more: the same with sampled directions (`directions`), with the error of `regions.union_mass`: seen to be 0.2%
      to 1.2% with the default number of lines, however small the probability. From 4,097 neighbours on all lines are taken for
      1,024 groups of them, and one line of 32 for what the neighbours themselves add.

    Parameters
    ----------
    gaps : array_like, shape (..., p, q)
        Standardised gaps. Without neighbours (p = 0) the ratio is 1 and nothing fails.
    epsilon : float
        0, where the probability is 1 unless all gaps are 0, or in [1e-12, inf).
    weights : array_like, shape (..., p), optional
        Prior over the neighbours given that the target is not included: positive, summing to 1 over p within 1e-9; they are
        divided by their sum. Uniform by default.
    prior : float, optional
        The target's prior probability, in (0, 1); 1 / (p + 1) by default. The bounds (24) fail together for every prior, so
        it matters for the prior-free bounds only.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24) or the wider (26).
    lines, seed : int, optional
        As in `regions.union_mass`.

    Returns
    -------
    Estimate
        Arrays of shape (...).

    Raises
    ------
    DomainError
        Outside these ranges.
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.

    Examples
    --------
    >>> float(failure_probability([[0.5], [-0.25]], 1.0).value)
    0.0002496951...
    """
    gaps, weights, levels = _problem(gaps, epsilon, weights, prior, bounds)
    lines, seed = checks.count("lines", lines, 32, MOST_LINES), checks.count("seed", seed, 0)
    value, error = np.zeros(gaps.shape[:-2]), np.zeros(gaps.shape[:-2])
    neighbours, dimension = gaps.shape[-2:]
    if neighbours == 0 or np.isinf(levels).all():
        return Estimate(value, error)
    if levels == (0, 0):
        # log g is analytic and, unless all gaps are 0, not constant: it is 0 almost nowhere.
        return Estimate((gaps != 0).any(axis=(-2, -1)).astype(float), error)
    flat_value, flat_error = value.reshape(-1), error.reshape(-1)
    gaps = gaps.reshape(-1, neighbours, dimension)
    largest = max(abs(level) for level in levels if np.isfinite(level))
    groups = [(slice(None), gaps)] if dimension == 1 else by_rank(gaps, largest)
    for rows, part in groups:
        part_weights = weights if len(weights) == 1 else weights[rows]
        if part.shape[-1] == 1:
            estimate = _mass_outside_intervals(part[..., 0], part_weights, *levels)
        else:
            estimate = _mass_outside_levels(part, part_weights, *levels, lines, seed)
        flat_value[rows], flat_error[rows] = estimate
    return Estimate(value, error)


def _mass_outside_intervals(gaps, weights, low, high):
    """Masses of the failure intervals and their errors."""
    intervals, doubt = _intervals(gaps, weights, low, high)
    value = _mass(intervals)
    error = _rounding(gaps.shape[1]) * value
    # Rare. Powers of two, so that a dataset gets the same one whatever the others are.
    doubtful = np.flatnonzero(doubt)
    shifts = 2.0 ** np.ceil(np.log2(np.maximum(doubt[doubtful], np.finfo(float).tiny)))
    for shift in np.unique(shifts):
        rows = doubtful[shifts == shift]
        part = gaps[rows], weights if len(weights) == 1 else weights[rows]
        fewer, more = (_intervals(*part, low - sign * shift, max(high + sign * shift, 0.0))[0] for sign in (1, -1))
        # What rounding alone may have opened is not counted: then an interval that shrinks to a point is empty.
        opened = fewer[:, 1, 0] > fewer[:, 1, 1]
        intervals[rows[opened], 1] = np.inf, -np.inf
        value[rows] = _mass(intervals[rows])
        error[rows] += np.maximum(_mass(more) - value[rows], value[rows] - _mass(fewer))
    return value, error


def _mass(intervals):
    return np.minimum(interval_mass(intervals[..., 0], intervals[..., 1]).sum(axis=-1), 1.0)


def _mass_outside_levels(gaps, weights, low, high, lines, seed):
    absent = np.isinf(gaps[..., 0])
    gaps = np.where(absent[..., None], 0.0, gaps)
    offsets = np.where(absent, np.inf, (gaps**2).sum(axis=-1) / 2)
    terms = level_sets.Terms(gaps, offsets, weights)
    if gaps.shape[-1] == 2:
        value, error = plane.mass_outside_levels(terms, low, high)
    else:
        value, error = space.mass_outside_levels(terms, low, high, lines, seed)
    return np.minimum(value, 1.0), error + _rounding(gaps.shape[1]) * value


def _rounding(neighbours):
    """Relative error that rounding may leave in a probability from a mixture of so many terms."""
    return max(1e-11, 1e-15 * neighbours)


def failure_intervals(gaps, epsilon, weights=None, prior=None, bounds="prior"):
    """Intervals of the noise z in which the ratio leaves its bounds, from left to right.

    Takes the arguments of `failure_probability`.

    Returns
    -------
    ndarray, shape (..., 3, 2)
        Open and disjoint. In the outer two the ratio is too small, in the middle one too large; ``(inf, -inf)`` stands for
        an empty interval.
    """
    gaps, weights, levels = _problem(gaps, epsilon, weights, prior, bounds)
    if gaps.shape[-1] > 1:
        raise errors.DomainError(f"gaps has q = {gaps.shape[-1]} dimensions; only with q = 1 are failures intervals")
    rows = gaps.reshape(math.prod(gaps.shape[:-2]), gaps.shape[-2])
    return _intervals(rows, weights, *levels)[0].reshape(*gaps.shape[:-2], 3, 2)


def _problem(gaps, epsilon, weights, prior, bounds):
    """Checked gaps; weights of shape (k, p) for k datasets, or (1, p) if all have the same; and the two levels of log g."""
    gaps, epsilon = as_gaps(gaps), checks.number("epsilon", epsilon, "[0, inf)")
    if 0 < epsilon < _SMALLEST_EPSILON:
        hint = "0 is allowed as well, and between the two log g has not digits enough"
        checks.number("epsilon", epsilon, f"[{_SMALLEST_EPSILON}, inf)", hint)
    if bounds not in ("prior", "prior_free"):
        raise errors.DomainError(f"bounds = {bounds!r} is neither 'prior' nor 'prior_free'")
    neighbours = gaps.shape[-2]
    weights = distribution("weights", weights, neighbours)
    if weights.ndim > 1:
        try:
            np.broadcast_to(weights, gaps.shape[:-1])
        except ValueError:
            raise errors.DomainError(
                f"weights has shape {weights.shape} and gaps {gaps.shape}; expected (p,), or (..., p) for gaps (..., p, q)"
            ) from None
        weights = np.broadcast_to(weights, gaps.shape[:-1]).reshape(math.prod(gaps.shape[:-2]), neighbours)
    prior = checks.number("prior", 1 / (neighbours + 1) if prior is None else prior, "(0, 1]")
    return (
        gaps,
        np.atleast_2d(weights),
        (-epsilon, epsilon) if bounds == "prior" else _prior_free_levels(prior, epsilon),
    )


def _intervals(gaps, weights, low, high):
    """Failure intervals of datasets, block by block, and the doubt about them, of `radial.doubtful_sublevel`."""
    intervals, doubt = np.empty((len(gaps), 3, 2)), np.zeros(len(gaps))
    intervals[...] = np.inf, -np.inf
    if gaps.shape[1]:
        step = max(1, _BLOCK // gaps.shape[1])
        for start in range(0, len(gaps), step):
            block = slice(start, start + step)
            part_weights = weights if len(weights) == 1 else weights[block]
            doubt[block] = _set_intervals(intervals[block], gaps[block], part_weights, low, high)
    return intervals, doubt


def _set_intervals(intervals, gaps, weights, low, high):
    slopes, offsets = _affine(np.ascontiguousarray(gaps.T))
    columns = np.ascontiguousarray(weights.T)
    *middle, doubt = rays.doubtful_sublevel(slopes, offsets, columns, low)
    intervals[:, 1] = np.column_stack(middle)
    # log g(0) <= 0 <= high: the closed sublevel set is never empty, and the high set lies on both sides of it.
    left, right, more_doubt = rays.doubtful_sublevel(slopes, offsets, columns, high, closed=True)
    bounded = left > -np.inf
    intervals[bounded, 0, 0], intervals[bounded, 0, 1] = -np.inf, left[bounded]
    bounded = right < np.inf
    intervals[bounded, 2, 0], intervals[bounded, 2, 1] = right[bounded], np.inf
    return np.maximum(doubt, more_doubt)


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


def distribution(name, weights, size):
    """Positive weights over the last axis, divided by their sum, which is 1 but for the digits left out; uniform if None."""
    if weights is None:
        return np.full(size, 1 / size) if size else np.empty(0)
    weights = checks.within(name, weights, "(0, 1]", "leave out candidates without prior probability")
    if weights.shape[-1:] != (size,):
        raise errors.DomainError(f"{name} has shape {weights.shape}; expected {size} along its last axis")
    total = weights.sum(axis=-1, keepdims=True)
    if size and not np.allclose(total, 1.0, rtol=0, atol=_SUM_TOLERANCE):
        raise errors.DomainError(f"{name} sums to {float(total.flat[0])!r}; a distribution sums to 1")
    return weights / total
