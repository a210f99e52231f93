"""Epsilon and noise for what is tolerated: the criterion holds at the answer and above, and fails just below."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion, less_informed, regions
from disclosure.mechanisms import conversions, gaussian
from disclosure.numerics.errors import DomainError
from disclosure.people import choice, queries, reading, supremum
from disclosure.people.records import Records
from tests.unit.people.tables import DAVIS, HEIGHT, UNIT, WEIGHT


@pytest.fixture(scope="module")
def davis():
    return {columns: reading.read(DAVIS, columns) for columns in ((HEIGHT,), (HEIGHT, WEIGHT))}


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
    table, query = davis[columns], queries.linear("mean", columns, 180)
    chosen = choice.smallest_sigma(table, query, 180, 1.0, 1e-300, range(200))

    def largest(sigma):
        return max(float(supremum.supremum_of(table, query, sigma, 1.0, 180, k).mass.value) for k in range(200))

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
    epsilon_prime, delta_prime = choice.convert(1.0, 1e-5, 1e-3)
    assert delta_prime == 1e-3
    assert epsilon_prime == pytest.approx(math.log((1e-3 * math.e + 1e-5) / 9.9e-4), rel=1e-12)
    # Any delta_prime that the stated probability has room for gives wider bounds.
    for share in (0.3, 0.9, 0.999):
        wider, _ = conversions.approximate_to_probabilistic(1.0, 1e-5, delta_prime=share * delta_prime)
        assert wider > epsilon_prime
    with pytest.raises(DomainError, match=r"failure = 0.001 is not above delta = 0.01"):
        choice.convert(1.0, 0.01, 1e-3)


def failing_share(gaps, epsilon, releases=40_000):
    """Share of releases at which the mean over neighbours of the density ratio is outside e^-epsilon to e^epsilon."""
    noise = np.random.default_rng(3).standard_normal((releases, gaps.shape[1]))
    g = np.exp(-noise @ gaps.T - (gaps**2).sum(axis=1) / 2).mean(axis=1)
    return (np.abs(np.log(g)) > epsilon).mean()


@pytest.mark.parametrize("neighbours", [1, 2, 40])
def test_the_stated_failure_holds_for_any_number_of_neighbours(neighbours):
    """Records at one corner, at opposite ones, and each in a direction of its own, from scratch."""
    failure, sensitivity = 0.05, 3.0
    sigma = gaussian.calibrate(1.0, 0.01, sensitivity, definition="approximate")
    converted, _ = choice.convert(1.0, 0.01, failure)
    direct = choice.epsilon_from_ranges(sigma, failure, sensitivity, neighbours)
    needed = choice.sigma_for_any_number(sensitivity, converted, failure)
    ends = np.ones((neighbours, 1))
    ends[::2] = -1
    length = sensitivity / sigma
    error = 4 * math.sqrt(failure / 40_000)
    for gaps in (np.ones((neighbours, 1)), ends, np.eye(neighbours)):
        assert failing_share(length * gaps, converted) <= failure + error
        assert failing_share(length * gaps, direct) <= failure + error
        assert failing_share(sensitivity / needed * gaps, converted) <= failure + error
    assert direct < converted
    # It is not much more than is needed.
    assert failing_share(length * np.ones((1, 1)), direct) > failure / 3


def test_epsilon_by_the_ranges_is_the_smaller_of_two():
    number, union = (choice.epsilon_from_ranges(2.0, 1e-3, 1.0, p) for p in (math.inf, 1))
    assert less_informed.failure_limit(number, 0.5) <= 1e-3 < less_informed.failure_limit(number * (1 - 1e-9), 0.5)
    assert union == choice.calibrated_epsilon(2.0, 1e-3, 1.0) < number
    assert choice.epsilon_from_ranges(2.0, 1e-3, 1.0, 50) == number < choice.calibrated_epsilon(2.0, 1e-3 / 50, 1.0)
    assert choice.sigma_for_any_number(1.0, number, 1e-3) == pytest.approx(2.0, rel=1e-9)
    # With next to no noise no bounds of a size that is a float are kept.
    assert choice.epsilon_from_ranges(1e-3, 1e-3, 1.0, math.inf) == math.inf


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 0.3), (1.0, 1e-12), (20.0, 1e-3)])
def test_the_epsilon_of_a_noise_is_the_inverse_of_calibration(epsilon, delta):
    sigma = gaussian.calibrate(epsilon, delta, 3.0, definition="probabilistic")
    found = choice.calibrated_epsilon(sigma, delta, 3.0)
    assert found == pytest.approx(epsilon, rel=1e-9)
    assert gaussian.bad_region_mass(sigma, found, 3.0) <= delta


def test_direct_calibration_is_tighter_than_corollary_1():
    sigma = gaussian.calibrate(1.0, 1e-5, definition="approximate")
    converted, delta_prime = choice.convert(1.0, 1e-5, 1e-3)
    assert choice.epsilon_from_ranges(sigma, delta_prime, 1.0, 20) < converted
    assert gaussian.bad_region_mass(sigma, converted, 1.0) < delta_prime


@pytest.mark.parametrize("name", ["mean", "sum"])
def test_the_example_against_a_plain_computation(davis, name):
    table, epsilon, failure = davis[(HEIGHT,)], math.log(40 / 19), 1e-3
    query = queries.linear(name, (HEIGHT,), 180)
    found = choice.smallest_sigma(table, query, 180, epsilon, failure, range(200))
    values = table.values[:, 0] / (180 if name == "mean" else 1)
    assert largest_union_mass(values, found.sigma, epsilon) == pytest.approx(failure, rel=1e-9)
    assert largest_union_mass(values, found.sigma * (1 - 1e-6), epsilon) > failure
    for factor in (1 + 1e-9, 1.01, 1.5, 4.0, 100.0):
        assert largest_union_mass(values, found.sigma * factor, epsilon) <= failure
    assert (found.person, found.kind) == (12, "exact")
    if name == "mean":
        assert found.sigma == pytest.approx(3.45919106301, rel=1e-10)


def test_two_columns_hold_above_and_fail_below(davis):
    table, epsilon, failure = davis[(HEIGHT, WEIGHT)], math.log(40 / 19), 1e-3
    query = queries.linear("mean", (HEIGHT, WEIGHT), 180)
    found = choice.smallest_sigma(table, query, 180, epsilon, failure, range(200))
    assert (found.person, found.kind) == (12, "exact")

    others = np.stack([np.delete(table.values, target, axis=0) for target in range(200)])
    differences = (table.values[:, None] - others) / 180

    def largest(sigma):
        return regions.union_mass(differences / sigma, epsilon).value.max()

    assert largest(found.sigma) == pytest.approx(failure, rel=1e-8)
    assert largest(found.sigma * (1 - 1e-6)) > failure
    for factor in (1 + 1e-6, 1.1, 3.0):
        assert largest(found.sigma * factor) <= failure
    # A random set of 20 neighbours never exceeds it, and one with the faces' neighbours attains it.
    target = found.person - 1
    gaps = (table.values[target] - np.delete(table.values, target, axis=0)) / 180 / found.sigma
    needed = supremum.determining_neighbours(gaps, epsilon)
    assert len(needed) <= 20
    assert regions.union_mass(gaps[needed], epsilon).value == pytest.approx(failure, rel=1e-8)


def test_rank_deficient_and_few_neighbours():
    generator = np.random.default_rng(2)
    table = Records(UNIT, generator.random((9, 2)))
    query = queries.linear("identity", UNIT, 8)
    found = choice.smallest_sigma(table, query, 8, 1.0, 0.01, range(9))
    # With one neighbour it is the calibration to the largest distance in the table.
    distances = np.linalg.norm(table.values[:, None] - table.values, axis=2)
    assert found.sigma == pytest.approx(
        gaussian.calibrate(1.0, 0.01, distances.max(), definition="probabilistic"), rel=1e-12
    )
    same = Records(UNIT, np.full((5, 2), 0.25))
    assert choice.smallest_sigma(same, query, 3, 1.0, 0.01, range(5)).sigma == 0


def test_a_failure_probability_of_some_people_is_no_criterion():
    """One of thirty people differs; without that one the noise would be far too small."""
    values = np.append(np.linspace(0, 0.01, 29), 0.77)[:, None]
    table, query = Records(UNIT[:1], values), queries.linear("mean", UNIT[:1], 20)
    arguments = table, query, 20, 0.7, 1e-3
    with pytest.raises(DomainError) as caught:
        choice.smallest_sigma(*arguments, range(29), "failure_probability", datasets=3)
    message = str(caught.value)
    assert message.startswith(
        "criterion = failure_probability needs everybody, and 1 of 30 different people are no targets;"
    )
    assert "--targets 30" in message
    assert "--criterion ratio" in message
    with pytest.raises(DomainError, match="criterion = union_mass needs everybody"):
        choice.check_everybody(arguments[0], range(29), "union_mass")
    # Of people who are alike one is enough.
    alike = Records(UNIT[:1], np.append(np.zeros(29), 0.77)[:, None])
    found = choice.smallest_sigma(alike, *arguments[1:], [0, 29], "failure_probability", datasets=3)
    assert (found.person, found.kind) == (30, "exact")


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
    table = Records(UNIT[:1], np.linspace(0, 1, 5)[:, None])
    with pytest.raises(DomainError) as caught:
        choice.smallest_sigma(table, targets=range(5), **{**arguments, **change})
    assert named in str(caught.value)


@pytest.mark.parametrize("columns", [(HEIGHT,), (HEIGHT, WEIGHT)], ids=["one", "two"])
def test_the_tightest_bounds_of_a_given_noise(davis, columns):
    table, query = davis[columns], queries.linear("mean", columns, 180)
    chosen = choice.smallest_sigma(table, query, 180, 0.7, 1e-3, range(200))
    back = choice.smallest_epsilon_for(table, query, 180, chosen.sigma, 1e-3, range(200))
    # The inverse of the other search, since T falls in both.
    assert back.epsilon == pytest.approx(0.7, rel=1e-9)
    assert (back.person, back.kind, back.sigma) == (12, "exact", chosen.sigma)
    if len(columns) == 1:
        values = table.values[:, 0] / 180
        assert largest_union_mass(values, chosen.sigma, back.epsilon) == pytest.approx(1e-3, rel=1e-9)
        assert largest_union_mass(values, chosen.sigma, back.epsilon * (1 - 1e-6)) > 1e-3
    same = Records(UNIT, np.full((5, 2), 0.25))
    assert choice.smallest_epsilon_for(same, queries.linear("sum", UNIT, 3), 3, 1.0, 0.01, range(5)).epsilon == 0
