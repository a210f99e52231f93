"""Any adversary who watches one noisy number: how much a release changes the odds of an event, exactly.

The adversary has worlds in mind, each with an answer. Given the event E (the target is in the data; the value lies in a
set) the answer is a mixture ``inside``, otherwise ``outside``. At a release t the ratio of the densities

    g(t) = f_outside(t) / f_inside(t)

settles the rest: the posterior odds of E are the prior odds over g, and its posterior-to-prior ratio is 1 / (p + (1 - p) g)
with p its prior probability. The releases with log g > lambda are those at which the signed sum of kernels f_outside -
e^lambda f_inside is positive. `zeros` finds them, by Descartes' rule; their probability is a sum of tails.
"""

import math
from typing import NamedTuple

import numpy as np

from disclosure.beliefs import worlds, zeros
from disclosure.beliefs.noises import Noise, noise_named
from disclosure.beliefs.worlds import Interval, Law, MixtureLike
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray

__all__ = ["FailureIntervals", "failure_intervals", "failure_probability"]

# Largest absolute threshold of log g, and largest absolute answer, in scales of the noise. Within these, exponents that differ
# also differ in 160 digits.
_LARGEST_LEVEL, _LARGEST_SPREAD = 1e9, 1e30


class FailureIntervals(NamedTuple):
    """Releases at which log g leaves its thresholds.

    From left to right, disjoint, of shape (k, 2). They are open intervals, or for noise on the whole numbers the first and
    last of runs of these. Ends may be infinite.
    """

    below: FloatArray
    """Where log g < low."""
    above: FloatArray
    """Where log g > high."""


def failure_probability(
    inside: MixtureLike,
    outside: MixtureLike,
    truth: MixtureLike,
    *,
    noise: str = "gaussian",
    scale: float,
    low: float,
    high: float,
) -> Estimate[float]:
    """Probability that log g leaves its thresholds, P(log g < low) + P(log g > high).

    The floats of answers, weights, scale and thresholds are taken as exact. A release with log g equal to a threshold does not
    count as beyond it. Under Laplace noise log g is constant beyond all answers; if that constant is a threshold, it is
    recognised as equal, however little it would take to be beyond.

    Parameters
    ----------
    inside, outside, truth : Mixture or tuple
        Law of the answer given the event, given its opposite, and in truth: a `Mixture`, or the pair (answers, weights) of one
        that has atoms only. Weights need not be normalised.
    noise : {"gaussian", "laplace", "geometric", "discrete_gaussian"}, optional
        Gaussian and Laplace noise are on the line, with densities proportional to exp(-t^2 / (2 scale^2)) and exp(-|t| /
        scale). Geometric and discrete Gaussian noise are on the whole numbers, with probabilities proportional to exp(-|k| /
        scale) and exp(-k^2 / (2 scale^2)).
    scale : float
        In (1e-200, 1e200), in units of the answers.
    low, high : float
        Thresholds of log g, low <= high; -inf and inf are never passed.

    Returns
    -------
    Estimate
        Floats; the error is absolute. The value is right to a relative 1e-12 if it is above 1e-300, with two exceptions that
        the error covers: sets of releases hardly wider than the distance of two floats; and answers in truth that lie more than
        1,000 scales apart, since positions are floats around their middle. The error is a bound with margins: of values below
        1e-100 it is some 1e-12.

    Raises
    ------
    DomainError
        Outside these ranges; where answers are not whole numbers but the noise is; and where pieces are wider than 16,384
        scales.

    Notes
    -----
    The work grows with the square of the number of changes of sign of f_outside - e^lambda f_inside, times the number of
    answers.

    Examples
    --------
    One world against two others:

    >>> probability = failure_probability(([0.0], [1.0]), ([-0.5, 0.25], [0.5, 0.5]), ([0.0], [1.0]), scale=1, low=-1, high=1)
    >>> float(probability.value)
    0.0002496951...

    A value that is below 0 or above 0, each evenly over a unit; the steward knows that it is 0.3:

    >>> from disclosure.beliefs.worlds import Mixture
    >>> below, above = Mixture(pieces=[(-1, 0, 1)]), Mixture(pieces=[(0, 1, 1)])
    >>> float(failure_probability(below, above, ([0.3], [1]), noise="laplace", scale=2, low=-0.4, high=0.4).value)
    0.76053...
    """
    problem = _problem(inside, outside, truth, noise, scale)
    value = error = 0.0
    for failures in problem.failures(low, high):
        mass, rounding = problem.mass(failures.certain)
        value, error = value + mass, error + rounding + problem.mass(failures.doubtful)[0]
    return Estimate(min(value, 1.0), error)


