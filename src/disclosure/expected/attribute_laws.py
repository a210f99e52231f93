"""Laws of an attribute: the ones that have names, finite lists of values, and densities; and how a caller writes each."""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.expected.densities import Beta, Density, Uniform
from disclosure.expected.density_functions import FromFunction
from disclosure.expected.law_names import NAMES
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = ["NAMED", "AttributeLaw", "Discrete", "Written", "attribute_law"]

# How far probabilities may sum from 1 before they are divided by their sum.
_SUM_TOLERANCE = 1e-9
_HINT = (
    '("beta", a, b), (function, low, high), (function, low, breaks..., high), or for expected values '
    '("discrete", values, probabilities)'
)


class AttributeLaw(Protocol):
    """What noise needs to know of a law of an attribute.

    Attributes
    ----------
    sensitivity : float
        Length of the interval that the caller states, or the range of the values; in the units of the attribute.
    unit : float
        Length, in the units of the attribute, in which the noise is measured.
    spread : float
        Largest distance of two attributes, in units of ``unit``.
    """

    @property
    def sensitivity(self) -> float: ...

    @property
    def unit(self) -> float: ...

    @property
    def spread(self) -> float: ...


class Discrete:
    """A finite list of distinct values with their probabilities.

    Parameters
    ----------
    values, probabilities : array_like, shape (k,)
        The probabilities in (0, 1], with sum 1.
    """

    unit = 1.0

    def __init__(self, values: ArrayLike, probabilities: ArrayLike) -> None:
        values = checks.within("values", values, "(-inf, inf)")
        probabilities = checks.within("probabilities", probabilities, "(0, 1]", "leave out values without probability")
        distinct = values.ndim == 1 and len(np.unique(values)) == values.size > 0
        if not distinct or values.shape != probabilities.shape:
            raise errors.DomainError(
                f"values has shape {values.shape} and probabilities {probabilities.shape}; expected as many distinct values"
            )
        if abs(probabilities.sum() - 1) > _SUM_TOLERANCE:
            raise errors.DomainError(f"probabilities sums to {float(probabilities.sum())!r}; a distribution sums to 1")
        self.values, self.probabilities = values, probabilities / probabilities.sum()
        self.sensitivity = self.spread = float(np.ptp(values))


Law: TypeAlias = Density | Discrete
Written: TypeAlias = (
    str
    | tuple[str, float, float]
    | tuple[str, ArrayLike, ArrayLike]
    | tuple[Callable[[FloatArray], FloatArray], *tuple[float, ...]]
    | Law
)

# The laws that have names, for callers and for configurations.
NAMED: Mapping[str, Callable[[], Law]] = dict(
    zip(NAMES, (Uniform, functools.partial(Discrete, [0.0, 1.0], [0.5, 0.5])), strict=True)
)


def attribute_law(written: Written) -> Law:
    """Law of an attribute from what a caller may write for it, or raise `DomainError`.

    Parameters
    ----------
    written : str or tuple or Density or Discrete
        One of the names in `NAMED`; ``("beta", a, b)``, a, b in (0, inf); ``("discrete", values, probabilities)``; or
        ``(function, low, high)`` with a function from an array of attributes to their density, smooth inside (low, high)
        and with a power of the distance from -0.95 on at each end. Points between low and high where it has a kink or
        a jump go between them.

    Examples
    --------
    >>> attribute_law("binary").values
    array([0., 1.])
    """
    if isinstance(written, Density | Discrete):
        return written
    if isinstance(written, str) and written in NAMED:
        return NAMED[written]()
    parts: tuple[Any, ...] = written if isinstance(written, tuple) and written else (None,)
    kind, *rest = parts
    if isinstance(kind, str) and kind == "beta" and len(rest) == 2:
        a, b = (checks.number(f"beta parameter {n}", v, "(0, inf)") for n, v in zip("ab", rest, strict=True))
        return Uniform() if a == b == 1 else Beta(a, b)
    if isinstance(kind, str) and kind == "discrete" and len(rest) == 2:
        return Discrete(*rest)
    if callable(kind) and len(rest) >= 2:
        return FromFunction(kind, checks.within("ends of the density", rest, "(-inf, inf)"))
    names = ", ".join(f'"{name}"' for name in NAMED)
    raise errors.DomainError(f"attributes = {written!r} is not understood; use {names}, {_HINT}")
