"""The page of an odds risk profile (paper B): knots to be dragged, and the epsilon that they allow at every prior odds ratio.

The script of the page evaluates the formula of `disclosure.beliefs.profiles`, so that it answers for other knots.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import disclosure
from disclosure.beliefs import profiles
from disclosure.beliefs.profiles import RiskProfile
from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE
from disclosure.numerics import rounding
from disclosure.pages import words
from disclosure.pages.axes import LinearAxis, LogAxis
from disclosure.pages.templates import template

__all__ = ["page"]

# The picture, in its own pixels: the profile above, epsilon below.
_WIDTH, _HEIGHT = 480, 478
_LEFT, _RIGHT = 52, 470
_UPPER, _LOWER = (215, 28), (430, 270)
# How far the axis of prior odds ratios goes beyond what is asked about, and those of bounds and epsilons beyond the knots.
_BESIDE, _ABOVE = 5.0, 3.0
# Ends of every axis, so that floats are enough.
_SMALLEST, _LARGEST = 1e-300, 1e300
# Points of a curve, beside its knots.
_POINTS = 160
# Decimals of the rounded epsilon.
_DECIMALS = 2
# The adversary that the page opens with: prior probabilities of a person in the data, and of one who is not.
_PRIORS = (0.5, 0.1)


class _Answer(NamedTuple):
    """What is allowed against an adversary: a known one, or any."""

    name: str
    prior_odds_ratio: float
    bound: float
    epsilon: float


class _Picture(NamedTuple):
    """Axes and curves; the script draws with the same numbers."""

    width: int
    height: int
    x: LogAxis
    bound: LogAxis
    epsilon: LinearAxis
    grid: list[float]
    bounds: list[tuple[float, float]]
    epsilons: list[tuple[float, float]]


def page(profile: RiskProfile, relation: str = ADD_REMOVE_ONE, prior_odds: Sequence[float] = ()) -> str:
    """The whole page.

    Parameters
    ----------
    profile : RiskProfile
    relation : {"add/remove-one", "replace-one"}, optional
        By which datasets are neighbours.
    prior_odds : sequence of float, optional
        Prior odds ratios of known adversaries, in (0, inf).

    Returns
    -------
    str
    """
    known = [profiles.epsilon_for(profile, ratio, relation) for ratio in prior_odds]
    least = profiles.epsilon_for_any_prior(profile, relation)
    named: list[tuple[str, profiles.Allowance | profiles.SmallestAllowance]] = [("known", answer) for answer in known]
    named.append(("any", least))
    answers = [
        _Answer(name, float(answer.prior_odds_ratio), float(answer.bound), float(answer.epsilon))
        for name, answer in named
    ]
    factors = 2 if relation == ADD_REMOVE_ONE else 1
    picture = _picture(profile, prior_odds, factors)
    return _TEMPLATE.render(
        profile=profile,
        relation=relation,
        factors=factors,
        epsilons=[math.log(bound) / factors for _, bound in profile.knots],
        answers=answers,
        rounded=rounding.round_down(least.epsilon, _DECIMALS),
        picture=picture,
        priors=_PRIORS,
        start=_data(profile, factors, picture),
        version=disclosure.__version__,
    )


def _picture(profile: RiskProfile, prior_odds: Sequence[float], factors: int) -> _Picture:
    places = [place for place, _ in profile.knots if place > 0] + list(prior_odds) + [1.0]
    x = LogAxis(max(min(places) / _BESIDE, _SMALLEST), min(max(places) * _BESIDE, _LARGEST), _LEFT, _RIGHT)
    largest = min(_ABOVE * max(bound for _, bound in profile.knots), _LARGEST)
    bound, epsilon = LogAxis(1.0, largest, *_UPPER), LinearAxis(math.log(largest) / factors, *_LOWER)
    grid = np.geomspace(x.low, x.high, _POINTS + 1).tolist()
    at = sorted({*grid, *(place for place, _ in profile.knots if place > 0)})
    bounds = profile(at).tolist()
    return _Picture(
        _WIDTH,
        _HEIGHT,
        x,
        bound,
        epsilon,
        grid,
        [(x.place(place), bound.place(value)) for place, value in zip(at, bounds, strict=True)],
        [(x.place(place), epsilon.place(math.log(value) / factors)) for place, value in zip(at, bounds, strict=True)],
    )


def _data(profile: RiskProfile, factors: int, picture: _Picture) -> dict[str, Any]:
    """What the script starts from."""
    axes = {name: getattr(picture, name)._asdict() for name in ("x", "bound", "epsilon")}
    return {
        "knots": [list(knot) for knot in profile.knots],
        "scale": profile.scale,
        "factors": factors,
        "decimals": _DECIMALS,
        "grid": picture.grid,
        **axes,
    }


_TEMPLATE = template("disclosure.pages", "profile.html", number=words.number)
