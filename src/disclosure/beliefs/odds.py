"""Odds risk profiles: posterior-to-posterior risks, and the epsilon that a profile allows (paper B, section 3).

A person's sensitive value either lies in a disclosure set S or not. q is the adversary's prior probability that it
does, given that the person is in the data; q0 is the same given that the person is not.

All of it is about pure differential privacy. Neighbours differ by one added or removed record (unbounded privacy)
unless a name or an answer's ``relation`` says otherwise, and every bound on a posterior odds ratio rests on the
paper's assumptions (7)-(9).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from disclosure.mechanisms.relations import ADD_REMOVE_ONE, REPLACE_ONE
from disclosure.numerics import checks, errors

__all__ = [
    "Allowance",
    "Bounds",
    "InclusionAllowance",
    "OddsBounds",
    "RiskProfile",
    "Risks",
    "bounded_epsilon_for",
    "bounded_smallest_epsilon",
    "epsilon_for",
    "odds_bounds",
    "odds_ratio_bounds",
    "posterior_to_posterior_bounds",
    "posterior_to_prior_epsilon",
    "prior_odds_ratio",
    "risks",
    "round_down",
    "smallest_epsilon",
]

_NO_LOWER_ODDS = "no release is sure to lower the odds ratio"
_NO_LOWER_PROBABILITY = "no release is sure to lower the probability"
# A callable profile is searched over these decades of P10, at this many points in each.
_DECADES, _POINTS = 30, 64


class Risks(NamedTuple):
    """Posterior-to-posterior risks R1 and R0 (paper B, (4) and (5)) and their ratio R10 (6)."""

    r1: np.ndarray
    r0: np.ndarray
    r10: np.ndarray


class Bounds(NamedTuple):
    """Between which values a quantity stays, for neighbours in ``relation``."""

    lower: np.ndarray
    upper: np.ndarray
    relation: str


class OddsBounds(NamedTuple):
    """The odds O0 of a person who is out of the data, and between which values the odds O1 stay for one who is in."""

    excluded: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    relation: str


class Allowance(NamedTuple):
    """Largest epsilon that a risk profile allows, the P10 and the B that it belongs to, the relation, and for whom."""

    epsilon: np.ndarray | float
    prior_odds_ratio: np.ndarray | float
    bound: np.ndarray | float
    relation: str
    person: object = None


class InclusionAllowance(NamedTuple):
    """Largest epsilon that keeps the posterior-to-prior ratio of inclusion at or below ``largest_ratio``."""

    epsilon: np.ndarray
    prior: np.ndarray
    largest_ratio: np.ndarray
    relation: str


def risks(included, excluded):
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


def prior_odds_ratio(q, q0):
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


def _factors(epsilon):
    """exp(-2 epsilon) and exp(2 epsilon), infinite where a float can't hold it."""
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-2 * epsilon), np.exp(2 * epsilon)


def odds_ratio_bounds(epsilon, prior_odds_ratio):
    """Bounds of the posterior odds ratio, e^-2epsilon P10 <= R10 <= e^2epsilon P10 (paper B, from (14) and (15)).

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    prior_odds_ratio : array_like
        P10, in (0, inf).

    Returns
    -------
    Bounds

    Examples
    --------
    >>> float(odds_ratio_bounds(0.35, 1.0).upper)
    2.01375...
    """
    shrink, stretch = _factors(epsilon)
    ratio = checks.within("prior_odds_ratio", prior_odds_ratio, "(0, inf)")
    checks.broadcast(epsilon=shrink, prior_odds_ratio=ratio)
    return Bounds(shrink * ratio, stretch * ratio, ADD_REMOVE_ONE)


def odds_bounds(epsilon, q, q0):
    """What epsilon means for a person's odds: bounds of O1 next to O0 (paper B, equations (10) and (11)).

    A release tells nothing about somebody who is not in the data, so O0 keeps its prior value q0 / (1 - q0), and O1
    stays between e^-2epsilon P10 O0 and e^2epsilon P10 O0, which is e^-+2epsilon times q / (1 - q).

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    q, q0 : array_like
        Prior probabilities that the value lies in S when the person is in the data, and when not; in (0, 1).

    Returns
    -------
    OddsBounds

    Examples
    --------
    >>> bounds = odds_bounds(0.34, q=0.5, q0=0.00125)
    >>> float(bounds.excluded), float(bounds.upper)
    (0.0012515..., 1.9738...)
    """
    shrink, stretch = _factors(epsilon)
    q, q0 = checks.within("q", q, "(0, 1)"), checks.within("q0", q0, "(0, 1)")
    checks.broadcast(epsilon=shrink, q=q, q0=q0)
    return OddsBounds(q0 / (1 - q0), shrink * q / (1 - q), stretch * q / (1 - q), ADD_REMOVE_ONE)


