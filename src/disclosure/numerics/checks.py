"""Checks of arguments, so that a value outside its domain is refused where it enters, by name."""

import math
import reprlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics.errors import DomainError
from disclosure.numerics.types import FloatArray

__all__ = ["broadcast", "count", "distribution", "number", "point", "within"]

# How far the sum of weights may be from 1: they may have been written with ten digits or so.
_SUM_TOLERANCE = 1e-9


def within(name: str, value: ArrayLike, interval: str, hint: str = "", end_hint: str = "") -> FloatArray:
    """Return ``value`` as a float array if all of it lies in ``interval``.

    Parameters
    ----------
    name : str
        What the caller calls the value.
    value : array_like
        Numbers. Text, truth values, None, complex numbers and masked entries are none.
    interval : str
        For example ``"(0, 1]"`` or ``"[0, inf)"``; a round bracket leaves its end out. NaN lies in no interval.
    hint : str, optional
        What to do about it, appended to the message.
    end_hint : str, optional
        The same, for a value that is the lower end which the interval leaves out.

    Raises
    ------
    DomainError
        Naming the first value that lies outside.

    Examples
    --------
    >>> within("delta", 0.5, "(0, 1]")
    array(0.5)
    >>> within("delta", [0.5, 0.0], "(0, 1]")
    Traceback (most recent call last):
    ...
    disclosure.numerics.errors.DomainError: delta = 0.0 is outside (0, 1]
    """
    array = _numbers(name, value, interval)
    low, high = (float(end) for end in interval[1:-1].split(","))
    inside = (array >= low if interval[0] == "[" else array > low) & (
        array <= high if interval[-1] == "]" else array < high
    )
    if not np.all(inside):
        first = float(array[~inside].flat[0]) if array.ndim else float(array)
        hint = end_hint if end_hint and first == low else hint
        raise DomainError(f"{name} = {first} is outside {interval}" + (f"; {hint}" if hint else ""))
    return array


def _numbers(name: str, value: ArrayLike, interval: str) -> FloatArray:
    """The value as a float array, without what numpy would take for a number or leave out in silence."""
    for odd in _odd_entries(value):
        if odd is np.ma.masked:
            raise DomainError(f"{name} has masked entries; leave them out, or fill them with numbers")
        raise DomainError(f"{name} = {_shown(odd)} is not numeric; allowed: {interval}")
    try:
        return np.asarray(value, dtype=float)
    except OverflowError:
        raise DomainError(f"{name} = {_shown(value)} is too large for a float; allowed: {interval}") from None
    except (TypeError, ValueError):
        raise DomainError(f"{name} = {_shown(value)} is not numeric; allowed: {interval}") from None


def _odd_entries(value: Any) -> Iterator[Any]:
    """The masked entries, and those that are no numbers although numpy would turn them into some."""
    if isinstance(value, list | tuple):
        for entry in value:
            yield from _odd_entries(entry)
    elif hasattr(value, "__array__"):
        if np.ma.is_masked(value):
            yield np.ma.masked
        array = np.asarray(value)
        if array.dtype.kind == "O":
            yield from _odd_entries(array.ravel().tolist())
        elif array.dtype.kind not in "iuf":
            yield from array.ravel()[:1].tolist()
    elif value is None or isinstance(value, str | bytes | bool | complex):
        yield value


def _shown(value: Any) -> str:
    """A value in one short line."""
    return " ".join(reprlib.repr(value).split())


def number(name: str, value: ArrayLike, interval: str, hint: str = "", end_hint: str = "") -> float:
    """Return a single ``value`` as a float if it lies in ``interval``, else raise `DomainError`; see `within`."""
    array = within(name, value, interval, hint, end_hint)
    if array.ndim:
        raise DomainError(f"{name} has shape {array.shape}; expected a single number")
    return float(array)


def count(name: str, value: Any, at_least: float, at_most: float = math.inf) -> int:
    """Return ``value`` as an int if it is a whole number from ``at_least`` to ``at_most``, else raise `DomainError`."""
    whole = not isinstance(value, bool | np.bool_) and isinstance(value, int | float | np.integer | np.floating)
    if not whole or value != value or value in (float("inf"), -float("inf")) or int(value) != value or value < at_least:
        raise DomainError(f"{name} = {_shown(value)} is not a whole number of at least {at_least}")
    if value > at_most:
        raise DomainError(f"{name} = {_shown(value)} is not a whole number of at most {at_most}")
    return int(value)


def broadcast(**arrays: ArrayLike) -> None:
    """Raise `DomainError` with the names unless the arrays' shapes broadcast against each other."""
    try:
        np.broadcast_shapes(*(np.shape(array) for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {np.shape(array)}" for name, array in arrays.items())
        raise DomainError(f"shapes do not fit together: {shapes}; give single numbers or arrays of one shape") from None


def point(population: Any, sample: Any, epsilon: ArrayLike, delta: ArrayLike) -> tuple[int, int, float, float]:
    """Return n, m, epsilon and delta as numbers, else raise `DomainError`.

    Parameters
    ----------
    population, sample : int
        n and m, 1 <= m <= n.
    epsilon : float
        In (0, inf).
    delta : float
        In (0, 1].
    """
    people, members = count("population", population, 1), count("sample", sample, 1)
    if members > people:
        raise DomainError(
            f"sample = {members} is larger than population = {people}; a sample is drawn from the population"
        )
    return (
        people,
        members,
        number("epsilon", epsilon, "(0, inf)", end_hint="no noise level can be calibrated to epsilon = 0"),
        number("delta", delta, "(0, 1]"),
    )


def distribution(name: str, weights: ArrayLike | None, size: int) -> FloatArray:
    """Return a prior over ``size`` candidates, divided by its sum, which is 1 but for the digits left out.

    Parameters
    ----------
    name : str
        What the caller calls the weights.
    weights : array_like, shape (..., size), or None
        In (0, 1], summing to 1 over the last axis within 1e-9. None stands for equal weights.
    size : int

    Returns
    -------
    ndarray, shape (..., size)

    Raises
    ------
    DomainError
        Naming the weight, shape or sum that is none of a distribution.

    Examples
    --------
    >>> distribution("weights", None, 4)
    array([0.25, 0.25, 0.25, 0.25])
    """
    if weights is None:
        return np.full(size, 1 / size) if size else np.empty(0)
    weights = within(name, weights, "(0, 1]", "leave out candidates without prior probability")
    if weights.shape[-1:] != (size,):
        raise DomainError(f"{name} has shape {weights.shape}; expected {size} along its last axis")
    total = weights.sum(axis=-1, keepdims=True)
    if size and not np.allclose(total, 1.0, rtol=0, atol=_SUM_TOLERANCE):
        raise DomainError(f"{name} sums to {float(total.flat[0])!r}; a distribution sums to 1")
    return np.asarray(weights / total)
