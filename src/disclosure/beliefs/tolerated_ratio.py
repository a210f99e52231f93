"""The epsilon at which paper A's bounds on the posterior-to-prior ratio of inclusion are what is tolerated.

The upper bound of (24), 1 / (p + (1 - p) e^-epsilon), is solved for epsilon. It rises in epsilon from 1 to 1 / p, so that a
ratio of 1 / p or more sets no limit: no posterior exceeds 1. For p tending to 0 it is e^epsilon, the bound (26) for every
prior.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import inclusion
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics import checks
from disclosure.numerics.rounding import to_private_side
from disclosure.numerics.types import FloatArray

__all__ = ["InclusionAllowance", "epsilon_for_ratio"]

_HINT = "no release is sure to lower the probability"


class InclusionAllowance(NamedTuple):
    """Largest epsilon that keeps the posterior-to-prior ratio of inclusion at or below ``largest_ratio``.

    ``prior`` is None where it does so for every prior. Neighbours are by ``relation``.
    """

    epsilon: FloatArray
    prior: FloatArray | None
    largest_ratio: FloatArray
    relation: str


def epsilon_for_ratio(
    largest_ratio: ArrayLike | Callable[[float], float], prior: ArrayLike | None = None
) -> InclusionAllowance:
    """Largest epsilon that keeps the posterior-to-prior ratio of inclusion within a tolerated one.

    Parameters
    ----------
    largest_ratio : array_like or callable
        The largest tolerated ratio r, in [1, inf), or a risk profile: the function of one prior that gives it.
    prior : array_like, optional
        The adversary's prior probability p that the person is in the data, in (0, 1). Every prior by default, which an r that
        is a function does not allow.

    Returns
    -------
    InclusionAllowance
        With epsilon = log((1 - p) / (1/r - p)), infinite where p r >= 1, or log r for every prior. It is from the private side:
        the computed bound at it never exceeds r. Neighbours are those of paper A, one record replaced.

    Raises
    ------
    DomainError
        Outside these ranges.
    TypeError
        Where ``largest_ratio`` is a function and no prior is given.

    Examples
    --------
    >>> epsilon_for_ratio(2.0, [0.1, 0.5]).epsilon.tolist()
    [0.81093..., inf]
    >>> float(epsilon_for_ratio(2.0).epsilon)
    0.69314...
    """
    if prior is None:
        if callable(largest_ratio):
            raise TypeError("largest_ratio is a function of the prior; state the priors at which it is asked")
        ratio = checks.within("largest_ratio", largest_ratio, "[1, inf)", _HINT)
        epsilon = to_private_side(
            lambda epsilon: inclusion.prior_free_bounds(epsilon).upper - ratio, np.log(ratio), downwards=True
        )
        return InclusionAllowance(epsilon, None, ratio, REPLACE_ONE)
    prior = checks.within("prior", prior, "(0, 1)")
    if callable(largest_ratio):
        largest_ratio = np.reshape([_evaluated(largest_ratio, value) for value in prior.ravel().tolist()], prior.shape)
    ratio = checks.within("largest_ratio", largest_ratio, "[1, inf)", _HINT)
    checks.broadcast(prior=prior, largest_ratio=ratio)
    return InclusionAllowance(_at_prior(*np.broadcast_arrays(ratio, prior)), prior, ratio, REPLACE_ONE)


def _evaluated(profile: Callable[[float], float], prior: float) -> float:
    return checks.number(f"largest_ratio({prior})", profile(prior), "[1, inf)", _HINT)


def _at_prior(ratio: FloatArray, prior: FloatArray) -> FloatArray:
    """The upper bound of (24) solved for epsilon."""
    epsilon = np.full(ratio.shape, np.inf)
    limited = prior * ratio < 1
    ratio, prior = ratio[limited], prior[limited]
    tolerated = (ratio - 1) / (ratio * (1 - prior))
    with np.errstate(divide="ignore"):
        # One form for a ratio near 1, where epsilon is small; the other for p r near 1, where it is large.
        small, large = -np.log1p(-np.minimum(tolerated, 0.5)), np.log(ratio * (1 - prior) / (1 - prior * ratio))
    epsilon[limited] = to_private_side(
        lambda epsilon: inclusion.ratio_bounds(prior, epsilon).upper - ratio,
        np.where(tolerated < 0.5, small, large),
        downwards=True,
    )
    return epsilon
