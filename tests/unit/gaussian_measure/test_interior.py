"""Points inside low sets, or none where there is none."""

import numpy as np
import pytest

from disclosure.gaussian_measure import interior
from disclosure.gaussian_measure.terms import Terms, log_mixture


@pytest.mark.parametrize("dimension", [2, 5])
def test_points_are_inside_and_missing_sets_are_empty(dimension):
    generator = np.random.default_rng(dimension)
    gaps = generator.normal(size=(60, 6, dimension)) * np.exp(generator.uniform(-2, 1, (60, 1, 1)))
    gaps += generator.uniform(0, 1, (60, 1, 1)) * generator.normal(size=(60, 1, dimension))
    terms, level = Terms.from_gaps(gaps, np.full((1, 6), 1 / 6)), -1.0
    rows, inside = interior.inside(terms, level)
    assert 10 < len(rows) < 60
    assert (log_mixture(terms.of(rows), inside.points)[0] < level).all()
    # Neither plain noise nor noise around the others' points finds a low set that has been missed.
    others = np.setdiff1d(np.arange(60), rows)
    for _ in range(300):
        noise = 3 * generator.normal(size=(len(others), dimension))
        assert (log_mixture(terms.of(others), noise)[0] >= level).all()


def test_a_level_that_is_never_reached_has_no_points():
    terms = Terms.from_gaps(np.ones((2, 3, 2)), np.full((1, 3), 1 / 3))
    assert not interior.inside(terms, -np.inf)[0].size


def test_the_shape_is_that_of_the_mass():
    """One neighbour leaves a half-space: deep along its gap, where the mass falls, and as wide as the noise across."""
    rows, inside = interior.inside(Terms.from_gaps(np.array([[[4.0, 0.0]]]), np.ones((1, 1))), -1.0)
    assert rows.tolist() == [0]
    assert inside.points[0, 1] == pytest.approx(0.0, abs=1e-12)
    along, across = (np.linalg.norm(inside.shapes[0] @ axis) for axis in np.eye(2))
    assert across == pytest.approx(1.0, rel=1e-9)
    assert 0.1 < along < 1.0
