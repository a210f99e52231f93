"""Both methods of counting failures against each other and against full draws, on the same noise."""

import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm

from disclosure import datasets, gaussian, ratio, regions, simulation, streams
from disclosure.datasets import Point
from disclosure.domain import DomainError

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
    sigma = gaussian.calibrate(point.epsilon, point.delta)
    target, neighbours = datasets.draw(3, point, 0, count)
    return target, neighbours, sigma, regions.standardised_gaps(target, neighbours, sigma)


@pytest.mark.parametrize("point", POINTS)
def test_on_the_same_u_both_methods_flag_the_same_releases(point):
    *_, gaps = cases(point)
    bits = np.random.Generator(np.random.SFC64(1)).bit_generator.random_raw(20_000)
    z = simulation.noise(bits)
    flagged = 0
    for case, intervals in zip(gaps, ratio.failure_intervals(gaps, point.epsilon), strict=True):
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
        ratios = ratio.ratio(releases, vectors, sigma)
        lower, upper = ratio.ratio_bounds(1 / len(candidates), point.epsilon)
        z = (releases[:, -1] - a) / sigma
        assert np.array_equal(
            (ratios < lower) | (ratios > upper), simulation.literal_flags(z, case[:, 0], point.epsilon)
        )


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("releases", [1, 7, 8, 131_073, 300_000])
def test_lazily_drawn_bits_equal_full_draws(point, releases):
    """Every release gets all its 64 bits: those that the method draws late, and any others where it draws none."""
    *_, gaps = cases(point, 3)
    for number, intervals in enumerate(ratio.failure_intervals(gaps, point.epsilon)):
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
    intervals = ratio.failure_intervals(gaps, 1.0)[0]

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


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"releases": 0}, "releases = 0"),
        ({"releases": 1.5}, "releases = 1.5"),
        ({"method": "binomial"}, "method = 'binomial'"),
    ],
)
def test_simulation_refuses_what_lies_outside_its_domain(options, named):
    arguments = {"releases": 10, "method": "threshold", **options}
    with pytest.raises(DomainError, match=named):
        simulation.simulate([[0.5]], [[[0.1]]], 1.0, 1.0, generators=[np.random.default_rng(1)], **arguments)
