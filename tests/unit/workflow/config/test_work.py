"""Bounds of the jobs and the rows of a run."""

import copy
import pathlib
import re
import time
from types import SimpleNamespace

import pytest
import yaml

from disclosure.workflow import stages
from disclosure.workflow.config import ConfigError, check, work
from disclosure.workflow.plan import Plan

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
ONE = {"population": 100, "sample": 90, "epsilon": 1.0, "delta": 0.1}
# Seconds of the processor; a check takes hundredths.
SOON = 5.0


def study(sweep=(), **changes):
    """One sweep of one point, sampled by nothing but releases."""
    one = {**ONE, "upper_limit": False, "expect": False, **dict(sweep)}
    return {**PUBLISHED, "sweeps": {"one": one}, "beyond": {}, "tables": {}, "verify_releases": 1, **changes}


def shards(plan, *parts, of=None):
    """Files of some stages for all of the papers' sweeps, or for those named."""
    sweeps = plan.group("sweeps") if of is None else of
    return [file for sweep in sweeps for stage in parts for file in stage.of_sweep(plan, sweep)]


def aggregated(plan):
    """Inputs of the summary of each sweep, by their names in the rule."""
    for sweep in plan.sweeps:
        job = SimpleNamespace(sweep=sweep, variant="")
        inputs = {name: need(plan, job) for name, need in stages.AGGREGATE.needs.items()}
        yield {name: files for name, files in inputs.items() if name != "calibration"}


def test_as_many_jobs_are_allowed_as_files_fit_into_a_command():
    config = study(releases=2, releases_per_job=2, datasets=work.MOST_FILES)
    assert len(shards(Plan(check(config)), stages.SIMULATE)) == work.MOST_FILES
    with pytest.raises(ConfigError, match=rf"releases_per_job = 2 makes {work.MOST_FILES + 1} jobs of simulate"):
        check({**config, "datasets": work.MOST_FILES + 1})


# Settings with far too many jobs, and the file lists of the plan that one command reads.
MANY = {
    "simulate": (study(releases_per_job=3_000_000, datasets=100_001, datasets_per_job=10**6), ("releases_per_job",)),
    "upper limit": (
        study({"upper_limit": True}, datasets=500_000_000, datasets_per_job=3, releases_per_job=10**15),
        ("datasets_per_job",),
    ),
    "verify": (study(verify_releases=999, releases=1, releases_per_job=1000, datasets=10**5), ("releases_per_job",)),
    "replications": (
        # Of the sweeps that the paper prints numbers of.
        {**study(replications=10**8, replications_per_job=7), "sweeps": {"figure1": ONE}},
        ("replications_per_job",),
    ),
    "exposure": (
        {
            **PUBLISHED,
            "tables": {
                "davis": {
                    **PUBLISHED["tables"]["davis"],
                    "population": 10**9,
                    "targets": 10**9,
                    "targets_per_job": 3,
                }
            },
        },
        ("tables", "davis", "targets_per_job"),
    ),
    "a thousand million": (
        study(datasets=10**9, releases=1, releases_per_job=1, datasets_per_job=1),
        ("releases_per_job",),
    ),
}


@pytest.mark.parametrize("case", MANY)
def test_the_advice_about_too_many_jobs_is_enough(case):
    config, place = MANY[case]
    config = copy.deepcopy(config)
    for _ in range(4):
        started = time.process_time()
        try:
            plan = Plan(check(config))
        except ConfigError as error:
            message = str(error)
        else:
            break
        assert time.process_time() - started < SOON
        found = re.fullmatch(r"([\w.]+) = \d+ makes \d+ jobs of .*; allowed: (\d+) or more", message)
        *outer, last = found[1].split(".")
        entry = config
        for name in outer:
            entry = entry[name]
        entry[last] = int(found[2])
    commands = [[file for files in inputs.values() for file in files] for inputs in aggregated(plan)]
    commands += [shards(plan, stages.REPLICATE, of=plan.printed)]
    commands += [shards(plan, stages.UPPER_LIMIT, stages.SIMULATE_LITERAL)]
    assert max(map(len, commands)) <= work.MOST_FILES
    assert sum(map(len, commands)) <= 2 * work.MOST_JOBS
    before, changed = MANY[case][0], config
    for name in place:
        before, changed = before[name], changed[name]
    assert changed > before


def test_many_sweeps_together_have_as_many_jobs_as_a_run_plans():
    sweeps = {f"sweep{number}": ONE for number in range(20)}
    config = {**study(), "sweeps": sweeps, "datasets": 18_000, "releases_per_job": 10**12}
    config = {**config, "datasets_per_job": 20, "verify_releases": 10**6}
    with pytest.raises(ConfigError, match=r"makes 900 jobs of simulate_literal for sweeps\.\w+, of \d+ in all"):
        check({**config, "datasets_per_job": 20, "releases_per_job": 2 * 10**7})
