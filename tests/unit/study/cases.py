"""Datasets of some points, for the tests of the methods that draw releases."""

from disclosure.beliefs import regions
from disclosure.mechanisms import gaussian
from disclosure.study import datasets
from disclosure.study.points import Point

POINTS = [
    Point(100, 90, 0.2, 0.5),
    Point(100, 90, 1.0, 10**-1.1),
    Point(100, 99, 1.0, 10**-1.1),
    Point(100, 10, 2.0, 0.9),
    Point(20, 10, 1.0, 0.95),
    Point(20, 10, 1.0, 0.9999),
    Point(100, 90, 5.0, 0.5),
    Point(5, 3, 0.05, 0.7),
]


def cases(point, count=6):
    """Targets and neighbours of some datasets, the noise of their point, and their standardised gaps."""
    sigma = gaussian.calibrate(point.epsilon, point.delta, definition="probabilistic")
    target, neighbours = datasets.draw(3, point, 0, count)
    return target, neighbours, sigma, regions.standardised_gaps(target, neighbours, sigma)
