"""The exponential mechanism: outcomes against their probabilities, and the privacy that these keep."""

import numpy as np
import pytest

from disclosure.mechanisms.exponential import Exponential
from disclosure.numerics.errors import DomainError


def near(count):
    return -np.abs(np.arange(8) - count)


def test_outcomes_have_their_probabilities():
    mechanism = Exponential(1.3, near)
    sizes = np.exp(0.65 * near(2))
    shares = sizes / sizes.sum()
    outcomes = mechanism.draw(2, np.random.default_rng(3), 100_000)
    assert np.exp(mechanism.log_density(np.arange(8), 2)) == pytest.approx(shares, rel=1e-13)
    counts = np.bincount(outcomes, minlength=8)
    assert (np.abs(counts - 1e5 * shares) <= 4 * np.sqrt(1e5 * shares * (1 - shares))).all()


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 400.0])
def test_neighbours_differ_by_epsilon_at_most(epsilon):
    mechanism = Exponential(epsilon, near)
    losses = [mechanism.log_probabilities(count) - mechanism.log_probabilities(count + 1) for count in range(7)]
    largest = np.abs(losses).max()
    assert 0.499 * epsilon < largest <= epsilon * (1 + 1e-12)


def test_what_is_no_utility_is_refused():
    for utility in (lambda world: 3.0, lambda world: []):
        with pytest.raises(DomainError, match="utility gives the shape"):
            Exponential(1.0, utility).draw(0, np.random.default_rng(1), 5)
    with pytest.raises(DomainError, match="utility = inf"):
        Exponential(1.0, lambda world: [0.0, np.inf]).log_probabilities(0)
