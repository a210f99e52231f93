"""Odds, risks and their bounds against small mechanisms that are enumerated, and against their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure.beliefs import odds
from disclosure.numerics.errors import DomainError
from tests.unit.beliefs.finite_mechanisms import (
    OTHERS,
    VALUES,
    add_remove_mechanism,
    concentrated,
    posteriors,
    truncated_geometric,
)

probabilities = st.floats(1e-6, 1 - 1e-6)
epsilons = st.floats(0, 5)


@pytest.mark.parametrize("seed", range(60))
def test_no_prior_breaks_the_bounds_of_posterior_to_posterior_risk(seed):
    generator = np.random.default_rng(seed)
    epsilon = generator.uniform(0.05, 2)
    mechanism = add_remove_mechanism(generator, epsilon)
    cells = [(others, value) for others in OTHERS for value in VALUES]
    joint = dict(zip(cells, concentrated(generator, len(cells)), strict=True))
    included, excluded = posteriors(mechanism, joint, inside={0, 2})
    bounds = odds.posterior_to_posterior_bounds(epsilon)
    assert np.all(bounds.lower <= included / excluded)
    assert np.all(included / excluded <= bounds.upper)


@pytest.mark.parametrize("seed", range(60))
def test_no_independent_prior_breaks_the_bounds_of_risks_and_odds(seed):
    generator = np.random.default_rng(1000 + seed)
    epsilon = generator.uniform(0.05, 2)
    mechanism = add_remove_mechanism(generator, epsilon)
    others_prior = dict(zip(OTHERS, concentrated(generator, len(OTHERS)), strict=True))
    value_prior = concentrated(generator, len(VALUES))
    inside = {0, 2}
    q, q0 = value_prior[[0, 2]].sum(), generator.uniform(0.01, 0.99)
    joint = {(others, value): others_prior[others] * value_prior[value] for others in OTHERS for value in VALUES}
    included, _ = posteriors(mechanism, joint, inside)
    excluded = np.full_like(included, q0)

    risks = odds.risks(included, excluded)
    bounds = odds.posterior_to_posterior_bounds(epsilon, q, q0)
    complement = odds.posterior_to_posterior_bounds(epsilon, 1 - q, 1 - q0)
    ratio = odds.odds_ratio_bounds(epsilon, odds.prior_odds_ratio(q, q0))
    person = odds.odds_bounds(epsilon, q, q0)
    slack = 1 + 1e-12
    for value, (low, high) in (
        (risks.r1, bounds[:2]),
        (risks.r0, complement[:2]),
        (risks.r10, ratio[:2]),
        (included / (1 - included), (person.lower, person.upper)),
    ):
        assert np.all(low <= value * slack)
        assert np.all(value <= high * slack)


def test_a_release_reaches_the_bounds():
    # The count of 1s less the count of 0s: both records move it, in opposite directions.
    epsilon, q, q0 = 0.7, 0.2, 0.03
    inside, outside = truncated_geometric(1, epsilon, 4), truncated_geometric(-1, epsilon, 4)
    assert inside.sum() == pytest.approx(1, rel=1e-14)
    included = q * inside / (q * inside + (1 - q) * outside)
    risks = odds.risks(included, q0)
    ratio = odds.odds_ratio_bounds(epsilon, odds.prior_odds_ratio(q, q0))
    assert risks.r10[[0, -1]] == pytest.approx([ratio.lower, ratio.upper], rel=1e-13)
    bounds = odds.posterior_to_posterior_bounds(epsilon, q, q0)
    assert risks.r1[[0, -1]] == pytest.approx([bounds.lower, bounds.upper], rel=1e-13)
    # With q = q0 towards 0 the bound for every prior is approached, so it can't be smaller.
    q = 1e-9
    included = q * inside / (q * inside + (1 - q) * outside)
    everywhere = odds.posterior_to_posterior_bounds(epsilon)
    assert included[[0, -1]] / q == pytest.approx([everywhere.lower, everywhere.upper], rel=1e-8)


def test_a_dependent_prior_breaks_the_bound_that_rests_on_independence():
    # The others are many and alike when the value lies in S: the release tells the group, and by it the value.
    epsilon, q, group = 0.5, 0.5, 6
    inside, outside = truncated_geometric(group + 1, epsilon, 10), truncated_geometric(-group - 1, epsilon, 10)
    included = q * inside / (q * inside + (1 - q) * outside)
    assert odds.risks(included, q).r10.max() > 100 * odds.odds_ratio_bounds(epsilon, 1.0).upper


@given(included=probabilities, excluded=probabilities)
def test_the_ratio_of_the_risks_is_an_odds_ratio(included, excluded):
    r1, r0, r10 = odds.risks(included, excluded)
    assert r1 == pytest.approx(included / excluded)
    assert r0 == pytest.approx((1 - included) / (1 - excluded))
    assert r10 == pytest.approx(included / (1 - included) / (excluded / (1 - excluded)), rel=1e-9)


def test_prior_odds_ratio_of_the_crohn_study():
    assert odds.prior_odds_ratio(0.5, 0.00125) == 799
    assert odds.prior_odds_ratio(0.5, 0.5) == 1
    assert odds.prior_odds_ratio([0.75, 0.5], [0.25, 0.75]) == pytest.approx([9, 1 / 3])


def test_bounds_without_noise_and_without_privacy():
    assert odds.odds_ratio_bounds(0.0, 799.0) == (799, 799, "add/remove-one")
    assert odds.odds_bounds(0.0, 0.5, 0.2) == (0.25, 1, 1, "add/remove-one")
    assert odds.posterior_to_posterior_bounds(0.0, 0.3, 0.1)[:2] == pytest.approx((3, 3))
    # No release does more than make the value certain.
    assert odds.posterior_to_posterior_bounds(1000.0, 0.3, 0.1)[:2] == (0, pytest.approx(10))
    assert odds.odds_ratio_bounds(1000.0, 2.0)[:2] == (0, math.inf)


@given(epsilon=epsilons, q=probabilities)
def test_one_prior_for_both_worlds_needs_no_ratio(epsilon, q):
    bounds = odds.posterior_to_posterior_bounds(epsilon, q)
    assert bounds == odds.posterior_to_posterior_bounds(epsilon, q, q)
    everywhere = odds.posterior_to_posterior_bounds(epsilon)
    assert everywhere.lower <= bounds.lower * (1 + 1e-12)
    assert bounds.upper <= everywhere.upper * (1 + 1e-12)
    assert bounds.upper <= 1 / q * (1 + 1e-12)
    assert everywhere.relation == bounds.relation == "add/remove-one"


@given(epsilon=epsilons, q=probabilities, q0=probabilities)
def test_odds_bounds_are_those_of_the_odds_ratio_times_the_odds_outside(epsilon, q, q0):
    bounds, ratio = odds.odds_bounds(epsilon, q, q0), odds.odds_ratio_bounds(epsilon, odds.prior_odds_ratio(q, q0))
    assert bounds.excluded == pytest.approx(q0 / (1 - q0))
    assert bounds.lower == pytest.approx(ratio.lower * bounds.excluded, rel=1e-9)
    assert bounds.upper == pytest.approx(ratio.upper * bounds.excluded, rel=1e-9)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: odds.risks([0.1, 0.2], [0.1, 0.2, 0.3]), r"included \(2,\), excluded \(3,\)"),
        (lambda: odds.prior_odds_ratio([0.1, 0.2], [0.1, 0.2, 0.3]), r"q \(2,\), q0 \(3,\)"),
        (lambda: odds.odds_ratio_bounds([0.1, 0.2], [1, 2, 3]), r"epsilon \(2,\), prior_odds_ratio \(3,\)"),
        (lambda: odds.odds_bounds([0.1, 0.2], [0.1, 0.2, 0.3], 0.5), r"epsilon \(2,\), q \(3,\)"),
        (lambda: odds.posterior_to_posterior_bounds([0.1, 0.2], [0.1, 0.2, 0.3]), r"epsilon \(2,\), q \(3,\)"),
        (lambda: odds.prior_odds_ratio(0.5, 0.0), "q0 = 0.0"),
        (lambda: odds.prior_odds_ratio(1.0, 0.5), "q = 1.0"),
        (lambda: odds.risks(math.nan, 0.5), "included = nan"),
        (lambda: odds.risks(0.5, 1.0), "excluded = 1.0"),
        (lambda: odds.odds_ratio_bounds(-0.1, 1.0), "epsilon = -0.1"),
        (lambda: odds.odds_ratio_bounds(0.1, math.inf), "prior_odds_ratio = inf"),
        (lambda: odds.odds_bounds(math.nan, 0.5, 0.5), "epsilon = nan"),
        (lambda: odds.odds_bounds(0.1, 0.5, -0.5), "q0 = -0.5"),
        (lambda: odds.posterior_to_posterior_bounds(0.1, 0.0), "q = 0.0"),
    ],
)
def test_refusals_name_the_value(refused, message):
    with pytest.raises(DomainError, match=message):
        refused()


def test_misuse_that_no_value_explains():
    with pytest.raises(TypeError, match="q0 is given without q"):
        odds.posterior_to_posterior_bounds(0.1, q0=0.5)
