"""Sums over all datasets of a finite population, against a plain sum over tuples."""

import itertools

import numpy as np
import pytest

from disclosure.beliefs import inclusion, regions
from disclosure.expected import finite

EPSILON, SIGMA = 0.7, 2.5
VALUES, PROBABILITIES = np.array([-1.0, 0.5, 2.0]), np.array([0.5, 0.2, 0.3])


@pytest.mark.parametrize("neighbours", [1, 2, 3, 4, 6])
def test_sums_equal_the_plain_ones(neighbours):
    """As few neighbours as values, and more: two ways to list the datasets."""
    union_mass = failure_probability = 0.0
    for kinds in itertools.product(range(3), repeat=neighbours + 1):
        gaps = (VALUES[kinds[0]] - VALUES[list(kinds[1:])])[:, None] / SIGMA
        probability = np.prod(PROBABILITIES[list(kinds)])
        union_mass += probability * float(regions.union_mass(gaps, EPSILON).value)
        failure_probability += probability * float(inclusion.failure_probability(gaps, EPSILON).value)
    arguments = VALUES, PROBABILITIES, neighbours, EPSILON, SIGMA
    assert finite.expected_union_mass(*arguments) == pytest.approx(union_mass, rel=1e-12)
    assert finite.expected_failure_probability(*arguments) == pytest.approx(failure_probability, rel=1e-12)


@pytest.mark.parametrize(("kinds", "neighbours"), [(1, 5), (2, 7), (4, 1), (3, 4), (5, 3)])
def test_number_of_datasets(kinds, neighbours):
    shares = {
        tuple(np.bincount(people, minlength=kinds)) for people in itertools.product(range(kinds), repeat=neighbours)
    }
    assert finite.number(kinds, neighbours) == kinds * len(shares)
