"""Belief in presence where the noise of a stack of answers is not all normal: limits by rho, and simulated releases.

Nothing is known in closed form of a sum of unlike log density ratios. But Renyi divergences add up over entries, that of an
entry with a gap of c being alpha c^2 / 2 at most, normal or not, and those of mixtures are not above the largest of what is
mixed. So with rho = max_j |c_j|^2 / 2 over all neighbours, Markov's inequality at its best order gives, of the odds of
presence,

    P(they rise by more than e^t) <= e^(-(t - rho)^2 / (4 rho)),    t >= rho,
    P(they fall by more than e^t) <= e^(-(t + rho)^2 / (4 rho)),    t >= rho,    and e^-t for every t.

Noise of pure privacy alone moves them by e^epsilon at most. Beside these limits stands what drawn releases come to.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from disclosure.mechanisms import discrete_gaussian, geometric, odds_risk
from disclosure.numerics.types import FloatArray
from disclosure.people.gaps import merged, sampled_gaps
from disclosure.people.neighbour_sets import NeighbourSets
from disclosure.people.priors import beliefs
from disclosure.people.queries import Query
from disclosure.people.ratios import looked_at
from disclosure.people.records import Records
from disclosure.releases.plan import PURE, NoisyPart
from disclosure.study import any_mechanism, streams
from disclosure.study.any_mechanism import Interval

__all__ = ["Simulated", "StackedNoise", "exceeding_by_rho", "fall_by_rho", "rise_by_rho", "simulated"]

# Releases that are drawn of each dataset: as many as leave so many beyond a quantile, and at least.
_EXCEEDING, _LEAST_RELEASES = 100, 50_000


def rise_by_rho(rho: float, probability: float, prior: float, epsilon: float = math.inf) -> float:
    """A factor that belief in presence does not rise beyond except with a probability, by rho and perhaps pure privacy."""
    rarity = -math.log(probability)
    exponent = min(rho + 2 * math.sqrt(rho * rarity), epsilon)
    return 1 / (prior + (1 - prior) * math.exp(-exponent)) if prior or exponent < math.inf else math.inf


def fall_by_rho(rho: float, probability: float, prior: float, epsilon: float = math.inf) -> float:
    """A factor that belief in presence does not fall below except with a probability, by rho and perhaps pure privacy."""
    rarity = -math.log(probability)
    exponent = min(2 * math.sqrt(rho * rarity) - rho if rarity >= rho else rarity, epsilon)
    return 1 / (prior + (1 - prior) * math.exp(exponent))


def exceeding_by_rho(rho: float, ratio: float, prior: float, epsilon: float = math.inf) -> float:
    """A probability that the ratio exceeds a stated one with at most, by rho and perhaps pure privacy."""
    if ratio * prior >= 1 or rho == 0:
        return 0.0
    odds = ratio * (1 - prior) / (1 - ratio * prior)
    return 0.0 if math.log(odds) >= epsilon else float(odds_risk.failure_zcdp(odds, rho))


class StackedNoise:
    """Independent noise of scale 1 on stacked answers in units of their scales, as `any_mechanism` draws releases of it.

    Parameters
    ----------
    parts : sequence of NoisyPart
        Those of the entries, in order.
    normal : int, optional
        How many entries with normal noise follow them.
    """

    def __init__(self, parts: Sequence[NoisyPart], normal: int = 0) -> None:
        self._noises = [(part.mechanism, part.scale) for part in parts for _ in part.part.labels]
        self._noises += [("gaussian", 1.0)] * normal
        self._pure = np.array([mechanism in PURE for mechanism, _ in self._noises])

    def draw(self, world: FloatArray, generator: np.random.Generator, size: int) -> FloatArray:
        """Releases, shape (size, entries), of the stacked answers of a dataset, shape (entries,)."""
        return world + np.column_stack([_drawn(*noise, generator, size) for noise in self._noises])

    def log_density(self, released: FloatArray, world: FloatArray) -> FloatArray:
        """Log density up to a common factor; of noise on whole numbers it has the same form."""
        off = np.abs(released - world)
        return np.asarray(-np.where(self._pure, off, off**2 / 2).sum(axis=1))


def _drawn(mechanism: str, scale: float, generator: np.random.Generator, size: int) -> FloatArray:
    """Noise in units of its scale."""
    if mechanism == "gaussian":
        return generator.standard_normal(size)
    if mechanism == "laplace":
        return generator.laplace(size=size)
    release: Any = discrete_gaussian.release if mechanism == "discrete_gaussian" else geometric.release
    return np.asarray(release(np.zeros(size), scale, generator) / scale)


class Simulated(NamedTuple):
    """Factors of one person, each with its interval of 95%, in the worst of the datasets that are looked at."""

    rise: Interval
    fall: Interval


def simulated(
    records: Records,
    query: Query,
    parts: Sequence[NoisyPart],
    sample: int,
    target: int,
    sets: NeighbourSets,
    probability: float,
    seed: int,
) -> Simulated:
    """How far belief in a person's presence moves, by drawn releases.

    Parameters
    ----------
    records, query
        As `disclosure.releases.stack.stacked` returns them.
    parts : sequence of NoisyPart
    sample : int
    target : int
        Place in the table.
    sets : NeighbourSets
    probability : float
        Except with which it stays within the factors.
    seed : int

    Returns
    -------
    Simulated
    """
    generator = streams.any_mechanism(seed, target, probability)
    rise = fall = Interval(1.0, 1.0, 1.0)
    for block in looked_at(records, query, sample, target, sets):
        shares, priors = beliefs(records, target, block)
        gaps = sampled_gaps(records, query, 1.0, target, block.places)
        for place, own in enumerate(gaps):
            weights = np.full(len(own), 1 / len(own)) if shares is None else shares[place]
            distinct, together = merged(own, weights)
            noise = StackedNoise(parts, own.shape[1] - sum(len(part.part.labels) for part in parts))
            draws = any_mechanism.draw(
                noise,
                np.zeros(own.shape[1]),
                list(-distinct),
                generator,
                max(_LEAST_RELEASES, math.ceil(_EXCEEDING / probability)),
                weights=together / together.sum(),
                share=1.0,
            )
            found = any_mechanism.ratio_quantiles(draws, probability, max(float(priors[place]), np.finfo(float).tiny))
            rise = max(rise, found.upper)
            fall = min(fall, found.lower)
    return Simulated(rise, fall)
