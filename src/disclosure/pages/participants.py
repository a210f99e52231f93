"""What a release means to the people in the data: chances out of 100, before and after.

The limits are those of the stated ranges, for whatever record a person has and whatever the others have. So they say nothing
about anybody, and may be shown to everybody.
"""

import math
from typing import NamedTuple

from disclosure.beliefs import ratio_limits
from disclosure.pages.words import chance, number

__all__ = ["BEFORE", "Chances", "Dot", "chances", "dots", "sentence"]

BEFORE = (1, 10, 50)
"""Chances out of 100, before the release, that are told about; the picture shows the middle one."""

# Chances are rounded so that the truth is never beyond; a distance below this is rounding of floats.
_ROUNDING = 1e-9
_ROW, _DISTANCE = 10, 12


class Chances(NamedTuple):
    """Out of 100: before the release, and from and to after it."""

    before: int
    least: int
    most: int


class Dot(NamedTuple):
    """One of 100 in the picture: where it stands, and whether it is of ``before``, ``added`` or ``none``."""

    x: int
    y: int
    kind: str


def chances(mu: float, probability: float) -> tuple[Chances, ...]:
    """What belief in anybody's presence may become, for each of `BEFORE`, except with a probability for each side.

    Parameters
    ----------
    mu : float
        Sensitivity over noise, in (0, inf).
    probability : float
        In (0, 1/2].

    Examples
    --------
    >>> chances(0.38, 1e-3)
    (Chances(before=1, least=0, most=4), Chances(before=10, least=3, most=28), Chances(before=50, least=24, most=78))
    """
    found = []
    for before in BEFORE:
        prior = before / 100
        most = 100 * float(ratio_limits.posterior_limit(mu, probability, prior))
        least = 100 * prior * float(ratio_limits.fall_limit_within(mu, probability, prior))
        found.append(Chances(before, math.floor(least + _ROUNDING), math.ceil(most - _ROUNDING)))
    return tuple(found)


def sentence(found: Chances, probability: float) -> str:
    """The chances in one sentence for participants."""
    return (
        f"Suppose that somebody knows everybody else in these data, and thinks it {found.before} in 100 likely that you are in "
        f"them too. Having seen what is published, they will think it at most {found.most} in 100 likely, except with "
        f"probability {number(probability)} ({chance(probability)})."
    )


def dots(found: Chances) -> tuple[tuple[Dot, ...], tuple[Dot, ...]]:
    """The picture: 100 dots before and 100 after."""

    def kind(place: int, most: int) -> str:
        return "before" if place < min(found.before, most) else "added" if place < most else "none"

    places = [(_DISTANCE * (k % _ROW) + _DISTANCE // 2, _DISTANCE * (k // _ROW) + _DISTANCE // 2) for k in range(100)]
    before, after = (
        tuple(Dot(x, y, kind(k, most)) for k, (x, y) in enumerate(places)) for most in (found.before, found.most)
    )
    return before, after
