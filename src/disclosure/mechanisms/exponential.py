"""The exponential mechanism: one of finitely many outcomes, the likelier the more useful it is (McSherry and Talwar 2007)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from disclosure.mechanisms import additive
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Exponential"]


@dataclass(frozen=True)
class Exponential:
    """An outcome with a probability proportional to exp(epsilon u / 2), u its utility in units of the utility's sensitivity.

    Parameters
    ----------
    epsilon : float
        In [0, inf), of pure privacy.
    utility : callable
        From a dataset to the utilities of all outcomes, shape (k,), in units of their largest change when one record changes.
    """

    epsilon: float
    utility: Callable[[Any], ArrayLike]

    def __post_init__(self) -> None:
        checks.number("epsilon", self.epsilon, "[0, inf)")

    def log_probabilities(self, world: Any) -> FloatArray:
        """Log probabilities of all outcomes, shape (k,), given the dataset ``world``.

        Examples
        --------
        >>> near = Exponential(2.0, lambda count: [-abs(count - outcome) for outcome in range(3)])
        >>> np.exp(near.log_probabilities(1)).round(4).tolist()
        [0.2119, 0.5761, 0.2119]
        """
        utilities = checks.within("utility", self.utility(world), "(-inf, inf)")
        if utilities.ndim != 1 or not utilities.size:
            raise errors.DomainError(
                f"utility gives the shape {utilities.shape}; expected (k,), a number for each outcome"
            )
        logs = self.epsilon / 2 * utilities
        return np.asarray(logs - logsumexp(logs))

    def draw(self, world: Any, generator: np.random.Generator, size: int) -> IntArray:
        """Numbers of outcomes, shape (size,), from 0."""
        probabilities = np.exp(self.log_probabilities(world))
        draws = additive.checked_generator(generator)
        return np.asarray(draws.choice(probabilities.size, size, p=probabilities / probabilities.sum()))

    def log_density(self, released: IntArray, world: Any) -> FloatArray:
        """Log probability of outcomes, shape (size,)."""
        return np.asarray(self.log_probabilities(world)[released])
