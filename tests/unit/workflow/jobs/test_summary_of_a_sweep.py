"""What the commands of a sweep say of (26) and of quantiles, against the functions of beliefs, one dataset at a time."""

import csv

import numpy as np
import pytest

from disclosure.beliefs import inclusion, regions
from disclosure.beliefs.mixture_quantiles import mixture_ratio_quantiles
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.study import datasets
from disclosure.workflow import sweeps, tables
from tests.commands import main

POINTS = ["--population", "12", "--sample", "10", "--epsilon", "[0.5, 1.0]", "--delta", "0.3"]
APPROXIMATE = ["--definition", "approximate", "--delta-prime", "0.4"]
DATASETS = 5


@pytest.fixture(params=[[], APPROXIMATE], ids=["probabilistic", "approximate"])
def summary(request, tmp_path, monkeypatch):
    """Summary of a sweep of two points, made by the commands in the current folder."""
    monkeypatch.chdir(tmp_path)
    drawn = ["--seed", "7", "--stop", str(DATASETS)]
    main(["calibrate", *POINTS, *request.param, "--output", "calibration.csv"])
    main(["upper_limit", "calibration.csv", "--ratio-probability", "0.05", *drawn, "--output", "upper.csv"])
    counted = ["--method", "threshold", "--releases", "4000"]
    for point in ("0", "1"):
        main(["simulate", "calibration.csv", "--point", point, *counted, *drawn, "--output", f"simulate_{point}.csv"])
    main(["expect", "calibration.csv", "--prior-free", "--rtol", "1e-3", "--output", "expected.csv"])
    shards = [
        "--upper-limit",
        "upper.csv",
        "--simulate",
        "simulate_0.csv",
        "simulate_1.csv",
        "--expected",
        "expected.csv",
    ]
    main(["aggregate", "calibration.csv", "--datasets", str(DATASETS), *shards, "--output", "summary.csv"])
    return tables.read("summary.csv", tables.SUMMARY, rows=2)


def test_means_and_extremes_are_those_of_the_datasets(summary):
    shards = tables.Shards(["upper.csv"], tables.UPPER_LIMIT, DATASETS, 2)
    exact = {name: list(shards[name]) for name in tables.UPPER_LIMIT if name not in ("point", "dataset")}
    for row, (point, sigma, _) in enumerate(sweeps.calibrated_points("calibration.csv")):
        gaps = regions.standardised_gaps(*datasets.draw(7, point, 0, DATASETS), sigma)
        ratios, free = [], []
        for case in gaps[..., 0]:
            worlds = {"inside": ([0.0], [1]), "outside": (-case, np.ones(2)), "truth": ([0.0], [1]), "scale": 1.0}
            ratios.append(mixture_ratio_quantiles(**worlds, probability=0.05, prior=1 / 3))
            free.append(float(inclusion.failure_probability(case[:, None], point.epsilon, bounds="prior_free").value))
        lower, upper = np.array(ratios).T
        assert exact["ratio_lower_quantile"][row] == pytest.approx(lower, rel=1e-12)
        assert exact["ratio_upper_quantile"][row] == pytest.approx(upper, rel=1e-12)
        assert exact["failure_probability_prior_free"][row] == pytest.approx(free, rel=1e-12)
        known = {
            "ratio_probability": 0.05,
            "ratio_lower_quantile_mean": lower.mean(),
            "ratio_lower_quantile_smallest": lower.min(),
            "ratio_upper_quantile_mean": upper.mean(),
            "ratio_upper_quantile_largest": upper.max(),
            "failure_probability_prior_free_mean": np.mean(free),
            "failure_probability_prior_free_se": np.std(free, ddof=1) / np.sqrt(DATASETS),
        }
        assert {name: summary[name][row] for name in known} == pytest.approx(known, rel=1e-12)
        expected = expected_failure_probability(*point, sigma=sigma, rtol=1e-5, bounds="prior_free").value
        assert summary["failure_probability_prior_free_expected"][row] == pytest.approx(expected, rel=1e-3)
        assert expected < expected_failure_probability(*point, sigma=sigma, rtol=1e-5).value


def test_releases_fail_both_bounds_as_often_as_they_should(summary):
    for bounds in ("", "_prior_free"):
        probability = summary[f"failure_probability{bounds}_mean"]
        share, error = summary[f"failure_share{bounds}_mean"], np.sqrt(probability / (DATASETS * 4000))
        assert (np.abs(share - probability) < 4 * error).all()
    with open("simulate_1.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["failures_prior_free"]) for row in rows) / (DATASETS * 4000) == pytest.approx(
        summary["failure_share_prior_free_mean"][1]
    )


def test_a_sweep_without_releases_or_datasets_leaves_their_cells_empty(summary):
    del summary
    main(["aggregate", "calibration.csv", "--datasets", "0", "--expected", "expected.csv", "--output", "alone.csv"])
    alone = tables.read("alone.csv", tables.SUMMARY, rows=2)
    empty = [name for name in alone if name.startswith("ratio_") or "_prior_free_mean" in name or name.endswith("_se")]
    assert len(empty) == 12
    assert all(np.isnan(alone[name]).all() for name in empty)
    assert not np.isnan(alone["failure_probability_prior_free_expected"]).any()
