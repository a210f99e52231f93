"""One grammar of numbers, for the cells of tables, the options of commands and YAML.

A number is written in decimal digits with at most one decimal point. A sign may stand before them, and an exponent of 10 after
them: 12, -0.5, .5, 1., +3, 1e-3. That is the expression `NUMBER`, and blanks may stand around it. Python and YAML take more for
numbers, each something else: 1_80 (Python: 180), 1:30 (YAML: 90), 010 (YAML: 8), 0x10, inf and nan. A text outside the grammar
is no number here, and none is guessed from it.
"""

import math
import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from disclosure.numerics.errors import DomainError
from disclosure.numerics.types import FloatArray

__all__ = ["NUMBER", "fault", "number", "numbers", "parsed", "whole"]

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"

_BLANK = " \t"
_NUMBER = re.compile(NUMBER)
# A text that `float` takes and that has no other characters than these is in the grammar, and the other way round.
_FOREIGN = re.compile(r"[^-+.0-9eE \t]")
_FAULTS = {
    r"": "is empty",
    r"(?:[0-9]{4}([-./])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-./])[0-9]{1,2}\2(?:[0-9]{2}){1,2})(?:[T ].*)?": "is a date",
    r"[0-9.,]+ ?[-\u2013] ?[0-9.,]+": "is a range",
    r"[\u2212\u2013][0-9.,]+": "has a dash in place of the sign -",
    r"[-+0-9., ]*[0-9] ?%": "has a percent sign",
    r"[-+]?[$\u20ac\u00a3\u00a5].*|[-+]?[0-9].*[$\u20ac\u00a3\u00a5]": "has a sign of a currency",
    r"[-+]?[0-9]{1,3}(?:[' \u2019\u00a0\u202f][0-9]{3})+(?:[.,][0-9]*)?": "has a sign between thousands",
    r"(?i)[+-]?\.?(?:inf|infinity|nan)": "is not finite",
    r".*_.*": "has an underscore",
    r"(?i)[+-]?0[xob][0-9a-f]+": "is not decimal",
    r"[-+.0-9]+(?::[-+.0-9]+)+": "has a colon",
    r"[-+.0-9]+(?:,[-+.0-9eE]*)+": "has a comma; the decimal sign is a point, and nothing stands between thousands",
}


def fault(text: str) -> str | None:
    """What keeps a text from being a number, or None for a number.

    Examples
    --------
    >>> fault("1_80"), fault("tall"), fault("1.5e-3")
    ('has an underscore', 'is no number', None)
    """
    text = text.strip(_BLANK)
    if _NUMBER.fullmatch(text):
        return None if math.isfinite(float(text)) else "is too large for a number"
    return next((said for form, said in _FAULTS.items() if re.fullmatch(form, text)), "is no number")


def number(text: str) -> float:
    """The number that a text stands for.

    Parameters
    ----------
    text : str
        In the grammar above.

    Returns
    -------
    float
        Finite.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        With the text, and what in it is no part of a number.

    Examples
    --------
    >>> number("1e-3"), number(" .5 ")
    (0.001, 0.5)
    """
    if said := fault(text):
        raise DomainError(f"{text!r} {said}; write a number like 12, -0.5 or 1e-3")
    return float(text)


def whole(text: str) -> int:
    """The whole number that a text stands for, exactly, as `number` does for any number.

    Examples
    --------
    >>> whole("200"), whole("1e6"), whole("200.0")
    (200, 1000000, 200)
    """
    number(text)
    value = Decimal(text.strip(_BLANK))
    if value != value.to_integral_value():
        raise DomainError(f"{text!r} is not a whole number; write one like 12 or 1e6")
    return int(value)


def parsed(text: str) -> int | float | None:
    """The number that a text stands for, an int if it is written as one; None if it stands for none.

    Examples
    --------
    >>> [parsed(text) for text in ("180", "-.5", "1e-3", "010", "1_80", "1:30", "inf")]
    [180, -0.5, 0.001, 10, None, None, None]
    """
    if fault(text):
        return None
    return whole(text) if text.strip(_BLANK).lstrip("+-").isdigit() else float(text)


def numbers(texts: Sequence[str]) -> FloatArray:
    """`number` of many texts, with NaN in the place of those that are none.

    Parameters
    ----------
    texts : list of str

    Returns
    -------
    ndarray of float

    Examples
    --------
    >>> numbers(["1", "1_80", "1e-3"])
    array([1.   ,   nan, 0.001])
    """
    try:
        if not _FOREIGN.search("".join(texts)):
            values = np.array(list(map(float, texts)))
            return np.where(np.isfinite(values), values, np.nan)
    except ValueError:
        pass
    return np.array([float("nan" if fault(text) else text) for text in texts])
