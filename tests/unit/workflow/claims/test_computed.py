"""What is computed for the claims, against values from elsewhere and other ways to the same numbers."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from disclosure import expected_failure_probability, expected_union_mass
from disclosure.beliefs import inclusion, regions
from disclosure.mechanisms import gaussian
from disclosure.workflow.claims import computed

DELTA = 10**-1.1


@pytest.fixture(scope="module")
def numbers():
    return computed.evaluate()


def test_who_knows_fewer_members_may_fail_more_often(numbers):
    # Computed outside the project.
    assert numbers["A.abstract.worst_case"] == pytest.approx([1.4187e-3, 8.2509e-3], rel=4e-5)


def test_who_knows_fewer_members_may_fail_beyond_the_upper_limit(numbers):
    failure, upper = numbers["A.S4.any_adversary"]
    assert upper == pytest.approx(DELTA, rel=1e-9)
    # Of the members two are not known: a target with a one and one more, of the 11 others one with a one. The answer is 50 or
    # 49 with the target, else 48 with two zeros or 49; the ratio of densities is evaluated release by release.
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    t = np.linspace(50 - 12 * sigma, 50 + 12 * sigma, 2_000_001)
    density = {answer: np.exp(-(((t - answer) / sigma) ** 2) / 2) for answer in (48, 49, 50)}
    inside = (density[50] + 10 * density[49]) / 11
    outside = (2 * density[49] + 9 * density[48]) / 11
    fails = np.abs(np.log(outside / inside)) > 1
    assert failure == pytest.approx(density[50][fails].sum() / density[50].sum(), abs=1e-5)
    assert failure > upper


def test_neighbours_alone_matter(numbers):
    count = len(computed.NEIGHBOURS)
    union_mass, failure = numbers["A.any_n"][:count], numbers["A.any_n"][count:]
    # A population of 100 has the same values with as many neighbours, and with one neighbour both agree.
    place = computed.NEIGHBOURS.index(90)
    assert union_mass[place] == pytest.approx(expected_union_mass(100, 10, 1.0, DELTA).value, rel=1e-9)
    assert failure[place] == pytest.approx(expected_failure_probability(100, 10, 1.0, DELTA).value, rel=2e-3)
    assert failure[-1] == pytest.approx(union_mass[-1], rel=1e-9)
    # docs/findings.md has these for the point of Figure 1 at epsilon = 1.
    place = computed.NEIGHBOURS.index(10)
    assert (union_mass[place], failure[place]) == pytest.approx((1.515e-2, 1.171e-4), rel=1e-3)


def test_the_course_of_the_upper_limit_depends_on_the_population(numbers):
    assert numbers["A.any_n.course"] == pytest.approx([0.12, 0.014], rel=0.03)


def test_the_upper_limit_falls_like_one_over_epsilon(numbers):
    bounds, failure = np.split(numbers["A.limit"], 2)
    assert np.log10(bounds[:-1] / bounds[1:]) == pytest.approx(1, abs=0.1)
    assert abs(np.log10(bounds[-2] / bounds[-1]) - 1) < abs(np.log10(bounds[0] / bounds[1]) - 1)
    # Ten neighbours: the power (10 + 1) / 2. docs/findings.md has the value at 100, of which the leading term is 1.6 times.
    assert np.log10(failure[:-1] / failure[1:]) == pytest.approx(5.5)
    assert failure[0] == pytest.approx(1.6 * 1.876e-13, rel=0.01)


def test_delta_at_the_largest_noise_near_1_is_as_said():
    sigma = computed.NOISES[0]
    beside = ndtr(sigma - 0.5 / sigma) - ndtr(-sigma - 0.5 / sigma)
    assert beside == pytest.approx(3e-7, rel=0.1)


def test_both_curves_tend_to_1_as_the_noise_vanishes(numbers):
    union_mass, failure = np.split(numbers["A.F3.limit"], 2)
    assert np.all(union_mass < 1e-12)
    # Of 1,000 datasets at sigma = 0.1 and 0.01; expected values: 0.6508 and 0.9769.
    assert 1 - failure[:2] == pytest.approx([0.6508, 0.9769], abs=0.02)


def test_the_wider_bounds_fail_where_the_narrower_do(numbers):
    excess, free, prior = numbers["A.S4.prior_free"]
    assert excess <= 0
    # With one neighbour: the share of releases beyond log g = log(1 +- (e^+-1 - 1) / (1 - 1/2)).
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    generator = np.random.default_rng(5)
    gaps = regions.standardised_gaps(generator.random((4000, 1)), generator.random((4000, 1, 1)), sigma)
    c = np.abs(gaps[:, 0, 0])
    high = math.log(2 * math.e - 1)  # log g = -c z - c^2 / 2 > high; R > e takes g < 2 / e - 1 < 0 and cannot be
    assert free == pytest.approx(ndtr(-high / c - c / 2).mean(), rel=0.2)
    assert prior == pytest.approx(inclusion.failure_probability(gaps, 1.0).value.mean(), rel=0.2)


def test_in_a_realistic_setting_the_limit_is_many_orders_too_large(numbers):
    upper, failure = numbers["A.S6.realistic"]
    assert upper == pytest.approx(expected_union_mass(1000, 100, 1.0, 1e-6).value)
    assert 1e11 < upper / failure < 1e13


def test_formulas_of_the_paper_at_their_ends(numbers):
    assert numbers["A.F2.m_equals_n"].tolist() == [0, 1]
    assert numbers["A.F1.limiting_interval"].tolist() == pytest.approx([0, 1], rel=1e-15, abs=1e-300)
    ends = [math.log((DELTA * (1 + s) * math.e + DELTA) / (DELTA * s)) for s in (1e-3, 1e-6, 1e-9, 1e-12)]
    assert numbers["A.S4.left_end"] == pytest.approx(ends, rel=1e-4)
    # There are n - m neighbours: one person of the n - m who are not in the data takes the target's place.
    assert np.all(numbers["A.S5.neighbours"] == -1)
