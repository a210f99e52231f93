"""Two dimensions: closed forms, one dimension turned, equation (29) as printed, nested quadrature, and no direction."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtr
from scipy.stats import norm

from disclosure.beliefs import inclusion, regions
from disclosure.gaussian_measure import plane, select
from disclosure.mechanisms import gaussian
from tests.unit.plain import failure_flags, random_gaps, union_flags

angles = st.floats(0, 2 * math.pi)


def turned(gaps, angle):
    """Gaps of one or two dimensions, in a plane turned by an angle."""
    axes = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.asarray(gaps) @ axes[: np.shape(gaps)[-1]]


def clouds(seed, count, neighbours, scale, shift=0.0):
    generator = np.random.default_rng(seed)
    return scale * (generator.normal(size=(count, neighbours, 2)) + shift * generator.normal(size=(count, 1, 2)))


@given(st.floats(0.03, 8), st.floats(0.01, 6), angles)
@settings(deadline=None)
def test_one_neighbour_has_its_bad_region(distance, epsilon, angle):
    gaps = turned([[distance]], angle)
    expected = float(gaussian.bad_region_mass(1.0, epsilon, distance))
    assert regions.union_mass(gaps, epsilon).value == pytest.approx(expected, rel=1e-11, abs=1e-300)
    assert inclusion.failure_probability(gaps, epsilon).value == pytest.approx(expected, rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("kind", ["uniform", "clustered", "tied"])
def test_gaps_on_a_line_are_gaps_of_one_dimension(kind, epsilon):
    for seed in range(3):
        gaps = random_gaps(seed, 9, 2.0 * math.sqrt(epsilon), kind)
        weights = np.random.default_rng(seed).dirichlet(np.ones(9))
        for bounds in ("prior", "prior_free"):
            options = {"weights": weights, "bounds": bounds, "prior": 0.2}
            expected = inclusion.failure_probability(gaps, epsilon, **options).value
            found = inclusion.failure_probability(turned(gaps, seed + 0.3), epsilon, **options).value
            assert found == pytest.approx(float(expected), rel=1e-11, abs=1e-300)
        expected = regions.union_mass(gaps, epsilon).value
        assert regions.union_mass(turned(gaps, seed + 0.3), epsilon).value == pytest.approx(float(expected), rel=1e-11)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_gaps_almost_on_a_line(epsilon):
    """What is no line for the program gives the line's values, whose change is of the order of the distance from it."""
    for seed in range(3):
        gaps = random_gaps(seed, 9, 2.0 * math.sqrt(epsilon))
        aside = 1e-9 * np.random.default_rng(seed).normal(size=gaps.shape)
        bent = turned(np.concatenate([gaps, aside], axis=1), 0.7)
        assert next(select.by_rank(bent[None], epsilon))[1].shape == (1, 9, 2)
        for function in (regions.union_mass, inclusion.failure_probability):
            assert function(bent, epsilon).value == pytest.approx(float(function(gaps, epsilon).value), rel=1e-8)


@given(st.floats(0.05, 5), st.floats(0.05, 5), st.floats(0.05, 8), angles)
@settings(deadline=None)
def test_orthogonal_gaps_have_independent_bad_regions(first, second, epsilon, angle):
    masses = gaussian.bad_region_mass(1.0, epsilon, np.array([first, second]))
    expected = float(masses[0] + masses[1] * (1 - masses[0]))
    gaps = turned([[first, 0.0], [0.0, second], [first, 0.0], [0.0, 0.0]], angle)
    assert regions.union_mass(gaps, epsilon).value == pytest.approx(expected, rel=1e-11, abs=1e-290)


@pytest.mark.parametrize("seed", range(3))
def test_union_mass_equals_equation_29_as_printed(seed):
    gaps = clouds(seed, 1, 4, 0.7)[0]
    printed = regions.union_mass_as_printed(gaps, 0.8, rng=np.random.default_rng(1), abseps=1e-5)
    assert regions.union_mass(gaps, 0.8).value == pytest.approx(printed, abs=2 * len(gaps) * 1e-5)


