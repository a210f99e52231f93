"""Named streams: the same whatever else is drawn, different for every name."""

import itertools

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.study import datasets, streams
from disclosure.study.datasets import Point

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


def test_every_name_has_a_stream_of_its_own():
    others = [Point(101, 90, 1.0, POINT.delta), Point(100, 91, 1.0, POINT.delta), Point(100, 90, 1.5, POINT.delta)]
    others.append(Point(100, 90, 1.0, 0.5))
    generators = [streams.attributes(7, point) for point in (POINT, *others)]
    generators += [streams.attributes(8, POINT), streams.attributes(7, POINT, replication=0)]
    generators += [
        streams.attributes(7, POINT, replication=1),
        streams.releases(7, POINT, 0),
        streams.releases(7, POINT, 1),
    ]
    generators += [streams.releases(7, POINT, 0, streams.Purpose.LITERAL_RELEASES), streams.releases(7, POINT, 2**32)]
    first = [generator.random(4) for generator in generators]
    assert all(not np.isin(a, b).any() for a, b in itertools.combinations(first, 2))


def test_whole_numbers_and_floats_of_a_parameter_name_one_stream():
    as_written = Point(100, 90, 1, POINT.delta)
    assert np.array_equal(streams.attributes(7, as_written).random(3), streams.attributes(7, POINT).random(3))


def test_the_streams_of_seed_7_stay_what_they_are():
    """Results that are published with a seed must come out again."""
    assert streams.attributes(7, POINT).random() == 0.3188062438694501
    assert int(streams.releases(7, POINT, 3).bit_generator.random_raw()) == 17000936119789124848


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(DomainError, match="seed"):
        streams.attributes(seed, POINT)


@pytest.mark.parametrize(
    ("point", "named"),
    [
        (Point(0, 1, 1.0, 0.1), "population = 0"),
        (Point(100, 101, 1.0, 0.1), "sample = 101"),
        (Point(100, 0, 1.0, 0.1), "sample = 0"),
        (Point(100, 90, 0.0, 0.1), "epsilon = 0.0"),
        (Point(100, 90, 1.0, 0.0), "delta = 0.0"),
        (Point(100, 90, 1.0, float("nan")), "delta = nan"),
        (Point(100.5, 90, 1.0, 0.1), "population = 100.5"),
    ],
)
def test_a_point_outside_the_domain_is_refused(point, named):
    with pytest.raises(DomainError, match=named):
        datasets.draw(1, point, 0, 1)
