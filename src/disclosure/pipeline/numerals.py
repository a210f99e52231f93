"""The grammar of numbers that are read from text: a sign, digits with at most one point, an exponent.

Python and YAML 1.1 take more for a number: ``1_80`` is 180 to both, and to YAML ``1:30`` is 90 and ``010`` is 8, which nobody
means. And YAML takes less: ``1e-3`` is text to it.
"""

import math
import re

__all__ = ["parse"]

_NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def parse(text: str) -> int | float | None:
    """The number that a text stands for, an int if it has digits alone; None if it stands for none.

    Examples
    --------
    >>> [parse(text) for text in ("180", "-.5", "1e-3", "010")]
    [180, -0.5, 0.001, 10]
    >>> [parse(text) for text in ("1_80", "1:30", "0x10", "inf", "", "1 ")]
    [None, None, None, None, None, None]
    """
    found = _NUMERAL.fullmatch(text)
    if found is None:
        return None
    number = float(text)
    whole = found[2] is None and "." not in text
    # Python reads no whole number of more than 4,300 digits; as a float it is infinite.
    return int(text) if whole and math.isfinite(number) else number
