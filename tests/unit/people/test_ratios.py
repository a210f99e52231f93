"""How far belief moves, against all datasets listed and posteriors by their definition."""

import math

import numpy as np
import pytest

from disclosure.beliefs import quantiles
from disclosure.people import exposure, neighbour_sets, queries, ratios, targets
from disclosure.people.asked import Asked
from disclosure.people.limits import Limits
from disclosure.people.records import Records
from tests.unit.people.plain import all_sets
from tests.unit.people.tables import people, random_people


def plain_ratios(table, sigma, target, set_, noise):
    """Posterior over prior of the target after the releases of its dataset, by Bayes' rule."""
    members = np.append(target, set_)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    priors = weights[members] / weights[members].sum()
    releases = table.values[target] + sigma * noise
    logs = -((releases[:, None] - table.values[members]) ** 2).sum(axis=2) / (2 * sigma**2)
    densities = np.exp(logs - logs.max(axis=1, keepdims=True))
    return densities[:, 0] / (densities @ priors)


@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weighted"])
@pytest.mark.parametrize("dimensions", [1, 2])
def test_of_few_datasets_the_worst_is_found(dimensions, weighted):
    table, sample, sigma = random_people(7, dimensions, seed=1, weights=weighted), 4, 0.8
    query = queries.linear("sum", table.columns, sample)
    for target in (0, 3, 6) if dimensions == 1 else (3,):
        sets = neighbour_sets.neighbour_sets(1, table, sample, target, 5)
        assert sets.probabilities is not None
        rises, falls, exceeded = [], [], []
        for set_ in all_sets(7, sample, target):
            weights = np.ones(7) if table.weights is None else table.weights
            prior = weights[target] / (weights[target] + weights[set_].sum())
            gaps = (table.values[target] - table.values[set_]) / sigma
            shares = weights[set_] / weights[set_].sum()
            found = quantiles.ratio_quantiles(gaps, 0.01, shares, prior)
            rises.append(float(found.upper))
            falls.append(float(found.lower))
            exceeded.append(float(quantiles.exceeding_probability(gaps, 1.3, shares, prior).value))
        moved = ratios.movement(table, query, sample, sigma, target, sets, 0.01)
        assert moved.rise_found == pytest.approx(max(rises), rel=1e-9)
        assert moved.fall_found == pytest.approx(min(falls), rel=1e-9)
        assert moved.rise_limit >= moved.rise_found
        assert moved.fall_limit <= moved.fall_found
        assert ratios.exceeding(table, query, sample, sigma, target, sets, 1.3) == pytest.approx(
            max(exceeded), rel=1e-9
        )


@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weighted"])
def test_what_is_found_happens_and_the_limit_is_kept(weighted):
    """An outlier among many possible datasets: releases by the definition, for the worst set and for sets that are drawn."""
    generator = np.random.default_rng(3)
    values = np.vstack([generator.random((60, 2)), [[4.0, 3.0]]])
    weights = generator.integers(1, 6, 61).astype(float) if weighted else None
    table, sample, sigma, probability = people(values, weights), 45, 15.0, 0.01
    query = queries.linear("sum", table.columns, sample)
    sets = neighbour_sets.neighbour_sets(1, table, sample, 60, 20)
    moved = ratios.movement(table, query, sample, sigma, 60, sets, probability)
    assert 1.3 < moved.rise_found <= moved.rise_limit < (1.1 if weighted else 1.01) * moved.rise_found
    assert 0.8 * moved.fall_found < moved.fall_limit <= moved.fall_found
    noise, error = generator.normal(size=(40_000, 2)), math.sqrt(probability / 40_000)
    worst = ratios.worst_sets(Limits(table, query, sample), 60)
    shares = [(plain_ratios(table, sigma, 60, set_, noise) > moved.rise_found).mean() for set_ in worst]
    assert abs(max(shares) - probability) < 5 * error
    for set_ in (*worst, *neighbour_sets.drawn_sets(2, 61, sample, 60, 0, 10)):
        found = plain_ratios(table, sigma, 60, set_, noise)
        assert (found > moved.rise_limit).mean() < probability + 5 * error
        assert (found < moved.fall_limit).mean() < probability + 5 * error
        prior = 1 / 17 if weights is None else weights[60] / (weights[60] + weights[set_].sum())
        assert (prior * found > moved.posterior_limit).mean() < probability + 5 * error


