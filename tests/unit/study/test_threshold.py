"""The method `threshold` against full draws of all bits."""

import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion
from disclosure.numerics.errors import DomainError
from disclosure.study import streams, threshold
from tests.unit.study.cases import POINTS, cases


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("releases", [1, 7, 8, 262_145])
def test_lazily_drawn_bits_equal_full_draws(point, releases):
    """Every release gets all its 64 bits: those that the method draws late, and any others where it draws none."""
    *_, gaps = cases(point, 3)
    for number, intervals in enumerate(inclusion.failure_intervals(gaps, point.epsilon)):
        (found,) = threshold.count([intervals], releases, streams.releases(3, point, number))
        source = streams.releases(3, point, number).bit_generator
        cells = np.frombuffer(source.random_raw(-(-releases // 8)).astype("<u8").tobytes(), dtype=np.uint8)[:releases]
        fine = np.random.default_rng(4).integers(0, 2**56, releases, dtype=np.uint64)
        for cell in sorted(_cut_cells(intervals)):
            undecided = np.flatnonzero(cells == cell)
            fine[undecided] = source.random_raw(undecided.size) >> np.uint64(8)
        bits = (cells.astype(np.uint64) << np.uint64(56)) | fine
        assert found == np.count_nonzero(threshold.flags(bits, intervals))


def test_bits_that_only_later_bounds_need_are_drawn_last():
    """Bounds with ends in the same cells, in others, and around each other, against full draws of all bits."""
    several = [
        np.array([[-np.inf, -1.2], [0.1, 0.4], [2.0, np.inf]]),
        np.array([[-np.inf, -1.2001], [0.2, 0.3], [2.5, np.inf]]),
        np.array([[np.inf, -np.inf], [0.1001, 1.5], [np.inf, -np.inf]]),
    ]
    releases, source = 100_001, streams.releases(5, POINTS[1], 0).bit_generator
    cells = np.frombuffer(source.random_raw(-(-releases // 8)).astype("<u8").tobytes(), dtype=np.uint8)[:releases]
    fine, drawn = np.zeros(releases, dtype=np.uint64), []
    for intervals in several:
        for cell in sorted(_cut_cells(intervals) - set(drawn)):
            undecided = np.flatnonzero(cells == cell)
            fine[undecided] = source.random_raw(undecided.size) >> np.uint64(8)
            drawn.append(cell)
    bits = (cells.astype(np.uint64) << np.uint64(56)) | fine
    for last in range(1, 4):
        found = threshold.count(several[:last], releases, streams.releases(5, POINTS[1], 0))
        assert found == [np.count_nonzero(threshold.flags(bits, intervals)) for intervals in several[:last]]


def _cut_cells(intervals):
    """Cells of width 2^-8 that hold both failing and other u, from the positions of the ends."""
    cut = set()
    for left, right in intervals:
        if left < right:
            for end in (left, right):
                below, above = norm.cdf(end), norm.sf(end)
                # Beyond the least or the largest of the 2^64 values of u an end cuts nothing.
                if min(below, above) > 2.0**-65:
                    cut.add(int(below * 256) if below < 0.5 else 255 - int(above * 256))
    return cut


def test_noise_is_symmetric_and_reaches_far():
    bits = np.array([0, 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1], dtype=np.uint64)
    z = threshold.noise(bits)
    assert z[0] == pytest.approx(norm.ppf(2.0**-65), rel=1e-12)
    assert z[2] == pytest.approx(norm.ppf(0.25), rel=1e-12)
    assert np.array_equal(threshold.noise(~bits), -z)
    assert np.isfinite(z).all()
    assert abs(z[3]) < 1e-9


def test_intervals_narrower_than_a_float_of_u_keep_their_mass():
    far = np.array([[-np.inf, -30.0], [0.3, 0.3 + 1e-15], [9.0, np.inf]])
    bits = np.array([0, 2**64 - 1, 2**64 - 2, 2**64 - 3, 2**63], dtype=np.uint64)
    # 1 - Phi(9) is 2.08 / 2^64: of the values (k + 1/2) / 2^64 from the upper end two lie below it.
    assert threshold.flags(bits, far).tolist() == [False, True, True, False, False]


def peak(*arguments):
    """Most bytes that counting the failures takes at a time."""
    tracemalloc.start()
    threshold.count(*arguments, np.random.Generator(np.random.SFC64(1)))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_memory_does_not_grow_with_the_number_of_releases():
    *_, gaps = cases(POINTS[1], 1)
    intervals = inclusion.failure_intervals(gaps, 1.0)[0]
    assert peak([intervals], 10_000_000) < 1_000_000


def test_words_of_32_bits_are_refused():
    generator = np.random.Generator(np.random.MT19937(1))
    with pytest.raises(DomainError, match="words of 32 bits; threshold needs 64, for example those of SFC64"):
        threshold.count([np.array([[0.0, 1.0]])], 10, generator)
