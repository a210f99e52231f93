"""Both methods of counting failures against each other and against full draws, on the same noise."""

import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion, regions
from disclosure.mechanisms import gaussian, laplace
from disclosure.numerics.errors import DomainError
from disclosure.study import datasets, simulation, streams
from disclosure.study.datasets import Point

POINTS = [
    Point(100, 90, 0.2, 0.5),
    Point(100, 90, 1.0, 10**-1.1),
    Point(100, 99, 1.0, 10**-1.1),
    Point(100, 10, 2.0, 0.9),
    Point(20, 10, 1.0, 0.95),
    Point(20, 10, 1.0, 0.9999),
    Point(100, 90, 5.0, 0.5),
    Point(5, 3, 0.05, 0.7),
]


def cases(point, count=6):
    sigma = gaussian.calibrate(point.epsilon, point.delta, definition="probabilistic")
    target, neighbours = datasets.draw(3, point, 0, count)
    return target, neighbours, sigma, regions.standardised_gaps(target, neighbours, sigma)


@pytest.mark.parametrize("point", POINTS)
def test_on_the_same_u_both_methods_flag_the_same_releases(point):
    *_, gaps = cases(point)
    bits = np.random.Generator(np.random.SFC64(1)).bit_generator.random_raw(20_000)
    z = simulation.noise(bits)
    flagged = 0
    for case, intervals in zip(gaps, inclusion.failure_intervals(gaps, point.epsilon), strict=True):
        literal = simulation.literal_flags(z, case[:, 0], point.epsilon)
        assert np.array_equal(literal, simulation.threshold_flags(bits, intervals))
        flagged += literal.sum()
    assert flagged > 0


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
        lower, upper = inclusion.ratio_bounds(1 / len(candidates), point.epsilon)
        z = (releases[:, -1] - a) / sigma
        assert np.array_equal(
            (ratios < lower) | (ratios > upper), simulation.literal_flags(z, case[:, 0], point.epsilon)
        )


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("releases", [1, 7, 8, 131_073, 300_000])
def test_lazily_drawn_bits_equal_full_draws(point, releases):
    """Every release gets all its 64 bits: those that the method draws late, and any others where it draws none."""
    *_, gaps = cases(point, 3)
    for number, intervals in enumerate(inclusion.failure_intervals(gaps, point.epsilon)):
        found = simulation.count_threshold(intervals, releases, streams.releases(3, point, number))
        source = streams.releases(3, point, number).bit_generator
        cells = np.frombuffer(source.random_raw(-(-releases // 8)).astype("<u8").tobytes(), dtype=np.uint8)[:releases]
        fine = np.random.default_rng(4).integers(0, 2**56, releases, dtype=np.uint64)
        for cell in sorted(_cut_cells(intervals)):
            undecided = np.flatnonzero(cells == cell)
            fine[undecided] = source.random_raw(undecided.size) >> np.uint64(8)
        bits = (cells.astype(np.uint64) << np.uint64(56)) | fine
        assert found == np.count_nonzero(simulation.threshold_flags(bits, intervals))


def _cut_cells(intervals):
    """Cells of width 2^-8 that hold both failing and other u, from the positions of the ends."""
    cut = set()
    for left, right in intervals:
        if left < right:
            for end in (left, right):
                place = norm.cdf(end) * 256
                if np.isfinite(end) and 0 < place < 256:
                    cut.add(int(place))
    return cut


def test_noise_is_symmetric_and_reaches_far():
    bits = np.array([0, 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1], dtype=np.uint64)
    z = simulation.noise(bits)
    assert z[0] == pytest.approx(norm.ppf(2.0**-65), rel=1e-12)
    assert z[2] == pytest.approx(norm.ppf(0.25), rel=1e-12)
    assert np.array_equal(simulation.noise(~bits), -z)
    assert np.isfinite(z).all()
    assert abs(z[3]) < 1e-9


def test_intervals_narrower_than_a_float_of_u_keep_their_mass():
    far = np.array([[-np.inf, -30.0], [0.3, 0.3 + 1e-15], [9.0, np.inf]])
    bits = np.array([0, 2**64 - 1, 2**64 - 2, 2**64 - 3, 2**63], dtype=np.uint64)
    # 1 - Phi(9) is 2.08 / 2^64: of the values (k + 1/2) / 2^64 from the upper end two lie below it.
    assert simulation.threshold_flags(bits, far).tolist() == [False, True, True, False, False]


def test_memory_does_not_grow_with_the_number_of_releases():
    *_, gaps = cases(POINTS[1], 1)
    intervals = inclusion.failure_intervals(gaps, 1.0)[0]

    def peak(count, *arguments):
        tracemalloc.start()
        count(*arguments, np.random.Generator(np.random.SFC64(1)))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    assert peak(simulation.count_threshold, intervals, 30_000_000) < 1_000_000
    assert peak(simulation.count_literal, gaps[0, :, 0], 1.0, 1_000_000) < 1_500_000
    # Ten thousand candidates: a block of releases shrinks, and only the candidates themselves take room.
    many = np.linspace(-1, 1, 10_000)
    assert peak(simulation.count_literal, many, 1.0, 1_000) < 30_000_000


def test_no_neighbours_and_no_noise():
    generators = [np.random.Generator(np.random.SFC64(seed)) for seed in (1, 2)]
    nobody = np.empty((2, 0, 1))
    for method in simulation.METHODS:
        assert simulation.simulate([[0.5], [0.1]], nobody, 1.0, 1.0, 100, generators, method).tolist() == [0, 0]
        neighbours = [[[0.1], [0.2], [0.3]], [[0.1], [0.1], [0.3]]]
        counts = simulation.simulate([[0.5], [0.1]], neighbours, 0.0, 1.0, 100, generators, method)
        assert counts.tolist() == [100, 0]


@pytest.mark.parametrize("point", POINTS)
def test_a_mechanism_flags_the_releases_that_the_noise_flags(point):
    """The counts of `count_by_mechanism`, from densities, are those of `literal_flags` on the same noise."""
    target, neighbours, sigma, gaps = cases(point, 2)
    for a, others, case in zip(target, neighbours, gaps, strict=True):
        counts = simulation.count_by_mechanism(
            gaussian, sigma, a, others, point.epsilon, 3_000, np.random.default_rng(5)
        )
        z = np.random.default_rng(5).standard_normal(3_000)
        assert counts.failures == np.count_nonzero(simulation.literal_flags(z, case[:, 0], point.epsilon))
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
    assert simulation.count_by_mechanism(*dataset) == (0, 0)
    assert simulation.count_by_mechanism(*dataset, weights=generator.dirichlet(np.ones(20))) == (0, 0)
    for neighbour, distance in zip(neighbours, distances, strict=True):
        scale = laplace.calibrate(epsilon, float(distance))
        several = target, [neighbour] * 3, epsilon, 2_000, generator
        assert simulation.count_by_mechanism(laplace, scale, *several) == (0, 0)
        # With a billionth less noise than that they are seen.
        assert min(simulation.count_by_mechanism(laplace, scale * (1 - 1e-9), *several)) > 0


@pytest.mark.parametrize("share", [0.999, 0.7, 0.2])
def test_laplace_releases_with_less_noise_fail_in_the_bad_region(share):
    """One neighbour that differs in one of two entries: failures and bad releases are the same, with a mass in closed form."""
    epsilon, releases = 0.8, 40_000
    scale = share * laplace.calibrate(epsilon, 1.5)
    mass = float(laplace.bad_region_mass(scale, epsilon, 1.5))
    dataset = laplace, scale, [0.0, 2.0], [[1.5, 2.0]], epsilon, releases, np.random.default_rng(7)
    failures, bad = simulation.count_by_mechanism(*dataset)
    assert failures == bad
    assert abs(failures - releases * mass) < 4 * np.sqrt(releases * mass * (1 - mass))


def test_counts_by_mechanism_at_the_limits():
    generator = np.random.default_rng(8)
    assert simulation.count_by_mechanism(laplace, 1.0, [0.0], np.empty((0, 1)), 1.0, 100, generator) == (0, 0)
    assert simulation.count_by_mechanism(gaussian, 1.0, [0.5, 1.0], [[0.5, 1.0]] * 3, 0.0, 100, generator) == (0, 0)
    assert simulation.count_by_mechanism(gaussian, 1e-3, [0.0, 1.0], [[9.0, 1.0]], 1.0, 100, generator) == (100, 100)


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
        simulation.count_by_mechanism(laplace, generator=np.random.default_rng(1), **arguments)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"releases": 0}, "releases = 0"),
        ({"releases": 1.5}, "releases = 1.5"),
        ({"method": "binomial"}, "method = 'binomial'"),
        ({"generators": []}, "there are 0 generators"),
        ({"target": [[0.5, 0.2]], "neighbours": [[[0.1, 0.3]]]}, r"target has shape \(1, 2\)"),
    ],
)
def test_simulation_refuses_what_lies_outside_its_domain(options, named):
    arguments = {
        "target": [[0.5]],
        "neighbours": [[[0.1]]],
        "releases": 10,
        "method": "threshold",
        "generators": [np.random.default_rng(1)],
        **options,
    }
    with pytest.raises(DomainError, match=named):
        simulation.simulate(sigma=1.0, epsilon=1.0, **arguments)