def posterior_to_posterior_bounds(epsilon, q=None, q0=None):
    """Bounds of the posterior-to-posterior risk, for every prior or for a given one.

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    q, q0 : array_like, optional
        Prior probabilities that the value lies in S when the person is in the data, and when not; in (0, 1). With
        neither, the bounds hold for every prior; ``q`` alone stands for q0 = q. For the risk R0 of the complement of S
        give 1 - q and 1 - q0.

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
    *For every prior*, the others' values dependent on the person's or not: the risk of the paper's Definition 1
    compares the posteriors from releases with and without the person's record under one prior pi(y, z) of the person's
    value y and the others' values z. Let m(t | .) be the density of the mechanism. Then

        P2P = [ sum_{y in S, z} pi(y, z) m(t | z + y) / sum_{y in S, z} pi(y, z) m(t | z) ]
            / [ sum_{y, z} pi(y, z) m(t | z + y) / sum_{y, z} pi(y, z) m(t | z) ].

    z + y and z are neighbours, so each term of a numerator lies within e^-+epsilon of the term below it. A quotient of
    sums of positive terms lies between the extremes of the quotients of its terms. So both brackets lie in
    [e^-epsilon, e^epsilon], and P2P in [e^-2epsilon, e^2epsilon].

    *For a given prior*, about R1 of (4), with assumption (7) that z has one distribution pi(z) whatever y, and whether
    or not the person is in the data: let f_S and f_C be the densities of the release when the person is in the data
    with y in S, and in its complement, and g = sum_z pi(z) m(t | z) the density when the person is not. f_S is a mean
    of m(t | z + y) over z from pi and over y in S, so f_S / g lies in [e^-epsilon, e^epsilon] by the same argument,
    f_C / g too, and f_C / f_S in [e^-2epsilon, e^2epsilon]. When the person is not in the data the posterior equals
    q0, because g does not depend on y. Bayes' rule gives

        R1 = (q / q0) / (q + (1 - q) f_C / f_S),

    which decreases in f_C / f_S: hence the bounds (q / q0) / (q + (1 - q) e^+-2epsilon). For q = q0 they lie inside
    [e^-2epsilon, e^2epsilon] and tend to it as q tends to 0. Without (7), R1 has no bound in terms of epsilon, since
    being in the data may itself tell who else is.

    Examples
    --------
    >>> bounds = posterior_to_posterior_bounds(0.5)
    >>> float(bounds.lower), float(bounds.upper)
    (0.36787..., 2.71828...)
    >>> float(posterior_to_posterior_bounds(0.5, q=0.5).upper)
    1.46211...
    """
    shrink, stretch = _factors(epsilon)
    if q is None:
        if q0 is not None:
            raise TypeError("q0 is given without q; give both, q alone for q0 = q, or neither for every prior")
        return Bounds(shrink, stretch, ADD_REMOVE_ONE)
    q = checks.within("q", q, "(0, 1)")
    q0 = q if q0 is None else checks.within("q0", q0, "(0, 1)")
    checks.broadcast(epsilon=shrink, q=q, q0=q0)
    return Bounds(q / q0 / (q + (1 - q) * stretch), q / q0 / (q + (1 - q) * shrink), ADD_REMOVE_ONE)


