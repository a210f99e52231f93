"""Attribute inference beside presence: against a simulation from scratch, limits, and what is known of a half-line."""

import math

import numpy as np
import pytest

from disclosure.mechanisms import gaussian
from disclosure.workflow.incomes import incomes
from disclosure.workflow.questions import attribute_inference

SETTINGS = {
    "people": 40,
    "median": 40_000.0,
    "spread": 0.7,
    "highest": 250_000.0,
    "above": 100_000.0,
    "between": [30_000.0, 50_000.0],
    "tails": [15_000.0, 100_000.0],
    "epsilon": [1.0, 4.0, 8.0],
    "delta": 0.01,
    "factor": 2.0,
    "probability": 0.01,
}
GUESSES = {
    "half_line": lambda income: income >= 100_000,
    "interval": lambda income: (income >= 30_000) & (income <= 50_000),
    "tails": lambda income: (income <= 15_000) | (income >= 100_000),
}


@pytest.fixture(scope="module")
def table():
    return {name: np.asarray(values) for name, values in attribute_inference.rows(SETTINGS).items()}


def row(table, guess, epsilon):
    (place,) = np.flatnonzero((table["guess"] == guess) & (table["epsilon"] == epsilon))
    return {name: values[place] for name, values in table.items()}


def test_every_guess_has_a_row_at_every_epsilon(table):
    assert list(table) == list(attribute_inference.COLUMNS)
    cases = set(zip(table["guess"], table["epsilon"], strict=True))
    assert len(cases) == len(table["guess"]) == 4 * 3
    assert set(table["factor"]) == {2.0}
    assert set(table["probability"]) == {0.01}


def test_incomes_are_log_normal_ones_at_equally_likely_places():
    values = incomes(1000, 40_000.0, 0.7, 1e9)
    assert np.log(values).mean() == pytest.approx(math.log(40_000), rel=1e-9)
    assert np.log(values).std() == pytest.approx(0.7, rel=0.005)
    assert (np.diff(values) > 0).all()
    assert incomes(1000, 40_000.0, 0.7, 50_000.0).max() == 50_000.0


@pytest.mark.parametrize("guess", ["half_line", "interval", "tails", "presence"])
def test_a_simulation_of_the_most_exposed_agrees(table, guess):
    """A mean over 20 of the people, from which the adversary subtracts the 19 others."""
    found, draws = row(table, guess, 8.0), 100_000
    values = incomes(40, 40_000.0, 0.7, 250_000.0)
    assert found["sigma"] == gaussian.calibrate(8.0, 0.01, 250_000.0, definition="probabilistic")
    noise = found["sigma"] / 20 * np.random.default_rng(6).standard_normal(draws)
    shares, upper, lower = [], [], []
    for target, income in enumerate(values):
        released = values[:20].sum() / 20 - values[0] / 20 + income / 20 + noise
        own = (released - (values[1:20].sum()) / 20) * 20
        likely = np.exp(-((own[:, None] - values) ** 2) / (2 * found["sigma"] ** 2))
        if guess == "presence":
            factors = likely[:, target] / likely.mean(axis=1)
        else:
            held = GUESSES[guess](values)
            factors = likely[:, held].mean(axis=1) / likely[:, ~held].mean(axis=1)
        shares.append(np.mean((factors > 2) | (factors < 0.5)))
        upper.append(np.quantile(factors, 0.99))
        lower.append(np.quantile(factors, 0.01))
    error = 4 * math.sqrt(0.25 / draws)
    assert np.max(shares) == pytest.approx(found["change_probability_largest"], abs=error)
    assert np.mean(shares) == pytest.approx(found["change_probability_mean"], abs=error)
    # A quantile of 1% is off by 1.3% of the probability at two standard errors, and the factors by some percent.
    assert max(upper) == pytest.approx(found["odds_factor_upper"], rel=0.15)
    assert min(lower) == pytest.approx(found["odds_factor_lower"], rel=0.15)


def test_presence_is_bounded_by_the_number_of_people_and_a_half_line_is_not(table):
    assert row(table, "presence", 8.0)["odds_factor_upper"] < 40
    wide = attribute_inference.rows(SETTINGS | {"epsilon": 64.0})
    found = {name: np.asarray(values) for name, values in wide.items()}
    assert row(found, "presence", 64.0)["odds_factor_upper"] < 40
    assert row(found, "half_line", 64.0)["odds_factor_upper"] > 1e6
