"""How far a release moves the posterior-to-prior ratio, mechanism by mechanism, at the same root mean square error.

Everybody has a 0 or a 1, and a dataset of m of the n people gives its number of ones. The adversary of paper A knows all of it
but one person, the target, who has a 1. Four kinds of noise on the number are computed exactly, and three mechanisms of other
kinds by simulation (`disclosure.study.any_mechanism`): randomised response, the exponential mechanism with the distance to the
number as the loss, and the subsampled Gaussian mechanism with Poisson sampling.
"""

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from disclosure.beliefs.mixture_quantiles import mixture_ratio_quantiles
from disclosure.mechanisms import named
from disclosure.mechanisms.exponential import Exponential
from disclosure.mechanisms.randomised_response import RandomisedResponse
from disclosure.mechanisms.subsampled_gaussian import SubsampledGaussian
from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray
from disclosure.study import any_mechanism, streams
from disclosure.workflow import sweeps

__all__ = ["COLUMNS", "SIMULATED", "rows"]

# ``scale`` is that of the noise in people; of randomised response and the exponential mechanism it is epsilon. ``lower`` and
# ``upper`` are the factors that the ratio falls below, and exceeds, with ``probability`` only; ``*_low`` and ``*_high`` are the
# ends of their 95% intervals, equal to them where they are exact.
COLUMNS = {
    "mechanism": str,
    "method": str,
    **dict.fromkeys(
        ("error", "scale", "probability", "lower", "lower_low", "lower_high", "upper", "upper_low", "upper_high"), float
    ),
}

# Relative error of the epsilon of the exponential mechanism.
_PRECISION = 1e-12
# Largest epsilon of the exponential mechanism; its error is then below 1e-10.
_LARGEST_EPSILON = 100.0


class _Case(NamedTuple):
    """A dataset and its neighbours, by their numbers of ones; with the target's 1 in it, and with a 0 or a 1 in its place."""

    sample: int
    ones: int
    zeros_outside: int
    ones_outside: int
    rate: float

    @property
    def prior(self) -> float:
        """The target's, with all candidates alike."""
        return 1 / (self.zeros_outside + self.ones_outside + 1)

    @property
    def neighbours(self) -> tuple[list[int], FloatArray]:
        """Different numbers of ones of the neighbours, and their weights."""
        sizes = {self.ones - 1: self.zeros_outside, self.ones: self.ones_outside}
        kept = [number for number, size in sizes.items() if size]
        return kept, np.array([sizes[number] for number in kept]) / sum(sizes.values())


def rows(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Quantiles of the ratio for each mechanism and each error that it can have.

    Parameters
    ----------
    settings : dict
        ``population``, ``sample``, ``ones``, ``ones_outside``, ``errors``, ``probability``, ``rate`` and ``releases`` of the
        question, and ``seed``.

    Returns
    -------
    dict of str to list
    """
    neighbours = settings["population"] - settings["sample"]
    ones_outside = settings["ones_outside"]
    case = _Case(settings["sample"], settings["ones"], neighbours - ones_outside, ones_outside, settings["rate"])
    probability, found = settings["probability"], []
    for error in sweeps.parameter_values("errors", settings["errors"]):
        found += [_exact(name, error, case, probability) for name in named.MECHANISMS]
        for number, (name, made) in enumerate(SIMULATED.items()):
            if mechanism := made(error, case):
                generator = streams.any_mechanism(settings["seed"], number, error)
                found.append((name, *_simulated(mechanism, error, case, probability, settings["releases"], generator)))
    return dict(zip(COLUMNS, map(list, zip(*found, strict=True)), strict=True))


def _exact(name: str, error: float, case: _Case, probability: float) -> tuple[Any, ...]:
    scale = named.scale_with_error(name, error)
    inside = [case.ones], [1.0]
    lower, upper = mixture_ratio_quantiles(
        inside, case.neighbours, inside, noise=name, scale=scale, probability=probability, prior=case.prior
    )
    return name, "exact", error, scale, probability, *[lower] * 3, *[upper] * 3


class _Simulated(NamedTuple):
    """A mechanism, its scale, and its datasets."""

    mechanism: any_mechanism.AnyMechanism[Any]
    scale: float
    inside: Any
    outside: list[Any]


def _simulated(
    simulated: _Simulated, error: float, case: _Case, probability: float, releases: int, generator: np.random.Generator
) -> tuple[Any, ...]:
    mechanism, scale, inside, outside = simulated
    _, weights = case.neighbours
    draws = any_mechanism.draw(mechanism, inside, outside, generator, releases, weights=weights)
    lower, upper = any_mechanism.ratio_quantiles(draws, probability, case.prior)
    return "simulated", error, scale, probability, *lower, *upper


def _randomised_response(error: float, case: _Case) -> _Simulated:
    # The target's report is all that tells the datasets apart, so that the others' are left out.
    mechanism = RandomisedResponse.with_error(error, case.sample)
    numbers, _ = case.neighbours
    return _Simulated(mechanism, mechanism.epsilon, [1.0], [[float(number == case.ones)] for number in numbers])


def _exponential(error: float, case: _Case) -> _Simulated | None:
    """The mechanism that releases a number from 0 to m, the likelier the nearer it is to the number of ones."""
    from scipy.optimize import brentq  # slow to import

    outcomes = np.arange(case.sample + 1.0)

    def excess(epsilon: float) -> float:
        mass = np.exp(Exponential(epsilon, functools.partial(_nearness, outcomes)).log_probabilities(case.ones))
        return float(math.sqrt(mass @ (outcomes - case.ones) ** 2) / error - 1)

    if excess(0.0) <= 0:
        return None
    if excess(_LARGEST_EPSILON) > 0:
        raise errors.DomainError(f"error = {error} is too small for the exponential mechanism; take larger errors")
    epsilon = float(brentq(excess, 0.0, _LARGEST_EPSILON, xtol=_PRECISION, rtol=_PRECISION))
    numbers, _ = case.neighbours
    return _Simulated(Exponential(epsilon, functools.partial(_nearness, outcomes)), epsilon, case.ones, numbers)


def _nearness(outcomes: FloatArray, number: int) -> FloatArray:
    """Utility of outcomes, which changes by 1 at most when the number does."""
    return -np.abs(outcomes - number)


def _subsampled_gaussian(error: float, case: _Case) -> _Simulated | None:
    try:
        mechanism = SubsampledGaussian.with_error(error, case.rate, case.ones)
    except errors.DomainError:
        return None  # the sampling alone has a larger error
    numbers, _ = case.neighbours
    return _Simulated(mechanism, mechanism.sigma, case.ones, numbers)


SIMULATED: dict[str, Callable[[float, _Case], _Simulated | None]] = {
    "randomised_response": _randomised_response,
    "exponential": _exponential,
    "subsampled_gaussian": _subsampled_gaussian,
}
"""Mechanisms that are simulated, and what makes them for an error; None where they cannot have it."""
