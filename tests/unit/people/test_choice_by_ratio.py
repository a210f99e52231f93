"""The noise by the ratio itself holds for the worst person and the worst dataset: releases and posteriors from scratch.

Nothing of the package is part of the simulation: a dataset is a list of rows, its mean is released with normal noise, and the
adversary compares the means with each candidate in the target's place by Bayes' rule.
"""

import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import choice, queries, reading
from disclosure.people.asked import Asked
from disclosure.people.exposure import exposures, movements
from disclosure.people.neighbour_sets import neighbour_sets
from disclosure.people.queries import Column
from disclosure.people.reading import Reading
from disclosure.people.records import Records
from disclosure.people.targets import targets
from tests.unit.people.tables import DAVIS

RATIO, FAILURE, RELEASES = 1.5, 0.02, 30_000


def heap():
    """Half of the people at one end of the first column."""
    generator = np.random.default_rng(5)
    first = np.where(generator.random(80) < 0.5, 0.0, generator.integers(1, 60, 80) / 10)
    return np.column_stack([first, np.round(generator.random(80) * 10, 3)])


def outliers():
    generator = np.random.default_rng(6)
    return np.vstack([np.round(generator.normal(5, 0.3, size=(60, 2)), 2), [[0.1, 9.9], [9.0, 9.5]]])


# Values between 0 and 10, weights, and the number of people outside the dataset.
TABLES = {
    "one who differs": (np.append(np.zeros(29), 7.7)[:, None], None, 10),
    "ties in one column": (np.round(np.random.default_rng(2).gamma(1, 2, 70).clip(0, 10))[:, None], None, 12),
    "heap": (heap(), None, 25),
    "outliers": (outliers(), None, 8),
    "outliers with weights": (outliers(), np.append(np.random.default_rng(3).integers(1, 6, 60), [1, 2]) * 1.0, 8),
    "weights in one column": (
        np.random.default_rng(4).random((40, 1)) * 10,
        1.0 + 9 * np.random.default_rng(9).random(40),
        15,
    ),
    "one neighbour": (np.random.default_rng(7).random((30, 2)) * 10, None, 1),
    "all but one outside": (np.random.default_rng(8).random((30, 2)) * 10, None, 29),
}


def share_exceeding(values, weights, target, neighbours, sigma, noise):
    """Share of releases after which belief in the target's presence has risen by more than the ratio.

    The other members are whoever is neither the target nor a neighbour.
    """
    posterior, prior = beliefs_after(values, weights, target, neighbours, sigma, noise)
    return (posterior > RATIO * prior).mean()


def share_outside(values, weights, target, neighbours, sigma, noise, epsilon):
    """Share of releases after which the ratio of belief is outside the bounds (24)."""
    posterior, prior = beliefs_after(values, weights, target, neighbours, sigma, noise)
    lower, upper = (1 / (prior + (1 - prior) * math.exp(sign * epsilon)) for sign in (1, -1))
    return ((posterior < lower * prior) | (posterior > upper * prior)).mean()


def beliefs_after(values, weights, target, neighbours, sigma, noise):
    """Belief in the target's presence after each release, and before."""
    known = np.delete(np.arange(len(values)), [target, *neighbours])
    candidates = [target, *neighbours]
    means = np.array([values[[*known, candidate]].mean(axis=0) for candidate in candidates])
    releases = means[0] + sigma * noise
    logs = -((releases[:, None] - means) ** 2).sum(axis=2) / (2 * sigma**2)
    believed = np.ones(len(values)) if weights is None else weights
    prior = believed[candidates] / believed[candidates].sum()
    posterior = prior * np.exp(logs - logs.max(axis=1, keepdims=True))
    return posterior[:, 0] / posterior.sum(axis=1), prior[0]


def neighbours_of(values, weights, target, number):
    """Sets of neighbours that may be the worst: farthest on all sides, along lines in several directions, and random ones."""
    others = np.delete(np.arange(len(values)), target)
    away = values[target] - values[others]
    scores = [np.linalg.norm(away, axis=1)]
    directions = np.array(
        [[1.0], [-1.0]] if away.shape[1] == 1 else [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1]]
    )
    scores += [away @ direction for direction in directions]
    if weights is not None:
        scores += [weights[others] * score for score in scores]
    generator = np.random.default_rng(target)
    scores += [generator.random(len(others)) for _ in range(3)]
    return [others[np.argsort(-score, kind="stable")[:number]] for score in scores]


