"""The posterior-to-prior ratio of inclusion belief, its bounds, and the exact probability that they fail.

With the log density ratios L_j of `regions` and the prior w over the neighbours,

    g(z) = sum_j w_j exp(-L_j(z)),    R = 1 / (p + (1 - p) g),

p the prior of the target. For any p the ratio R keeps the bounds (24) exactly when |log g| <= epsilon.
"""

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs.regions import as_gaps
from disclosure.gaussian_measure import line, select
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.mechanisms import conversions
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray

__all__ = [
    "BOUNDS",
    "Bounds",
    "Levels",
    "RatioBounds",
    "approximate_ratio_bounds",
    "bounds_of",
    "failure_intervals",
    "failure_probability",
    "levels_of",
    "posterior",
    "prior_free_bounds",
    "ratio",
    "ratio_bounds",
]

# Smallest epsilon other than 0. The rounding of log g, some 1e-16 times its number of terms, is then small beside epsilon.
_SMALLEST_EPSILON = 1e-12

# Which bounds on the ratio are meant: (24), which fail at the same releases for every prior, or the wider (26).
Bounds = Literal["prior", "prior_free"]
BOUNDS: tuple[Bounds, ...] = get_args(Bounds)


class RatioBounds(NamedTuple):
    """Lower and upper bound on the posterior-to-prior ratio."""

    lower: FloatArray
    upper: FloatArray


def ratio_bounds(prior: ArrayLike, epsilon: ArrayLike) -> RatioBounds:
    """Bounds on the ratio outside the union of the bad regions (paper A, equation (24)).

    Parameters
    ----------
    prior : array_like
        The target's prior probability of inclusion, in [0, 1]; 0 in an infinite population.
    epsilon : array_like
        Parameter of probabilistic privacy, in [0, inf).

    Returns
    -------
    RatioBounds

    Examples
    --------
    >>> lower, upper = ratio_bounds(1 / 11, 1.0)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.3903, 2.351)
    """
    prior = checks.within("prior", prior, "[0, 1]")
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    checks.broadcast(prior=prior, epsilon=epsilon)
    shrunk = np.exp(-epsilon)
    # 1 / (p + (1 - p) e^epsilon) without the overflow; at p = 1 both bounds are 1 for every epsilon.
    with np.errstate(invalid="ignore"):
        lower = np.where(prior == 1, 1.0, shrunk / (prior * shrunk + (1 - prior)))
    return RatioBounds(lower, 1 / (prior + (1 - prior) * shrunk))


def approximate_ratio_bounds(prior: ArrayLike, epsilon: float, delta: float, delta_prime: float) -> RatioBounds:
    """Bounds on the ratio for a mechanism with approximate privacy (paper A, equation (25)).

    Parameters
    ----------
    prior : array_like
        In [0, 1].
    epsilon, delta : float
        Of approximate privacy; delta in [0, 1).
    delta_prime : float
        Of the probabilistic privacy that follows by Corollary 1, in (delta, 1). Corollary 2 of the paper writes
        [delta, 1), but at delta_prime = delta its epsilon is infinite.

    Returns
    -------
    RatioBounds
    """
    delta_prime = checks.number("delta_prime", delta_prime, "(0, 1)")
    epsilon_prime, _ = conversions.approximate_to_probabilistic(epsilon, delta, delta_prime=delta_prime)
    return ratio_bounds(prior, epsilon_prime)


def prior_free_bounds(epsilon: ArrayLike) -> RatioBounds:
    """The wider bounds e^-epsilon and e^epsilon, the same for every prior (paper A, equation (26))."""
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    with np.errstate(over="ignore"):
        return RatioBounds(np.exp(-epsilon), np.exp(epsilon))


class Levels(NamedTuple):
    """Levels of log g between which the ratio keeps its bounds: it is too large below ``low``, and too small above ``high``."""

    low: float
    high: float


def bounds_of(bounds: Bounds, epsilon: float, prior: float) -> RatioBounds:
    """The bounds on the ratio that a name stands for.

    Parameters
    ----------
    bounds : {"prior", "prior_free"}
        The bounds (24) or the wider (26).
    epsilon : float
        In [0, inf).
    prior : float
        The target's prior probability, in [0, 1].

    Returns
    -------
    RatioBounds

    Examples
    --------
    >>> lower, upper = bounds_of("prior_free", 1.0, 1 / 11)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.3679, 2.7183)
    """
    return ratio_bounds(prior, epsilon) if _checked(bounds) == "prior" else prior_free_bounds(epsilon)


