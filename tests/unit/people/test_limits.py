"""Limits for everybody and every dataset, against all sets of neighbours listed and everybody looked at."""

import math

import numpy as np
import pytest

from disclosure.beliefs import ratio_limits
from disclosure.people import queries
from disclosure.people.limits import Limits
from disclosure.people.records import Records
from tests.unit.people.plain import all_sets
from tests.unit.people.tables import people, random_people


def heap(number, seed=0):
    """Half of the people at one end of the first column; the second has decimals."""
    generator = np.random.default_rng(seed)
    first = np.where(generator.random(number) < 0.5, 0.0, generator.integers(1, 60, number) / 10)
    return np.column_stack([first, np.round(generator.random(number) * 10, 4)])


def limits_of(table, sample, **options):
    return Limits(table, queries.linear("sum", table.columns, sample), sample, **options)


@pytest.mark.parametrize("dimensions", [1, 2])
@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weighted"])
def test_a_persons_limits_are_the_largest_of_all_datasets(dimensions, weighted):
    table, sample, sigma, probability = random_people(8, dimensions, seed=4, weights=weighted), 5, 1.3, 0.01
    limits = limits_of(table, sample)
    for target in range(8):
        sets = all_sets(8, sample, target)
        lengths = np.linalg.norm(table.values[target] - table.values, axis=1) / sigma
        weights = np.ones(8) if table.weights is None else table.weights
        shares = weights[sets] / weights[sets].sum(axis=1, keepdims=True)
        priors = weights[target] / (weights[target] + weights[sets].sum(axis=1))
        reaches = np.sqrt((shares * lengths[sets] ** 2).sum(axis=1))
        tilts = ratio_limits.tilt(lengths[sets], shares, probability)
        log_means = ratio_limits.tilted_mean(lengths[sets], shares, tilts)
        assert limits.reach(target) == pytest.approx(reaches.max() * sigma, rel=1e-14)
        found = {
            "rise": (limits.rise(target, sigma, probability), ratio_limits.rise_limit(reaches, probability, priors)),
            "posterior": (
                limits.posterior(target, sigma, probability),
                ratio_limits.posterior_limit(reaches, probability, priors),
            ),
            "fall": (
                1 / limits.fall(target, sigma, probability),
                1 / ratio_limits.fall_limit(log_means, tilts, probability, priors),
            ),
            "exceeding": (limits.exceeding(target, sigma, 1.5), ratio_limits.exceeding_limit(reaches, 1.5, priors)),
        }
        for limit, all_datasets in found.values():
            # With weights sets are put together by what they weigh: a limit, and with equal ones the largest itself.
            assert all_datasets.max() * (1 - 1e-12) <= limit < all_datasets.max() * 1.03
            assert weighted or limit == pytest.approx(all_datasets.max(), rel=1e-9)
        assert limits.exceeding(target, limits.noise(target, 1.5, 1e-3), 1.5) == pytest.approx(1e-3, rel=1e-9)


