"""Epsilon and noise for what is tolerated: the criterion holds at the answer and above, and fails just below."""

import itertools
import math
import pathlib

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion, regions
from disclosure.mechanisms import conversions, gaussian, privacy
from disclosure.numerics.errors import DomainError
from disclosure.people import choice, exposure, populations, queries
from disclosure.people.populations import Population
from disclosure.people.queries import Column

DAVIS = pathlib.Path(__file__).resolve().parents[3] / "resources/davis.csv"
HEIGHT, WEIGHT = Column("height_cm", 50.0, 210.0), Column("weight_kg", 35.0, 170.0)
UNIT = (Column("a", 0.0, 1.0), Column("b", 0.0, 1.0))


@pytest.fixture(scope="module")
def davis():
    return {columns: populations.read(DAVIS, columns) for columns in ((HEIGHT,), (HEIGHT, WEIGHT))}


def largest_union_mass(values, sigma, epsilon):
    """Over people, T of the union over all others, from the intervals of scalar noise, term by term."""
    masses = []
    for k, own in enumerate(values):
        c = (own - np.delete(values, k)) / sigma
        c = c[c != 0]
        low = max(-epsilon / abs(c) - c / 2, default=-np.inf)
        high = min(epsilon / abs(c) - c / 2, default=np.inf)
        masses.append(norm.cdf(low) + norm.sf(high) if low < high else 1.0)
    return max(masses)


@pytest.mark.parametrize("columns", [(HEIGHT,), (HEIGHT, WEIGHT)], ids=["one column", "two columns"])
def test_the_noise_is_the_smallest_at_the_smallest_probability_too(davis, columns):
    population, query = davis[columns], queries.linear("mean", columns, 180)
    chosen = choice.smallest_sigma(population, query, 180, 1.0, 1e-300, range(200))

    def largest(sigma):
        return max(float(exposure.supremum_of(population, query, sigma, 1.0, 180, k).mass.value) for k in range(200))

    assert largest(chosen.sigma) <= 1e-300 < largest(chosen.sigma * (1 - 1e-6))


@pytest.mark.parametrize("prior", [None, 1 / 101, 1 / 21, 0.3])
@pytest.mark.parametrize("largest", [1.0001, 2.0, 3.0])
def test_the_bound_at_the_chosen_epsilon_is_the_tolerated_ratio(largest, prior):
    epsilon = choice.epsilon_for_ratio(largest, prior)
    bounds = inclusion.prior_free_bounds if prior is None else lambda value: inclusion.ratio_bounds(prior, value)
    assert bounds(epsilon).upper <= largest
    assert bounds(epsilon * (1 + 1e-9)).upper > largest


@pytest.mark.parametrize(
    ("largest", "prior", "named"),
    [
        (1.0, None, "largest_ratio = 1.0 is outside (1, inf)"),
        (0.5, 0.1, "largest_ratio = 0.5 is outside (1, inf)"),
        (21.0, 1 / 21, "no constraint at the prior 0.047619"),
        (30.0, 1 / 21, "allowed: above 1 and below 21"),
        (2.0, 1.0, "prior = 1.0"),
    ],
)
def test_ratios_that_are_no_constraint_are_refused(largest, prior, named):
    with pytest.raises(DomainError) as caught:
        choice.epsilon_for_ratio(largest, prior)
    assert named in str(caught.value)


def test_conversion_with_the_tightest_bounds():
    epsilon_prime, delta_prime = choice.convert(1.0, 1e-5, 1e-3, 20)
    assert delta_prime == pytest.approx(5e-5)
    assert epsilon_prime == pytest.approx(math.log((5e-5 * math.e + 1e-5) / 4e-5), rel=1e-12)
    # Any delta_prime that the stated probability has room for gives wider bounds.
    for share in (0.3, 0.9, 0.999):
        wider, _ = conversions.approximate_to_probabilistic(1.0, 1e-5, delta_prime=share * delta_prime)
        assert wider > epsilon_prime
    with pytest.raises(DomainError, match=r"failure = 0.001 is not above 20 neighbours times delta = 0.01"):
        choice.convert(1.0, 0.01, 1e-3, 20)


def test_direct_calibration_is_tighter_than_corollary_1():
    sigma = gaussian.calibrate(1.0, 1e-5, definition="approximate")
    converted, delta_prime = choice.convert(1.0, 1e-5, 1e-3, 20)
    assert 1.0 < privacy.probabilistic_epsilon(delta_prime, 1 / sigma) < converted
    assert gaussian.bad_region_mass(sigma, converted, 1.0) < delta_prime


