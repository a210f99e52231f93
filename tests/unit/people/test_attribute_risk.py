"""Attribute inference about people of a table: against a release simulated from scratch, and against one number."""

import math

import numpy as np
import pytest

from disclosure.beliefs.attributes import odds_changes, odds_quantiles
from disclosure.numerics.errors import DomainError
from disclosure.people import queries
from disclosure.people.attribute_risk import attribute_risks, by_change, sensitive_values, totals
from disclosure.people.queries import Column
from disclosure.people.records import Records
from disclosure.people.targets import targets

from .tables import UNIT, random_people

COLUMN = Column("a", 0.0, 10.0)
RISKS = ("odds_rise_probability", "odds_fall_probability", "odds_factor_lower", "odds_factor_upper")
TABLE = Records((COLUMN,), np.array([[3.0], [1.0], [8.0], [3.0], [9.5], [2.0], [7.0], [3.0]]))


def risks(records, query, sigma, sensitive, number=1000):
    return attribute_risks(records, query, sigma, sensitive, targets(1, records, number))


@pytest.mark.parametrize("condition", ["a >= 7", "a in 2..3"])
def test_one_column_has_the_risks_of_its_own_answer(condition):
    sensitive = sensitive_values(condition, TABLE, factor=1.5, probability=0.01)
    found = risks(TABLE, queries.linear("mean", [COLUMN], 4), 0.75, sensitive)
    # A mean over four moves by a quarter of the value, so that noise of 0.75 is one of 3 in units of the value.
    values = np.array([3.0, 1.0, 8.0, 9.5, 2.0, 7.0])
    held = [3.0, 2.0] if ".." in condition else [8.0, 9.5, 7.0]
    inside, outside = ((law, np.ones(len(law))) for law in (np.array(held), np.setdiff1d(values, held)))
    if ".." in condition:
        inside = inside[0], np.array([3.0, 1.0])
    else:
        outside = outside[0], np.where(outside[0] == 3.0, 3.0, 1.0)
    assert found["person"].tolist() == [1, 2, 3, 5, 6, 7]
    assert found["people"].tolist() == [3, 1, 1, 1, 1, 1]
    assert found["sensitive"].tolist() == [int(value in held) for value in values]
    changes = odds_changes(inside, outside, values, scale=3.0, factor=1.5)
    factors = odds_quantiles(inside, outside, values, scale=3.0, probability=0.01)
    for name, expected in zip(RISKS, (*changes, *factors), strict=True):
        np.testing.assert_allclose(found[name], expected, rtol=1e-12)
    assert (found["error"] == 0).all()


@pytest.mark.parametrize("columns", [1, 2])
def test_a_release_about_everybody_simulated_from_scratch_agrees(columns):
    """An adversary subtracts what is known of the others, and weighs every record of the table by Bayes's rule."""
    generator = np.random.default_rng(columns)
    records, sample, draws = random_people(12, columns, seed=5), 5, 100_000
    query, sigma = queries.linear("mean", UNIT[:columns], sample), 0.15
    sensitive = sensitive_values("a > 0.5", records, factor=1.5, probability=0.05)
    found = risks(records, query, sigma, sensitive)
    values, target = records.values, 4
    members = [target, 0, 3, 7, 9]
    releases = values[members].mean(axis=0) + sigma * generator.standard_normal((draws, columns))
    likely = np.ones((draws, 12))
    for other in range(12):
        answer = (values[members[1:]].sum(axis=0) + values[other]) / sample
        likely[:, other] = np.exp(-((releases - answer) ** 2).sum(axis=1) / (2 * sigma**2))
    held = values[:, 0] > 0.5
    factors = likely[:, held].sum(axis=1) / likely[:, ~held].sum(axis=1) * (~held).sum() / held.sum()
    rise, fall, lower, upper = (found[name][target] for name in RISKS)
    for share, expected in (
        ((factors > 1.5).mean(), rise),
        ((factors < 1 / 1.5).mean(), fall),
        ((factors < lower).mean(), 0.05),
        ((factors > upper).mean(), 0.05),
    ):
        assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / draws) + 1e-6


