"""Sums over all datasets of finitely many values, against a plain sum over tuples."""

import functools
import itertools

import numpy as np
import pytest

from disclosure.beliefs import inclusion, regions
from disclosure.expected import listed_datasets
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError

EPSILON = 0.7
VALUES, PROBABILITIES = np.array([-1.0, 0.5, 2.0]), np.array([0.5, 0.2, 0.3])
LAW = "discrete", VALUES, PROBABILITIES


def plain_sums(neighbours, sigma):
    """Expected union mass and failure probabilities, of (24) and (26), as sums over all tuples of values."""
    kinds = np.array(list(itertools.product(range(3), repeat=neighbours + 1)))
    gaps = (VALUES[kinds[:, :1]] - VALUES[kinds[:, 1:]])[..., None] / sigma
    probability = np.prod(PROBABILITIES[kinds], axis=1)
    prior_free = functools.partial(inclusion.failure_probability, bounds="prior_free")
    quantities = regions.union_mass, inclusion.failure_probability, prior_free
    return [float(probability @ quantity(gaps, EPSILON).value) for quantity in quantities]


@pytest.mark.parametrize("neighbours", [1, 2, 3, 4, 6])
def test_sums_equal_the_plain_ones(neighbours):
    """As few neighbours as values, and more: two ways to list the datasets."""
    arguments = VALUES, PROBABILITIES, neighbours, EPSILON, 2.5
    union_mass, failure_probability, prior_free = plain_sums(neighbours, 2.5)
    assert listed_datasets.mean_union_mass(*arguments) == pytest.approx(union_mass, rel=1e-12)
    assert listed_datasets.mean_failure_probability(*arguments) == pytest.approx(failure_probability, rel=1e-12)
    found = listed_datasets.mean_failure_probability(*arguments, "prior_free")
    assert found == pytest.approx(prior_free, rel=1e-12)
    assert prior_free < 0.99 * failure_probability


def test_the_range_of_the_values_calibrates_the_noise():
    union_mass, failure_probability, prior_free = plain_sums(
        4, gaussian.calibrate(EPSILON, 0.3, 3.0, definition="probabilistic")
    )
    assert expected_union_mass(9, 5, EPSILON, 0.3, LAW).value == pytest.approx(union_mass, rel=1e-12)
    assert expected_failure_probability(9, 5, EPSILON, 0.3, LAW).value == pytest.approx(failure_probability, rel=1e-12)
    found = expected_failure_probability(9, 5, EPSILON, 0.3, LAW, bounds="prior_free")
    assert found.value == pytest.approx(prior_free, rel=1e-12)


def test_without_noise_a_neighbour_of_another_value_tells_everything():
    assert expected_union_mass(6, 5, EPSILON, 1.0, LAW).value == pytest.approx(1 - (PROBABILITIES**2).sum())


@pytest.mark.parametrize(("kinds", "neighbours"), [(1, 5), (2, 7), (4, 1), (3, 4), (5, 3)])
def test_number_of_datasets(kinds, neighbours):
    shares = {
        tuple(np.bincount(people, minlength=kinds)) for people in itertools.product(range(kinds), repeat=neighbours)
    }
    assert listed_datasets.number(kinds, neighbours) == kinds * len(shares)


def test_too_many_datasets_are_refused():
    with pytest.raises(DomainError, match="at most 1000000"):
        expected_failure_probability(10**6, 1, 1.0, 0.5, LAW)
