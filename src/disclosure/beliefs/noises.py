"""Noise of four kinds: the probability that it lies in an interval, with full relative accuracy in tails and narrow intervals.

All sums are of positive numbers, and nothing is subtracted from a number near 1. The intervals of continuous noise are open;
those of noise on the whole numbers contain both ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.numerics.normal import interval_mass
from disclosure.numerics.types import FloatArray

__all__ = ["NOISES", "DiscreteGaussian", "Gaussian", "Geometric", "Laplace", "Noise", "noise_named"]

# Natural logarithm. Terms smaller than the largest of a sum by more than e^50 are left out: together they are below 1e-18 of
# it.
_FAINT = 50.0
# Scale from which on a sum over whole numbers is computed as an integral with two corrections; the third would be below a
# relative 1e-12.
_SMOOTH = 1000.0


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
        right = _exponential(np.maximum(lower, 0.0), np.maximum(upper, 0.0), self.scale)
        left = _exponential(np.maximum(-upper, 0.0), np.maximum(-lower, 0.0), self.scale)
        return (left + right) / 2


@dataclass(frozen=True)
class Geometric:
    """Noise on the whole numbers with probabilities proportional to exp(-|k| / scale)."""

    scale: float
    name: ClassVar[str] = "geometric"
    whole: ClassVar[bool] = True
    exponential: ClassVar[bool] = True

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """P(lower <= noise <= upper)."""
        # A whole number k above 0 has the mass of the exponential distribution between k and k + 1, times a constant.
        right = _exponential(np.maximum(lower, 0.0), np.maximum(upper + 1, 0.0), self.scale)
        left = _exponential(np.maximum(-upper, 1.0), np.maximum(-lower + 1, 1.0), self.scale)
        return np.asarray((left + right) / (1 + np.exp(-1 / self.scale)))


@dataclass(frozen=True)
class DiscreteGaussian:
    """Noise on the whole numbers with probabilities proportional to exp(-k^2 / (2 scale^2))."""

    scale: float
    name: ClassVar[str] = "discrete_gaussian"
    whole: ClassVar[bool] = True
    exponential: ClassVar[bool] = False

    def mass(self, lower: FloatArray, upper: FloatArray) -> FloatArray:
        """P(lower <= noise <= upper)."""
        scale = self.scale
        first, last = np.broadcast_arrays(np.asarray(lower, dtype=float), np.asarray(upper, dtype=float))
        if scale >= _SMOOTH:
            return _smooth_sum(first, last, scale)
        reach = np.ceil(scale * np.sqrt(2 * _FAINT)) + 1
        total = _sum_from_nearest(-reach, reach, scale)
        return np.array(
            [_sum_from_nearest(low, high, scale) / total for low, high in zip(first.flat, last.flat, strict=True)]
        ).reshape(first.shape)


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


def _exponential(lower: FloatArray, upper: FloatArray, scale: float) -> FloatArray:
    """Integral of exp(-t / scale) / scale between two points of [0, inf]; 0 where the lower is not below the upper."""
    with np.errstate(invalid="ignore"):
        width = np.where(upper > lower, upper - lower, 0.0)
    return np.asarray(np.exp(-np.minimum(lower, np.finfo(float).max) / scale) * -np.expm1(-width / scale))


def _sum_from_nearest(first: float, last: float, scale: float) -> float:
    """Sum of exp(-k^2 / (2 scale^2)) over the whole numbers of an interval, without terms below e^-50 of the largest."""
    nearest = min(max(first, 0.0), last)
    # At this distance from the number nearest to 0, whose term is the largest, terms have fallen by e^-50.
    reach = np.ceil(scale * 2 * _FAINT / (np.sqrt((nearest / scale) ** 2 + 2 * _FAINT) + abs(nearest) / scale)) + 1
    first, last = max(first, nearest - reach), min(last, nearest + reach)
    if not first <= last or not np.isfinite(nearest):
        return 0.0
    return float(np.exp(-((np.arange(first, last + 1) / scale) ** 2) / 2).sum())


def _smooth_sum(first: FloatArray, last: FloatArray, scale: float) -> FloatArray:
    """The sum over an interval divided by the sum over all whole numbers, by Euler and Maclaurin's formula for midpoints."""
    lower, upper = (first - 0.5) / scale, (last + 0.5) / scale
    return interval_mass(lower, upper) + np.where(
        upper > lower, _correction(lower, scale) - _correction(upper, scale), 0.0
    )


def _correction(position: FloatArray, scale: float) -> FloatArray:
    """The first two corrections at one end, in units of the scale, from the first and third derivative of the density."""
    finite = np.where(np.isfinite(position), position, 0.0)
    density = np.where(np.isfinite(position), np.exp(-(finite**2) / 2) / np.sqrt(2 * np.pi), 0.0)
    first, third = -finite * density, (3 * finite - finite**3) * density
    return np.asarray(first / (24 * scale**2) - 7 * third / (5760 * scale**4))
