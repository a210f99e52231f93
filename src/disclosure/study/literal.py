"""The method ``literal``: the posterior-to-prior ratio evaluated at every release, as paper A's Procedure is printed.

It knows nothing of failure intervals and their roots, and so is the independent evidence for them. `count` and `flags`
evaluate the ratio (32) from the densities (31) of scalar attributes with normal noise. `count_by_mechanism` does the same for
any mechanism, and for answers of any dimension.
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import inclusion
from disclosure.beliefs.inclusion import BOUNDS, Bounds, RatioBounds
from disclosure.numerics import checks, errors
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["Counts", "Mechanism", "count", "count_by_mechanism", "flags"]

# Releases that are evaluated together: enough to hide the cost of a call, few enough to stay in the processor's cache.
_BLOCK = 1 << 12
# Most densities, releases times candidates, that are held at once: 8 MB.
_ELEMENTS = 1 << 20
# Gaps, in units of sigma, beyond which a candidate is left out. With noise |z| <= 12 its density over the target's,
# exp(-gap^2 / 2 - z gap), is below exp(-240) = 1e-104, which a sum with the target's 1 does not see. Below it exp(-z gap) does
# not overflow: that begins at |z| = 709 / 37 = 19.
_FAR_GAP = 37.0
# Relative distance from a bound within which a ratio counts as at the bound. Most releases of a calibrated Laplace mechanism
# are at a bound; some 1e-15 per entry of the answer is their rounding error.
_ROUNDING = 1e-12


class Mechanism(Protocol):
    """A mechanism that adds independent noise to each entry of an answer; the modules `gaussian` and `laplace` are two."""

    def release(
        self, value: FloatArray, noise: float, generator: np.random.Generator, size: tuple[int, ...], /
    ) -> FloatArray:
        """Releases of an answer, of shape ``size`` + shape of ``value``; ``noise`` is the scale of the noise."""

    def log_density_ratio(
        self, released: FloatArray, value: FloatArray, other: FloatArray, noise: float, /
    ) -> FloatArray:
        """Log of a release's density given one answer over its density given another one, entry by entry."""


class Counts(NamedTuple):
    """Numbers of releases of one dataset.

    Attributes
    ----------
    failures : int
        How many let the ratio leave its bounds (24).
    bad : int
        How many lie in the bad region of some neighbour.
    failures_prior_free : int
        How many let the ratio leave its bounds (26).
    """

    failures: int
    bad: int
    failures_prior_free: int


def flags(z: ArrayLike, gaps: ArrayLike, epsilon: float, bounds: Bounds = "prior") -> BoolArray:
    """Whether releases fail, by the ratio (32) evaluated at each of them.

    Parameters
    ----------
    z : array_like, shape (k,)
        Noise of the releases in units of sigma.
    gaps : array_like, shape (p,)
        (phi_target - phi_i) / sigma of the other candidates i; infinite in the noiseless limit.
    epsilon : float
        In [0, inf).
    bounds : {"prior", "prior_free"}, optional
        The bounds (24) or (26).

    Returns
    -------
    ndarray of bool, shape (k,)
    """
    gaps, z = checks.within("gaps", gaps, "[-inf, inf]"), checks.within("z", z, "(-inf, inf)")
    ratios = _Ratios(gaps)
    return _outside(ratios(z), inclusion.bounds_of(bounds, epsilon, ratios.prior))


