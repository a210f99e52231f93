"""The noise that keeps an odds risk profile, against closed forms and a simulation of the odds."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from disclosure.workflow.questions import noise_by_profile

SETTINGS = {
    "failures": [0.01, 1e-3],
    "prior_odds": [0.01, 0.5, 1.0, 1000.0],
    "odds_risk_profile": {"scale": "linear", "knots": [[0.1, 10], [1, 2], [2.5, 5]]},
}


@pytest.fixture(scope="module")
def table():
    return {name: np.asarray(values) for name, values in noise_by_profile.rows(SETTINGS).items()}


def test_every_case_has_a_row_with_the_bound_of_its_prior_odds(table):
    assert list(table) == list(noise_by_profile.COLUMNS)
    cases = set(zip(table["adversary"], table["failure"], table["prior_odds_ratio"], strict=True))
    assert len(cases) == len(table["sigma"]) == 3 * 2 * 4
    bounds = dict(zip(table["prior_odds_ratio"].tolist(), table["bound"].tolist(), strict=True))
    assert bounds == pytest.approx({0.01: 10.0, 0.5: 10 - 8 * 0.4 / 0.9, 1.0: 2.0, 1000.0: 5.0}, rel=1e-12)


def test_noise_at_even_prior_odds_is_the_one_known_otherwise(table):
    chosen = (table["prior_odds_ratio"] == 1.0) & (table["failure"] == 1e-3)
    found = dict(zip(table["adversary"][chosen], table["sigma"][chosen], strict=True))
    assert found == {
        name: pytest.approx(value, abs=5e-5)
        for name, value in (("informed", 4.6146), ("any", 4.9927), ("zcdp", 5.4937))
    }


def test_the_odds_fail_the_profile_as_often_as_stated(table):
    informed, everybody = table["adversary"] == "informed", table["adversary"] == "any"
    b, mu = np.log(table["bound"]), 1 / table["sigma"]
    assert ndtr(mu / 2 - b / mu)[informed] == pytest.approx(table["failure"][informed], rel=1e-9)
    # Of an adversary who sees only whether the release lies beyond a point the odds rise by exactly B there.
    given, otherwise = table["failure"], ndtr(ndtri(table["failure"]) - mu)
    assert (given / otherwise)[everybody] == pytest.approx(table["bound"][everybody], rel=1e-9)


def test_without_any_tolerated_increase_no_noise_is_enough():
    flat = SETTINGS | {"odds_risk_profile": {"knots": [[1, 1.0], [2, 3.0]]}, "prior_odds": [0.5, 2.0]}
    sigma = noise_by_profile.rows(flat)["sigma"]
    assert np.isfinite(sigma).tolist() == [False, True] * 6
