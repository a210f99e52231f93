"""Integrals over releases of known functions."""

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.expected import over_releases
from disclosure.expected.densities import Beta, Uniform


def test_the_finer_effort_corrects_and_bounds_the_error():
    """A coarse effort adds a smooth error, which every second release at the finer one reveals."""

    def function(t, effort):
        return float(norm.pdf(t, 0.5, 0.2)) * (1 + effort)

    ends, copies = over_releases.first_panels(Uniform(), 0.2)
    value, error = over_releases.over_releases(function, (1e-3, 0.0), ends, 1e-2)
    assert copies * value == pytest.approx(1.0, abs=1e-10)
    assert 0.9e-3 < copies * error < 1.1e-3


def test_a_higher_effort_follows_one_that_is_too_coarse():
    asked = []

    def function(t, effort):
        asked.append(effort)
        return float(norm.pdf(t, 0.5, 0.2)) * (1 + effort)

    ends, copies = over_releases.first_panels(Uniform(), 0.2)
    value, error = over_releases.over_releases(function, (1e-3, 1e-6, 0.0), ends, 1e-5)
    assert set(asked) == {1e-3, 1e-6, 0.0}
    assert copies * value == pytest.approx(1.0, abs=1e-10)
    assert copies * error < 1e-5


@pytest.mark.parametrize(("density", "last"), [(Uniform(), 0.5), (Beta(2.0, 3.0), 1 + 38 * 0.01)])
def test_panels_hold_every_release_of_consequence(density, last):
    """The left half of what is symmetric; with little noise panels of some sigma about both ends."""
    ends, copies = over_releases.first_panels(density, 0.01)
    assert copies == (2.0 if last == 0.5 else 1.0)
    assert (ends[0], ends[-1]) == pytest.approx((-38 * 0.01, last))
    assert np.all(np.diff(ends) > 0)
    assert np.diff(ends)[np.abs(ends[1:]) < 0.01].max() < 0.011


def test_crossings_of_components():
    def components(t):
        return np.array([t - 0.3, (t - 0.1) * (t - 0.7), 1.0])

    found = over_releases.crossings(np.linspace(0, 1, 6), components)
    assert sorted(found) == pytest.approx([0.1, 0.3, 0.7], abs=1e-11)


def test_panels_of_no_consequence_are_left_out():
    ends = np.linspace(-1, 2, 31)
    kept, floor = over_releases.relevant_panels(Uniform(), 0.1, ends, lambda t: -(((t - 0.5) / 0.05) ** 2) / 2)
    assert floor == pytest.approx(-20.0)
    assert -0.5 < kept[0] < 0.5 - 0.05 * np.sqrt(40)
    assert 0.5 + 0.05 * np.sqrt(40) < kept[-1] < 1.5
    same, floor = over_releases.relevant_panels(Uniform(), 0.1, ends, lambda t: -np.inf)
    assert floor == -np.inf
    assert np.array_equal(same, ends)
