"""Fixtures and settings that all tests share."""

import json
import pathlib

import pytest
from hypothesis import settings

from disclosure.plots import style

# Many a probability here is far below 1e-12, pytest's absolute tolerance: with it, `approx(1e-20, rel=1e-9)` would equal 0.
# Where a difference from 0 is meant, ``abs`` says so.
type(pytest.approx(0.0)).DEFAULT_ABSOLUTE_TOLERANCE = 0.0

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def vectors():
    """Values computed with 60 digits, outside the package."""
    return json.loads((pathlib.Path(__file__).parent / "data" / "vectors.json").read_text(encoding="utf-8"))


@pytest.fixture
def without_figures(monkeypatch):
    """Figures are drawn, but not written as files, which takes longer than all the rest."""
    monkeypatch.setattr(style, "rendered", lambda figure, kind: b"figure")
