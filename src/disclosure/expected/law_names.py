"""The names that a law of an attribute may have; `disclosure.expected.attribute_laws` has the laws."""

__all__ = ["NAMES"]

NAMES = ("uniform", "binary")
"""Uniform on [0, 1]; 0 or 1 at even odds."""
