"""Translations between definitions of privacy against 40 digits, published values, limits, identities and simulation."""

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from disclosure.mechanisms import gaussian, privacy
from disclosure.numerics.errors import DomainError
from disclosure.numerics.rounding import quotient_up
from tests.unit.mechanisms import exact

MUS = [1e-8, 1e-3, 0.1, 0.5, 1.0, 1.4, 2.0, 5.0, 40.0]
EPSILONS = [0.0, 1e-9, 1e-3, 0.1, 0.5, 1.0, 2.0, 10.0, 100.0, 800.0, 2000.0]
DELTAS = [1e-300, 1e-100, 1e-6, 0.01, 0.3, 0.5, 0.500001, 0.7, 0.99]


@pytest.mark.parametrize("mu", MUS)
def test_the_privacy_profile_equals_the_printed_form_in_40_digits(mu):
    expected = [exact.profile(epsilon, mu) for epsilon in EPSILONS]
    for found, value in zip(privacy.privacy_profile(EPSILONS, mu), expected, strict=True):
        if value > 1e-300:
            assert exact.relative(found, value) < 1e-12
        else:
            assert found <= 1e-300
    assert min(expected) < 1e-300 < max(expected) or mu == 40.0  # both kinds are met


def test_the_privacy_profile_reaches_the_smallest_floats():
    epsilon = float(privacy.approximate_epsilon(1e-300, 1.0))
    assert exact.relative(1e-300, exact.profile(epsilon, 1.0)) < 1e-11
    assert exact.relative(privacy.privacy_profile(epsilon, 1.0), exact.profile(epsilon, 1.0)) < 1e-12


def newton_step(form, found, delta, mu):
    """By which share of itself an epsilon is off, by a Newton step in 40 digits; what the last place of delta makes of it."""

    @exact.exactly
    def step():
        epsilon, target = mpmath.mpf(found), mpmath.mpf(delta)
        width = mpmath.mpf(10) ** -30 * epsilon
        slope = (form(epsilon + width, mu) - form(epsilon - width, mu)) / (2 * width)
        off = abs((form(epsilon, mu) - target) / slope / epsilon)
        return float(off), float(abs(target * mpmath.mpf(2) ** -52 / slope / epsilon))

    return step()


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("mu", MUS)
def test_epsilon_solves_the_mass_and_the_profile_for_delta(mu, delta):
    probabilistic = float(privacy.probabilistic_epsilon(delta, mu))
    off, unavoidable = newton_step(exact.mass, probabilistic, delta, mu)
    assert off < 1e-12 + unavoidable
    approximate = float(privacy.approximate_epsilon(delta, mu))
    if exact.profile(0, mu) <= delta:
        assert approximate == 0
        return
    off, unavoidable = newton_step(exact.profile, approximate, delta, mu)
    assert off < 1e-12 + unavoidable


def test_epsilons_are_private_in_exact_arithmetic_and_barely_so():
    generator = np.random.default_rng(9)
    delta, mu = (grid.ravel() for grid in np.meshgrid(DELTAS, MUS))
    delta = np.concatenate([delta, 10 ** generator.uniform(-12, 0, 60), generator.uniform(0.4, 1, 40)])
    mu = np.concatenate([mu, 10 ** generator.uniform(-3, 1, 100)])
    probabilistic, approximate = privacy.probabilistic_epsilon(delta, mu), privacy.approximate_epsilon(delta, mu)
    assert np.all(approximate < probabilistic)
    for found, form in ((probabilistic, exact.mass), (approximate, exact.profile)):
        for limit, epsilon, distance in zip(delta.tolist(), found.tolist(), mu.tolist(), strict=True):
            assert form(epsilon, distance) <= limit, (epsilon, limit, distance)
            if epsilon > 0:
                # 1e-11 of the mass, or of what is left to 1, and what the last place of mu makes of it.
                nearer = form(epsilon * (1 - 1e-11), distance * (1 + 1e-15))
                assert nearer >= limit - 1e-11 * min(limit, 1 - limit), (epsilon, limit, distance)
    # And compared as masses in floating point, for those whom a result of 1.0000000000000002 delta would startle.
    assert np.all(gaussian.bad_region_mass(1 / mu, probabilistic, 1.0) <= delta)


@pytest.mark.parametrize("mu", [1e3, 1e6, 1e100])
def test_a_large_mu_leaves_epsilon_its_leading_terms(mu):
    """epsilon = mu^2 / 2 - mu Phi^-1(delta) for both, but for a difference of 1."""
    for delta in (1e-6, 0.3, 0.7):
        leading = mu**2 / 2 - mu * norm.ppf(delta)
        assert privacy.probabilistic_epsilon(delta, mu) == pytest.approx(leading, rel=1e-12)
        assert privacy.approximate_epsilon(delta, mu) == pytest.approx(leading - 1, rel=1e-6)