@pytest.mark.parametrize("name", ["mean", "sum"])
def test_the_example_against_a_plain_computation(davis, name):
    population, epsilon, failure = davis[(HEIGHT,)], math.log(40 / 19), 1e-3
    query = queries.linear(name, (HEIGHT,), 180)
    found = choice.smallest_sigma(population, query, 180, epsilon, failure, range(200))
    values = population.values[:, 0] / (180 if name == "mean" else 1)
    assert largest_union_mass(values, found.sigma, epsilon) == pytest.approx(failure, rel=1e-9)
    assert largest_union_mass(values, found.sigma * (1 - 1e-6), epsilon) > failure
    for factor in (1 + 1e-9, 1.01, 1.5, 4.0, 100.0):
        assert largest_union_mass(values, found.sigma * factor, epsilon) <= failure
    assert (found.person, found.kind) == (12, "exact")
    if name == "mean":
        assert found.sigma == pytest.approx(3.45919106301, rel=1e-10)


def test_two_columns_hold_above_and_fail_below(davis):
    population, epsilon, failure = davis[(HEIGHT, WEIGHT)], math.log(40 / 19), 1e-3
    query = queries.linear("mean", (HEIGHT, WEIGHT), 180)
    found = choice.smallest_sigma(population, query, 180, epsilon, failure, range(200))
    assert (found.person, found.kind) == (12, "exact")

    def largest(sigma):
        masses = []
        for target in range(200):
            others = np.delete(population.values, target, axis=0)
            masses.append(regions.union_mass((population.values[target] - others) / 180 / sigma, epsilon).value)
        return max(masses)

    assert largest(found.sigma) == pytest.approx(failure, rel=1e-8)
    assert largest(found.sigma * (1 - 1e-6)) > failure
    for factor in (1 + 1e-6, 1.1, 3.0):
        assert largest(found.sigma * factor) <= failure
    # A random set of 20 neighbours never exceeds it, and one with the faces' neighbours attains it.
    target = found.person - 1
    gaps = (population.values[target] - np.delete(population.values, target, axis=0)) / 180 / found.sigma
    needed = exposure.determining_neighbours(gaps, epsilon)
    assert len(needed) <= 20
    assert regions.union_mass(gaps[needed], epsilon).value == pytest.approx(failure, rel=1e-8)


def test_rank_deficient_and_few_neighbours():
    generator = np.random.default_rng(2)
    population = Population(UNIT, generator.random((9, 2)))
    query = queries.linear("identity", UNIT, 8)
    found = choice.smallest_sigma(population, query, 8, 1.0, 0.01, range(9))
    # With one neighbour it is the calibration to the largest distance in the table.
    distances = np.linalg.norm(population.values[:, None] - population.values, axis=2)
    assert found.sigma == pytest.approx(
        gaussian.calibrate(1.0, 0.01, distances.max(), definition="probabilistic"), rel=1e-12
    )
    same = Population(UNIT, np.full((5, 2), 0.25))
    assert choice.smallest_sigma(same, query, 3, 1.0, 0.01, range(5)).sigma == 0


def test_the_guarded_criterion_holds_on_the_grid_and_fails_just_below():
    generator = np.random.default_rng(7)
    population = Population(UNIT[:1], generator.random((12, 1)))
    query, epsilon, failure = queries.linear("identity", UNIT[:1], 8), 0.8, 0.01
    targets = range(12)
    found = choice.smallest_sigma(
        population, query, 8, epsilon, failure, targets, "failure_probability", datasets=30, seed=5
    )
    settled = choice.smallest_sigma(population, query, 8, epsilon, failure, targets)

    def largest(sigma):
        found = [
            exposure.failure_probabilities(
                population, query, sigma, epsilon, target, populations.drawn_sets(5, 12, 8, target, 0, 30)
            )
            for target in targets
        ]
        return max(float((estimate.value + estimate.error).max()) for estimate in found)

    assert found.kind == "sampled"
    assert found.sigma < settled.sigma
    assert found.largest == pytest.approx(largest(found.sigma), rel=1e-12)
    assert largest(found.sigma) <= failure
    assert largest(found.sigma * (1 - 1e-5)) > failure
    for sigma in np.geomspace(found.sigma, 3 * settled.sigma, 60):
        assert largest(sigma) <= failure


def test_a_failure_probability_that_rises_again_is_guarded():
    """With a duplicate of each target the failure probability is 0 without noise: bisection from below would end there."""
    population = Population(UNIT[:1], np.array([[0.0], [0.0], [1.0], [1.0]]))
    query = queries.linear("identity", UNIT[:1], 1)
    epsilon, failure = 1.2, 1e-3

    def probability(sigma):
        return float(inclusion.failure_probability([[0.0], [-1.0 / sigma], [-1.0 / sigma]], epsilon).value)

    assert probability(0.05) < failure / 100
    found = choice.smallest_sigma(population, query, 1, epsilon, failure, [0, 2], "failure_probability", datasets=1)
    assert found.kind == "exact"
    assert probability(found.sigma) <= failure
    assert probability(found.sigma * (1 - 1e-5)) > failure
    for sigma in np.geomspace(found.sigma, 50, 400):
        assert probability(sigma) <= failure


