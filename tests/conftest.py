"""Fixtures and settings that all tests share."""

import json
import pathlib

import pytest
from hypothesis import settings

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def vectors():
    """Values computed with 60 digits, outside the package."""
    return json.loads((pathlib.Path(__file__).parent / "data" / "vectors.json").read_text(encoding="utf-8"))
