"""What is asked of the posterior-to-prior ratio of belief in presence."""

from typing import NamedTuple

__all__ = ["ASKED", "Asked"]


class Asked(NamedTuple):
    """What is asked of the ratio.

    Attributes
    ----------
    probability : float
        Except with which belief stays within the factors, in (0, 1/2].
    ratio : float
        The ratio whose probability of being exceeded is told, in (1, inf).
    """

    probability: float
    ratio: float


ASKED = Asked(probability=1e-3, ratio=2.0)
"""What is asked unless told otherwise."""