def test_a_failure_probability_of_some_people_is_no_criterion():
    """One of thirty people differs; without that one the noise would be far too small."""
    values = np.append(np.linspace(0, 0.01, 29), 0.77)[:, None]
    population, query = Population(UNIT[:1], values), queries.linear("mean", UNIT[:1], 20)
    arguments = population, query, 20, 0.7, 1e-3
    with pytest.raises(DomainError) as caught:
        choice.smallest_sigma(*arguments, range(29), "failure_probability", datasets=3)
    message = str(caught.value)
    assert message.startswith(
        "criterion = failure_probability needs everybody, and 1 of 30 different people are no targets;"
    )
    assert "--targets 30" in message
    assert "--criterion union_mass" in message
    # Of people who are alike one is enough.
    alike = Population(UNIT[:1], np.append(np.zeros(29), 0.77)[:, None])
    found = choice.smallest_sigma(alike, *arguments[1:], [0, 29], "failure_probability", datasets=3)
    assert (found.person, found.kind) == (30, "exact")


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 4.0, 1.0, 3.0, 2.0]], ids=["uniform", "weighted"])
def test_the_prior_free_bounds_are_guarded_by_themselves(weights):
    """Against releases drawn by the definition, whose ratio is held against e^-epsilon and e^epsilon."""
    values = np.random.default_rng(11).random((6, 1))
    beliefs = np.ones(6) if weights is None else np.array(weights)
    population = Population(UNIT[:1], values, None if weights is None else beliefs)
    query, sample, epsilon, failure = queries.linear("identity", UNIT[:1], 3), 3, 0.8, 0.05
    arguments = population, query, sample, epsilon, failure, range(6), "failure_probability"
    found = choice.smallest_sigma(*arguments, bounds="prior_free")
    assert found.kind == "exact"
    noise = np.random.default_rng(12).normal(size=60_000)

    def largest(sigma):
        shares = []
        for target in range(6):
            densities = norm.pdf(values[target] + sigma * noise[:, None], values[:, 0], sigma)
            others = [k for k in range(6) if k != target]
            for chosen in itertools.combinations(others, 6 - sample):
                candidates = [target, *chosen]
                prior = beliefs[candidates] / beliefs[candidates].sum()
                posterior = densities[:, target] * prior[0] / (densities[:, candidates] @ prior)
                shares.append((np.abs(np.log(posterior / prior[0])) > epsilon).mean())
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


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"epsilon": 0.0}, "epsilon = 0.0"),
        ({"failure": 0.0}, "failure = 0.0 is outside [1e-300, 0.5]"),
        ({"failure": 0.6}, "failure = 0.6 is outside [1e-300, 0.5]"),
        ({"criterion": "ratio"}, "criterion = 'ratio' is none of union_mass, failure_probability"),
        ({"sample": 5}, "sample = 5 of population = 5 leaves no other candidate"),
        ({"query": queries.custom(np.sum, 1.0)}, "query custom is not linear"),
    ],
)
def test_what_cannot_be_chosen_is_refused_by_name(change, named):
    arguments = {"query": queries.linear("sum", UNIT[:1], 3), "sample": 3, "epsilon": 1.0, "failure": 0.1}
    population = Population(UNIT[:1], np.linspace(0, 1, 5)[:, None])
    with pytest.raises(DomainError) as caught:
        choice.smallest_sigma(population, targets=range(5), **{**arguments, **change})
    assert named in str(caught.value)


@pytest.mark.parametrize("columns", [(HEIGHT,), (HEIGHT, WEIGHT)], ids=["one", "two"])
def test_the_tightest_bounds_of_a_given_noise(davis, columns):
    population, query = davis[columns], queries.linear("mean", columns, 180)
    chosen = choice.smallest_sigma(population, query, 180, 0.7, 1e-3, range(200))
    back = choice.smallest_epsilon_for(population, query, 180, chosen.sigma, 1e-3, range(200))
    # The inverse of the other search, since T falls in both.
    assert back.epsilon == pytest.approx(0.7, rel=1e-9)
    assert (back.person, back.kind, back.sigma) == (12, "exact", chosen.sigma)
    if len(columns) == 1:
        values = population.values[:, 0] / 180
        assert largest_union_mass(values, chosen.sigma, back.epsilon) == pytest.approx(1e-3, rel=1e-9)
        assert largest_union_mass(values, chosen.sigma, back.epsilon * (1 - 1e-6)) > 1e-3
    same = Population(UNIT, np.full((5, 2), 0.25))
    assert choice.smallest_epsilon_for(same, queries.linear("sum", UNIT, 3), 3, 1.0, 0.01, range(5)).epsilon == 0
