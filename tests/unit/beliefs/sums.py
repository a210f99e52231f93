"""Sums of kernels that several tests make."""

from decimal import Decimal

import numpy as np
from mpmath import mp

from disclosure.beliefs.kernels import GaussianSum


def gaussian_sum(answers, coefficients, origin=0.0, scale=1.0):
    numbers = [Decimal(float(number)) for number in coefficients]
    return GaussianSum(np.array(answers, dtype=float), origin, scale, numbers)


def binomial_sum(depth, step):
    """The kernel's difference of an order: signs alternate, and it is smaller than its terms by a factor step^depth."""
    coefficients = np.array([(-1.0) ** j * float(mp.binomial(depth, j)) for j in range(depth + 1)])
    return gaussian_sum(step * np.arange(depth + 1), coefficients)
