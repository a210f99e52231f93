"""The joint risk of a planned release against a simulation from scratch, which knows only the table and the scales."""

import csv
import itertools
import pathlib

import numpy as np
import pytest

from disclosure.people.asked import Asked
from disclosure.people.queries import Column
from disclosure.people.reading import Reading, read
from disclosure.releases.answer import answered
from disclosure.releases.budget import Rho
from disclosure.releases.plan import Planned, ReleasePlan, with_noise
from disclosure.releases.stack import columns_of, stacked
from disclosure.releases.statistic import additive, function
from disclosure.releases.unlike_noises import StackedNoise, exceeding_by_rho, fall_by_rho, rise_by_rho
from disclosure.study import any_mechanism
from disclosure.workflow.config.release import read_plan
from tests.unit.people.tables import random_people

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
PROBABILITY, RELEASES = 0.05, 40_000
MIXED = {"days": "laplace", "dead": "geometric", "scores": "discrete_gaussian"}
SAMPLE = 25


def lung():
    """The rows of the public table that have all values needed, as texts."""
    with open(DATA / "tables/lung.csv", encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["ph.ecog"]]


def records_of(plan):
    """The same as records, with the columns of a plan."""
    return read(DATA / "tables/lung.csv", columns_of(plan), Reading(missing="drop"))


def answers(rows):
    """The true answers about some rows, computed as a person would."""
    cells = [sum(r["sex"] == s and r["ph.ecog"] == e for r in rows) for s in "12" for e in ("0.0", "1.0", "2.0")]
    return np.array(
        [
            sum(float(r["age"]) for r in rows) / SAMPLE,
            sum(float(r["ph.karno"]) for r in rows) / SAMPLE,
            sum(float(r["time"]) for r in rows),
            sum(r["status"] == "1" for r in rows),
            sum(float(r["age"]) >= 65 for r in rows),
            *cells,
        ]
    )


def planned(mechanisms):
    """The plan of the file, with other noise for some statistics; rho is half the square of the mu that it states."""
    own = read_plan(str(DATA / "release_lung.yaml"))
    statistics = (
        Planned(one.statistic, mechanisms.get(one.statistic.name, "gaussian"), share=one.share)
        for one in own.statistics
    )
    return ReleasePlan(own.sample, tuple(statistics), None, Rho(own.total.value**2 / 2))


def noise(mechanism, scale, generator, size):
    if mechanism == "gaussian":
        return generator.normal(0, scale, size)
    if mechanism == "laplace":
        return generator.laplace(0, scale, size)
    # On whole numbers, from the probabilities written out.
    numbers = np.arange(-400, 401)
    weights = (
        np.exp(-(numbers**2) / (2 * scale**2)) if mechanism == "discrete_gaussian" else np.exp(-abs(numbers) / scale)
    )
    return generator.choice(numbers, size, p=weights / weights.sum())


def losses(mechanism, scale, moved, drawn):
    """Log density of the noise over that of what it is with another answer."""
    if mechanism in ("gaussian", "discrete_gaussian"):
        return ((drawn + moved) ** 2 - drawn**2) / (2 * scale**2)
    return (np.abs(drawn + moved) - np.abs(drawn)) / scale


@pytest.mark.parametrize("mechanisms", [{}, MIXED])
def test_the_joint_risk_is_that_of_a_simulation_from_scratch(mechanisms):
    rows, plan = lung(), planned(mechanisms)
    records = records_of(plan)
    answer = answered(plan, records, Asked(PROBABILITY, 2.0), targets=4)
    moved = answer.people.movements
    target = int(np.flatnonzero(records.row_numbers(np.arange(len(records))) == moved["person"][0])[0])
    found = moved["rise_found"][0]
    noises = [(accuracy.mechanism, accuracy.scale) for accuracy in answer.accuracy]
    generator = np.random.default_rng(5)
    others = [place for place in range(len(rows)) if place != target]

    def ratios(outside, size):
        """Posterior over prior of the target where these people are the other candidates, for drawn releases."""
        members = [rows[place] for place in others if place not in outside]
        truth, loss = answers([rows[target], *members]), np.zeros((len(outside), size))
        swapped = [answers([rows[place], *members]) for place in outside]
        for entry, (mechanism, scale) in enumerate(noises):
            drawn = noise(mechanism, scale, generator, size)
            loss += np.stack([losses(mechanism, scale, truth[entry] - other[entry], drawn) for other in swapped])
        prior = 1 / (len(outside) + 1)
        return 1 / (prior + (1 - prior) * np.exp(-loss).mean(axis=0))

    # The worst of random datasets and of those with the farthest others is the one that was found; no limit is exceeded.
    outsiders, scales = len(rows) - SAMPLE, [scale for _, scale in noises]
    own = answers([rows[target]])
    far = sorted(others, key=lambda place: -np.linalg.norm((own - answers([rows[place]])) / scales))
    sets = [tuple(far[:outsiders]), *(tuple(generator.choice(others, outsiders, replace=False)) for _ in range(30))]
    sets += [tuple(s) for s in itertools.combinations(far[: outsiders + 2], outsiders)]
    assert outsiders == 4
    exceeding = [np.mean(ratios(outside, 4000) > found) for outside in sets]
    worst = sets[int(np.argmax(exceeding))]
    risk = np.mean(ratios(worst, RELEASES) > found)
    spread = np.sqrt(PROBABILITY * (1 - PROBABILITY) / RELEASES)
    low, high = moved["rise_found_low"][0], moved["rise_found_high"][0]
    if not mechanisms:
        assert (low, high) == (found, found)
        assert abs(risk - PROBABILITY) < 5 * spread
    else:
        # The level is known but for its interval of 95%: three times as wide it holds for both simulations.
        at = [np.mean(ratios(worst, RELEASES) > found + 1.5 * side * (high - low)) for side in (-1, 1)]
        assert at[0] > PROBABILITY > at[1]
        assert low <= found <= high < moved["rise_limit"][0]
    assert np.mean(ratios(worst, RELEASES) > moved["rise_limit"][0]) <= PROBABILITY
    assert np.mean(ratios(worst, RELEASES) < moved["fall_limit"][0]) <= PROBABILITY + 5 * spread
    assert np.mean(ratios(worst, RELEASES) > 2.0) <= moved["exceeding_limit"][0] + 5 * spread


