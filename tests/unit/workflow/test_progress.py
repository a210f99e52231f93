"""What a run tells while it works and where its time went."""

import logging
from types import SimpleNamespace

import pytest

from disclosure.workflow import times
from disclosure.workflow.progress import Progress, described


def job(number, rule, **wildcards):
    return SimpleNamespace(jobid=number, rule=SimpleNamespace(name=rule), wildcards_dict=wildcards)


def record(event, text="text", **extra):
    made = logging.LogRecord("snakemake", logging.INFO, "", 0, text, None, None)
    made.__dict__.update(event=event, **extra)
    return made


@pytest.mark.parametrize(
    ("rule", "wildcards", "words"),
    [
        (
            "simulate",
            {"sweep": "figure1", "point": "012", "shard": "0"},
            "simulate figure1, point 012, shard 0",
        ),
        ("aggregate", {"sweep": "figure1", "variant": ""}, "aggregate figure1"),
        ("aggregate", {"sweep": "figure1", "variant": "_exact"}, "aggregate figure1 exact"),
        ("expose", {"sweep": "davis", "point": "001", "shard": "3"}, "expose davis, point 001, shard 3"),
        ("figure_odds", {"odds_figure": "odds_risk_profile"}, "figure_odds odds_risk_profile"),
        ("compare_published", {}, "compare_published"),
    ],
)
def test_a_job_is_described_by_what_it_is_about(rule, wildcards, words):
    assert described(job(0, rule, **wildcards)) == words


def test_each_end_of_a_job_is_a_line_with_an_estimate_of_what_is_left():
    now = [100.0]
    jobs = [job(k, "slow", sweep="s", shard=str(k)) for k in range(4)] + [job(9, "quick")]
    progress = Progress(jobs, cores=2, clock=lambda: now[0])
    assert not progress.filter(record("job_started", jobs=[0, 9]))
    now[0] = 101.0
    last = record("job_finished", job_id=9)
    assert progress.filter(last)
    # Nobody knows yet how long the four slow ones last.
    assert last.getMessage() == "[1/5] quick"
    now[0] = 140.0
    progress.filter(record("job_started", jobs=[1]))
    first = record("job_finished", job_id=0)
    progress.filter(first)
    # The slow ones last 40 s: three of them on two cores.
    assert first.getMessage() == "[2/5] slow s, shard 0; about 60 s left"
    for number in (1, 2, 3):
        progress.filter(record("job_started", jobs=[number]))
        end = record("job_finished", job_id=number)
        progress.filter(end)
    assert end.getMessage() == "[5/5] slow s, shard 3"
    assert (progress.done, progress.total) == (5, 5)


def test_other_words_of_snakemake_pass_and_its_own_progress_does_not():
    progress = Progress([job(0, "quick")], cores=1)
    assert progress.filter(record(None, "Nothing to be done"))
    assert progress.filter(record("job_error", job_id=0))
    assert not progress.filter(record("progress"))
    assert not progress.filter(record(None, "Select jobs to execute..."))


def test_seconds_are_those_of_jobs_that_went_well(tmp_path):
    logs = {
        "a": f"a warning\n{times.line('figure', 0.5)}\n",
        "b": times.line("figure", 1.25) + "\n",
        "c": times.line("simulate", 9.0) + "\nTraceback: it went on\n",
        "d": "disclosure aggregate: results/x.csv: is cut off after 3 s\n",
        "e": "",
    }
    for name, text in logs.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / name for name in (*logs, "missing")]
    assert times.stages(paths) == [("figure", 2, 1.75, 1.25)]
    assert times.lines(paths) == [
        "stage                  jobs   seconds   longest",
        "figure                    2       1.8       1.2",
    ]
    assert times.lines([tmp_path / "e"]) == []
