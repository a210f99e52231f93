"""Pages of the report: what they say, in which order, and that nothing in them is taken for markup."""

import io
import json
import pathlib
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml

from disclosure.workflow import sources, stages, tables
from disclosure.workflow.claims import paper_a
from disclosure.workflow.config import check
from disclosure.workflow.plan import Plan
from disclosure.workflow.report import extents, pages
from disclosure.workflow.report.story import Story
from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORDS = ROOT / "workflow/report/results.yaml"
PUBLISHED = """id,printed,reproduced,low,high,verdict,note,expected
B.n,1095,1095.0,,,agrees,,
A.F3.F_at_095,0.18,0.1735,0.173,0.197,agrees,"at the nearest, 0.9528",0.18
A.F3.F_at_095.exactly,0.18,0.1798,0.168,0.193,deviates,at 0.95 <itself>,
A.limit,,,,,open,a conjecture,
"""
OTHER_RUN = """id,printed,reproduced,low,high,verdict,note,expected
A.F1.mean_T,1.49e-2,0.015,,,open,not run with the paper's numbers of datasets and releases,
A.F1.sd_F.min,5.82e-12,1e-11,,,open,not run with the paper's numbers of datasets and releases; over epsilon > 0,
A.F3.F_at_1,1.0,,,,open,not run with the paper's points of figure3,
A.limit,,,,,open,a conjecture,
"""
PROVENANCE = {
    "commit": "abc",
    "packages": {"numpy": "2.0"},
    "seed": 1,
    "config": {"sweeps": {"f": {"sample": [9, 90]}}},
}


