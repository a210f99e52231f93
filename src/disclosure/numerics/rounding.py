"""Rounding to the private side: a number that is computed or printed promises no more than the exact one.

Noise is rounded up and epsilon is rounded to whichever side a guarantee asks for. A computed root may lie on the wrong side of
the exact one by a few units in the last place; `to_private_side` moves it across.
"""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import checks
from disclosure.numerics.types import FloatArray

__all__ = ["UNIT", "quotient_up", "round_down", "round_up", "to_private_side"]

UNIT = float(np.finfo(float).eps)
"""The unit of relative rounding, 2^-52: the distance from 1 to the next larger float."""


def to_private_side(
    excess: Callable[[FloatArray], ArrayLike], value: ArrayLike, *, downwards: bool = False
) -> FloatArray:
    """Move values by as few units in the last place as it takes until ``excess`` is not above 0.

    Parameters
    ----------
    excess : callable
        From an array of values to the array of what exceeds its limit there. It falls in the direction of the move.
    value : array_like
        Positive. Entries that are 0 or infinite stay as they are.
    downwards : bool, optional
        Whether values become smaller; larger by default.

    Returns
    -------
    ndarray
        The relative steps are 2^-52, and then twice the one before. So an entry that is off by k units moves by less than
        2 k + 2 units.

    Examples
    --------
    >>> float(to_private_side(lambda root: 2 - root * root, 1.4142135623730947))
    1.41421356237309...
    """
    moved, step = np.asarray(value, dtype=float), UNIT
    sign = -1 if downwards else 1
    while np.any(outside := (np.asarray(excess(moved)) > 0) & (moved != 0) & np.isfinite(moved)):
        moved, step = np.where(outside, moved * (1 + sign * step), moved), 2 * step
    return moved


def quotient_up(dividend: float, divisor: float) -> float:
    """Smallest float that is not below the exact quotient of two positive floats.

    Compared as fractions: a quotient of floats could itself be rounded to the wrong side.

    Examples
    --------
    >>> quotient_up(1.0, 0.5), quotient_up(1.0, 3.0) > 1 / 3
    (2.0, True)
    """
    quotient = dividend / divisor
    while math.isfinite(quotient) and Fraction(quotient) * Fraction(divisor) < Fraction(dividend):
        quotient = math.nextafter(quotient, math.inf)
    return quotient


def round_down(value: float, decimals: int) -> float:
    """Largest number with so many decimals whose float does not exceed a value.

    Parameters
    ----------
    value : float
        In [0, inf]; infinity stays infinite.
    decimals : int
        At least 0.

    Returns
    -------
    float
        At most ``value``; ``value`` itself when it is the float of a number with so many decimals, although that float may lie
        a little below the number.

    Examples
    --------
    >>> round_down(0.34657359027997264, 2)
    0.34
    >>> round_down(0.29, 2), round_down(0.29, 1)
    (0.29, 0.2)
    """
    value = checks.number("value", value, "[0, inf]")
    unit: int = 10 ** checks.count("decimals", decimals, 0)
    if math.isinf(value):
        return value
    # In whole numbers nothing is rounded, and dividing two of them rounds correctly.
    steps = math.floor(Fraction(value) * unit)
    return (steps + 1) / unit if (steps + 1) / unit <= value else steps / unit


def round_up(sigma: float, digits: int = 12) -> float:
    """Smallest number of so many significant digits that is not below sigma."""
    if sigma == 0:
        return 0.0
    return float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(sigma)))
