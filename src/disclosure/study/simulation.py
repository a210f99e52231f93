"""Releases and failure counts: the inner loop of paper A's Procedure.

A release is M(x, u) = f(x) + sigma Phi^-1(u) with u uniform on (0, 1), here a multiple of 2^-64. Two methods count how many
of a dataset's releases push the ratio out of its bounds (24):

``threshold``
    The bounds fail in at most three intervals of the noise, hence of u. Every release is drawn and compared with their
    ends. The ends are the roots that the exact failure probability is computed from, so its count is that
    probability plus binomial noise: it shows what the study's Monte Carlo error is, and proves nothing about the roots.
``literal``
    Evaluates the ratio (32) from the densities (31) for every release, as the Procedure is printed. It knows nothing of
    intervals or roots, and is the independent evidence for them.

`count_by_mechanism` does the same for any mechanism and answers of any dimension.
"""

import math
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure.beliefs import inclusion, regions
from disclosure.numerics import checks, errors

__all__ = [
    "METHODS",
    "Counts",
    "Mechanism",
    "count_by_mechanism",
    "count_literal",
    "count_threshold",
    "literal_flags",
    "noise",
    "simulate",
    "threshold_flags",
]

METHODS = ("threshold", "literal")

_COARSE_BITS = 8
_FINE_BITS = 64 - _COARSE_BITS
_WORDS_PER_CHUNK = 1 << 14
# Releases that are evaluated together: enough to hide the cost of a call, few enough to stay in the processor's cache.
_LITERAL_BLOCK = 1 << 12
_LITERAL_ELEMENTS = 1 << 20
_FAR_GAP = 37.0
# A ratio that stands at its bound, as most of a calibrated Laplace mechanism's do, is not beyond it for being rounded.
_ROUNDING = 1e-12


class Mechanism(Protocol):
    """What is asked of a mechanism with independent noise in each entry of an answer; `gaussian` and `laplace` have it."""

    def release(self, value, noise, generator, size=()):
        """Releases of an answer, of shape ``size`` + shape of ``value``; ``noise`` is the noise's scale."""

    def log_density_ratio(self, released, value, other, noise):
        """Log of a release's density given one answer over its density given another one, entry by entry."""


class Counts(NamedTuple):
    """How many releases let the ratio leave its bounds (24), and how many lie in the bad region of some neighbour."""

    failures: int
    bad: int


def simulate(target, neighbours, sigma, epsilon, releases, generators, method="threshold"):
    """Number of failing releases of each dataset (paper A, the Procedure's lines 15 to 23).

    Parameters
    ----------
    target : array_like, shape (k, 1)
        The target's attribute in each of k datasets.
    neighbours : array_like, shape (k, p, 1)
        Attributes of the other candidates.
    sigma : float
        Standard deviation of the noise, in [0, inf).
    epsilon : float
        In [0, inf).
    releases : int
        Releases per dataset, at least 1.
    generators : iterable of numpy.random.Generator
        One for each dataset, of SFC64 bits for ``threshold``.
    method : {"threshold", "literal"}, optional

    Returns
    -------
    ndarray of int, shape (k,)
    """
    releases = checks.count("releases", releases, 1)
    if method not in METHODS:
        raise errors.DomainError(f"method = {method!r} is none of {', '.join(METHODS)}")
    gaps = regions.standardised_gaps(target, neighbours, sigma)
    generators = list(generators)
    if gaps.ndim != 3 or gaps.shape[2] != 1 or len(generators) != len(gaps):
        raise errors.DomainError(
            f"target has shape {np.shape(target)}, neighbours {np.shape(neighbours)}, and there are {len(generators)} "
            "generators; expected (k, 1), (k, p, 1) and k"
        )
    if method == "threshold":
        cases = inclusion.failure_intervals(gaps, epsilon)
        counts = (count_threshold(case, releases, g) for case, g in zip(cases, generators, strict=True))
    else:
        counts = (count_literal(case[:, 0], epsilon, releases, g) for case, g in zip(gaps, generators, strict=True))
    return np.fromiter(counts, dtype=np.int64)


def noise(bits):
    """Standard normal noise Phi^-1(u) for 64-bit integers, u = (bits + 1/2) / 2^64."""
    bits = np.asarray(bits, dtype=np.uint64)
    # From the nearer end of (0, 1), where u is small enough to be exact.
    low = bits < np.uint64(1 << 63)
    return np.where(low, 1.0, -1.0) * ndtri((np.where(low, bits, ~bits) + 0.5) * 2.0**-64)


