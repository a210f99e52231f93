"""The cheapest numbers of datasets and releases, against all numbers of releases."""

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.study import design


@pytest.mark.parametrize("release_cost", [1e-4, 1e-2, 10.0])
def test_the_cheapest_allocation_is_the_cheapest_of_all_that_reach_the_error(release_cost):
    between, within, mean, error = 4e-4, 9e-3, 1e-2, 0.05
    found = design.cheapest_allocation(between, within, mean, error, 1.0, release_cost)
    releases = np.arange(1, 3_000)
    costs = np.ceil((between + within / releases) / (error * mean) ** 2) * (1.0 + releases * release_cost)
    assert found.cost <= costs.min() * (1 + 1 / found.datasets)
    assert found.cost == pytest.approx(costs[found.releases - 1])
    assert np.sqrt(between / found.datasets + within / (found.datasets * found.releases)) <= error * mean


@pytest.mark.parametrize("name", ["between", "mean", "relative_error", "dataset_cost", "release_cost"])
def test_what_has_no_cheapest_allocation_is_refused(name):
    arguments = {"between": 1e-7, "within": 1e-4, "mean": 1e-4, "relative_error": 0.01}
    with pytest.raises(DomainError, match=f"{name} = 0.0"):
        design.cheapest_allocation(**{**arguments, "dataset_cost": 1.0, "release_cost": 1e-3, name: 0.0})


def test_a_standard_error_needs_two_datasets():
    found = design.cheapest_allocation(1e-7, 1e-4, 0.5, relative_error=1.0, dataset_cost=1.0, release_cost=1e-3)
    assert found.datasets == 2
