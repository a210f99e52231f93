"""Risks of larger odds against quadrature, a search over the privacy profile, 40 digits and random adversaries."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from disclosure.mechanisms import odds_risk, privacy
from disclosure.numerics.errors import DomainError
from tests.unit.mechanisms import exact

BOUNDS = [1 + 1e-9, 1.1, 2.0, 1e3, 1e200]
FAILURES = [1e-300, 1e-6, 1e-3, 0.5, 0.99]


@pytest.mark.parametrize("mu", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("bound", [1.0, 1.5, 20.0])
def test_the_informed_adversary_by_quadrature(mu, bound):
    """The mass, under one of two normal densities, of where it exceeds the other by the factor."""
    x = np.linspace(-12, 14, 130_001)
    raised = norm.logpdf(x, mu) - norm.logpdf(x) > math.log(bound)
    mass = norm.pdf(x[raised], mu).sum() * (x[1] - x[0])
    assert odds_risk.failure_informed(bound, mu) == pytest.approx(mass, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("mu", [1e-3, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("bound", [1.01, 2.0, 50.0])
def test_any_adversary_is_the_infimum_over_the_privacy_profile(mu, bound):
    """inf over c < log B of delta(c) / (1 - e^c / B), searched; below 0 the profile is 1 - e^c + e^c delta(-c)."""

    def log_ratio(c):
        delta = privacy.privacy_profile(np.abs(c), mu)
        delta = np.where(c < 0, -np.expm1(c) + np.exp(c) * delta, delta)
        return np.log(delta) - np.log(-np.expm1(c - math.log(bound)))

    expected = odds_risk.failure_any(bound, mu)
    if expected < 1e-250:
        assert privacy.privacy_profile(math.log(bound) * 0.99, mu) < 1e-200
        return
    grid = math.log(bound) - np.geomspace(1e-6, 20 + 2 * mu**2, 1_001)
    best = int(np.argmin(log_ratio(grid)))
    around = grid[min(best + 1, len(grid) - 1)], grid[max(best - 1, 0)]
    found = minimize_scalar(log_ratio, bounds=around, method="bounded", options={"xatol": 1e-12})
    assert math.exp(found.fun) == pytest.approx(float(expected), rel=1e-8)


def test_any_adversary_is_attained_by_one_who_sees_a_threshold_only():
    """The release lies beyond a point with probability t given S and t / B given its complement: odds rise by B exactly."""
    bound, mu = 3.0, 0.8
    t = float(odds_risk.failure_any(bound, mu))
    point = norm.isf(t)  # under S with mean 0, and mean -mu under the complement
    assert norm.sf(point) / norm.sf(point, -mu) == pytest.approx(bound, rel=1e-12)
    assert t > 1.05 * odds_risk.failure_informed(bound, mu)


@pytest.mark.parametrize("seed", range(20))
def test_no_adversary_with_several_possible_datasets_exceeds_any(seed):
    """Random data of the others; the value in S moves the answer to one end of the sensitivity or less, by mixtures."""
    generator = np.random.default_rng(seed)
    mu, worlds = 10 ** generator.uniform(-0.5, 0.7), 4
    others, weights = generator.uniform(0, 3, worlds) * mu, generator.dirichlet(np.full(worlds, 0.5))
    inside, outside = generator.uniform(0, mu, (2, worlds))
    x = np.linspace(-12, 4 * mu + 12, 50_001)
    given_s, given_c = (
        weights @ np.exp(-((x - (others + answers)[:, None]) ** 2) / 2) / math.sqrt(2 * math.pi)
        for answers in (inside, outside)
    )
    for bound in (1.05, 1.5, 4.0):
        mass = given_s[given_s > bound * given_c].sum() * (x[1] - x[0])
        assert mass <= odds_risk.failure_any(bound, mu) + 1e-9


def test_published_noise_for_a_factor_of_2():
    assert odds_risk.sigma_informed(2, 1e-3) == pytest.approx(4.6146, abs=5e-5)
    assert odds_risk.sigma_any(2, 1e-3) == pytest.approx(4.9927, abs=5e-5)
    assert odds_risk.sigma_zcdp(2, 1e-3) == pytest.approx(5.49, abs=5e-3)
    assert odds_risk.sigma_any(2, 1e-3, 7.0) == pytest.approx(7 * float(odds_risk.sigma_any(2, 1e-3)), rel=1e-15)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("bound", BOUNDS)
def test_the_noise_in_40_digits(bound, failure):
    @exact.exactly
    def expected():
        b, z = mpmath.log(mpmath.mpf(bound)), exact.quantile(failure)
        rarity = -mpmath.log(mpmath.mpf(failure))
        lower = exact.quantile(mpmath.mpf(failure) / mpmath.mpf(bound))
        return (
            1 / (z + mpmath.sqrt(z**2 + 2 * b)),
            1 / (z - lower),
            1 / (mpmath.sqrt(2) * (mpmath.sqrt(rarity + b) - mpmath.sqrt(rarity))),
        )

    functions = odds_risk.sigma_informed, odds_risk.sigma_any, odds_risk.sigma_zcdp
    found = [float(function(bound, failure)) for function in functions]
    for sigma, value in zip(found, expected(), strict=True):
        assert exact.relative(sigma, value) < 1e-12
    assert found[0] < found[1] < found[2]


@pytest.mark.parametrize("mu", [1e-8, 0.2, 40.0])
def test_risks_and_factors_are_inverse(mu):
    failure = np.array([1e-300, 1e-6, 0.01, 0.5])
    for factor, risk in (
        (odds_risk.increase_any(failure, mu), odds_risk.failure_any),
        (odds_risk.increase_informed(failure, mu), odds_risk.failure_informed),
    ):
        held = np.isfinite(factor)
        # A float near 1 holds a factor of 1 + 1e-8 to 8 digits, and its logarithm no better.
        assert risk(factor[held], mu) == pytest.approx(failure[held], rel=1e-12 if mu > 1e-3 else 1e-5)
    assert np.isfinite(odds_risk.increase_any(failure, 0.2)).all()


def test_limits_of_the_risks():
    assert odds_risk.failure_any(1.0, [1e-8, 40.0]).tolist() == [1.0, 1.0]
    assert odds_risk.failure_any(2.0, 1e-8) == 0.0
    assert odds_risk.failure_any(2.0, 40.0) == pytest.approx(1.0, rel=1e-15)
    assert odds_risk.failure_any([[1.5], [3.0]], [0.1, 0.2, 0.3]).shape == (2, 3)
    assert odds_risk.failure_zcdp(2.0, [math.log(2), 3.0]).tolist() == [1.0, 1.0]
    assert odds_risk.failure_zcdp(2.0, 1e-300) == 0.0
    assert odds_risk.increase_any(0.01, 100.0) == math.inf
    assert odds_risk.increase_any(0.01, 1e-9) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: odds_risk.failure_any(0.5, 1.0), r"bound = 0\.5"),
        (lambda: odds_risk.failure_informed(2.0, 0.0), r"mu = 0\.0"),
        (lambda: odds_risk.failure_zcdp(2.0, math.nan), "rho = nan"),
        (lambda: odds_risk.sigma_any(1.0, 0.1), r"bound = 1\.0"),
        (lambda: odds_risk.sigma_informed(2.0, 0.0), r"failure = 0\.0"),
        (lambda: odds_risk.sigma_zcdp(2.0, 0.1, -1.0), r"sensitivity = -1\.0"),
        (lambda: odds_risk.increase_any(1.0, 1.0), r"failure = 1\.0"),
    ],
)
def test_what_lies_outside_its_domain_is_refused_by_name(call, named):
    with pytest.raises(DomainError, match=named):
        call()


@pytest.mark.parametrize("bound", [1.01, 1.5, 2.0, 30.0])
@pytest.mark.parametrize("mu", [0.05, 0.3, 1.0])
def test_the_profile_of_normal_noise_gives_its_bound(bound, mu):
    known = float(odds_risk.failure_any(bound, mu))
    found = odds_risk.failure_profile(bound, lambda epsilon: privacy.privacy_profile(epsilon, mu))
    # The bound for normal noise may take a c below 0, where its probability is above a half.
    assert found >= known * (1 - 1e-12)
    if known < 0.5:
        assert found == pytest.approx(known, rel=1e-9)


def test_bounds_from_a_profile_hold_for_mixtures_of_any_neighbours():
    """Random mechanisms with seven outputs; the adversary's beliefs about the others are the same in S and outside."""
    generator = np.random.default_rng(3)
    tight = 0.0
    for _ in range(300):
        pairs, concentration = generator.integers(1, 4), generator.uniform(0.3, 3)
        inside, outside = generator.dirichlet(np.full(7, concentration), (2, pairs))
        weights = generator.dirichlet(np.ones(pairs))
        f_s, f_c = weights @ inside, weights @ outside

        def profile(epsilon, inside=inside, outside=outside):
            excess = np.maximum(inside - np.exp(epsilon)[:, None, None] * outside, 0.0)
            return excess.sum(axis=2).max(axis=1)

        for bound in (1.2, 2.0, 5.0):
            failure = f_s[f_s > bound * f_c].sum()
            limit = odds_risk.failure_profile(bound, profile)
            assert failure <= limit * (1 + 1e-12)
            tight = max(tight, failure / limit) if limit else tight
            assert limit <= odds_risk.failure_approximate(bound, 0.1, float(profile(np.array([0.1]))[0])) * (1 + 1e-12)
            divergence = np.log((inside**3 / outside**2).sum(axis=1)).max() / 2
            assert failure <= odds_risk.failure_renyi(bound, 3.0, divergence) * (1 + 1e-12)
    assert tight > 0.8


