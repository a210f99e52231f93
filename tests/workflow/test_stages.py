"""Stages as they are declared against the jobs that Snakemake plans, and one more stage, added as the page about it says."""

import csv
import io
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from disclosure.workflow import stages, tables
from disclosure.workflow.config import check
from disclosure.workflow.plan import Plan
from tests.workflow.study import ROOT, Study, copy_repository

PAGE = ROOT / "docs/adding_a_stage.md"
TARGETS = ("paper", "exact", "beyond", "open_questions", "steward", "report", "verify")
WILDCARD = re.compile(r"{(\w+)}")


def jobs(plan, names):
    """Jobs behind some files, as the stages declare them: (stage, log) of each, with its inputs and its outputs."""
    found, waiting = {}, list(names)
    while waiting:
        name = waiting.pop()
        for stage in stages.declared():
            match = next(filter(None, (made(plan, stage, pattern, name) for pattern in stage.patterns)), None)
            if match is None:
                continue
            wildcards = match.groupdict()
            key = stage.name, stage.log_pattern.format(**wildcards)
            if key in found:
                break
            job = SimpleNamespace(**wildcards)
            needs = [need(plan, job) for need in stage.needs.values()]
            inputs = {file for files in needs for file in ([files] if isinstance(files, str) else files)}
            found[key] = inputs, set(stage.files(**wildcards))
            waiting.extend(inputs)
            break
    return found


def made(plan, stage, pattern, name):
    """Whether a stage makes a file of this name, and with which wildcards."""
    parts = WILDCARD.split(pattern)
    expression = "".join(
        re.escape(part) if number % 2 == 0 else f"(?P<{part}>{values(plan, stage, part)})"
        for number, part in enumerate(parts)
    )
    return re.fullmatch(expression, name)


def values(plan, stage, wildcard):
    return r"\d+" if wildcard in ("point", "shard") else "|".join(stage.names(plan, wildcard)) or "(?!)"


@pytest.fixture
def plan(reference):
    """The plan of the tiny study."""
    settings = yaml.safe_load((reference.repository / "config.yaml").read_text(encoding="utf-8"))
    for key, value in yaml.safe_load(reference.configfile.read_text(encoding="utf-8")).items():
        settings[key] = merged(settings[key], value)
    return Plan(check(settings), reference.repository)


def merged(under, over):
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return {**under, **{name: merged(under.get(name), value) for name, value in over.items()}}


def test_stages_are_the_jobs_that_snakemake_plans_and_ran(reference, plan):
    targets = (stages.everything, stages.exact, stages.beyond, stages.open_questions, stages.steward, stages.pages)
    expected = jobs(plan, [*stages.VERIFY.files(), *(name for target in targets for name in target(plan))])
    run = reference.run("--detailed-summary", *TARGETS)
    rows = list(csv.DictReader(io.StringIO(run.stdout), delimiter="\t"))
    assert {(row["rule"], row["output_file"]) for row in rows} == {
        (stage, file) for (stage, _), (_, outputs) in expected.items() for file in outputs
    }
    # What Snakemake noted of the jobs that it has run.
    ran = [row for row in rows if row["status"] == "ok"]
    assert {row["output_file"] for row in ran} == set(reference.files())
    for row in ran:
        inputs, outputs = expected[row["rule"], row["log-file(s)"]]
        assert row["output_file"] in outputs
        assert set(filter(None, row["input-file(s)"].split(","))) == inputs, row["output_file"]


def blocks():
    """Files of the page and the text that goes into each."""
    text = PAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^```(?:python|snakemake)\n# (\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


@pytest.fixture
def extended(repository, tmp_path):
    """The tiny study in a copy of the repository with the stage of the page."""
    copy = copy_repository(tmp_path / "repository", of=repository)
    for name, text in blocks().items():
        path = copy / name
        before = path.read_text(encoding="utf-8") + "\n\n" if path.exists() else ""
        path.write_text(before + text, encoding="utf-8")
    return Study(copy, tmp_path / "work").configure()


def test_the_stage_of_the_page_is_made_from_three_blocks(extended):
    assert len(blocks()) == 3
    name = "results/figure1/quantiles.csv"
    assert extended.planned(name) == {"calibrate": 1, "upper_limit": 1, "quantiles": 1}
    extended.run(name)
    exact = tables.Shards([extended.folder / "results/figure1/upper_limit/0.csv"], tables.UPPER_LIMIT, 6, 3)
    (header, *rows) = csv.reader((extended.folder / name).read_text(encoding="utf-8").splitlines())
    assert header == ["sweep", "point", "lower_quartile", "median", "upper_quartile"]
    assert [row[:2] for row in rows] == [["figure1", str(point)] for point in range(3)]
    medians = [float(row[header.index("median")]) for row in rows]
    assert medians == pytest.approx([np.median(values) for values in exact["failure_probability"]], rel=1e-12)
    # The digest of its command comes with the declaration, a missing file that it needs is made again.
    assert extended.planned(name) == {}
    command = extended.repository / "src/disclosure/workflow/jobs/quantiles.py"
    command.write_text(command.read_text(encoding="utf-8").replace("0.75", "0.7"), encoding="utf-8")
    assert extended.planned(name) == {"quantiles": 1}
    extended.run(name)
    (extended.folder / "results/figure1/upper_limit/0.csv").unlink()
    assert extended.planned(name) == {"upper_limit": 1, "quantiles": 1}


def test_the_blocks_of_the_page_are_written_like_the_rest(tmp_path):
    for name, text in blocks().items():
        path = tmp_path / name.rpartition("/")[2]
        path.write_text(text, encoding="utf-8")
        command = (
            ["snakefmt", "--check"]
            if path.suffix == ".smk"
            else ["ruff", "format", "--check", "--config", ROOT / "pyproject.toml"]
        )
        run = subprocess.run([sys.executable, "-m", *command, path], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
