"""Failure probabilities of adversaries who know some members: known numbers, simulations, and a search beyond limits."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import binom

from disclosure.beliefs import inclusion, regions
from disclosure.beliefs.knowledge import Worlds, law_of_ones, worlds_of_ones, worlds_of_whole_numbers
from disclosure.beliefs.less_informed import (
    failure_by_answer,
    failure_limit,
    neighbouring_answers,
    sampled_failure_probability,
    union_mass,
)
from disclosure.beliefs.mixtures import failure_probability
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.mechanisms import gaussian, privacy
from disclosure.numerics.errors import DomainError

EPSILON, DELTA = 1.0, 10**-1.1


def sigma_for(epsilon=EPSILON, delta=DELTA):
    return gaussian.calibrate(epsilon=epsilon, delta=delta, definition="probabilistic")


def failure(worlds, epsilon=EPSILON, sigma=None):
    """Failure probability given what the adversary knows."""
    scale = sigma or sigma_for()
    return failure_probability(*worlds, worlds.inside, scale=scale, low=-epsilon, high=epsilon).value


def expected_failure(population, sample, ones, known):
    """Over all datasets, targets in them and sets of known members."""
    return sum(
        share / population * weight * failure(worlds_of_ones(population, sample, ones, known, int(count), target))
        for target, share in ((0, population - ones), (1, ones))
        if share
        for count, weight in zip(*law_of_ones(population - 1, ones - target, known), strict=True)
    )


def test_who_knows_fewer_members_may_fail_more_often():
    # Computed outside the project.
    assert failure(worlds_of_ones(20, 18, 10, 17, 8)) == pytest.approx(1.4187e-3, abs=5e-8)
    assert failure(worlds_of_ones(20, 18, 10, 16, 8)) == pytest.approx(8.2509e-3, abs=5e-8)


def test_on_average_who_knows_all_but_one_fails_most_often():
    # Computed outside the project: n = 12, m = 10, six ones, 0 to 9 members known.
    expected = [4.132e-3, 4.379e-3, 4.685e-3, 5.110e-3, 5.698e-3, 6.527e-3, 7.804e-3, 9.861e-3, 1.338e-2, 2.244e-2]
    assert [expected_failure(12, 10, 6, known) for known in range(10)] == pytest.approx(expected, rel=5e-4)


def test_all_but_one_known_gives_the_expected_value_over_random_datasets():
    mean = sum(weight * expected_failure(9, 6, ones, 5) for ones, weight in enumerate(binom.pmf(range(10), 9, 0.5)))
    expected = expected_failure_probability(9, 6, EPSILON, DELTA, attributes="binary")
    assert mean == pytest.approx(expected.value, rel=1e-12)


def test_simulated_adversaries_fail_as_often():
    # Samples of 4 of 6 people, the target among them; one other member is known; noise on the sum.
    values, sample, size, sigma, epsilon = np.array([2, 0, 1, 1, 3, 0]), 4, 60_000, 1.5, 0.4
    generator = np.random.default_rng(5)
    known = 4
    samples = [set(people) for people in itertools.combinations(range(6), sample) if known in people]
    answers = np.array([values[list(people)].sum() for people in samples])
    has_target = np.array([0 in people for people in samples])
    drawn = generator.choice(answers[has_target], size)
    releases = drawn + sigma * generator.standard_normal(size)
    densities = np.exp(-(((releases[:, None] - answers) / sigma) ** 2) / 2)
    posterior = densities[:, has_target].sum(axis=1) / densities.sum(axis=1)
    prior = has_target.mean()
    lower, upper = inclusion.ratio_bounds(prior, epsilon)
    fails = (posterior / prior < lower) | (posterior / prior > upper)
    worlds = worlds_of_whole_numbers(2, [0, 1, 1, 0], sample - 1, known_sum=3)
    value = failure(worlds, epsilon, sigma)
    assert 0.05 < value < 0.95
    assert abs(fails.mean() - value) < 4 * math.sqrt(value * (1 - value) / size)
    for answer, share in zip(
        worlds.inside[0], failure_by_answer(worlds, scale=sigma, low=-epsilon, high=epsilon), strict=True
    ):
        those = fails[drawn == answer]
        assert abs(those.mean() - share) < 4.5 * math.sqrt(share * (1 - share) / len(those))


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "geometric", "discrete_gaussian"])
def test_the_mean_over_answers_is_the_failure_probability(noise):
    worlds = worlds_of_whole_numbers(4, [0, 1, 5, 2, 2], 2)
    settings = {"noise": noise, "scale": 3.0, "low": -0.25, "high": 0.35}
    by_answer = failure_by_answer(worlds, **settings)
    mean = failure_probability(*worlds, worlds.inside, **settings).value
    assert by_answer @ worlds.inside[1] == pytest.approx(mean, rel=1e-13)
    assert by_answer.max() > 1.2 * by_answer.min() > 0


def test_households_double_the_gap():
    # Two households of two, one with ones and one with zeros, of which one is in the data; noise for one person.
    value = failure(worlds_of_whole_numbers(2, [0], 1))
    assert value == pytest.approx(0.43, abs=0.005)
    mu = 2 / sigma_for()
    assert value == pytest.approx(ndtr(mu / 2 - EPSILON / mu) + ndtr(-mu / 2 - EPSILON / mu), rel=1e-13)
    assert failure(worlds_of_whole_numbers(1, [0], 1)) == pytest.approx(DELTA, rel=1e-11)


def test_ones_and_zeros_may_change_places():
    for known, known_ones in ((0, 0), (7, 3), (10, 6)):
        swapped = worlds_of_ones(15, 12, 15 - 9, known, known - known_ones, target=0)
        assert failure(worlds_of_ones(15, 12, 9, known, known_ones)) == pytest.approx(failure(swapped), rel=1e-12)


def test_the_union_mass_of_one_world_is_the_upper_limit():
    for target, known_ones, sample in ((1, 3, 8), (0, 4, 8), (1, 4, 9), (0, 5, 9)):
        worlds = worlds_of_ones(10, sample, 5, sample - 1, known_ones, target)
        left = 5 - known_ones - target
        gaps = (target - np.repeat([1.0, 0.0], [left, 10 - sample - left])) / sigma_for()
        mass = union_mass(worlds.inside, neighbouring_answers(worlds, target), EPSILON, sigma_for())
        assert mass == pytest.approx(float(regions.union_mass(gaps[:, None], EPSILON).value), rel=1e-12)


def test_neighbours_are_the_answers_after_one_replacement():
    for ones, sample, target in itertools.product(range(7), range(1, 6), (0, 1)):
        if not target <= ones <= 5 + target:
            continue
        values = np.array([target] + [1] * (ones - target) + [0] * (5 - ones + target))
        pairs = {
            (values[[0, *others]].sum(), values[[new, *others]].sum())
            for others in itertools.combinations(range(1, 6), sample - 1)
            for new in set(range(1, 6)) - set(others)
            if values[new] != target
        }
        found = neighbouring_answers(worlds_of_ones(6, sample, ones, target=target), target)
        assert {tuple(pair) for pair in found.tolist()} == pairs


def test_the_union_mass_of_several_worlds_is_a_share_of_releases():
    worlds = worlds_of_ones(12, 9, 6, 5, 2)
    pairs = neighbouring_answers(worlds, 1)
    assert len(pairs) > 1
    generator, size, sigma = np.random.default_rng(6), 100_000, 2.5
    releases = generator.choice(*worlds.inside[:1], size, p=worlds.inside[1]) + sigma * generator.standard_normal(size)
    ratios = ((releases[:, None] - pairs[:, 1]) ** 2 - (releases[:, None] - pairs[:, 0]) ** 2) / (2 * sigma**2)
    share = (np.abs(ratios) > 0.7).any(axis=1).mean()
    value = union_mass(worlds.inside, pairs, 0.7, sigma)
    assert 0.05 < value < 0.95
    assert abs(share - value) < 4 * math.sqrt(value * (1 - value) / size)


def test_limits_without_neighbours_or_without_good_releases():
    worlds = worlds_of_ones(12, 9, 12)
    assert union_mass(worlds.inside, neighbouring_answers(worlds, 1), 1.0, 1.0) == 0.0
    assert union_mass(([0.0], [1.0]), [(0.0, 1.0), (9.0, 8.0)], 1.0, 1.0) == 1.0


def reduced_problems(most):
    """Every adversary of people with zeros and ones, n - k <= ``most``: the known members shift all answers alike."""
    for people in range(2, most + 1):
        for ones, drawn in itertools.product(range(1, people), range(1, people)):
            yield worlds_of_ones(people, drawn, ones), people, ones, drawn


def search(most, epsilon, delta):
    """Largest failure probabilities over three limits, for an attribute that is 0 or 1; the target's is 1."""
    sigma = sigma_for(epsilon, delta)
    largest = {"any": 0.0, "delta": 0.0, "mean": 0.0}
    for worlds, people, ones, drawn in reduced_problems(most):
        value = failure(worlds, epsilon, sigma)
        # T is delta, or 0 where the zeros are all in the data.
        all_in = math.comb(ones - 1, drawn - 1 - (people - ones)) if drawn > people - ones else 0
        mean = delta * (1 - all_in / math.comb(people - 1, drawn - 1))
        limits = {"any": failure_limit(epsilon, 1 / sigma), "delta": delta, "mean": mean}
        largest = {name: max(largest[name], value / limit) for name, limit in limits.items()}
        assert value <= union_mass(worlds.inside, neighbouring_answers(worlds, 1), epsilon, sigma) * (1 + 1e-11)
    return largest


