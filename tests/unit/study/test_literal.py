"""The method `literal` against whole noisy vectors, closed forms, and what is known of calibrated mechanisms."""

import tracemalloc

import numpy as np
import pytest

from disclosure.beliefs import inclusion
from disclosure.mechanisms import gaussian, laplace
from disclosure.numerics.errors import DomainError
from disclosure.study import literal
from tests.unit.study.cases import POINTS, cases


@pytest.mark.parametrize("point", POINTS)
def test_full_vectors_give_the_flags_of_the_targets_coordinate(point):
    """Lines 15 to 23 of the Procedure with all m noisy attributes, and equation (32) for the whole vectors."""
    target, neighbours, sigma, gaps = cases(point, 2)
    generator = np.random.default_rng(2)
    for a, others, case in zip(target, neighbours, gaps, strict=True):
        known = generator.random(point.sample - 1)
        candidates = np.append(a, others)
        vectors = np.column_stack([np.tile(known, (len(candidates), 1)), candidates])
        releases = gaussian.release(vectors[0], sigma, generator, size=(300,))
        ratios = inclusion.ratio(releases, vectors, sigma)
        z = (releases[:, -1] - a) / sigma
        both = {
            "prior": inclusion.ratio_bounds(1 / len(candidates), point.epsilon),
            "prior_free": inclusion.prior_free_bounds(point.epsilon),
        }
        for name, (lower, upper) in both.items():
            found = literal.flags(z, case[:, 0], point.epsilon, name)
            assert np.array_equal((ratios < lower) | (ratios > upper), found)


def test_counts_are_those_of_the_flags_of_all_blocks():
    gaps = np.array([0.5, -1.0, 0.3, 2.0])
    for releases in (1, 4_096, 10_000):
        z = np.random.default_rng(8).standard_normal(releases)
        flagged = [np.count_nonzero(literal.flags(z, gaps, 0.4, bounds)) for bounds in ("prior", "prior_free")]
        assert literal.count(gaps, 0.4, releases, np.random.default_rng(8)) == flagged
    assert 0 < min(flagged) < releases
    assert flagged[0] != flagged[1]


def test_a_ratio_at_its_bound_does_not_fail():
    # The ratio is 1 at every release, and so are all bounds.
    for bounds in ("prior", "prior_free"):
        assert not literal.flags([-1.0, 0.0, 2.0], np.zeros(3), 0.0, bounds).any()
    assert literal.count(np.zeros(3), 0.0, 100, np.random.default_rng(1)) == [0, 0]


def peak(*arguments):
    """Most bytes that counting the failures takes at a time."""
    tracemalloc.start()
    literal.count(*arguments, np.random.Generator(np.random.SFC64(1)))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_memory_does_not_grow_with_the_number_of_releases():
    *_, gaps = cases(POINTS[1], 1)
    assert peak(gaps[0, :, 0], 1.0, 200_000) < 1_500_000
    # Ten thousand candidates: a block of releases shrinks, and only the candidates themselves take room.
    assert peak(np.linspace(-1, 1, 10_000), 1.0, 500) < 30_000_000


