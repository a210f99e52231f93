"""Gauss rules of densities against library ones, and against moments in closed form."""

import numpy as np
import pytest
from scipy.special import roots_jacobi

from disclosure.densities import as_density


@pytest.mark.parametrize("order", [6, 31, 88])
@pytest.mark.parametrize("shape", [(1.0, 1.0), (0.5, 0.5), (0.3, 2.0), (5.0, 1.5)])
def test_gauss_rules_of_beta_densities_are_those_of_jacobi(shape, order):
    nodes, weights = as_density("uniform" if shape == (1.0, 1.0) else ("beta", *shape)).gauss(order)
    known, known_weights = roots_jacobi(order, shape[1] - 1, shape[0] - 1)
    assert nodes == pytest.approx((known + 1) / 2, abs=1e-12)
    assert weights == pytest.approx(known_weights / known_weights.sum(), rel=1e-9)


def test_gauss_rule_of_a_density_with_a_jump():
    """Exact for polynomials up to degree 2 order - 1, and not beyond."""
    nodes, weights = as_density((lambda x: np.where(x < 0.3, 2.0, 4 / 7), 0.0, 0.3, 1.0)).gauss(5)

    def moment(degree):
        return (2.0 * 0.3 ** (degree + 1) + 4 / 7 * (1 - 0.3 ** (degree + 1))) / (degree + 1)

    for degree in range(10):
        assert weights @ nodes**degree == pytest.approx(moment(degree), rel=1e-12)
    assert abs(weights @ nodes**10 / moment(10) - 1) > 1e-6
