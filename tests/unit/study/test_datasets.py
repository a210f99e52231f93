"""Datasets: any range of them alone, and where their attributes lie."""

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.study import datasets
from disclosure.study.points import Point

POINT = Point(100, 90, 1.0, 10**-1.1)


def test_any_block_of_datasets_can_be_drawn_alone():
    target, neighbours = datasets.draw(7, POINT, 0, 50)
    for start, stop in ((0, 1), (13, 29), (49, 50), (20, 20)):
        part = datasets.draw(7, POINT, start, stop)
        assert np.array_equal(part[0], target[start:stop])
        assert np.array_equal(part[1], neighbours[start:stop])


def test_draws_have_their_shapes_and_lie_in_the_unit_interval():
    target, neighbours = datasets.draw(7, POINT, 0, 50)
    assert target.shape == (50, 1)
    assert neighbours.shape == (50, 10, 1)
    assert 0 <= neighbours.min() < 0.01 < 0.99 < neighbours.max() < 1
    assert datasets.draw(7, Point(100, 100, 1.0, 0.1), 0, 3)[1].shape == (3, 0, 1)


def test_binary_attributes_are_the_halves_of_uniform_ones():
    for replication in (None, 3):
        uniform = datasets.draw(7, POINT, 0, 50, replication)
        binary = datasets.draw(7, POINT, 0, 50, replication, "binary")
        for values, ones in zip(uniform, binary, strict=True):
            assert ones.dtype == float
            assert np.array_equal(ones, values >= 0.5)
    assert 0.4 < datasets.draw(7, POINT, 0, 500, attributes="binary")[1].mean() < 0.6


def test_other_attributes_are_refused():
    with pytest.raises(DomainError, match="attributes = 'normal' is none of uniform, binary"):
        datasets.draw(7, POINT, 0, 50, attributes="normal")