@pytest.mark.parametrize("point", POINTS)
def test_a_mechanism_flags_the_releases_that_the_noise_flags(point):
    """The counts of `count_by_mechanism`, from densities, are those of `literal.flags` on the same noise."""
    target, neighbours, sigma, gaps = cases(point, 2)
    for a, others, case in zip(target, neighbours, gaps, strict=True):
        counts = literal.count_by_mechanism(gaussian, sigma, a, others, point.epsilon, 3_000, np.random.default_rng(5))
        z = np.random.default_rng(5).standard_normal(3_000)
        assert counts.failures == np.count_nonzero(literal.flags(z, case[:, 0], point.epsilon))
        log_ratios = z[:, None] * case[:, 0] + case[:, 0] ** 2 / 2
        assert counts.bad == np.count_nonzero((np.abs(log_ratios) > point.epsilon).any(axis=1))


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 1.0, 7.0])
@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_calibrated_laplace_releases_never_fail(dimension, epsilon):
    """Neighbours at the whole l1 sensitivity: the log density ratio stands at its bound for a good part of all releases."""
    generator = np.random.default_rng(6)
    target = generator.random(dimension)
    shares = generator.dirichlet(np.ones(dimension), size=20)
    neighbours = target + 0.7 * shares * generator.choice([-1.0, 1.0], size=(20, dimension))
    distances = np.abs(neighbours - target).sum(axis=1)
    scale = laplace.calibrate(epsilon, float(distances.max()))
    dataset = laplace, scale, target, neighbours, epsilon, 10_000, generator
    assert literal.count_by_mechanism(*dataset) == (0, 0, 0)
    assert literal.count_by_mechanism(*dataset, weights=generator.dirichlet(np.ones(20))) == (0, 0, 0)
    for neighbour, distance in zip(neighbours, distances, strict=True):
        scale = laplace.calibrate(epsilon, float(distance))
        several = target, [neighbour] * 3, epsilon, 2_000, generator
        assert literal.count_by_mechanism(laplace, scale, *several) == (0, 0, 0)
        # With a billionth less noise than that they are seen.
        assert min(literal.count_by_mechanism(laplace, scale * (1 - 1e-9), *several)[:2]) > 0


@pytest.mark.parametrize("share", [0.999, 0.7, 0.2])
def test_laplace_releases_with_less_noise_fail_in_the_bad_region(share):
    """One neighbour that differs in one of two entries: failures and bad releases are the same, with a mass in closed form."""
    epsilon, releases = 0.8, 40_000
    scale = share * laplace.calibrate(epsilon, 1.5)
    mass = float(laplace.bad_region_mass(scale, epsilon, 1.5))
    dataset = laplace, scale, [0.0, 2.0], [[1.5, 2.0]], epsilon, releases, np.random.default_rng(7)
    failures, bad, failures_prior_free = literal.count_by_mechanism(*dataset)
    assert failures == bad
    assert abs(failures - releases * mass) < 4 * np.sqrt(releases * mass * (1 - mass))
    assert failures_prior_free <= failures


def test_counts_by_mechanism_at_the_limits():
    generator = np.random.default_rng(8)
    assert literal.count_by_mechanism(laplace, 1.0, [0.0], np.empty((0, 1)), 1.0, 100, generator) == (0, 0, 0)
    assert literal.count_by_mechanism(gaussian, 1.0, [0.5, 1.0], [[0.5, 1.0]] * 3, 0.0, 100, generator) == (0, 0, 0)
    # The ratio is 2, above the bound (24) and below e.
    assert literal.count_by_mechanism(gaussian, 1e-3, [0.0, 1.0], [[9.0, 1.0]], 1.0, 100, generator) == (100, 100, 0)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"target": [[0.5]]}, r"target has shape \(1, 1\)"),
        ({"neighbours": [[0.1, 0.2]]}, r"neighbours \(1, 2\)"),
        ({"neighbours": [[np.nan]]}, "neighbours = nan"),
        ({"epsilon": -1.0}, "epsilon = -1.0"),
        ({"releases": 0}, "releases = 0"),
        ({"noise": 0.0}, "scale = 0.0"),
        ({"weights": [0.5]}, "weights sums to 0.5"),
        ({"weights": [[1.0], [1.0]]}, r"weights has shape \(2, 1\)"),
    ],
)
def test_counts_by_mechanism_refuse_what_lies_outside_their_domain(options, named):
    arguments = {"noise": 1.0, "target": [0.5], "neighbours": [[0.1]], "epsilon": 1.0, "releases": 10, **options}
    with pytest.raises(DomainError, match=named):
        literal.count_by_mechanism(laplace, generator=np.random.default_rng(1), **arguments)
