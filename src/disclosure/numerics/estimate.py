"""A computed number and how far off it may be."""

from typing import Generic, NamedTuple, TypeVar

from disclosure.numerics.types import FloatArray

__all__ = ["Estimate"]

_Value = TypeVar("_Value", float, FloatArray)


class Estimate(NamedTuple, Generic[_Value]):
    """A value and an estimate of its absolute error, meant to be too large rather than too small.

    Both are floats, or arrays of the same shape.
    """

    value: _Value
    error: _Value
