"""Limits on the ratio, against the exact ratio, its definition and what attains them."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import lognorm, norm

from disclosure.beliefs import quantiles, ratio_limits
from disclosure.numerics.errors import DomainError


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("neighbours", [1, 7])
def test_neighbours_at_one_place_attain_the_limits_on_a_rise(dimensions, neighbours):
    direction = np.arange(1.0, dimensions + 1)
    for length, prior in ((0.2, 0.02), (0.9, 0.3), (2.5, 1 / 8)):
        gaps = np.tile(length * direction / np.linalg.norm(direction), (neighbours, 1))
        for probability in (0.4, 1e-3, 1e-9):
            limit = float(ratio_limits.rise_limit(length, probability, prior))
            exact = quantiles.ratio_quantiles(gaps, probability, prior=prior)
            assert limit == pytest.approx(float(exact.upper), rel=1e-9)
            assert float(ratio_limits.posterior_limit(length, probability, prior)) == prior * limit
            # By hand: one normal number decides, and L is normal with mean s^2 / 2 and variance s^2.
            log = norm.isf(probability) * length + length**2 / 2
            assert limit == pytest.approx(1 / (prior + (1 - prior) * math.exp(-log)), rel=1e-12)
            exceeded = ratio_limits.exceeding_limit(length, limit, prior)
            # Near 1 / prior the ratio has lost digits of the exponent.
            assert float(exceeded) == pytest.approx(probability, rel=1e-7)
            assert float(ratio_limits.reach_for(limit, probability, prior)) == pytest.approx(length, rel=1e-7)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weighted"])
def test_no_mixture_exceeds_the_limits(dimensions, weighted):
    """Against the posterior by its definition, for noise drawn from the target's answer."""
    generator = np.random.default_rng(dimensions)
    noise = generator.normal(size=(20_000, dimensions))
    for case in range(12):
        gaps = generator.normal(size=(6, dimensions)) * 10 ** generator.uniform(-1, 0.3)
        if case % 3 == 0:
            gaps = np.abs(gaps)  # all on one side
        shares = generator.dirichlet(np.ones(6)) if weighted else np.full(6, 1 / 6)
        prior = generator.uniform(0.01, 0.5)
        densities = np.exp(-((noise[:, None] + gaps) ** 2).sum(axis=2) / 2)
        own = np.exp(-(noise**2).sum(axis=1) / 2)
        ratios = own / (prior * own + (1 - prior) * densities @ shares)
        reach = math.sqrt(shares @ (gaps**2).sum(axis=1))
        for probability in (0.3, 0.01):
            error = 4 * math.sqrt(probability / len(noise))
            rise = float(ratio_limits.rise_limit(reach, probability, prior))
            assert (ratios > rise * (1 + 1e-12)).mean() <= probability + error
            terms = shares @ ratio_limits.falling_terms(np.linalg.norm(gaps, axis=1), probability)
            fall = float(ratio_limits.fall_limit(terms, prior))
            assert (ratios < fall * (1 - 1e-12)).mean() <= probability + error
        for ratio in (1.2, 1.9):
            limit = float(ratio_limits.exceeding_limit(reach, ratio, prior))
            assert (ratios > ratio).mean() <= limit + 4 * math.sqrt(limit / len(noise))


def test_limits_are_near_what_happens_where_neighbours_are_alike():
    """A limit that were too wide would pass the test above."""
    gaps = np.array([[0.3, 0.02], [0.28, -0.03], [0.33, 0.0]])
    reach = math.sqrt((gaps**2).sum(axis=1).mean())
    exact = quantiles.ratio_quantiles(gaps, 1e-3)
    assert 1 <= float(ratio_limits.rise_limit(reach, 1e-3, 0.25)) / float(exact.upper) < 1.01
    terms = ratio_limits.falling_terms(np.linalg.norm(gaps, axis=1), 1e-3).mean()
    assert 0.85 < float(ratio_limits.fall_limit(terms, 0.25)) / float(exact.lower) <= 1


