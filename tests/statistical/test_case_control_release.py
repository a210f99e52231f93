"""Simulated case-control studies against the closed forms: every person drawn, every release made."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from disclosure.beliefs import case_control

# Some fifty comparisons are made below; with seeds left free, chance alone would take one run in 2,000 beyond this many
# standard errors.
LIMIT = 4.5


class Simulated(NamedTuple):
    target: np.ndarray
    others: np.ndarray
    outsider: np.ndarray
    released: np.ndarray


def simulate(generator, half, epsilon, studies, q0):
    """Draw studies, one of their people as target, somebody outside, and one release each."""
    participants = 2 * half + 1
    last = generator.integers(0, 2, studies, dtype=np.int8)
    statuses = np.zeros((studies, participants), dtype=np.int8)
    statuses[:, :half] = 1
    statuses[:, -1] = last
    places = generator.integers(0, participants, studies)
    target = statuses[np.arange(studies), places].astype(int)
    cases = statuses.sum(axis=1, dtype=int)
    released = case_control.release(cases, epsilon, generator)
    return Simulated(target, cases - target, (generator.random(studies) < q0).astype(int), released)


def standard_errors_apart(status, probability):
    """How far the number of cases is from the sum of their probabilities."""
    return (status - probability).sum() / np.sqrt((probability * (1 - probability)).sum())


def log_odds(status):
    """Log odds of being a case, and its standard error."""
    cases = status.sum()
    controls = status.size - cases
    return np.log(cases / controls), np.sqrt(1 / cases + 1 / controls)


@pytest.mark.parametrize(("half", "epsilon", "studies"), [(1, 1.5, 200_000), (3, 0.7, 200_000), (547, 0.34, 20_000)])
def test_the_others_split_evenly_as_often_as_derived(half, epsilon, studies):
    drawn = simulate(np.random.default_rng(547 + half), half, epsilon, studies, 0.5)
    even = drawn.others == half
    share = (half + 1) / (2 * half + 1)
    assert abs(standard_errors_apart(even, np.full(studies, share))) < LIMIT
    assert set(drawn.others[drawn.target == 1]) == {half - 1, half}
    assert set(drawn.others[drawn.target == 0]) == {half, half + 1}
    assert abs(standard_errors_apart(drawn.target[even], np.full(even.sum(), 0.5))) < LIMIT


@pytest.mark.parametrize(("half", "epsilon"), [(1, 1.5), (2, 0.7)])
def test_posterior_probabilities_come_true(half, epsilon):
    drawn = simulate(np.random.default_rng(20 + half), half, epsilon, 400_000, 0.5)
    even = drawn.others == half
    adversaries = {
        case_control.odds_ratio_knowing_design: np.ones_like(even),
        case_control.odds_ratio_knowing_others: even,
    }
    edges = half + np.array([-np.inf, -2, 0, 0.2, 0.4, 0.6, 0.8, 1, 3, np.inf])
    for knowing, known in adversaries.items():
        update = knowing(drawn.released, 2 * half + 1, epsilon, 0.5).update
        posterior = update / (1 + update)
        for low, high in itertools.pairwise(edges):
            chosen = known & (drawn.released > low) & (drawn.released <= high)
            assert abs(standard_errors_apart(drawn.target[chosen], posterior[chosen])) < LIMIT
    # The same comparison tells the two adversaries apart, so it can fail.
    wrong = case_control.odds_ratio_knowing_others(drawn.released, 2 * half + 1, epsilon, 0.5).update
    above = drawn.released > half + 1
    assert abs(standard_errors_apart(drawn.target[above], (wrong / (1 + wrong))[above])) > 4 * LIMIT


@pytest.mark.parametrize(("half", "epsilon", "q0"), [(1, 1.5, 0.2), (2, 0.7, 0.5)])
def test_simulated_odds_ratios_agree_with_the_closed_form(half, epsilon, q0):
    drawn = simulate(np.random.default_rng(40 + half), half, epsilon, 400_000, q0)
    even = drawn.others == half
    # On either side of the two numbers of cases the closed form is constant, and all of a side can be counted together.
    for side, at in ((drawn.released <= half, half), (drawn.released >= half + 1, half + 1)):
        outside, outside_error = log_odds(drawn.outsider[side])
        for knowing, known in (
            (case_control.odds_ratio_knowing_design, side),
            (case_control.odds_ratio_knowing_others, side & even),
        ):
            inside, inside_error = log_odds(drawn.target[known])
            exact = np.log(knowing(at, 2 * half + 1, epsilon, q0).odds_ratio)
            assert abs(inside - outside - exact) < LIMIT * np.hypot(inside_error, outside_error)


def test_the_crohn_study_with_everybody_else_known():
    drawn = simulate(np.random.default_rng(1095), 547, 0.34, 40_000, 0.5)
    even = drawn.others == 547
    update = case_control.odds_ratio_knowing_others(drawn.released[even], 1095, 0.34, 0.5).update
    target, released = drawn.target[even], drawn.released[even]
    for chosen in (released <= 547, (released > 547) & (released < 548), released >= 548):
        posterior = (update / (1 + update))[chosen]
        assert abs(standard_errors_apart(target[chosen], posterior)) < LIMIT
    assert abs(standard_errors_apart(target[released >= 548], np.full((released >= 548).sum(), 0.5))) > 2 * LIMIT
