"""What a table of exposed people comes to."""

import math

import numpy as np
import pytest

from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.people import summary
from disclosure.workflow import tables
from tests.unit.people.exposed import SETTING, exposed


def test_everybody_has_the_errors_of_their_datasets_alone():
    means, errors = np.linspace(0.01, 0.05, 40), np.linspace(0.001, 0.002, 40)
    row = summary.summarise(SETTING, exposed(means, errors, ["everybody"] * 40))
    assert row.union_mass_mean == pytest.approx(means.mean())
    assert row.union_mass_se == pytest.approx(math.sqrt((errors**2).sum()) / 40)
    assert (row.union_mass_largest, row.union_mass_supremum, row.most_exposed) == pytest.approx((0.1, 0.15, 48))
    assert (row.targets, row.datasets, row.guarantee) == (40, 7, "probabilistic")
    assert row.relation == REPLACE_ONE
    assert row.ratio_upper == pytest.approx(1 / (1 / 11 + 10 / 11 * math.exp(-1)))
    assert row.ratio_lower == pytest.approx(1 / (1 / 11 + 10 / 11 * math.exp(1)))


def test_every_case_counts_as_often_as_it_has_people():
    """Against a table with a row for each of the people, who share the datasets of their case."""
    counts = np.array([25, 1, 10, 4])
    means, errors = np.array([0.01, 0.8, 0.02, 0.05]), np.array([0.001, 0.2, 0.0, 0.003])
    row = summary.summarise(SETTING, exposed(means, errors, ["everybody"] * 4, counts=counts))
    draws = np.random.default_rng(3).normal(means, errors, size=(20_000, 4))
    of_people = np.repeat(draws, counts, axis=1).mean(axis=1)
    assert row.union_mass_mean == pytest.approx(np.repeat(means, counts).mean(), rel=1e-12)
    # Relative standard error of an empirical standard deviation: sqrt(1 / (2 * 20,000)).
    assert row.union_mass_se == pytest.approx(of_people.std(), rel=4 * math.sqrt(1 / 40_000))
    assert (row.targets, row.most_exposed) == (40, 12)


def test_a_mean_over_people_of_whom_some_were_not_looked_at_has_no_standard_error():
    """Two stick out and stand for themselves; those who were sampled stand for the others."""
    counts = np.array([1, 2, 3, 1, 1])
    means = np.array([1.0, 0.8, 0.1, 0.3, 0.2])
    chosen = ["farthest"] * 2 + ["sampled"] * 3
    row = summary.summarise(SETTING, exposed(means, np.full(5, 1e-3), chosen, counts=counts))
    others = (3 * 0.1 + 0.3 + 0.2) / 5
    assert row.union_mass_mean == pytest.approx((1.0 + 2 * 0.8 + 37 * others) / 40, rel=1e-12)
    assert math.isnan(row.union_mass_se)
    assert math.isnan(row.failure_probability_se)
    assert row.targets == 8


def test_the_mean_over_sampled_people_is_right_on_average():
    generator = np.random.default_rng(5)
    true = np.append([1.0, 0.8], generator.random(38) * 0.4)
    found = []
    for _ in range(1000):
        places = np.append([0, 1], 2 + generator.permutation(38)[:10])
        table = exposed(true[places], np.zeros(12), ["farthest"] * 2 + ["sampled"] * 10)
        found.append(summary.summarise(SETTING, table).union_mass_mean)
    assert abs(np.mean(found) - true.mean()) < 4 * np.std(found) / math.sqrt(1000)


def test_all_datasets_listed_have_no_number_of_sampled_ones():
    table = exposed([0.1] * 40, [0.0] * 40, ["everybody"] * 40, datasets=0)
    row = summary.summarise(SETTING, table)
    assert (row.datasets, row.union_mass_se) == (0, 0)


def test_the_person_whose_belief_rises_most_is_most_exposed_whatever_fails():
    table = exposed(np.linspace(0.01, 0.4, 40), np.zeros(40), ["everybody"] * 40)
    table["failure_probability_mean"] = table["failure_probability_mean"][::-1]
    # The largest of those that were found; of the others the limit alone is known, and it comes after them.
    assert summary.by_exposure(table)[:3].tolist() == [38, 36, 34]
    assert summary.by_exposure(table)[-2:].tolist() == [3, 1]
    row = summary.summarise(SETTING, table)
    assert row.most_exposed == 10 + 38
    assert row.rise_found == table["rise_found"][38]
    assert row.fall_found == table["fall_found"][38]
    assert row.exceeding_found == table["exceeding_found"][38]
    assert row.posterior_limit == table["posterior_limit"][38]
    # The limits are those of everybody in the table.
    assert (row.rise_limit, row.fall_limit) == (1.1 * 5.0, 1 / (1.1 * 5.0))
    assert (row.exceeding_limit, row.person_of_all) == (1.1 * 5.0 / 100, 3)
    assert (row.probability, row.ratio) == (1e-3, 2.0)
    # With equal rises, up to rounding, the one whose bounds fail most, and then the first row.
    for name in ("rise_found", "rise_limit"):
        table[name] = 1.5 + 1e-13 * np.arange(40)
    table["failure_probability_mean"] = np.where(np.arange(40) == 7, 0.3, 0.2)
    assert summary.summarise(SETTING, table).most_exposed == 17
    table["failure_probability_mean"] = np.full(40, 0.2)
    assert summary.summarise(SETTING, table).most_exposed == 10


def test_what_was_found_for_nobody_is_not_known():
    table = exposed(np.linspace(0.01, 0.4, 40), np.zeros(40), ["everybody"] * 40)
    for name in ("rise_found", "fall_found", "exceeding_found"):
        table[name] = np.full(40, np.nan)
    row = summary.summarise(SETTING, table)
    assert math.isnan(row.rise_found)
    assert math.isnan(row.fall_found)
    assert math.isnan(row.exceeding_found)
    assert row.most_exposed == 10 + 39


def test_a_single_dataset_has_no_standard_error():
    row = summary.summarise(SETTING, exposed([0.1] * 40, [np.nan] * 40, ["everybody"] * 40, datasets=1))
    assert math.isnan(row.union_mass_se)
    assert row.union_mass_mean == pytest.approx(0.1)


def test_summaries_are_the_columns_of_the_table_that_is_written():
    rows = [
        summary.summarise(SETTING._replace(point=k), exposed([0.1] * 40, [0.0] * 40, ["everybody"] * 40))
        for k in (0, 1)
    ]
    columns = summary.columns(rows)
    assert list(columns) == list(tables.EXPOSURE_SUMMARY)
    assert columns["point"] == [0, 1]
    for name, kind in tables.EXPOSURE_SUMMARY.items():
        plain = int if issubclass(kind, int) else kind
        assert [type(value) for value in columns[name]] == [plain, plain], name
