"""What all statistics of a planned release reveal together about each person of a table."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from disclosure.beliefs import ratio_limits
from disclosure.numerics.types import Columns, FloatArray
from disclosure.people.asked import Asked
from disclosure.people.exposure import movements
from disclosure.people.limits import Limits
from disclosure.people.neighbour_sets import neighbour_sets
from disclosure.people.priors import largest_prior, least_prior, smallest_prior
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records
from disclosure.people.targets import Targets
from disclosure.releases.budget import Budget
from disclosure.releases.plan import NoisyPart
from disclosure.releases.unlike_noises import exceeding_by_rho, fall_by_rho, rise_by_rho, simulated

__all__ = ["RangeLimits", "joint_movements", "range_limits"]

# What is found of a person: in the worst datasets, with the ends of an interval where it is simulated.
_FOUND = ("rise_found", "rise_found_low", "rise_found_high", "fall_found")
# People with the largest limits for whom releases are drawn.
_SIMULATED = 5


class RangeLimits(NamedTuple):
    """What holds for everybody in every table with the stated ranges, so that it is safe to publish.

    Attributes
    ----------
    asked : Asked
    prior : float
        The smallest of a target.
    rise, fall : float
        Factors that belief in presence does not rise beyond, and not fall below, except with the probability asked.
    exceeding : float
        A limit on the probability that it rises by more than the ratio asked.
    """

    asked: Asked
    prior: float
    rise: float
    fall: float
    exceeding: float


def range_limits(found: Budget, prior: float, asked: Asked) -> RangeLimits:
    """Limits that follow from a release's budget alone.

    Parameters
    ----------
    found : Budget
    prior : float
        In [0, 1); 0 for every prior.
    asked : Asked

    Returns
    -------
    RangeLimits
    """
    if not found.normal:
        return RangeLimits(asked, prior, *_by_rho(found.rho, found.epsilon_pure, prior, asked))
    return RangeLimits(asked, prior, *_by_mu(found.mu, prior, asked))


def _by_mu(mu: float, prior: float, asked: Asked) -> tuple[float, float, float]:
    """Limits on rise, fall and the probability of the ratio, for normal noise and gaps no longer than mu."""
    return (
        float(ratio_limits.rise_limit(mu, asked.probability, prior)),
        float(ratio_limits.fall_limit_within(mu, asked.probability, prior)),
        float(ratio_limits.exceeding_limit(mu, asked.ratio, prior)),
    )


def _by_rho(rho: float, epsilon: float, prior: float, asked: Asked) -> tuple[float, float, float]:
    """The same for other noise."""
    return (
        rise_by_rho(rho, asked.probability, prior, epsilon),
        fall_by_rho(rho, asked.probability, prior, epsilon),
        exceeding_by_rho(rho, asked.ratio, prior, epsilon),
    )


def joint_movements(
    records: Records,
    query: Query,
    parts: Sequence[NoisyPart],
    found: Budget,
    sample: int,
    targets: Targets,
    datasets: int,
    seed: int,
    asked: Asked,
) -> Columns:
    """How far belief in the presence of some people moves by all statistics of a release together.

    Parameters
    ----------
    records, query
        As `disclosure.releases.stack.stacked` returns them.
    parts : sequence of NoisyPart
    found : Budget
        Of these parts, with what was spent before.
    sample : int
        Size m of the dataset.
    targets : Targets
    datasets : int
        Sets of neighbours that are drawn of each target, where the worst is not known.
    seed : int
    asked : Asked

    Returns
    -------
    dict of str to ndarray, shape (t,)
        ``person``, ``people`` who are like it, ``prior``, ``rise_found``, ``rise_found_low``, ``rise_found_high``,
        ``fall_found``, ``rise_limit``, ``fall_limit``, ``posterior_limit`` and ``exceeding_limit``, as of
        `disclosure.people.exposure.Exposure`; and, the same in each row, ``rise_limit_of_all`` and ``fall_limit_of_all``. With
        noise that is not all normal what is found is simulated, for the people with the largest limits, and its interval of 95%
        is from low to high; otherwise both are the value itself.
    """
    places = targets.places.tolist()
    limits = [_limits(records, query, found, sample, place, asked) for place in places]
    own = {
        f"{name}_limit": np.array(values) for name, values in zip(_Own._fields, zip(*limits, strict=True), strict=True)
    }
    of_all = range_limits(found, least_prior(records, sample), asked)
    common = {"rise_limit_of_all": of_all.rise, "fall_limit_of_all": of_all.fall}
    moved: Columns
    if found.normal:
        moved = movements(records, query, sample, 1.0, targets, datasets, seed, asked=asked)
        moved = {**moved, "rise_found_low": moved["rise_found"], "rise_found_high": moved["rise_found"]}
        if isinstance(query, LinearQuery):
            common = {name: moved[name][0].item() for name in common}
    else:
        moved = _drawn(records, query, parts, sample, places, own["rise_limit"], datasets, seed, asked)
    return {
        "person": records.row_numbers(targets.places),
        "people": targets.people,
        "prior": np.array([smallest_prior(records, sample, place) for place in places]),
        **{name: moved[name] for name in _FOUND},
        **own,
        **{name: np.full(len(places), value) for name, value in common.items()},
    }


class _Own(NamedTuple):
    """Limits of one person for every dataset."""

    rise: float
    fall: float
    posterior: float
    exceeding: float


def _limits(records: Records, query: Query, found: Budget, sample: int, target: int, asked: Asked) -> _Own:
    if found.normal and isinstance(query, LinearQuery):
        own = Limits(records, query, sample)
        return _Own(
            own.rise(target, 1.0, asked.probability),
            own.fall(target, 1.0, asked.probability),
            own.posterior(target, 1.0, asked.probability),
            own.exceeding(target, 1.0, asked.ratio),
        )
    # Of answers that are no sums only the stated sensitivity limits the gaps.
    known = found
    if isinstance(query, LinearQuery):
        known = dataclasses.replace(found, rho=_farthest(records, query, target) ** 2 / 2)
    least, most = smallest_prior(records, sample, target), largest_prior(records, sample, target)
    limits = range_limits(known, least, asked)
    posterior = most * range_limits(known, most, asked).rise if most else 0.0
    return _Own(limits.rise, limits.fall, posterior, limits.exceeding)


def _farthest(records: Records, query: LinearQuery, target: int) -> float:
    """The length of a target's longest gap."""
    gaps = query.differences(records.values[target], records.of_others(target))
    return float(np.linalg.norm(gaps, axis=1).max())


def _drawn(
    records: Records,
    query: Query,
    parts: Sequence[NoisyPart],
    sample: int,
    places: Sequence[int],
    limits: FloatArray,
    datasets: int,
    seed: int,
    asked: Asked,
) -> Columns:
    """What drawn releases come to for the people with the largest limits; NaN for the others."""
    table = np.full((len(places), len(_FOUND)), np.nan)
    for place in np.argsort(-limits, kind="stable")[:_SIMULATED].tolist():
        sets = neighbour_sets(seed, records, sample, places[place], datasets)
        rise, fall = simulated(records, query, parts, sample, places[place], sets, asked.probability, seed)
        table[place] = (*rise, fall.value)
    return dict(zip(_FOUND, table.T, strict=True))
