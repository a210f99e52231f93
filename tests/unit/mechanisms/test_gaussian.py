"""Calibration and bad regions against values computed with 60 digits, limits, and plain forms."""

import inspect
import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from disclosure.beliefs import regions
from disclosure.mechanisms import gaussian, laplace
from disclosure.numerics.errors import DomainError

epsilons = st.floats(1e-3, 50)
deltas = st.floats(1e-12, 0.999)


@pytest.mark.parametrize(("key", "definition"), [("sigma_pdp", "probabilistic"), ("sigma_adp", "approximate")])
def test_calibration_equals_the_reference_values(vectors, key, definition):
    for case in vectors["calibration"]:
        sigma = gaussian.calibrate(case["epsilon"], case["delta"], case["sensitivity"], definition=definition)
        assert sigma == pytest.approx(float(case[key]), rel=1e-10), case


ENDS = [(1e-6, 1e-5), (800.0, 1e-5), (1.0, 1e-300), (1e-6, 1e-300), (800.0, 1e-300), (1.0, 1 - 1e-12), (0.5, 0.5)]


@pytest.mark.parametrize("definition", ["probabilistic", "approximate"])
@pytest.mark.parametrize(("epsilon", "delta"), ENDS)
def test_calibration_at_the_ends_of_its_domain(definition, epsilon, delta):
    """One Newton step in 60-digit arithmetic tells how far the answer is off."""
    with mpmath.workdps(60):
        exact_epsilon, noise = (
            mpmath.mpf(epsilon),
            mpmath.mpf(gaussian.calibrate(epsilon, delta, definition=definition)),
        )

        def excess(noise):
            near, far = 1 / (2 * noise) - exact_epsilon * noise, -1 / (2 * noise) - exact_epsilon * noise
            factor = 1 if definition == "probabilistic" else -mpmath.exp(exact_epsilon)
            return mpmath.ncdf(near) + factor * mpmath.ncdf(far) - mpmath.mpf(delta)

        error = excess(noise) / mpmath.diff(excess, noise) / noise
        assert abs(error) < 1e-10
        assert excess(noise) <= mpmath.mpf(delta) * mpmath.mpf(10) ** -11


def exact_mass(sigma, epsilon, definition):
    """Mass (15), or the smallest delta of approximate privacy, of the very floats."""
    noise, epsilon = mpmath.mpf(sigma), mpmath.mpf(epsilon)
    near, far = 1 / (2 * noise) - epsilon * noise, -1 / (2 * noise) - epsilon * noise
    factor = 1 if definition == "probabilistic" else -mpmath.exp(epsilon)
    return mpmath.ncdf(near) + factor * mpmath.ncdf(far)


@pytest.mark.parametrize("definition", ["probabilistic", "approximate"])
def test_calibrated_noise_is_private_in_exact_arithmetic_and_barely_so(definition):
    few = [1e-30, 1e-15, 1e-9, 1e-5, 0.01, 10**-1.1, 0.3, 0.5, 0.5000001, 0.9, 0.999, 1 - 1e-9, 1 - 1e-12, 1 - 2.0**-53]
    generator = np.random.default_rng(8)
    grid = [(epsilon, delta) for epsilon in (1e-20, 1e-6, 0.01, 0.3, 1.0, 4.0, 50.0, 1e4) for delta in few]
    grid += [(10 ** generator.uniform(-3, 2), 10 ** generator.uniform(-14, 0)) for _ in range(150)]
    # Here the mass would be above delta without the margin for rounding.
    grid += [(0.052659733246628794, 0.5417740175454777), (0.04117219474432338, 0.5661521527843845)]
    grid += [(0.008195232674156845, 0.6622605149454668), (0.0014860542989023468, 0.5867434698753667)]
    if definition == "approximate":
        grid += [(0.0, delta) for delta in few]
    with mpmath.workdps(80):
        for epsilon, delta in grid:
            sigma = gaussian.calibrate(epsilon, delta, definition=definition)
            delta = mpmath.mpf(delta)
            excess = exact_mass(sigma, epsilon, definition) - delta
            assert excess <= 0, (epsilon, delta)
            assert excess >= -1e-11 * min(delta, 1 - delta), (epsilon, delta)


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    [
        (0.0, 1e-6, 398942.2804013299),
        (0.0, 0.3, float(1 / (mpmath.sqrt(8) * mpmath.erfinv(0.3)))),
        (1e-20, 1e-9, 398942280.4014327),
        (1e-300, 1e-15, 398942280401432.7),
        (1e-300, 1e-16, 3989422804014327.0),
        (1e300, 0.5, math.sqrt(0.5e-300)),
    ],
)
def test_approximate_calibration_where_one_of_two_is_nothing_beside_the_other(epsilon, delta, sigma):
    """Without epsilon delta = erf(1 / sqrt(8) sigma), about 1 / sqrt(2 pi) sigma; at delta = 1/2 epsilon = 1 / 2 sigma^2."""
    found = gaussian.calibrate(epsilon, delta, definition="approximate")
    assert found == pytest.approx(sigma, rel=1e-10)
    if epsilon == 0:
        assert math.erf(1 / (math.sqrt(8) * found)) == pytest.approx(delta, rel=1e-12)


