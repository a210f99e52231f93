"""Masses of the standard normal distribution in decimal arithmetic, with as many digits as the context asks for."""

import math
from decimal import Decimal, getcontext, localcontext

__all__ = ["mass_over_density"]

# Standard deviations. Up to here the power series is summed, from here on the continued fraction is evaluated; with 20 digits
# both take about 30 terms there.
_SPLIT = Decimal(5)
# Digits that are spent where two masses below `_SPLIT` are subtracted, of which the larger is at most e^(25/2) = 10^5.5 times
# the density at the start; and a margin for the rounding of all operations.
_SPENT = 12
# Natural logarithm. Margin of the error of the continued fraction, whose estimate is off by less than a factor 100.
_FRACTION_MARGIN = 5.0


def mass_over_density(start: Decimal, width: Decimal) -> Decimal:
    """Normal mass of an interval over the density at its start, the integral of exp(-start v - v^2 / 2) for v up to a width.

    Parameters
    ----------
    start : Decimal
        At least 0, in standard deviations.
    width : Decimal
        Above 0, in standard deviations.

    Returns
    -------
    Decimal
        With a relative error of a few units of the last digit of the context.

    Examples
    --------
    >>> from decimal import Context
    >>> with localcontext(Context(prec=30)):
    ...     mass_over_density(Decimal(0), Decimal(1))
    Decimal('0.855624391892148803173304620280')
    """
    with localcontext() as context:
        # What two masses have in common is lost in their difference.
        context.prec += _SPENT + max(0, -(width * max(Decimal(1), start)).adjusted())
        end = start + width
        if start < _SPLIT:
            mass = (_mass_from_zero(end) - _mass_from_zero(start)) * (start**2 / 2).exp()
        else:
            mass = _mills(start) - (-width * (start + end) / 2).exp() * _mills(end)
    return +mass


def _mass_from_zero(end: Decimal) -> Decimal:
    """Integral of exp(-v^2 / 2) for v from 0 to ``end``."""
    if end < _SPLIT:
        return _mass_by_series(end)
    half = _mass_by_series(_SPLIT) + (-(_SPLIT**2) / 2).exp() * _mills(_SPLIT)
    return half - (-(end**2) / 2).exp() * _mills(end)


def _mass_by_series(end: Decimal) -> Decimal:
    """The same by a series of positive terms, exp(-end^2 / 2) (end + end^3 / 3 + end^5 / (3 5) + ...)."""
    square, term, total, odd = end**2, end, end, 1
    smallest = Decimal(10) ** -getcontext().prec
    # Terms grow while the odd number is below the square, and then fall faster than a geometric series.
    while term > smallest * total or odd < square:
        odd += 2
        term = term * square / odd
        total += term
    return (-square / 2).exp() * total


def _mills(start: Decimal) -> Decimal:
    """Mills' ratio, the upper tail over the density, by Laplace's continued fraction 1 / (x + 1 / (x + 2 / (x + ...))).

    The k-th term reduces its relative error by a factor of about exp(2 arsinh(x / (2 sqrt(k)))), the ratio of the two solutions
    of the recursion y_(k + 1) = x y_k + k y_(k - 1) for large k.
    """
    wanted, terms = getcontext().prec * math.log(10.0) + _FRACTION_MARGIN, 0
    while wanted > 0:
        terms += 1
        wanted -= 2 * math.asinh(float(start) / (2 * math.sqrt(terms)))
    denominator = start
    for number in range(terms, 0, -1):
        denominator = start + number / denominator
    return 1 / denominator
