"""Prior probabilities, against every set of neighbours listed."""

import numpy as np
import pytest

from disclosure.people import priors
from disclosure.people.neighbour_sets import Sets
from tests.unit.people.plain import all_sets
from tests.unit.people.tables import random_people


def test_the_smallest_and_the_largest_prior_are_those_of_the_heaviest_and_the_lightest_neighbours():
    table = random_people(8, 1, weights=True)
    for target in range(8):
        weights, sets = table.weights, all_sets(8, 5, target)
        plain = [weights[target] / (weights[target] + weights[set_].sum()) for set_ in sets]
        assert priors.smallest_prior(table, 5, target) == pytest.approx(min(plain), rel=1e-15)
        assert priors.largest_prior(table, 5, target) == pytest.approx(max(plain), rel=1e-15)
        shares, found = priors.beliefs(table, target, Sets(sets))
        assert found == pytest.approx(plain, rel=1e-15)
        assert shares == pytest.approx(np.array([weights[set_] / weights[set_].sum() for set_ in sets]), rel=1e-15)
    everybody = np.array([priors.smallest_prior(table, 5, target) for target in range(8)])
    assert priors.least_prior(table, 5) == everybody.min()
    bounds = priors.smallest_priors(table, 5)
    assert (bounds <= everybody * (1 + 1e-15)).all()
    # Exact for everybody who is not one of the heaviest.
    assert np.isclose(bounds, everybody, rtol=1e-15).sum() >= 8 - 3


def test_without_weights_all_candidates_are_equally_likely():
    table, sets = random_people(8, 1), all_sets(8, 5, 2)
    assert (
        priors.smallest_prior(table, 5, 0) == priors.largest_prior(table, 5, 0) == priors.least_prior(table, 5) == 0.25
    )
    assert priors.smallest_priors(table, 5).tolist() == [0.25] * 8
    shares, found = priors.beliefs(table, 2, Sets(sets))
    assert shares is None
    assert found.tolist() == [0.25] * len(sets)