@pytest.mark.parametrize("name", TABLES)
def test_nobody_exceeds_the_ratio_more_often_in_any_dataset(name):
    values, weights, number = TABLES[name]
    sample = len(values) - number
    table = Records((Column("a", 0.0, 10.0), Column("b", 0.0, 10.0))[: values.shape[1]], values, weights)
    query = queries.linear("mean", table.columns, sample)
    found = choice.sigma_for_ratio(table, query, sample, RATIO, FAILURE)
    assert found.largest == pytest.approx(FAILURE, rel=1e-9)
    noise = np.random.default_rng(1).normal(size=(RELEASES, values.shape[1]))
    error = math.sqrt(FAILURE / RELEASES)
    person = found.person - 1
    far = np.argsort(-np.linalg.norm(values - np.median(values, axis=0), axis=1))[:4]
    worst = 0.0
    for target in {person, *far.tolist(), 0, len(values) - 1}:
        for chosen in neighbours_of(values, weights, target, number):
            share = share_exceeding(values, weights, target, chosen, found.sigma, noise)
            assert share < FAILURE + 4 * error
            worst = max(worst, share) if target == person else worst
            # At a larger noise too.
            assert share_exceeding(values, weights, target, chosen, 1.5 * found.sigma, noise) < FAILURE + 4 * error
    # It is not much more noise than is needed: some dataset comes to what was found.
    assert worst > found.found - 4 * error
    assert found.found > FAILURE * (0.3 if weights is None else 0.2)
    assert found.kind == ("exact" if name in ("one who differs", "ties in one column", "one neighbour") else "bound")


@pytest.mark.parametrize(
    ("name", "criterion"),
    [
        *((name, "union_mass") for name in ("one who differs", "ties in one column", "heap", "outliers with weights")),
        *((name, "failure_probability") for name in ("one who differs", "weights in one column")),
        pytest.param("heap", "failure_probability", marks=pytest.mark.long),
    ],
)
def test_nobodys_bounds_fail_more_often_with_the_noise_by_a_criterion(name, criterion):
    """In every dataset for T; for the failure probability in those that it was looked at over."""
    values, weights, number = TABLES[name]
    kept = 8 if values.shape[1] == 2 else 20  # a grid of noise for each person takes its time
    values, weights, number = values[-kept:], None if weights is None else weights[-kept:], min(number, kept // 2)
    sample = len(values) - number
    table = Records((Column("a", 0.0, 10.0), Column("b", 0.0, 10.0))[: values.shape[1]], values, weights)
    query, epsilon = queries.linear("mean", table.columns, sample), 0.5
    found = choice.smallest_sigma(table, query, sample, epsilon, FAILURE, range(len(values)), criterion, 2)
    noise = np.random.default_rng(2).normal(size=(RELEASES // 3, values.shape[1]))
    error = 4 * math.sqrt(FAILURE / len(noise))
    worst = 0.0
    for target in {found.person - 1, 0, len(values) - 1}:
        looked = neighbours_of(values, weights, target, number)[:4]
        if criterion == "failure_probability":
            sets = neighbour_sets(0, table, sample, target, 2)
            looked = [places for block in sets.blocks() for places in block.places][:4]
        for chosen in looked:
            for factor in (1.0, 1.5):
                share = share_outside(values, weights, target, chosen, factor * found.sigma, noise, epsilon)
                assert share < FAILURE + error
                worst = max(worst, share)
    # T counts each neighbour by itself, and is far above what fails.
    assert criterion == "union_mass" or worst > FAILURE / 2


@pytest.mark.parametrize("number", [1, 6])
def test_the_noise_from_the_ranges_is_enough_for_every_table_and_needed_for_one(number):
    sample, columns = 9, (Column("a", 0.0, 10.0), Column("b", 0.0, 4.0))
    query = queries.linear("mean", columns, sample)
    sigma = choice.sigma_from_ranges(query.sensitivity, RATIO, FAILURE, 1 / (number + 1))
    noise, error = np.random.default_rng(2).normal(size=(RELEASES, 2)), math.sqrt(FAILURE / RELEASES)
    worst = np.vstack([[10.0, 0.0], np.tile([0.0, 4.0], (sample + number - 1, 1))])
    others = np.arange(1, number + 1)
    assert abs(share_exceeding(worst, None, 0, others, sigma, noise) - FAILURE) < 4 * error
    assert share_exceeding(worst, None, 0, others, 0.9 * sigma, noise) > FAILURE + 4 * error
    generator = np.random.default_rng(3)
    for _ in range(40):
        # Records at corners and between, as the next worst tables may have.
        values = generator.choice([0.0, 0.0, 0.5, 1.0, 1.0], size=(sample + number, 2)) * [10.0, 4.0]
        assert share_exceeding(values, None, 0, others, sigma, noise) < FAILURE + 4 * error
    table = Records(columns, worst)
    of_people = choice.sigma_for_ratio(table, query, sample, RATIO, FAILURE)
    assert of_people.sigma == pytest.approx(sigma, rel=1e-12)
    assert (of_people.person, of_people.kind) == (1, "exact")


def test_for_every_prior_the_noise_is_that_of_a_small_one():
    columns = (Column("a", 0.0, 10.0),)
    table = Records(columns, np.append(np.zeros(400), 8.0)[:, None])
    query = queries.linear("mean", columns, 50)
    few, every = (choice.sigma_for_ratio(table, query, 50, RATIO, FAILURE, flag) for flag in (False, True))
    assert few.sigma < every.sigma < 1.01 * few.sigma
    assert every.largest == pytest.approx(FAILURE, rel=1e-9)
    ends = [choice.sigma_from_ranges(0.2, RATIO, FAILURE, prior) for prior in (0.3, 0.1, 1e-9, 0.0)]
    assert ends == sorted(ends)


def test_the_noise_asks_for_no_more_than_the_upper_limit_of_failure_did():
    columns = (Column("height_cm", 50.0, 210.0), Column("weight_kg", 35.0, 170.0))
    for used in (columns[:1], columns):
        table, query = reading.read(DAVIS, used), queries.linear("mean", used, 180)
        by_ratio = choice.sigma_for_ratio(table, query, 180, 2.0, 1e-3)
        epsilon = choice.epsilon_for_ratio(2.0, 1 / 21)
        assert by_ratio.sigma < choice.smallest_sigma(table, query, 180, epsilon, 1e-3, range(200)).sigma
        assert by_ratio.person == 12


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"failure": 0.7}, "failure = 0.7"),
        ({"ratio": 1.0}, "ratio = 1.0"),
        ({"sample": 3}, "sample = 3"),
        ({"query": queries.custom(lambda records: records.max(axis=0), 1.0)}, "custom is not linear"),
    ],
)
def test_what_cannot_be_chosen_is_refused_by_name(change, named):
    table = Records((Column("a", 0.0, 1.0),), np.array([[0.0], [0.5], [1.0]]))
    arguments = {"query": queries.linear("sum", table.columns, 2), "sample": 2, "ratio": 1.5, "failure": 0.01}
    with pytest.raises(DomainError, match=named):
        choice.sigma_for_ratio(table, **{**arguments, **change})


