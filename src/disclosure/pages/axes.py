"""Places and ticks on the axes of a picture in a page."""

import math
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["LinearAxis", "LogAxis"]

_STEPS = (1, 2, 5)
# Digits of the ticks of a logarithmic axis, from many ticks to few.
_LOG_STEPS = ((1, 1.5, 2, 3, 4, 5, 7), _STEPS, (1,))
# Ticks that an axis has room for.
_MOST_TICKS = 8


class LogAxis(NamedTuple):
    """A logarithmic axis from one value to another, drawn between two places in the picture."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value stands, values outside at the ends; at two decimals, which is enough for a picture.

        Examples
        --------
        >>> axis = LogAxis(1.0, 100.0, 0.0, 200.0)
        >>> axis.place(10.0), axis.place(1000.0), axis.place(0.0)
        (100.0, 200.0, 0.0)
        """
        inside = min(max(value, self.low), self.high)
        share = (math.log(inside) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self, most: int = _MOST_TICKS) -> Sequence[float]:
        """Values with one or two digits within the axis, as many as have room.

        Examples
        --------
        >>> LogAxis(0.9, 21.0, 0.0, 1.0).ticks(), LogAxis(1.0, 3.4, 0.0, 1.0).ticks()
        ([1.0, 2.0, 5.0, 10.0, 20.0], [1.0, 1.5, 2.0, 3.0])
        >>> LogAxis(1.0, 1e4, 0.0, 1.0).ticks()
        [1.0, 10.0, 100.0, 1000.0, 10000.0]
        """
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        every = math.ceil((last - first) / most)
        offered = (
            [float(f"{step}e{power}") for power in range(first, last + 1, every) for step in steps]
            for steps in _LOG_STEPS
        )
        inside = [[value for value in values if self.low <= value <= self.high] for values in offered]
        return next((values for values in inside if len(values) <= most), inside[-1])


class LinearAxis(NamedTuple):
    """An axis from 0 to a value above, drawn between two places in the picture."""

    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value stands, values outside at the ends; at two decimals.

        Examples
        --------
        >>> LinearAxis(2.0, 100.0, 0.0).place(0.5)
        75.0
        """
        share = min(max(value, 0.0), self.high) / self.high
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> Sequence[float]:
        """From three to eight values from 0 on, at 1, 2 or 5 times a power of ten.

        Examples
        --------
        >>> LinearAxis(1.7, 0.0, 1.0).ticks()
        [0.0, 0.5, 1.0, 1.5]
        """
        power = math.floor(math.log10(self.high)) - 1
        steps = [float(f"{step}e{power + more}") for more in (0, 1) for step in _STEPS]
        step = next(step for step in steps if self.high / step < _MOST_TICKS - 2)
        return [round(k * step, 12) for k in range(math.floor(self.high / step) + 1)]
