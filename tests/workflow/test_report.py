"""The report: one file with a page for each result, made beside the results and changing none of them."""

import base64
import json
import re

import yaml

from tests.workflow.study import ROOT

PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
DROPPED = {group: dict.fromkeys(PUBLISHED[group]) for group in ("beyond", "tables")}
REPORT = ("report", "--report", "report.html", "--report-after-run")


def variable(report, name):
    """What the report's script has under a name."""
    return json.loads(re.search(rf'^ *var {name} = ([{{"].*);$', report, re.MULTILINE)[1])


def test_the_report_has_every_page_and_a_changed_result_again(finished):
    finished.configure(**DROPPED)
    before = finished.state()
    finished.run(*REPORT)
    after = finished.state()
    changed = {name for name in before if before[name] != after[name]}
    assert {name for name in changed if "logs" not in name} == {"results/provenance.json"}
    made = {name.rpartition("/")[2] for name in set(after) - set(before) if name.startswith("results/report/")}
    names = ("figure1", "figure3", "case_control", "claims", "provenance", "odds_risk_profile", "study_design")
    assert made >= {f"{name}.html" for name in names}
    report = (finished.folder / "report.html").read_text(encoding="utf-8")
    results = variable(report, "results")
    assert {path.rpartition("/")[2] for path in results} == made
    front = variable(report, "workflow_desc")
    assert "problematic" not in front  # what docutils makes of a text that it does not understand
    for result in results.values():
        assert result["data_uri"].startswith("data:text/html;")
        assert result["caption"].startswith("<p>")
        assert "problematic" not in result["caption"]
        page = base64.b64decode(result["data_uri"].partition("base64,")[2]).decode()
        for part in (r"<h1>(.*)</h1>", r'class="caption">(.*)</'):
            assert re.search(part, page)[1] in front
    # The tiny study is not the paper's, and paper B's example is.
    assert "of magnitude" not in front
    assert "half the logarithm of 2" in front
    stages = seconds(finished)
    assert stages["simulate"][0] == 6
    # A log that was left by other settings is of no job behind these results; a job that runs again is told of anew.
    stray = finished.folder / "results/logs/simulate/figure1/000/7.log"
    stray.write_text("disclosure simulate: 1000.00 s\n", encoding="utf-8")
    (finished.folder / "results/case_control.csv").unlink()
    planned = finished.planned("report")
    assert planned == {"adversaries": 1, "article": 1, "show_result": 1, "show_provenance": 1}
    finished.run(*REPORT)
    again = seconds(finished)
    assert again["simulate"] == stages["simulate"]
    assert finished.planned("report") == {}
    finished.configure(**DROPPED, releases=1001)
    planned = finished.planned("report")
    assert (planned["show_result"], planned["show_claims"], planned["show_provenance"]) == (2, 1, 1)


def seconds(study):
    """Jobs and seconds of each stage, from the page on how the results were made."""
    page = (study.folder / "results/report/provenance.html").read_text(encoding="utf-8")
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL)]
    return {row[0]: (int(row[1]), float(row[2])) for row in rows if len(row) == 4}


def test_a_report_of_another_target_says_that_it_has_no_result(finished):
    finished.run("case_control", "--report", "report.html")
    report = (finished.folder / "report.html").read_text(encoding="utf-8")
    assert variable(report, "results") == {}
    assert "No result is in this report" in variable(report, "workflow_desc")
    assert "snakemake report" in re.sub(r"<[^>]*>", "", variable(report, "workflow_desc"))
