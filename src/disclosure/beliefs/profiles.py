"""Odds risk profiles, and the largest epsilon that a profile allows (paper B, section 3).

A profile B tells for every prior odds ratio P10 by which factor a release may at most raise it. Bounds of the posterior odds
ratio, in `odds`, turn the factor into an epsilon of pure differential privacy: log(B) / 2 where neighbours differ by one added
or removed record (paper B, equation (16)), and log(B) where they differ by one replaced record. In the second case the datasets
in which the person's value lies in S and in its complement are themselves neighbours, and their densities within one factor
e^epsilon of each other; in the first (14) and (15) go through the dataset without the person and need two factors.
"""

import math
import reprlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE, RELATIONS
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = [
    "PUBLISHED",
    "Allowance",
    "Profile",
    "RiskProfile",
    "SmallestAllowance",
    "epsilon_for",
    "epsilon_for_any_prior",
]

_NO_LOWER_ODDS = "no release is sure to lower the odds ratio"

# The minimum of a profile that is a function is searched for over P10 from 10^-30 to 10^30: decades on each side of 1, and
# points in each decade.
_DECADES, _POINTS = 30, 64
# Around each local minimum the search goes on in rounds: points in a round, and rounds. A round narrows the stretch, 1/32 of a
# decade at first, to 1/16 of itself; after the last one neighbouring floats are left.
_FINER_POINTS, _ROUNDS = 33, 13


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
    >>> profile = RiskProfile([[0.1, 10], [1, 2], [2.5, 5]])
    >>> profile([0.1, 1, 2, 800]).tolist()
    [10.0, 2.0, 4.0, 5.0]
    >>> RiskProfile([[0, 10], [1, 0.5]])
    Traceback (most recent call last):
    ...
    disclosure.numerics.errors.DomainError: B(P10 = 1.0) = 0.5 is outside [1, inf); no release is sure to lower the odds ratio
    """

    knots: Sequence[Sequence[float]]
    scale: str = "linear"

    def __post_init__(self) -> None:
        if self.scale not in ("linear", "log"):
            raise errors.DomainError(f"scale = {self.scale!r} is none of linear, log")
        object.__setattr__(self, "knots", _checked_knots(self.knots, self.scale))

    @classmethod
    def from_data(cls, data: Any) -> "RiskProfile":
        """Profile from a mapping as it stands in YAML, ``{scale: linear, knots: [[0.1, 10], [1, 2], [2.5, 5]]}``.

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
            As for `RiskProfile`, and for anything but a mapping, and keys that are missing or unknown.
        """
        if not isinstance(data, Mapping):
            raise errors.DomainError(f"profile = {reprlib.repr(data)} is not a mapping with the keys knots and scale")
        unknown = sorted(str(key) for key in data if key not in ("knots", "scale"))
        if unknown:
            raise errors.DomainError(f"profile has an unknown key {unknown[0]!r}; allowed: knots, scale")
        if "knots" not in data:
            raise errors.DomainError(f"profile = {reprlib.repr(dict(data))} has no knots; list them as [[P10, B], ...]")
        return cls(**data)

    @property
    def limit_at_zero(self) -> float:
        """Limit of B as P10 tends to 0."""
        return self.knots[0][1]

    @property
    def limit_at_infinity(self) -> float:
        """Limit of B as P10 tends to infinity."""
        return self.knots[-1][1]

    def __call__(self, prior_odds_ratio: ArrayLike) -> FloatArray:
        """Bound B on the increase of the odds ratio at each P10 in [0, inf], whose ends stand for the limits."""
        ratio = checks.within("prior_odds_ratio", prior_odds_ratio, "[0, inf]")
        places, bounds = np.array(self.knots).T
        if self.scale == "log":
            with np.errstate(divide="ignore"):
                ratio, places = np.log(ratio), np.log(places)
        # Interpolation may round past a knot, and the smallest one is a promise.
        return np.asarray(np.clip(np.interp(ratio, places, bounds), bounds.min(), bounds.max()))


Profile: TypeAlias = RiskProfile | Callable[[float], float]
"""The bound B as a function of P10: a `RiskProfile`, or any function of one float."""


class Allowance(NamedTuple):
    """Largest epsilon that a profile allows at given P10, with B there, for neighbours in ``relation``."""

    epsilon: FloatArray
    prior_odds_ratio: FloatArray
    bound: FloatArray
    relation: str


class SmallestAllowance(NamedTuple):
    """Largest epsilon that a profile allows at every P10, the P10 and the B that limit it, and whose profile that is."""

    epsilon: float
    prior_odds_ratio: float
    bound: float
    relation: str
    person: Hashable = None


def epsilon_for(profile: Profile, prior_odds_ratio: ArrayLike, relation: str = ADD_REMOVE_ONE) -> Allowance:
    """Largest epsilon that respects a risk profile against the adversaries with a given P10 (paper B, equation (16)).

    Parameters
    ----------
    profile : RiskProfile or callable
    prior_odds_ratio : array_like
        P10, in (0, inf).
    relation : {"add/remove-one", "replace-one"}, optional
        By which datasets are neighbours.

    Returns
    -------
    Allowance
        With epsilon = log(B(P10)) / 2, and twice that for replaced records.

    Raises
    ------
    DomainError
        Outside these ranges, and where the profile is below 1.

    Examples
    --------
    >>> answer = epsilon_for(RiskProfile([[0.1, 10], [1, 2], [2.5, 5]]), [1, 800])
    >>> answer.epsilon.round(3).tolist(), answer.relation
    ([0.347, 0.805], 'add/remove-one')
    """
    ratio = checks.within("prior_odds_ratio", prior_odds_ratio, "(0, inf)")
    if isinstance(profile, RiskProfile):
        bound = profile(ratio)
    else:
        _refuse_other_than_functions(profile)
        bound = np.array([_evaluated(profile, place) for place in ratio.ravel().tolist()]).reshape(ratio.shape)
    return Allowance(np.asarray(_epsilon(bound, relation)), ratio, bound, relation)


def epsilon_for_any_prior(
    profile: Profile | Mapping[Any, Profile] | Sequence[Profile], relation: str = ADD_REMOVE_ONE
) -> SmallestAllowance:
    """Largest epsilon that respects a risk profile against every adversary: the smallest of `epsilon_for` over all P10.

    Parameters
    ----------
    profile : RiskProfile, callable, or a mapping or sequence of these
        One for everybody, or one for each person by name or by position.
    relation : {"add/remove-one", "replace-one"}, optional
        By which datasets are neighbours.

    Returns
    -------
    SmallestAllowance
        ``prior_odds_ratio`` is where the smallest is reached, the first such place if there are several. A
        `RiskProfile` is answered exactly, from its knots, and 0 is there the limit at 0. A callable is evaluated at 64
        points in each of the 60 decades around P10 = 1, and around each local minimum among them down to the
        resolution of floats; 0 and inf stand for the ends of this range. A dip that lies between two of these points, and
        changes B at neither, is not seen. ``person`` is the one whose profile asks for the smallest epsilon, None for one
        profile.

    Raises
    ------
    DomainError
        Where the profile is below 1, and for no profile at all.

    Examples
    --------
    >>> epsilon_for_any_prior(RiskProfile([[0.1, 10], [1, 2], [2.5, 5]]))
    SmallestAllowance(epsilon=0.34657..., prior_odds_ratio=1.0, bound=2.0, relation='add/remove-one', person=None)
    """
    if not isinstance(profile, Mapping | Sequence):
        place, bound = _smallest_bound(profile)
        return SmallestAllowance(float(_epsilon(bound, relation)), place, bound, relation)
    people: dict[Hashable, Profile] = dict(profile if isinstance(profile, Mapping) else enumerate(profile))
    if not people:
        raise errors.DomainError(f"profile = {profile!r} is empty; give at least one person's profile")
    smallest = {person: _smallest_bound(own, person) for person, own in people.items()}
    person = min(smallest, key=lambda name: smallest[name][1])
    place, bound = smallest[person]
    return SmallestAllowance(float(_epsilon(bound, relation)), place, bound, relation, person)


def _epsilon(bound: ArrayLike, relation: str) -> FloatArray:
    """Epsilon at which the posterior odds ratio is at most ``bound`` times the prior one."""
    if relation not in RELATIONS:
        raise errors.DomainError(f"relation = {relation!r} is none of {', '.join(RELATIONS)}")
    return np.asarray(np.log(bound) / (2 if relation == ADD_REMOVE_ONE else 1))


def _smallest_bound(profile: Profile, person: Hashable = None) -> tuple[float, float]:
    """Where a profile is smallest, and its value there."""
    if isinstance(profile, RiskProfile):
        place, bound = min(profile.knots, key=lambda knot: knot[1])
        return place, bound
    _refuse_other_than_functions(profile)

    def evaluate(places: FloatArray) -> FloatArray:
        return np.array([_evaluated(profile, place, person) for place in places.tolist()])

    places = 10.0 ** (np.arange(-_DECADES * _POINTS, _DECADES * _POINTS + 1) / _POINTS)
    bounds = evaluate(places)
    lowest = int(np.argmin(bounds))
    found = float(places[lowest]), float(bounds[lowest])
    # Both edges of a flat stretch, but not its inside.
    padded = np.concatenate([[np.inf], bounds, [np.inf]])
    left, right = padded[:-2], padded[2:]
    lowest_nearby = (bounds <= left) & (bounds <= right) & ((bounds < left) | (bounds < right))
    for index in np.flatnonzero(lowest_nearby).tolist():
        finer = _narrowed(evaluate, float(places[max(index - 1, 0)]), float(places[min(index + 1, len(places) - 1)]))
        found = min(found, finer, key=lambda point: point[1])
    ends = {float(places[0]): 0.0, float(places[-1]): math.inf}
    return ends.get(found[0], found[0]), found[1]


def _narrowed(evaluate: Callable[[FloatArray], FloatArray], start: float, stop: float) -> tuple[float, float]:
    """The smallest value that is met between two points, and where.

    By hand, for a profile may have kinks and jumps: golden sections and parabolas, as SciPy has them, take it for smooth.
    """
    place, bound = start, math.inf
    for _ in range(_ROUNDS):
        finer = np.linspace(start, stop, _FINER_POINTS)
        values = evaluate(finer)
        lowest = int(np.argmin(values))
        if values[lowest] < bound:
            place, bound = float(finer[lowest]), float(values[lowest])
        start, stop = float(finer[max(lowest - 1, 0)]), float(finer[min(lowest + 1, _FINER_POINTS - 1)])
    return place, bound


def _refuse_other_than_functions(profile: Profile) -> None:
    if not callable(profile):
        raise TypeError(f"profile = {profile!r} is neither a RiskProfile nor a function of P10")


def _evaluated(profile: Callable[[float], Any], place: float, person: Hashable = None) -> float:
    """B of a function at one P10, checked; an infinite B asks for nothing and is no error."""
    try:
        bound = profile(place)
    except OverflowError as error:
        raise errors.DomainError(f"{_name(place, person)} can't be evaluated: {error}") from error
    return checks.number(_name(place, person), bound, "[1, inf]", _NO_LOWER_ODDS)


def _name(place: float, person: Hashable = None) -> str:
    return f"B(P10 = {place})" + ("" if person is None else f" of {person}")


def _checked_knots(knots: Any, scale: str) -> tuple[tuple[float, float], ...]:
    if not _is_list(knots):
        raise errors.DomainError(f"knots = {knots!r} is not a list of pairs [P10, B]")
    if len(knots) == 0:
        raise errors.DomainError("knots = [] is empty; a profile needs at least one knot [P10, B]")
    checked: list[tuple[float, float]] = []
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


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


PUBLISHED = RiskProfile([[0.1, 10], [1, 2], [2.5, 5]])
"""The profile of paper B's example, as its words are read here: equation (13) is missing from the text at hand."""
