"""Options with which Snakemake only looks: they change no file of the study, answer at once, and end in no stack."""

import os
import shutil
import signal
import time

import pytest
from snakemake.cli import get_argument_parser

from disclosure.workflow import looking, run_lock
from tests.workflow import forks
from tests.workflow.study import copied

LOOKS = [
    ["--dry-run"],
    ["--summary"],
    ["--detailed-summary"],
    ["--list-rules"],
    ["--list-target-rules"],
    ["--list-input-changes"],
    ["--list-params-changes"],
    ["--list-untracked"],
    ["--dag"],
    ["--rulegraph"],
    ["--filegraph"],
    ["--d3dag"],
    ["--lint"],
    ["--report", "{elsewhere}/report.html"],
    ["--archive", "{elsewhere}/archive.tar.gz"],
    ["--unlock"],
    ["--cleanup-metadata", "results/case_control.csv"],
    ["--containerize"],
]
# A study is looked at under another configuration, or with files that are missing.
CHANGED = {"datasets_per_job": 2, "releases": 2000, "replications": 5}
SECONDS = 60  # an answer is at once; the machine may be busy
WAITING = "another run works in this folder; waiting"


def names(looks):
    return [words[0].lstrip("-") for words in looks]


def look(study, tmp_path, words, **options):
    """Call Snakemake to look; it must answer in time and without a stack."""
    run = study.attempt(*(word.format(elsewhere=tmp_path) for word in words), timeout=SECONDS, **options)
    assert "Traceback" not in run.stdout + run.stderr, (words, run.stdout + run.stderr)
    assert WAITING not in run.stderr
    return run


def contents(study):
    """Bytes and time of every file of the study."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in study.paths()}


@pytest.fixture(scope="module")
def looked_at(reference, tmp_path_factory):
    """A finished study to look at, of which some shards are missing, under a configuration that it was not made with."""
    return clipped(reference, tmp_path_factory.mktemp("looked_at")).configure(**CHANGED)


def clipped(reference, folder):
    """A copy of a finished study without some of its shards, as somebody leaves it who wants room on a disk."""
    study = copied(reference, folder)
    for shard in ("figure1/simulate/001/0.csv", "figure3/upper_limit/0.csv", "figure3/replicate/0.csv"):
        (study.folder / "results" / shard).unlink()
    (study.folder / "results/case_control.csv").unlink()
    return study


@pytest.mark.parametrize("words", LOOKS, ids=names(LOOKS))
def test_looking_changes_nothing_and_waits_for_no_run(looked_at, tmp_path, words):
    before = contents(looked_at)
    with run_lock.take(looked_at.folder / ".snakemake/disclosure.lock"):
        look(looked_at, tmp_path, words)
    assert contents(looked_at) == before


def test_touching_sets_times_and_changes_no_byte_of_a_result(reference, tmp_path):
    study = clipped(reference, tmp_path).configure(**CHANGED)
    before = study.files()
    look(study, tmp_path, ["--touch"])
    assert study.files() == before


def test_a_dry_run_with_missing_shards_says_what_the_run_will_do(reference, tmp_path):
    study = clipped(reference, tmp_path)
    planned = study.planned()
    assert planned == {
        "simulate": 1,
        "upper_limit": 1,
        "replicate": 1,
        "adversaries": 1,
        "aggregate": 2,
        "figure": 2,
        "compare_published": 1,
        "article": 1,
        "record_provenance": 1,
    }
    before = study.state()
    study.run()
    after = study.state()
    logs = [name for name in after if name.startswith("results/logs/") and after[name] != before.get(name)]
    assert len(logs) == sum(planned.values()), logs
    assert study.files() == reference.files()
    assert study.planned() == {}


def test_a_figure_asked_for_by_name_asks_for_its_missing_shards_and_for_no_others(reference, tmp_path):
    study = clipped(reference, tmp_path)
    assert study.planned("figures/figure1.pdf") == {"simulate": 1, "aggregate": 1, "figure": 1}
    study.run("figures/figure1.pdf")
    assert not (study.folder / "results/figure3/upper_limit/0.csv").exists()
    assert study.planned("figures/figure1.pdf") == {}


def test_another_target_leaves_files_of_other_settings_alone(finished):
    before = contents(finished)
    finished.configure(datasets_per_job=2, releases_per_job=2000)
    finished.run("case_control", cores=1)
    assert contents(finished) == before


def test_looking_does_not_wait_for_a_run_and_one_figure_alone_is_the_same(study, reference, tmp_path):
    with study.start("figures/figure1.pdf", cores=1) as run:
        wait_for(study.folder / ".snakemake/disclosure.lock", run)
        look(study, tmp_path, ["--dry-run"])
        look(study, tmp_path, ["--list-rules"])
        assert run.poll() is None, "the run ended before it was looked at"
        run.communicate(timeout=400)
    assert run.returncode == 0
    files, expected = study.files(), reference.files()
    assert set(files) == {name for name in expected if "figure1" in name and "replicate" not in name}
    assert all(content == expected[name] for name, content in files.items())


def test_ctrl_c_while_waiting_ends_with_a_line(study):
    with study.start(cores=1) as first:
        wait_for(study.folder / ".snakemake/disclosure.lock", first)
        with study.start(cores=1) as second:
            said = second.stderr.readline()
            while WAITING not in said:
                assert said, "the second run did not wait"
                said = second.stderr.readline()
            os.killpg(second.pid, signal.SIGINT)
            rest = second.communicate(timeout=SECONDS)[1]
        assert second.returncode != 0
        assert "Traceback" not in rest, rest
        assert "stopped while waiting; nothing was changed" in rest
        assert first.poll() is None, "the first run was disturbed"


@pytest.mark.skipif(os.geteuid() != 0, reason="a folder is mounted read-only by root alone")
@pytest.mark.parametrize("state", ["finished", "fresh"])
def test_a_read_only_checkout_is_looked_at(reference, tmp_path, state):
    study = clipped(reference, tmp_path)
    if state == "fresh":
        shutil.rmtree(study.folder)
        study.folder.mkdir()
    before = contents(study)
    looks = LOOKS if state == "finished" else [["--dry-run"], ["--summary"]]
    mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    calls = forks.Forks(["unshare", "--mount", "sh", "-c", mount, str(study.folder)], source=study.source)
    try:
        for words in [
            *looks,
            ["--touch"],
            ["--report", "report.html"],
            ["--archive", "archive.tar.gz"],
            ["--cores", "1"],
        ]:
            run = look(study, tmp_path, words, calls=calls)
            if words == ["--dry-run"]:
                assert run.returncode == 0, run.stderr
                assert "simulate" in run.stdout + run.stderr
            if words == ["--cores", "1"]:
                assert run.returncode != 0
                assert "this folder cannot be written" in run.stderr
    finally:
        calls.close()
    assert contents(study) == before


def wait_for(path, run):
    """Wait until a run has taken the lock of its folder."""
    deadline = time.monotonic() + 400
    while not path.exists():
        assert run.poll() is None, "the run ended before it was looked at"
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_every_option_that_the_run_knows_of_is_one_of_snakemakes():
    known = {action.dest for action in get_argument_parser()._actions}
    assert known >= looking.LOOKS
