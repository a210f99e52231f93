"""Mixtures of fewer terms against the sums of all of them, at random noise."""

import numpy as np
import pytest

from disclosure.gaussian_measure import equal_terms
from disclosure.gaussian_measure.terms import Terms


@pytest.mark.parametrize("scale", [0.01, 0.03, 0.1])
def test_condensed_mixtures_are_the_same(scale):
    generator = np.random.default_rng(15)
    gaps = generator.normal(size=(20_000, 2)) * scale + scale * generator.normal(size=2)
    weights = generator.dirichlet(np.ones(len(gaps)))
    few = equal_terms.condensed(Terms.from_gaps(gaps[None], weights[None]))
    assert few.gaps.shape[1] < len(gaps) / 2
    angles, radii = generator.random((2, 40)) * [[2 * np.pi], [few.reach]]
    for z in (np.array([np.cos(angles), np.sin(angles)]) * radii).T:
        values = [
            (w * np.exp(-(c @ z) - (c**2).sum(axis=1) / 2)).sum()
            for c, w in ((gaps, weights), (few.gaps[0], few.weights[0]))
        ]
        assert values[1] == pytest.approx(values[0], rel=1e-12)


def test_groups_have_a_smaller_mixture_and_keep_single_ones():
    generator = np.random.default_rng(12)
    gaps = np.concatenate([0.2 * generator.normal(size=(500, 4)), [[9.0, 0, 0, 0], [0, 0, 0, 0]]])
    offsets = (gaps**2).sum(axis=1) / 2
    offsets[-1] = np.inf
    weights = generator.dirichlet(np.ones(502))
    few, same = equal_terms.grouped(Terms(gaps[None], offsets[None], weights[None]), 60)
    assert not same
    assert few.gaps.shape == (1, 61, 4)
    assert few.weights.sum() == pytest.approx(1.0, rel=1e-14)
    assert (few.gaps[0] == [9.0, 0, 0, 0]).all(axis=1).any()
    assert few.weights[0, -1] == weights[-1]
    points = 2 * generator.normal(size=(50, 4))
    whole, part = (
        (weights[None, :] * np.exp(-(points @ gaps.T) - offsets)).sum(axis=1),
        (few.weights[0] * np.exp(-(points @ few.gaps[0].T) - few.offsets[0])).sum(axis=1),
    )
    assert (part <= whole * (1 + 1e-12)).all()
    assert (part > 0.5 * whole).all()


def test_points_are_chosen_from_the_farthest_on():
    points = np.array([[3.0, 0.0], [0.0, 0.1], [0.0, 0.0], [-2.9, 0.0], [3.0, 0.0]])
    chosen, nearest, distance = equal_terms.apart(points, 3)
    assert chosen.tolist() == [0, 3, 1]
    assert nearest.tolist() == [0, 2, 2, 1, 0]
    assert distance == pytest.approx([0, 0, 0.01, 0, 0])
    # No more than there are different ones.
    assert len(equal_terms.apart(points, 9)[0]) == 4


def test_groups_of_equal_gaps_are_the_same_mixture():
    generator = np.random.default_rng(3)
    distinct = generator.normal(size=(5, 3))
    gaps, weights = np.repeat(distinct, [40, 1, 3, 7, 2], axis=0), generator.dirichlet(np.ones(53))
    few, same = equal_terms.grouped(Terms.from_gaps(gaps[None], weights[None]), 8)
    assert same
    assert few.gaps.shape == (1, 5, 3)
    for gap, offset, weight in zip(few.gaps[0], few.offsets[0], few.weights[0], strict=True):
        equal = (gaps == gap).all(axis=1)
        assert equal.any()
        assert offset == (gap**2).sum() / 2
        assert weight == pytest.approx(weights[equal].sum(), rel=1e-14)


def test_absent_terms_stay_absent_in_a_condensed_mixture():
    generator = np.random.default_rng(16)
    gaps, weights = 0.02 * generator.normal(size=(20_000, 2)), generator.dirichlet(np.ones(20_000))
    terms = Terms.from_gaps(gaps[None], weights[None])
    offsets = terms.offsets.copy()
    offsets[0, ::5] = np.inf
    few = equal_terms.condensed(terms._replace(offsets=offsets))
    assert few.gaps.shape[1] < len(gaps) / 2
    assert few.weights.sum() == pytest.approx(1.0, rel=1e-12)
    for z in (np.array([0.3, -2.0]), np.array([5.0, 4.0])):
        values = [
            (w * np.exp(-(c @ z) - d)).sum()
            for c, d, w in ((gaps, offsets[0], weights), (few.gaps[0], few.offsets[0], few.weights[0]))
        ]
        assert values[1] == pytest.approx(values[0], rel=1e-11)