@pytest.mark.parametrize(
    ("scale", "epsilon"), [(0.02, 0.5), (0.1, 1.0), (0.4, 1.0), (1.5, 1.0), (0.5, 0.02), (2.0, 12.0)]
)
def test_nothing_depends_on_the_direction(scale, epsilon):
    gaps = clouds(5, 20, 12, scale, shift=1.0)
    for function in (regions.union_mass, inclusion.failure_probability):
        value, error = function(gaps, epsilon)
        again, again_error = function(turned(gaps, 1.0), epsilon)
        assert (np.abs(value - again) <= error + again_error).all()
        assert (error <= 1.1e-9 * value).all()


def sublevel_mass(gaps, level):
    """Mass of the convex set {log g < level} by quadrature over y, with roots in x; it begins and ends like a square root."""

    def height(x, y):
        exponents = -(np.multiply.outer(x, gaps[:, 0]) + y * gaps[:, 1] + (gaps**2).sum(axis=1) / 2)
        return np.log(np.exp(exponents).mean(axis=-1)) - level

    def lowest(y):
        found = minimize_scalar(height, bounds=(-40, 40), args=(y,), method="bounded", options={"xatol": 1e-10})
        return found.x, found.fun

    def share(y):
        middle, value = lowest(y)
        ends = [
            brentq(height, middle, far, args=(y,), xtol=1e-14)
            if value < 0 < height(far, y)
            else (far if value < 0 else middle)
            for far in (-40.0, 40.0)
        ]
        return ndtr(ends[1]) - ndtr(ends[0])

    grid = np.linspace(-9, 9, 37)
    inside = np.flatnonzero([lowest(y)[1] < 0 for y in grid])
    if not inside.size:
        return 0.0
    begin, end = (
        brentq(lambda y: lowest(y)[1], grid[place], grid[place + step], xtol=1e-12) if 0 < place < 36 else grid[place]
        for place, step in ((inside[0], -1), (inside[-1], 1))
    )
    angles, weights = np.polynomial.legendre.leggauss(80)
    y = (begin + end) / 2 + (end - begin) / 2 * np.sin(np.pi / 2 * angles)
    weights = weights * np.pi / 2 * np.cos(np.pi / 2 * angles) * (end - begin) / 2
    return float((weights * norm.pdf(y)) @ [share(each) for each in y])


@pytest.mark.parametrize(
    ("gaps", "epsilon"),
    [
        ([[0.9, 0.2], [-0.6, 0.8], [0.1, -0.9]], 0.5),  # no low set
        ([[1.4, 0.3], [1.1, 0.9], [0.6, -0.4]], 0.5),  # all in a half-plane: the low set is unbounded
        ([[1.4, 0.3], [1.1, 0.9], [0.6, -0.4], [-0.4, 0.1]], 0.3),  # a bounded one
        ([[1.2, 0.0], [0.0, 1.0], [0.0, 0.0], [0.7, 0.6]], 0.9),  # a zero gap bounds g from below
        ([[0.02, 0.001], [0.021, -0.002], [0.019, 0.002]], 0.06),  # one far from the origin, where g is all but flat
    ],
)
def test_failure_probability_equals_nested_quadrature(gaps, epsilon):
    gaps = np.array(gaps)
    expected = 1 - sublevel_mass(gaps, epsilon) + sublevel_mass(gaps, -epsilon)
    assert inclusion.failure_probability(gaps, epsilon).value == pytest.approx(expected, rel=1e-8)


@given(st.lists(st.tuples(st.floats(-4, 4), st.floats(-4, 4)), min_size=1, max_size=8), st.floats(0.05, 5))
@settings(deadline=None, max_examples=50)
def test_failures_happen_within_the_union_of_the_bad_regions(gaps, epsilon):
    union = float(regions.union_mass(gaps, epsilon).value)
    masses = gaussian.bad_region_mass(1.0, epsilon, np.linalg.norm(gaps, axis=1))
    assert 0 <= inclusion.failure_probability(gaps, epsilon).value <= union * (1 + 1e-8)
    assert masses.max() * (1 - 1e-10) <= union <= min(1.0, masses.sum()) * (1 + 1e-10)