def check_search(most, epsilon, delta):
    largest = search(most, epsilon, delta)
    # Equal where all others have zeros, and there is one gap.
    assert largest["delta"] == pytest.approx(1, rel=1e-10)
    assert largest["any"] < 1
    # The mean of T over the worlds is exceeded for large delta only, and much where few worlds have T > 0.
    assert (largest["mean"] > 1 + 1e-9) == (delta >= 0.9 and epsilon <= 1)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, DELTA), (0.01, 0.9), (5.0, 1e-9)])
def test_no_adversary_exceeds_the_largest_limit_of_a_world(epsilon, delta):
    check_search(6, epsilon, delta)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("delta", [1e-12, DELTA, 0.15, 0.3, 0.9, 0.999])
def test_no_adversary_exceeds_the_largest_limit_of_a_world_among_fourteen(epsilon, delta):
    check_search(14, epsilon, delta)


def limits_of_worlds(target, others, drawn, epsilon, sigma):
    """T of every world."""
    sets = itertools.combinations(range(len(others)), drawn - 1)
    outside = [[value for person, value in enumerate(others) if person not in chosen] for chosen in sets]
    gaps = (target - np.array(outside, dtype=float)) / sigma
    return regions.union_mass(gaps[..., None], epsilon).value


def search_whole_numbers(most, largest_value, epsilon, delta):
    """Largest failure probabilities over the largest T and over the mean T, for values from 0 to a largest one."""
    sigma = largest_value * sigma_for(epsilon, delta)
    over_largest = over_mean = 0.0
    for people in range(3, most + 1):
        for others in itertools.combinations_with_replacement(range(largest_value + 1), people - 1):
            for target, drawn in itertools.product(range(largest_value // 2 + 1), range(2, people)):
                if {0, largest_value} <= {target, *others}:
                    limits = limits_of_worlds(target, others, drawn, epsilon, sigma)
                    value = failure(worlds_of_whole_numbers(target, others, drawn), epsilon, sigma)
                    over_largest = max(over_largest, value / limits.max())
                    over_mean = max(over_mean, value / limits.mean())
    return over_largest, over_mean


@pytest.mark.parametrize(("delta", "exceeded"), [(DELTA, False), (0.3, True)])
def test_no_adversary_of_whole_numbers_exceeds_the_largest_limit_of_a_world(delta, exceeded):
    over_largest, over_mean = search_whole_numbers(3, 4, EPSILON, delta)
    assert over_largest == pytest.approx(1, rel=1e-9)
    assert (over_mean > 1 + 1e-9) == exceeded


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("delta", [1e-4, DELTA, 0.15, 0.25])
def test_no_adversary_of_whole_numbers_exceeds_the_largest_limit_of_a_world_among_five(epsilon, delta):
    over_largest, over_mean = search_whole_numbers(5, 5, epsilon, delta)
    assert over_largest == pytest.approx(1, rel=1e-9)
    assert (over_mean > 1 + 1e-9) == (delta == 0.25 and epsilon < 2)


def over_mean_of_two_worlds(delta, epsilon=1e-3):
    """Failure probability over the mean T. One person of two others is in the data, of value 1 or 0.98; the target's is 0."""
    worlds = Worlds((np.array([0.98, 1.0]), np.array([0.5, 0.5])), (np.array([1.98]), np.array([1.0])))
    limits = limits_of_worlds(0.0, [0.98, 1.0], 2, epsilon, sigma_for(epsilon, delta))
    return failure(worlds, epsilon, sigma_for(epsilon, delta)) / limits.mean()


def test_the_mean_limit_of_the_worlds_is_exceeded_from_a_certain_delta_on():
    # For small epsilon from 2 Phi(-sqrt(2)) = 0.1573 on, by Jensen's inequality (docs/method.md).
    assert 2 * ndtr(-math.sqrt(2)) == pytest.approx(0.1573, abs=5e-5)
    assert over_mean_of_two_worlds(0.152) < 1 < over_mean_of_two_worlds(0.168)


def test_for_small_epsilon_the_average_gap_decides():
    # With epsilon to 0 and kappa = epsilon sigma fixed, the bounds fail with probability 2 Phi(-kappa / mean gap).
    epsilon, delta = 1e-4, 0.3
    sigma = sigma_for(epsilon, delta)
    others = np.array([0, 1, 1, 5, 10, 10])
    for drawn in (1, 2, 5):
        worlds = worlds_of_whole_numbers(2, others, drawn)
        value = failure(worlds, epsilon, 10 * sigma)
        assert value == pytest.approx(2 * ndtr(-epsilon * sigma / abs((others - 2).mean() / 10)), rel=2e-3)


def test_the_limit_of_a_dataset_says_nothing_of_who_knows_less():
    # The target and the two people outside have ones, so that T = 0 for this dataset, whose answer is 1.
    worlds = worlds_of_ones(4, 2, 3)
    assert worlds.inside[0].tolist() == [1.0, 2.0]
    assert failure_by_answer(worlds, scale=sigma_for(0.3, 0.3), low=-0.3, high=0.3)[0] > 8e-4
    # T is delta at most with zeros and ones. It may be exceeded even if it is delta, here where 48 of 50 ones are known.
    worlds = worlds_of_ones(100, 90, 50, known=88, known_ones=48)
    assert worlds.inside[0].tolist() == [49.0, 50.0]
    assert failure_by_answer(worlds, scale=sigma_for(), low=-EPSILON, high=EPSILON)[1] > 1.01 * DELTA


@pytest.mark.parametrize("seed", range(8))
def test_no_adversary_of_any_weights_exceeds_the_limit(seed):
    generator = np.random.default_rng(seed)
    for _ in range(20):
        mu, epsilon = 10 ** generator.uniform(-1.5, 1), 10 ** generator.uniform(-2, 1)
        others, weights = generator.normal(size=3) * 10 ** generator.uniform(-1, 1) / mu, generator.dirichlet([0.3] * 3)
        # Whoever takes the target's place has a value at most 1 away.
        gaps = generator.choice([-1.0, 1.0, generator.uniform(-1, 1)], 3)
        inside, outside = (others, weights), (others + gaps, weights)
        value = failure_probability(inside, outside, inside, scale=1 / mu, low=-epsilon, high=epsilon).value
        assert value <= failure_limit(epsilon, mu) * (1 + 1e-9)


def test_unequal_weights_may_exceed_delta():
    # 26 people with ones stay out together, with probability 0.04.
    epsilon, delta = 0.1, 0.3
    sigma = sigma_for(epsilon, delta)
    crowd = ([0.0, -2.5 * sigma], [0.96, 0.04])
    inside, outside = (np.array(crowd[0]) + 1, crowd[1]), crowd
    value = failure_probability(inside, outside, inside, scale=sigma, low=-epsilon, high=epsilon).value
    assert 1.03 * delta < value < failure_limit(epsilon, 1 / sigma)


@pytest.mark.parametrize(("epsilon", "mu"), [(1.0, 0.55), (0.1, 0.01), (3.0, 1.4)])
def test_the_limit_is_the_smallest_of_theorem_2(epsilon, mu):
    given = np.linspace(0, epsilon, 4000, endpoint=False)
    deltas = privacy.privacy_profile(given, mu)
    primes = deltas * (1 + np.exp(-epsilon)) / (1 - np.exp(given - epsilon))
    assert failure_limit(epsilon, mu) <= primes.min()
    assert failure_limit(epsilon, mu) == pytest.approx(primes.min(), rel=1e-4)


def test_the_limit_holds_in_many_dimensions_where_the_union_mass_does_not():
    # Gaps at right angles: bad regions are independent, and T comes near p delta.
    epsilon, mu, neighbours = 1.0, 0.4, 40
    ratios = mu * np.random.default_rng(8).standard_normal((50_000, neighbours)) + mu**2 / 2
    g = np.exp(-ratios).mean(axis=1)
    union, fails = (np.abs(ratios) > epsilon).any(axis=1).mean(), (np.abs(np.log(g)) > epsilon).mean()
    assert fails < failure_limit(epsilon, mu) < union / 3


def test_the_limit_is_that_of_a_release_of_which_one_bit_is_seen():
    # The bit says on which side of a point the release lies; there the odds rise by exactly e^epsilon.
    for epsilon, mu in ((1.0, 0.55), (0.1, 0.01), (3.0, 1.4)):
        rise = failure_limit(epsilon, mu) / (1 + math.exp(-epsilon))
        point = brentq(lambda a, mu=mu, epsilon=epsilon: ndtr(a) - math.exp(epsilon) * ndtr(a - mu), -30, mu + 8)
        assert rise == pytest.approx(ndtr(point), rel=1e-8)
    assert failure_limit(0.0, 0.3) == 1.0


def test_the_limit_is_about_e_times_a_small_delta():
    assert failure_limit(1.0, 1 / sigma_for(1.0, 1e-30)) / 1e-30 == pytest.approx(math.e, rel=0.02)


def every_failure(target, others, drawn, sigma, epsilon):
    """Failure probability from all sets of others."""
    inside = [target + sum(chosen) for chosen in itertools.combinations(others, drawn - 1)]
    outside = [sum(chosen) for chosen in itertools.combinations(others, drawn)]
    return failure(
        Worlds(*((np.array(answers), np.ones(len(answers))) for answers in (inside, outside))), epsilon, sigma
    )


def sampled(target, others, drawn, seed, sigma=1.0, epsilon=EPSILON):
    generator = np.random.default_rng(seed)
    settings = {"scale": sigma, "low": -epsilon, "high": epsilon, "sets": 1000, "generator": generator}
    return sampled_failure_probability(target, np.asarray(others), drawn, **settings)


@pytest.mark.parametrize(
    ("target", "others", "drawn", "epsilon", "delta", "error"),
    [(0.93, [0.6, 0.9, 0.77, 0.22, 0.3, 0.87], 3, 0.2, 0.8, 0.3), (1.0, [1.0, 0.0, 0.0], 2, 1.0, DELTA, 0.4)],
)
def test_sampled_worlds_are_off_by_no_more_than_they_say(target, others, drawn, epsilon, delta, error):
    sigma = sigma_for(epsilon, delta)
    exact = every_failure(target, others, drawn, sigma, epsilon)
    for seed in range(2):
        estimate = sampled(target, others, drawn, seed, sigma, epsilon)
        assert abs(estimate.value - exact) < estimate.error < error * exact


def test_units_of_sampled_values_make_no_difference():
    small, large = sampled(1.0, [0.5, 0.1, 0.9], 2, 0), sampled(64.0, [32.0, 6.4, 57.6], 2, 0, sigma=64.0)
    assert large == pytest.approx(small, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: failure_limit(-1.0, 0.5), "epsilon = -1.0 is outside"),
        (lambda: failure_limit(1.0, 0.0), "mu = 0.0 is outside"),
        (lambda: union_mass(([0.0], [1.0]), [(0, 1)], 0.0, 1.0), "epsilon = 0.0 is outside"),
        (lambda: union_mass(([0.0], [1.0]), [(0, 1)], 1.0, 0.0), "sigma = 0.0 is outside"),
    ],
)
def test_bad_input_is_refused_by_name(call, message):
    with pytest.raises(DomainError, match=f"^{message}"):
        call()
