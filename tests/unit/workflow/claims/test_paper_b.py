"""Verdicts on the numbers of paper B, under every reading of the equation that is missing."""

import math
import pathlib

import pandas as pd
import pytest

from disclosure.beliefs import case_control
from disclosure.workflow.claims import paper_b
from disclosure.workflow.profile_files import read_profile

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROFILE = "{scale: linear, knots: [[0, 10], [1, 2], [2.5, 5]]}"
# What the words of paper B allow for its equation (13), which is missing from the text at hand.
READINGS = [
    PROFILE,
    "{knots: [[0.1, 10], [1, 2], [2.5, 5]]}",
    "{knots: [[0, 10], [1, 2], [10, 5]]}",
    "{knots: [[0.1, 10], [1, 2], [10, 5]]}",
    "{scale: log, knots: [[0.1, 10], [1, 2], [10, 5]]}",
]


def printed():
    table = pd.read_csv(ROOT / "resources/published.csv", dtype=str, keep_default_na=False)
    return table.loc[table["paper"] == "B"].set_index("id")["value"].to_dict()


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_of_equation_13_gives_all_printed_numbers(reading):
    profile = read_profile(reading)
    table = paper_b.compare(printed(), profile, case_control.Study(1095, 0.00125)).set_index("id")
    assert set(table.index) == set(printed())
    assert table["verdict"].drop("B.rounded").eq("agrees").all()
    assert table.loc["B.rounded", "verdict"] == "explained"


def test_rounded_numbers_break_the_profile_and_are_said_to():
    profile = read_profile(PROFILE)
    notes = paper_b.compare(printed(), profile, case_control.Study(1095, 0.00125)).set_index("id")["note"]
    assert "2.0138 exceeds B = 2" in notes["B.rounded"]
    assert "0.34 and 0.30 keep" in notes["B.rounded"]
    for name, text, bound in (("B.eps_1", 0.347, 2), ("B.eps_800", 0.805, 5)):
        assert math.exp(2 * text) > bound
        assert f"exceeds B = {bound}" in notes[name]
    assert math.exp(0.68) <= 2


def test_another_profile_or_study_is_not_taken_for_the_papers():
    profile = read_profile("{knots: [[1, 3]]}")
    table = paper_b.compare(printed(), profile, case_control.Study(1095, 0.00125))
    assert table["verdict"].eq("open").all()
    assert not table["note"].str.contains("exceeds").any()
    profile = read_profile(PROFILE)
    other = paper_b.compare(printed(), profile, case_control.Study(101, 0.00125))
    assert other["verdict"].eq("open").all()
