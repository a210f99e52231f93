"""Budgets in every language: reference values for normal noise, and bounds by rho that hold for other noise."""

import math

import numpy as np
import pytest

from disclosure.mechanisms import laplace
from disclosure.numerics.errors import DomainError
from disclosure.releases.budget import Mu, OddsIncrease, PrivacyLoss, Ratio, Rho, budget

# Reference values of normal noise, to 12 digits.
APPROXIMATE, PROBABILISTIC = 0.03592570232742, 0.02531615836176


@pytest.mark.parametrize(
    ("guarantee", "rho"),
    [
        (Rho(0.15), 0.15),
        (Mu(2.0), 2.0),
        (PrivacyLoss(1.0, 1e-5, "approximate"), APPROXIMATE),
        (PrivacyLoss(1.0, 1e-5, "probabilistic"), PROBABILISTIC),
    ],
)
def test_normal_noise_in_each_language(guarantee, rho):
    assert guarantee.rho(True, 0.1) == pytest.approx(rho, rel=1e-11)


def test_a_ratio_is_attained_by_the_normal_noise_for_it():
    rho, prior = Ratio(2.0, 1e-3).rho(True, 0.05), 0.05
    mu = math.sqrt(2 * rho)
    # The worst table: every neighbour is mu away. The log odds are normal with mean mu^2 / 2.
    log_odds = np.random.default_rng(1).normal(mu**2 / 2, mu, 10**6)
    exceeded = np.mean(1 / (prior + (1 - prior) * np.exp(-log_odds)) > 2.0)
    assert abs(exceeded - 1e-3) < 5 * math.sqrt(1e-3 / 1e6)


def test_odds_of_every_adversary_ask_for_more_than_those_of_one():
    assert OddsIncrease(2.0, 1e-3).rho(True, 0.0) == pytest.approx(0.5 / 4.992653**2, rel=1e-5)
    assert OddsIncrease(2.0, 1e-3).rho(False, 0.0) == pytest.approx(0.5 / 5.493681**2, rel=1e-5)


@pytest.mark.parametrize("definition", ["approximate", "probabilistic"])
def test_bounds_by_rho_hold_for_laplace_noise_on_many_answers(definition):
    # 20 answers, each moved by 1 and with noise of scale 20.
    answers, scale, delta = 20, 20.0, 0.05
    found = budget(answers / scale**2 / 2, 0.0, delta, normal=False)
    releases = np.random.default_rng(2).laplace(0, scale, (200_000, answers))
    loss = laplace.log_density_ratio(releases, 0.0, 1.0, scale).sum(axis=1)
    epsilon = getattr(found, f"epsilon_{definition}")
    mass = (
        np.mean(np.abs(loss) > epsilon)
        if definition == "probabilistic"
        else np.mean(np.maximum(0, -np.expm1(epsilon - loss)))
    )
    assert mass <= delta
    # And the smallest rho that is enough for this epsilon is the one that was there.
    assert PrivacyLoss(epsilon, delta, definition).rho(False, 0.1) == pytest.approx(found.rho, rel=1e-12)
    assert np.mean(np.maximum(0, -np.expm1(-loss))) <= found.advantage


def test_pure_privacy_is_told_where_it_says_more():
    found = budget(0.5, 0.0, 1e-6, normal=False, epsilon_pure=1.0)
    assert (found.epsilon_approximate, found.epsilon_pure) == (1.0, 1.0)
    assert found.advantage == pytest.approx(math.expm1(1) / (math.e + 1), rel=1e-12)


@pytest.mark.parametrize(
    ("guarantee", "normal", "words"),
    [
        (Rho(0.0), True, r"rho = 0.0 is outside \(0, inf\)"),
        (Mu(1.0), False, "mu = 1 is a promise of normal noise"),
        (PrivacyLoss(0.0, 1e-5, "probabilistic"), True, "epsilon = 0"),
        (Ratio(20.0, 1e-3), True, "largest_ratio = 20 is no constraint"),
        (Ratio(2.0, 0.7), True, "failure = 0.7"),
    ],
)
def test_what_is_no_budget_is_refused(guarantee, normal, words):
    with pytest.raises(DomainError, match=words):
        guarantee.rho(normal, 0.1)