@dataclass(frozen=True)
class RiskProfile:
    """Odds risk profile B(P10), piecewise linear in P10 or in log P10 (paper B, section 3).

    Between two knots B is linear, and it is constant before the first and after the last of them, so that its limits at
    0 and at infinity are the B of these two. Its extremes are at knots: B >= 1 there is B >= 1 everywhere.

    Where a profile is asked for, any function that takes one P10 as a float and returns B will do as well.

    Parameters
    ----------
    knots : sequence of pairs
        (P10, B) in strictly increasing order of P10, which lies in [0, inf) on the linear scale (0 stands for the
        limit) and in (0, inf) on the log scale; B in [1, inf).
    scale : {"linear", "log"}, optional

    Raises
    ------
    DomainError
        For no knots, knots out of order or repeated, and values outside these ranges.

    Examples
    --------
    >>> profile = RiskProfile([[0, 10], [1, 2], [2.5, 5]])
    >>> profile([0.1, 1, 2, 800]).tolist()
    [9.2, 2.0, 4.0, 5.0]
    >>> RiskProfile([[0, 10], [1, 0.5]])
    Traceback (most recent call last):
    ...
    disclosure.numerics.errors.DomainError: B(P10 = 1.0) = 0.5 is outside [1, inf); no release is sure to lower the odds ratio
    """

    knots: tuple
    scale: str = "linear"

    def __post_init__(self):
        if self.scale not in ("linear", "log"):
            raise errors.DomainError(f"scale = {self.scale!r} is none of linear, log")
        object.__setattr__(self, "knots", _checked_knots(self.knots, self.scale))

    @classmethod
    def from_data(cls, data):
        """Profile from a mapping as it stands in YAML, ``{scale: linear, knots: [[0, 10], [1, 2], [2.5, 5]]}``.

        Parameters
        ----------
        data : mapping
            ``knots``, and ``scale`` unless it is linear.

        Returns
        -------
        RiskProfile

        Raises
        ------
        DomainError
            As for `RiskProfile`, and for keys that are missing or unknown.
        """
        if not isinstance(data, Mapping):
            raise errors.DomainError(f"profile = {data!r} is not a mapping with the keys knots and scale")
        unknown = sorted(str(key) for key in data if key not in ("knots", "scale"))
        if unknown:
            raise errors.DomainError(f"profile has an unknown key {unknown[0]!r}; allowed: knots, scale")
        if "knots" not in data:
            raise errors.DomainError(f"profile = {dict(data)!r} has no knots; list them as [[P10, B], ...]")
        return cls(**data)

    @property
    def limit_at_zero(self):
        """Limit of B as P10 tends to 0."""
        return self.knots[0][1]

    @property
    def limit_at_infinity(self):
        """Limit of B as P10 tends to infinity."""
        return self.knots[-1][1]

    def __call__(self, prior_odds_ratio):
        """Bound B on the increase of the odds ratio at each P10 in [0, inf], whose ends stand for the limits."""
        ratio = checks.within("prior_odds_ratio", prior_odds_ratio, "[0, inf]")
        places, bounds = np.array(self.knots).T
        if self.scale == "log":
            with np.errstate(divide="ignore"):
                ratio, places = np.log(ratio), np.log(places)
        # Interpolation may round past a knot, and the smallest one is a promise.
        return np.clip(np.interp(ratio, places, bounds), bounds.min(), bounds.max())


def _is_list(value):
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _checked_knots(knots, scale):
    if not _is_list(knots):
        raise errors.DomainError(f"knots = {knots!r} is not a list of pairs [P10, B]")
    if len(knots) == 0:
        raise errors.DomainError("knots = [] is empty; a profile needs at least one knot [P10, B]")
    checked = []
    for knot in knots:
        if not _is_list(knot) or len(knot) != 2 or any(_is_list(number) for number in knot):
            raise errors.DomainError(f"knot {knot!r} is not a pair [P10, B]")
        place = float(
            checks.within("P10 of a knot", knot[0], "[0, inf)")
            if scale == "linear"
            else checks.within("P10 of a knot", knot[0], "(0, inf)", "the log scale has no 0")
        )
        if checked and place == checked[-1][0]:
            raise errors.DomainError(f"knots repeat P10 = {place}; give each P10 one bound")
        if checked and place < checked[-1][0]:
            raise errors.DomainError(f"knots are out of order: P10 = {place} after {checked[-1][0]}; sort them by P10")
        checked.append((place, checks.number(_name(place), knot[1], "[1, inf)", _NO_LOWER_ODDS)))
    return tuple(checked)


def _name(place, person=None):
    return f"B(P10 = {place})" + ("" if person is None else f" of {person}")


def _evaluated(profile, place, person=None):
    """B of a callable profile at one P10, checked; infinity asks for nothing and is no error."""
    try:
        bound = profile(place)
    except OverflowError as error:
        raise errors.DomainError(f"{_name(place, person)} can't be evaluated: {error}") from error
    return checks.number(_name(place, person), bound, "[1, inf]", _NO_LOWER_ODDS)


def _epsilon(bound, relation):
    return np.log(bound) / (2 if relation == ADD_REMOVE_ONE else 1)


