"""What mechanisms that add noise to an answer have in common: releases, and checks of what they are asked about."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = ["checked_answers", "checked_generator", "checked_region", "checked_whole", "released"]


def released(
    draw: Callable[[tuple[int, ...]], FloatArray], value: ArrayLike, scale: ArrayLike, size: tuple[int, ...], name: str
) -> FloatArray:
    """A value plus noise of a scale, which its mechanism calls ``name``; ``draw`` gives noise of scale 1 in a shape."""
    value, scale = checks.within("value", value, "(-inf, inf)"), checks.within(name, scale, "[0, inf)")
    checks.broadcast(value=value, **{name: scale})
    return value + scale * draw(tuple(size) + np.broadcast_shapes(value.shape, scale.shape))


def checked_generator(generator: Any) -> np.random.Generator:
    """What draws the noise, if it is a generator of NumPy's."""
    if not isinstance(generator, np.random.Generator):
        raise errors.DomainError(
            f"generator = {generator!r} draws no noise; give a generator of NumPy's, numpy.random.default_rng(seed) say"
        )
    return generator


def checked_answers(
    release: ArrayLike, value: ArrayLike, other: ArrayLike, scale: ArrayLike, name: str
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """A release, two answers that it may be of, and the scale, as arrays that broadcast against each other."""
    release = checks.within("released", release, "(-inf, inf)")
    value, other = checks.within("value", value, "(-inf, inf)"), checks.within("other", other, "(-inf, inf)")
    scale = checks.within(name, scale, "(0, inf)")
    checks.broadcast(released=release, value=value, other=other, **{name: scale})
    return release, value, other, scale


def checked_region(
    scale: ArrayLike, epsilon: ArrayLike, distance: ArrayLike, name: str
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What a bad region depends on, as arrays that broadcast against each other."""
    scale, epsilon = checks.within(name, scale, "[0, inf)"), checks.within("epsilon", epsilon, "[0, inf)")
    distance = checks.within("distance", distance, "[0, inf)")
    checks.broadcast(epsilon=epsilon, distance=distance, **{name: scale})
    return scale, epsilon, distance


def checked_whole(name: str, answers: ArrayLike) -> FloatArray:
    """Answers that noise on the whole numbers may be added to."""
    checked = checks.within(name, answers, "(-inf, inf)")
    if (checked != np.round(checked)).any():
        raise errors.DomainError(f"{name} has answers that are no whole numbers; use gaussian or laplace noise")
    return checked