def threshold_flags(bits, intervals):
    """Whether releases fail, from the failure intervals of their dataset.

    Parameters
    ----------
    bits : array_like of uint64
        The releases' u as multiples of 2^-64.
    intervals : ndarray, shape (3, 2)
        Of `ratio.failure_intervals`.

    Returns
    -------
    ndarray of bool
    """
    bits = np.asarray(bits, dtype=np.uint64)
    flags = np.zeros(bits.shape, dtype=bool)
    for first, beyond in _integer_intervals(intervals):
        flags |= (bits >= np.uint64(first)) & (bits <= np.uint64(beyond - 1))
    return flags


def literal_flags(z, gaps, epsilon):
    """Whether releases fail, from the ratio (32) evaluated at each of them.

    Parameters
    ----------
    z : ndarray, shape (k,)
        The noise of the releases in units of sigma.
    gaps : ndarray, shape (p,)
        (phi_target - phi_i) / sigma of the other candidates i; infinite in the noiseless limit.
    epsilon : float

    Returns
    -------
    ndarray of bool, shape (k,)
    """
    gaps, z = checks.within("gaps", gaps, "[-inf, inf]"), checks.within("z", z, "(-inf, inf)")
    return _literal(gaps, epsilon)(z)


def count_literal(gaps, epsilon, releases, generator):
    """Number of failing releases of one dataset by `literal_flags`, on normal draws of the generator."""
    flags = _literal(gaps, epsilon)
    block = min(_LITERAL_BLOCK, max(1, _LITERAL_ELEMENTS // (len(gaps) + 1)))
    failures = 0
    for start in range(0, releases, block):
        failures += int(np.count_nonzero(flags(generator.standard_normal(min(block, releases - start)))))
    return failures


def count_by_mechanism(mechanism, noise, target, neighbours, epsilon, releases, generator, weights=None):
    """Failing releases and releases in bad regions, of one dataset, from the densities of each release.

    The Procedure of paper A, with the ratio (32), for any mechanism and answers of any dimension. A ratio or a log density
    ratio beyond its bound by a relative 1e-12 or less counts as at the bound.

    Parameters
    ----------
    mechanism : Mechanism
        For example the module `gaussian` or `laplace`.
    noise : float
        Scale of the mechanism's noise, in (0, inf): sigma of the Gaussian, the scale of the Laplace mechanism.
    target : array_like, shape (q,)
        Answer f(x) of the dataset, which is released.
    neighbours : array_like, shape (p, q)
        Answers f(x_j) of its neighbours.
    epsilon : float
        In [0, inf).
    releases : int
        At least 1.
    generator : numpy.random.Generator
    weights : array_like, shape (p,), optional
        Prior over the neighbours given that the target is not included, as in `ratio.failure_probability`. The target's
        prior is 1 / (p + 1), which does not matter: the bounds (24) fail together for every prior.

    Returns
    -------
    Counts
    """
    target = checks.within("target", target, "(-inf, inf)")
    neighbours = checks.within("neighbours", neighbours, "(-inf, inf)")
    if target.ndim != 1 or neighbours.ndim != 2 or neighbours.shape[1] != target.size:
        raise errors.DomainError(
            f"target has shape {target.shape} and neighbours {neighbours.shape}; expected (q,) and (p, q)"
        )
    epsilon = checks.number("epsilon", epsilon, "[0, inf)")
    releases = checks.count("releases", releases, 1)
    weights = checks.distribution("weights", weights, len(neighbours))
    if weights.ndim > 1:
        raise errors.DomainError(
            f"weights has shape {weights.shape}; expected ({len(neighbours)},), one for each neighbour"
        )
    prior = 1 / (len(neighbours) + 1)
    lower, upper = inclusion.ratio_bounds(prior, epsilon)
    block = max(1, _LITERAL_ELEMENTS // max(1, neighbours.size))
    failures = bad = 0
    for start in range(0, releases, block):
        released = mechanism.release(target, noise, generator, (min(block, releases - start),))
        log_ratios = mechanism.log_density_ratio(released[:, None], target, neighbours, noise).sum(axis=-1)
        with np.errstate(over="ignore"):
            ratios = 1 / (prior + (1 - prior) * (np.exp(-log_ratios) @ weights))
        within = (ratios >= lower * (1 - _ROUNDING)) & (ratios <= upper * (1 + _ROUNDING))
        failures += int(np.count_nonzero(~within))
        bad += int(np.count_nonzero((np.abs(log_ratios) > epsilon * (1 + _ROUNDING)).any(axis=1)))
    return Counts(failures, bad)


def _literal(gaps, epsilon):
    """The function of noise that `literal_flags` evaluates; it keeps its work space from block to block.

    With t = phi_target + sigma z equation (31) is gamma(i) = exp(-(t - phi_i)^2 / (2 sigma^2)) = exp(-(z + gap_i)^2 / 2), and
    gamma(i) / gamma(target) = exp(-gap_i^2 / 2) exp(-z gap_i).
    """
    candidates = len(gaps) + 1
    lower, upper = inclusion.ratio_bounds(1 / candidates, epsilon)
    # The density at candidates so far off is 0 in floating point, whatever noise is drawn.
    gaps = gaps[np.abs(gaps) <= _FAR_GAP]
    constants, slopes = np.exp(-(gaps**2) / 2), -gaps[:, None]
    work = np.empty((len(gaps), 0))

    def flags(z):
        nonlocal work
        if work.shape[1] != z.size:
            work = np.empty((len(gaps), z.size))
        np.multiply(z, slopes, out=work)
        np.exp(work, out=work)
        ratios = candidates / (1 + np.einsum("i,ij->j", constants, work))
        return ~((ratios >= lower) & (ratios <= upper))

    return flags


def count_threshold(intervals, releases, generator):
    """Number of failing releases of one dataset, each drawn as a 64-bit integer of which only the needed bits are drawn.

    The first 8 bits of a release place it in one of 256 cells. A cell that no end of an interval cuts decides all its
    releases; those in the at most six cut cells draw their other 56 bits, cell by cell.

    Parameters
    ----------
    intervals : ndarray, shape (3, 2)
        Of `ratio.failure_intervals`.
    releases : int
    generator : numpy.random.Generator

    Returns
    -------
    int
    """
    if isinstance(generator.bit_generator, np.random.MT19937):
        raise errors.DomainError("generator draws words of 32 bits; threshold needs 64, for example those of SFC64")
    whole, cut = _cells(_integer_intervals(intervals))
    failures, undecided = 0, dict.fromkeys(cut, 0)
    for cells in _coarse_draws(releases, generator):
        failures += sum(_count_between(cells, first, beyond) for first, beyond in whole)
        for cell in cut:
            undecided[cell] += int(np.count_nonzero(cells == cell))
    for cell, pieces in cut.items():
        for start in range(0, undecided[cell], _WORDS_PER_CHUNK):
            fine = _fine_draws(min(_WORDS_PER_CHUNK, undecided[cell] - start), generator)
            failures += sum(_count_between(fine, first, beyond) for first, beyond in pieces)
    return failures


def _integer_intervals(intervals):
    """The failure intervals as ranges [first, beyond) of 64-bit integers, the empty ones left out."""
    ranges = []
    for left, right in np.asarray(intervals):
        first, beyond = _position(left), _position(right)
        if left < right and first < beyond:
            ranges.append((first, beyond))
    return ranges


def _position(z):
    """How many of the 2^64 values of u lie below Phi(z), exact in either tail."""
    if z <= 0:
        return math.ceil(float(ndtr(z)) * 2.0**64 - 0.5)
    return (1 << 64) - math.floor(float(ndtr(-z)) * 2.0**64 + 0.5)


def _cells(ranges):
    """Ranges of cells that fail as a whole, and for each cut cell the failing ranges of its fine bits."""
    size = 1 << _FINE_BITS
    whole, cut = [], {}
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


def _coarse_draws(releases, generator):
    """The cells of the releases, chunk by chunk; every 64-bit word holds those of eight."""
    lanes = 64 // _COARSE_BITS
    for start in range(0, releases, lanes * _WORDS_PER_CHUNK):
        chunk = min(lanes * _WORDS_PER_CHUNK, releases - start)
        words = generator.bit_generator.random_raw(-(-chunk // lanes))
        yield words.astype("<u8", copy=False).view(np.uint8)[:chunk]


def _fine_draws(count, generator):
    return generator.bit_generator.random_raw(count) >> np.uint64(_COARSE_BITS)


def _count_between(values, first, beyond):
    """How many unsigned integers lie in [first, beyond), by one comparison: below first the difference wraps around."""
    kind = values.dtype.type
    shifted = values - kind(first) if first else values
    return int(np.count_nonzero(shifted <= kind(beyond - first - 1)))
