"""What kinds of noise do to the odds in the case-control study of paper B, at the same root mean square error.

The study releases its number of cases, which is n or n + 1. Answers and releases are counted from n here. An adversary knows
everybody else's status, or the design of the study alone (`disclosure.beliefs.case_control`).
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from disclosure.beliefs import case_control
from disclosure.beliefs.mixture_quantiles import level_quantiles
from disclosure.beliefs.noises import NOISES
from disclosure.mechanisms import gaussian, laplace, named
from disclosure.numerics.types import FloatArray
from disclosure.workflow import sweeps

__all__ = ["ADVERSARIES", "COLUMNS", "rows"]

ADVERSARIES = ("knows_others", "knows_design")

# ``kind`` is "release" for what a release does, and "quantile" for what all releases but a ``probability`` of them stay within,
# if the target is a case. ``error`` is the root mean square error. ``lower`` and ``upper`` bound R10 / P10; for a release they
# are equal.
COLUMNS = {
    "kind": str,
    "adversary": str,
    "noise": str,
    **dict.fromkeys(("error", "scale", "released", "probability", "lower", "upper"), float),
}

# Root mean square errors on each side of the true number within which releases are shown.
_REACH = 3.0
# Points on each side of 0 at which a curve over releases of numbers that need not be whole is evaluated.
_POINTS = 120


def rows(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """R10 / P10 over the release at one error, and its quantiles over several.

    Parameters
    ----------
    settings : dict
        ``error``, ``errors`` and ``probability`` of the question, and ``case_control``.

    Returns
    -------
    dict of str to list
    """
    participants = settings["case_control"]["participants"]
    found = [*_releases(participants, settings["error"])]
    for error in sweeps.parameter_values("errors", settings["errors"]):
        found += _quantiles(participants, error, settings["probability"])
    return dict(zip(COLUMNS, map(list, zip(*found, strict=True)), strict=True))


def _releases(participants: int, error: float) -> list[tuple[Any, ...]]:
    found = []
    for name in NOISES:
        scale = named.scale_with_error(name, error)
        released = _grid(name, error)
        ratio = (laplace if NOISES[name](1.0).exponential else gaussian).log_density_ratio(released, 1.0, 0.0, scale)
        for adversary in ADVERSARIES:
            update = (
                ratio if adversary == "knows_others" else case_control.log_update_knowing_design(ratio, participants)
            )
            found += [
                ("release", adversary, name, error, scale, place, math.nan, increase, increase)
                for place, increase in zip(released.tolist(), np.exp(update).tolist(), strict=True)
            ]
    return found


def _grid(name: str, error: float) -> FloatArray:
    """Releases within some errors of the two true numbers, 0 and 1, both of them among these."""
    whole = math.ceil(_REACH * error)
    if NOISES[name](1.0).whole:
        return np.arange(-whole, whole + 2.0)
    return np.unique(np.concatenate([np.linspace(-whole, whole + 1, 2 * _POINTS), [0.0, 1.0]]))


def _quantiles(participants: int, error: float, probability: float) -> list[tuple[Any, ...]]:
    found = []
    for name in NOISES:
        scale = named.scale_with_error(name, error)
        for adversary in ADVERSARIES:
            case, control = _answers(participants, adversary)
            levels = level_quantiles(case, control, case, noise=name, scale=scale, probability=probability)
            increases = math.exp(-levels.high), math.exp(-levels.low)
            found.append(("quantile", adversary, name, error, scale, math.nan, probability, *increases))
    return found


def _answers(participants: int, adversary: str) -> tuple[tuple[list[float], list[float]], ...]:
    """The answer, counted from n, if the target is a case and if it is a control: answers and their probabilities."""
    if adversary == "knows_others":
        return ([1.0], [1.0]), ([0.0], [1.0])
    more, less = (participants + 1) / 2, (participants - 1) / 2
    return ([0.0, 1.0], [less, more]), ([0.0, 1.0], [more, less])
