"""The declarations of the stages: files, jobs, targets, names that collide, and the rules that read them."""

import pathlib
import re
from types import SimpleNamespace

import pytest
import yaml

from disclosure.workflow import jobs, stages
from disclosure.workflow.config import check
from disclosure.workflow.plan import Plan
from disclosure.workflow.sources import digest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
ONE = {"population": 100, "sample": 90, "epsilon": 1.0, "delta": 0.1}
NAMES = [stage.name for stage in stages.declared()]


@pytest.fixture(scope="module")
def plan():
    return Plan(check(PUBLISHED), ROOT)


def rules(plan):
    return stages.Rules(plan, lambda names: None)


@pytest.mark.parametrize("name", NAMES)
def test_the_rule_of_a_stage_has_its_name_and_takes_all_from_its_declaration(name):
    text = (ROOT / f"workflow/rules/{name}.smk").read_text(encoding="utf-8")
    (stage,) = (stage for stage in stages.declared() if stage.name == name)
    assert re.findall(r"^rule (\w+):", text, re.MULTILINE) == [name]
    own = rf"STAGES\.{name}\."
    assert re.search(rf"^        \*\*{own}params,$", text, re.MULTILINE), "params, among them the digest of the code"
    assert re.search(rf"^        {own}log,$", text, re.MULTILINE)
    assert re.search(rf"^        (report\(|\*\*)?{own}output,", text, re.MULTILINE)
    assert bool(re.search(rf"^        \*\*{own}input,$", text, re.MULTILINE)) == bool(stage.needs)
    assert set(re.findall(r"STAGES\.(\w+)", text)) == {name}
    assert f'"python -m disclosure.workflow {stage.command or name} ' in text
    for need in stage.needs:
        # Of `verify` the files stand in params, sweep by sweep; of the others some are there to be made first.
        assert f"{{input.{need}:q}}" in text or name == "verify" or need == "results", need


def test_there_is_a_rule_for_every_stage_and_a_stage_for_every_command():
    files = {path.stem for path in (ROOT / "workflow/rules").glob("*.smk")}
    assert files == {*NAMES, "targets"}
    assert {stage.command or stage.name for stage in stages.declared()} == set(jobs.COMMANDS)


def test_the_digest_of_its_command_is_among_the_params_of_every_rule(plan):
    for stage in stages.declared():
        code = getattr(rules(plan), stage.name).params["code"]
        assert code == digest(f"workflow.jobs.{stage.command or stage.name}")
    with pytest.raises(AttributeError, match="quantiles is no stage; there are calibrate, upper_limit"):
        rules(plan).quantiles  # noqa: B018


def test_a_rule_says_which_sweeps_have_its_stage(plan):
    found = rules(plan)
    sampled = "figure1|figure2|figure3|figure3_at_095"
    assert found.upper_limit.output == rf"results/{{sweep,{sampled}}}/upper_limit/{{shard,\d+}}.csv"
    assert found.expose.output == r"results/{sweep,davis}/exposure/{point,\d+}/{shard,\d+}.csv"
    assert found.aggregate.output.endswith("|davis}/summary{variant,|_exact}.csv")
    assert "figure3|" in found.aggregate.output
    assert "figure3_at_095|" in found.aggregate.output
    assert all(
        "|figure3|" in output and "figure3_at_095" not in output for output in found.figure.output
    )  # a single point
    without = rules(Plan(check({**PUBLISHED, "tables": {}})))
    assert without.expose.output == r"results/{sweep,(?!)}/exposure/{point,\d+}/{shard,\d+}.csv"


def test_a_rule_asks_for_the_files_that_it_needs(plan):
    asked = []
    needs = stages.Rules(plan, lambda files, made: asked.append((files, made))).aggregate.input
    job = SimpleNamespace(sweep="figure1", variant="_exact")
    found = {name: need(job) for name, need in needs.items()}
    assert found == {
        "calibration": "results/figure1/calibration.csv",
        "upper_limit": ["results/figure1/upper_limit/0.csv"],
        "simulate": [],
        "expected": [f"results/figure1/expected/{shard}.csv" for shard in range(8)],
        "exposure": [],
    }
    made = ["results/figure1/summary_exact.csv"]
    assert asked == [([files] if isinstance(files, str) else files, made) for files in found.values()]


def test_the_params_of_a_shard_are_its_range_of_the_work(plan):
    params = rules(plan).expect.params
    job = SimpleNamespace(sweep="large_epsilon", shard="4")
    assert set(params) == {"code", "attributes", "prior_free", "range"}
    assert [params[name](job) for name in ("attributes", "prior_free", "range")] == [
        "uniform",
        ["--prior-free"],
        (20, 25),
    ]
    assert params["prior_free"](SimpleNamespace(sweep="figure1", shard="0")) == []