@pytest.fixture
def plan():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    return Plan(check(settings))


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A page made by a subcommand."""
    monkeypatch.chdir(tmp_path)

    def make(*arguments):
        title = [] if "--title" in arguments else ["--title", "A page"]
        main([*arguments, *title, "--caption", "What to see: ε > 0.", "--output", "page.html"])
        return (tmp_path / "page.html").read_text(encoding="utf-8")

    return make


def test_claims_are_ordered_by_paper_and_section(made, tmp_path):
    (tmp_path / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    page = made("show_claims", "published.csv", "--printed", str(ROOT / "resources/published.csv"))
    parts = [
        "Paper A, Figure 1</td>",
        "F̄ may converge to a positive limit as ε grows</td>",
        "a conjecture</td>",
        "Paper A, Figure 3</td>",
        "F̄ at δ = 0.95: 0.18</td>",
        "reproduced 0.1735; 95% of replications 0.173 to 0.197; expected 0.18; at the nearest, 0.9528</td>",
        '<td class="verdict agrees">agrees</td>',
        "at 0.95 &lt;itself&gt;</td>",
        '<td class="verdict deviates">deviates</td>',
        "Paper B, Section 4</td>",
        "study size 2n+1: 1095</td>",
    ]
    front, _, whole = page.partition("<!-- end of the front page -->")
    places = [whole.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)
    assert "4 numbers and claims: 2 agrees; 1 deviates; 1 open." in front
    rows = re.findall(r"<tr>(.*)</tr>", front)[1:]
    assert [re.findall(r">([^<>]+)</td>", row) for row in rows] == [
        ["Paper A, Figure 1: F̄ may converge to a positive limit as ε grows", "open"],
        ["Paper A, Figure 3: F̄ at δ = 0.95", "0.18", "0.1798", "deviates"],
    ]
    assert "What to see: ε &gt; 0." in page


def test_why_another_run_decides_nothing_stands_once(made, tmp_path):
    (tmp_path / "published.csv").write_text(OTHER_RUN, encoding="utf-8")
    page = made("show_claims", "published.csv", "--printed", str(ROOT / "resources/published.csv"))
    assert page.lower().count("not run with") == 2
    assert "Not run with the paper&#x27;s numbers of datasets and releases: 2 open." in page
    assert "Not run with the paper&#x27;s points of figure3: 1 open." in page
    assert "over ε &gt; 0</td>" in page
    front = page[: page.index("<!-- end of the front page -->")]
    assert "positive limit" in front
    assert "mean over the 40" not in front


def test_provenance_has_versions_parameters_and_times(made, tmp_path):
    (tmp_path / "provenance.json").write_text(json.dumps(PROVENANCE), encoding="utf-8")
    for number, seconds in enumerate((1.25, 2.5)):
        (tmp_path / f"{number}.log").write_text(f"disclosure simulate: {seconds} s\n", encoding="utf-8")
    (tmp_path / "failed.log").write_text("disclosure simulate: no such file\n", encoding="utf-8")
    page = made("show_provenance", "provenance.json", "--logs", *map(str, tmp_path.glob("*.log")))
    for name, value in (("commit", "abc"), ("packages.numpy", "2.0"), ("seed", "1"), ("sweeps.f.sample", "9, 90")):
        # A narrow screen breaks names at their dots.
        assert f'<td class="name">{name.replace(".", ".<wbr>")}</td><td class="verbatim">{value}</td>' in page
    cells = ("simulate", "2", "3.8", "2.5")
    assert "".join(f'<td class="{"number" if cell[0].isdigit() else "text"}">{cell}</td>' for cell in cells) in page


def test_a_result_is_figure_and_table(made, tmp_path):
    (tmp_path / "f.svg").write_text('<?xml version="1.0"?>\n<svg role="img"><title>a</title></svg>\n', encoding="utf-8")
    (tmp_path / "t.csv").write_text("point,n,empty,rho\n0,100,,0.0123456\n1,100,,1e-12\n", encoding="utf-8")
    page = made("show_result", "--title", "A & B", "--figure", "f.svg", "--table", "t.csv", "--finding", "n < 10^3")
    assert '<figure>\n<svg role="img"><title>a</title></svg>\n<figcaption' in page
    assert "<?xml" not in page
    assert "<h1>A &amp; B</h1>" in page
    assert '<p class="finding">n &lt; 10<sup>3</sup></p>' in page
    assert "<p>In all rows n = 100.</p>" in page
    assert '<th scope="col" class="number">point</th><th scope="col" class="number">rho</th></tr>' in page
    assert '<td class="number">0.01235</td>' in page
    assert '<td class="number">10<sup>−12</sup></td>' in page
    places = [page.index(part) for part in ("<h1>", 'class="finding"', "<figure>", "What to see", "<!-- end", "<table")]
    assert places == sorted(places)


def test_the_name_of_a_sweep_is_left_as_it_is(made, tmp_path):
    (tmp_path / "delta").mkdir()
    (tmp_path / "delta/summary.csv").write_text("point\n0\n", encoding="utf-8")
    page = made("show_result", "--title", "Expected values: delta", "--table", "delta/summary.csv")
    assert "<h1>Expected values: delta</h1>" in page
    assert "<h2>delta/summary.csv</h2>" in page


def test_a_result_without_a_finding_has_no_place_for_one(made, tmp_path):
    (tmp_path / "t.csv").write_text("point\n0\n", encoding="utf-8")
    page = made("show_result", "--table", "t.csv", "--finding=")
    assert '<p class="finding">' not in page


def test_the_published_page_says_once_why_another_run_decides_nothing():
    table = pd.read_csv(io.StringIO(OTHER_RUN), dtype={"printed": str}).fillna({"printed": "", "note": ""})
    page = paper_a.markdown(table, {}, "Heading")
    assert page.lower().count("not run with") == 2
    assert "**Not run with the paper's numbers of datasets and releases: 2 open.**" in page
    assert "- A.F1.sd_F.min: over epsilon > 0." in page
    assert "4 open." in page
    decided = paper_a.markdown(table[table["id"] == "A.limit"], {}, "Heading")
    assert "**" not in decided


@pytest.mark.parametrize(
    ("plain", "printed"),
    [
        ("T_bar / F_bar at delta = 10^-1.1", "T̄ / F̄ at δ = 10<sup>−1.1</sup>"),
        ("sqrt(F (1 - F)) / (N1 N2)", "√(F (1 − F)) / (N<sub>1</sub> N<sub>2</sub>)"),
        ("1.11e-19 is 2^-53 / 1000", "1.11·10<sup>−19</sup> is 2<sup>−53</sup> / 1000"),
        ("e^(2 x 0.805) = 5.0028 exceeds B = 5", "e<sup>2 × 0.805</sup> = 5.0028 exceeds B = 5"),
        ("8.52e-05 to 1e+03, -0.00139", "8.52·10<sup>−5</sup> to 10<sup>3</sup>, −0.00139"),
        ("a case-control study of 2n+1 people", "a case-control study of 2n+1 people"),
        ("<b>", "&lt;b&gt;"),
    ],
)
def test_formulas_are_typeset(plain, printed):
    assert pages.typeset(plain) == printed


def test_a_page_without_figure_and_table_is_refused(made, capsys):
    with pytest.raises(SystemExit, match="2"):
        made("show_result", "--title", "nothing")
    assert capsys.readouterr().err == (
        "python -m disclosure.workflow show_result: neither figure nor table; allowed: one of them, or both\n"
    )


def test_pages_ask_for_nothing():
    page = pages.page("title", "caption", [pages.table("table", ["a"], [["1"]])])
    for request in ("src=", "href=", "url(", "@import", "<script"):
        assert request not in page


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


def test_a_sweep_of_one_point_has_no_figure(plan):
    def shown(name):
        needs = stages.SHOW_RESULT.needs.items()
        return {part: need(plan, SimpleNamespace(shown=name)) for part, need in needs}

    table = "results/figure3/summary.csv"
    assert shown("figure3") == {"figure": "figures/figure3.svg", "table": table}
    assert shown("figure3_at_095") == {"figure": [], "table": "results/figure3_at_095/summary.csv"}
    assert shown("odds_risk_profile") == {"figure": "figures/odds_risk_profile.svg", "table": []}
    assert shown("study_design") == {"figure": [], "table": "results/study_design.csv"}


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


def test_a_page_says_in_numbers_what_its_table_shows():
    summary = {name: np.full(3, 1.0) for name in tables.SUMMARY}
    summary |= {
        "population": np.full(3, 10**6),
        "sample": np.array([999_999, 10, 500_000]),
        "failure_share_mean": np.full(3, np.nan),
    }
    summary |= {
        "union_mass_mean": np.array([0.003, 0.0254, 0.02]),
        "failure_probability_mean": np.array([0.003, 1e-5, 2e-5]),
    }
    assert extents.sentence(summary) == (
        "From m = 10 to 999,999: T_bar from 0.0254 to 0.003, the failure probability of the sampled datasets from 1e-05 to "
        "0.003, their ratio between 1 and 2,540."
    )
    summary["failure_probability_mean"][1] = 0.0
    assert "ratio" not in extents.sentence(summary)
    people = {
        name: np.full(2, 1.0)
        for name in tables.PEOPLE_SUMMARY
        if name not in ("sweep", "guarantee", "relation", "supremum")
    }
    people |= {
        "epsilon": np.array([0.5, 1.0]),
        "failure_probability_largest": np.array([0.01, 0.02]),
        "sigma": np.array([6.0, 3.0]),
    }
    assert extents.sentence(people) == (
        "From epsilon = 0.5 to 1: the largest upper limit from 1 to 1, the largest failure probability from 0.01 to 0.02, the "
        "upper bound of the ratio from 1 to 1, the expected error of the release from 6 to 3."
    )
    assert extents.sentence({name: values[:1] for name, values in summary.items()}) == ""


def test_a_changed_template_makes_pages_stale(tmp_path, monkeypatch):
    (tmp_path / "page.py").write_text("import json\n", encoding="utf-8")
    (tmp_path / "page.html").write_text("<p>", encoding="utf-8")
    monkeypatch.setattr(sources, "_ROOT", tmp_path)
    digests = []
    for text in ("<p>", "<b>", "<p>"):
        sources._parsed.cache_clear()
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        digests.append(sources.digest("page"))
    sources._parsed.cache_clear()
    assert digests[0] == digests[2] != digests[1]