def levels_of(bounds: Bounds, epsilon: float, prior: float) -> Levels:
    """The levels of log g at which the ratio R = 1 / (p + (1 - p) g) is at its bounds; parameters are those of `bounds_of`.

    Returns
    -------
    Levels
        -epsilon and epsilon for (24). For (26) log((e^-epsilon - p) / (1 - p)) and log((e^epsilon - p) / (1 - p)), the first
        -inf from p = e^-epsilon on: then no ratio exceeds e^epsilon, since none exceeds 1 / p.

    Examples
    --------
    >>> levels_of("prior_free", 1.0, 0.5)
    Levels(low=-inf, high=1.489...)
    """
    if _checked(bounds) == "prior":
        return Levels(-epsilon, epsilon)
    if prior == 1:
        return Levels(-math.inf, math.inf)
    low = np.log1p(np.expm1(-epsilon) / (1 - prior)) if prior < np.exp(-epsilon) else -np.inf
    high = (
        np.log1p(np.expm1(epsilon) / (1 - prior))
        if epsilon < 1
        else epsilon + np.log1p(-prior * np.exp(-epsilon)) - np.log1p(-prior)
    )
    return Levels(float(low), float(high))


def _checked(bounds: Bounds) -> Bounds:
    if bounds not in BOUNDS:
        raise errors.DomainError(f"bounds = {bounds!r} is neither 'prior' nor 'prior_free'")
    return bounds


def posterior(release: ArrayLike, candidates: ArrayLike, sigma: float, weights: ArrayLike | None = None) -> FloatArray:
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
    noisy = checks.within("release", release, "(-inf, inf)")
    answers = checks.within("candidates", candidates, "(-inf, inf)")
    if noisy.ndim < 1 or answers.ndim != 2 or noisy.shape[-1] != answers.shape[1]:
        raise errors.DomainError(
            f"release has shape {noisy.shape} and candidates {answers.shape}; expected (..., m) and (c, m)"
        )
    if not len(answers):
        raise errors.DomainError("candidates is empty; give the target's answer and those of the others")
    sigma = checks.number("sigma", sigma, "(0, inf)")
    priors = checks.distribution("weights", weights, len(answers))
    if priors.ndim > 1:
        raise errors.DomainError(
            f"weights has shape {priors.shape}; expected ({len(answers)},), one for each candidate"
        )
    # Log densities relative to that of the first candidate: the squares of large distances, which would cancel, are not taken.
    with np.errstate(over="ignore", invalid="ignore"):
        noise, gaps = (noisy - answers[0]) / sigma, (answers - answers[0]) / sigma
        log_gamma = ((noise[..., None, :] - gaps / 2) * gaps).sum(axis=-1) + np.log(priors)
    if not np.isfinite(log_gamma).all():
        raise errors.DomainError(
            "release and candidates are so many sigma apart that log densities are infinite; take a larger sigma"
        )
    gamma = np.exp(log_gamma - log_gamma.max(axis=-1, keepdims=True))
    return np.asarray(gamma / gamma.sum(axis=-1, keepdims=True))


def ratio(release: ArrayLike, candidates: ArrayLike, sigma: float, weights: ArrayLike | None = None) -> FloatArray:
    """Posterior-to-prior ratio of the first candidate, the target (paper A, equation (32)).

    Takes the arguments of `posterior`; the result has shape (...).
    """
    probabilities = posterior(release, candidates, sigma, weights)
    priors = checks.distribution("weights", weights, probabilities.shape[-1])
    return np.asarray(probabilities[..., 0] / priors[0])