def test_approximate_privacy_is_a_profile_of_one_step():
    for epsilon, delta in ((0.1, 1e-5), (0.6, 0.2)):
        step = odds_risk.failure_profile(2.0, lambda c, e=epsilon, d=delta: np.where(c >= e, d, 1.0))
        known = float(odds_risk.failure_approximate(2.0, epsilon, delta))
        assert known == pytest.approx(min(1.0, delta / (1 - math.exp(epsilon) / 2)), rel=1e-12)
        assert known <= step <= known * (1 + 1e-6)
    assert odds_risk.failure_approximate([1.0, 2.0, 2.0], [0.0, 0.7, 0.6], 0.5).tolist() == [1.0, 1.0, 1.0]


def test_the_best_order_of_renyi_privacy_is_that_of_zcdp():
    rho = 0.02
    orders = np.linspace(1.001, 60, 200_001)
    best = odds_risk.failure_renyi(2.0, orders, orders * rho).min()
    assert best == pytest.approx(float(odds_risk.failure_zcdp(2.0, rho)), rel=1e-6)


def test_without_a_tolerated_increase_every_release_may_fail():
    assert odds_risk.failure_profile(1.0, lambda epsilon: 0 * epsilon) == 1.0
    assert float(odds_risk.failure_renyi(1.0, 2.0, 0.0)) == 1.0
    assert odds_risk.failure_profile(2.0, lambda epsilon: 0 * epsilon) == 0.0
    with pytest.raises(DomainError, match="profile"):
        odds_risk.failure_profile(2.0, lambda epsilon: epsilon + 2)
