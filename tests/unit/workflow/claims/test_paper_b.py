"""Verdicts on the numbers of paper B, under every reading of the equation that is missing."""

import math
import pathlib

import pandas as pd
import pytest

from disclosure.beliefs import case_control
from disclosure.workflow.claims import paper_b
from disclosure.workflow.profile_files import read_profile

ROOT = pathlib.Path(__file__).resolve().parents[4]
CROHN = case_control.Study(1095, 0.00125)
PROFILE = "{scale: linear, knots: [[0.1, 10], [1, 2], [2.5, 5]]}"
# What the words of paper B allow for its equation (13), which is missing from the text at hand.
READINGS = [
    PROFILE,
    "{knots: [[0, 10], [1, 2], [2.5, 5]]}",
    "{knots: [[0, 10], [1, 2], [10, 5]]}",
    "{knots: [[0.1, 10], [1, 2], [10, 5]]}",
    "{scale: log, knots: [[0.1, 10], [1, 2], [10, 5]]}",
]
TABLE = pd.read_csv(ROOT / "resources/published.csv", dtype=str, keep_default_na=False)
PRINTED = TABLE.loc[TABLE["paper"] == "B"].set_index("id")["value"].to_dict()
# For each number an example that must be judged otherwise than the paper's own.
PLANTED = {
    "B.eps_800": {"epsilon_800": 1.61},
    "B.eps_1": {"epsilon_1": 0.69},
    "B.eps_min": {"epsilon_min": 0.69},
    "B.P10": {"prevalence_odds": 780.0},
    "B.P10_naive": {"naive_odds": 3.0},
    "B.n": {"participants": 1097},
    "B.B_tenth": {"bound_tenth": 9.2},
    "B.B_1": {"bound_1": 3.0},
    "B.B_10": {"bound_10": 4.0},
    "B.B_800": {"bound_800": 4.0},
    "B.q": {"prior_of_a_case": 0.51},
    "B.argmin": {"argmin": 2.5},
    "B.rounded": {"epsilon_min": 0.36, "bound_min": 2.06},
    "B.rounded_down": {"epsilon_min": 0.29, "bound_min": 1.8},
    "B.not_certain": {"given_away": 0.0},
}


def verdicts(reading=PROFILE, study=CROHN, printed=PRINTED):
    return paper_b.compare(printed, paper_b.example(read_profile(reading), study)).set_index("id")["verdict"]


@pytest.mark.parametrize("name", PRINTED)
def test_every_verdict_changes_with_a_wrong_example(name):
    example = paper_b.example(read_profile(PROFILE), CROHN)
    judged, planted = (
        paper_b.compare({name: PRINTED[name]}, numbers).iloc[0].verdict
        for numbers in (example, example._replace(**PLANTED[name]))
    )
    assert planted != judged
    assert "open" not in (planted, judged)


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_of_equation_13_gives_all_numbers_of_section_4(reading):
    assert set(PRINTED) == paper_b.IDS
    found = verdicts(reading)
    expected = {
        **dict.fromkeys(PRINTED, "agrees"),
        **dict.fromkeys(["B.P10_naive", "B.n", "B.B_tenth", "B.B_1", "B.B_10", "B.B_800", "B.q"], "identity"),
        "B.rounded": "explained",
        "B.not_certain": "deviates",
    }
    # Ten-fold at the prior odds ratio 0.1, as section 3 has it, takes a knot there.
    if "0.1" not in reading:
        expected["B.B_tenth"] = "deviates"
    assert found.to_dict() == expected


def test_a_profile_that_is_smallest_elsewhere_is_none_that_the_paper_describes():
    found = verdicts("{knots: [[0.1, 10], [1, 2], [2, 1.5], [2.5, 5]]}")
    for name in ("B.eps_min", "B.argmin", "B.rounded", "B.rounded_down"):
        assert found[name] == "deviates", name
    assert found["B.eps_1"] == "agrees"


def test_a_printed_number_that_is_not_the_reproduced_one_deviates():
    changed = {"B.eps_800": "0.806", "B.n": "1096", "B.rounded": "0.40", "B.argmin": "2"}
    assert verdicts(printed=changed).eq("deviates").all()


def test_rounded_numbers_break_the_profile_and_are_said_to():
    notes = paper_b.compare(PRINTED, paper_b.example(read_profile(PROFILE), CROHN)).set_index("id")["note"]
    assert "2.0138 exceeds B = 2" in notes["B.rounded"]
    assert "0.30 keeps the profile: e^(2 x 0.30) = 1.8221 is below B = 2" in notes["B.rounded_down"]
    for name, text, bound in (("B.eps_1", 0.347, 2), ("B.eps_800", 0.805, 5)):
        assert math.exp(2 * text) > bound
        assert f"exceeds B = {bound}" in notes[name]
    assert math.exp(0.6) == pytest.approx(1.8221, abs=5e-5)


def test_another_profile_or_study_is_not_taken_for_the_papers():
    for reading, study in (("{knots: [[1, 3]]}", CROHN), (PROFILE, case_control.Study(101, 0.00125))):
        table = paper_b.compare(PRINTED, paper_b.example(read_profile(reading), study))
        assert table["verdict"].eq("open").all()
        assert not table["note"].str.contains("exceeds").any()