def failure_probability(
    gaps: ArrayLike,
    epsilon: float,
    weights: ArrayLike | None = None,
    prior: float | None = None,
    bounds: Bounds = "prior",
    lines: int = DEFAULT.lines,
    seed: int = DEFAULT.seed,
    negligible: float = 0.0,
) -> Estimate[FloatArray]:
    """Failure probability: the probability that the posterior-to-prior ratio leaves its bounds (paper A, (24) or (26)).

    The method depends on the number of dimensions that the gaps of a dataset span, whatever q is (`gaussian_measure.select`):

    - one: the bounds fail in at most three intervals of the noise, whose ends Newton's method finds (`crossings`), and
      the probability is a sum of normal tails, exact up to rounding however small it is. Where log g hardly falls below a
      level, or hardly crosses it, the error says how far rounding may move the ends;
    - two: it is found in that way along each line, and averaged over the directions of lines (`plane`). The relative error is
      1e-9, or what the returned error says where more than 16,384 directions would be needed;
    - three and more: the same with sampled directions (`space`). The error is estimated as in `regions.union_mass`; it was seen
      to be 0.2% to 1.2% with the default number of lines, however small the probability. From 4,097 neighbours on, all lines
      are taken for 1,024 groups of neighbours, and one line of 32 for the difference that the neighbours themselves make.

    Parameters
    ----------
    gaps : array_like, shape (..., p, q) or (p,)
        Standardised gaps; a vector is of p gaps in one dimension. Without neighbours (p = 0) the ratio is 1 and nothing fails.
    epsilon : float
        0, where the probability is 1 unless all gaps are 0, or in [1e-12, inf).
    weights : array_like, shape (..., p), optional
        Prior over the neighbours given that the target is not included: positive, summing to 1 over p within 1e-9; they are
        divided by their sum. Uniform by default.
    prior : float, optional
        The target's prior probability, in [0, 1]; 1 / (p + 1) by default. The bounds (24) fail together for every prior, so
        it matters for the prior-free bounds only.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24) or the wider (26).
    lines, seed : int, optional
        As in `regions.union_mass`.
    negligible : float, optional
        In one dimension, a normal tail in [0, 0.5) that may be left out on either side: ends of the intervals that lie farther
        out are not looked for where a bound tells so. Twice this is part of the stated error, which is then absolute. 0, by
        default, leaves nothing out.

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
    problem = _problem(gaps, epsilon, weights, prior, bounds)
    return select.mass_outside_levels(*problem, Sampling.checked(lines, seed, negligible))


def failure_intervals(
    gaps: ArrayLike,
    epsilon: float,
    weights: ArrayLike | None = None,
    prior: float | None = None,
    bounds: Bounds = "prior",
) -> FloatArray:
    """Intervals of the noise z in which the ratio leaves its bounds, from left to right.

    Takes the arguments of `failure_probability`.

    Returns
    -------
    ndarray, shape (..., 3, 2)
        Open and disjoint. In the outer two the ratio is too small, in the middle one too large; ``(inf, -inf)`` stands for
        an empty interval.
    """
    checked, shares, low, high = _problem(gaps, epsilon, weights, prior, bounds)
    *shape, neighbours, dimension = checked.shape
    if dimension > 1:
        raise errors.DomainError(f"gaps has q = {dimension} dimensions; only with q = 1 are failures intervals")
    if not neighbours:
        return np.broadcast_to([np.inf, -np.inf], (*shape, 3, 2)).copy()
    datasets = checked.reshape(math.prod(shape), neighbours, 1)
    return line.intervals_outside_levels(datasets, shares, low, high).reshape(*shape, 3, 2)


def _problem(
    gaps: ArrayLike, epsilon: float, weights: ArrayLike | None, prior: float | None, bounds: Bounds
) -> tuple[FloatArray, FloatArray, float, float]:
    """Checked gaps; weights of shape (k, p) for k datasets, or (1, p) if all have the same; and the two levels of log g."""
    checked, epsilon = as_gaps(gaps), checks.number("epsilon", epsilon, "[0, inf)")
    if 0 < epsilon < _SMALLEST_EPSILON:
        hint = "0 is allowed as well, and between the two log g has not digits enough"
        checks.number("epsilon", epsilon, f"[{_SMALLEST_EPSILON}, inf)", hint)
    *shape, neighbours, _ = checked.shape
    shares = checks.distribution("weights", weights, neighbours)
    if shares.ndim > 1:
        try:
            shares = np.broadcast_to(shares, checked.shape[:-1])
        except ValueError:
            raise errors.DomainError(
                f"weights has shape {shares.shape} and gaps {checked.shape}; "
                "expected (p,), or (..., p) for gaps (..., p, q)"
            ) from None
    shares = shares.reshape(math.prod(shape) if shares.ndim > 1 else 1, neighbours)
    prior = checks.number("prior", 1 / (neighbours + 1) if prior is None else prior, "[0, 1]")
    return checked, shares, *levels_of(bounds, epsilon, prior)
