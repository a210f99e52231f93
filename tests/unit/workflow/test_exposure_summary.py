"""What a table of exposed people comes to, and its figures."""

import math

import numpy as np
import pytest

from disclosure.plots import exposure, style
from disclosure.workflow import exposure_summary, tables

CALIBRATION = {"point": 0, "population": 40, "sample": 30, "epsilon": 1.0, "delta": 0.01, "sigma": 2.5}


def exposed(means, errors, chosen, seed=1, counts=None, datasets=7):
    generator = np.random.default_rng(seed)
    number = len(means)
    table = {name: generator.random(number) for name in tables.EXPOSURE}
    table |= {"people": np.ones(number, dtype=int) if counts is None else np.asarray(counts)}
    table |= {"datasets": np.full(number, datasets)}
    table |= {"point": np.zeros(number, dtype=int), "person": 10 + np.arange(number)}
    table |= {
        "union_mass_mean": np.asarray(means),
        "union_mass_se": np.asarray(errors),
        "union_mass_largest": 2 * np.asarray(means),
    }
    table |= {
        "failure_probability_mean": np.asarray(means) / 100,
        "failure_probability_se": np.asarray(errors) / 100,
        "prior": np.full(number, 1 / 11),
    }
    table |= {"chosen": np.asarray(chosen), "supremum": np.array(["exact"] * number)}
    table["union_mass_supremum"] = np.minimum(1.0, 3 * table["union_mass_mean"])
    return {name: table[name] for name in tables.EXPOSURE}


def test_everybody_has_the_errors_of_their_datasets_alone():
    means, errors = np.linspace(0.01, 0.05, 40), np.linspace(0.001, 0.002, 40)
    row = exposure_summary.summarise(CALIBRATION, exposed(means, errors, ["everybody"] * 40))
    assert list(row) == list(tables.EXPOSURE_SUMMARY)
    assert row["union_mass_mean"] == pytest.approx(means.mean())
    assert row["union_mass_se"] == pytest.approx(math.sqrt((errors**2).sum()) / 40)
    assert (row["union_mass_largest"], row["union_mass_supremum"], row["most_exposed"]) == pytest.approx(
        (0.1, 0.15, 49)
    )
    assert (row["targets"], row["datasets"], row["guarantee"]) == (40, 7, "probabilistic")
    assert row["relation"] == "replacing one record"
    assert row["ratio_upper"] == pytest.approx(1 / (1 / 11 + 10 / 11 * math.exp(-1)))
    assert row["ratio_lower"] == pytest.approx(1 / (1 / 11 + 10 / 11 * math.exp(1)))


def test_every_case_counts_as_often_as_it_has_people():
    """Against a table with a row for each of the people, who share the datasets of their case."""
    counts = np.array([25, 1, 10, 4])
    means, errors = np.array([0.01, 0.8, 0.02, 0.05]), np.array([0.001, 0.2, 0.0, 0.003])
    row = exposure_summary.summarise(CALIBRATION, exposed(means, errors, ["everybody"] * 4, counts=counts))
    draws = np.random.default_rng(3).normal(means, errors, size=(20_000, 4))
    of_people = np.repeat(draws, counts, axis=1).mean(axis=1)
    assert row["union_mass_mean"] == pytest.approx(np.repeat(means, counts).mean(), rel=1e-12)
    # Relative standard error of an empirical standard deviation: sqrt(1 / (2 * 20,000)).
    assert row["union_mass_se"] == pytest.approx(of_people.std(), rel=4 * math.sqrt(1 / 40_000))
    assert (row["targets"], row["most_exposed"]) == (40, 11)


def test_a_mean_over_people_of_whom_some_were_not_looked_at_has_no_standard_error():
    """Two stick out and stand for themselves; those who were sampled stand for the others."""
    counts = np.array([1, 2, 3, 1, 1])
    means = np.array([1.0, 0.8, 0.1, 0.3, 0.2])
    chosen = ["farthest"] * 2 + ["sampled"] * 3
    row = exposure_summary.summarise(CALIBRATION, exposed(means, np.full(5, 1e-3), chosen, counts=counts))
    others = (3 * 0.1 + 0.3 + 0.2) / 5
    assert row["union_mass_mean"] == pytest.approx((1.0 + 2 * 0.8 + 37 * others) / 40, rel=1e-12)
    assert math.isnan(row["union_mass_se"])
    assert math.isnan(row["failure_probability_se"])
    assert row["targets"] == 8