def test_published_translations():
    """Values of both definitions at (1, 1e-5), and at rho = 0.15."""
    cases = {
        "approximate": (3.730631634816, 0.1066176384521, 0.01978082795278, 0.03592570232742),
        "probabilistic": (4.444123306206, 0.08957947565891, 0.01780593316823, 0.02531615836176),
    }
    for definition, expected in cases.items():
        sigma = gaussian.calibrate(1.0, 1e-5, definition=definition)
        mu = 1 / sigma
        found = sigma, privacy.advantage(mu), privacy.true_positive_rate(0.01, mu), privacy.zcdp_rho(mu)
        assert found == pytest.approx(expected, rel=1e-12)
    mu = privacy.mu_from_zcdp(0.15)
    assert 1 / mu == pytest.approx(1.82574185835055, rel=1e-13)
    assert privacy.probabilistic_epsilon(0.01, mu) == pytest.approx(1.46056072528426, rel=1e-13)
    assert privacy.approximate_epsilon(0.01, mu) == pytest.approx(1.0382091592744, rel=1e-12)


def test_published_compositions():
    one = 1 / gaussian.calibrate(1.0, 0.01, definition="probabilistic")
    for releases, expected in ((1, 1.0), (2, 1.43729900841), (4, 2.09262611237), (12, 3.95404035784)):
        mu = privacy.compose(np.full(releases, one))
        assert privacy.probabilistic_epsilon(0.01, mu) == pytest.approx(expected, rel=2e-12)


@pytest.mark.parametrize("definition", ["approximate", "probabilistic"])
@pytest.mark.parametrize(("epsilon", "delta"), [(1e-3, 1e-9), (1.0, 1e-5), (1.0, 0.7), (30.0, 1e-300)])
def test_calibrated_noise_translates_back(definition, epsilon, delta):
    back = {"approximate": privacy.approximate_epsilon, "probabilistic": privacy.probabilistic_epsilon}[definition]
    mu = 7.0 / gaussian.calibrate(epsilon, delta, 7.0, definition=definition)
    assert back(delta, mu) == pytest.approx(epsilon, rel=1e-11)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 0.3), (1.0, 1e-12), (20.0, 1e-3)])
def test_a_noise_has_its_epsilon_from_the_private_side_in_any_unit(epsilon, delta):
    sigma = gaussian.calibrate(epsilon, delta, 3.0, definition="probabilistic")
    found = privacy.probabilistic_epsilon(delta, quotient_up(3.0, sigma))
    assert found == pytest.approx(epsilon, rel=1e-12)
    assert gaussian.bad_region_mass(sigma, found, 3.0) <= delta
    assert exact.exactly(lambda: exact.mass(float(found), mpmath.mpf(3) / mpmath.mpf(sigma)))() <= delta


@pytest.mark.parametrize("delta", [1e-300, 1e-8, 1e-3, 0.3, 0.5, 0.500001, 0.99])
@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 1e-20, 1e-6, 0.1, 3.0, 800.0])
def test_calibration_to_approximate_privacy_in_40_digits(epsilon, delta):
    """From the private side, and with a hair less noise not private, however far epsilon lies below delta."""
    sigma = gaussian.calibrate(epsilon, delta, 1.0, definition="approximate")

    @exact.exactly
    def excess(factor):
        return exact.profile(epsilon, 1 / (mpmath.mpf(sigma) * factor)) / mpmath.mpf(delta) - 1

    assert excess(1 + mpmath.mpf(10) ** -12) < 0
    assert excess(1 - mpmath.mpf(10) ** -12) > 0
    assert abs(excess(1)) < mpmath.mpf(10) ** -11


def test_the_smallest_delta_above_0_and_the_largest_below_1_have_answers():
    for delta in (5e-324, 1 - 2.0**-53):
        sigma = gaussian.calibrate(1.0, delta, definition="approximate")
        assert privacy.privacy_profile(1.0, 1 / sigma) <= delta < privacy.privacy_profile(1.0, 1.5 / sigma)
        for back in (privacy.approximate_epsilon, privacy.probabilistic_epsilon):
            # Twice the noise keeps delta with less epsilon, half of it asks for more.
            assert back(delta, 0.5 / sigma) < 1 < back(delta, 2 / sigma)


def test_epsilon_0_bounds_the_advantage():
    for delta in (1e-300, 1e-8, 0.1, 0.99):
        assert privacy.advantage(3 / gaussian.calibrate(0.0, delta, 3.0, definition="approximate")) == pytest.approx(
            delta, rel=1e-13
        )


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
def test_renyi_divergence_of_two_shifted_normals_by_quadrature(mu):
    x = np.linspace(-60, 60, 240_001)
    for alpha in (1.5, 2.0, 7.0):
        terms = alpha * norm.logpdf(x, mu) + (1 - alpha) * norm.logpdf(x)
        divergence = np.log(np.sum(np.exp(terms)) * (x[1] - x[0])) / (alpha - 1)
        assert privacy.renyi_epsilon(alpha, mu) == pytest.approx(divergence, rel=1e-9)
        assert privacy.mu_from_renyi(alpha, alpha * privacy.zcdp_rho(mu)) == pytest.approx(mu, rel=1e-15)