def test_weights_of_repeated_neighbours_add_up():
    gaps, repeats = clouds(7, 8, 5, 0.8), np.array([1, 2, 3, 1, 4])
    repeated = np.repeat(gaps, repeats, axis=1)
    weighted = inclusion.failure_probability(gaps, 0.5, weights=repeats / repeats.sum())
    assert np.allclose(weighted.value, inclusion.failure_probability(repeated, 0.5).value, rtol=1e-9, atol=0)
    assert np.allclose(regions.union_mass(repeated, 0.5).value, regions.union_mass(gaps, 0.5).value, rtol=1e-12, atol=0)
    # A neighbour with next to no weight is as good as none.
    weights = np.array([0.25, 0.25, 0.25, 0.25, 1e-15])
    without = inclusion.failure_probability(gaps[:, :4], 0.5).value
    assert np.allclose(inclusion.failure_probability(gaps, 0.5, weights).value, without, rtol=1e-9, atol=0)


def test_limits():
    for function in (regions.union_mass, inclusion.failure_probability):
        assert function(np.empty((3, 0, 2)), 1.0).value.tolist() == [0.0, 0.0, 0.0]
        assert function(np.empty((0, 4, 2)), 1.0).value.shape == (0,)
        assert function(np.zeros((4, 2)), 1.0) == (0.0, 0.0)
        assert function(1e-200 * clouds(0, 1, 4, 1.0), 1.0).value == 0.0
        assert function(clouds(0, 2, 4, 0.5), 0.0).value == pytest.approx([1.0, 1.0], rel=1e-9)
        assert function(clouds(0, 1, 4, 1e4), 1.0).value == pytest.approx([1.0], rel=1e-12)
        assert function(clouds(0, 1, 4, 0.01), 10.0).value == 0.0
    # Noiseless: the ratio is (p + 1) / (zeros + 1) whatever is released.
    for zeros, fails in ((0, 1.0), (3, 1.0), (4, 0.0)):
        gaps = regions.standardised_gaps([0.0, 1.0], [[0.0, 1.0]] * zeros + [[0.2, 1.0], [0.4, 0.1]] * 5, 0.0)[:10]
        assert inclusion.failure_probability(gaps, 1.0).value == fails
        assert regions.union_mass(gaps, 1.0).value == 1.0


def test_infinite_gaps_beside_finite_ones_take_their_weight_out_of_the_mixture():
    finite = clouds(3, 1, 4, 0.5)[0]
    noise = np.random.default_rng(1).normal(size=(200_000, 2))
    for far in ([np.inf, 0.0], [-np.inf, 3.0], [1e200, 1e250], [300.0, -200.0]):
        gaps = np.vstack([finite, [far]])
        value = float(inclusion.failure_probability(gaps, 0.5).value)
        assert value == inclusion.failure_probability(np.vstack([finite, [[1e3, 1e3]]]), 0.5).value
        share = failure_flags(noise, np.clip(gaps, -1e3, 1e3), 0.5).mean()
        assert abs(share - value) < 4 * math.sqrt(value * (1 - value) / len(noise))
        assert regions.union_mass(gaps, 0.5).value == 1.0


@pytest.mark.parametrize("bounds", ["prior", "prior_free"])
def test_both_masses_by_plain_draws(bounds):
    noise = np.random.default_rng(2).normal(size=(100_000, 2))
    weights = np.random.default_rng(3).dirichlet(np.ones(6))
    for number, gaps in enumerate(clouds(9, 6, 6, 0.35, shift=0.8)):
        options = {"weights": weights, "prior": 0.15, "bounds": bounds} if number % 2 else {"bounds": bounds}
        values = [inclusion.failure_probability(gaps, 0.5, **options).value, regions.union_mass(gaps, 0.5).value]
        shares = [failure_flags(noise, gaps, 0.5, **options).mean(), union_flags(noise, gaps, 0.5).mean()]
        assert values[1] < 0.99
        for value, share in zip(values, shares, strict=True):
            assert abs(share - value) <= 4 * math.sqrt(value * (1 - value) / len(noise))


