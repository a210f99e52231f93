"""Pages of the report as their commands make them."""

import json
import pathlib
import re

import pytest

from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = """id,printed,reproduced,low,high,verdict,note,expected,same_as
B.n,1095,1095.0,,,identity,,,
A.F3.F_at_095,0.18,0.1735,0.173,0.197,agrees,"at the nearest, 0.9528",0.18,
A.F3.F_at_095.exactly,0.18,0.1798,0.168,0.193,deviates,at 0.95 <itself>,,
A.limit,,,,,open,a conjecture,,
"""
OTHER_RUN = """id,printed,reproduced,low,high,verdict,note,expected,same_as
A.F1.mean_T,1.49e-2,0.015,,,open,not run with the paper's numbers of datasets and releases,,
A.F1.sd_F.min,5.82e-12,1e-11,,,open,not run with the paper's numbers of datasets and releases; over epsilon > 0,,
A.F3.F_at_1,1.0,,,,open,not run with the paper's points of figure3,,
A.limit,,,,,open,a conjecture,,
"""
PROVENANCE = {
    "commit": "abc",
    "packages": {"numpy": "2.0"},
    "seed": 1,
    "config": {"sweeps": {"f": {"sample": [9, 90]}}},
}


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
    assert "4 numbers and claims: 1 agrees; 1 deviates; 1 open; apart from these 1 by identity." in front
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


def test_a_page_without_figure_and_table_is_refused(made, capsys):
    with pytest.raises(SystemExit, match="2"):
        made("show_result", "--title", "nothing")
    assert capsys.readouterr().err == (
        "python -m disclosure.workflow show_result: neither figure nor table; allowed: one of them, or both\n"
    )


@pytest.mark.parametrize(("rows", "shown"), [(200, True), (201, False)])
def test_a_long_table_is_named_and_not_shown(made, tmp_path, rows, shown):
    text = "\n".join(["place,value", *(f"{row},0.{row:03d}5" for row in range(rows))]) + "\n"
    (tmp_path / "long.csv").write_text(text, encoding="utf-8")
    page = made("show_result", "--table", "long.csv")
    assert ("0.0335" in page) == shown
    assert ("The numbers stand in long.csv, 201 rows of place, value." in page) == (not shown)
