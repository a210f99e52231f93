"""Points of a sweep, its shards, and noise that is rounded up."""

import math
import pathlib
import re
import time

import numpy as np
import pytest
import yaml

from disclosure.mechanisms import gaussian
from disclosure.numerics import rounding
from disclosure.numerics.errors import DomainError
from disclosure.study.points import Point
from disclosure.workflow import sweeps, tables
from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Seconds of the processor; a check takes hundredths.
SOON = 5.0


def test_the_published_sweeps_have_the_papers_points():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    points = {name: sweeps.sweep_points(entry) for name, entry in settings["sweeps"].items()}
    assert [len(points[name]) for name in ("figure1", "figure2", "figure3")] == [40, 40, 40]
    assert points["figure1"][0] == Point(100, 90, 0.2, 10**-1.1)
    assert points["figure1"][-1].epsilon == 2.0
    assert [points["figure2"][k].sample for k in (0, 1, -1)] == [10, 12, 99]
    assert points["figure3"][-1].delta == 1.0
    assert points["figure3"][37].delta == pytest.approx(0.9528, abs=5e-5)
    assert (settings["datasets"], settings["releases"]) == (1_000, 1_000_000)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((100, 90, [1.0, 2.0], [0.1, 0.2, 0.3]), "epsilon 2 values and delta 3 values"),
        ((100, 90, {"start": 1.0, "stop": 2.0, "points": 3, "spacing": "cubic"}, 0.1), "spacing = 'cubic'"),
        ((100, 90, {"start": 0.0, "stop": 2.0, "points": 3, "spacing": "log"}, 0.1), "no logarithm"),
        ((100, 90, {"start": 1.0, "stop": 2.0, "points": 3, "step": 1}, 0.1), "no range"),
        ((100, 90, {"start": 2.0, "stop": 1.0, "points": 3}, 0.1), "epsilon.start = 2.0 is larger"),
        ((100, 90, {"start": 1.0, "stop": 2.0}, 0.1), "no range"),
        (
            (100, {"start": 1, "stop": 3, "points": 9}, 1.0, 0.1),
            "sample.points = 9 from 1 to 3 has the same whole number twice",
        ),
        ((100, [1, 2, 1], 1.0, 0.1), "all different"),
        ((100, 90.5, 1.0, 0.1), "sample = 90.5"),
        ((100, 90, "1.0", 0.1), "epsilon = '1.0' is not a number"),
        ((100, 90, [], 0.1), "at least one"),
        ((10, {"start": 5, "stop": 11, "points": 3}, 1.0, 0.1), "sample = 11 is larger than population = 10"),
    ],
)
def test_sweeps_refuse_what_is_no_sweep(arguments, named):
    with pytest.raises(DomainError, match=named):
        sweeps.points(*arguments)


def test_what_follows_from_approximate_privacy_is_what_bounds_are_stated_with(tmp_path):
    """Corollary 1: epsilon' = log((delta' e^epsilon + delta) / (delta' - delta)), and the noise is that of (epsilon, delta)."""
    path, point = tmp_path / "calibration.csv", ["--population", "20", "--sample", "15", "--delta", "0.01"]
    options = ["--definition", "approximate", "--delta-prime", "0.1"]
    main(["calibrate", *point, "--epsilon", "[0.5, 1.0]", *options, "--output", str(path)])
    for epsilon, (found, sigma, _) in zip((0.5, 1.0), sweeps.calibrated_points(path), strict=True):
        assert sigma == rounding.round_up(gaussian.calibrate(epsilon, 0.01, definition="approximate"))
        assert found[:2] == (20, 15)
        assert found.epsilon == pytest.approx(math.log((0.1 * math.exp(epsilon) + 0.01) / (0.1 - 0.01)), rel=1e-14)
        assert found.delta == 0.1
        # The guarantee holds with room to spare.
        assert gaussian.bad_region_mass(sigma, found.epsilon, 1.0) < 0.1
    main(["calibrate", *point, "--epsilon", "1.0", "--output", str(path)])
    ((found, sigma, _),) = sweeps.calibrated_points(path)
    assert found == Point(20, 15, 1.0, 0.01)
    assert sigma == rounding.round_up(gaussian.calibrate(1.0, 0.01, definition="probabilistic"))


