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


def test_the_cheapest_allocation_of_few_releases_or_datasets():
    # The cost is least at 1.2 releases; of the whole numbers next to it the smaller is the cheaper, with more datasets.
    found = design.cheapest_allocation(1.0, 0.36, 1.0, 0.01, dataset_cost=4.0, release_cost=1.0)
    assert (found.releases, found.datasets) == (1, pytest.approx(13_600, abs=1))
    assert design.cheapest_allocation(1.0, 9.0, 1.0, 0.01, dataset_cost=4.0, release_cost=1.0).releases == 6
    # A standard error needs two datasets.
    assert design.cheapest_allocation(1.0, 0.0, 1.0, 1.0, dataset_cost=1.0, release_cost=1.0) == (2, 1, 4.0)
