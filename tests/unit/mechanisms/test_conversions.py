"""Theorems 1 and 2, Corollary 1 and Lemma 1, by brute force on finite mechanisms and on the calibrated Gaussian."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure.mechanisms import gaussian
from disclosure.mechanisms.conversions import approximate_to_probabilistic, probabilistic_to_approximate
from disclosure.numerics.errors import DomainError

OUTPUTS = 5
SUBSETS = [np.array(choice, dtype=bool) for choice in itertools.product((False, True), repeat=OUTPUTS)]


def random_mechanism(seed):
    """Output distributions of two neighbouring datasets on five outputs, some of them of probability 0."""
    generator = np.random.default_rng(seed)
    masses = generator.dirichlet(np.full(OUTPUTS, 0.6), size=2)
    masses[:, generator.integers(OUTPUTS)] *= generator.integers(0, 2, size=2)
    return masses / masses.sum(axis=1, keepdims=True)


def smallest_delta(p, q, epsilon):
    """The smallest delta of approximate privacy, over all sets of outputs and both directions."""
    return max(max(a[s].sum() - math.exp(epsilon) * b[s].sum() for s in SUBSETS) for a, b in ((p, q), (q, p)))


def keeps_pure_privacy_outside(p, q, epsilon, bad):
    """Equation (7): pure privacy on every set of outputs without its part in ``bad``."""
    tolerance = 1e-12
    return all(
        math.exp(-epsilon) * q[s & ~bad].sum() - tolerance
        <= p[s & ~bad].sum()
        <= math.exp(epsilon) * q[s & ~bad].sum() + tolerance
        for s in SUBSETS
    )


def minimal_bad_region(p, q, epsilon):
    """Equation (9)."""
    return (math.exp(-epsilon) * q > p) | (p > math.exp(epsilon) * q)


@pytest.mark.parametrize("seed", range(20))
def test_lemma_1_names_the_bad_region_of_least_mass(seed):
    p, q = random_mechanism(seed)
    epsilon = 0.4
    region = minimal_bad_region(p, q, epsilon)
    assert keeps_pure_privacy_outside(p, q, epsilon, region)
    sufficient = [p[bad].sum() for bad in SUBSETS if keeps_pure_privacy_outside(p, q, epsilon, bad)]
    assert min(sufficient) == pytest.approx(p[region].sum(), abs=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_theorem_1_on_finite_mechanisms(seed):
    p, q = random_mechanism(seed)
    epsilon = 0.4
    delta = max(p[minimal_bad_region(p, q, epsilon)].sum(), q[minimal_bad_region(q, p, epsilon)].sum())
    assert smallest_delta(p, q, epsilon) <= probabilistic_to_approximate(epsilon, min(delta, 1.0))[1] + 1e-12


@pytest.mark.parametrize("seed", range(40))
def test_theorem_2_on_finite_mechanisms(seed):
    p, q = random_mechanism(seed)
    epsilon, epsilon_prime = 0.3, 1.1
    delta = max(smallest_delta(p, q, epsilon), 0.0)
    mass = max(p[minimal_bad_region(p, q, epsilon_prime)].sum(), q[minimal_bad_region(q, p, epsilon_prime)].sum())
    try:
        _, delta_prime = approximate_to_probabilistic(epsilon, delta, epsilon_prime=epsilon_prime)
    except DomainError:
        delta_prime = 1.0
    assert mass <= delta_prime + 1e-12


def test_theorem_2_is_attained():
    """Three outputs whose bad region has exactly the mass that Theorem 2 allows: its constant cannot be improved."""
    epsilon, epsilon_prime, delta = 0.3, 1.1, 0.05
    _, delta_prime = approximate_to_probabilistic(epsilon, delta, epsilon_prime=epsilon_prime)
    large = delta / -math.expm1(epsilon - epsilon_prime)  # P(B), equation (11)
    small = large * math.exp(-epsilon_prime)
    p = np.array([large, small, 1 - large - small])
    q = np.array([small, large, 1 - large - small])
    gap = max(
        a[s].sum() - math.exp(epsilon) * b[s].sum()
        for a, b in ((p, q), (q, p))
        for s in itertools.product((False, True), repeat=3)
        for s in [np.array(s)]
    )
    assert gap == pytest.approx(delta, rel=1e-12)
    just_inside = epsilon_prime * (1 - 1e-12)
    assert p[minimal_bad_region(p, q, just_inside)].sum() == pytest.approx(delta_prime, rel=1e-9)


@given(st.floats(0.01, 5), st.floats(1e-9, 0.2), st.floats(1.05, 1e4))
def test_the_gaussian_mechanism_keeps_what_theorem_2_promises(epsilon, delta, factor):
    sigma = gaussian.calibrate(epsilon, delta, definition="approximate")
    delta_prime = min(delta * factor, 0.999)
    epsilon_prime, _ = approximate_to_probabilistic(epsilon, delta, delta_prime=delta_prime)
    assert gaussian.bad_region_mass(sigma, epsilon_prime, 1.0) <= delta_prime * (1 + 1e-9)


@given(st.floats(0, 700), st.floats(0, 0.5), st.floats(1e-3, 0.99))
def test_theorem_2_and_corollary_1_are_inverse(epsilon, delta, share):
    delta_prime = delta + share * (1 - delta)
    epsilon_prime, same = approximate_to_probabilistic(epsilon, delta, delta_prime=delta_prime)
    assert same == delta_prime
    if delta > 1e-9 and epsilon_prime > epsilon + 1e-6:
        _, back = approximate_to_probabilistic(epsilon, delta, epsilon_prime=epsilon_prime)
        assert back == pytest.approx(delta_prime, rel=1e-6)


def test_corollary_1_as_printed():
    epsilon_prime, _ = approximate_to_probabilistic(1.0, 0.01, delta_prime=0.1)
    assert epsilon_prime == pytest.approx(math.log((0.1 * math.e + 0.01) / (0.1 - 0.01)), rel=1e-14)
    assert approximate_to_probabilistic(1.0, 0.0, delta_prime=0.1) == (1.0, 0.1)
    assert approximate_to_probabilistic(1.0, 0.0, epsilon_prime=1.5) == (1.5, 0.0)


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((1.0, 0.1), {"delta_prime": 0.1}, "delta_prime = 0.1"),
        ((1.0, 0.1), {"delta_prime": 1.1}, "delta_prime = 1.1"),
        ((1.0, 0.1), {"epsilon_prime": 1.0}, "epsilon_prime = 1.0"),
        ((1.0, 0.1), {"epsilon_prime": 1.01}, "promises nothing"),
        ((1.0, 1.0), {"delta_prime": 1.0}, "delta = 1.0"),
        ((-1.0, 0.1), {"delta_prime": 0.2}, "epsilon = -1.0"),
        ((math.nan, 0.1), {"delta_prime": 0.2}, "epsilon = nan"),
    ],
)
def test_conversions_refuse_what_lies_outside_their_domain(arguments, options, named):
    with pytest.raises(DomainError, match=named):
        approximate_to_probabilistic(*arguments, **options)


def test_a_conversion_takes_one_of_both():
    with pytest.raises(TypeError, match="exactly one"):
        approximate_to_probabilistic(1.0, 0.1)
    with pytest.raises(TypeError, match="exactly one"):
        approximate_to_probabilistic(1.0, 0.1, epsilon_prime=2.0, delta_prime=0.2)


def test_theorem_1_returns_the_pair_and_checks_it():
    assert probabilistic_to_approximate(1, 0.5) == (1.0, 0.5)
    with pytest.raises(DomainError, match=r"delta = 1\.5"):
        probabilistic_to_approximate(1.0, 1.5)
