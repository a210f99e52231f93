"""Named streams: the same whatever else is drawn, different for every name."""

import itertools

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.study import streams
from disclosure.study.points import Point

POINT = Point(100, 90, 1.0, 10**-1.1)


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
