"""A run of paper A's study, its replications and its expected values, as the claims look at them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from disclosure.numerics.types import FloatArray
from disclosure.study.points import Point

__all__ = ["BySweep", "Columns", "Study"]

BySweep: TypeAlias = Mapping[str, FloatArray]
_VARIED = {"figure1": "epsilon", "figure2": "sample", "figure3": "delta", "figure3_at_095": "delta"}


class Columns(NamedTuple):
    """Columns over the points of one sweep, or of several one after the other; arrays of shape (..., points)."""

    x: FloatArray
    """The parameter that varies, of shape (points,)."""
    t: FloatArray
    """T_bar."""
    e: FloatArray
    """Standard error of T_bar."""
    f: FloatArray
    """F_bar."""

    def each(self) -> list["Columns"]:
        """The columns of each replication of a stack."""
        return [Columns(self.x, *rows) for rows in zip(*self[1:], strict=True)]


@dataclass(frozen=True)
class Study:
    """One run of the study, or a stack of replications along the first axis, by sweep.

    Attributes
    ----------
    points : dict of str to list of Point
    upper_limit, upper_limit_error, failure : dict of str to ndarray, shape (..., points)
        T_bar, its standard error over the datasets, and F_bar.
    """

    points: Mapping[str, Sequence[Point]]
    upper_limit: BySweep
    upper_limit_error: BySweep
    failure: BySweep

    def columns(self, sweeps: Sequence[str]) -> Columns:
        """The columns of sweeps, one sweep after the other."""
        x = [[getattr(point, _VARIED[sweep]) for point in self.points[sweep]] for sweep in sweeps]
        stacked = (self.upper_limit, self.upper_limit_error, self.failure)
        return Columns(
            np.concatenate(x).astype(float),
            *(np.concatenate([column[sweep] for sweep in sweeps], axis=-1) for column in stacked),
        )

    def has(self, sweeps: Sequence[str]) -> bool:
        """Whether all of these sweeps are there."""
        return all(sweep in self.points for sweep in sweeps)