@given(epsilons, deltas, st.floats(0.01, 100))
def test_calibrated_noise_is_private_and_barely_so(epsilon, delta, sensitivity):
    sigma = gaussian.calibrate(epsilon, delta, sensitivity, definition="probabilistic")
    assert gaussian.bad_region_mass(sigma, epsilon, sensitivity) <= delta
    assert gaussian.bad_region_mass(sigma * (1 - 1e-9), epsilon, sensitivity) > delta * (1 - 1e-12)


@given(epsilons, deltas)
def test_approximate_privacy_needs_no_more_noise_than_probabilistic(epsilon, delta):
    approximate = gaussian.calibrate(epsilon, delta, definition="approximate")
    assert approximate <= gaussian.calibrate(epsilon, delta, definition="probabilistic") * (1 + 1e-12)
    excess = norm.cdf(0.5 / approximate - epsilon * approximate) - math.exp(
        epsilon + norm.logcdf(-0.5 / approximate - epsilon * approximate)
    )
    assert excess <= delta * (1 + 1e-9) + 1e-14


@given(st.floats(0.01, 0.99), st.floats(1e-12, 0.5))
def test_classical_noise_exceeds_the_analytic_one(epsilon, delta):
    classical = gaussian.calibrate(epsilon, delta, 3.0, definition="classical")
    assert classical > 3.0 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    assert classical == pytest.approx(3.0 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon, rel=1e-12)
    assert classical > gaussian.calibrate(epsilon, delta, 3.0, definition="approximate")


def test_delta_one_is_the_noiseless_release():
    for definition in ("probabilistic", "approximate", "classical"):
        assert gaussian.calibrate(0.5, 1.0, definition=definition) == 0.0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((0.0, 0.1), "epsilon = 0.0"),
        ((-1.0, 0.1), "epsilon = -1.0"),
        ((math.nan, 0.1), "epsilon = nan"),
        ((math.inf, 0.1), "epsilon = inf"),
        ((1.0, 0.0), "delta = 0.0"),
        ((1.0, 1.1), "delta = 1.1"),
        ((1.0, math.nan), "delta = nan"),
        ((1.0, 0.1, 0.0), "sensitivity = 0.0"),
        ((1.0, 0.1, 1.0, "renyi"), "definition = 'renyi' is none of probabilistic, approximate, classical"),
        ((1.0, 0.1, 1.0, "classical"), "epsilon = 1.0"),
        ((1e300, 0.1, 1e-300), "take a smaller unit"),
        ((1e-300, 1e-5), "too small for floating point"),
        ((0.0, 0.1, 1.0, "classical"), "epsilon = 0.0"),
        ((-1.0, 0.1, 1.0, "approximate"), "epsilon = -1.0"),
        ((1.0, 0.1, 5e-324), "take a smaller unit"),
        ((1.0, 0.1, 1e308 * 1.7), "sigma = inf"),
        (("1", 0.1), "epsilon = '1' is not numeric"),
        ((None, 0.1), "epsilon = None is not numeric"),
        ((True, 0.1), "epsilon = True is not numeric"),
    ],
)
def test_calibration_refuses_what_lies_outside_its_domain(arguments, named):
    *arguments, definition = arguments if len(arguments) == 4 else (*arguments, "probabilistic")
    with pytest.raises(DomainError, match=named):
        gaussian.calibrate(*arguments, definition=definition)


def test_calibration_without_a_definition_says_which_there_are_and_how_they_differ():
    with pytest.raises(
        TypeError, match=r"'probabilistic' \(paper A: .*except with.*'approximate' \(.*e\^epsilon P'\(S\) \+ delta"
    ):
        gaussian.calibrate(1.0, 0.01)
    with pytest.raises(TypeError, match="positional"):
        gaussian.calibrate(1.0, 0.01, 1.0, "probabilistic")


def test_the_hint_about_epsilon_0_stands_beside_0_only():
    for epsilon in (0.0, -1.0, math.nan):
        for calibrate in (
            lambda epsilon: gaussian.calibrate(epsilon, 0.1, definition="probabilistic"),
            laplace.calibrate,
        ):
            with pytest.raises(DomainError) as refused:
                calibrate(epsilon)
            assert ("no noise level" in str(refused.value)) == (epsilon == 0)


