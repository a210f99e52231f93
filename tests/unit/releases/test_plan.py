"""Plans: how a total is split, what was spent before, and that k equal releases are one with less noise."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from disclosure.numerics.errors import DomainError
from disclosure.people.asked import ASKED
from disclosure.people.queries import Column
from disclosure.releases.answer import answered
from disclosure.releases.budget import Mu, PrivacyLoss, Rho
from disclosure.releases.plan import Planned, ReleasePlan, budget_of, with_noise
from disclosure.releases.statistic import additive, categories, table
from tests.unit.people.tables import UNIT, random_people

A, B = UNIT
CELLS = table("cells", [categories("sex", ["F", "M"])])


def mean(name, *columns, sample=10):
    return additive(name, "mean", columns, sample)


def plan(*statistics, total=None, spent=(), sample=10):
    return ReleasePlan(sample, tuple(statistics), None, total, spent)


@pytest.mark.parametrize("columns", [(A,), (A, B)])
def test_equal_releases_are_one_with_less_noise(columns):
    people, k, sigma = random_people(16, len(columns)), 7, 0.3
    many = answered(plan(*(Planned(mean(f"m{i}", *columns), scales=(sigma,)) for i in range(k))), people)
    one = answered(plan(Planned(mean("m", *columns), scales=(sigma / math.sqrt(k),))), people)
    assert many.budget.rho == pytest.approx(one.budget.rho, rel=1e-12)
    for name in (
        "rise_limit",
        "fall_limit",
        "posterior_limit",
        "exceeding_limit",
        "rise_limit_of_all",
        "prior",
        "person",
    ):
        assert np.allclose(many.people.movements[name], one.people.movements[name], rtol=1e-12, atol=0), name
    for name in ("rise_found", "fall_found"):
        found, expected = many.people.movements[name], one.people.movements[name]
        # On a line and in the plane quantiles have their digits, whatever the number of entries.
        assert np.allclose(found, expected, rtol=1e-12 if len(columns) == 1 else 1e-9, atol=0, equal_nan=True), name


def test_a_total_is_shared_by_what_is_stated_and_parts_share_alike():
    parts = with_noise(
        plan(
            Planned(mean("two", A, B), share=2),
            Planned(CELLS),
            Planned(mean("known", A), scales=(1.0,)),
            total=Rho(0.1),
        ),
        16,
    )
    rho = {(part.statistic, part.part.labels[0]): part.rho for part in parts}
    known = (0.1 / 1.0) ** 2 / 2
    assert rho["known", "a"] == pytest.approx(known, rel=1e-12)
    for name in (("two", "a"), ("two", "b"), ("cells", "sex=F")):
        assert rho[name] == pytest.approx((0.1 - known) / 3, rel=1e-11)
    assert math.fsum(rho.values()) <= 0.1
    cells = next(part for part in parts if part.statistic == "cells")
    assert cells.scale == pytest.approx(math.sqrt(2) / math.sqrt(2 * cells.rho), rel=1e-11)


def test_the_split_by_weights_is_the_one_of_least_weighted_error():
    weights, total = {"one": (4.0,), "two": (1.0, 0.01), "cells": (0.5,)}, 0.2
    statistics = [mean("one", A), mean("two", A, B), CELLS]
    own = plan(*(Planned(s, weights=weights[s.name]) for s in statistics), total=Rho(total))
    parts = with_noise(own, 16)
    each = np.concatenate([weights[s.name] for s in statistics])
    sensitivity = np.array([part.part.sensitivity for part in parts])

    def weighted(logits):
        share = np.exp(logits) / np.exp(logits).sum()
        return float((each * sensitivity**2 / (2 * total * share)).sum())

    best = minimize(weighted, np.zeros(len(each)), tol=1e-12).fun
    found = float((each * [part.scale**2 for part in parts]).sum())
    assert found == pytest.approx(best, rel=1e-8)
    scales = np.array([part.scale for part in parts])
    assert np.ptp(scales**2 * np.sqrt(each) / sensitivity) < 1e-9 * np.max(scales**2 * np.sqrt(each) / sensitivity)
    equal = with_noise(own, 16, by_errors=False)
    assert math.fsum(part.rho for part in equal) == pytest.approx(total, rel=1e-11)
    assert float((each * [part.scale**2 for part in equal]).sum()) > found


def test_what_was_spent_counts():
    statistic = Planned(mean("m", A))
    found = plan(statistic, total=Mu(1.0), spent=(Rho(0.1), PrivacyLoss(1.0, 1e-5, "approximate")))
    parts = with_noise(found, 16)
    spent = 0.1 + 0.03592570232742
    assert parts[0].rho == pytest.approx(0.5 - spent, rel=1e-9)
    after = budget_of(found, parts, 16, 1e-6)
    assert (after.rho, after.spent) == (pytest.approx(0.5, rel=1e-10), pytest.approx(spent, rel=1e-11))
    # A person who differs from nobody is as exposed as by what was spent alone, and everybody more than without it.
    people = random_people(16, 1)
    answer = answered(found, people)
    least = answered(plan(Planned(mean("m", A), scales=(1e6,)), spent=(Rho(spent),)), people)
    alone = answered(plan(Planned(mean("m", A), scales=(parts[0].scale,))), people)
    mu = math.sqrt(2 * spent)
    prior = 1 / 7
    worst = 1 / (prior + (1 - prior) * math.exp(-(mu**2 / 2 + mu * 3.090232306167813)))
    assert least.people.movements["rise_limit"] == pytest.approx(np.full(16, worst), rel=1e-6)
    assert (answer.people.movements["rise_limit"] > alone.people.movements["rise_limit"]).all()
    assert answer.people.movements["rise_limit"].max() <= answer.limits.rise * (1 + 1e-12)


def test_nobody_exceeds_what_the_ranges_limit_and_somebody_at_the_corners_attains_it():
    people = random_people(16, 2)
    people.values[:] = 0.0
    people.values[3] = 1.0
    own = plan(Planned(mean("m", A, B)), Planned(additive("s", "sum", [B], 10)), total=Rho(0.05))
    answer = answered(own, people, ASKED)
    assert answer.people.movements["person"][0] == 4
    for name in ("rise", "fall", "exceeding"):
        assert answer.people.movements[f"{name}_limit"][0] == pytest.approx(getattr(answer.limits, name), rel=1e-9)
    assert answer.people.movements["rise_found"][0] == pytest.approx(answer.limits.rise, rel=1e-8)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: plan(), "statistics names none"),
        (lambda: plan(Planned(CELLS), Planned(CELLS)), "cells twice"),
        (lambda: with_noise(plan(Planned(CELLS)), 16), "budget is missing, and statistics.cells has no sigma"),
        (
            lambda: with_noise(plan(Planned(CELLS), total=Rho(0.1), spent=(Rho(0.2),)), 16),
            "leaves nothing for statistics.cells",
        ),
        (lambda: with_noise(plan(Planned(CELLS, scales=(1.0,)), total=Rho(0.1)), 16), "and the stated noise .* to 1;"),
        (
            lambda: with_noise(plan(Planned(CELLS, scales=(1e-200,))), 16),
            "statistics.cells.sigma = 1e-200 .* allowed: about 1.41e-150",
        ),
        (
            lambda: with_noise(plan(Planned(CELLS, scales=(1e200,))), 16),
            "statistics.cells.sigma = 1e.200 .* allowed: about 1.41e-150",
        ),
        (lambda: with_noise(plan(Planned(CELLS, scales=(1.0, 2.0))), 16), "sigma has 2 numbers; allowed: one, or 1"),
        (
            lambda: with_noise(plan(Planned(CELLS, weights=(1.0,)), Planned(mean("m", A)), total=Rho(0.1)), 16),
            "statistics.m: has no weight",
        ),
        (lambda: Planned(CELLS, "exponential"), "noise = 'exponential' is none of"),
        (lambda: Planned(mean("m", A), "geometric"), "for answers that are whole numbers"),
        (lambda: Planned(CELLS, scales=(0.0,)), "statistics.cells.sigma = 0.0"),
        (lambda: answered(plan(Planned(CELLS, scales=(1.0,)))), "population is missing"),
        (
            lambda: answered(plan(Planned(CELLS, scales=(1.0,)), sample=16), random_people(16, 1)),
            "leaves no other candidate",
        ),
        (
            lambda: answered(
                plan(Planned(mean("m", Column("a", 0.0, 2.0)), scales=(1.0,))), random_people(16, 1), delta=2.0
            ),
            "delta = 2.0",
        ),
    ],
)
def test_what_is_no_plan_is_refused(make, words):
    with pytest.raises(DomainError, match=words):
        make()
