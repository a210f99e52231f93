"""How often the bounds (24) fail for an adversary who knows some of the other members, for an attribute that is 0 or 1."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from disclosure.beliefs.knowledge import law_of_ones, worlds_of_ones
from disclosure.beliefs.less_informed import failure_by_answer, failure_limit, neighbouring_answers, union_mass
from disclosure.mechanisms import gaussian
from disclosure.numerics.types import FloatArray

__all__ = ["COLUMNS", "rows"]

# Shares of datasets that have lower failure probabilities than `dataset_low` and `dataset_high`: between is the middle 95%.
_LOW, _HIGH = 0.025, 0.975

# A row for each population and each number ``known`` of members that the adversary knows. `failure_probability` and
# `union_mass` (T) are means over all datasets, targets in them and sets of known members. `dataset_*` is about the failure
# probability of a dataset, with what is known of it, and `known_most` is the largest given only what is known.
# `worlds_union_mass` is the mean of T over all worlds at once, and no adversary's failure probability is above ``limit``.
COLUMNS = {
    "population": int,
    "sample": int,
    "ones": int,
    "sigma": float,
    "known": int,
    "failure_probability": float,
    "dataset_least": float,
    "dataset_low": float,
    "dataset_high": float,
    "dataset_most": float,
    "known_most": float,
    "union_mass": float,
    "worlds_union_mass": float,
    "limit": float,
}


class _Knowing(NamedTuple):
    """Adversaries with one number of known members: those of each target and each set of known members together.

    Attributes
    ----------
    shares, failures : ndarray
        Probabilities of all cases, a case a dataset with what is known of it, and the failure probability of each.
    largest : float
        Largest failure probability given only what is known.
    union_mass : float
        Mean of the union mass of all worlds.
    """

    shares: FloatArray
    failures: FloatArray
    largest: float
    union_mass: float


def rows(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Failure probabilities and their limits for every number of known members.

    Parameters
    ----------
    settings : dict
        ``populations``, each with n, m and the number of ones; ``epsilon`` and ``delta``.

    Returns
    -------
    dict of str to list
    """
    epsilon, delta = settings["epsilon"], settings["delta"]
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    limit = failure_limit(epsilon, 1 / sigma)
    lines = []
    for population, sample, ones in settings["populations"]:
        mass = delta * _with_neighbours(population, sample, ones)
        for known in range(sample):
            found = _knowing(population, sample, ones, known, epsilon, sigma)
            failures = (float(found.shares @ found.failures), *_spread(found), found.largest)
            lines.append((population, sample, ones, sigma, known, *failures, mass, found.union_mass, limit))
    return dict(zip(COLUMNS, map(list, zip(*lines, strict=True)), strict=True))


def _knowing(population: int, sample: int, ones: int, known: int, epsilon: float, sigma: float) -> _Knowing:
    shares, failures, largest, mass = [], [], 0.0, 0.0
    for target, people in ((0, population - ones), (1, ones)):
        if not people:
            continue
        for known_ones, weight in zip(*law_of_ones(population - 1, ones - target, known), strict=True):
            worlds = worlds_of_ones(population, sample, ones, known, int(known_ones), target)
            by_answer = failure_by_answer(worlds, scale=sigma, low=-epsilon, high=epsilon)
            share = people / population * weight
            shares.append(share * worlds.inside[1])
            failures.append(by_answer)
            largest = max(largest, float(worlds.inside[1] @ by_answer))
            mass += share * union_mass(worlds.inside, neighbouring_answers(worlds, target), epsilon, sigma)
    return _Knowing(np.concatenate(shares), np.concatenate(failures), largest, float(mass))


def _spread(knowing: _Knowing) -> tuple[float, float, float, float]:
    """The least failure probability of a dataset, the two ends of the middle 95% of datasets, and the largest."""
    order = np.argsort(knowing.failures, kind="stable")
    failures, below = knowing.failures[order], np.cumsum(knowing.shares[order])
    low, high = (float(failures[np.searchsorted(below, share * below[-1])]) for share in (_LOW, _HIGH))
    return float(failures[0]), low, high, float(failures[-1])


def _with_neighbours(population: int, sample: int, ones: int) -> float:
    """Probability that somebody outside a random dataset has another value than a random target in it."""
    alone = sum(
        math.comb(same - 1, population - sample) * same
        for same in (ones, population - ones)
        if same > population - sample
    )
    return 1 - alone / (math.comb(population - 1, population - sample) * population)
