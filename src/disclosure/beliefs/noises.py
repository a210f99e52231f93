"""Noise of four kinds: the probability that it lies in an interval, with full relative accuracy in tails and narrow intervals.

All sums are of positive numbers, and nothing is subtracted from a number near 1. The intervals of continuous noise are open;
those of noise on the whole numbers contain both ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from disclosure.mechanisms import discrete_gaussian, geometric, laplace
from disclosure.numerics import checks, errors
from disclosure.numerics.normal import interval_mass
from disclosure.numerics.types import FloatArray

__all__ = ["NOISES", "DiscreteGaussian", "Gaussian", "Geometric", "Laplace", "Noise", "noise_named"]


class Noise(Protocol):
    """Noise around an answer, symmetric about 0."""

    name: ClassVar[str]
    """What users call it."""
    whole: ClassVar[bool]
    """Whether the noise is a whole number."""
    exponential: ClassVar[bool]
    """Whether the density is proportional to exp(-|t| / scale), and otherwise to exp(-t^2 / (2 scale^2))."""

    @property
    def scale(self) -> float:
        """Scale of the noise in units of the answers: the standard deviation of normal noise, b of Laplace noise."""

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """Probability that the noise lies between two points, which count as between for noise on the whole numbers."""


@dataclass(frozen=True)
class Gaussian:
    """Normal noise of standard deviation ``scale``."""

    scale: float
    name: ClassVar[str] = "gaussian"
    whole: ClassVar[bool] = False
    exponential: ClassVar[bool] = False

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """P(lower < noise < upper)."""
        return interval_mass(lower / self.scale, upper / self.scale)


@dataclass(frozen=True)
class Laplace:
    """Noise with the density exp(-|t| / scale) / (2 scale)."""

    scale: float
    name: ClassVar[str] = "laplace"
    whole: ClassVar[bool] = False
    exponential: ClassVar[bool] = True

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """P(lower < noise < upper)."""
        return laplace.interval_mass(lower, upper, self.scale)


@dataclass(frozen=True)
class Geometric:
    """Noise on the whole numbers with probabilities proportional to exp(-|k| / scale)."""

    scale: float
    name: ClassVar[str] = "geometric"
    whole: ClassVar[bool] = True
    exponential: ClassVar[bool] = True

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """P(lower <= noise <= upper)."""
        return geometric.interval_mass(lower, upper, self.scale)


@dataclass(frozen=True)
class DiscreteGaussian:
    """Noise on the whole numbers with probabilities proportional to exp(-k^2 / (2 scale^2))."""

    scale: float
    name: ClassVar[str] = "discrete_gaussian"
    whole: ClassVar[bool] = True
    exponential: ClassVar[bool] = False

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """P(lower <= noise <= upper)."""
        return discrete_gaussian.interval_mass(lower, upper, self.scale)


NOISES: dict[str, Callable[[float], Noise]] = {
    kind.name: kind for kind in (Gaussian, Laplace, Geometric, DiscreteGaussian)
}
"""The kinds of noise by the names that users give them."""


def noise_named(name: str, scale: float) -> Noise:
    """Noise of a kind in `NOISES` with a scale in (1e-200, 1e200), or a `DomainError`."""
    # A list is searched by equality: a name that has no hash is none of these either.
    if name not in list(NOISES):
        raise errors.DomainError(f"noise = {name!r} is none of {', '.join(map(repr, NOISES))}")
    # Within this range answers of up to 1e30 scales, the most that `worlds` takes, are floats of full precision.
    return NOISES[name](checks.number("scale", scale, "(1e-200, 1e200)", "use other units"))
