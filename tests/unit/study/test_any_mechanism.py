"""Any mechanism by simulation: coverage of intervals where the truth is known, by enumeration or from mixtures on a line."""

import itertools
import math

import numpy as np
import pytest

from disclosure.beliefs import mixtures
from disclosure.beliefs.mixture_quantiles import level_quantiles, mixture_ratio_quantiles
from disclosure.mechanisms import gaussian, laplace
from disclosure.mechanisms.exponential import Exponential
from disclosure.mechanisms.randomised_response import RandomisedResponse
from disclosure.mechanisms.subsampled_gaussian import SubsampledGaussian
from disclosure.numerics.errors import DomainError
from disclosure.study import any_mechanism

REPLICATIONS = 150
# Of intervals that cover with probability 0.95, three standard errors below their expected number.
LEAST_COVERED = REPLICATIONS * 0.95 - 3 * math.sqrt(REPLICATIONS * 0.95 * 0.05)
WAYS = ({"share": 1.0}, {"share": 0.5})


class Added:
    """An answer with noise of one of the modules of `mechanisms`."""

    def __init__(self, module, scale):
        self.module, self.scale = module, scale

    def draw(self, world, generator, size):
        return self.module.release(world, self.scale, generator, (size,))

    def log_density(self, released, world):
        return self.module.log_density_ratio(released, world, 0.0, self.scale)


def line(name, scale, inside, outside, weights):
    """Exact probability and quantiles of a case on a line."""
    laws = {"inside": inside, "outside": (outside, weights), "truth": inside, "noise": name, "scale": scale}
    return (
        lambda low, high: mixtures.failure_probability(**laws, low=low, high=high).value,
        lambda probability: level_quantiles(**laws, probability=probability),
    )


def finite(log_probabilities, inside, outside, weights):
    """The same where outcomes can be counted: their log probabilities by world."""
    own = np.array(log_probabilities(inside))
    rest = np.array([log_probabilities(world) for world in outside])
    mass, log_g = np.exp(own), (np.logaddexp.reduce(rest + np.log(weights)[:, None], axis=0) - own).round(10)

    def quantiles(probability):
        low = max(level for level in log_g if mass[log_g < level].sum() <= probability)
        return low, min(level for level in log_g if mass[log_g > level].sum() <= probability)

    return lambda low, high: mass[(log_g < low) | (log_g > high)].sum(), quantiles


def binomial(ones, rate):
    return [math.comb(ones, kept) * rate**kept * (1 - rate) ** (ones - kept) for kept in range(ones + 1)]


def subsampled():
    """Kept numbers of ones: 5 of them with the target, 4 or 5 with a neighbour in its place."""
    rate, sigma, weights = 0.5, 0.7, [0.75, 0.25]
    inside = np.arange(6.0), binomial(5, rate)
    outside = np.tile(np.arange(6.0), 2)
    shares = np.concatenate([np.append(np.array(binomial(4, rate)) * 0.75, 0.0), np.array(binomial(5, rate)) * 0.25])
    return SubsampledGaussian(rate, sigma), 5, [4, 5], weights, line("gaussian", sigma, inside, outside, shares)


def randomised():
    mechanism = RandomisedResponse(1.2)
    reports = np.array(list(itertools.product([0.0, 1.0], repeat=3)))
    true, false = math.exp(1.2) / (1 + math.exp(1.2)), 1 / (1 + math.exp(1.2))

    def log_probabilities(world):
        return np.log(np.where(reports == world, true, false)).sum(axis=1)

    worlds = [1, 0, 1], [[0, 0, 1], [0, 1, 1], [1, 0, 1]]
    return mechanism, *worlds, [0.5, 0.3, 0.2], finite(log_probabilities, *worlds, [0.5, 0.3, 0.2])


def exponential():
    mechanism = Exponential(1.5, lambda count: -np.abs(np.arange(6) - count))

    def log_probabilities(world):
        sizes = [math.exp(-0.75 * abs(outcome - world)) for outcome in range(6)]
        return np.log(np.array(sizes) / sum(sizes))

    return mechanism, 3, [2, 3, 4], [0.5, 0.3, 0.2], finite(log_probabilities, 3, [2, 3, 4], [0.5, 0.3, 0.2])


def added(name, module, scale):
    outside, weights = [0.5, -0.25], [0.5, 0.5]
    return Added(module, scale), 0.0, outside, weights, line(name, scale, ([0.0], [1.0]), outside, weights)


# Each: mechanism, x, its x_j, their weights, exact functions; thresholds of log g; a probability.
CASES = {
    "gaussian": (*added("gaussian", gaussian, 1.0), -0.1, 0.5, 0.02),
    "laplace": (*added("laplace", laplace, 0.6), -0.3, 0.5, 0.02),
    "subsampled gaussian": (*subsampled(), -0.3, 0.4, 0.02),
    "randomised response": (*randomised(), -0.5, 0.5, 0.3),
    "exponential": (*exponential(), -0.2, 0.3, 0.1),
}


@pytest.mark.parametrize("way", WAYS, ids=["plain", "weighted"])
@pytest.mark.parametrize("name", CASES)
def test_intervals_cover_what_is_known_exactly(name, way):
    mechanism, inside, outside, weights, (probability_of, quantiles_of), low, high, probability = CASES[name]
    exact, levels = probability_of(low, high), quantiles_of(probability)
    covered, off = np.zeros(3, dtype=int), []
    for seed in range(REPLICATIONS):
        draws = any_mechanism.draw(
            mechanism, inside, outside, np.random.default_rng(seed), 1500, weights=weights, **way
        )
        found = any_mechanism.failure_probability(draws, low, high)
        assert found.low <= found.value <= found.high
        off.append(found.value - exact)
        ends = any_mechanism.level_quantiles(draws, probability)
        covered += [found.low <= exact <= found.high] + [
            end.low - 1e-9 <= level <= end.high + 1e-9 for end, level in zip(ends, levels, strict=True)
        ]
    assert (covered >= LEAST_COVERED).all(), covered
    assert abs(np.mean(off)) <= 4 * np.std(off) / math.sqrt(REPLICATIONS)


