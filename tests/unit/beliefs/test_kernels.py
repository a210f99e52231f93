"""Signed sums of kernels keep their sign however much of them cancels."""

from decimal import Decimal

import numpy as np
from mpmath import mp, mpf

from disclosure.beliefs.kernels import LaplaceSum
from tests.unit.beliefs.sums import binomial_sum, gaussian_sum


def test_shares_are_right_where_nothing_is_left_in_floating_point():
    depth, step = 20, 2.0**-6
    total = binomial_sum(depth, step)
    for position in (-3.0, 0.1, 0.7, 2.5):
        with mp.workdps(80):
            terms = [
                (-1) ** j * mp.binomial(depth, j) * mp.exp(-((mpf(position) - j * mpf(step)) ** 2) / 2)
                for j in range(depth + 1)
            ]
            share = mp.fsum(terms) / mp.fsum(map(abs, terms))
        assert abs(share) < 1e-20
        assert abs(total.share(position) - share) < 1e-15 * abs(share)


def test_what_cancels_altogether_is_zero():
    # 1, -2 cosh-like and 1 in balance at one point: e^-(1/2) twice against 2 e^-(1/2).
    assert gaussian_sum([-1.0, 1.0], [1.0, -1.0]).share(0.0) == 0.0
    knots = np.array([-1.0, 1.0])
    assert LaplaceSum(knots, 0.0, 1.0, [Decimal(1), Decimal(-1)], [Decimal(0)]).share(0.0) == 0.0
