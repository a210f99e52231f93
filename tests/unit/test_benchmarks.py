"""The benchmarks start, on the modules and settings of today."""

import csv
import importlib.util
import pathlib

import pytest

FILE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/run.py"


def loaded():
    specification = importlib.util.spec_from_file_location("benchmark", FILE)
    benchmark = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(benchmark)
    return benchmark


def test_a_quick_row_comes_out(monkeypatch):
    benchmark = loaded()
    monkeypatch.setattr(benchmark, "REPEATS", 1)
    points = benchmark.paper_points()
    assert len(points) == 121
    rows = dict(benchmark.exact_row(points[::60]))
    assert set(rows) <= set(benchmark.LIMITS)
    assert rows["exact T and failure probability: times faster than brentq"] > 1


def test_the_history_has_a_row_for_each_release(monkeypatch, tmp_path):
    benchmark = loaded()
    monkeypatch.setattr(benchmark, "HISTORY", tmp_path / "history.csv")
    first, *_ = benchmark.LIMITS
    benchmark.record("1.0", {first: 250.0})
    benchmark.record("1.1", {first: 300.0})
    with (tmp_path / "history.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["release"], row[first]) for row in rows] == [("1.0", "250"), ("1.1", "300")]
    (tmp_path / "history.csv").write_text("release\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="other columns"):
        benchmark.record("1.2", {})
