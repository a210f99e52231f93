"""Small finite mechanisms, all of whose outputs and posteriors are enumerated."""

import itertools
import math
from collections import Counter

import numpy as np

VALUES = (0, 1, 2)
OTHERS = [others for size in range(3) for others in itertools.combinations_with_replacement(VALUES, size)]


def added(others, value):
    return tuple(sorted((*others, value)))


def removals(first, second):
    """How many records of the first dataset the second one lacks."""
    return sum((Counter(first) - Counter(second)).values())


def random_mechanism(generator, epsilon, datasets, distance, outputs=5):
    """Exponential mechanism with scores that change by at most 1 between neighbours, so that it is epsilon-DP."""
    distances = np.array([[distance(first, second) for second in datasets] for first in datasets])
    # The largest function below these values that changes by at most the distance.
    scores = (distances[:, :, None] + 4 * generator.random((len(datasets), outputs))).min(axis=1)
    weights = np.exp(epsilon / 2 * scores)
    return dict(zip(datasets, weights / weights.sum(axis=1, keepdims=True), strict=True))


def add_remove_mechanism(generator, epsilon):
    datasets = sorted({*OTHERS, *(added(others, value) for others in OTHERS for value in VALUES)})
    mechanism = random_mechanism(
        generator, epsilon, datasets, lambda first, second: removals(first, second) + removals(second, first)
    )
    steps = [np.abs(np.log(mechanism[others] / mechanism[added(others, v)])).max() for others in OTHERS for v in VALUES]
    assert max(steps) <= epsilon * (1 + 1e-12)
    return mechanism


def posteriors(mechanism, joint, inside):
    """P(value in S | each output) with and without the record, from the joint prior of others and value."""
    with_record = {(others, v): joint[others, v] * mechanism[added(others, v)] for others in OTHERS for v in VALUES}
    without = {(others, v): joint[others, v] * mechanism[others] for others in OTHERS for v in VALUES}
    return [
        sum(weight for (_, value), weight in table.items() if value in inside) / sum(table.values())
        for table in (with_record, without)
    ]


def concentrated(generator, size):
    """A prior that may lie nearly on one place, where bounds are put to the test."""
    return generator.dirichlet(np.full(size, generator.choice([0.05, 0.5, 5.0]))) * (1 - 1e-9) + 1e-9 / size


def truncated_geometric(count, epsilon, reach):
    """Integers from -reach to reach; at the ends the mass changes by exactly e^epsilon for each step of the count."""
    a = math.exp(-epsilon)
    mass = (1 - a) / (1 + a) * a ** np.abs(np.arange(-reach, reach + 1) - count)
    mass[[0, -1]] /= 1 - a
    return mass