TABLES = {
    "one column": random_people(60, 1),
    "two columns": random_people(60, 2),
    "three columns": random_people(60, 3),
    "weights": random_people(60, 2, weights=True),
    "heap": people(heap(200)),
    "on a line": people(np.outer(np.arange(40.0), [0.1, 0.2])),
    "all alike but one": people([[0.0, 0.0]] * 29 + [[7.0, 1.0]]),
    # With little noise the one between is farther than the noise reaches from everybody, and is no vertex.
    "two crowds and one between": people([[0.0]] * 5 + [[5.0]] + [[10.0]] * 5),
    "five columns": Records(
        tuple(queries.Column(name, -9.0, 9.0) for name in "abcde"), np.random.default_rng(5).normal(size=(80, 5))
    ),
    "an outlier of little weight": people(
        np.vstack([np.random.default_rng(6).random((50, 2)), [[9.0, 9.0], [8.0, 9.0]]]), np.append(np.ones(51), 0.01)
    ),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("noise", [3.0, 0.15], ids=["much noise", "little noise"])
@pytest.mark.parametrize("neighbours", [1, 9])
def test_limits_of_everybody_are_the_largest_of_each(name, noise, neighbours):
    table = TABLES[name]
    limits = limits_of(table, len(table) - neighbours)
    sigma = noise * limits_of(table, 1).reach(len(table) - 1)
    own = {
        "rise": [limits.rise(target, sigma, 1e-3) for target in range(len(table))],
        "fall": [1 / limits.fall(target, sigma, 1e-3) for target in range(len(table))],
        "exceeding": [limits.exceeding(target, sigma, 1.5) for target in range(len(table))],
        "noise": [limits.noise(target, 1.5, 1e-3) for target in range(len(table))],
    }
    found = {
        "rise": limits.rise_of_all(sigma, 1e-3),
        "fall": limits.fall_of_all(sigma, 1e-3),
        "exceeding": limits.exceeding_of_all(sigma, 1.5),
        "noise": limits.noise_of_all(1.5, 1e-3),
    }
    for kind, limit in found.items():
        assert limit.value == limit.own == pytest.approx(max(own[kind]), rel=1e-12), kind
        assert own[kind][limit.place] == limit.own, kind


def hostile_tables():
    """Small tables with weights of several orders, ties, an outlier of next to no weight, and one of nearly all."""
    generator = np.random.default_rng(7)
    for case in range(36):
        number, dimensions = int(generator.integers(3, 8)), 1 + case % 3
        values = (
            generator.random((number, dimensions)) * 10,
            np.round(generator.gamma(0.5, 2, (number, dimensions)).clip(0, 10)),
            np.vstack([np.zeros((number - 1, dimensions)), np.full((1, dimensions), 10.0)]),
        )[case % 3]
        weights = np.exp(generator.normal(size=number) * (0.1, 1.0, 3.0, 3.0)[case % 4])
        if case % 4 == 3:
            weights[-1] = (1e-6, 1e6)[case % 2]
        yield people(values, weights), int(generator.integers(1, number)), generator.choice([0.2, 1e-3, 1e-6])


def test_no_dataset_of_anybody_exceeds_the_limits_with_weights():
    """All sets listed, with the reach and the prior of each."""
    for case, (table, sample, probability) in enumerate(hostile_tables()):
        limits, weights = limits_of(table, sample), table.weights
        for sigma in ((1.0, 20.0)[case // 12 % 2],):
            of_all = (limits.rise_of_all(sigma, probability).value, limits.fall_of_all(sigma, probability).value)
            for target in range(len(table)):
                sets = all_sets(len(table), sample, target)
                lengths = np.linalg.norm(table.values[target] - table.values, axis=1)[sets] / sigma
                shares = weights[sets] / weights[sets].sum(axis=1, keepdims=True)
                priors = weights[target] / (weights[target] + weights[sets].sum(axis=1))
                reaches = np.sqrt((shares * lengths**2).sum(axis=1))
                rises = ratio_limits.rise_limit(reaches, probability, priors)
                tilts = ratio_limits.tilt(lengths, shares, probability)
                means = ratio_limits.tilted_mean(lengths, shares, tilts)
                falls = 1 / ratio_limits.fall_limit(means, tilts, probability, priors)
                assert rises.max() <= limits.rise(target, sigma, probability) * (1 + 1e-9)
                assert falls.max() <= 1 / limits.fall(target, sigma, probability) * (1 + 1e-6)
                assert max(rises) <= of_all[0] * (1 + 1e-9)
                assert max(falls) <= of_all[1] * (1 + 1e-6)
                most = ratio_limits.posterior_limit(reaches, probability, priors).max()
                assert most <= limits.posterior(target, sigma, probability) * (1 + 1e-9)
                needed = (reaches * sigma / ratio_limits.reach_for(1.5, 0.01, priors)).max()
                assert needed <= limits.noise(target, 1.5, 0.01) * (1 + 1e-9)
                assert needed <= limits.noise_of_all(1.5, 0.01).value * (1 + 1e-9)


@pytest.mark.parametrize("name", TABLES)
def test_a_search_that_ends_early_still_limits_everybody(name):
    """Of a search that looks at one person only."""
    table = TABLES[name]
    whole, short = (limits_of(table, len(table) - 5, most=most) for most in (None, 1))
    for call in (
        lambda limits: limits.rise_of_all(2.0, 1e-3),
        lambda limits: limits.fall_of_all(2.0, 1e-3),
        lambda limits: limits.exceeding_of_all(2.0, 1.2),
        lambda limits: limits.noise_of_all(1.2, 1e-3),
    ):
        assert call(short).value >= call(whole).value
        assert call(short).own <= call(whole).own


def test_a_search_that_ends_early_is_not_above_what_the_ranges_allow():
    """The centre is at one corner and the farthest people near the other: the way through it is twice as long as any gap."""
    values = np.zeros((60, 5))
    values[:10] = 1 - 0.01 * np.random.default_rng(2).random((10, 5))
    table = people(np.vstack([values, np.eye(5)]), high=1.0)
    query, sigma, prior = queries.linear("sum", table.columns, 60), 8.0, 1 / 6
    short, reach = Limits(table, query, 60, most=1), query.sensitivity / 8.0
    within = {
        "rise": (short.rise_of_all(sigma, 1e-3), ratio_limits.rise_limit(reach, 1e-3, prior)),
        "fall": (short.fall_of_all(sigma, 1e-3), 1 / ratio_limits.fall_limit_within(reach, 1e-3, prior)),
        "exceeding": (short.exceeding_of_all(sigma, 1.5), ratio_limits.exceeding_limit(reach, 1.5, prior)),
        "noise": (short.noise_of_all(1.5, 1e-3), query.sensitivity / ratio_limits.reach_for(1.5, 1e-3, prior)),
    }
    for name, (limit, ranges) in within.items():
        assert limit.own < limit.value, name
        assert limit.value == pytest.approx(float(ranges), rel=1e-9), name


def test_few_people_of_a_heap_are_looked_at():
    """All of the people at the end of the first column would be vertices of another kind of hull; here the corners are."""
    table = people(heap(20_000, seed=3))
    assert len(table.cases.first) > 19_000
    limits = limits_of(table, 15_000, most=30)
    found = limits.rise_of_all(10.0, 1e-3)
    assert found.value == found.own
    corner = table.values[found.place]
    assert min(corner[0], 5.9 - corner[0]) < 0.1
    assert min(corner[1], 10 - corner[1]) < 0.1


def test_the_noise_for_every_prior_is_that_of_a_small_prior():
    table = random_people(30, 2)
    limits = limits_of(table, 20)
    sigma = limits.noise(3, 2.0, 1e-3, every_prior=True)
    assert float(ratio_limits.exceeding_limit(limits.reach(3) / sigma, 2.0, 1e-14)) == pytest.approx(1e-3)
    assert sigma > limits.noise(3, 2.0, 1e-3)
    assert limits.noise_of_all(2.0, 1e-3, every_prior=True).value >= sigma


def test_people_who_are_all_alike_have_no_risk():
    limits = limits_of(people([[1.0, 2.0]] * 6), 3)
    assert limits.rise_of_all(1.0, 1e-3).value == 1
    assert limits.fall_of_all(1.0, 1e-3).value == 1
    assert limits.exceeding_of_all(1.0, 1.1).value == 0
    assert limits.noise_of_all(1.1, 1e-3).value == 0
    assert math.isclose(limits.posterior(0, 1.0, 1e-3), 0.25)
