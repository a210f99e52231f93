"""The methods of drawing a dataset's releases, by their names.

Names stand apart from what they name, here and in other rooms, so that a configuration is checked without importing SciPy.
"""

__all__ = ["METHODS"]

METHODS = ("threshold", "literal")
"""Modules of this room: `threshold` compares a release with the set that fails, `literal` evaluates its ratio as printed."""
