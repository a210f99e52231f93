"""The law of one term given a release."""

import numpy as np
import pytest

from disclosure.beliefs.inclusion import Levels
from disclosure.expected.densities import Uniform
from disclosure.expected.given_release.terms import LOWER, UPPER, kinks_of_failing, term_law, term_laws, variation
from disclosure.numerics.quadrature import Work
from tests.unit.expected.given_release.two_neighbours import symmetric

B = (np.arange(200_000) + 0.5) / 200_000


@pytest.mark.parametrize(("t", "sigma"), [(0.3, 2.0), (0.3, 0.1), (-0.4, 0.2), (1.3, 0.5)])
def test_mean_and_deviation_of_a_term(t, sigma):
    """In units of the nearest attribute's term; terms that are close to 1 are held as X - 1."""
    law = term_law(t, Uniform(), 5, symmetric(1.0), sigma, (LOWER, UPPER), Work())
    nearest = min(max(t, 0.0), 1.0)
    terms = np.exp(((t - nearest) ** 2 - (t - B) ** 2) / (2 * sigma**2)) - law.release.centred
    assert law.release.centred == (sigma == 2.0)
    assert law.mean == pytest.approx(terms.mean(), rel=1e-7)
    assert law.deviation == pytest.approx(terms.std(), rel=1e-6)


def test_beyond_a_large_epsilon_each_threshold_has_a_law_of_its_own():
    """That of the lower one has the terms that a mean below it can have, and the probability of these."""
    t, neighbours, levels, sigma = 0.2, 2, Levels(-200.0, 210.0), 0.02
    lower, upper = term_laws(t, Uniform(), neighbours, levels, sigma, Work())
    assert (lower.release.thresholds, upper.release.thresholds) == ((LOWER,), (UPPER,))
    log_terms = -((t - B) ** 2) / (2 * sigma**2)
    highest = np.log(neighbours) + 2 + levels.low
    assert lower.release.truncated
    assert lower.log_mass == pytest.approx(np.log((log_terms <= highest).mean()), abs=2e-3)
    assert upper.log_mass == 0.0


def test_there_is_no_law_if_no_term_is_low_enough():
    assert [law.release.thresholds for law in term_laws(0.5, Uniform(), 2, Levels(-np.inf, 1.0), 0.1, Work())] == [
        (UPPER,)
    ]
    assert [law.release.thresholds for law in term_laws(0.5, Uniform(), 2, symmetric(1000.0), 0.1, Work())] == [
        (UPPER,)
    ]


def test_kinks_stand_where_a_threshold_passes_an_end_or_the_nearest_attribute():
    t, epsilon, sigma = 1.2, 0.7, 0.5
    law = term_law(t, Uniform(), 5, symmetric(epsilon), sigma, (LOWER, UPPER), Work())
    places = np.array([0.0, 1.0, 1.0])
    logs = ((t - 1.0) ** 2 - (t - places) ** 2) / (2 * sigma**2)
    assert np.sort(kinks_of_failing(law)) == pytest.approx(np.sort(np.concatenate([logs - epsilon, logs + epsilon])))


def test_variation_sums_what_a_function_changes():
    assert variation(np.array([1.0, 3.0, 2.0])).tolist() == [0.0, 2.0, 3.0]