def test_parameters_vary_together_and_by_equal_ratios():
    size = {"start": 10, "stop": 1000, "points": 3, "spacing": "log"}
    found = sweeps.points(size, [9, 90, 900], 1.0, 0.1)
    assert [(point.population, point.sample) for point in found] == [(10, 9), (100, 90), (1000, 900)]
    deltas = [
        point.delta
        for point in sweeps.points(100, 90, 1.0, {"start": 1e-12, "stop": 0.1, "points": 12, "spacing": "log"})
    ]
    assert np.allclose(np.diff(np.log10(deltas)), 1.0)
    assert (deltas[0], deltas[-1]) == (1e-12, 0.1)


@pytest.mark.parametrize(("total", "per_job"), [(1000, 1000), (1000, 300), (7, 2), (5, 100), (5, 0)])
def test_shards_cover_everything_once(total, per_job):
    ranges = [sweeps.shard_range(shard, total, per_job) for shard in range(sweeps.shards(total, per_job))]
    assert [unit for first, beyond in ranges for unit in range(first, beyond)] == list(range(total))


@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        (math.inf, "epsilon = inf is outside (0, inf)"),
        ([1.0, math.nan], "epsilon = nan is outside (0, inf)"),
        (10**5000, "epsilon has 16610 bits"),
        ({"start": 1.0, "stop": math.inf, "points": 2}, "epsilon runs from 1.0 to inf; a range has finite ends"),
        ({"start": 1.0, "stop": 2.0, "points": 1e15}, "epsilon.points = 1000000000000000.0 is more than 10000"),
    ],
    ids=["inf", "nan", "huge", "range", "points"],
)
def test_points_are_finite_and_not_too_many(epsilon, words):
    with pytest.raises(DomainError, match=re.escape(words)):
        sweeps.points(100, 90, epsilon, 0.1)


def test_a_repeated_point_among_many_is_found_soon():
    started = time.process_time()
    with pytest.raises(DomainError, match=r"the point \(30000, 1, 1\.0, 0\.1\) stands twice"):
        sweeps.points([*range(1, 30_001), 30_000], 1, 1.0, 0.1)
    assert time.process_time() - started < SOON


def test_a_population_may_be_infinite(tmp_path):
    """Written as a text or as a number; the other populations stay whole numbers, before and after a file."""
    found = sweeps.points([100, "inf"], 90, 1.0, 0.1)
    assert (
        found
        == sweeps.points([100, math.inf], 90, 1.0, 0.1)
        == [Point(100, 90, 1.0, 0.1), Point(math.inf, 90, 1.0, 0.1)]
    )
    cells = {"sweep": "x", "sample": "90", "epsilon": "1.0", "delta": "0.1", "sigma": "1.7", "mechanism": "gaussian"}
    rows = [cells | {"point": "0", "population": "100"}, cells | {"point": "1", "population": "inf"}]
    lines = [",".join(row.get(name, "") for name in tables.CALIBRATION) for row in rows]
    (tmp_path / "calibration.csv").write_text("\n".join([",".join(tables.CALIBRATION), *lines, ""]))
    read = [calibrated.point for calibrated in sweeps.calibrated_points(tmp_path / "calibration.csv")]
    assert read == found
    assert [type(point.population) for point in read] == [int, float]
    for wrong in ({"sample": "inf"}, {"epsilon": "inf"}, {"population": {"start": 1, "stop": math.inf, "points": 2}}):
        with pytest.raises(DomainError):
            sweeps.points(**({"population": 100, "sample": 90, "epsilon": 1.0, "delta": 0.1} | wrong))