def test_the_worst_sets_are_the_farthest_on_all_sides_and_on_each():
    table = people(np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [9.0]]))
    limits = Limits(table, queries.linear("sum", table.columns, 5), 5)
    assert sorted(ratios.worst_sets(limits, 3).tolist()) == [[0, 1], [0, 6], [5, 6]]
    assert sorted(ratios.worst_sets(limits, 6).tolist()) == [[0, 1], [4, 5]]
    everybody = Limits(table, queries.linear("sum", table.columns, 1), 1)
    assert ratios.worst_sets(everybody, 0).tolist() == [[1, 2, 3, 4, 5, 6]]


def test_only_what_may_be_the_worst_is_computed():
    """With the person of the largest limit as the measure; those who are not computed have lower limits than what was found."""
    generator = np.random.default_rng(8)
    table = people(np.vstack([generator.random((40, 2)), [[3.0, 3.0], [2.9, 3.1]]]))
    query, asked = queries.linear("sum", table.columns, 30), Asked(1e-3, 1.5)
    looked = targets.targets(1, table, 42)
    found = exposure.exposures(table, query, 30, 4.0, 1.0, looked, 5, 1, asked=asked)
    known = ~np.isnan(found["rise_found"])
    assert 0 < known.sum() < 10
    assert found["rise_limit"][~known].max() < np.nanmax(found["rise_found"])
    assert found["exceeding_limit"][np.isnan(found["exceeding_found"])].max() < np.nanmax(found["exceeding_found"])
    assert found["person_of_all"].tolist() == [1 + int(found["rise_limit"].argmax())] * 42
    assert set(found["rise_limit_of_all"]) == {found["rise_limit"].max()}
    assert found["fall_limit_of_all"] == pytest.approx(np.full(42, found["fall_limit"].min()), rel=1e-12)
    assert set(found["exceeding_limit_of_all"]) == {found["exceeding_limit"].max()}
    # Of the others it is computed as well where one asks for it, and it is below.
    for target in np.flatnonzero(~known)[:4].tolist():
        sets = neighbour_sets.neighbour_sets(1, table, 30, target, 5)
        assert ratios.movement(table, query, 30, 4.0, target, sets, 1e-3).rise_found < np.nanmax(found["rise_found"])
    # A part of the people has the same rows, and another probability the same columns.
    part = exposure.exposures(table, query, 30, 4.0, 1.0, looked.part(38, 42), 5, 1, asked=asked)
    moved = exposure.movements(table, query, 30, 4.0, looked, 5, 1, asked=asked)
    for name in ("rise_found", "rise_limit", "fall_found", "fall_limit", "posterior_limit", "rise_limit_of_all"):
        assert part[name].tolist() == pytest.approx(found[name][38:].tolist(), nan_ok=True)
        assert moved[name].tolist() == pytest.approx(found[name].tolist(), nan_ok=True)
    assert moved["person"].tolist() == found["person"].tolist()


def test_a_query_that_is_not_linear_has_what_is_found_over_the_drawn_sets():
    table = random_people(30, 1, seed=2)
    slow = queries.custom(lambda records: records.mean(axis=0), 1 / 20)
    fast = queries.linear("mean", table.columns, 20)
    sets = neighbour_sets.neighbour_sets(1, table, 20, 4, 12)
    moved = ratios.movement(table, slow, 20, 0.05, 4, sets, 1e-3)
    drawn = neighbour_sets.drawn_sets(1, 30, 20, 4, 0, 12)
    plain = quantiles.ratio_quantiles((table.values[4] - table.values[drawn]) / 20 / 0.05, 1e-3)
    assert moved.rise_found == pytest.approx(plain.upper.max(), rel=1e-9)
    assert moved.fall_found == pytest.approx(plain.lower.min(), rel=1e-9)
    assert math.isnan(moved.rise_limit)
    assert moved.rise_found <= ratios.movement(table, fast, 20, 0.05, 4, sets, 1e-3).rise_found
    found = exposure.exposures(table, slow, 20, 0.05, 1.0, targets.targets(1, table, 3), 12, 1)
    assert found["person_of_all"].tolist() == [0] * 3
    assert np.isfinite(found["rise_found"]).all()


def test_with_too_many_different_neighbours_the_limit_stands_alone():
    generator = np.random.default_rng(9)
    values = Records(
        tuple(queries.Column(name, -9.0, 9.0) for name in "abc"), generator.normal(size=(1_200, 3)).clip(-9, 9)
    )
    query = queries.linear("sum", values.columns, 600)
    sets = neighbour_sets.neighbour_sets(1, values, 600, 0, 2)
    moved = ratios.movement(values, query, 600, 20.0, 0, sets, 1e-3)
    assert math.isnan(moved.rise_found)
    assert math.isnan(moved.fall_found)
    assert moved.rise_limit > 1
    assert math.isnan(ratios.exceeding(values, query, 600, 20.0, 0, sets, 1.2))
