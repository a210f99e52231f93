"""Quantiles of the posterior-to-prior ratio: against closed forms, the exact probabilities at them, and simulation."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtri

import disclosure
from disclosure.beliefs import mixtures
from disclosure.beliefs.mixture_quantiles import mixture_ratio_quantiles
from disclosure.beliefs.quantiles import RatioQuantiles, exceeding_probability, ratio_quantiles
from disclosure.numerics.errors import DomainError

TAILS = (1e-100, 1e-9, 1e-3, 0.2)


def level(r, prior):
    """log g at which the ratio is r."""
    return math.log((1 / r - prior) / (1 - prior))


@pytest.mark.parametrize("probability", [*TAILS, 0.5, 0.9])
@pytest.mark.parametrize("gap", [0.03, -0.4, 2.5])
def test_a_single_neighbour_has_quantiles_in_closed_form(gap, probability):
    # log g = -(z c + c^2 / 2) is a normal variable.
    lower, upper = ratio_quantiles([gap], probability)
    far = abs(gap) * ndtri(probability)
    assert float(lower) == pytest.approx(2 / (1 + math.exp(-(gap**2) / 2 - far)), rel=1e-12)
    assert float(upper) == pytest.approx(2 / (1 + math.exp(-(gap**2) / 2 + far)), rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_beyond_the_quantiles_lies_the_stated_probability(seed):
    generator = np.random.default_rng(seed)
    size = generator.integers(1, 9)
    gaps, weights = generator.normal(size=size) * 10 ** generator.uniform(-1.5, 0.5), generator.dirichlet(np.ones(size))
    if seed % 3 == 0:
        gaps[0] = 0.0
    prior = generator.uniform(0.01, 0.9)
    for probability in TAILS[1:]:
        lower, upper = ratio_quantiles(gaps, probability, weights, prior)
        # Rounding of r moves log g by more where r is near 1 / p; there the levels cannot be told apart.
        settings = {"inside": ([0.0], [1]), "outside": (-gaps, weights), "truth": ([0.0], [1]), "scale": 1.0}
        falls = mixtures.failure_probability(**settings, low=-math.inf, high=level(float(lower), prior))
        assert falls.value == pytest.approx(probability, rel=1e-9)
        for slack, sign in ((1e-10, 1), (-1e-10, -1)):
            rises = mixtures.failure_probability(
                **settings, low=level(float(upper) * (1 + slack), prior), high=math.inf
            )
            assert sign * (probability - rises.value) >= 0


@pytest.mark.parametrize("probability", [1e-200, 1e-20, 1e-4, 0.3, 0.99])
def test_quantiles_are_those_of_any_adversary_on_a_line(probability):
    """Another way: by the probabilities of mixtures, from levels of log g. Small gaps, large ones, of one sign, and none."""
    generator = np.random.default_rng(11)
    for scale, shape in itertools.product((1e-3, 0.3, 8.0), ("any", "above", "some")):
        gaps, weights = generator.normal(size=6) * scale, generator.dirichlet(np.ones(6))
        gaps = {"any": gaps, "above": np.abs(gaps), "some": gaps * [1, 1, 0, 1, 0, 1]}[shape]
        worlds = {"inside": ([0.0], [1]), "outside": (-gaps, weights), "truth": ([0.0], [1]), "scale": 1.0}
        known = mixture_ratio_quantiles(**worlds, probability=probability, prior=0.2)
        assert list(map(float, ratio_quantiles(gaps, probability, weights, 0.2))) == pytest.approx(known, rel=1e-11)


def test_no_last_digit_depends_on_the_other_datasets():
    generator = np.random.default_rng(7)
    gaps = generator.normal(size=(3, 4, 100, 1))
    gaps[:, 2:] = generator.choice([0.0, math.inf], size=(3, 2, 100, 1))  # log g does not vary
    weights = generator.dirichlet(np.full(100, 5.0), size=(3, 4))
    together = ratio_quantiles(gaps, 0.01, weights)
    assert together.lower.shape == together.upper.shape == (3, 4)
    for place in itertools.product(range(3), range(4)):
        alone = ratio_quantiles(gaps[place], 0.01, weights[place])
        assert (alone.lower, alone.upper) == (together.lower[place], together.upper[place])


@pytest.mark.parametrize("probability", [1e-300, 1e-3, 0.5, 0.999])
def test_limits_of_the_ratio_are_its_quantiles(probability):
    # No gap: the release tells nothing. Infinite gaps only: it tells all.
    for gaps, prior, ratio in (
        ([0.0, 0.0], 0.2, 1.0),
        ([math.inf, -math.inf], 0.2, 5.0),
        ([math.inf, 0.0], 0.2, 1 / (0.2 + 0.8 * 0.5)),
        ([1e-200], 0.2, 1.0),
        ([3e5], 0.2, 5.0),
        ([0.7], 1.0, 1.0),
    ):
        for quantile in ratio_quantiles(gaps, probability, prior=prior):
            assert float(quantile) == pytest.approx(ratio, rel=1e-14)
    assert ratio_quantiles(np.empty((5, 0, 2)), probability).upper.tolist() == [1.0] * 5


def test_a_duplicate_of_the_target_bounds_the_rise():
    # A neighbour that cannot be told apart keeps g above its weight.
    upper = float(ratio_quantiles([0.0, 2.0], 1e-200).upper)
    assert upper == pytest.approx(1 / (1 / 3 + 2 / 3 / 2), rel=1e-12)
    assert upper <= 1.5


def test_at_a_prior_of_zero_the_ratio_is_one_over_g():
    """Of one neighbour at the gap c it is exp(c z + c^2 / 2); of several the limit of small priors."""
    z = -ndtri(0.01)
    lower, upper = ratio_quantiles([[0.7]], 0.01, prior=0.0)
    assert (lower, upper) == pytest.approx((math.exp(-0.7 * z + 0.245), math.exp(0.7 * z + 0.245)), rel=1e-12)
    assert exceeding_probability([[0.7]], float(upper), prior=0.0).value == pytest.approx(0.01, rel=1e-10)
    for gaps in ([[0.5], [-0.2], [0.9]], [[0.5, 0.1], [-0.2, 0.3], [0.9, -0.4]]):
        near, at = (ratio_quantiles(gaps, 0.01, prior=prior) for prior in (1e-12, 0.0))
        assert np.ravel(at) == pytest.approx(np.ravel(near), rel=1e-9)


def test_the_default_prior_is_uniform_over_all_candidates():
    gaps = [[0.5], [-0.25], [0.1]]
    assert ratio_quantiles(gaps, 0.01) == ratio_quantiles(gaps, 0.01, [1 / 3] * 3, 0.25)


def test_rarer_means_farther_and_the_ratio_stays_below_its_largest():
    gaps = np.random.default_rng(8).normal(size=(20, 7, 1))
    lower, upper = zip(*(ratio_quantiles(gaps, probability) for probability in TAILS), strict=True)
    assert (np.diff(lower, axis=0) > 0).all()
    assert (np.diff(upper, axis=0) < 1e-14).all()  # where the set is tiny, its level is the least log g
    assert (upper[0] <= 8).all()


def test_gaps_along_a_line_have_the_same_quantiles_in_any_dimension():
    gaps = np.array([0.3, -0.8, 0.05])
    direction = np.array([0.6, 0.0, 0.8])
    turned, straight = ratio_quantiles(gaps[:, None] * direction, 1e-4), ratio_quantiles(gaps, 1e-4)
    assert float(turned.lower) == pytest.approx(float(straight.lower), rel=1e-12)
    assert float(turned.upper) == pytest.approx(float(straight.upper), rel=1e-12)


@pytest.mark.parametrize(
    ("dimension", "lines", "probability"), [(2, 4096, 0.01), (2, 4096, 0.6), (3, 64, 0.01), (3, 32, 0.6)]
)
def test_simulated_ratios_exceed_the_quantiles_as_often(dimension, lines, probability):
    generator = np.random.default_rng(9)
    gaps, weights, prior = generator.normal(size=(4, dimension)) * 0.5, np.array([0.1, 0.2, 0.3, 0.4]), 0.3
    lower, upper = ratio_quantiles(gaps, probability, weights, prior, lines=lines)
    size = 200_000
    noise = generator.standard_normal((size, dimension))
    ratios = 1 / (prior + (1 - prior) * np.exp(-(noise @ gaps.T) - (gaps**2).sum(axis=1) / 2) @ weights)
    # Four standard errors, and 2% of a mass for sampled directions, so few of them.
    slack = 4 * math.sqrt(probability * (1 - probability) / size) + (0.02 * probability if dimension == 3 else 0)
    assert abs(np.mean(ratios > upper) - probability) < slack
    assert abs(np.mean(ratios < lower) - probability) < slack


def test_rare_quantiles_in_the_plane_meet_the_exact_probability():
    gaps = np.array([[0.5, 0.1], [-0.2, 0.4], [0.1, -0.3], [math.inf, 0.0]])
    lower, _ = ratio_quantiles(gaps, 1e-12)
    epsilon = level(float(lower), 0.2)
    # At so high a level the low set of the same size is empty, and the bounds fail on one side only.
    failure = disclosure.failure_probability(gaps, epsilon)
    assert float(failure.value) == pytest.approx(1e-12, rel=1e-7)


def test_a_small_set_around_the_least_ratio_is_met():
    # Opposite gaps: log g is least at 0, and the ratio is near its largest in a small disc around it.
    gaps = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]])
    probability = 1e-6
    upper = float(ratio_quantiles(gaps, probability, prior=0.2).upper)
    # To second order log g = -1/8 + |z|^2 / 16, and P(|z| < r) = r^2 / 2.
    assert level(upper, 0.2) == pytest.approx(-1 / 8 + probability / 8, abs=1e-10)


def test_the_package_has_the_function_and_its_fields():
    result = disclosure.ratio_quantiles([[0.5], [-0.25]], 0.001)
    assert isinstance(result, RatioQuantiles)
    assert result._fields == ("lower", "upper")
    assert result.lower.shape == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5], 0.0), "probability = 0.0 is outside"),
        (([0.5], 1.0), "probability = 1.0 is outside"),
        (([0.5], [0.1, 0.2]), "probability has shape"),
        (([0.5], 0.1, [0.5]), "weights sums to 0.5"),
        (([0.5], 0.1, None, -0.1), "prior = -0.1 is outside"),
        (([math.nan], 0.1), "gaps = nan is outside"),
        ((0.5, 0.1), "gaps has shape"),
        ((["a"], 0.1), "gaps = "),
    ],
)
def test_bad_input_is_refused_by_name(arguments, message):
    with pytest.raises(DomainError, match=message):
        ratio_quantiles(*arguments)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_the_probability_of_exceeding_a_quantile_is_its_own(dimensions):
    generator = np.random.default_rng(dimensions)
    gaps, weights = generator.normal(size=(2, 5, dimensions)) / 2, generator.dirichlet(np.ones(5), size=2)
    for row in range(2):
        upper = float(ratio_quantiles(gaps[row], 0.02, weights[row], 0.1).upper)
        found = exceeding_probability(gaps[row], upper, weights[row], 0.1)
        assert float(found.value) == pytest.approx(0.02, rel=1e-8 if dimensions < 3 else 1e-4)
        # By the definition, over noise that is drawn.
        noise = generator.normal(size=(40_000, dimensions))
        densities = np.exp(-((noise[:, None] + gaps[row]) ** 2).sum(axis=2) / 2)
        own = np.exp(-(noise**2).sum(axis=1) / 2)
        share = (own / (0.1 * own + 0.9 * densities @ weights[row]) > upper).mean()
        assert abs(share - 0.02) < 4 * math.sqrt(0.02 / 40_000)
    together = exceeding_probability(gaps, 1.2, weights, [0.1, 0.9]).value
    assert together[0] == pytest.approx(float(exceeding_probability(gaps[0], 1.2, weights[0], 0.1).value))
    # No posterior exceeds 1.
    assert together[1] == 0
    assert exceeding_probability(np.zeros((3, 2)), 1.0001).value == 0
    for ratio in (1.0, 0.5):
        with pytest.raises(DomainError, match="ratio"):
            exceeding_probability(gaps, ratio)
