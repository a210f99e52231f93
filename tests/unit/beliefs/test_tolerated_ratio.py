"""The bounds (24) and (26) solved for epsilon: against their formula, their limits, and finite mechanisms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure.beliefs.tolerated_ratio import epsilon_for_ratio
from disclosure.numerics.errors import DomainError
from tests.unit.beliefs.finite_mechanisms import random_mechanism

probabilities = st.floats(1e-6, 1 - 1e-6)


@given(prior=probabilities, epsilon=st.floats(1e-6, 8))
def test_epsilon_for_ratio_inverts_the_upper_bound(prior, epsilon):
    ratio = 1 / (prior + (1 - prior) * math.exp(-epsilon))
    # How far a rounded ratio moves epsilon, times a few hundred.
    slack = 1e-13 * math.exp(epsilon) / (1 - prior) / epsilon
    answer = epsilon_for_ratio(max(ratio, 1.0), prior).epsilon
    assert answer == pytest.approx(epsilon, rel=slack)


@given(prior=probabilities, ratio=st.floats(1, 1e6))
def test_epsilon_for_ratio_is_the_largest(prior, ratio):
    answer = epsilon_for_ratio(ratio, prior)
    assert answer.relation == "replace-one"
    if prior * ratio >= 1:
        assert answer.epsilon == math.inf
        return

    def reached(epsilon):
        return 1 / (prior + (1 - prior) * math.exp(-epsilon))

    assert reached(answer.epsilon) <= ratio * (1 + 1e-12)
    assert reached(answer.epsilon * 1.01 + 1e-9) > ratio


def test_epsilon_for_ratio_at_its_edges():
    assert epsilon_for_ratio(1.0, 0.3).epsilon == 0
    assert epsilon_for_ratio([2, 10, 2], [0.5, 0.1, 0.499]).epsilon[:2].tolist() == [math.inf, math.inf]
    assert epsilon_for_ratio(3.0, 1e-12).epsilon == pytest.approx(math.log(3), rel=1e-11)
    assert epsilon_for_ratio(1 + 1e-9, 0.25).epsilon == pytest.approx(1e-9 / 0.75, rel=1e-6)
    near = epsilon_for_ratio(math.nextafter(2.0, 0.0), 0.5).epsilon
    assert 30 < near < 40
    by_profile = epsilon_for_ratio(lambda p: 1 + 5 * p, [0.1, 0.2])
    assert by_profile.epsilon == pytest.approx(np.log([0.9 / (1 / 1.5 - 0.1), 0.8 / (1 / 2 - 0.2)]))


def test_a_function_of_the_prior_is_asked_at_each_of_a_table_of_priors():
    priors = np.array([[0.1, 0.2, 0.3], [0.01, 0.05, 0.4]])
    by_profile = epsilon_for_ratio(lambda p: 1 + p, priors)
    assert by_profile.epsilon.shape == (2, 3)
    assert np.array_equal(by_profile.epsilon, epsilon_for_ratio(1 + priors, priors).epsilon)


@pytest.mark.parametrize("seed", range(20))
def test_no_release_raises_the_inclusion_probability_above_the_tolerated_ratio(seed):
    generator = np.random.default_rng(3000 + seed)
    prior, ratio = generator.uniform(0.02, 0.4), generator.uniform(1.05, 2.2)
    epsilon = float(epsilon_for_ratio(ratio, prior).epsilon)
    candidates = [(value,) for value in range(6)]
    mechanism = random_mechanism(generator, epsilon, candidates, lambda first, second: float(first != second))
    priors = np.concatenate([[prior], (1 - prior) * generator.dirichlet(np.ones(5))])
    weighted = priors[:, None] * np.array([mechanism[candidate] for candidate in candidates])
    assert np.all(weighted[0] / weighted.sum(axis=0) / prior <= ratio * (1 + 1e-12))


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (
            lambda: epsilon_for_ratio(lambda p: [2.0], [0.1, 0.2]),
            r"largest_ratio\(0.1\) has shape \(1,\)",
        ),
        (lambda: epsilon_for_ratio([2.0, 3.0, 4.0], [0.1, 0.2]), r"prior \(2,\), largest_ratio \(3,\)"),
        (lambda: epsilon_for_ratio(2.0, 0.0), "prior = 0.0"),
        (lambda: epsilon_for_ratio(0.9, 0.5), "largest_ratio = 0.9"),
    ],
)
def test_refusals_name_the_value(refused, message):
    with pytest.raises(DomainError, match=message):
        refused()