def test_datasets_are_computed_as_if_alone():
    gaps = clouds(11, 30, 23, 0.5, shift=0.5).reshape(5, 6, 23, 2)
    gaps[0, 0] = 0.0
    gaps[0, 1, :5] = 0.0
    gaps[0, 2, :, 1] = 0.0
    gaps[0, 3, 2] = np.inf
    for function in (regions.union_mass, inclusion.failure_probability):
        together = function(gaps, 0.7)
        alone = np.array([[function(gaps[i, j], 0.7) for j in range(6)] for i in range(5)])
        assert np.array_equal(np.stack(together, axis=-1), alone)
    weights = np.random.default_rng(4).dirichlet(np.ones(23), size=(5, 6))
    weighted = inclusion.failure_probability(gaps, 0.7, weights=weights).value
    assert weighted[3, 4] == inclusion.failure_probability(gaps[3, 4], 0.7, weights=weights[3, 4]).value
    # Of a single dataset the strips that stay away are left out.
    many = clouds(12, 2, 3_000, 0.1, shift=2.0)
    assert np.array_equal(regions.union_mass(many, 1.0).value, [regions.union_mass(one, 1.0).value for one in many])


def levels(gaps, epsilon, weights=None, **options):
    """Masses outside the levels -epsilon and epsilon by the rule of the plane."""
    weights = np.full((1, gaps.shape[1]), 1 / gaps.shape[1]) if weights is None else weights
    return plane.mass_outside_levels(gaps, weights, -epsilon, epsilon, **options)


@pytest.mark.parametrize(("scale", "epsilon"), [(0.1, 0.2), (1.0, 1.0), (3.0, 5.0), (8.0, 40.0), (20.0, 300.0)])
def test_many_more_angles_change_nothing(scale, epsilon):
    """Long gaps make the boundary of the high set all but a polygon, and its mass almost that of a corner."""
    gaps = clouds(13, 40, 6, scale, shift=0.5)
    value, error = levels(gaps, epsilon)
    finer = levels(gaps, epsilon, angles=plane.Angles(first=1 << 10)).value
    assert (np.abs(value - finer) <= 3 * error).all()
    assert (error <= 1e-8 * value).all()


def test_too_few_angles_are_told_by_the_error():
    gaps = clouds(13, 100, 6, 3.0, shift=0.5)
    exact = levels(gaps, 5.0).value
    value, error = levels(gaps, 5.0, angles=plane.Angles(most=64))
    assert np.median(error / exact) > 5e-10
    assert np.mean(np.abs(value - exact) <= error + 1e-9 * exact) > 0.9


@pytest.mark.parametrize(("scale", "shift", "epsilon"), [(0.05, 0, 1.0), (0.05, 4, 1.0), (0.2, 2, 0.3), (0.15, 2, 5.0)])
def test_few_terms_stand_for_many(scale, shift, epsilon):
    """High sets and low sets, near and far, with neighbours in dense cells, alone, absent, and of unequal weight."""
    gaps = clouds(14, 2, 9_000, scale, shift)
    gaps[0, 5] = np.inf, 0.0
    weights = np.random.default_rng(5).dirichlet(np.ones(9_000), size=2)
    few = levels(gaps, epsilon, weights)
    plain = levels(gaps, epsilon, weights, many=10_000)
    assert (plain.value > 0).all()
    assert few.value == pytest.approx(plain.value, rel=1e-10)
    assert (np.abs(few.value - plain.value) <= few.error).all()


def test_memory_does_not_grow_with_the_number_of_angles_and_datasets():
    gaps = clouds(1, 800, 50, 0.5)
    for function in (regions.union_mass, inclusion.failure_probability):
        tracemalloc.start()
        function(gaps, 1.0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * gaps.nbytes + 20_000_000, function.__name__
