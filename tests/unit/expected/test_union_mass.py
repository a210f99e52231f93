"""The expected union mass over any density: against the closed form, integrals over two people, and other densities."""

import numpy as np
import pytest
from scipy.stats import beta

from disclosure.expected.densities import Beta, Uniform
from disclosure.expected.density_functions import FromFunction
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import gaussian

DELTA = 10**-1.1


@pytest.mark.parametrize(("neighbours", "epsilon"), [(10, 0.2), (1000, 2.0)])
def test_quadrature_over_any_density_gives_the_closed_form_for_the_uniform_one(neighbours, epsilon):
    """The Beta density that happens to be flat is no `Uniform`."""
    flat, error = expected_union_mass(neighbours + 1, 1, epsilon, DELTA, Beta(1.0, 1.0))
    known = expected_union_mass(neighbours + 1, 1, epsilon, DELTA).value
    assert error <= 1e-6 * known
    assert flat == pytest.approx(known, rel=5e-8)


@pytest.mark.parametrize("shape", [(2.0, 3.0), (1.5, 1.5)])
def test_one_neighbour_has_the_mean_mass_over_two_people(shape):
    """The mean of equation (15) over two independent people, by a product rule that its flat start at distance 0 allows."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    u = (nodes + 1) / 2
    people, mass = u**2 * (3 - 2 * u), weights / 2 * 6 * u * (1 - u)
    mass = mass * beta.pdf(people, *shape)
    region = gaussian.bad_region_mass(
        gaussian.calibrate(1.0, DELTA, definition="probabilistic"), 1.0, np.abs(people[:, None] - people)
    )
    value, error = expected_union_mass(9, 8, 1.0, DELTA, ("beta", *shape))
    assert value == pytest.approx(float(mass @ region @ mass), rel=1e-6)
    assert error <= 1e-6 * value


def test_limits_of_the_expected_union_mass():
    assert expected_union_mass(100, 100, 1.0, DELTA).value == 0.0
    assert expected_union_mass(100, 90, 1.0, 1.0, sigma=0.0).value == 1.0
    for attributes, populations in ((Uniform(), (10, 100, 10**4, 10**6, 10**9)), (Beta(2.0, 2.0), (10, 100))):
        grown = [expected_union_mass(n, n // 10 * 9, 1.0, DELTA, attributes, 1e-3).value for n in populations]
        assert np.all(np.diff(grown) > 0)


def test_a_density_is_uniform_by_its_kind():
    """A function has its own expected union mass, whatever shape it has."""
    parabola = FromFunction(lambda x: 6 * x * (1 - x), np.array([0.0, 1.0]))
    value = expected_union_mass(4, 1, 1.0, DELTA, parabola, 1e-2).value
    assert value == pytest.approx(expected_union_mass(4, 1, 1.0, DELTA, ("beta", 2.0, 2.0), 1e-2).value, rel=1e-5)
    uniform = expected_union_mass(4, 1, 1.0, DELTA).value
    assert expected_union_mass(4, 1, 1.0, DELTA, ("beta", 1.0, 1.0)).value == uniform
    assert value < uniform / 3


@pytest.mark.parametrize("ends", [(0.0, 0.4, 0.6, 1.0), pytest.param((0.0, 1.0), marks=pytest.mark.long)])
def test_a_box_inside_its_interval_is_the_uniform_density_moved(ends):
    """The stated interval sets the noise, the box everything else."""
    box = (lambda x: np.where((x > 0.4) & (x < 0.6), 5.0, 0.0), *ends)
    known = expected_union_mass(
        11, 1, 1.0, DELTA, sigma=5 * gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    ).value
    assert expected_union_mass(11, 1, 1.0, DELTA, box, 1e-2).value == pytest.approx(known, rel=1e-6)
