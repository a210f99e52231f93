"""Criteria hold at the noise that is found and above, and break just below; and what the search for it relies on."""

import itertools
import math

import numpy as np
import pytest

from disclosure.beliefs import inclusion, regions
from disclosure.people import choice, neighbour_sets, queries
from disclosure.people.records import Records
from tests.unit.people.tables import UNIT


def test_the_guarded_criterion_holds_on_the_grid_and_fails_just_below():
    values = np.random.default_rng(7).random((10, 1))
    table, query, epsilon, failure = Records(UNIT[:1], values), queries.linear("identity", UNIT[:1], 6), 0.8, 0.01
    targets, datasets, seed = range(10), 12, 5
    arguments = table, query, 6, epsilon, failure, targets
    found = choice.smallest_sigma(*arguments, "failure_probability", datasets=datasets, seed=seed)
    settled = choice.smallest_sigma(*arguments)
    sets = [neighbour_sets.drawn_sets(seed, 10, 6, target, 0, datasets) for target in targets]
    differences = np.concatenate([values[target] - values[drawn] for target, drawn in enumerate(sets)])

    def largest(sigma):
        estimate = inclusion.failure_probability(differences / sigma, epsilon)
        return float((estimate.value + estimate.error).max())

    assert found.kind == "sampled"
    assert found.sigma < settled.sigma
    assert found.largest == pytest.approx(largest(found.sigma), rel=1e-12)
    assert largest(found.sigma) <= failure
    assert largest(found.sigma * (1 - 1e-5)) > failure
    for sigma in np.geomspace(found.sigma, 3 * settled.sigma, 60):
        assert largest(sigma) <= failure


def test_a_failure_probability_that_rises_again_is_guarded():
    """With a duplicate of each target the failure probability is 0 without noise: bisection from below would end there."""
    table = Records(UNIT[:1], np.array([[0.0], [0.0], [1.0], [1.0]]))
    query = queries.linear("identity", UNIT[:1], 1)
    epsilon, failure = 1.2, 1e-3

    def probability(sigma):
        return float(inclusion.failure_probability([[0.0], [-1.0 / sigma], [-1.0 / sigma]], epsilon).value)

    assert probability(0.05) < failure / 100
    found = choice.smallest_sigma(table, query, 1, epsilon, failure, [0, 2], "failure_probability", datasets=1)
    assert found.kind == "exact"
    assert probability(found.sigma) <= failure
    assert probability(found.sigma * (1 - 1e-5)) > failure
    for sigma in np.geomspace(found.sigma, 50, 400):
        assert probability(sigma) <= failure


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 4.0, 1.0, 3.0]], ids=["uniform", "weighted"])
def test_the_prior_free_bounds_are_guarded_by_themselves(weights):
    """Against releases drawn by the definition, whose ratio is held against e^-epsilon and e^epsilon."""
    values = np.random.default_rng(11).random((5, 1))
    beliefs = np.ones(5) if weights is None else np.array(weights)
    table = Records(UNIT[:1], values, None if weights is None else beliefs)
    query, sample, epsilon, failure = queries.linear("identity", UNIT[:1], 3), 3, 0.8, 0.05
    arguments = table, query, sample, epsilon, failure, range(5), "failure_probability"
    found = choice.smallest_sigma(*arguments, bounds="prior_free")
    assert found.kind == "exact"
    noise = np.random.default_rng(12).normal(size=60_000)

    def largest(sigma):
        shares = []
        for target in range(5):
            others = [k for k in range(5) if k != target]
            candidates = [[target, *chosen] for chosen in itertools.combinations(others, 5 - sample)]
            priors = np.zeros((5, len(candidates)))
            for place, chosen in enumerate(candidates):
                priors[chosen, place] = beliefs[chosen] / beliefs[chosen].sum()
            # Densities of each release for each candidate, and posterior over prior of the target for each set.
            densities = np.exp(-((values[target] + sigma * noise[:, None] - values[:, 0]) ** 2) / (2 * sigma**2))
            ratios = densities[:, [target]] / (densities @ priors)
            within = (math.exp(-epsilon) <= ratios) & (ratios <= math.exp(epsilon))
            shares.append((~within).mean(axis=0).max())
        return max(shares)

    error = math.sqrt(failure / len(noise))
    assert abs(largest(found.sigma) - failure) < 5 * error
    for factor in (1.1, 1.5, 3.0):
        assert largest(factor * found.sigma) < failure
    assert largest(0.9 * found.sigma) > failure + 5 * error
    # The bounds (24) are narrower, and need more noise.
    assert found.sigma < 0.99 * choice.smallest_sigma(*arguments).sigma


@pytest.mark.parametrize("dimensions", [1, 2])
def test_union_mass_falls_in_sigma_below_a_half(dimensions):
    """What the search relies on: proved where T <= 1/2, and seen above."""
    generator = np.random.default_rng(3)
    for _ in range(60):
        epsilon = 10 ** generator.uniform(-2, 1)
        scale = 10 ** generator.uniform(-1, 1, size=(4, 1))
        differences = generator.normal(size=(4, dimensions)) * scale
        sigma = math.sqrt(epsilon) * np.geomspace(0.05, 20, 60)
        mass = regions.union_mass(differences / sigma[:, None, None], epsilon).value
        assert (np.diff(mass) <= 1e-12 + 1e-9 * mass[1:]).all()
        squares = ((differences / sigma[:, None, None]) ** 2).sum(axis=2).max(axis=1)
        assert (squares[mass <= 0.5] <= 2 * epsilon).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_noise_for_several_targets_is_the_most_that_one_of_them_asks_for(seed):
    """Whoever asks for it need not be the one with the farthest neighbour."""
    table = Records(UNIT[:1] * 2, np.random.default_rng(seed).random((7, 2)))
    query = queries.linear("identity", UNIT[:1] * 2, 3)
    alone = [choice.smallest_sigma(table, query, 3, 1.0, 0.01, [target]) for target in range(7)]
    most = max(alone, key=lambda found: found.sigma)
    together = choice.smallest_sigma(table, query, 3, 1.0, 0.01, range(7))
    assert together.sigma == pytest.approx(most.sigma, rel=1e-9)
    assert together.person == most.person