@given(st.floats(0.05, 20), st.floats(0, 20), st.floats(0.01, 5))
def test_bad_region_mass_is_the_mass_of_the_region(sigma, epsilon, distance):
    """Integrates the density over {|log density ratio| > epsilon}, found from the densities themselves."""
    edge_low = distance / 2 - epsilon * sigma**2 / distance
    edge_high = distance / 2 + epsilon * sigma**2 / distance
    # Dataset at 0, neighbour at `distance`: the log ratio falls in v, with slope distance / sigma^2, and is 0 halfway.
    for edge in (edge_low, edge_high):
        terms = norm.logpdf(edge, 0, sigma), norm.logpdf(edge, distance, sigma)
        assert abs(terms[0] - terms[1]) == pytest.approx(epsilon, rel=1e-9, abs=1e-9 + 1e-14 * abs(terms[0]))
    expected = norm.cdf(edge_low, 0, sigma) + norm.sf(edge_high, 0, sigma)
    assert gaussian.bad_region_mass(sigma, epsilon, distance) == pytest.approx(expected, rel=1e-9)


def test_bad_region_mass_broadcasts_and_has_its_limits():
    mass = gaussian.bad_region_mass([[0.0], [1.0]], 1.0, [0.0, 0.5, 1.0])
    assert mass.shape == (2, 3)
    assert mass[0].tolist() == [0.0, 1.0, 1.0]
    assert mass[1, 0] == 0.0
    assert gaussian.bad_region_mass(1.0, 0.0, 1.0) == pytest.approx(1.0, rel=1e-15)


@given(st.floats(0.05, 20), st.floats(0, 20), st.floats(0.01, 5))
def test_bad_region_mass_is_the_union_mass_of_one_neighbour(sigma, epsilon, distance):
    gaps = regions.standardised_gaps([0.0], [[distance]], sigma)
    expected = gaussian.bad_region_mass(sigma, epsilon, distance)
    assert regions.union_mass(gaps, epsilon).value == pytest.approx(float(expected), rel=1e-12)


def test_release_has_the_shape_mean_and_spread_of_equation_5():
    generator = np.random.Generator(np.random.SFC64(5))
    releases = gaussian.release([1.0, -2.0], 3.0, generator, size=(40_000,))
    assert releases.shape == (40_000, 2)
    standard_error = 3.0 / math.sqrt(40_000)
    assert np.abs(releases.mean(axis=0) - [1.0, -2.0]).max() < 4 * standard_error
    assert np.abs(releases.std(axis=0) - 3.0).max() < 4 * standard_error / math.sqrt(2)
    assert gaussian.release([1.0], 0.0, generator).tolist() == [1.0]
    spread = gaussian.release(0.0, [1.0, 2.0], generator)
    assert spread.shape == (2,)
    assert spread[1] != 2 * spread[0]


@pytest.mark.parametrize(
    "function",
    [
        gaussian.log_density_ratio,
        gaussian.bad_region_mass,
        lambda value, sigma: gaussian.release(value, sigma, np.random.default_rng(0)),
        laplace.log_density,
        laplace.log_density_ratio,
        laplace.lower_tail,
        laplace.upper_tail,
        laplace.bad_region_mass,
        lambda value, scale: laplace.release(value, scale, np.random.default_rng(0)),
    ],
)
def test_shapes_that_do_not_fit_are_refused_by_name(function):
    """Each two of the arguments."""
    names = list(inspect.signature(function).parameters)
    function(**{name: [1.0, 2.0] for name in names})
    for pair in itertools.combinations(names, 2):
        shapes = {**dict.fromkeys(names, 1.0), pair[0]: [1.0, 2.0], pair[1]: [1.0, 2.0, 3.0]}
        with pytest.raises(DomainError, match=r"shapes do not fit together: \w+ \("):
            function(**shapes)


def test_log_density_ratio_is_the_difference_of_the_log_densities():
    generator = np.random.default_rng(4)
    released, value, other = generator.normal(size=(3, 50, 2))
    sigma = 0.1 + generator.random((50, 1))
    plain = norm.logpdf(released, value, sigma) - norm.logpdf(released, other, sigma)
    assert np.allclose(gaussian.log_density_ratio(released, value, other, sigma), plain, rtol=1e-9, atol=1e-9)
    # Far away, where the two densities are 0 in floating point, and for answers that all but agree.
    assert gaussian.log_density_ratio(1e9, 1.0, 0.0, 1.0) == pytest.approx(1e9 - 0.5, rel=1e-15)
    assert gaussian.log_density_ratio(1.0, 1.0, 1.0 - 2.0**-50, 1.0) == pytest.approx(2.0**-101, rel=1e-12)


@pytest.mark.parametrize("generator", [5, None, "seed"])
def test_a_release_asks_for_a_generator(generator):
    with pytest.raises(DomainError, match=r"generator = .* draws no noise"):
        gaussian.release([0.5], 1.0, generator)
