"""Posterior-to-posterior risks, odds ratios and their bounds under pure differential privacy (paper B, section 3).

A person's sensitive value either lies in a disclosure set S or not. q is the adversary's prior probability that it does, given
that the person is in the data; q0 is the same given that the person is not.

Neighbours differ by one added or removed record (unbounded privacy), and every bound on a posterior odds ratio rests on the
paper's assumptions (7)-(9).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE, RELATIONS
from disclosure.numerics import checks
from disclosure.numerics.errors import DomainError
from disclosure.numerics.types import FloatArray

__all__ = [
    "Bounds",
    "OddsBounds",
    "Risks",
    "odds_bounds",
    "odds_ratio_bounds",
    "posterior_to_posterior_bounds",
    "prior_odds_ratio",
    "risks",
]


class Risks(NamedTuple):
    """Posterior-to-posterior risks R1 and R0 (paper B, (4) and (5)) and their ratio R10 (6)."""

    r1: FloatArray
    r0: FloatArray
    r10: FloatArray


class Bounds(NamedTuple):
    """Between which values a quantity stays, for neighbours in ``relation``."""

    lower: FloatArray
    upper: FloatArray
    relation: str


class OddsBounds(NamedTuple):
    """The odds O0 of a person who is out of the data, and between which values the odds O1 stay for one who is in."""

    excluded: FloatArray
    lower: FloatArray
    upper: FloatArray
    relation: str


def risks(included: ArrayLike, excluded: ArrayLike) -> Risks:
    """Posterior-to-posterior risks and their ratio (paper B, equations (4)-(6)).

    Parameters
    ----------
    included, excluded : array_like
        The adversary's posterior probabilities that the value lies in S when the person is in the data, and when the
        person is not; in (0, 1).

    Returns
    -------
    Risks
        R1 = included / excluded, R0 = (1 - included) / (1 - excluded), and R10 = R1 / R0, an odds ratio.

    Examples
    --------
    >>> [float(risk) for risk in risks(0.75, 0.5)]
    [1.5, 0.5, 3.0]
    """
    included = checks.within("included", included, "(0, 1)")
    excluded = checks.within("excluded", excluded, "(0, 1)")
    checks.broadcast(included=included, excluded=excluded)
    r1, r0 = included / excluded, (1 - included) / (1 - excluded)
    return Risks(r1, r0, r1 / r0)


def prior_odds_ratio(q: ArrayLike, q0: ArrayLike) -> FloatArray:
    """Prior odds ratio P10 = (q / (1 - q)) ((1 - q0) / q0) (paper B, after equation (12)).

    Parameters
    ----------
    q, q0 : array_like
        Prior probabilities that the value lies in S when the person is in the data, and when not; in (0, 1).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(prior_odds_ratio(0.5, 0.00125))
    799.0
    """
    q, q0 = checks.within("q", q, "(0, 1)"), checks.within("q0", q0, "(0, 1)")
    checks.broadcast(q=q, q0=q0)
    with np.errstate(over="ignore", divide="ignore"):
        ratio = q * (1 - q0) / ((1 - q) * q0)
    checks.within("prior odds ratio", ratio, "(0, inf)", "q and q0 are too far apart for floating point")
    return ratio


def _factors(epsilon: ArrayLike, relation: str) -> tuple[FloatArray, FloatArray]:
    """By how much odds fall and rise at most: exp(-2 epsilon) and exp(2 epsilon), infinite where a float can't hold it.

    To replace a record is to remove one and add another, hence the 2; of replaced records epsilon itself is known.
    """
    if relation not in RELATIONS:
        raise DomainError(f"relation = {relation!r} is none of {', '.join(RELATIONS)}")
    exponent = checks.within("epsilon", epsilon, "[0, inf)") * (2 if relation == ADD_REMOVE_ONE else 1)
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-exponent), np.exp(exponent)


def odds_ratio_bounds(epsilon: ArrayLike, prior_odds_ratio: ArrayLike, relation: str = ADD_REMOVE_ONE) -> Bounds:
    """Bounds of the posterior odds ratio, e^-2epsilon P10 <= R10 <= e^2epsilon P10 (paper B, from (14) and (15)).

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    prior_odds_ratio : array_like
        P10, in (0, inf).
    relation : {"add/remove-one", "replace-one"}, optional
        By which datasets are neighbours; e^-+epsilon in place of e^-+2epsilon for replaced records.

    Returns
    -------
    Bounds

    Examples
    --------
    >>> float(odds_ratio_bounds(0.35, 1.0).upper)
    2.01375...
    """
    shrink, stretch = _factors(epsilon, relation)
    ratio = checks.within("prior_odds_ratio", prior_odds_ratio, "(0, inf)")
    checks.broadcast(epsilon=shrink, prior_odds_ratio=ratio)
    return Bounds(shrink * ratio, stretch * ratio, relation)


def odds_bounds(epsilon: ArrayLike, q: ArrayLike, q0: ArrayLike, relation: str = ADD_REMOVE_ONE) -> OddsBounds:
    """What epsilon means for a person's odds: bounds of O1 next to O0 (paper B, equations (10) and (11)).

    A release tells nothing about somebody who is not in the data, so O0 keeps its prior value q0 / (1 - q0), and O1
    stays between e^-2epsilon P10 O0 and e^2epsilon P10 O0, which is e^-+2epsilon times q / (1 - q).

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    q, q0 : array_like
        Prior probabilities that the value lies in S when the person is in the data, and when not; in (0, 1).
    relation : str, optional
        As of `odds_ratio_bounds`.

    Returns
    -------
    OddsBounds

    Examples
    --------
    >>> bounds = odds_bounds(0.34, q=0.5, q0=0.00125)
    >>> float(bounds.excluded), float(bounds.upper)
    (0.0012515..., 1.9738...)
    """
    shrink, stretch = _factors(epsilon, relation)
    q, q0 = checks.within("q", q, "(0, 1)"), checks.within("q0", q0, "(0, 1)")
    checks.broadcast(epsilon=shrink, q=q, q0=q0)
    return OddsBounds(q0 / (1 - q0), shrink * q / (1 - q), stretch * q / (1 - q), relation)


def posterior_to_posterior_bounds(
    epsilon: ArrayLike,
    q: ArrayLike | None = None,
    q0: ArrayLike | None = None,
    relation: str = ADD_REMOVE_ONE,
) -> Bounds:
    """Bounds of the posterior-to-posterior risk, for every prior or for a given one.

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    q, q0 : array_like, optional
        Prior probabilities that the value lies in S when the person is in the data, and when not; in (0, 1). With
        neither, the bounds hold for every prior; ``q`` alone stands for q0 = q. For the risk R0 of the complement of S
        give 1 - q and 1 - q0.
    relation : str, optional
        As of `odds_ratio_bounds`.

    Returns
    -------
    Bounds

    Raises
    ------
    DomainError
        Outside these ranges.
    TypeError
        When q0 is given without q: then no q is meant in particular, and nothing but 1/q0 bounds the risk.

    Notes
    -----
    Both bounds are proved in docs/method.md, "Posterior-to-posterior risks".

    Examples
    --------
    >>> bounds = posterior_to_posterior_bounds(0.5)
    >>> float(bounds.lower), float(bounds.upper)
    (0.36787..., 2.71828...)
    >>> float(posterior_to_posterior_bounds(0.5, q=0.5).upper)
    1.46211...
    """
    shrink, stretch = _factors(epsilon, relation)
    if q is None:
        if q0 is not None:
            raise TypeError("q0 is given without q; give both, q alone for q0 = q, or neither for every prior")
        return Bounds(shrink, stretch, relation)
    q = checks.within("q", q, "(0, 1)")
    q0 = q if q0 is None else checks.within("q0", q0, "(0, 1)")
    checks.broadcast(epsilon=shrink, q=q, q0=q0)
    return Bounds(q / q0 / (q + (1 - q) * stretch), q / q0 / (q + (1 - q) * shrink), relation)
