"""What a run makes, and what makes it run again."""

import csv

import pytest

from tests.workflow.study import TINY, Study, copy_repository

EVERYTHING = {
    "calibrate": 2,
    "upper_limit": 2,
    "simulate": 6,
    "expect": 2,
    "aggregate": 2,
    "figure": 2,
    "replicate": 2,
    "compare_published": 1,
    "record_provenance": 1,
    "adversaries": 1,
    "figure_odds": 3,
    "answer": 1,
    "article": 1,
}
PUBLISHED = {"compare_published", "article"}
ODDS = {"adversaries", "figure_odds"}
# What a copy of the repository in another place makes stale: these read files of it.
MOVED = {"compare_published": 1, "record_provenance": 1, "article": 1}
ODDS_FIGURES = ("odds_risk_profile", "epsilon_by_prior_odds", "case_control_release")


def test_a_run_makes_every_file(reference):
    sweeps = {"figure1": 3, "figure3": 3}
    expected = {"results/published.csv", "results/published.md", "results/provenance.json", "results/article.pdf"}
    for sweep, points in sweeps.items():
        tables = ("calibration.csv", "expected/0.csv", "replicate/0.csv", "summary.csv", "upper_limit/0.csv")
        expected |= {f"results/{sweep}/{table}" for table in tables}
        expected |= {f"results/{sweep}/simulate/{point:03d}/0.csv" for point in range(points)}
        expected |= {f"figures/{sweep}.{kind}" for kind in ("pdf", "svg", "png")}
    expected |= {"results/case_control.csv", "results/open_questions/noise_by_profile.csv"}
    expected |= {f"figures/{name}.{kind}" for name in ODDS_FIGURES for kind in ("pdf", "svg", "png")}
    files = reference.files()
    assert set(files) == expected
    assert all(files.values())
    assert not reference.temporary()


def test_a_first_run_plans_a_job_for_each(study):
    assert study.planned() == EVERYTHING


def test_a_second_run_does_nothing(finished):
    before = finished.state()
    finished.run()
    assert finished.state() == before


def test_a_changed_sweep_runs_again_and_no_other(finished):
    before = finished.state()
    finished.configure(sweeps={"figure1": {"epsilon": {"start": 0.2, "stop": 1.5, "points": 3}}})
    finished.run()
    after = finished.state()
    assert set(after) == set(before)
    same = {name for name in before if before[name] == after[name]}
    independent = ("figure3", "case_control", "adversaries", "noise_by_profile", *ODDS_FIGURES)
    assert same == {name for name in before if any(part in name for part in independent)}


