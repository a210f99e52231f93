"""Signed sums with uniform pieces under normal noise: their values, signs and zeros."""

from decimal import Decimal

import numpy as np
import pytest
from mpmath import mp, mpf

from disclosure.beliefs import zeros
from disclosure.beliefs.kernels import precision
from disclosure.beliefs.piece_sums import GaussianPieceSum, nodes_on

KNOTS = np.array([-1.0, 0.25, 0.75, 0.75 + 2.0**-30, 4.0])
COEFFICIENTS, DENSITIES = [0.0, -2.0, 0.0, 0.0, 0.125], [1.0, 0.0, -3.0, 0.5]


def piece_sum(knots, coefficients, densities, origin=0.0, scale=1.0):
    return GaussianPieceSum(
        np.array(knots), origin, scale, [Decimal(c) for c in coefficients], [Decimal(d) for d in densities]
    )


def plain_share(knots, coefficients, densities, release, scale=1.0, digits=600):
    """The sum over the sum of its terms' sizes, by tails that are subtracted."""
    with mp.workdps(digits):
        places = [(mpf(release) - mpf(float(knot))) / mpf(scale) for knot in knots]
        terms = [mpf(c) * mp.exp(-(place**2) / 2) for c, place in zip(coefficients, places, strict=True)]
        tails = [mp.sqrt(mp.pi / 2) * mpf(scale) * mp.erfc(place / mp.sqrt(2)) for place in places]
        terms += [mpf(d) * (right - left) for d, left, right in zip(densities, tails, tails[1:], strict=False)]
        return mp.fsum(terms) / mp.fsum(map(abs, terms))


@pytest.mark.parametrize("scale", [1.0, 0.4, 30.0])
@pytest.mark.parametrize("position", [-9.0, -1.0, 0.1, 0.25, 0.5, 0.75 + 2.0**-31, 3.0, 4.0, 12.0])
def test_shares_are_those_of_a_plain_sum_of_tails(position, scale):
    total = piece_sum(KNOTS, COEFFICIENTS, DENSITIES, scale=scale)
    share = plain_share(KNOTS, COEFFICIENTS, DENSITIES, position, scale)
    assert abs(total.share(position) - share) < 1e-12 * abs(share)


def test_shares_have_the_right_sign_where_floating_point_has_none():
    # The density of one piece next to one of nearly the opposite density.
    ends = [0.0, 1.0, 2.0]
    for change in (Decimal("1e-30"), Decimal("-1e-90")):
        with precision():
            densities = [Decimal(1), Decimal(-1) + change]
        total = GaussianPieceSum(np.array(ends), 0.0, 1.0, [Decimal(0)] * 3, densities)
        assert np.sign(total.share(1.0)) == np.sign(float(change))
    assert piece_sum(ends, [0, 0, 0], [1, -1]).share(1.0) == 0.0


def test_positions_count_from_the_origin():
    near, far = piece_sum(KNOTS, COEFFICIENTS, DENSITIES), piece_sum(KNOTS + 2.0**20, COEFFICIENTS, DENSITIES, 2.0**20)
    for position in (-3.0, 0.3, 2.0):
        assert far.share(position) == pytest.approx(near.share(position), rel=1e-9)
    assert zeros.find_signs(far).zeros == pytest.approx(zeros.find_signs(near).zeros, rel=1e-12)


def test_signs_change_from_knots_to_cells_in_their_order():
    total = piece_sum(KNOTS, COEFFICIENTS, DENSITIES)
    # 1 on the first cell, -2 at a knot, -3 on a cell, 0.5 on the last cell and 0.125 at its end.
    assert (total.changes, total.limits()) == (2, (1.0, 1.0))
    assert piece_sum([0.0, 1.0], [-1, 0], [2]).changes == 1
    assert piece_sum([0.0, 1.0], [-1, 0], [2]).limits() == (-1.0, 1.0)


def test_zeros_are_those_of_the_exact_sum():
    # 3 between -1 and 1, and -1 beyond on either side.
    total = piece_sum([-2.0, -1.0, 1.0, 2.0], [0, 0, 0, 0], [-1, 3, -1])
    with mp.workdps(40):

        def height(t):
            masses = [mp.ncdf(t - end) for end in (-2, -1, 1, 2)]
            return 4 * (masses[1] - masses[2]) - (masses[0] - masses[3])

        zero = mp.findroot(height, 1.5)
    assert zeros.find_signs(total).zeros == pytest.approx([-float(zero), float(zero)], rel=1e-15)


@pytest.mark.parametrize("distance", [0.0, 10.0, 40.0])
def test_nodes_stand_for_a_piece_as_far_as_there_is_mass(distance):
    nodes, weights = nodes_on(0.0, 3.3, 1.0)
    with mp.workdps(30):
        terms = [
            mpf(weight) * mp.exp(-((mpf(distance) + mpf(node)) ** 2) / 2)
            for node, weight in zip(nodes.tolist(), weights.tolist(), strict=True)
        ]
        tails = mp.erfc(mpf(distance) / mp.sqrt(2)) - mp.erfc((mpf(distance) + mpf(3.3)) / mp.sqrt(2))
        assert abs(mp.fsum(terms) / (mp.sqrt(mp.pi / 2) * tails) - 1) < 1e-14
