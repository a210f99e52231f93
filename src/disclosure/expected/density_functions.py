"""Densities of an attribute that a caller gives as functions."""

from collections.abc import Callable

import numpy as np

from disclosure.expected import density_tables
from disclosure.expected.densities import Density
from disclosure.numerics import errors
from disclosure.numerics.quadrature import gauss
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["FromFunction"]

_CONCENTRATED = "put breaks around places where it is concentrated"
# Distance of a density's mass from 1 that is accepted. Expected values have it as a relative error.
_MASS_TOLERANCE = 1e-7
# Lengths of the interval. The power like which the density rises towards an end is measured between these two distances from
# it.
_MEASURED = np.array([1e-7, 1e-5])
# Least power that is returned: a density that rises like the power -1 has no finite mass.
_LEAST_POWER = -1 + 1e-9
# Nodes of Gauss's rule for the mass of a whole panel, and of a part of a panel.
_WHOLE, _PART = 24, 16


class FromFunction(Density):
    """A density that is given as a function, on the part of its interval between the first and the last value above 0.

    Parameters
    ----------
    function : callable
        From an array of attributes to their density.
    ends : ndarray, shape (k,)
        Increasing. The first and the last are the ends of the interval; at those between the density is not smooth.
    """

    def __init__(self, function: Callable[[FloatArray], FloatArray], ends: FloatArray) -> None:
        if not np.all(np.diff(ends) > 0):
            raise errors.DomainError(
                f"ends of the density = {ends.tolist()} do not increase; use (function, low, breaks..., high)"
            )
        self.function, self.low, self.high = function, float(ends[0]), float(ends[-1])
        self.sensitivity = self.unit = self.high - self.low
        breaks = (ends - self.low) / self.unit
        points, log = density_tables.log_table(lambda b: self(b, 1 - b), breaks)
        if not np.any(log > -np.inf):
            raise errors.DomainError(f"density has mass 0.0 wherever it was looked at; {_CONCENTRATED}")
        begin, end = (density_tables.snapped(place, breaks) for place in density_tables.support(points, log))
        self.low, self.high = self.low + self.unit * begin, self.high - self.unit * (1 - end)
        self.breaks = tuple((breaks[(breaks > begin) & (breaks < end)] - begin) / (end - begin))
        self.unit = self.high - self.low
        self.powers = self._rise(lambda d: self(d, 1 - d)), self._rise(lambda d: self(1 - d, d))
        super().__init__()
        self._cumulate()

    def __call__(self, b: FloatArray, c: FloatArray) -> FloatArray:
        attributes = np.where(b <= c, self.low + self.unit * b, self.high - self.unit * c)
        inside = np.clip(attributes, np.nextafter(self.low, self.high), np.nextafter(self.high, self.low))
        values = np.asarray(self.function(inside), dtype=float)
        if values.shape != inside.shape or not np.all(values >= 0):
            raise errors.DomainError(
                f"the function of the density gives shape {values.shape}, least value {float(np.min(values))!r}, for "
                f"attributes of shape {inside.shape}; expected as many values in [0, inf)"
            )
        return self.unit * values

    def below(self, b: FloatArray) -> FloatArray:
        b = np.clip(b, 0.0, 1.0)
        panel = self._panel(b)
        return self._cumulated[panel] + self._part(self._ends[panel], b)

    def above(self, b: FloatArray) -> FloatArray:
        b = np.clip(b, 0.0, 1.0)
        panel = self._panel(b) + 1
        return self._remaining[panel] + self._part(b, self._ends[panel])

    @staticmethod
    def _rise(function: Callable[[FloatArray], FloatArray]) -> float:
        """Power of the distance from an end like which a function of the distance rises there; 0 if it does not rise."""
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = np.log(function(_MEASURED))
            slope = (second - first) / np.log(_MEASURED[1] / _MEASURED[0])
        return max(float(np.nanmin([0.0, slope])), _LEAST_POWER)

    def _cumulate(self) -> None:
        """Find the masses on either side of the ends of fine panels, or refuse a density whose whole mass is not 1."""
        ends = self._fine_ends()
        _, weights = self.rule(ends, _WHOLE)
        masses = weights.reshape(len(ends) - 1, -1).sum(axis=1)
        if not (np.isfinite(masses).all() and np.all(masses >= 0) and abs(masses.sum() - 1) < _MASS_TOLERANCE):
            raise errors.DomainError(
                f"density has mass {float(masses.sum())!r} on its interval; expected 1, from values in [0, inf) "
                f"smooth between the breaks given: {_CONCENTRATED}"
            )
        self._ends = ends
        self._cumulated = np.concatenate([[0.0], np.cumsum(masses)])
        self._remaining = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])

    def _panel(self, b: FloatArray) -> IntArray:
        """Number of the panel in which each point lies."""
        return np.clip(np.searchsorted(self._ends, b, side="right") - 1, 0, len(self._ends) - 2)

    def _part(self, begin: FloatArray, end: FloatArray) -> FloatArray:
        """Mass between two points of the same panel."""
        nodes, weights = gauss(_PART)
        u = (nodes + 1) / 2
        length = np.expand_dims(end - begin, -1)
        b = np.expand_dims(begin, -1) + length * u
        c, rule_weights = 1 - b, length * weights / 2
        first, last = begin == 0, end == 1
        distance, weight = self._near_end(_PART, 0)
        b[first], rule_weights[first] = length[first] * distance, length[first] * weight
        distance, weight = self._near_end(_PART, 1)
        c[last], rule_weights[last] = length[last] * distance, length[last] * weight
        c[first], b[last] = 1 - b[first], 1 - c[last]
        inside = (b > 0) & (c > 0)
        values = np.zeros_like(b)
        values[inside] = self(b[inside], c[inside])
        return np.asarray((rule_weights * values).sum(axis=-1))