@pytest.mark.parametrize(
    ("setting", "rules"),
    [
        ({"releases": 1001}, {"simulate", "aggregate", "figure", *PUBLISHED}),
        ({"datasets_per_job": 7}, set()),
        ({"datasets_per_job": 3}, {"upper_limit", "aggregate", "figure", *PUBLISHED}),
        ({"replications": 5}, {"replicate", *PUBLISHED}),
        ({"verify_releases": 101}, set()),
        ({"seed": 1}, set(EVERYTHING) - {"calibrate", "expect", "answer"} - ODDS),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_setting_makes_stale_what_depends_on_it(finished, setting, rules):
    finished.configure(**setting)
    assert set(finished.planned()) == rules | {"record_provenance"}


def test_a_numerical_module_makes_stale_what_uses_it(edited):
    append(edited, "study/simulation.py", "\nEDITED = True\n")
    planned = edited.planned()
    assert planned == {"simulate": 6, "aggregate": 2, "figure": 2, **MOVED}


def test_a_module_at_the_start_makes_everything_stale(edited):
    append(edited, "mechanisms/gaussian.py", "\nEDITED = True\n")
    assert edited.planned() == {rule: jobs for rule, jobs in EVERYTHING.items() if rule not in {*ODDS, "answer"}}


def test_comments_and_docstrings_make_nothing_stale_and_a_plot_setting_the_figures_alone(edited):
    for name in ("study/simulation.py", "mechanisms/gaussian.py", "beliefs/regions.py"):
        before = append(edited, name, "\n\n# The end.\n")
        assert before.startswith('"""')
        edit(edited, name, lambda text: "# A comment.\n" + text.replace('"""', '"""Another word. ', 1))
    assert edited.planned() == MOVED
    edit(edited, "plots/style.py", lambda text: text.replace("#1f4e9c", "#1f4e9d"))
    assert edited.planned() == {**MOVED, "figure": 2, "figure_odds": 3}


def append(study, module, text):
    """Append to a module of the study's copy of the package; return what stood there before."""
    return edit(study, module, lambda before: before + text)


def edit(study, module, change):
    """Change a module of the study's copy of the package; return what stood there before."""
    path = study.repository / "src/disclosure" / module
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")
    return before


def test_exact_draws_no_release(study):
    planned = study.planned("exact")
    assert planned == {"calibrate": 2, "upper_limit": 2, "expect": 2, "aggregate": 2, "figure": 2}


def test_a_dropped_sweep_is_left_out(study):
    study.configure(sweeps={"figure3": None})
    assert TINY["sweeps"]["figure3"] is not None
    dropped = {"calibrate", "upper_limit", "expect", "replicate", "aggregate", "figure"}
    assert study.planned() == {**EVERYTHING, **dict.fromkeys(dropped, 1), "simulate": 3}


def test_exact_and_verify_leave_the_releases_alone(finished):
    before = finished.state()
    finished.run("exact", "verify")
    after = finished.state()
    assert {name: after[name] for name in before} == before
    files = finished.files()
    assert {
        f"figures/{sweep}_exact.{kind}" for sweep in ("figure1", "figure3") for kind in ("pdf", "svg", "png")
    } < set(files)
    rows = list(csv.DictReader(files["results/verification.csv"].decode().splitlines()))
    assert len(rows) == 6
    # A lot of draws that agree with their probabilities, not a test of chance: the seed is fixed.
    assert all(float(row[name]) > 1e-6 for row in rows for name in ("p_value", "p_value_prior_free"))
    assert all(int(row["failures_prior_free"]) <= int(row["failures"]) for row in rows)
    assert not finished.temporary()


def test_a_damaged_table_stops_what_reads_it_and_says_so(finished, reference):
    damaged = finished.folder / "results/figure1/upper_limit/0.csv"
    damaged.write_bytes(damaged.read_bytes()[:-5])
    run = finished.attempt()
    assert run.returncode == 1
    said = "python -m disclosure.workflow aggregate: results/figure1/upper_limit/0.csv: is cut off"
    assert [line for line in run.stderr.splitlines() if said in line] != [], run.stderr
    assert not finished.temporary()
    # The summary and what hangs on it stay as they were, and are named.
    _head, listed = run.stderr.split("not made again, and so of an earlier run:\n")
    stale = {line.strip() for line in listed.splitlines() if line.startswith("  ")}
    assert stale == {
        "results/figure1/summary.csv",
        "results/published.csv",
        "results/published.md",
        "results/provenance.json",
        "results/article.pdf",
    } | {f"figures/figure1.{kind}" for kind in ("pdf", "svg", "png")}
    kept, expected = finished.files(), reference.files()
    assert {name: kept[name] for name in stale} == {name: expected[name] for name in stale}
    assert set(finished.planned()) == {"aggregate", "figure", "record_provenance", *PUBLISHED}
    assert set(finished.planned("figures/figure1.pdf")) == {"aggregate", "figure"}
    assert set(finished.planned("results/figure1/summary.csv")) == {"aggregate"}
    damaged.unlink()
    finished.run()
    assert finished.files() == reference.files()
    assert finished.planned() == {}


def test_a_job_that_the_system_ended_is_told_of(repository, tmp_path):
    copy = copy_repository(tmp_path / "repository", of=repository)
    path = copy / "src/disclosure/workflow/jobs/upper_limit.py"
    head = "def run(arguments: argparse.Namespace) -> None:\n"
    source = path.read_text(encoding="utf-8")
    assert source.count(head) == 1
    path.write_text(source.replace(head, f"{head}    import os\n\n    os.kill(os.getpid(), 9)\n"), encoding="utf-8")
    study = Study(copy, tmp_path / "work").configure()
    run = study.attempt("results/figure1/upper_limit/0.csv")
    assert run.returncode == 1
    said = "results/logs/upper_limit/figure1/0.log: said nothing; the system may have ended it: no memory left"
    assert [line for line in run.stderr.splitlines() if line.startswith(said)] != [], run.stderr
    assert "not made again" not in run.stderr


def test_a_new_sweep_replicates_nothing_again(finished):
    sweep = {"population": 100, "sample": 98, "epsilon": [0.5, 1.0], "delta": 0.1}
    finished.configure(sweeps={"mine": sweep})
    planned = finished.planned()
    assert "replicate" not in planned
    assert planned["calibrate"] == planned["aggregate"] == planned["figure"] == 1


def test_a_study_without_the_papers_sweeps_has_no_numbers_to_compare_and_runs(study):
    sweep = {"population": 100, "sample": 98, "epsilon": 0.5, "delta": 0.1}
    study.configure(sweeps={"figure1": None, "figure3": None, "mine": sweep})
    study.run("results/published.csv")
    files = study.files()
    rows = csv.DictReader(files["results/published.csv"].decode().splitlines())
    assert {row["reproduced"] for row in rows if row["id"].startswith("A.")} == {""}
    assert "results/mine/summary.csv" not in files  # nothing compares it
    study.run("results/mine/summary.csv")


def test_the_end_of_a_run_tells_of_its_own_jobs_alone(finished):
    (finished.folder / "figures/figure1.svg").unlink()
    run = finished.run()
    table = run.stderr[run.stderr.index("stage ") :].splitlines()
    head, *jobs = [line.split()[:2] for line in table[:3]]
    assert head == ["stage", "jobs"]
    assert sorted(jobs) == [["article", "1"], ["figure", "1"]]
    assert table[3].split()[1:2] != ["1"]
    assert "[1/3] figure figure1" in run.stderr
