"""Points of a sweep: which are refused, and what varies over a table of them."""

import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.study import datasets, points
from disclosure.study.points import Point


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
        points.check(point)
    with pytest.raises(DomainError, match=named):
        datasets.draw(1, point, 0, 1)


def test_the_first_parameter_with_several_values_varies():
    table = {name: np.array([value, value]) for name, value in zip(points.PARAMETERS, (9, 5, 1.0, 0.1), strict=True)}
    assert points.varied(table) is None
    for name in points.PARAMETERS:
        assert points.varied({**table, name: np.array([1, 2])}) == name
    assert points.varied({**table, "delta": np.array([0.1, 0.2]), "sample": np.array([1, 2])}) == "sample"


@pytest.mark.parametrize("point", [None, 5, (9, 3, 1.0, 0.1)])
def test_what_is_no_point_is_refused(point):
    for function in (points.check, lambda point: datasets.draw(1, point, 0, 1)):
        with pytest.raises(
            DomainError, match=r"point = .* is no Point; give Point\(population, sample, epsilon, delta\)"
        ):
            function(point)


def test_an_infinite_population_is_a_point_but_nobody_is_drawn_from_it():
    point = points.check(Point(math.inf, 90, 1.0, 0.1))
    with pytest.raises(
        DomainError, match=r"^population = inf has infinitely many neighbours, who cannot be drawn; allowed: "
    ):
        datasets.draw(1, point, 0, 2)
    with pytest.raises(DomainError, match="sample = inf is not a whole number"):
        points.check(Point(math.inf, math.inf, 1.0, 0.1))
    assert points.check(Point(100, 90, 1.0, 0.1)).drawn_neighbours == 10
