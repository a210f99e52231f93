"""Rules on panels, adaptive integrals and their error estimates, panels that follow a demand, and the count of work."""

import numpy as np
import pytest

from disclosure.numerics import quadrature
from disclosure.numerics.errors import ConvergenceError


def test_composite_rules_are_exact_for_polynomials_on_each_panel():
    nodes, weights = quadrature.composite(np.array([-1.0, 0.0, 0.5, 3.0]), 4)
    for degree in range(8):
        assert weights @ nodes**degree == pytest.approx((3.0 ** (degree + 1) - (-1.0) ** (degree + 1)) / (degree + 1))
    low = (nodes < 0.5).nonzero()[0]
    assert weights[low] @ nodes[low] ** 3 == pytest.approx((0.5**4 - 1) / 4)


def test_the_gauss_rule_on_every_second_node_has_degree_13():
    ends = np.array([0.0, 2.0])
    for degree in range(14):
        integral = quadrature.every_second(lambda x, n=degree: x**n, ends)
        assert integral == pytest.approx(2 ** (degree + 1) / (degree + 1), rel=1e-13)
    assert abs(quadrature.every_second(lambda x: x**14, ends) / (2**15 / 15) - 1) > 1e-10


@pytest.mark.parametrize("rtol", [1e-3, 1e-10])
def test_panels_are_halved_until_the_error_is_as_wanted(rtol):
    """A narrow peak and a root at an end."""
    found = quadrature.adaptive(lambda x: 1 / (1e-6 + (x - 0.3) ** 2) + np.sqrt(x), [0.0, 1.0], rtol)
    known = 1e3 * (np.arctan(0.7e3) + np.arctan(0.3e3)) + 2 / 3
    assert abs(found.value - known) <= found.error <= rtol * known
    assert found.ends[0] == 0.0
    assert found.ends[-1] == 1.0
    assert len(found.ends) > 5


def test_halving_ends_at_the_number_of_panels_allowed():
    found = quadrature.adaptive(lambda x: (x > 0.3).astype(float), [0.0, 1.0], 1e-15, 10)
    assert 10 <= len(found.ends) - 1 <= 20
    assert found.error > 1e-15
    assert abs(found.value - 0.7) <= found.error


def test_graded_ends_grow_away_from_a_point_on_both_sides():
    ends = quadrature.graded(0.5, 0.01, 0.0, 1.0, 2.0)
    assert 0.5 in ends
    assert ends.min() > 0
    assert ends.max() < 1
    assert ends - 0.5 == pytest.approx(-(ends - 0.5)[::-1])
    above = ends[ends > 0.5] - 0.5
    assert above == pytest.approx(0.01 * 2.0 ** np.arange(len(above)))


def test_graded_ends_grow_by_three_unless_another_ratio_is_asked_for():
    ends = quadrature.graded(0.0, 0.01, 0.0, 1.0)
    assert ends == pytest.approx(0.01 * 3.0 ** np.arange(5))
    # A stretch shorter than the shortest distance has no end within.
    assert quadrature.graded(0.0, 3.0, 0.0, 1.0).size == 0


def test_a_partition_follows_the_demand_and_has_the_breaks():
    points = np.linspace(0, 2, 101)
    demand = 5 * np.minimum(points, 1.0)  # nothing is wanted beyond 1
    ends = quadrature.partition(points, demand, [0.33, 7.0])
    assert np.diff(np.interp(ends, points, demand)).max() <= 1 + 1e-6
    assert {0.0, 0.33, 2.0} <= set(ends)
    assert len(ends) == 7
    assert quadrature.partition(points, np.zeros(101)).tolist() == [0.0, 2.0]


def test_a_partition_crosses_stretches_where_nothing_is_wanted():
    points = np.linspace(0, 5, 501)
    # Three panels are wanted between 1 and 2, and three between 3 and 4.
    demand = 3 * (np.clip(points - 1, 0, 1) + np.clip(points - 3, 0, 1))
    ends = quadrature.partition(points, demand)
    assert np.diff(ends).min() > 0
    assert ends[[0, 1, 2, 4, 5, 6]] == pytest.approx([0, 4 / 3, 5 / 3, 10 / 3, 11 / 3, 5], abs=1e-3)
    assert 2 - 1e-3 <= ends[3] <= 3 + 1e-3


def test_work_is_summed_and_ends():
    work = quadrature.Work(10.0, "the answer")
    work.spend(4.0)
    work.spend(6.0)
    with pytest.raises(ConvergenceError, match=r"the answer was not found within the work allowed \(10 units"):
        work.spend(0.5)
    assert work.done == 10.5
