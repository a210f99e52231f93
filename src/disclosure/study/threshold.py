"""The method ``threshold``: releases held against the ends of their dataset's failure intervals.

A release is M(x, u) = f(x) + sigma Phi^-1(u). Here u is uniform on the values (k + 1/2) / 2^64, k = 0, ..., 2^64 - 1, and k is
the release's 64 bits. Noise of another kind has its own quantile function in the place of sigma Phi^-1. The bounds (24) fail
in at most three intervals of the noise, hence of u, hence of k. Every release is drawn and held against the ends of these.

Only the number of failing releases is wanted, so that most bits of a release need not be drawn. The first 8 bits of k place a
release in one of 256 cells. If no end of an interval lies within a cell, all of its releases fail or none does. At most six
cells are cut by an end; the other 56 bits are drawn for the releases in these cells only, cell by cell.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from disclosure.numerics import errors
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["count", "flags", "noise"]

# A half-open range [first, beyond) of integers: of the 64 bits, of cells, or of the bits inside a cell.
_Range: TypeAlias = tuple[int, int]

_BITS = 64
# One byte: numpy compares bytes fastest, and a 64-bit word has those of eight releases.
_COARSE_BITS = 8
_FINE_BITS = _BITS - _COARSE_BITS
# Words that are drawn at once, 128 KB: enough to hide the cost of a call, few enough to stay in the processor's cache. The
# words are used in the order in which they are drawn, so that no count depends on it.
_WORDS_PER_CHUNK = 1 << 14


def noise(bits: ArrayLike) -> FloatArray:
    """Standard normal noise of releases, Phi^-1((k + 1/2) / 2^64).

    Parameters
    ----------
    bits : array_like of uint64
        k of the releases.

    Returns
    -------
    ndarray, in units of sigma
    """
    bits = np.asarray(bits, dtype=np.uint64)
    # From the nearer end of (0, 1), where u is small enough to be exact.
    low = bits < np.uint64(1 << 63)
    values: FloatArray = np.where(low, 1.0, -1.0) * ndtri((np.where(low, bits, ~bits) + 0.5) * 2.0**-_BITS)
    return values


def _normal_tail(z: float) -> float:
    return float(ndtr(z))


def flags(bits: ArrayLike, intervals: FloatArray) -> BoolArray:
    """Whether releases fail.

    Parameters
    ----------
    bits : array_like of uint64
        k of the releases.
    intervals : ndarray, shape (3, 2)
        Of their dataset, of `disclosure.beliefs.inclusion.failure_intervals`.

    Returns
    -------
    ndarray of bool
    """
    bits = np.asarray(bits, dtype=np.uint64)
    failing = np.zeros(bits.shape, dtype=bool)
    for first, beyond in _integer_intervals(intervals, _normal_tail):
        failing |= (bits >= np.uint64(first)) & (bits <= np.uint64(beyond - 1))
    return failing


def count(
    intervals: Sequence[FloatArray],
    releases: int,
    generator: np.random.Generator,
    lower_tail: Callable[[float], float] = _normal_tail,
) -> list[int]:
    """Numbers of releases of one dataset that fail several bounds.

    Parameters
    ----------
    intervals : sequence of ndarray, shape (3, 2)
        For each of the bounds those of `disclosure.beliefs.inclusion.failure_intervals`.
    releases : int
        How many are drawn.
    generator : numpy.random.Generator
        With words of 64 bits, for example those of SFC64.
    lower_tail : callable, optional
        Probability that noise, which is symmetric about 0, lies below an end z <= 0 of an interval; Phi by default.

    Returns
    -------
    list of int
        One for each of the bounds, of the same releases. It does not depend on the bounds that follow.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a generator with words of 32 bits.
    """
    if isinstance(generator.bit_generator, np.random.MT19937):
        raise errors.DomainError("generator draws words of 32 bits; threshold needs 64, for example those of SFC64")
    sets = [_cells(_integer_intervals(own, lower_tail)) for own in intervals]
    # Fine bits are drawn cell by cell: first for the cells that the first bounds cut, then for those that only later ones cut.
    undecided = dict.fromkeys((cell for _, cut in sets for cell in cut), 0)
    failures = [0] * len(sets)
    for cells in _coarse_draws(releases, generator):
        for place, (whole, _) in enumerate(sets):
            failures[place] += sum(_count_within(cells, *part) for part in whole)
        for cell in undecided:
            undecided[cell] += int(np.count_nonzero(cells == cell))
    for cell, drawn in undecided.items():
        for start in range(0, drawn, _WORDS_PER_CHUNK):
            fine = _fine_draws(min(_WORDS_PER_CHUNK, drawn - start), generator)
            for place, (_, cut) in enumerate(sets):
                failures[place] += sum(_count_within(fine, *piece) for piece in cut.get(cell, ()))
    return failures


def _integer_intervals(intervals: FloatArray, lower_tail: Callable[[float], float]) -> list[_Range]:
    """The failure intervals as ranges of the 64 bits, the empty ones left out."""
    ranges = []
    for left, right in np.asarray(intervals).tolist():
        first, beyond = _position(left, lower_tail), _position(right, lower_tail)
        if left < right and first < beyond:
            ranges.append((first, beyond))
    return ranges


def _position(z: float, lower_tail: Callable[[float], float]) -> int:
    """How many of the 2^64 values of u lie below the probability of noise below z, exact in either tail."""
    if z <= 0:
        return math.ceil(lower_tail(z) * 2.0**_BITS - 0.5)
    return (1 << _BITS) - math.floor(lower_tail(-z) * 2.0**_BITS + 0.5)


def _cells(ranges: list[_Range]) -> tuple[list[_Range], dict[int, list[_Range]]]:
    """Ranges of cells that fail as a whole, and for each cell that is cut the failing ranges of its fine bits."""
    size = 1 << _FINE_BITS
    whole: list[_Range] = []
    cut: dict[int, list[_Range]] = {}
    for first, beyond in ranges:
        first_cell, last_cell = first // size, (beyond - 1) // size
        for cell in {first_cell, last_cell}:
            inside = max(first - cell * size, 0), min(beyond - cell * size, size)
            if inside != (0, size):
                cut.setdefault(cell, []).append(inside)
        begin = first_cell + (first % size != 0)
        end = last_cell + (beyond % size == 0)
        if begin < end:
            whole.append((begin, end))
    return whole, dict(sorted(cut.items()))


def _coarse_draws(releases: int, generator: np.random.Generator) -> Iterator[NDArray[np.uint8]]:
    """The cells of the releases, chunk by chunk; every 64-bit word holds those of eight releases."""
    lanes = _BITS // _COARSE_BITS
    for start in range(0, releases, lanes * _WORDS_PER_CHUNK):
        chunk = min(lanes * _WORDS_PER_CHUNK, releases - start)
        words = generator.bit_generator.random_raw(-(-chunk // lanes))
        yield words.astype("<u8", copy=False).view(np.uint8)[:chunk]


def _fine_draws(number: int, generator: np.random.Generator) -> NDArray[np.uint64]:
    """The fine bits of so many releases, of which each uses a word of its own."""
    words: NDArray[np.uint64] = generator.bit_generator.random_raw(number) >> np.uint64(_COARSE_BITS)
    return words


def _count_within(values: NDArray[np.unsignedinteger[Any]], first: int, beyond: int) -> int:
    """How many unsigned integers lie in [first, beyond), by one comparison: below first the difference wraps around."""
    kind = values.dtype.type
    shifted = values - kind(first) if first else values
    return int(np.count_nonzero(shifted <= kind(beyond - first - 1)))
