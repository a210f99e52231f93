"""Numbers as a reader says them."""

import math

__all__ = ["chance", "count", "number", "percent", "times"]

# From here on a number has signs between thousands, and from there on an exponent.
_THOUSAND, _MOST_SAID = 1e3, 1e9
# Relative distance from a whole number up to which a quotient is called that.
_WHOLE = 1e-9
# Hundredths below this are told as such.
_LEAST_SAID = 0.1


def number(value: float, digits: int = 4) -> str:
    """A number at some digits, without an exponent where it can be read so.

    Examples
    --------
    >>> [number(value) for value in (3.0486, 12345.6, 0.00012345, 1.2e-9, float("inf"), float("nan"))]
    ['3.049', '12,350', '0.0001234', '1.2e-09', '∞', '']
    """
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    short = f"{value:.{digits}g}"
    if _THOUSAND <= abs(value) < _MOST_SAID:
        return f"{float(short):,.0f}"
    return short.replace("-", "−", 1) if short.startswith("-") else short


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