def test_gaps_of_a_stack_are_differences_of_answers_over_scales():
    rows, plan = lung(), planned({})
    records = records_of(plan)
    answer = answered(plan, records, targets=2)
    values, query = stacked(records, plan, answer.parts)
    scales = np.array([accuracy.scale for accuracy in answer.accuracy])
    gaps = query.differences(values.values[3], values.values[[5, 9]])
    members = rows[10:34]
    truth = answers([rows[3], *members])
    expected = [(truth - answers([rows[other], *members])) / scales for other in (5, 9)]
    assert np.allclose(gaps, expected, rtol=1e-9, atol=1e-12)
    assert query.sensitivity == pytest.approx(1.0, rel=1e-9)


def test_a_function_of_ones_own_in_a_plan_is_what_the_same_sum_would_be():
    people = random_people(5, 2)
    a, b = people.columns
    known = Planned(additive("known", "mean", [a], 3), scales=(0.2,))
    same = Planned(additive("same", "sum", [b], 3), scales=(0.7,))
    own = Planned(function("own", [b], lambda records: records.sum(axis=0), ["b"], sensitivity=1.0), scales=(0.7,))
    expected, found = (answered(ReleasePlan(3, (known, other)), people, targets=2) for other in (same, own))
    assert found.budget == expected.budget
    # All datasets are listed; of sums only those people are looked at who may be the most exposed.
    for name, worst in (("rise_found", np.nanmax), ("fall_found", np.nanmin)):
        one, other = found.people.movements[name], expected.people.movements[name]
        known = ~np.isnan(other)
        assert one[: known.sum()] == pytest.approx(other[known], rel=1e-9)
        assert worst(one) == one[0]
    assert (found.people.movements["rise_limit"] >= found.people.movements["rise_found"] - 1e-12).all()
    assert found.people.movements["rise_limit"] == pytest.approx(np.full(2, found.limits.rise), rel=1e-12)


def test_two_statistics_may_not_state_two_ranges():
    plan = ReleasePlan(
        2,
        tuple(
            Planned(additive(name, "sum", [Column("a", 0.0, high)], 2), scales=(1.0,))
            for name, high in (("x", 1), ("y", 2))
        ),
    )
    with pytest.raises(ValueError, match=r"range of a is 0 to 2, and 0 to 1 in statistics\.x; state one"):
        columns_of(plan)


@pytest.mark.parametrize("rho", [0.01, 0.3, 5.0])
def test_limits_by_rho_hold_for_normal_noise(rho):
    mu, prior, probability = np.sqrt(2 * rho), 0.1, 0.01
    log_odds = np.random.default_rng(3).normal(mu**2 / 2, mu, 400_000)
    ratio = 1 / (prior + (1 - prior) * np.exp(-log_odds))
    slack = 5 * np.sqrt(probability / log_odds.size)
    assert np.mean(ratio > rise_by_rho(rho, probability, prior)) <= probability + slack
    assert np.mean(ratio < fall_by_rho(rho, probability, prior)) <= probability + slack
    assert np.mean(ratio > 2.0) <= exceeding_by_rho(rho, 2.0, prior) + slack


def test_pure_privacy_limits_everything():
    assert rise_by_rho(3.0, 0.01, 0.0, 0.5) == pytest.approx(np.exp(0.5))
    assert fall_by_rho(3.0, 0.01, 0.0, 0.5) == pytest.approx(np.exp(-0.5))
    assert exceeding_by_rho(3.0, 2.0, 0.1, 0.5) == 0.0
    assert exceeding_by_rho(3.0, 20.0, 0.1) == 0.0


def test_stacked_noise_tells_the_density_of_what_it_draws():
    plan = planned(MIXED)
    parts = with_noise(plan, 29)
    noises = StackedNoise(parts)
    scales = np.array([part.scale for part in parts for _ in part.part.labels])
    entries = len(scales)
    # Importance weights between two worlds on the lattice average 1, for each entry alone.
    for entry in range(entries):
        other = np.zeros(entries)
        other[entry] = np.ceil(1.5 * scales[entry]) / scales[entry]
        draws = any_mechanism.draw(noises, np.zeros(entries), [other], np.random.default_rng(1), 20_000)
        assert abs(draws.weights.mean() - 1) < 5 * draws.weights.std() / np.sqrt(20_000)


def test_people_with_missing_values_are_left_out_and_named_by_their_rows():
    plan = read_plan(str(DATA / "release_lung.yaml"))
    with pytest.raises(ValueError, match="missing"):
        read(DATA / "tables/lung.csv", (*columns_of(plan), Column("wt.loss", -100.0, 100.0)))
    records = read(
        DATA / "tables/lung.csv", (*columns_of(plan), Column("wt.loss", -100.0, 100.0)), Reading(missing="drop")
    )
    found = answered(ReleasePlan(20, plan.statistics, None, plan.total), records, targets=2)
    assert len(records) < 29
    assert set(found.people.movements["person"]) <= set(records.row_numbers(np.arange(len(records))))