def test_the_terms_of_a_fall_are_means_of_the_largest_values():
    """By quadrature of the quantile function of a lognormal number."""
    for length in (0.1, 0.8, 2.0):
        values = lognorm(length, scale=math.exp(-(length**2) / 2))
        mean = quad(values.isf, 0, 0.02, epsabs=0, epsrel=1e-9)[0] / 0.02
        assert float(ratio_limits.falling_terms(length, 0.02)) == pytest.approx(mean, rel=1e-6)
    assert float(ratio_limits.falling_terms(0.0, 1e-300)) == pytest.approx(1.0, rel=1e-12)


def test_limits_rise_in_the_reach_and_fall_in_the_prior():
    reaches, priors = np.geomspace(1e-3, 30, 200), np.linspace(0.01, 1, 50)
    assert (np.diff(ratio_limits.rise_limit(reaches, 1e-3, 0.01)) >= 0).all()
    assert (np.diff(ratio_limits.exceeding_limit(reaches, 2.0, 0.01)) >= 0).all()
    assert (np.diff(ratio_limits.rise_limit(0.5, 1e-3, priors)) < 0).all()
    assert (np.diff(ratio_limits.posterior_limit(0.5, 1e-3, priors)) > 0).all()
    assert (np.diff(ratio_limits.exceeding_limit(0.5, 1.5, priors)) <= 0).all()
    assert (np.diff(ratio_limits.reach_for(1.5, 1e-3, priors[priors < 0.66])) > 0).all()


def test_the_ends_of_the_ranges():
    assert float(ratio_limits.rise_limit(0.0, 1e-3, 0.1)) == 1
    assert float(ratio_limits.rise_limit(1e200, 1e-3, 0.1)) == 10
    assert float(ratio_limits.exceeding_limit(0.0, 2.0, 0.1)) == 0
    assert ratio_limits.exceeding_limit(3.0, 2.0, [0.5, 0.6, 1.0]).tolist() == [0, 0, 0]
    # Beyond a half there is no limit in closed form.
    assert float(ratio_limits.exceeding_limit(5.0, 2.0, 0.1)) == 1
    assert ratio_limits.reach_for(2.0, 1e-3, [0.5, 0.7]).tolist() == [math.inf, math.inf]
    # For every prior the exponent is log r.
    assert float(ratio_limits.exceeding_limit(ratio_limits.reach_for(2.0, 1e-3, 0.0), 2.0, 1e-15)) == pytest.approx(
        1e-3
    )


def test_at_a_prior_of_zero_limits_are_those_of_odds():
    z = norm.isf(1e-3)
    assert float(ratio_limits.rise_limit(0.3, 1e-3, 0.0)) == pytest.approx(math.exp(0.045 + 0.3 * z), rel=1e-14)
    assert float(ratio_limits.rise_limit(50.0, 1e-3, 0.0)) == math.inf
    assert float(ratio_limits.fall_limit(1.7, 0.0)) == 1 / 1.7


def test_the_reach_is_from_the_private_side():
    generator = np.random.default_rng(4)
    for _ in range(300):
        ratio, prior = 1 + 10 ** generator.uniform(-3, 2), 10 ** generator.uniform(-6, 0)
        failure = 10 ** generator.uniform(-200, math.log10(0.5))
        reach = float(ratio_limits.reach_for(ratio, failure, prior))
        if math.isfinite(reach):
            assert float(ratio_limits.exceeding_limit(reach, ratio, prior)) <= failure
            assert float(ratio_limits.exceeding_limit(reach * (1 + 1e-9), ratio, prior)) > failure


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: ratio_limits.rise_limit(0.1, 0.6, 0.1), "probability = 0.6"),
        (lambda: ratio_limits.rise_limit(-0.1, 0.1, 0.1), "reach"),
        (lambda: ratio_limits.rise_limit(0.1, 0.1, -0.1), "prior"),
        (lambda: ratio_limits.posterior_limit(0.1, 0.1, 0.0), "prior"),
        (lambda: ratio_limits.exceeding_limit(0.1, 1.0, 0.1), "ratio = 1.0"),
        (lambda: ratio_limits.reach_for(2.0, 0.0, 0.1), "failure = 0.0"),
        (lambda: ratio_limits.falling_terms(np.inf, 0.1), "lengths"),
        (lambda: ratio_limits.fall_limit(1.0, 1.1), "prior"),
    ],
)
def test_what_is_outside_is_refused(call, named):
    with pytest.raises(DomainError, match=named):
        call()
