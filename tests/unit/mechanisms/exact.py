"""The plain formulas in 40 digits and more, where cancellation costs nothing: what the tests of this folder compare with."""

import mpmath
from scipy.special import ndtri_exp

# 40 that are wanted, and as many again for what cancels.
DIGITS = 80


def exactly(function):
    """Let a function compute with all these digits."""
    return mpmath.workdps(DIGITS)(function)


def profile(epsilon, mu):
    """The privacy profile as Balle and Wang (2018) print it, with as many more digits as a small mu cancels."""
    with mpmath.workdps(DIGITS + max(0, -int(mpmath.log10(mu)))):
        epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
        a = mu / 2 - epsilon / mu
        return mpmath.ncdf(a) - mpmath.exp(epsilon) * mpmath.ncdf(a - mu)


@exactly
def mass(epsilon, mu):
    """The mass (15) of a bad region."""
    epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
    a = mu / 2 - epsilon / mu
    return mpmath.ncdf(a) + mpmath.ncdf(a - mu)


@exactly
def quantile(probability):
    """Of the standard normal distribution, by the secant method on the logarithm from the quantile in floats."""
    target = mpmath.log(mpmath.mpf(probability))
    start = mpmath.mpf(float(ndtri_exp(float(target))))
    return mpmath.findroot(lambda x: mpmath.log(mpmath.ncdf(x)) - target, start, tol=mpmath.mpf(10) ** -60)


@exactly
def relative(found, expected):
    """Relative difference, as a float."""
    return abs(float(mpmath.mpf(float(found)) / mpmath.mpf(expected) - 1))
