"""Which epsilon, and how much noise, keeps the ratio of everybody in a table within what is tolerated.

Epsilon follows from the largest tolerated posterior-to-prior ratio, by the bounds (24) or (26). The noise is the smallest sigma
such that a criterion holds at this and at every larger sigma; `criteria` explains how it is found.
"""

from collections.abc import Sequence

import numpy as np

from disclosure.beliefs import inclusion, tolerated_ratio
from disclosure.mechanisms import conversions, gaussian, privacy
from disclosure.numerics import checks, errors, rounding
from disclosure.people.criteria import CRITERIA, Choice, FailureProbability, UnionMass
from disclosure.people.neighbour_sets import neighbour_sets
from disclosure.people.queries import LINEAR, LinearQuery, Query
from disclosure.people.records import Records, check_sample

__all__ = ["calibrated_epsilon", "convert", "epsilon_for_ratio", "smallest_epsilon_for", "smallest_sigma"]

# Range of what a criterion must not exceed. A search by bisection needs at most 1/2 (see `criteria`), and a mass below 1e-300
# has too few digits in floating point.
_FAILURE = "[1e-300, 0.5]"


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


def convert(epsilon: float, delta: float, failure: float, neighbours: int) -> tuple[float, float]:
    """Probabilistic privacy from an approximate one, with the tightest bounds at a stated failure probability.

    By Corollary 1 epsilon_prime falls in delta_prime. The bounds (25) fail with probability at most p delta_prime over p
    neighbours (paper A, section 4), so the largest delta_prime that the stated probability leaves room for is failure / p.

    Parameters
    ----------
    epsilon, delta : float
        Of approximate privacy.
    failure : float
        Stated failure probability of the bounds, in (p delta, 1).
    neighbours : int
        p = n - m.

    Returns
    -------
    epsilon_prime, delta_prime : float

    Examples
    --------
    >>> convert(1.0, 1e-5, 1e-3, 20)
    (1.29413..., 5e-05)
    """
    delta = checks.number("delta", delta, "[0, 1)")
    failure = checks.number("failure", failure, "(0, 1)")
    if failure <= neighbours * delta:
        raise errors.DomainError(
            f"failure = {failure:g} is not above {neighbours} neighbours times delta = {delta:g}, so that Corollary 1 gives no "
            f"bounds; state a failure above {neighbours * delta:g} or a delta below {failure / neighbours:g}"
        )
    return conversions.approximate_to_probabilistic(epsilon, delta, delta_prime=failure / neighbours)


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
        at the failure probability is not known.
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
        _check_everybody(records, targets)
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


def _check_everybody(records: Records, targets: Sequence[int]) -> None:
    cases = records.cases
    missing = len(cases.first) - len(np.unique(cases.of[np.asarray(targets)]))
    if missing:
        raise errors.DomainError(
            f"criterion = failure_probability needs everybody, and {missing:,} of {len(cases.first):,} different people are no "
            f"targets; take --targets {len(cases.first)}, or --criterion union_mass"
        )


def _checked(records: Records, query: Query, sample: int, failure: float) -> UnionMass:
    check_sample(len(records), sample)
    hint = "a criterion that mostly fails is none, and smaller probabilities have too few digits in floating point"
    failure = checks.number("failure", failure, _FAILURE, hint)
    if not isinstance(query, LinearQuery):
        raise errors.DomainError(f"query {query.name} is not linear; noise can be chosen for {', '.join(LINEAR)}")
    return UnionMass(records, query, sample, failure)
