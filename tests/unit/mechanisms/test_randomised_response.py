"""Randomised response: reports against their probabilities, and the error of the estimate that they give."""

import itertools
import math

import numpy as np
import pytest

from disclosure.mechanisms.randomised_response import RandomisedResponse
from disclosure.numerics.errors import DomainError


def test_reports_have_their_probabilities():
    mechanism, bits = RandomisedResponse(0.8), [1, 0]
    reports = mechanism.draw(bits, np.random.default_rng(3), 100_000)
    outcomes = np.array(list(itertools.product([0.0, 1.0], repeat=2)))
    logs = mechanism.log_density(outcomes, bits)
    shares = np.exp(logs) / np.exp(logs).sum()
    true = math.exp(0.8) / (1 + math.exp(0.8))
    assert shares == pytest.approx([true * (1 - true), (1 - true) ** 2, true**2, true * (1 - true)], rel=1e-14)
    counts = np.array([(reports == outcome).all(axis=1).sum() for outcome in outcomes])
    assert (np.abs(counts - 1e5 * shares) <= 4 * np.sqrt(1e5 * shares * (1 - shares))).all()


@pytest.mark.parametrize("error", [0.4, 5.0, 60.0])
def test_the_estimate_has_the_error_that_is_asked_for(error):
    mechanism = RandomisedResponse.with_error(error, 90)
    bits = (np.arange(90) < 40).astype(float)
    true = 1 / (1 + math.exp(-mechanism.epsilon))
    ones = mechanism.draw(bits, np.random.default_rng(3), 20_000).sum(axis=1)
    estimate = (ones - 90 * (1 - true)) / (2 * true - 1)
    assert np.sqrt(((estimate - 40) ** 2).mean()) == pytest.approx(error, rel=0.05)


def test_what_is_no_bit_is_refused():
    for world in ([0.5], [[0, 1]]):
        with pytest.raises(DomainError, match="world has shape"):
            RandomisedResponse(1.0).draw(world, np.random.default_rng(1), 5)
    with pytest.raises(DomainError, match="epsilon = -1"):
        RandomisedResponse(-1.0)