def test_the_mean_over_sampled_people_is_right_on_average():
    generator = np.random.default_rng(5)
    true = np.append([1.0, 0.8], generator.random(38) * 0.4)
    found = []
    for _ in range(3000):
        places = np.append([0, 1], 2 + generator.permutation(38)[:10])
        table = exposed(true[places], np.zeros(12), ["farthest"] * 2 + ["sampled"] * 10)
        found.append(exposure_summary.summarise(CALIBRATION, table)["union_mass_mean"])
    assert abs(np.mean(found) - true.mean()) < 4 * np.std(found) / math.sqrt(3000)


def test_all_datasets_listed_have_no_number_of_sampled_ones():
    table = exposed([0.1] * 40, [0.0] * 40, ["everybody"] * 40, datasets=0)
    row = exposure_summary.summarise(CALIBRATION, table)
    assert (row["datasets"], row["union_mass_se"]) == (0, 0)
    text = style.rendered(exposure.people_figure(table, row, "mean"), "svg").decode()
    assert "mean of all datasets" in text
    summary = {name: np.array([row[name]] * 2) for name in tables.EXPOSURE_SUMMARY}
    summary["epsilon"] = np.array([1.0, 2.0])
    text = style.rendered(exposure.sweep_figure(summary), "svg").decode()
    assert "40 targets, all datasets each" in text
    assert "sampled" not in text


def test_of_people_whose_failure_probability_is_none_the_one_with_the_largest_limit_is_most_exposed():
    table = exposed(np.zeros(40), np.zeros(40), ["everybody"] * 40)
    table["union_mass_supremum"] = np.append(np.full(38, 1e-30), [1e-20, 1e-20])
    assert exposure_summary.summarise(CALIBRATION, table)["most_exposed"] == 48
    assert exposure_summary.by_exposure(table)[:4].tolist() == [38, 39, 0, 1]
    table["failure_probability_mean"][5] = 1e-300
    assert exposure_summary.summarise(CALIBRATION, table)["most_exposed"] == 15


def test_a_single_dataset_has_no_standard_error():
    row = exposure_summary.summarise(CALIBRATION, exposed([0.1] * 40, [np.nan] * 40, ["everybody"] * 40, datasets=1))
    assert math.isnan(row["union_mass_se"])
    assert row["union_mass_mean"] == pytest.approx(0.1)


def test_the_figure_of_people_names_who_is_exposed():
    table = exposed(np.append(0.5, np.full(39, 1e-4)), np.full(40, 1e-5), ["everybody"] * 40)
    table["failure_probability_mean"] = np.append(0.01, np.full(39, 1e-30))
    summary = exposure_summary.summarise(CALIBRATION, table)
    figures = [style.rendered(exposure.people_figure(table, summary, "mean"), "svg") for _ in range(2)]
    assert figures[0] == figures[1]
    text = figures[0].decode()
    for words in ("row 10", "largest over all datasets", "mean of 7 datasets", "39 people", "mean of 30 of 40 people"):
        assert words in text, words
    table["people"][1:] = 2
    assert "78 people" in style.rendered(exposure.people_figure(table, summary, "mean"), "svg").decode()
    left, right = exposure.people_figure(table, summary, "mean").axes
    assert left.get_yscale() == right.get_yscale() == "log"
    assert left.lines[1].get_ydata().tolist() == [0.01]


def test_people_who_are_all_alike_have_a_figure():
    table = exposed(np.zeros(40), np.zeros(40), ["everybody"] * 40)
    summary = exposure_summary.summarise(CALIBRATION, table)
    assert style.rendered(exposure.people_figure(table, summary, "mean"), "svg")


def test_the_figure_of_a_sweep_has_risk_and_utility():
    rows = []
    for point, epsilon in enumerate((2.0, 0.5, 1.0)):
        table = exposed(np.full(40, 0.01 * epsilon), np.full(40, 1e-5), ["everybody"] * 40)
        rows.append(
            exposure_summary.summarise({**CALIBRATION, "point": point, "epsilon": epsilon, "sigma": 2 / epsilon}, table)
        )
    summary = {name: np.array([row[name] for row in rows]) for name in tables.EXPOSURE_SUMMARY}
    figure = exposure.sweep_figure(summary)
    risk, utility, bound = figure.axes
    assert risk.lines[0].get_xdata().tolist() == [0.5, 1.0, 2.0]
    assert risk.lines[0].get_ydata() == pytest.approx([0.015, 0.03, 0.06])
    assert utility.lines[0].get_ydata() == pytest.approx([4.0, 2.0, 1.0])
    assert bound.lines[0].get_ydata().tolist() == sorted(summary["ratio_upper"])
    text = style.rendered(figure, "svg").decode()
    for words in (
        "exact over all datasets",
        "expected error",
        "posterior-to-prior ratio",
        "40 targets, 7 datasets each",
    ):
        assert words in text, words
    with pytest.raises(ValueError, match="at least two points"):
        exposure.sweep_figure({name: values[:1] for name, values in summary.items()})