def failure_intervals(
    inside: MixtureLike,
    outside: MixtureLike,
    *,
    noise: str = "gaussian",
    scale: float,
    low: float,
    high: float,
) -> FailureIntervals:
    """Releases at which log g is below ``low``, and those at which it is above ``high``.

    Takes the arguments of `failure_probability`.

    Returns
    -------
    FailureIntervals

    Examples
    --------
    Whether a value is above 2 shows in the release alone by how large it is:

    >>> failure_intervals(([3, 4], [1, 1]), ([0, 1, 2], [1, 1, 1]), scale=1, low=-1, high=1)
    FailureIntervals(below=array([[2.897...,        inf]]), above=array([[      -inf, 1.681...]]))
    """
    problem = _problem(inside, outside, inside, noise, scale)
    below, above = (
        np.array(failures.certain, dtype=float).reshape(-1, 2) + problem.origin
        for failures in problem.failures(low, high)
    )
    return FailureIntervals(below, above)


class _Failures(NamedTuple):
    """Positions at which log g is beyond one threshold, and intervals of positions at which that is not certain."""

    certain: list[Interval]
    doubtful: list[Interval]


class _Problem(NamedTuple):
    """Checked mixtures and noise. A position is a release less the origin, the middle of the answers in truth."""

    inside: Law
    outside: Law
    truth: Law
    noise: Noise
    origin: float

    def failures(self, low: float, high: float) -> tuple[_Failures, _Failures]:
        """Positions at which log g < low, and those at which log g > high."""
        low, high = checks.number("low", low, "[-inf, inf)"), checks.number("high", high, "(-inf, inf]")
        for name, level in (("low", low), ("high", high)):
            if _LARGEST_LEVEL < abs(level) < math.inf:
                raise errors.DomainError(f"{name} = {level} is finite and beyond +-{_LARGEST_LEVEL:g}; use -inf or inf")
        if low > high:
            raise errors.DomainError(f"low = {low} is above high = {high}; swap them")
        return self._beyond(low, -1), self._beyond(high, 1)

    def _beyond(self, level: float, sign: int) -> _Failures:
        """Positions at which ``sign`` (log g - level) is positive."""
        if math.isinf(level):
            return _Failures([], [])
        kernel_sum = worlds.difference(self.inside, self.outside, level, sign, self.noise, self.origin)
        if kernel_sum is None:
            return _Failures([], [])
        signs = zeros.find_signs(kernel_sum)
        if self.noise.whole:
            return _Failures(zeros.positive_integers(kernel_sum, signs), [])
        return _Failures(zeros.positive_intervals(signs), zeros.doubtful(kernel_sum, signs))

    def mass(self, intervals: list[Interval]) -> tuple[float, float]:
        """Probability in truth of disjoint intervals of positions, and a bound on its absolute rounding error."""
        return worlds.mass(self.truth, self.noise, self.origin, intervals)


def _problem(inside: MixtureLike, outside: MixtureLike, truth: MixtureLike, noise: str, scale: float) -> _Problem:
    kind = noise_named(noise, scale)
    laws = (
        worlds.checked("inside", inside, kind),
        worlds.checked("outside", outside, kind),
        worlds.checked("truth", truth, kind),
    )
    spread = max(np.abs(law.ends).max() for law in laws) / kind.scale
    if spread > _LARGEST_SPREAD:
        raise errors.DomainError(
            f"scale = {kind.scale} is below the answers by a factor of more than {_LARGEST_SPREAD:g}"
        )
    ends = laws[-1].ends
    middle = float(ends.min() / 2 + ends.max() / 2)
    return _Problem(*laws, kind, float(round(middle)) if kind.whole else middle)