@pytest.mark.parametrize("way", WAYS, ids=["plain", "weighted"])
def test_intervals_are_no_wider_than_they_need_to_be(way):
    mechanism, inside, outside, weights, (probability_of, _), low, high, _ = CASES["gaussian"]
    narrow = {0.5: 0, 0.95: 0}
    for seed in range(REPLICATIONS):
        draws = any_mechanism.draw(
            mechanism, inside, outside, np.random.default_rng(seed), 2500, weights=weights, **way
        )
        for confidence in narrow:
            found = any_mechanism.failure_probability(draws, low, high, confidence)
            narrow[confidence] += found.low <= probability_of(low, high) <= found.high
    assert 0.37 <= narrow[0.5] / REPLICATIONS <= 0.67
    assert narrow[0.95] < REPLICATIONS


def test_worlds_beyond_show_failures_that_are_rare():
    mechanism = Added(gaussian, 1.0)
    one, outside = ([0.0], [1.0]), [0.5, -0.25]
    exact = mixtures.failure_probability(one, (outside, [0.5, 0.5]), one, scale=1.0, low=-2.0, high=2.0).value
    assert exact < 2e-8
    covered, values = 0, []
    for seed in range(REPLICATIONS):
        draws = any_mechanism.draw(
            mechanism, 0.0, outside, np.random.default_rng(seed), 2000, others=[5.0, -9.0], share=0.2
        )
        found = any_mechanism.failure_probability(draws, -2.0, 2.0)
        covered += found.low <= exact <= found.high
        values.append(found.value)
        assert found.high < 2 * found.low
    assert covered >= LEAST_COVERED
    assert np.std(values) < 0.1 * exact


def test_quantiles_of_the_ratio_follow_from_those_of_log_g():
    mechanism, inside, outside, weights, *_ = CASES["gaussian"]
    draws = any_mechanism.draw(mechanism, inside, outside, np.random.default_rng(5), 200_000, weights=weights)
    found = any_mechanism.ratio_quantiles(draws, 0.001, 0.2, 0.9999)
    exact = mixture_ratio_quantiles(
        ([0.0], [1.0]), (outside, weights), ([0.0], [1.0]), scale=1.0, probability=0.001, prior=0.2
    )
    for interval, value in zip(found, exact, strict=True):
        assert interval.low <= value <= interval.high
        assert interval.low <= interval.value <= interval.high
        assert interval.high / interval.low < 1.05
    assert any_mechanism.ratio_quantiles(draws, 0.001, 1.0) == ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_where_no_failure_is_seen_there_may_be_some(share):
    draws = any_mechanism.draw(Added(gaussian, 1.0), 0.0, [0.1], np.random.default_rng(1), 1000, share=share)
    found = any_mechanism.failure_probability(draws, -math.inf, 5.0)
    # 1 - (1 - p)^1000 = 0.975 gives 3.7 per 1,000 draws, and a draw weighs at most 1 / share.
    assert found == pytest.approx((0.0, 0.0, 3.69e-3 / share), rel=3e-3)
    low, _ = any_mechanism.level_quantiles(draws, 1e-4)
    assert low.low == -math.inf


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_what_nearly_always_fails_has_an_interval_below_one(share):
    draws = any_mechanism.draw(Added(gaussian, 1.0), 0.0, [0.1], np.random.default_rng(1), 2000, share=share)
    found = any_mechanism.failure_probability(draws, -1e-4, 1e-4)
    exact = mixtures.failure_probability(
        ([0.0], [1.0]), ([0.1], [1.0]), ([0.0], [1.0]), scale=1.0, low=-1e-4, high=1e-4
    )
    assert 0.99 < found.low <= exact.value <= found.high <= 1.0


def test_a_release_that_only_one_world_can_have_settles_the_ratio():
    def utility(world):
        return np.where(np.arange(2) == world, 0.0, -2000.0)

    draws = any_mechanism.draw(Exponential(2.0, utility), 0, [1], np.random.default_rng(1), 400)
    assert any_mechanism.ratio_quantiles(draws, 0.1, 0.25).upper.value == 4.0
    assert any_mechanism.failure_probability(draws, -1.0, math.inf).value == pytest.approx(1.0, abs=0.2)


class Wrong(Added):
    """Draws with less noise than its density says."""

    def draw(self, world, generator, size):
        return super().draw(world, generator, size) * 0.5


@pytest.mark.parametrize(
    ("mechanism", "changed", "words"),
    [
        (Wrong(gaussian, 1.0), {"outside": [3.0]}, "mechanism: the mean weight is .* standard errors from 1"),
        (Added(gaussian, 1.0), {"share": 1e-6, "outside": [9.0]}, r"share = 1e-06 leaves 1 effective releases"),
        (Added(gaussian, 1.0), {"releases": 99}, "releases = 99 is not a whole number of at least 100"),
        (Added(gaussian, 1.0), {"outside": []}, "outside is empty"),
        (Added(gaussian, 1.0), {"share": 0.0}, "share = 0"),
        (Added(gaussian, 1.0), {"weights": [0.5]}, "weights"),
    ],
)
def test_what_would_give_a_wrong_answer_is_refused(mechanism, changed, words):
    arguments = {"outside": [0.5], "releases": 1000, **changed}
    with pytest.raises(DomainError, match=words):
        any_mechanism.draw(mechanism, 0.0, generator=np.random.default_rng(1), **arguments)
