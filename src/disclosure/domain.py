"""Checks of arguments, so that a value outside its domain is refused where it enters, by name."""

import numpy as np

__all__ = ["ConvergenceError", "DomainError", "count", "number", "within"]


class DomainError(ValueError):
    """A value outside the domain of the quantity that it stands for."""


class ConvergenceError(ArithmeticError):
    """A number that was not found to the accuracy wanted within the work allowed.

    The message says which number and how far it got. A larger relative error, or the same question from a less extreme
    setting, may have an answer.
    """


def within(name, value, interval, hint=""):
    """Return ``value`` as a float array if all of it lies in ``interval``.

    Parameters
    ----------
    name : str
        What the caller calls the value.
    value : array_like
    interval : str
        For example ``"(0, 1]"`` or ``"[0, inf)"``; a round bracket leaves its end out. NaN lies in no interval.
    hint : str, optional
        What to do about it, appended to the message.

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
    disclosure.domain.DomainError: delta = 0.0 is outside (0, 1]
    """
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise DomainError(f"{name} = {value!r} is not numeric; allowed: {interval}") from None
    low, high = (float(end) for end in interval[1:-1].split(","))
    inside = (array >= low if interval[0] == "[" else array > low) & (
        array <= high if interval[-1] == "]" else array < high
    )
    if not np.all(inside):
        first = float(array[~inside].flat[0]) if array.ndim else float(array)
        raise DomainError(f"{name} = {first} is outside {interval}" + (f"; {hint}" if hint else ""))
    return array


def number(name, value, interval, hint=""):
    """Return a single ``value`` as a float if it lies in ``interval``, else raise `DomainError`; see `within`."""
    array = within(name, value, interval, hint)
    if array.ndim:
        raise DomainError(f"{name} has shape {array.shape}; expected a single number")
    return float(array)


def count(name, value, at_least):
    """Return ``value`` as an int if it is a whole number not below ``at_least``, else raise `DomainError`."""
    whole = not isinstance(value, bool | np.bool_) and isinstance(value, int | float | np.integer | np.floating)
    if not whole or value != value or value in (float("inf"), -float("inf")) or int(value) != value or value < at_least:
        raise DomainError(f"{name} = {value!r} is not a whole number of at least {at_least}")
    return int(value)