def test_the_advantage_is_the_largest_over_all_thresholds():
    rates = np.linspace(0, 1, 100_001)
    for mu in (0.01, 1.0, 3.0):
        gained = privacy.true_positive_rate(rates, mu) - rates
        assert gained.max() == pytest.approx(float(privacy.advantage(mu)), rel=1e-8)
        assert privacy.advantage(mu) == pytest.approx(float(privacy.privacy_profile(0.0, mu)), rel=1e-13)


@pytest.mark.parametrize("mu", [1e-8, 0.3, 40.0])
@pytest.mark.parametrize("rate", [1e-300, 1e-3, 0.5, 0.999])
def test_rates_of_the_best_test_in_40_digits(rate, mu):
    place = exact.quantile(rate)
    caught = exact.exactly(lambda: mpmath.ncdf(place + mpmath.mpf(mu)))()
    missed = exact.exactly(lambda: mpmath.ncdf(-place - mpmath.mpf(mu)))()
    assert exact.relative(privacy.true_positive_rate(rate, mu), caught) < 1e-12
    if missed < 1e-300:
        assert privacy.false_negative_rate(rate, mu) < 1e-300
    else:
        assert exact.relative(privacy.false_negative_rate(rate, mu), missed) < 1e-12


def test_releases_drawn_together_leave_the_bounds_as_often_as_the_composition_says():
    generator = np.random.Generator(np.random.SFC64(11))
    sigmas, draws = np.array([1.0, 2.5, 4.0]), 200_000
    noise = sigmas * generator.standard_normal((draws, 3))
    log_ratio = gaussian.log_density_ratio(noise, 0.0, 1.0, sigmas).sum(axis=1)
    mu = float(privacy.compose(1 / sigmas))
    for delta in (0.3, 0.01):
        outside = np.count_nonzero(np.abs(log_ratio) > privacy.probabilistic_epsilon(delta, mu)) / draws
        assert abs(outside - delta) < 4 * math.sqrt(delta * (1 - delta) / draws)
    assert log_ratio.mean() == pytest.approx(mu**2 / 2, abs=4 * mu / math.sqrt(draws))


def test_composition_of_equal_releases_and_of_tiny_ones():
    assert privacy.compose(np.full(9, 0.7)) == pytest.approx(2.1, rel=1e-14)
    assert privacy.compose([3e-200, 4e-200]) == pytest.approx(5e-200, rel=1e-15)
    assert privacy.compose([[3.0, 4.0], [0.0, 2.0]]).tolist() == [5.0, 2.0]


def test_replacing_a_record_is_removing_one_and_adding_another():
    """Answers 0 and 2 sensitivities apart, with the sensitivity to adding or removing a record."""
    mu = 0.3
    assert privacy.mu_from_add_remove(mu) == pytest.approx(2 * mu, rel=1e-15)
    ratio = privacy.zcdp_rho(privacy.mu_from_add_remove(mu)) / privacy.zcdp_rho(mu)
    assert ratio == pytest.approx(4.0, rel=1e-15)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: privacy.privacy_profile(-1.0, 1.0), r"epsilon = -1\.0"),
        (lambda: privacy.privacy_profile(1.0, 0.0), r"mu = 0\.0"),
        (lambda: privacy.approximate_epsilon(0.0, 1.0), r"delta = 0\.0"),
        (lambda: privacy.probabilistic_epsilon(1.0, 1.0), r"delta = 1\.0"),
        (lambda: privacy.renyi_epsilon(1.0, 1.0), r"alpha = 1\.0"),
        (lambda: privacy.mu_from_zcdp(math.inf), "rho = inf"),
        (lambda: privacy.mu_from_renyi(2.0, math.nan), "Renyi epsilon = nan"),
        (lambda: privacy.true_positive_rate(1.1, 1.0), r"false_positive_rate = 1\.1"),
        (lambda: gaussian.calibrate(0.0, 0.1, definition="probabilistic"), r"epsilon = 0\.0"),
        (lambda: gaussian.calibrate(0.0, 1e-300, 1e300, definition="approximate"), "sigma = inf"),
        (lambda: privacy.compose([1.0, -1.0]), r"mu = -1\.0"),
        (lambda: privacy.probabilistic_epsilon([0.1, 0.2], [1.0, 2.0, 3.0]), r"delta \(2,\), mu \(3,\)"),
        (lambda: privacy.privacy_profile([0.1, 0.2], [1.0, 2.0, 3.0]), r"epsilon \(2,\), mu \(3,\)"),
    ],
)
def test_what_lies_outside_its_domain_is_refused_by_name(call, named):
    with pytest.raises(DomainError, match=named):
        call()
