"""Numbers as a reader says them."""

import math

__all__ = ["chance", "count", "number", "percent", "times"]

# From here on a number has signs between thousands, and from there on, or below the least, a power of ten.
_THOUSAND, _MOST_SAID, _LEAST_PLAIN = 1e3, 1e9, 1e-4
# Digits that a number below a thousand has at least, so that none of it is left to an exponent.
_PLAIN_DIGITS = 3
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Relative distance from a whole number up to which a quotient is called that.
_WHOLE = 1e-9
# Hundredths below this are told as such.
_LEAST_SAID = 0.1


def number(value: float, digits: int = 4) -> str:
    """A number at some digits, without a power of ten where it can be read so.

    Examples
    --------
    >>> [number(value) for value in (3.0486, 12345.6, 0.00012345, 1.2e-9, float("inf"), float("nan"))]
    ['3.049', '12,350', '0.0001234', '1.2 × 10⁻⁹', '∞', '']
    >>> number(112.3, 2), number(2.6214e9), number(-1500.0), number(1e-6)
    ('110', '2.621 × 10⁹', '−1,500', '10⁻⁶')
    """
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = float(f"{abs(value):.{digits}g}")
    if size >= _MOST_SAID or 0 < size < _LEAST_PLAIN:
        said = _with_power(size, digits)
    else:
        said = f"{size:,.0f}" if size >= _THOUSAND else f"{size:.{max(digits, _PLAIN_DIGITS)}g}"
    return f"−{said}" if value < 0 and size else said


def _with_power(size: float, digits: int) -> str:
    mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    return power if float(mantissa) == 1 else f"{float(mantissa):g} × {power}"


def count(value: float) -> str:
    """A number of people, of which there may be infinitely many."""
    return "infinitely many" if value == math.inf else f"{value:,.0f}"


def chance(probability: float) -> str:
    """A probability as one in so many, where that is a whole number.

    Examples
    --------
    >>> chance(1e-3), chance(0.05), chance(0.3)
    ('1 in 1,000', '1 in 20', '0.3')
    """
    inverse = 1 / probability
    if inverse > _MOST_SAID or abs(inverse - round(inverse)) > _WHOLE * inverse:
        return number(probability)
    return f"1 in {round(inverse):,}"


def percent(share: float) -> str:
    """A share in hundredths.

    Examples
    --------
    >>> percent(0.08), percent(0.047619), percent(0.1146), percent(1.0), percent(1e-5)
    ('8%', '4.8%', '11.5%', '100%', 'less than 0.1%')
    """
    hundredths = 100 * share
    return "less than 0.1%" if 0 < hundredths < _LEAST_SAID else f"{round(hundredths, 1):g}%"


def times(factor: float) -> str:
    """A factor below 1 as one over its inverse.

    Examples
    --------
    >>> times(2.406), times(0.4)
    ('2.406', '1/2.5')
    """
    return number(factor) if factor >= 1 or factor <= 0 else f"1/{number(1 / factor)}"
