"""Randomised response: each person's bit is reported as it is, or else its opposite (Warner 1965)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from disclosure.mechanisms import additive
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = ["RandomisedResponse"]


@dataclass(frozen=True)
class RandomisedResponse:
    """Reports of the bits of m people, each true with probability e^epsilon / (1 + e^epsilon).

    Parameters
    ----------
    epsilon : float
        In [0, inf): the log density ratio of two datasets that differ in one bit is +-epsilon, whatever is reported.
    """

    epsilon: float

    def __post_init__(self) -> None:
        checks.number("epsilon", self.epsilon, "[0, inf)")

    @classmethod
    def with_error(cls, error: float, people: int) -> "RandomisedResponse":
        """The one whose unbiased estimate of the number of ones among ``people`` has a root mean square error.

        With p the probability of a true report and r reported ones the estimate is (r - m (1 - p)) / (2 p - 1), and its error
        (m p (1 - p))^(1/2) / (2 p - 1), the same for every number of ones.

        Parameters
        ----------
        error : float
            In (0, inf), in people.
        people : int
            m, at least 1.

        Examples
        --------
        >>> round(RandomisedResponse.with_error(5.0, 90).epsilon, 4)
        1.6892
        """
        error = checks.number("error", error, "(0, inf)")
        people = checks.count("people", people, 1)
        # With s = 2 p - 1 = tanh(epsilon / 2) the square of the error is m (1 - s^2) / (4 s^2).
        return cls(2 * math.asinh(math.sqrt(people) / (2 * error)))

    def draw(self, world: ArrayLike, generator: np.random.Generator, size: int) -> FloatArray:
        """Reports, shape (size, m), of the bits ``world``, shape (m,)."""
        bits, draws = _bits(world), additive.checked_generator(generator)
        lies = draws.random((size, bits.size)) < 1 / (1 + math.exp(self.epsilon))
        return np.abs(bits - lies)

    def log_density(self, released: FloatArray, world: ArrayLike) -> FloatArray:
        """Log probability of reports, shape (size,), but for a constant that is the same for all bits."""
        return np.asarray(-self.epsilon * np.abs(released - _bits(world)).sum(axis=1))


def _bits(world: ArrayLike) -> FloatArray:
    bits = checks.within("world", world, "[0, 1]")
    if bits.ndim != 1 or (bits != np.round(bits)).any():
        raise errors.DomainError(f"world has shape {bits.shape} or numbers beside 0 and 1; expected (m,) of 0 and 1")
    return bits