def _epsilon_for(profile, prior_odds_ratio, relation):
    ratio = checks.within("prior_odds_ratio", prior_odds_ratio, "(0, inf)")
    if isinstance(profile, RiskProfile):
        bound = profile(ratio)
    elif callable(profile):
        bound = np.array([_evaluated(profile, place) for place in ratio.ravel().tolist()]).reshape(ratio.shape)
    else:
        raise TypeError(f"profile = {profile!r} is neither a RiskProfile nor a function of P10")
    return Allowance(_epsilon(bound, relation), ratio, bound, relation)


def epsilon_for(profile, prior_odds_ratio):
    """Largest epsilon that respects a risk profile against the adversaries with a given P10 (paper B, equation (16)).

    Parameters
    ----------
    profile : RiskProfile or callable
    prior_odds_ratio : array_like
        P10, in (0, inf).

    Returns
    -------
    Allowance
        With epsilon = log(B(P10)) / 2, for unbounded privacy.

    Raises
    ------
    DomainError
        Outside this range, and where the profile is below 1.

    Examples
    --------
    >>> answer = epsilon_for(RiskProfile([[0, 10], [1, 2], [2.5, 5]]), [1, 800])
    >>> answer.epsilon.round(3).tolist(), answer.relation
    ([0.347, 0.805], 'add/remove-one')
    """
    return _epsilon_for(profile, prior_odds_ratio, ADD_REMOVE_ONE)


def bounded_epsilon_for(profile, prior_odds_ratio):
    """Largest epsilon against the adversaries with a given P10 under bounded privacy: log B(P10).

    Datasets in which the person's value lies in S and in its complement differ in one replaced record. So their
    densities are within one factor e^epsilon of each other, where (14) and (15) go through the dataset without the
    person and need two. Arguments and errors as in `epsilon_for`.

    Examples
    --------
    >>> answer = bounded_epsilon_for(RiskProfile([[0, 10], [1, 2], [2.5, 5]]), 1)
    >>> float(answer.epsilon), answer.relation
    (0.69314..., 'replace-one')
    """
    return _epsilon_for(profile, prior_odds_ratio, REPLACE_ONE)


def smallest_epsilon(profile):
    """Largest epsilon that respects a risk profile against every adversary: the smallest of (16) over P10.

    Parameters
    ----------
    profile : RiskProfile, callable, or a mapping or sequence of these
        One for everybody, or one for each person by name or by position.

    Returns
    -------
    Allowance
        ``prior_odds_ratio`` is where the smallest is reached, the first such place if there are several. A
        `RiskProfile` is answered exactly, from its knots, and 0 is there the limit at 0. A callable is evaluated at 64
        points in each of the 60 decades around P10 = 1, and around each local minimum among them down to the
        resolution of floats; 0 and inf stand for the ends of this range. A dip between two points that neither of them
        feels is not seen. ``person`` is the one whose profile asks for the smallest epsilon.

    Raises
    ------
    DomainError
        Where the profile is below 1, and for no profile at all.

    Examples
    --------
    >>> smallest_epsilon(RiskProfile([[0, 10], [1, 2], [2.5, 5]]))
    Allowance(epsilon=0.34657..., prior_odds_ratio=1.0, bound=2.0, relation='add/remove-one', person=None)
    """
    return _smallest_epsilon(profile, ADD_REMOVE_ONE)


def bounded_smallest_epsilon(profile):
    """Largest epsilon against every adversary under bounded privacy, the smallest log B; see `smallest_epsilon`."""
    return _smallest_epsilon(profile, REPLACE_ONE)


def _smallest_epsilon(profile, relation):
    if not isinstance(profile, Mapping | Sequence):
        place, bound = _smallest_bound(profile)
        return Allowance(float(_epsilon(bound, relation)), place, bound, relation)
    people = dict(profile if isinstance(profile, Mapping) else enumerate(profile))
    if not people:
        raise errors.DomainError(f"profile = {profile!r} is empty; give at least one person's profile")
    smallest = {person: _smallest_bound(own, person) for person, own in people.items()}
    person = min(smallest, key=lambda name: smallest[name][1])
    place, bound = smallest[person]
    return Allowance(float(_epsilon(bound, relation)), place, bound, relation, person)


