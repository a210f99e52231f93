"""Paper B from profile files, the command line and the comparison with its printed numbers; its figures."""

import json
import math
import pathlib

import numpy as np
import pandas as pd
import pytest

from disclosure.beliefs import case_control, profiles
from disclosure.numerics.errors import DomainError
from disclosure.plots import odds as odds_plots
from disclosure.plots import style
from disclosure.workflow import tables
from disclosure.workflow.claims import paper_b
from disclosure.workflow.profile_files import read_profile
from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROFILE = "{scale: linear, knots: [[0, 10], [1, 2], [2.5, 5]]}"
# What the words of paper B allow for its equation (13), which is missing from the text at hand.
READINGS = [
    PROFILE,
    "{knots: [[0.1, 10], [1, 2], [2.5, 5]]}",
    "{knots: [[0, 10], [1, 2], [10, 5]]}",
    "{knots: [[0.1, 10], [1, 2], [10, 5]]}",
    "{scale: log, knots: [[0.1, 10], [1, 2], [10, 5]]}",
]


def run(capsys, *words):
    main(list(words))
    return capsys.readouterr().out


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


def test_a_profile_is_read_from_a_file_and_from_text(tmp_path):
    path = tmp_path / "profile.yaml"
    path.write_text("knots:\n- [1, 2.5]\n", encoding="utf-8")
    assert read_profile(str(path)) == profiles.RiskProfile([[1, 2.5]])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{knots: [[0, 10], [1, 0.5]]}", r"B\(P10 = 1.0\) = 0.5"),
        ("{knots: []}", "knots"),
        ("{knots: [[1, 2], [1, 3]]}", "1.0"),
        ("{knots: [[2, 2], [1, 3]]}", "1.0"),
        ("{knots: [[.nan, 2]]}", "nan"),
        ("{knots: [[1, .nan]]}", "nan"),
        ("{knots: [[1, 2]], colour: red}", "colour"),
        ("{scale: linear}", "knots"),
        ("{knots: [[1, 2]", "not readable as YAML"),
    ],
)
def test_a_profile_that_is_none_is_refused_by_name(text, named):
    with pytest.raises(DomainError, match=named):
        read_profile(text)


def test_epsilon_at_the_shell(capsys):
    answer = json.loads(run(capsys, "epsilon", "--profile", PROFILE, "--prior-odds", "800", "1", "--json"))
    assert answer["relation"] == "add/remove-one"
    found = [(row["prior_odds_ratio"], row["bound"], row["epsilon"]) for row in answer["answers"]]
    expected = [(800, 5, math.log(5) / 2), (1, 2, math.log(2) / 2), (1, 2, math.log(2) / 2)]
    assert np.allclose(found, expected, rtol=1e-14)
    assert [row["rounded_down"] for row in answer["answers"]] == [0.8, 0.34, 0.34]
    bounded = json.loads(run(capsys, "epsilon", "--profile", PROFILE, "--bounded", "--json"))
    assert bounded["relation"] == "replace-one"
    assert bounded["answers"][0]["epsilon"] == pytest.approx(math.log(2))
    text = run(capsys, "epsilon", "--profile", PROFILE, "--prior-odds", "800")
    assert "add/remove-one" in text
    assert "0.804719" in text


def test_odds_at_the_shell(capsys):
    words = ["odds", "--epsilon", "0.34", "--q", "0.5", "--q0", "0.00125"]
    answer = json.loads(run(capsys, *words, "--json"))
    assert answer["relation"] == "add/remove-one"
    assert answer["prior_odds_ratio"] == [799.0]
    factor = math.exp(0.68)
    assert answer["posterior_odds_ratio"] == pytest.approx([799 / factor, 799 * factor])
    assert answer["odds_included"] == pytest.approx([1 / factor, factor])
    assert "799" in run(capsys, *words)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["odds", "--epsilon", "0.34", "--q", "0", "--q0", "0.5"], "q = 0.0 is outside (0, 1)"),
        (["odds", "--epsilon", "nan", "--q", "0.5", "--q0", "0.5"], "--epsilon: 'nan' is not finite"),
        (["epsilon", "--profile", "nowhere.yaml"], "nowhere.yaml"),
        (["epsilon", "--profile", PROFILE, "--prior-odds", "-1"], "-1"),
        (["epsilon", "--profile", "{knots: [[1, 0.5]]}"], "0.5"),
    ],
)
def test_a_mistake_at_the_shell_is_one_line(capsys, words, named):
    with pytest.raises(SystemExit) as caught:
        main(words)
    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert named in error.splitlines()[-1]
    assert "Traceback" not in error


def test_the_table_of_adversaries(tmp_path, capsys):
    words = ["--profile", PROFILE, "--participants", "1095", "--prevalence", "0.00125", "--q0", "0.1"]
    run(capsys, "adversaries", *words, "--output", str(tmp_path / "table.csv"))
    table = tables.read(tmp_path / "table.csv", tables.ADVERSARIES, rows=4)
    assert table["adversary"].tolist() == ["prevalence", "naive", "q0 = 0.1", "any"]
    assert table["prior_odds_ratio"].tolist() == pytest.approx([799, 1, 9, 1])
    assert np.all(np.exp(2 * table["epsilon_rounded_down"]) <= table["bound"])


@pytest.mark.parametrize("reading", READINGS)
def test_figures_are_drawn_for_every_reading(reading):
    profile = read_profile(reading)
    design = case_control.Study(1095, 0.00125)
    for figure in (odds_plots.profile_figure(profile), odds_plots.epsilon_figure(profile, design)):
        svg = style.rendered(figure, "svg").decode()
        assert "prior odds ratio" in svg
        assert f"({profile.knots[0][0]:g}, 10)" in svg


@pytest.mark.parametrize(
    "knots", [[[1, 1]], [[0, 1], [1e6, 50]], [[0, 10], [0.5, 1.5], [2.5, 5]], [[k, 2 + k] for k in range(9)]]
)
def test_unusual_profiles_are_drawn_as_well(knots):
    figure = odds_plots.epsilon_figure(profiles.RiskProfile(knots), case_control.Study(1095, 0.00125))
    (axis,) = figure.axes
    marker = next(line for line in axis.lines if line.get_marker() == "s")
    low, high = axis.get_xlim()
    assert low <= marker.get_xdata()[0] <= high
    assert style.rendered(figure, "png")


def test_the_release_figure_names_the_study():
    svg = style.rendered(odds_plots.release_figure(case_control.Study(1095, 0.00125), 0.34), "svg").decode()
    for words in ("1,095 people", "547 cases among them", "knows the design only"):
        assert words in svg
