"""The benchmarks start, on the modules and settings of today."""

import importlib.util
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/run.py"


def test_a_quick_row_comes_out(monkeypatch):
    specification = importlib.util.spec_from_file_location("benchmark", FILE)
    benchmark = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(benchmark)
    monkeypatch.setattr(benchmark, "REPEATS", 1)
    points = benchmark.paper_points()
    assert len(points) == 120
    what, measured, *_ = benchmark.exact_row(points[::60])
    assert "times faster" in what
    assert float(measured) > 1