def test_over_everybody_a_rise_is_likelier_by_more_than_the_factor_where_it_is_right():
    """The prior counts everybody. So the mean over those of whom S is true is the probability given S, and h is its density
    over that given the opposite."""
    records = random_people(60, 1, seed=2)
    sensitive = sensitive_values("a > 0.6", records, factor=1.01)
    found = risks(records, queries.linear("sum", UNIT[:1], 30), 0.8, sensitive)
    held = found["sensitive"] == 1
    assert found["odds_rise_probability"][held].mean() > 1.01 * found["odds_rise_probability"][~held].mean()
    assert found["odds_fall_probability"][~held].mean() > 1.01 * found["odds_fall_probability"][held].mean()


def test_with_the_uniform_prior_other_columns_say_nothing():
    both, query = random_people(20, 2), queries.linear("identity", UNIT, 8)
    alone = Records(UNIT[:1], both.values[:, :1])
    first, second = (
        risks(records, query, 0.7, sensitive_values("a in 0.2..0.4", records, prior="uniform"))
        for records in (both, alone)
    )
    for name in RISKS:
        np.testing.assert_array_equal(first[name], second[name])


def test_the_order_of_the_columns_does_not_matter():
    records = random_people(15, 2, seed=9)
    turned = Records(UNIT[::-1], records.values[:, ::-1].copy())
    first, second = (
        risks(table, queries.linear("sum", table.columns, 8), 0.9, sensitive_values("a > 0.5", table))
        for table in (records, turned)
    )
    for name in RISKS:
        np.testing.assert_allclose(first[name], second[name], rtol=1e-9)
    assert 0 < first["error"].max() < 1e-5


def test_totals_count_everybody_who_is_like_a_target():
    sensitive = sensitive_values("a >= 7", TABLE, factor=1.2)
    found = risks(TABLE, queries.linear("sum", [COLUMN], 4), 5.0, sensitive)
    total = totals(TABLE, sensitive, found)
    change = found["odds_rise_probability"] + found["odds_fall_probability"]
    assert total["change_probability_mean"] == pytest.approx((3 * change[0] + change[1:].sum()) / 8, rel=1e-14)
    assert total["change_probability_largest"] == change.max()
    assert (total["holders"], total["targets"], total["prior_odds"]) == (3, 8, pytest.approx(3 / 5, rel=1e-14))
    assert found["person"][by_change(found)[0]] == found["person"][np.argmax(change)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "b > 1"}, "is about b, which is not released; there are a"),
        ({"text": "a > 9.5"}, "true of 0 of 8 people"),
        ({"text": "a <= 9.5"}, "true of 8 of 8 people"),
        ({"text": "a == 3", "prior": "uniform"}, "under the uniform prior from 0 to 10"),
        ({"prior": "normal"}, "'normal' is none of table, uniform"),
        ({"factor": 1.0}, "factor = 1.0 is outside"),
        ({"probability": 0.7}, "odds probability = 0.7 is outside"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(change, said):
    with pytest.raises(DomainError) as refused:
        sensitive_values(**({"text": "a > 5", "records": TABLE} | change))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("smoker", "truth", "smoker"),
        ("smoker", "truth", "smoker == 1"),
        ("region=north", "category", "region=north"),
        ("region=north", "category", " region == north"),
    ],
)
def test_the_ones_of_a_column_of_yes_and_no_are_named_by_its_name(name, kind, text):
    records = Records((Column(name, 0.0, 1.0, kind),), np.array([[1.0], [0.0], [1.0]]))
    sensitive = sensitive_values(text, records)
    assert (sensitive.condition.column, sensitive.condition.text) == (name, text.strip())
    assert risks(records, queries.linear("sum", records.columns, 2), 1.0, sensitive)["sensitive"].tolist() == [1, 0]


def test_three_columns_are_for_the_uniform_prior_only():
    columns = tuple(Column(name, 0.0, 1.0) for name in "abc")
    records = Records(columns, np.random.default_rng(0).random((9, 3)))
    with pytest.raises(DomainError, match="one column or two"):
        sensitive_values("b > 0.5", records)
    assert sensitive_values("b > 0.5", records, prior="uniform").place == 1
