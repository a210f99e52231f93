"""Normal masses in decimal arithmetic, against mpmath."""

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext

import pytest
from mpmath import mp, mpf

from disclosure.numerics.decimal_tails import mass_over_density


@pytest.mark.parametrize("digits", [20, 60, 160])
@pytest.mark.parametrize("start", ["0", "1e-30", "0.7", "4.999", "5", "5.3", "38", "3e5"])
@pytest.mark.parametrize("width", ["1e-25", "0.02", "1", "4.5", "80"])
def test_all_digits_are_right(start, width, digits):
    with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        value = mass_over_density(Decimal(start), Decimal(width))
    with mp.workdps(digits + 60):
        begin, end = mpf(start), mpf(start) + mpf(width)
        tails = mp.erfc(begin / mp.sqrt(2)) - mp.erfc(end / mp.sqrt(2))
        expected = mp.sqrt(mp.pi / 2) * mp.exp(begin**2 / 2) * tails
        assert abs(mpf(str(value)) / expected - 1) < mpf(10) ** (1 - digits)


def test_far_out_only_the_exponential_is_left():
    with localcontext(Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        assert mass_over_density(Decimal("1e30"), Decimal(1)) == Decimal("1e-30")
