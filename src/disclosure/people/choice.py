"""How much noise, and which epsilon, keeps the ratio of everybody in a table within what is tolerated.

The noise is the one from which on a ratio is exceeded with a stated probability at most, by everybody and in every dataset: of
every table with the stated ranges (`sigma_from_ranges`), or of this table (`sigma_for_ratio`). No epsilon stands in between.

By the bounds (24) or (26) an epsilon follows from the largest tolerated ratio, and then the noise is the smallest sigma such
that a criterion of these bounds holds at this and at every larger sigma; `criteria` explains how it is found.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from disclosure.beliefs import inclusion, less_informed, ratio_limits, tolerated_ratio
from disclosure.mechanisms import conversions, gaussian, odds_risk, privacy
from disclosure.numerics import checks, errors, rounding
from disclosure.people import ratios
from disclosure.people.criteria import CRITERIA, Choice, FailureProbability, UnionMass
from disclosure.people.limits import Limits
from disclosure.people.neighbour_sets import neighbour_sets
from disclosure.people.queries import LINEAR, LinearQuery, Query
from disclosure.people.records import Records, check_sample

__all__ = [
    "RatioNoise",
    "calibrated_epsilon",
    "check_everybody",
    "convert",
    "epsilon_for_ratio",
    "epsilon_from_ranges",
    "sigma_for_any_number",
    "sigma_for_ratio",
    "sigma_from_ranges",
    "smallest_epsilon_for",
    "smallest_sigma",
]

# Range of what a criterion must not exceed. A search by bisection needs at most 1/2 (see `criteria`), and a mass below 1e-300
# has too few digits in floating point.
_FAILURE = "[1e-300, 0.5]"
_FAILURE_HINT = "a criterion that mostly fails is none, and smaller probabilities have too few digits in floating point"
# Epsilon up to which the limit for any number of neighbours is a float, and the absolute error of one that is looked for.
_LARGEST_EPSILON, _ROOT_ERROR = 700.0, 1e-12
# Relative distance of what was found from the limit up to which the limit is called attained.
_ATTAINED = 1e-6


class RatioNoise(NamedTuple):
    """Noise at which, and at every larger one, a ratio is exceeded with a stated probability at most, whoever the target is.

    Attributes
    ----------
    sigma : float
    largest : float
        What the probability of exceeding the ratio does not exceed, for everybody in the table and every dataset.
    found : float
        What it comes to for one person in the worst dataset found; NaN where that takes too long.
    person : int
        Whose it is: row of the table, counted from 1.
    kind : {"exact", "bound"}
        ``exact`` if `found` is `largest`, ``bound`` if the truth is between them.
    """

    sigma: float
    largest: float
    found: float
    person: int
    kind: str


def sigma_from_ranges(sensitivity: float, ratio: float, failure: float, prior: float = 0.0) -> float:
    """The smallest noise at which no target of any table exceeds a ratio with more than a stated probability.

    Parameters
    ----------
    sensitivity : float
        How far one record can move the answer, by the stated ranges; in (0, inf).
    ratio : float
        In (1, inf).
    failure : float
        In [1e-300, 1/2].
    prior : float, optional
        The target's prior probability, in [0, 1); for every prior by default.

    Returns
    -------
    float
        It is enough at every larger noise as well. It is needed for a table in which one person's record is at one corner of
        the ranges, and all others are at the opposite one.

    Examples
    --------
    >>> sigma_from_ranges(1.0, 2.0, 1e-3)
    4.6145...
    """
    failure = checks.number("failure", failure, _FAILURE, _FAILURE_HINT)
    return rounding.quotient_up(sensitivity, float(ratio_limits.reach_for(ratio, failure, prior)))


def sigma_for_ratio(
    records: Records, query: Query, sample: int, ratio: float, failure: float, every_prior: bool = False
) -> RatioNoise:
    """Noise at which nobody in a table exceeds a ratio with more than a stated probability, in any dataset.

    Parameters
    ----------
    records, query, sample, failure
        As in `smallest_sigma`.
    ratio : float
        In (1, inf).
    every_prior : bool, optional
        Whatever the target's prior is; otherwise at the smallest prior that the target has in this table.

    Returns
    -------
    RatioNoise
        Its sigma is 0 where nobody differs from anybody.
    """
    check_sample(records.size, sample)
    failure = checks.number("failure", failure, _FAILURE, _FAILURE_HINT)
    limits = Limits(records, _linear(query), sample)
    noise = limits.noise_of_all(ratio, failure, every_prior)
    sigma = noise.value
    if sigma == 0:
        return RatioNoise(0.0, 0.0, 0.0, records.row(noise.place), "exact")
    sets = neighbour_sets(0, records, sample, noise.place, 1)
    found = ratios.exceeding(records, query, sample, sigma, noise.place, sets, ratio, every_prior)
    largest = limits.exceeding_of_all(sigma, ratio, every_prior).value
    kind = "exact" if found >= largest * (1 - _ATTAINED) else "bound"
    return RatioNoise(sigma, largest, found, records.row(noise.place), kind)


def epsilon_for_ratio(largest_ratio: float, prior: float | None = None) -> float:
    """The epsilon at which an upper bound on the posterior-to-prior ratio is what is tolerated.

    Parameters
    ----------
    largest_ratio : float
        In (1, inf), and below 1 / prior: a posterior is at most 1, so that no release can exceed a larger ratio.
    prior : float, optional
        The target's prior probability, for the bound (24); the prior-free bound (26) without it.

    Returns
    -------
    float
        log(r (1 - prior) / (1 - r prior)), or log r; the bound at it never exceeds ``largest_ratio``.

    Examples
    --------
    >>> epsilon_for_ratio(2.0)
    0.693147...
    >>> epsilon_for_ratio(2.0, prior=1 / 21)
    0.744440...
    """
    largest_ratio = checks.number(
        "largest_ratio", largest_ratio, "(1, inf)", "a ratio of 1 allows no release to change any belief"
    )
    if prior is not None:
        prior = checks.number("prior", prior, "(0, 1)")
        if largest_ratio * prior >= 1:
            raise errors.DomainError(
                f"largest_ratio = {largest_ratio:g} is no constraint at the prior {prior:g}, for a posterior is at most 1; "
                f"allowed: above 1 and below {1 / prior:g}"
            )
    return float(tolerated_ratio.epsilon_for_ratio(largest_ratio, prior).epsilon)


def convert(epsilon: float, delta: float, failure: float) -> tuple[float, float]:
    """Probabilistic privacy from an approximate one, with the tightest bounds at a stated failure probability.

    By Corollary 1 epsilon_prime falls in delta_prime. The bounds (25) fail with probability at most delta_prime, however many
    neighbours there are: approximate privacy holds for mixtures of neighbours as well (docs/method.md, "Adversaries who know
    less"). So the largest delta_prime that the stated probability leaves room for is that probability, where paper A, section
    4, has it divided by n - m.

    Parameters
    ----------
    epsilon, delta : float
        Of approximate privacy.
    failure : float
        Stated failure probability of the bounds, in (delta, 1).

    Returns
    -------
    epsilon_prime, delta_prime : float

    Examples
    --------
    >>> convert(1.0, 1e-5, 1e-3)
    (1.01372..., 0.001)
    """
    delta = checks.number("delta", delta, "[0, 1)")
    failure = checks.number("failure", failure, "(0, 1)")
    if failure <= delta:
        raise errors.DomainError(
            f"failure = {failure:g} is not above delta = {delta:g}, so that Corollary 1 gives no bounds; state a larger "
            "failure or a smaller delta"
        )
    return conversions.approximate_to_probabilistic(epsilon, delta, delta_prime=failure)


def epsilon_from_ranges(sigma: float, failure: float, sensitivity: float, neighbours: float) -> float:
    """The smallest epsilon of bounds (24) that a noise keeps for every table, but for a stated probability.

    Parameters
    ----------
    sigma : float
        In (0, inf).
    failure : float
        In (0, 1).
    sensitivity : float
        In (0, inf).
    neighbours : float
        p = n - m; may be inf.

    Returns
    -------
    float
        The smaller one of two. Of p bad regions the union has p times the mass of one at most. And whatever p is, the bounds
        fail with probability at most `disclosure.beliefs.less_informed.failure_limit`.
    """
    mu = rounding.quotient_up(sensitivity, sigma)
    found = _epsilon_for_any_number(failure, mu)
    return found if neighbours == np.inf else min(found, calibrated_epsilon(sigma, failure / neighbours, sensitivity))


def _epsilon_for_any_number(failure: float, mu: float) -> float:
    """The smallest epsilon at which the limit for any number of neighbours is not above a probability."""

    def excess(epsilon: float) -> float:
        return less_informed.failure_limit(epsilon, mu) - failure

    if excess(_LARGEST_EPSILON) > 0:
        return np.inf
    root = brentq(excess, 0.0, _LARGEST_EPSILON, xtol=_ROOT_ERROR) if excess(0.0) > 0 else 0.0
    return float(rounding.to_private_side(np.vectorize(excess), root))


def sigma_for_any_number(sensitivity: float, epsilon: float, failure: float) -> float:
    """The noise at which the bounds (24) fail with a stated probability at most, however many neighbours there are.

    Takes the arguments of `epsilon_from_ranges`, with epsilon in (0, inf) in place of sigma. It is enough for every table with
    these ranges, at every larger noise as well.
    """
    return float(odds_risk.sigma_any(np.exp(epsilon), failure / (1 + np.exp(-epsilon)), sensitivity))


def smallest_epsilon_for(
    records: Records, query: Query, sample: int, sigma: float, failure: float, targets: Sequence[int]
) -> Choice:
    """The smallest epsilon whose bounds a given noise keeps for all targets, but for a tolerated union mass.

    Takes the arguments of `smallest_sigma`, with sigma in (0, inf) in place of epsilon.

    Returns
    -------
    Choice
        Its bounds (24) are the tightest whose largest union mass over people and datasets is not above ``failure``.
    """
    sigma = checks.number("sigma", sigma, "(0, inf)")
    criterion = _checked(records, query, sample, failure)
    epsilon, binding = criterion.smallest(
        targets, lambda epsilon: (sigma, epsilon), lambda mass, reach: calibrated_epsilon(sigma, mass, reach)
    )
    return criterion.choice(sigma, epsilon, targets, binding)


def smallest_sigma(
    records: Records,
    query: Query,
    sample: int,
    epsilon: float,
    failure: float,
    targets: Sequence[int],
    criterion: str = "union_mass",
    datasets: int = 20,
    seed: int = 0,
    bounds: inclusion.Bounds = "prior",
) -> Choice:
    """The smallest noise at which a criterion holds for all targets, at it and at every larger sigma.

    Parameters
    ----------
    records : Records
    query : Query
        Linear: for other queries the union over all sets of neighbours is not known.
    sample : int
        Size m of the dataset, 1 <= m < n.
    epsilon : float
        In (0, inf).
    failure : float
        What the criterion must not exceed, in [1e-300, 1/2].
    targets : sequence of int
        Places in the table, counted from 0.
    criterion : {"union_mass", "failure_probability"}, optional
        ``union_mass`` is the largest union mass over all sets of neighbours, with its numerical error added.
        ``failure_probability`` is the largest failure probability over ``datasets`` sampled sets, or over all if few are
        different. It is looked at for every sigma of a grid with steps of 3%, up to where the union mass settles the question
        for all larger sigma. It needs everybody among the targets, of people who are alike one: of somebody who is not looked
        at it is not known.
    datasets, seed : int, optional
        Of the sampled sets.
    bounds : {"prior", "prior_free"}, optional
        Of which bounds the failure probability is: (24) or (26). The union mass limits both.

    Returns
    -------
    Choice
        Its sigma is 0 where nobody differs from the target, since then no noise is needed.
    """
    epsilon = checks.number("epsilon", epsilon, "(0, inf)", "no noise level can be calibrated to epsilon = 0")
    if criterion not in CRITERIA:
        raise errors.DomainError(f"criterion = {criterion!r} is none of {', '.join(CRITERIA)}")
    union_mass = _checked(records, query, sample, failure)
    if criterion == "failure_probability":
        check_everybody(records, targets, criterion)
    sigma, binding = union_mass.smallest(
        targets, lambda sigma: (sigma, epsilon), lambda mass, reach: _calibrated(epsilon, mass, reach)
    )
    if criterion == "union_mass" or sigma == 0:
        return union_mass.choice(sigma, epsilon, targets, binding)
    sets = {target: neighbour_sets(seed, records, sample, target, datasets) for target in targets}
    return FailureProbability(union_mass, epsilon, sets, bounds).smallest(sigma)


def _calibrated(epsilon: float, mass: float, reach: float) -> float:
    """The noise at which the bad region of answers so far apart has this mass."""
    return gaussian.calibrate(epsilon, mass, reach, definition="probabilistic")


def calibrated_epsilon(sigma: float, delta: float, distance: float) -> float:
    """The epsilon to which a noise is calibrated: the bad region of answers so far apart has the mass delta, or less."""
    return float(privacy.probabilistic_epsilon(delta, rounding.quotient_up(distance, sigma)))


def check_everybody(records: Records, targets: Sequence[int], criterion: str) -> None:
    """Raise `DomainError` unless everybody is among the targets, of people who are alike one: others may need more noise."""
    cases = records.cases
    missing = len(cases.first) - len(np.unique(cases.of[np.asarray(targets)]))
    if missing:
        raise errors.DomainError(
            f"criterion = {criterion} needs everybody, and {missing:,} of {len(cases.first):,} different people are no "
            f"targets; take --targets {len(cases.first)}, or --criterion ratio"
        )


def _checked(records: Records, query: Query, sample: int, failure: float) -> UnionMass:
    check_sample(records.size, sample)
    failure = checks.number("failure", failure, _FAILURE, _FAILURE_HINT)
    _linear(query)
    return UnionMass(records, query, sample, failure)


def _linear(query: Query) -> LinearQuery:
    if not isinstance(query, LinearQuery):
        raise errors.DomainError(f"query {query.name} is not linear; noise can be chosen for {', '.join(LINEAR)}")
    return query
