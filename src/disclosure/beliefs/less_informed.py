"""What is left of the bounds (24) for an adversary who knows some of the other members only.

The bounds fail where log g leaves -epsilon to epsilon, with g the density of the release given that the target is not in the
data over the one given that it is (`mixtures`). Both are mixed over the worlds of `knowledge`.

This g is a mean of the g of better informed adversaries, who know all members but the target, one for each world; the weights
are what the release says of the worlds. So the bounds hold where they hold in every world. But a release that is good in the
true world may be bad in others. Hence paper A's limit T is none for this adversary, be it that of the true dataset or its mean
over the worlds. `union_mass` over all worlds is a limit, and so is `failure_limit` (docs/method.md, "Adversaries who know
less").
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import mixtures
from disclosure.beliefs.knowledge import Atoms, Worlds, on_grid, sampled_answers
from disclosure.beliefs.noises import noise_named
from disclosure.mechanisms import odds_risk
from disclosure.numerics import checks
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.normal import interval_mass
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = [
    "failure_by_answer",
    "failure_limit",
    "neighbouring_answers",
    "sampled_failure_probability",
    "union_mass",
]

# Natural logarithm. The largest float is e^709.78.
_LARGEST_EPSILON = 700.0
# Scales of the noise. Distance of the answers to which sampled ones are moved.
_SPACING = 1 / 32
# Groups of sets, of which one at a time is left out for the error.
_GROUPS = 20
# Standard errors in the error that is returned. With so many groups a larger normal deviation has a probability of 0.0008.
_STANDARD_ERRORS = 4


def failure_by_answer(worlds: Worlds, *, noise: str = "gaussian", scale: float, low: float, high: float) -> FloatArray:
    """Failure probability for each answer that the data may have, given that the target is in.

    Parameters
    ----------
    worlds : Worlds
    noise, scale, low, high
        As for `mixtures.failure_probability`. The bounds (24) fail where log g leaves -epsilon to epsilon.

    Returns
    -------
    ndarray
        One for each answer inside. Their mean with the weights inside is the failure probability given what the adversary
        knows, `mixtures.failure_probability` with ``inside`` as the truth.
    """
    intervals = np.concatenate(mixtures.failure_intervals(*worlds, noise=noise, scale=scale, low=low, high=high))
    answers = worlds.inside[0][:, None]
    return np.asarray(noise_named(noise, scale).mass(intervals[:, 0] - answers, intervals[:, 1] - answers).sum(axis=1))


def sampled_failure_probability(
    target: float,
    others: ArrayLike,
    drawn: int,
    *,
    noise: str = "gaussian",
    scale: float,
    low: float,
    high: float,
    sets: int,
    generator: np.random.Generator,
) -> Estimate[float]:
    """Failure probability for values that are any numbers, from random sets of the others.

    Parameters
    ----------
    target : float
        The target's value.
    others : array_like, shape (n - k - 1,)
        Values of the people who are neither the target nor known to be members.
    drawn : int
        m - k, how many members are not known, from 1 to n - k - 1.
    noise : {"gaussian", "laplace"}, optional
    scale, low, high : float
        As for `mixtures.failure_probability`.
    sets : int
        How many sets are drawn, at least 20.
    generator : numpy.random.Generator

    Returns
    -------
    Estimate
        The error is the sum of four standard errors of the jackknife, which leaves out a twentieth of the sets at a time, the
        bias that it sees, and the difference that answers on a grid twice as coarse make.
    """
    sets = checks.count("sets", sets, _GROUPS)
    inside, outside = sampled_answers(target, others, drawn, sets, generator)

    def probability(chosen: slice | BoolArray, spacing: float = _SPACING) -> float:
        worlds = Worlds(*(on_grid(answers[chosen], spacing * scale) for answers in (inside, outside)))
        return mixtures.failure_probability(
            worlds.inside, worlds.outside, worlds.inside, noise=noise, scale=scale, low=low, high=high
        ).value

    value = probability(slice(None))
    group = np.arange(sets) % _GROUPS
    without = np.array([probability(group != left_out) for left_out in range(_GROUPS)])
    bias = (_GROUPS - 1) * (without.mean() - value)
    spread = math.sqrt((_GROUPS - 1) * np.mean((without - without.mean()) ** 2))
    coarse = abs(probability(slice(None), 2 * _SPACING) - value)
    return Estimate(value, _STANDARD_ERRORS * spread + abs(bias) + coarse)


def neighbouring_answers(worlds: Worlds, target: int) -> FloatArray:
    """Answers of neighbouring worlds, for an attribute that is 0 or 1: someone else of another value in the target's place.

    Parameters
    ----------
    worlds : Worlds
        Of `worlds_of_ones`.
    target : {0, 1}
        The target's value.

    Returns
    -------
    ndarray, shape (p, 2)
        Answers with the target and with the other.
    """
    own = worlds.inside[0]
    others = own + 1 - 2 * target
    different = np.isin(others, worlds.outside[0])
    return np.column_stack([own[different], others[different]])


def union_mass(inside: Atoms, pairs: ArrayLike, epsilon: float, sigma: float) -> float:
    """Probability that a release lies in the bad region of some pair of neighbouring worlds, for the Gaussian mechanism.

    With one world inside this is paper A's theoretical upper limit T. It is not below the failure probability, whatever the
    adversary knows.

    Parameters
    ----------
    inside : Atoms
        Law of the answer in truth.
    pairs : array_like, shape (p, 2)
        Answers of all pairs of neighbouring worlds.
    epsilon : float
        In (0, inf).
    sigma : float
        Standard deviation of the noise, in (0, inf).

    Returns
    -------
    float

    Examples
    --------
    >>> from disclosure.beliefs.knowledge import worlds_of_ones
    >>> worlds = worlds_of_ones(20, 18, 10, known=16, known_ones=8)
    >>> round(union_mass(worlds.inside, neighbouring_answers(worlds, 1), 1.0, 1.81889766), 4)
    0.1411
    """
    ends = checks.within("pairs", pairs, "(-inf, inf)").reshape(-1, 2)
    epsilon, sigma = checks.number("epsilon", epsilon, "(0, inf)"), checks.number("sigma", sigma, "(0, inf)")
    ends = ends[ends[:, 0] != ends[:, 1]]
    if not len(ends):
        return 0.0
    middle, half = ends.mean(axis=1), epsilon * sigma**2 / np.abs(ends[:, 0] - ends[:, 1])
    lower, upper = (middle - half).max(), (middle + half).min()
    if lower >= upper:
        return 1.0
    answers, weights = inside
    outer = interval_mass(-np.inf, (lower - answers) / sigma) + interval_mass((upper - answers) / sigma, np.inf)
    return float(weights @ outer)


def failure_limit(epsilon: float, mu: float) -> float:
    """The failure probability that no adversary exceeds, for the Gaussian mechanism.

    It holds for the bounds (24), whatever the adversary knows and believes of the other people, if the data without the target
    are those with the target in which somebody else, or another household, has taken the place. It is the smallest delta' that
    Theorem 2 of paper A gives for epsilon: approximate privacy, unlike probabilistic, holds for mixtures of neighbours as well.

    Parameters
    ----------
    epsilon : float
        In [0, 700].
    mu : float
        Sensitivity over sigma, in (0, inf).

    Returns
    -------
    float
        (1 + e^-epsilon) Phi(a), where Phi(a) = e^epsilon Phi(a - mu), or 1 if that is less. For noise that is calibrated to a
        small delta it is about e delta.

    Examples
    --------
    >>> round(failure_limit(1.0, 1 / 1.81889766), 3)
    0.191
    """
    epsilon = checks.number("epsilon", epsilon, f"[0, {_LARGEST_EPSILON:g}]")
    rises = float(odds_risk.failure_any(math.exp(epsilon), checks.number("mu", mu, "(0, inf)")))
    return min((1 + math.exp(-epsilon)) * rises, 1.0)
