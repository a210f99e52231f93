"""Bounds, posterior, ratio and exact failure probability against reference values and plain forms."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from disclosure.beliefs import inclusion, regions
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError
from tests.unit.plain import failure_by_grid, failure_flags, random_gaps

gap_lists = st.lists(st.floats(-6, 6), min_size=1, max_size=12)
epsilons = st.floats(0.01, 6)


def test_failure_probability_equals_the_reference_values(vectors):
    for case in vectors["gaps_1d"]:
        attributes = np.array(case["attributes"])
        gaps = regions.standardised_gaps(attributes[:1], attributes[1:, None], float(case["sigma"]))
        for bounds, key in (("prior", "failure_probability"), ("prior_free", "prior_free_failure")):
            probability = inclusion.failure_probability(gaps, case["epsilon"], bounds=bounds).value
            assert probability == pytest.approx(float(case[key]), rel=1e-9, abs=0), (case["epsilon"], bounds)


@pytest.mark.parametrize("kind", ["uniform", "clustered", "tied"])
@pytest.mark.parametrize("bounds", ["prior", "prior_free"])
@pytest.mark.parametrize("epsilon", [0.01, 0.2, 1.0, 3.0])
def test_failure_probability_equals_the_mass_of_the_flagged_noise(kind, bounds, epsilon):
    for seed in range(2):
        gaps = random_gaps(seed, 6, 3.0, kind)
        weights = np.random.default_rng(seed).dirichlet(np.ones(6))
        for options in ({}, {"weights": weights}, {"prior": 0.3}, {"weights": weights, "prior": 0.9}):
            expected, error = failure_by_grid(
                lambda z, gaps=gaps, options=options: failure_flags(z, gaps, epsilon, bounds=bounds, **options)
            )
            found = inclusion.failure_probability(gaps, epsilon, bounds=bounds, **options).value
            assert found == pytest.approx(expected, abs=error), options


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_without_tolerance_the_bounds_fail_unless_nobody_differs(dimension):
    gaps = np.zeros((3, 2, dimension))
    gaps[1, 0, 0], gaps[2, 1, -1] = 1e-101, -3.0
    for function in (inclusion.failure_probability, regions.union_mass):
        value, error = function(gaps, 0.0)
        assert value.tolist() == [0.0, 1.0, 1.0]
        assert not error.any()


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_nearly_no_tolerance_is_right_or_refused(dimension):
    """Gaps as small as epsilon make log g linear, so that the probability does not depend on the scale."""
    gaps = np.random.default_rng(dimension).normal(size=(4, dimension)) + 1.0
    expected = 2 * norm.sf(1 / np.linalg.norm(gaps.mean(axis=0)))
    for epsilon in (1e-9, 1e-11, 1e-12):
        value, error = inclusion.failure_probability(epsilon * gaps, epsilon)
        assert value == pytest.approx(expected, rel=1e-7, abs=2 * error)
        assert inclusion.failure_probability(gaps, epsilon).value == pytest.approx(
            1.0, abs=2e-3 if dimension == 3 else 1e-8
        )
    for epsilon in (9e-13, 1e-15, 1e-50, 1e-200):
        for function in (inclusion.failure_probability, inclusion.failure_intervals)[: 1 + (dimension == 1)]:
            with pytest.raises(DomainError, match=r"epsilon = .* is outside \[1e-12, inf\); 0 is allowed as well"):
                function(gaps, epsilon)


def test_without_neighbours_nothing_fails():
    intervals = inclusion.failure_intervals(np.empty((2, 0, 1)), 1.0)
    assert intervals.shape == (2, 3, 2)
    assert (intervals == [np.inf, -np.inf]).all()
    assert inclusion.failure_probability(np.empty((2, 0, 1)), 1.0).value.tolist() == [0.0, 0.0]


@given(gap_lists, epsilons)
def test_failures_happen_within_the_union_of_the_bad_regions(gaps, epsilon):
    gaps = np.array(gaps)[:, None]
    probability = float(inclusion.failure_probability(gaps, epsilon).value)
    union = float(regions.union_mass(gaps, epsilon).value)
    assert 0 <= probability <= union * (1 + 1e-11)
    masses = gaussian.bad_region_mass(1.0, epsilon, np.abs(gaps[:, 0]))
    assert union <= min(1.0, len(gaps) * float(masses.max())) * (1 + 1e-12)


@given(gap_lists, epsilons, st.floats(0.01, 0.99))
def test_the_prior_free_bounds_fail_no_more_often(gaps, epsilon, prior):
    gaps = np.array(gaps)[:, None]
    prior_free = inclusion.failure_probability(gaps, epsilon, prior=prior, bounds="prior_free").value
    assert prior_free <= inclusion.failure_probability(gaps, epsilon).value * (1 + 1e-9)


@given(gap_lists, epsilons)
def test_failure_probability_knows_no_direction_and_no_order(gaps, epsilon):
    gaps = np.array(gaps)[:, None]
    probability = float(inclusion.failure_probability(gaps, epsilon).value)
    assert inclusion.failure_probability(-gaps[::-1], epsilon).value == pytest.approx(probability, rel=1e-9, abs=1e-300)


@given(st.floats(0.01, 8), epsilons)
def test_one_neighbour_fails_exactly_in_its_bad_region(gap, epsilon):
    expected = float(gaussian.bad_region_mass(1.0, epsilon, gap))
    assert inclusion.failure_probability([[gap]], epsilon).value == pytest.approx(expected, rel=1e-10, abs=1e-300)
    assert inclusion.failure_probability([[gap]] * 5, epsilon).value == pytest.approx(expected, rel=1e-10, abs=1e-300)


@given(gap_lists, epsilons)
def test_weights_of_repeated_neighbours_add_up(gaps, epsilon):
    repeats = 1 + np.arange(len(gaps)) % 3
    gaps = np.array(gaps)
    repeated = inclusion.failure_probability(np.repeat(gaps, repeats)[:, None], epsilon).value
    weighted = inclusion.failure_probability(gaps[:, None], epsilon, weights=repeats / repeats.sum()).value
    assert weighted == pytest.approx(float(repeated), rel=1e-8, abs=1e-300)


def test_datasets_are_computed_as_if_alone():
    gaps = np.random.default_rng(3).normal(size=(4, 5, 7, 1)) * 2
    gaps[0, 0, :3] = 0.0
    gaps[1, 1] = 0.0
    gaps[2, 2, 1] = np.inf
    together = inclusion.failure_probability(gaps, 0.7).value
    assert together.shape == (4, 5)
    alone = [[float(inclusion.failure_probability(gaps[i, j], 0.7).value) for j in range(5)] for i in range(4)]
    assert np.array_equal(together, alone)
    weights = np.random.default_rng(4).dirichlet(np.ones(7), size=(4, 5))
    weighted = inclusion.failure_probability(gaps, 0.7, weights=weights).value
    assert weighted[3, 4] == inclusion.failure_probability(gaps[3, 4], 0.7, weights=weights[3, 4]).value


def hardly_tolerated(datasets, neighbours):
    """Gaps and weights of which half have a log g that falls just below -1/2: the noise where it does is a narrow interval."""
    generator = np.random.default_rng(neighbours)
    gaps = generator.normal(size=(datasets, neighbours))
    signs = np.where(np.arange(neighbours) % 2, -1.0, 1.0)
    gaps[::2] = signs * (1 + generator.uniform(0.0, 0.02, size=gaps[::2].shape))
    return gaps[..., None], generator.dirichlet(np.full(neighbours, 100.0), size=datasets)


@pytest.mark.parametrize("neighbours", [1, 2, 3, 10, 100])
def test_no_last_digit_depends_on_the_other_datasets(neighbours):
    gaps, weights = hardly_tolerated(1_100, neighbours)
    for compute in (
        lambda rows: inclusion.failure_probability(gaps[rows], 0.5),
        lambda rows: inclusion.failure_probability(gaps[rows], 0.5, weights[rows]),
        lambda rows: inclusion.failure_probability(gaps[rows], 0.5, weights[rows], bounds="prior_free"),
        lambda rows: regions.union_mass(gaps[rows], 0.5),
    ):
        together = np.stack(compute(slice(None)))
        for size, count in ((1, 24), (2, 24), (7, 70), (1_000, 1_100)):
            parts = [compute(slice(start, min(start + size, count))) for start in range(0, count, size)]
            assert np.array_equal(np.concatenate(parts, axis=1), together[:, :count])


def test_limits_of_the_failure_probability():
    assert inclusion.failure_probability(np.empty((2, 0, 1)), 1.0).value.tolist() == [0.0, 0.0]
    for epsilon in (0.0, 0.001, 1.0, 20.0):
        assert inclusion.failure_probability(np.zeros((3, 1)), epsilon).value == 0.0
    assert inclusion.failure_probability([[0.5], [-0.2]], 0.0).value == pytest.approx(1.0, rel=1e-14)
    # Noiseless: the ratio is (p + 1) / (zeros + 1) whatever is released.
    for zeros, fails in ((0, 1.0), (3, 1.0), (4, 0.0), (10, 0.0)):
        gaps = np.append(np.full(10 - zeros, np.inf), np.zeros(zeros))[:, None]
        assert (math.log(zeros / 10) < -1.0 if zeros else True) == bool(fails)
        assert inclusion.failure_probability(gaps, 1.0).value == fails


@pytest.mark.parametrize(("zeros", "sign"), [(3, 1.0), (3, -1.0), (4, 1.0)])
def test_gaps_of_one_sign_beside_zeros_leave_a_half_line(zeros, sign):
    """log g falls to log(share of zeros) on one side: the low set is a half-line or empty, by whether that is < -epsilon."""
    gaps = np.append(np.zeros(zeros), sign * np.linspace(0.5, 2.0, 10 - zeros))[:, None]
    intervals = inclusion.failure_intervals(gaps, 1.0)
    low = intervals[1] if sign > 0 else -intervals[1][::-1]
    assert (low[1] == np.inf and np.isfinite(low[0])) if zeros == 3 else low[0] > low[1]
    expected, error = failure_by_grid(lambda z: failure_flags(z, gaps, 1.0))
    assert inclusion.failure_probability(gaps, 1.0).value == pytest.approx(expected, abs=error)


def test_infinite_gaps_beside_finite_ones_take_their_weight_out_of_the_mixture():
    gaps = np.array([[0.5], [-0.3], [np.inf], [-np.inf]])
    expected, error = failure_by_grid(lambda z: failure_flags(z, np.clip(gaps, -60, 60), 1.0))
    assert inclusion.failure_probability(gaps, 1.0).value == pytest.approx(expected, abs=error)
    assert (
        inclusion.failure_probability(np.clip(gaps, -60, 60), 1.0).value
        == inclusion.failure_probability(gaps, 1.0).value
    )


def test_tiny_gaps_and_huge_gaps():
    assert inclusion.failure_probability([[1e-300], [1e-310]], 1.0).value == 0.0
    assert inclusion.failure_probability([[1e5], [-1e5]], 1.0).value == pytest.approx(1.0, rel=1e-12)
    wide = inclusion.failure_probability([[40.0], [-40.0], [0.1]], 50.0).value
    assert 0 <= wide <= regions.union_mass([[40.0], [-40.0], [0.1]], 50.0).value


@given(st.floats(1e-6, 1.0), st.floats(0, 800))
def test_bounds_as_printed(prior, epsilon):
    lower, upper = inclusion.ratio_bounds(prior, epsilon)
    free_lower, free_upper = inclusion.prior_free_bounds(epsilon)
    if epsilon < 700:
        assert lower == pytest.approx(1 / (prior + (1 - prior) * math.exp(epsilon)), rel=1e-12)
    assert upper == pytest.approx(1 / (prior + (1 - prior) * math.exp(-epsilon)), rel=1e-12)
    assert free_lower * (1 - 1e-12) <= lower <= 1 <= upper * (1 + 1e-15)
    assert upper <= free_upper * (1 + 1e-12)


@given(st.floats(1e-6, 0.999), st.floats(1e-6, 30))
def test_the_ratio_is_at_its_bounds_where_log_g_is_at_its_levels(prior, epsilon):
    for bounds, printed in (
        ("prior", inclusion.ratio_bounds(prior, epsilon)),
        ("prior_free", inclusion.prior_free_bounds(epsilon)),
    ):
        assert inclusion.bounds_of(bounds, epsilon, prior) == printed
        low, high = inclusion.levels_of(bounds, epsilon, prior)
        assert low <= 0 <= high
        assert 1 / (prior + (1 - prior) * math.exp(high)) == pytest.approx(float(printed.lower), rel=1e-9)
        if low > -math.inf:
            assert 1 / (prior + (1 - prior) * math.exp(low)) == pytest.approx(float(printed.upper), rel=1e-9)
        else:  # no release makes the ratio as large
            assert 1 / prior <= float(printed.upper) * (1 + 1e-12)


def test_a_name_of_no_bounds_is_refused():
    for function in (inclusion.bounds_of, inclusion.levels_of):
        with pytest.raises(DomainError, match="bounds = 'both' is neither 'prior' nor 'prior_free'"):
            function("both", 1.0, 0.5)


def test_bounds_of_a_prior_of_zero_are_the_prior_free_ones():
    assert np.ravel(inclusion.ratio_bounds(0.0, 0.7)) == pytest.approx(
        np.ravel(inclusion.prior_free_bounds(0.7)), rel=1e-15
    )
    found, free = (
        inclusion.failure_probability([[0.5], [-0.9]], 0.7, None, 0.0, bounds) for bounds in inclusion.BOUNDS
    )
    assert found.value == pytest.approx(free.value, rel=1e-12)


def test_bounds_of_a_certain_prior_are_one():
    assert tuple(map(float, inclusion.ratio_bounds(1.0, 800.0))) == (1.0, 1.0)


def test_approximate_bounds_are_the_bounds_at_the_converted_epsilon():
    epsilon_prime = math.log((0.1 * math.exp(0.7) + 0.01) / (0.1 - 0.01))
    found = inclusion.approximate_ratio_bounds(0.2, 0.7, 0.01, 0.1)
    assert np.allclose(found, inclusion.ratio_bounds(0.2, epsilon_prime), rtol=1e-14)
    for delta_prime in (0.01, 1.0):
        with pytest.raises(DomainError, match="delta_prime"):
            inclusion.approximate_ratio_bounds(0.2, 0.7, 0.01, delta_prime)


@pytest.mark.parametrize("weights", [None, [0.1, 0.2, 0.3, 0.4]])
def test_posterior_and_ratio_by_bayes_rule(weights):
    generator = np.random.default_rng(8)
    candidates, releases = generator.random((4, 6)), generator.normal(size=(5, 6))
    prior = np.full(4, 0.25) if weights is None else np.array(weights)
    joint = prior * norm.pdf(releases[:, None, :], candidates, 0.7).prod(axis=-1)
    posterior = joint / joint.sum(axis=1, keepdims=True)
    assert np.allclose(inclusion.posterior(releases, candidates, 0.7, weights), posterior, rtol=1e-12)
    assert np.allclose(inclusion.ratio(releases, candidates, 0.7, weights), posterior[:, 0] / prior[0], rtol=1e-12)


def test_weights_that_are_written_with_few_digits_are_divided_by_their_sum():
    gaps = np.array([[0.1], [0.3], [-0.05]])
    for epsilon in (0.02, 0.3):
        thirds = inclusion.failure_probability(gaps, epsilon).value
        found = inclusion.failure_probability(gaps, epsilon, weights=[0.333333333] * 3).value
        assert found == pytest.approx(float(thirds), rel=1e-12)
    release, candidates = [0.3], [[0.5], [1.0], [0.2]]
    assert inclusion.ratio(release, candidates, 0.7, [0.333333333] * 3) == pytest.approx(
        float(inclusion.ratio(release, candidates, 0.7)), rel=1e-14
    )


def test_the_posterior_of_releases_from_afar():
    """With 40 digits; the densities themselves are 0 in floating point, and the squares of the distances infinite."""
    candidates, weights = [[0.25, 0.5], [0.5, 0.125], [0.75, 1.0]], [0.2, 0.3, 0.5]
    for release in ([30.0, -12.0], [-1e9, 7e8], [1e200, 1e200], [-1e200, 3.0]):
        with mpmath.workdps(500):
            logs = [
                mpmath.log(weight) - sum((mpmath.mpf(t) - x) ** 2 for t, x in zip(release, answer, strict=True)) / 2
                for weight, answer in zip(weights, candidates, strict=True)
            ]
            densities = [mpmath.exp(log - max(logs)) for log in logs]
            expected = [float(density / sum(densities)) for density in densities]
        assert inclusion.posterior(release, candidates, 1.0, weights) == pytest.approx(expected, rel=1e-6, abs=1e-300)
    with pytest.raises(DomainError, match="release and candidates are so many sigma apart"):
        inclusion.posterior([1e300], [[1e200], [-1e200]], 1.0)


def test_full_vectors_give_the_ratio_of_the_targets_coordinate():
    """Paper A's Procedure releases all m attributes; what the adversary knows already cancels from (32)."""
    generator = np.random.default_rng(9)
    known, open_values = generator.random(89), generator.random(11)
    candidates = np.column_stack([np.tile(known, (11, 1)), open_values])
    release = np.append(known, open_values[0]) + 1.8 * generator.normal(size=(200, 90))
    full = inclusion.ratio(release, candidates, 1.8)
    gaps = regions.standardised_gaps(open_values[:1], open_values[1:, None], 1.8)
    z = (release[:, -1] - open_values[0]) / 1.8
    log_ratios = z[:, None] * gaps[:, 0] + gaps[:, 0] ** 2 / 2
    assert np.allclose(full, 1 / (1 / 11 + 10 / 11 * np.exp(-log_ratios).mean(axis=1)), rtol=1e-10)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: inclusion.ratio_bounds(-0.1, 1.0), "prior = -0.1"),
        (lambda: inclusion.ratio_bounds(0.5, -1.0), "epsilon = -1.0"),
        (lambda: inclusion.ratio_bounds(0.5, math.nan), "epsilon = nan"),
        (lambda: inclusion.prior_free_bounds(math.inf), "epsilon = inf"),
        (lambda: inclusion.failure_probability([[math.nan]], 1.0), "gaps = nan"),
        (lambda: inclusion.failure_probability([[0.5]], 1.0, bounds="both"), "bounds = 'both'"),
        (lambda: inclusion.failure_probability([[0.5]], 1.0, prior=-0.1), "prior = -0.1"),
        (lambda: inclusion.failure_probability([[0.5], [1.0]], 1.0, weights=[0.5, 0.6]), "sums to"),
        (lambda: inclusion.failure_probability([[0.5], [1.0]], 1.0, weights=[0.0, 1.0]), "weights = 0.0"),
        (lambda: inclusion.failure_probability([[0.5], [1.0]], 1.0, weights=[1.0]), r"weights has shape \(1,\)"),
        (lambda: inclusion.posterior([0.5], [[0.5], [1.0]], 0.0), "sigma = 0.0"),
        (lambda: inclusion.posterior([0.2], [0.1, 0.9], 0.3), r"release has shape \(1,\) and candidates \(2,\)"),
        (lambda: inclusion.ratio([0.2, 0.7], [[0.1], [0.9]], 0.3), r"release has shape \(2,\)"),
        (lambda: inclusion.ratio(0.5, 0.1, 1.0), r"release has shape \(\)"),
        (lambda: inclusion.failure_probability([[0.5]], [1.0, 2.0]), r"epsilon has shape \(2,\)"),
        (lambda: inclusion.failure_probability([[0.5, 0.5]], 1.0, lines=8), "lines = 8"),
        (lambda: inclusion.failure_intervals([[0.5, 0.5]], 1.0), "q = 2"),
        (
            lambda: inclusion.failure_probability([[0.5], [1.0]], 1.0, weights=np.full((3, 2), 0.5)),
            r"weights has shape \(3, 2\)",
        ),
        (lambda: inclusion.failure_probability([[0.5]], 10**400), "epsilon = 1000.* is too large"),
        (
            lambda: inclusion.failure_probability(np.ma.masked_equal([[0.5], [1.0]], 1.0), 1.0),
            "gaps has masked entries",
        ),
        (lambda: inclusion.failure_probability([[0.5]], "1"), "epsilon = '1' is not numeric"),
        (lambda: inclusion.failure_probability(np.eye(3), 1.0, lines=10**400), "lines = 1000"),
        (lambda: inclusion.ratio_bounds([0.1, 0.2], [1.0, 2.0, 3.0]), r"prior \(2,\), epsilon \(3,\)"),
        (lambda: inclusion.posterior([0.5], np.empty((0, 1)), 1.0), "candidates is empty"),
        (lambda: inclusion.posterior([0.5], [[0.5], [1.0]], 1.0, np.full((3, 2), 0.5)), r"weights has shape \(3, 2\)"),
    ],
)
def test_ratio_refuses_what_lies_outside_its_domain(call, named):
    with pytest.raises(DomainError, match=named):
        call()
