"""Union mass against the reference values, equation (29) as printed, and densities on a grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure.beliefs import inclusion, quantiles, regions
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError
from tests.unit.plain import failure_by_grid, random_gaps, union_flags

gap_lists = st.lists(st.floats(-6, 6), min_size=1, max_size=12)


def test_union_mass_equals_the_reference_values(vectors):
    for case in vectors["gaps_1d"]:
        attributes = np.array(case["attributes"])
        gaps = regions.standardised_gaps(attributes[:1], attributes[1:, None], float(case["sigma"]))
        mass = regions.union_mass(gaps, case["epsilon"]).value
        assert mass == pytest.approx(float(case["union_mass"]), rel=1e-9, abs=0), case["epsilon"]


@pytest.mark.parametrize("kind", ["uniform", "clustered", "tied"])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_union_mass_equals_the_mass_of_the_flagged_noise(kind, epsilon):
    for seed in range(3):
        gaps = random_gaps(seed, 6, 2.0, kind)
        expected, error = failure_by_grid(lambda z, gaps=gaps: union_flags(z, gaps, epsilon))
        assert regions.union_mass(gaps, epsilon).value == pytest.approx(expected, abs=error)


@pytest.mark.parametrize("seed", range(4))
def test_union_mass_equals_equation_29_as_printed(seed):
    gaps = random_gaps(seed, 4, 1.5)
    printed = regions.union_mass_as_printed(gaps, 0.8, rng=np.random.default_rng(1), abseps=1e-5)
    assert regions.union_mass(gaps, 0.8).value == pytest.approx(printed, abs=2 * len(gaps) * 1e-5)


def test_equation_29_as_printed_in_two_dimensions():
    """Orthogonal gaps make the bad regions independent."""
    gaps = np.array([[0.9, 0.0], [0.0, -0.7]])
    masses = [float(gaussian.bad_region_mass(1.0, 0.6, distance)) for distance in (0.9, 0.7)]
    expected = 1 - (1 - masses[0]) * (1 - masses[1])
    printed = regions.union_mass_as_printed(gaps, 0.6, rng=np.random.default_rng(1), abseps=1e-5)
    assert printed == pytest.approx(expected, abs=2 * len(gaps) * 1e-5)


def test_a_neighbour_equal_to_the_target_adds_nothing_to_equation_29():
    gaps = [[0.5], [0.0], [-0.25]]
    printed = regions.union_mass_as_printed(gaps, 0.8)
    assert printed == regions.union_mass_as_printed([[0.5], [-0.25]], 0.8)


def test_equation_29_as_printed_is_the_same_in_every_call_and_leaves_numpys_own_numbers_alone():
    gaps = random_gaps(5, 5, 1.5)
    before = np.random.get_state()  # noqa: NPY002
    first, second = regions.union_mass_as_printed(gaps, 0.8), regions.union_mass_as_printed(gaps, 0.8)
    assert first == second
    after = np.random.get_state()  # noqa: NPY002
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
    with pytest.raises(DomainError, match=r"gaps has shape \(2, 3, 1\); expected \(p, q\)"):
        regions.union_mass_as_printed(np.zeros((2, 3, 1)), 0.8)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_gaps_as_small_as_epsilon_have_a_union_mass_that_does_not_depend_on_the_scale(dimension):
    gaps = np.random.default_rng(dimension).normal(size=(4, dimension))
    expected = regions.union_mass(1e-12 * gaps, 1e-12).value
    assert 0.1 < expected < 0.999
    for epsilon in (1e-40, 1e-59, 1e-61, 1e-99, 1e-101, 1e-200, 1e-300):
        assert regions.union_mass(epsilon * gaps, epsilon).value == pytest.approx(float(expected), rel=1e-9)
        assert regions.union_mass(gaps, epsilon).value == pytest.approx(1.0, abs=1e-10)


@given(gap_lists, st.floats(0.01, 6))
def test_union_mass_lies_between_the_largest_region_and_their_sum(gaps, epsilon):
    gaps = np.array(gaps)[:, None]
    masses = gaussian.bad_region_mass(1.0, epsilon, np.abs(gaps[:, 0]))
    union = float(regions.union_mass(gaps, epsilon).value)
    assert masses.max() * (1 - 1e-12) <= union <= min(1.0, masses.sum()) * (1 + 1e-12)


@given(gap_lists, st.floats(0.01, 6), st.floats(1.0, 3.0))
def test_union_mass_decreases_in_sigma(gaps, epsilon, factor):
    gaps = np.array(gaps)[:, None]
    assert regions.union_mass(gaps / factor, epsilon).value <= regions.union_mass(gaps, epsilon).value * (1 + 1e-12)


@given(gap_lists, st.floats(0.01, 6))
def test_union_mass_knows_no_direction_and_no_order(gaps, epsilon):
    gaps = np.array(gaps)[:, None]
    mass = regions.union_mass(gaps, epsilon).value
    assert regions.union_mass(-gaps[::-1], epsilon).value == pytest.approx(float(mass), rel=1e-12)
    with_zero = np.append(gaps, 0.0)[:, None]
    assert regions.union_mass(with_zero, epsilon).value == mass


def test_limits_of_the_union_mass():
    assert regions.union_mass(np.empty((3, 0, 1)), 1.0).value.tolist() == [0.0, 0.0, 0.0]
    assert regions.union_mass([[0.0], [0.0]], 1.0).value == 0.0
    assert regions.union_mass([[0.0], [0.0]], 0.0).value == 0.0
    assert regions.union_mass([[0.0], [0.5]], 0.0).value == pytest.approx(1.0, rel=1e-15)
    noiseless = regions.standardised_gaps([[0.5], [0.5]], [[[0.5], [0.2]], [[0.5], [0.5]]], 0.0)
    assert np.isinf(noiseless[0, 1, 0])
    assert regions.union_mass(noiseless, 1.0).value.tolist() == [1.0, 0.0]


def test_a_gap_beyond_all_floats_is_infinite():
    gaps = regions.standardised_gaps([1e300], [[0.0], [1e300]], 1e-300)
    assert gaps.tolist() == [[np.inf], [0.0]]


def test_gaps_have_the_scale_of_the_noise():
    gaps = regions.standardised_gaps([[1.0, 2.0]], [[[0.0, 0.0], [1.0, 4.0]]], 0.5)
    assert gaps.tolist() == [[[2.0, 4.0], [0.0, -4.0]]]


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: regions.union_mass([[np.nan]], 1.0), "gaps = nan"),
        (lambda: regions.union_mass(0.5, 1.0), r"gaps has shape \(\)"),
        (lambda: regions.union_mass([[0.5]], -0.1), "epsilon = -0.1"),
        (lambda: regions.union_mass([[0.5]], np.inf), "epsilon = inf"),
        (lambda: regions.union_mass([[0.5, 0.5]], 1.0, lines=8), "lines = 8"),
        (lambda: regions.union_mass([[0.5, 0.5]], 1.0, seed=-1), "seed = -1"),
        (lambda: regions.standardised_gaps([0.5], [[0.5]], -1.0), "sigma = -1.0"),
        (lambda: regions.standardised_gaps([np.inf], [[0.5]], 1.0), "target = inf"),
        (lambda: regions.standardised_gaps([0.5], [0.5], 1.0), "neighbours"),
        (lambda: regions.standardised_gaps(np.zeros((3, 1)), np.zeros((2, 4, 1)), 1.0), r"target has shape \(3, 1\)"),
        (lambda: regions.subadditive_limit(-1, 0.1), "neighbours = -1"),
        (lambda: regions.subadditive_limit(3, 1.5), "delta = 1.5"),
    ],
)
def test_regions_refuse_what_lies_outside_their_domain(call, named):
    with pytest.raises(DomainError, match=named):
        call()


def test_subadditive_limit():
    assert regions.subadditive_limit(3, 0.1) == pytest.approx(0.3)
    assert regions.subadditive_limit(30, 0.1) == 1.0
    assert regions.subadditive_limit(0, 0.1) == 0.0


def test_a_vector_of_gaps_is_of_as_many_neighbours_in_one_dimension():
    vector = [0.5, -0.2, 0.3]
    gaps = np.array(vector)[:, None]
    assert regions.union_mass(vector, 1.0) == regions.union_mass(gaps, 1.0)
    assert regions.union_mass_as_printed(vector, 1.0) == regions.union_mass_as_printed(gaps, 1.0)
    assert inclusion.failure_probability(vector, 1.0) == inclusion.failure_probability(gaps, 1.0)
    assert quantiles.ratio_quantiles(vector, 0.01) == quantiles.ratio_quantiles(gaps, 0.01)