def test_people_are_named_by_their_rows_in_the_file(tmp_path):
    """Of a table from which people with missing values were left out."""
    path = tmp_path / "people.csv"
    path.write_text("a\n1\nNA\n2\n2\nNA\n9\n1\n2\n", encoding="utf-8")
    table, query = reading.read_release(path, "mean", ["a:0:10"], 4, Reading(missing="drop"))
    assert choice.sigma_for_ratio(table, query, 4, 1.5, 1e-3).person == 6
    found = exposures(table, query, 4, 2.0, 1.0, targets(1, table, 9), 5, 1)
    assert set(found["person_of_all"].tolist()) == {6}
    assert sorted(found["person"].tolist()) == [1, 3, 6]
    assert movements(table, query, 4, 2.0, targets(1, table, 9), 5, 1, 0, Asked(0.01, 2.0))["person"].tolist() == [
        1,
        3,
        6,
    ]


def test_for_every_prior_what_is_found_is_at_small_ones():
    """The bound is attained nearly, so that what is found at the prior of the table would be far below it."""
    values = np.array([3.0, 5, 7, 8, 10, 12, 13, 15, 18, 30])[:, None]
    table, query = Records((Column("v", 0.0, 40.0),), values), queries.linear("mean", [Column("v", 0.0, 40.0)], 8)
    noise = choice.sigma_for_ratio(table, query, 8, 1.5, 0.01, every_prior=True)
    # Of the target 30 the farthest two others, 3 and 5, are its neighbours; R is 1 / g for a prior near 0.
    z = np.random.default_rng(1).standard_normal(4_000_000)
    gaps = (30 - np.array([3.0, 5.0])) / 8 / noise.sigma
    g = np.exp(-gaps[:, None] * z - gaps[:, None] ** 2 / 2).mean(axis=0)
    share = (1 / g > 1.5).mean()
    assert noise.found == pytest.approx(share, abs=5 * (share / len(z)) ** 0.5)
    assert 0.009 < noise.found <= noise.largest


def test_rounding_does_not_hide_what_is_found():
    table = Records((Column("v", 0.0, 5.0),), np.array([[1.0], [2.0], [3.0]]))
    query = queries.linear("mean", [Column("v", 0.0, 5.0)], 2)
    for sigma in np.linspace(2.0, 9.0, 60).tolist():
        found = exposures(table, query, 2, sigma, 1.0, targets(1, table, 3), 100, 1)
        assert np.isfinite(found["rise_found"]).any(), sigma
