"""Pages of the report: what they say, in which order, and that nothing in them is taken for markup."""

import json
import pathlib

import pytest
import yaml

from disclosure.cli import main
from disclosure.pipeline import pages
from disclosure.pipeline.config import check
from disclosure.pipeline.plan import Plan
from disclosure.pipeline.story import Story

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = ROOT / "workflow/report/results.yaml"
PUBLISHED = """id,printed,reproduced,low,high,verdict,note,expected
B.n,1095,1095.0,,,agrees,,
A.F3.F_at_095,0.18,0.1735,0.173,0.197,agrees,"at the nearest, 0.9528",0.18
A.F3.F_at_095.exactly,0.18,0.1798,0.168,0.193,deviates,at 0.95 <itself>,
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
    return Plan(check(settings, ROOT / "workflow/schemas/config.schema.yaml"))


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A page made by a subcommand."""
    monkeypatch.chdir(tmp_path)

    def make(*arguments):
        main([*arguments, "--caption", "What to see: ε > 0.", "--output", "page.html"])
        return (tmp_path / "page.html").read_text(encoding="utf-8")

    return make


def test_claims_are_ordered_by_paper_and_section(made, tmp_path):
    (tmp_path / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    page = made("show_claims", "published.csv", "--printed", str(ROOT / "resources/published.csv"))
    parts = [
        "2 agrees, 1 deviates, 0 explained, 1 open",
        "Paper A, Figure 1</td>",
        "F_bar may converge to a positive limit as epsilon grows</td>",
        "a conjecture</td>",
        "Paper A, Figure 3</td>",
        "F_bar at delta = 0.95: 0.18</td>",
        "reproduced 0.1735; 95% of replications 0.173 to 0.197; expected 0.18; at the nearest, 0.9528</td>",
        '<td class="agrees">agrees</td>',
        "at 0.95 &lt;itself&gt;</td>",
        '<td class="deviates">deviates</td>',
        "Paper B, Section 4</td>",
        "study size 2n+1: 1095</td>",
    ]
    places = [page.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)
    assert "What to see: ε &gt; 0." in page


def test_provenance_has_versions_parameters_and_times(made, tmp_path):
    (tmp_path / "provenance.json").write_text(json.dumps(PROVENANCE), encoding="utf-8")
    for number, seconds in enumerate((1.25, 2.5)):
        (tmp_path / f"{number}.log").write_text(f"disclosure simulate: {seconds} s\n", encoding="utf-8")
    (tmp_path / "failed.log").write_text("disclosure simulate: no such file\n", encoding="utf-8")
    page = made("show_provenance", "provenance.json", "--logs", str(tmp_path))
    for row in (("commit", "abc"), ("packages.numpy", "2.0"), ("seed", "1"), ("sweeps.f.sample", "9, 90")):
        assert '<td class="text">{}</td><td class="text">{}</td>'.format(*row) in page
    cells = ("simulate", "2", "3.8", "2.5")
    assert "".join(f'<td class="{"number" if cell[0].isdigit() else "text"}">{cell}</td>' for cell in cells) in page


def test_a_result_is_figure_and_table(made, tmp_path):
    (tmp_path / "f.svg").write_text('<?xml version="1.0"?>\n<svg role="img"><title>a</title></svg>\n', encoding="utf-8")
    (tmp_path / "t.csv").write_text("point,n,empty,rho\n0,100,,0.0123456\n1,100,,1e-12\n", encoding="utf-8")
    page = made("show_result", "--title", "A & B", "--figure", "f.svg", "--table", "t.csv")
    assert '<figure>\n<svg role="img"><title>a</title></svg>\n</figure>' in page
    assert "<?xml" not in page
    assert "<h1>A &amp; B</h1>" in page
    assert "<caption>t.csv; in all rows n = 100</caption>" in page
    assert '<th scope="col">point</th><th scope="col">rho</th></tr>' in page
    assert '<td class="number">0.01235</td>' in page
    assert page.index("What to see") < page.index("<figure>") < page.index("<table>")


def test_a_page_without_figure_and_table_is_refused(made, capsys):
    with pytest.raises(SystemExit, match="2"):
        made("show_result", "--title", "nothing")
    assert capsys.readouterr().err == (
        "disclosure show_result: neither figure nor table; allowed: one of them, or both\n"
    )


def test_pages_ask_for_nothing():
    page = pages.page("title", "caption", pages.table("table", ["a"], [["1"]]))
    for request in ("src=", "href=", "url(", "@import", "<script"):
        assert request not in page


def test_every_page_has_words_of_its_own(plan):
    words = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    names = {pathlib.Path(page).stem for page in plan.pages()}
    assert names == set(words) - {"sweep", "beyond", "table"}
    for name, entry in words.items():
        assert set(entry) == {"category", "section", "title", "caption"}, name
        assert len(entry["caption"]) > 100, name


def test_results_stand_in_the_order_of_the_papers(plan):
    """The report sorts categories and sections by their names."""
    words = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    places = [(entry["category"], entry["section"]) for entry in words.values()]
    assert places == sorted(places)


def test_a_sweep_without_words_gets_general_ones(plan):
    for group, known in (("sweeps", "figure1"), ("beyond", "small_delta"), ("tables", "davis")):
        story = Story(WORDS, Plan({**plan.settings, group: {"mine": plan.settings[group][known]}}))
        assert story.entry("mine")["title"].endswith(": mine")
        assert story.entry("mine")["category"] == story.entry(known)["category"]
    assert story.flags()["category"](type("Wildcards", (), {"shown": "figure2"})) == "2 Paper A"


def test_a_sweep_of_one_point_has_no_figure(plan):
    assert set(plan.shown("figure3")) == {"figure", "table"}
    assert set(plan.shown("figure3_at_095")) == {"table"}
    assert set(plan.shown("odds_risk_profile")) == {"figure"}
