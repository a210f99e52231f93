"""The words of the report, and which settings they are true of."""

import pathlib
import re

import pytest
import yaml

from disclosure.workflow import stages
from disclosure.workflow.config import check
from disclosure.workflow.plan import Plan
from disclosure.workflow.report.story import Story

ROOT = pathlib.Path(__file__).resolve().parents[4]
WORDS = ROOT / "workflow/report/results.yaml"


@pytest.fixture(scope="module")
def plan():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    return Plan(check(settings))


def test_every_page_has_words_of_its_own(plan):
    words = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    names = {pathlib.Path(page).stem for page in stages.pages(plan)}
    assert names == set(words) - {"sweep", "beyond", "table"}
    for name, entry in words.items():
        own = {"label", "finding", "of"} if name in plan.sweeps or "of" in entry else {"label"}
        own = set() if name in ("sweep", "beyond", "table") else own
        assert set(entry) == {"category", "section", "title", "caption"} | own, name
        assert len(entry["caption"]) > 100, name


def test_labels_and_sections_are_short_enough_for_the_menu():
    for name, entry in yaml.safe_load(WORDS.read_text(encoding="utf-8")).items():
        assert len(entry.get("label", "")) <= 28, name
        assert len(entry["section"]) <= 24, name


def test_results_stand_in_the_order_of_the_papers(plan):
    """The report sorts categories and sections by their names."""
    words = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    places = [(entry["category"], entry["section"]) for entry in words.values()]
    assert places == sorted(places)


def test_a_sweep_without_words_gets_general_ones(plan):
    published = Story(WORDS, plan)
    for group, known in (("sweeps", "figure1"), ("beyond", "small_delta"), ("tables", "davis")):
        # A name that is one of the general entries' own is a sweep's name like any other.
        for mine in ("mine", "sweep", "beyond", "table"):
            story = Story(WORDS, Plan({**plan.settings, group: {mine: plan.settings[group][known]}}))
            assert story.entry(mine)["title"].endswith(f": {mine}")
            assert story.entry(mine)["label"] == mine
            assert story.entry(mine)["category"] == published.entry(known)["category"]
            assert not story.entry(mine)["finding"]
    story = published
    assert story.flags()["category"](type("Wildcards", (), {"shown": "figure2"})) == "2 Paper A"


def test_the_published_configuration_shows_every_finding(plan):
    story = Story(WORDS, plan)
    for name, entry in yaml.safe_load(WORDS.read_text(encoding="utf-8")).items():
        if "of" in entry:
            assert story.entry(name)["finding"] == entry["finding"], name
    settings = {**plan.settings, "seed": 1, "replications": 4}
    assert Story(WORDS, Plan(settings)).entry("figure1")["finding"]


OTHERS = {
    "figure1": ("sweeps", "figure1", {"sample": 99}),
    "figure2": ("sweeps", "figure2", {"epsilon": 2.0}),
    "figure3": ("sweeps", "figure3", {"expect": False}),
    "large_epsilon": ("beyond", "large_epsilon", {"epsilon": [1.0, 50.0]}),
    "large_epsilon_binary": ("beyond", "large_epsilon_binary", {"attributes": "uniform"}),
    "davis": ("tables", "davis", {"columns": ["height_cm:50:210"]}),
    "study_design": ("sweeps", "figure2", {"sample": 90}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_with_other_parameters_the_words_for_the_published_ones_are_gone(plan, name):
    published = Story(WORDS, plan).entry(name)
    group, sweep, change = OTHERS[name]
    entries = {**plan.settings[group], sweep: {**plan.settings[group][sweep], **change}}
    entry = Story(WORDS, Plan({**plan.settings, group: entries})).entry(name)
    said = " ".join((entry["title"], entry["caption"], entry["finding"]))
    facts = (
        "orders of magnitude",
        "at m = 99",
        "0.007%",
        "1.9e-13",
        "2^-(n - m)",
        "two numbers",
        "swapped",
        "is between",
    )
    assert not [fact for fact in facts if fact in said]
    assert [fact for fact in facts if fact in published["caption"] + published["finding"]]
    # Another sweep keeps its own.
    other = "figure3" if sweep == "figure2" else "figure2"
    assert Story(WORDS, plan).entry(other)["finding"]


def test_another_profile_or_study_loses_the_findings_of_paper_b(plan):
    for key, change in (("odds_risk_profile", {"scale": "log"}), ("case_control", {"prevalence": 0.01})):
        story = Story(WORDS, Plan({**plan.settings, key: {**plan.settings[key], **change}}))
        for name in ("case_control", "epsilon_by_prior_odds", "case_control_release"):
            assert not story.entry(name)["finding"], name
            assert "0.34" not in story.entry(name)["caption"], name


def test_captions_state_no_result():
    """What is found stands under `finding`; a caption holds for any parameters, so it has no number of a result."""
    words = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    assert set(re.findall(r"\d+(?:\.\d+)?%|\d[\d.]*e-\d+|0\.0\d+", " ".join(e["caption"] for e in words.values()))) == {
        "95%",  # of the replications
        "18%",  # which the paper prints
    }
