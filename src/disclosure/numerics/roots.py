"""Roots of monotone functions, many at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics.types import FloatArray

__all__ = ["root_between"]


def root_between(
    function: Callable[..., FloatArray], low: ArrayLike, high: ArrayLike, *arguments: ArrayLike
) -> FloatArray:
    """The point at which a function changes its sign, to the last digits, entry by entry.

    Parameters
    ----------
    function : callable
        ``function(x, *arguments)`` of arrays of one shape gives an array of that shape.
    low, high, *arguments : array_like
        Two points at which the function has different signs, and what else it takes, broadcast against each other.

    Returns
    -------
    ndarray

    Raises
    ------
    ArithmeticError
        Where the signs at the two points are the same.

    Examples
    --------
    >>> root_between(lambda x, square: x**2 - square, 0.0, 10.0, [4.0, 9.0]).round(12).tolist()
    [2.0, 3.0]
    """
    from scipy.optimize import elementwise  # slow to import, and only what inverts needs it

    lower, upper, *others = np.broadcast_arrays(low, high, *arguments)
    ends = lower.astype(float), upper.astype(float)
    # Without an absolute tolerance the smallest floats are roots as exact as others.
    found = elementwise.find_root(function, ends, args=tuple(others), tolerances={"xatol": 0.0})
    if not np.all(found.success):
        raise ArithmeticError("the function has the same sign at both ends of a bracket")
    return np.asarray(found.x)
