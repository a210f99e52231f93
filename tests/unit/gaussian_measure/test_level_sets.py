"""Masses along lines through low and high sets of one neighbour, which are half-spaces."""

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.gaussian_measure import interior, level_sets
from disclosure.gaussian_measure.terms import Terms

ANGLES = np.pi * (np.arange(4_096) + 0.5) / 4_096
DIRECTIONS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=-1)


@pytest.mark.parametrize("distance", [0.6, 3.0])
def test_half_planes(distance):
    terms = Terms.from_gaps(distance * np.array([[[0.6, 0.8]], [[-1.0, 0.0]]]), np.ones((1, 1)))
    high = level_sets.high_masses(terms, 1.0, DIRECTIONS).mean(axis=1)
    assert high == pytest.approx(norm.sf(1 / distance + distance / 2), rel=1e-6)
    rows, inside = interior.inside(terms, -1.0)
    assert rows.tolist() == [0, 1]
    low = level_sets.low_masses(terms, -1.0, inside, DIRECTIONS).mean(axis=1)
    assert low == pytest.approx(norm.sf(1 / distance - distance / 2), rel=1e-6)


def test_tangents_of_a_half_space_are_its_boundary():
    terms = Terms.from_gaps(np.array([[[0.0, 2.0, 0.0]]]), np.ones((1, 1)))
    directions = np.random.default_rng(1).normal(size=(50, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    normals, bounds = level_sets.high_tangents(terms, 1.0, directions)
    assert len(normals) == np.count_nonzero(directions[:, 1] < 0)
    assert np.allclose(normals, [0.0, -1.0, 0.0])
    assert bounds == pytest.approx(1.5)


def test_longer_gaps_make_sharper_sets():
    gaps = np.random.default_rng(2).normal(size=(1, 5, 2)) * np.array([0.1, 1.0, 10.0])[:, None, None]
    terms = Terms.from_gaps(gaps, np.full((1, 5), 0.2))
    assert (np.diff(level_sets.high_sharpness(terms, 1.0)) > 0).all()
    rows, inside = interior.inside(terms, -1e-3)
    assert (level_sets.low_sharpness(terms.of(rows), inside) >= 6.5).all()


def test_half_spaces_in_five_dimensions():
    """The mean over directions drawn by a rule that is exact for functions of the coordinate along the gap."""
    terms = Terms.from_gaps(np.array([[[1.4, 0.0, 0.0, 0.0, 0.0]]]), np.ones((1, 1)))
    _, inside = interior.inside(terms, -1.0)
    # A coordinate of a uniform direction has a density proportional to 1 - x^2.
    nodes, weights = np.polynomial.legendre.leggauss(800)
    shares = weights * (1 - nodes**2)
    lines = np.zeros((len(nodes), 5))
    lines[:, 0], lines[:, 1] = nodes, np.sqrt(1 - nodes**2)
    low = level_sets.low_masses(terms, -1.0, inside, lines)[0] @ shares / shares.sum()
    assert low == pytest.approx(norm.sf(1 / 1.4 - 0.7), rel=1e-4)
    high = level_sets.high_masses(terms, 1.0, lines)[0] @ shares / shares.sum()
    assert high == pytest.approx(norm.sf(1 / 1.4 + 0.7), rel=1e-4)
