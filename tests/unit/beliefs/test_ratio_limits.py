"""Limits on the ratio, against the exact ratio, its definition and what attains them."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from disclosure.beliefs import quantiles, ratio_limits
from disclosure.numerics.errors import DomainError


def fall_limit(gaps, shares, probability, prior):
    """The limit on falling with the tilt that is best for these gaps."""
    lengths = np.linalg.norm(gaps, axis=-1)
    tilt = ratio_limits.tilt(lengths, shares, probability)
    mean = ratio_limits.tilted_mean(lengths, shares, tilt)
    return float(ratio_limits.fall_limit(mean, tilt, probability, prior))


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
            fall = fall_limit(gaps, shares, probability, prior)
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
    assert 0.995 < fall_limit(gaps, np.ones(3), 1e-3, 0.25) / float(exact.lower) <= 1


@pytest.mark.parametrize("dimensions", [1, 3])
def test_neighbours_at_one_place_attain_the_limit_on_a_fall(dimensions):
    for length, probability in ((0.2, 1e-3), (0.9, 0.3), (2.5, 1e-9)):
        gaps = np.tile(np.eye(dimensions)[0] * length, (4, 1))
        exact = float(quantiles.ratio_quantiles(gaps, probability, prior=0.1).lower)
        log = norm.isf(probability) * length - length**2 / 2
        assert exact == pytest.approx(1 / (0.1 + 0.9 * math.exp(log)), rel=1e-9)
        # Farther away than the noise reaches the limit is that of a gap of z.
        nearest = min(length, norm.isf(probability))
        limit = fall_limit(gaps, np.ones(4), probability, 0.1)
        assert limit <= exact * (1 + 1e-9)
        assert limit == pytest.approx(
            1 / (0.1 + 0.9 * math.exp(nearest * (norm.isf(probability) - nearest / 2))), rel=1e-9
        )


@pytest.mark.parametrize("dimensions", [1, 2])
def test_no_mixture_falls_below_the_limit_however_the_gaps_are(dimensions):
    """Against exact quantiles: an outlier, opposite sides, gaps beyond what the noise reaches, next to no weight."""
    generator = np.random.default_rng(5)
    number = 400 if dimensions == 1 else 8
    gaps = generator.normal(size=(number, 5, dimensions)) * 10 ** generator.uniform(-1.5, 0.7, (number, 5, 1))
    gaps[:, 0] *= np.resize([1.0, 10.0, 0.0, -3.0], number)[:, None]
    shares = np.array([generator.dirichlet(np.full(5, (3.0, 0.2)[case % 2])) + 1e-6 for case in range(number)])
    shares /= shares.sum(axis=1, keepdims=True)
    for probability in (0.5, 0.05, 1e-3, 1e-9) if dimensions == 1 else (0.05,):
        exact = quantiles.ratio_quantiles(gaps, probability, shares, 0.05).lower
        limits = [fall_limit(*case, probability, 0.05) for case in zip(gaps, shares, strict=True)]
        assert (limits <= exact * (1 + 1e-8)).all()


def test_means_in_which_large_values_count_more_are_exponentials_of_the_gap():
    """The quantile function of one term, averaged over normal noise that is moved by k."""
    for length, k in ((0.1, 3.0), (0.8, 0.0), (2.0, 1.2)):
        mean = quad(lambda z, c=length, k=k: math.exp(c * z - c**2 / 2) * norm.pdf(z - k), -12, 16)[0]
        assert math.exp(ratio_limits.tilted_mean([length], [1.0], k)) == pytest.approx(mean, rel=1e-9)
    mean = float(ratio_limits.tilted_mean([1.0, 3.0], [3.0, 1.0], 0.5))
    assert mean == pytest.approx(math.log(0.75 * math.exp(0.5) + 0.25 * math.exp(1.5)), rel=1e-14)
    assert np.isfinite(ratio_limits.tilted_mean([1e4, 2.0], [1.0, 1.0], 30.0))


def test_the_tilt_is_the_best_of_a_fine_grid():
    generator = np.random.default_rng(6)
    z = norm.isf(1e-3)
    for case in range(40):
        lengths = np.abs(generator.normal(size=8)) * (0.3, 2.0, 40.0)[case % 3]
        shares = generator.dirichlet(np.ones(8))
        tilt = float(ratio_limits.tilt(lengths, shares, 1e-3))
        grid = np.append(np.linspace(0, z, 400), tilt)
        many = np.broadcast_to(lengths, (401, 8))
        limits = ratio_limits.fall_limit(ratio_limits.tilted_mean(many, shares, grid), grid, 1e-3, 0.0)
        assert limits[-1] >= limits.max() * (1 - 1e-9)
    # One gap within reach of the noise, and one beyond it, by hand.
    assert float(ratio_limits.tilt([0.5], [1.0], 1e-3)) == pytest.approx(z - 0.5, abs=1e-6)
    assert float(ratio_limits.tilt([9.0], [1.0], 1e-3)) == 0


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
    assert float(ratio_limits.fall_limit(math.log(1.7), z, 1e-3, 0.0)) == pytest.approx(1 / 1.7, rel=1e-14)


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
        (lambda: ratio_limits.tilt([np.inf], [1.0], 0.1), "lengths"),
        (lambda: ratio_limits.tilt([1.0], [1.0], 0.7), "probability = 0.7"),
        (lambda: ratio_limits.fall_limit(0.0, 0.0, 0.1, 1.1), "prior"),
    ],
)
def test_what_is_outside_is_refused(call, named):
    with pytest.raises(DomainError, match=named):
        call()