def test_no_number_is_printed_about_approximate_privacy():
    printed = [sweep.name for sweep in Plan(check(PUBLISHED)).printed]
    other = {**PUBLISHED["sweeps"]["figure1"], "definition": "approximate", "delta_prime": 0.1}
    plan = Plan(check({**PUBLISHED, "sweeps": {**PUBLISHED["sweeps"], "figure1": other}}))
    assert printed == ["figure1", *(sweep.name for sweep in plan.printed)]


def test_jobs_are_as_many_as_their_files():
    plan = Plan(check({**PUBLISHED, "datasets": 17, "datasets_per_job": 5, "releases": 3, "releases_per_job": 10}))
    for stage in stages.declared():
        if stage.work is None:
            continue
        for sweep in plan.sweeps.values():
            if isinstance(sweep, stage.kinds):
                files = stage.of_sweep(plan, sweep)
                assert len(set(files)) == len(files) == stage.jobs(plan, sweep)
    assert stages.SIMULATE.of_sweep(plan, plan.sweeps["figure1"])[5:7] == [
        "results/figure1/simulate/000/5.csv",
        "results/figure1/simulate/001/0.csv",
    ]


def test_a_sweep_of_releases_alone_has_no_figure_without_releases():
    one = {**ONE, "epsilon": [0.5, 1.0], "upper_limit": False, "expect": False}
    plan = Plan(check({**PUBLISHED, "sweeps": {"one": one}}))
    assert {f"figures/one.{kind}" for kind in ("pdf", "svg", "png")} <= set(stages.everything(plan))
    assert stages.exact(plan) == []


def test_only_sweeps_that_sample_datasets_are_verified():
    expected = {**ONE, "upper_limit": False, "simulate": False}
    plan = Plan(check({**PUBLISHED, "sweeps": {"one": ONE, "two": expected}}))
    job = SimpleNamespace()
    needs = {name: need(plan, job) for name, need in stages.VERIFY.needs.items()}
    assert needs["calibration"] == ["results/one/calibration.csv"]
    words = stages.VERIFY.params["sweeps"](plan, job)
    assert [word for word in words if word.startswith("--")] == ["--calibration", "--upper-limit", "--simulate"]
    assert set(words) > {file for files in needs.values() for file in files}


def test_no_other_file_of_a_run_has_the_name_of_a_sweep():
    plan = Plan({**check(PUBLISHED), "sweeps": {}, "beyond": {}, "tables": {}})
    paths = [
        *stages.everything(plan),
        *stages.pages(plan),
        *stages.beyond(plan),
        *stages.open_questions(plan),
        "results/logs/a/b.log",
    ]
    figures_and_pages = {pathlib.Path(path).stem for path in paths if path.startswith(("figures/", "results/report/"))}
    folders = {pathlib.Path(path).parts[1] for path in paths if len(pathlib.Path(path).parts) > 2}
    assert figures_and_pages | folders == stages.taken()


def test_a_page_shows_a_figure_a_table_or_both(plan):
    def shown(name):
        return {part: need(plan, SimpleNamespace(shown=name)) for part, need in stages.SHOW_RESULT.needs.items()}

    table = "results/figure3/summary.csv"
    assert shown("figure3") == {"figure": "figures/figure3.svg", "table": table}
    assert shown("figure3_at_095") == {"figure": [], "table": "results/figure3_at_095/summary.csv"}
    assert shown("odds_risk_profile") == {"figure": "figures/odds_risk_profile.svg", "table": []}
    assert shown("study_design") == {"figure": [], "table": "results/study_design.csv"}


def test_the_article_tells_of_what_its_words_are_about():
    def needs(**beyond):
        plan = Plan(
            check({**PUBLISHED, "sweeps": {"figure1": PUBLISHED["sweeps"]["figure1"], "mine": ONE}, "beyond": beyond})
        )
        return {name: need(plan, SimpleNamespace()) for name, need in stages.ARTICLE.needs.items()}

    small = {**PUBLISHED["beyond"]["small_delta"]}
    read = needs(small_delta=small, another=small)
    assert read["aggregate"] == ["results/figure1/summary.csv", "results/small_delta/summary.csv"]
    assert read["figure"] == ["figures/figure1.svg", "figures/small_delta.svg"]
    assert needs(small_delta={**small, "attributes": "binary"})["aggregate"] == ["results/figure1/summary.csv"]
    assert needs(large_epsilon_binary=small)["figure"] == ["figures/figure1.svg"]
