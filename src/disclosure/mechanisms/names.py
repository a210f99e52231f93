"""The names of the mechanisms that add noise to an answer; `disclosure.mechanisms.named` has the mechanisms."""

__all__ = ["NAMES", "WHOLE"]

NAMES = ("gaussian", "laplace", "geometric", "discrete_gaussian")

WHOLE = ("geometric", "discrete_gaussian")
"""Those whose noise is whole numbers, for answers that are whole numbers."""
