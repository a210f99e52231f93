"""Random streams that are named, never ordered.

A stream is found by the root seed, by what is drawn from it and by the values of the parameters that it belongs to, so
it does not matter which job draws, in which order, or what else is drawn. Datasets follow each other within the stream
of their point at known places, so that any block of them can be drawn alone.
"""

import enum
import struct

import numpy as np

from disclosure.numerics import checks

__all__ = ["Purpose", "attributes", "neighbours", "releases", "targets"]


class Purpose(enum.IntEnum):
    """What is drawn; part of a stream's name."""

    ATTRIBUTES = 0
    RELEASES = 1
    LITERAL_RELEASES = 2
    REPLICATED_ATTRIBUTES = 3
    NEIGHBOURS = 4
    TARGETS = 5


def _words(part):
    """Two 32-bit words for an integer or a float, always two, so that different names never run into each other."""
    packed = struct.pack("<d", part) if isinstance(part, float) else struct.pack("<Q", part)
    return struct.unpack("<II", packed)


def _sequence(seed, purpose, *parts):
    key = [word for part in (int(purpose), *parts) for word in _words(part)]
    return np.random.SeedSequence(checks.count("seed", seed, 0), spawn_key=key)


def _values(point):
    return int(point.population), int(point.sample), float(point.epsilon), float(point.delta)


def attributes(seed, point, skip=0, replication=None):
    """Generator of the attributes of a point's datasets, the first ``skip`` numbers left out.

    Parameters
    ----------
    seed : int
        Root seed, at least 0.
    point : disclosure.study.datasets.Point
    skip : int, optional
        How many uniform numbers to pass over.
    replication : int, optional
        Number of an independent replication of the study; the study itself has none.

    Returns
    -------
    numpy.random.Generator
    """
    purpose, extra = (
        (Purpose.ATTRIBUTES, ()) if replication is None else (Purpose.REPLICATED_ATTRIBUTES, (int(replication),))
    )
    bits = np.random.PCG64DXSM(_sequence(seed, purpose, *_values(point), *extra))
    bits.advance(skip)
    return np.random.Generator(bits)


def releases(seed, point, dataset, purpose=Purpose.RELEASES):
    """Generator of the releases of one dataset of a point."""
    return np.random.Generator(np.random.SFC64(_sequence(seed, purpose, *_values(point), int(dataset))))


def neighbours(seed, population, sample, target, skip=0):
    """Generator of who is outside a target's datasets, the first ``skip`` numbers left out."""
    bits = np.random.PCG64DXSM(_sequence(seed, Purpose.NEIGHBOURS, int(population), int(sample), int(target)))
    bits.advance(skip)
    return np.random.Generator(bits)


def targets(seed, population):
    """Generator of which people of a large table are looked at."""
    return np.random.Generator(np.random.PCG64DXSM(_sequence(seed, Purpose.TARGETS, int(population))))
