"""Failing releases of many datasets: the inner loop of paper A's Procedure.

There are two methods of drawing releases and telling which of them push the ratio out of its bounds, (24) or (26):

``threshold``
    `disclosure.study.threshold` holds each release against the ends of the failure intervals. These are the roots that the
    exact failure probability is computed from, so the share of failing releases is that probability plus binomial noise. It
    shows how large the study's Monte Carlo error is, and proves nothing about the roots.
``literal``
    `disclosure.study.literal` evaluates the ratio at each release. It is the independent evidence for the roots.
"""

import functools
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import inclusion, inclusion_on_a_line, regions
from disclosure.beliefs.inclusion import BOUNDS, Bounds
from disclosure.beliefs.noises import Noise, noise_named
from disclosure.mechanisms.named import MECHANISMS
from disclosure.numerics import checks, errors
from disclosure.numerics.types import IntArray
from disclosure.study import literal, threshold
from disclosure.study.methods import METHODS

__all__ = ["simulate"]


def simulate(
    target: ArrayLike,
    neighbours: ArrayLike,
    sigma: float,
    epsilon: float,
    releases: int,
    generators: Iterable[np.random.Generator],
    method: str = "threshold",
    bounds: Sequence[Bounds] = BOUNDS,
    mechanism: str = "gaussian",
) -> IntArray:
    """Numbers of failing releases of each dataset (paper A, the Procedure's lines 15 to 23).

    Parameters
    ----------
    target : array_like, shape (k, 1)
        The target's attribute in each of k datasets.
    neighbours : array_like, shape (k, p, 1)
        Attributes of the other candidates.
    sigma : float
        Scale of the noise, in [0, inf); the standard deviation of Gaussian noise.
    epsilon : float
        In [0, inf).
    releases : int
        Releases per dataset, at least 1.
    generators : iterable of numpy.random.Generator
        One for each dataset; for ``threshold`` with words of 64 bits, for example those of SFC64.
    method : {"threshold", "literal"}, optional
    bounds : sequence of {"prior", "prior_free"}, optional
        The bounds (24), (26), or both.
    mechanism : str, optional
        A name in `disclosure.mechanisms.named.MECHANISMS`.

    Returns
    -------
    ndarray of int, shape (b, k)
        For each of the bounds how many releases leave them, of the same releases. The numbers do not depend on which further
        bounds follow.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Outside these domains.
    """
    releases = checks.count("releases", releases, 1)
    if method not in METHODS:
        raise errors.DomainError(f"method = {method!r} is none of {', '.join(METHODS)}")
    if mechanism not in MECHANISMS:
        raise errors.DomainError(f"mechanism = {mechanism!r} is none of {', '.join(MECHANISMS)}")
    gaps = regions.standardised_gaps(target, neighbours, sigma)
    generators = list(generators)
    if gaps.ndim != 3 or gaps.shape[2] != 1 or len(generators) != len(gaps):
        raise errors.DomainError(
            f"target has shape {np.shape(target)}, neighbours {np.shape(neighbours)}, and there are {len(generators)} "
            "generators; expected (k, 1), (k, p, 1) and k"
        )
    if mechanism != "gaussian" and sigma > 0:
        case = target, neighbours, noise_named(mechanism, sigma), epsilon
        return np.array(_with_other_noise(*case, releases, generators, method, bounds), dtype=np.int64).T
    # Without noise all mechanisms are the same.
    if method == "threshold":
        intervals = zip(*(inclusion.failure_intervals(gaps, epsilon, bounds=some) for some in bounds), strict=True)
        counts = [threshold.count(case, releases, draws) for case, draws in zip(intervals, generators, strict=True)]
    else:
        counts = [
            literal.count(case[:, 0], epsilon, releases, draws, bounds)
            for case, draws in zip(gaps, generators, strict=True)
        ]
    return np.array(counts, dtype=np.int64).T


def _with_other_noise(
    target: ArrayLike,
    neighbours: ArrayLike,
    noise: Noise,
    epsilon: float,
    releases: int,
    generators: list[np.random.Generator],
    method: str,
    bounds: Sequence[Bounds],
) -> list[list[int]]:
    """`simulate` for noise that is not Gaussian: for each dataset the numbers of releases that leave each of the bounds."""
    if method == "threshold":
        sets = (inclusion_on_a_line.failure_intervals(target, neighbours, noise, epsilon, some) for some in bounds)
        count = functools.partial(threshold.count, lower_tail=functools.partial(_lower_tail, noise))
        return [count(case, releases, draws) for case, draws in zip(zip(*sets, strict=True), generators, strict=True)]
    by_mechanism = functools.partial(literal.count_by_mechanism, MECHANISMS[noise.name], noise.scale)
    counts = (
        by_mechanism(own, others, epsilon, releases, draws)
        for own, others, draws in zip(np.asarray(target), np.asarray(neighbours), generators, strict=True)
    )
    return [[found.failures if some == "prior" else found.failures_prior_free for some in bounds] for found in counts]


def _lower_tail(noise: Noise, z: float) -> float:
    """Probability of noise below z <= 0, which is no whole number if the noise is one."""
    end = math.floor(z) if noise.whole and math.isfinite(z) else z
    return float(noise.mass(np.array(-math.inf), np.array(float(end))))