def count(
    gaps: FloatArray, epsilon: float, releases: int, generator: np.random.Generator, bounds: Iterable[Bounds] = BOUNDS
) -> list[int]:
    """Numbers of releases of one dataset that fail several bounds by `flags`, with normal noise drawn from a generator.

    Parameters
    ----------
    gaps : ndarray, shape (p,)
    epsilon : float
    releases : int
        How many are drawn.
    generator : numpy.random.Generator
    bounds : iterable of {"prior", "prior_free"}, optional

    Returns
    -------
    list of int
        One for each of the bounds, of the same releases.
    """
    ratios = _Ratios(gaps)
    limits = [inclusion.bounds_of(some, epsilon, ratios.prior) for some in bounds]
    block = min(_BLOCK, max(1, _ELEMENTS // (len(gaps) + 1)))
    failures = [0] * len(limits)
    for start in range(0, releases, block):
        values = ratios(generator.standard_normal(min(block, releases - start)))
        # Failures are rare: most blocks have none, which the extremes tell. A NaN counts as a failure.
        least, largest = values.min(), values.max()
        for place, kept in enumerate(limits):
            if not (least >= kept.lower and largest <= kept.upper):
                failures[place] += int(np.count_nonzero(_outside(values, kept)))
    return failures


class _Ratios:
    """The ratio (32) as a function of the noise; it keeps its work space from block to block.

    With t = phi_target + sigma z equation (31) is gamma(i) = exp(-(t - phi_i)^2 / (2 sigma^2)) = exp(-(z + gap_i)^2 / 2), and
    gamma(i) / gamma(target) = exp(-gap_i^2 / 2) exp(-z gap_i).
    """

    def __init__(self, gaps: FloatArray) -> None:
        self._candidates = len(gaps) + 1
        self.prior = 1 / self._candidates
        gaps = gaps[np.abs(gaps) <= _FAR_GAP]
        self._constants, self._slopes = np.exp(-(gaps**2) / 2), -gaps[:, None]
        self._work = np.empty((len(gaps), 0))

    def __call__(self, z: FloatArray) -> FloatArray:
        if self._work.shape[1] != z.size:
            self._work = np.empty((len(self._slopes), z.size))
        work = self._work
        np.multiply(z, self._slopes, out=work)
        np.exp(work, out=work)
        return np.asarray(self._candidates / (1 + np.einsum("i,ij->j", self._constants, work)))


def _outside(ratios: FloatArray, kept: RatioBounds) -> BoolArray:
    failing: BoolArray = ~((ratios >= kept.lower) & (ratios <= kept.upper))
    return failing


def count_by_mechanism(
    mechanism: Mechanism,
    noise: float,
    target: ArrayLike,
    neighbours: ArrayLike,
    epsilon: float,
    releases: int,
    generator: np.random.Generator,
    weights: ArrayLike | None = None,
) -> Counts:
    """Failing releases and releases in bad regions, of one dataset, from the densities of each release.

    This is the Procedure of paper A with the ratio (32). A ratio or a log density ratio that exceeds its bound by a relative
    1e-12 or less counts as at the bound.

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
        Prior over the neighbours given that the target is not included, as in
        `disclosure.beliefs.inclusion.failure_probability`. The prior of the target is 1 / (p + 1), which does not matter for
        the bounds (24): for every prior they fail at the same releases.

    Returns
    -------
    Counts

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Outside these domains.
    """
    target, neighbours = _answers(target, neighbours)
    epsilon = checks.number("epsilon", epsilon, "[0, inf)")
    releases = checks.count("releases", releases, 1)
    shares = checks.distribution("weights", weights, len(neighbours))
    if shares.ndim > 1:
        raise errors.DomainError(
            f"weights has shape {shares.shape}; expected ({len(neighbours)},), one for each neighbour"
        )
    prior = 1 / (len(neighbours) + 1)
    limits = [inclusion.bounds_of(bounds, epsilon, prior) for bounds in BOUNDS]
    block = max(1, _ELEMENTS // max(1, neighbours.size))
    failures, bad = [0] * len(limits), 0
    for start in range(0, releases, block):
        released = mechanism.release(target, noise, generator, (min(block, releases - start),))
        log_ratios = mechanism.log_density_ratio(released[:, None], target, neighbours, noise).sum(axis=-1)
        with np.errstate(over="ignore"):  # an infinite density is a ratio of 0
            ratios = 1 / (prior + (1 - prior) * (np.exp(-log_ratios) @ shares))
        for place, (lower, upper) in enumerate(limits):
            within = (ratios >= lower * (1 - _ROUNDING)) & (ratios <= upper * (1 + _ROUNDING))
            failures[place] += int(np.count_nonzero(~within))
        bad += int(np.count_nonzero((np.abs(log_ratios) > epsilon * (1 + _ROUNDING)).any(axis=1)))
    return Counts(failures[0], bad, failures[1])


def _answers(target: ArrayLike, neighbours: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Finite answers of shapes (q,) and (p, q)."""
    own = checks.within("target", target, "(-inf, inf)")
    others = checks.within("neighbours", neighbours, "(-inf, inf)")
    if own.ndim != 1 or others.ndim != 2 or others.shape[1] != own.size:
        raise errors.DomainError(
            f"target has shape {own.shape} and neighbours {others.shape}; expected (q,) and (p, q)"
        )
    return own, others
