"""Random streams that are named, never ordered.

The name of a stream is the root seed, what is drawn from it, and the values of the parameters that it belongs to. So it does
not matter which job draws, in which order, or what else is drawn. Datasets follow each other within the stream of their point
at known places, so that any range of them can be drawn alone.
"""

import enum
import struct

import numpy as np

from disclosure.numerics import checks
from disclosure.study.points import Point

__all__ = ["Purpose", "any_mechanism", "attributes", "neighbours", "releases", "targets"]


class Purpose(enum.IntEnum):
    """What is drawn from a stream: a part of its name, so that the numbers must never change."""

    ATTRIBUTES = 0
    RELEASES = 1
    LITERAL_RELEASES = 2
    REPLICATED_ATTRIBUTES = 3
    NEIGHBOURS = 4
    TARGETS = 5
    ANY_MECHANISM = 6


def attributes(seed: int, point: Point, skip: int = 0, replication: int | None = None) -> np.random.Generator:
    """Generator of the attributes of a point's datasets.

    Parameters
    ----------
    seed : int
        Root seed, at least 0.
    point : Point
    skip : int, optional
        How many uniform numbers at the start of the stream are left out.
    replication : int, optional
        Number of an independent replication of the study. The study itself has none.

    Returns
    -------
    numpy.random.Generator
    """
    if replication is None:
        sequence = _sequence(seed, Purpose.ATTRIBUTES, *_values(point))
    else:
        sequence = _sequence(seed, Purpose.REPLICATED_ATTRIBUTES, *_values(point), int(replication))
    return _skipping(sequence, skip)


def releases(seed: int, point: Point, dataset: int, purpose: Purpose = Purpose.RELEASES) -> np.random.Generator:
    """Generator of the releases of one dataset of a point, counted from 0."""
    return np.random.Generator(np.random.SFC64(_sequence(seed, purpose, *_values(point), int(dataset))))


def neighbours(seed: int, population: int, sample: int, target: int, skip: int = 0) -> np.random.Generator:
    """Generator of who is outside the datasets of a target, a row of a table of people.

    Parameters
    ----------
    seed : int
        Root seed, at least 0.
    population, sample : int
        n and m.
    target : int
        Row of the target, counted from 0.
    skip : int, optional
        How many uniform numbers at the start of the stream are left out.

    Returns
    -------
    numpy.random.Generator
    """
    return _skipping(_sequence(seed, Purpose.NEIGHBOURS, int(population), int(sample), int(target)), skip)


def targets(seed: int, population: int) -> np.random.Generator:
    """Generator of which of the n people of a table are looked at as targets."""
    return _skipping(_sequence(seed, Purpose.TARGETS, int(population)), 0)


def any_mechanism(seed: int, number: int, error: float) -> np.random.Generator:
    """Generator of the releases of a mechanism, known by a number, at a root mean square error."""
    return _skipping(_sequence(seed, Purpose.ANY_MECHANISM, int(number), float(error)), 0)


def _skipping(sequence: np.random.SeedSequence, skip: int) -> np.random.Generator:
    """A generator whose first numbers are left out; each uniform number uses one step of these bits."""
    bits = np.random.PCG64DXSM(sequence)
    bits.advance(skip)
    return np.random.Generator(bits)


def _sequence(seed: int, purpose: Purpose, *parts: int | float) -> np.random.SeedSequence:
    key = [word for part in (int(purpose), *parts) for word in _words(part)]
    return np.random.SeedSequence(checks.count("seed", seed, 0), spawn_key=key)


def _values(point: Point) -> tuple[int, int, float, float]:
    """The parameters with their types: 1 and 1.0 name the same stream."""
    return int(point.population), int(point.sample), float(point.epsilon), float(point.delta)


def _words(part: int | float) -> tuple[int, int]:
    """The 64 bits of an integer or a float as two words, always two, so that different names never run into each other."""
    low, high = struct.unpack("<II", struct.pack("<d" if isinstance(part, float) else "<Q", part))
    return low, high
