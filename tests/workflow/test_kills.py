"""Runs that are killed, and runs that meet."""

import contextlib
import os
import signal
import subprocess
import time

import pytest

from tests.workflow.study import ONE_OF_EACH, of_each

ENDINGS = {
    "Ctrl-C": (os.killpg, signal.SIGINT),
    "TERM to the main process": (os.kill, signal.SIGTERM),
    "TERM to the group": (os.killpg, signal.SIGTERM),
    "KILL of the main process": (os.kill, signal.SIGKILL),
    "KILL of the group": (os.killpg, signal.SIGKILL),
}
PATIENCE = 400


def started(study):
    """The run has begun, and holds the folder."""
    log = study.folder / ".snakemake/log"
    before = set(log.glob("*"))
    return lambda: set(log.glob("*")) > before


def amid_a_job(study):
    """At least two jobs more have ended, and one works on its output."""
    before = len(study.results())
    return lambda: len(study.results()) >= before + 2 and study.temporary()


def after_a_job(study):
    """An output has just got its name."""
    before = len(study.results())
    return lambda: len(study.results()) > before


SEQUENCES = [
    [
        ("KILL of the group", started),
        ("Ctrl-C", amid_a_job),
        ("KILL of the main process", amid_a_job),
        ("TERM to the main process", after_a_job),
        ("KILL of the group", amid_a_job),
    ],
    [
        ("KILL of the main process", after_a_job),
        ("TERM to the group", amid_a_job),
        ("KILL of the main process", amid_a_job),
        ("KILL of the group", after_a_job),
        ("Ctrl-C", after_a_job),
    ],
]


@pytest.mark.parametrize(
    "sequence", [SEQUENCES[0], pytest.param(SEQUENCES[1], marks=pytest.mark.long)], ids=["first", "second"]
)
def test_the_same_command_finishes_after_kills(study, reference, sequence):
    expected = reference.files()
    groups = []
    for ending, moment in sequence:
        groups.append(killed(study, ending, moment))
        # A file that has its name is whole, from the moment of the kill on.
        assert [name for name, content in study.files().items() if content != expected[name]] == []
    run = study.run_alone(*ONE_OF_EACH)
    wait_until(lambda: not any(map(alive, groups)))
    assert study.files() == of_each(expected)
    assert not study.temporary()
    assert "unlock" not in run.stdout + run.stderr
    assert study.planned(*ONE_OF_EACH) == {}


def test_two_runs_at_once_do_not_harm_each_other(study, reference):
    figure = "figures/figure1.pdf"
    with study.start(figure, cores=1) as first, study.start(figure, cores=4) as second:
        said = [run.communicate(timeout=PATIENCE)[1] for run in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0), said
    assert sum("another run works in this folder; waiting" in text for text in said) == 1
    assert sum("Nothing to be done" in text for text in said) == 1
    files, expected = study.files(), reference.files()
    assert figure in files
    assert files == {name: expected[name] for name in files}
    assert not study.temporary()


def killed(study, ending, moment):
    """Start a run and end it; return its process group, in which jobs may work on."""
    send, number = ENDINGS[ending]
    reached = moment(study)
    with study.start(*ONE_OF_EACH) as run:
        wait_until(lambda: reached() or run.poll() is not None)
        assert run.poll() is None, "the run ended before its kill"
        send(run.pid, number)
        # Jobs that live on hold the pipe open: wait for the process, not for the pipe's end.
        returncode = run.wait(timeout=PATIENCE)
    assert returncode != 0
    return run.pid


def alive(group):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, 0)
        return True
    return False


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise subprocess.TimeoutExpired("a condition", PATIENCE)
        time.sleep(0.005)