def _smallest_bound(profile, person=None):
    """Where a profile is smallest, and its value there."""
    if isinstance(profile, RiskProfile):
        return min(profile.knots, key=lambda knot: knot[1])
    if not callable(profile):
        raise TypeError(f"profile = {profile!r} is neither a RiskProfile nor a function of P10")

    def evaluate(places):
        return np.array([_evaluated(profile, place, person) for place in places.tolist()])

    places = 10.0 ** (np.arange(-_DECADES * _POINTS, _DECADES * _POINTS + 1) / _POINTS)
    bounds = evaluate(places)
    lowest = int(np.argmin(bounds))
    place, bound = places[lowest], bounds[lowest]
    # Both edges of a flat stretch, but not its inside.
    padded = np.concatenate([[np.inf], bounds, [np.inf]])
    left, right = padded[:-2], padded[2:]
    for index in np.flatnonzero((bounds <= left) & (bounds <= right) & ((bounds < left) | (bounds < right))):
        start, stop = places[max(index - 1, 0)], places[min(index + 1, len(places) - 1)]
        # 33 points a round narrow 1/32 of a decade to neighbouring floats in 13 rounds, kinks and jumps included.
        for _ in range(13):
            finer = np.linspace(start, stop, 33)
            values = evaluate(finer)
            lowest = int(np.argmin(values))
            if values[lowest] < bound:
                place, bound = finer[lowest], values[lowest]
            start, stop = finer[max(lowest - 1, 0)], finer[min(lowest + 1, 32)]
    ends = {places[0]: 0.0, places[-1]: math.inf}
    return float(ends.get(place, place)), float(bound)


def posterior_to_prior_epsilon(prior, largest_ratio):
    """Largest epsilon that keeps the posterior-to-prior ratio of inclusion within a tolerated one.

    The upper bound of paper A, equation (24), 1 / (p + (1 - p) e^-epsilon) <= r, solved for epsilon =
    log((1 - p) / (1/r - p)). No posterior exceeds 1, so there is no limit when p r >= 1. Under a constant r the
    smallest epsilon over all priors is log r, the limit for p tending to 0. Neighbours are those of paper A: one
    record replaced.

    Parameters
    ----------
    prior : array_like
        The adversary's prior probability p that the person is in the data, in (0, 1).
    largest_ratio : array_like or callable
        The largest tolerated ratio r, in [1, inf), or a risk profile: the function of one p that gives it.

    Returns
    -------
    InclusionAllowance
        With epsilon infinite where it is not limited.

    Examples
    --------
    >>> posterior_to_prior_epsilon([0.1, 0.5], 2.0).epsilon.tolist()
    [0.81093..., inf]
    """
    prior = checks.within("prior", prior, "(0, 1)")
    if callable(largest_ratio):
        ratios = [
            checks.number(f"largest_ratio({value})", largest_ratio(value), "[1, inf)", _NO_LOWER_PROBABILITY)
            for value in prior.ravel().tolist()
        ]
        largest_ratio = np.reshape(ratios, prior.shape)
    ratio = checks.within("largest_ratio", largest_ratio, "[1, inf)", _NO_LOWER_PROBABILITY)
    checks.broadcast(prior=prior, largest_ratio=ratio)
    limited = prior * ratio < 1
    with np.errstate(divide="ignore", invalid="ignore"):
        tolerated = (ratio - 1) / (ratio * (1 - prior))
        # One form for a ratio near 1, where epsilon is small; the other for p r near 1, where it is large.
        small, large = -np.log1p(-np.minimum(tolerated, 0.5)), np.log(ratio * (1 - prior) / (1 - prior * ratio))
    epsilon = np.where(limited, np.where(tolerated < 0.5, small, large), np.inf)
    return InclusionAllowance(epsilon, prior, ratio, REPLACE_ONE)


def round_down(epsilon, decimals):
    """Largest number with so many decimals whose float does not exceed epsilon.

    Parameters
    ----------
    epsilon : float
        In [0, inf]; an unlimited epsilon stays unlimited.
    decimals : int
        At least 0.

    Returns
    -------
    float
        At most ``epsilon``; ``epsilon`` itself when it is the float of a number with so many decimals, although that
        float may lie a little below the number.

    Examples
    --------
    >>> round_down(0.34657359027997264, 2)
    0.34
    >>> round_down(0.29, 2), round_down(0.29, 1)
    (0.29, 0.2)
    """
    epsilon = checks.number("epsilon", epsilon, "[0, inf]")
    unit = 10 ** checks.count("decimals", decimals, 0)
    if math.isinf(epsilon):
        return epsilon
    # In whole numbers nothing is rounded, and dividing two of them rounds correctly.
    steps = math.floor(Fraction(epsilon) * unit)
    return (steps + 1) / unit if (steps + 1) / unit <= epsilon else steps / unit
