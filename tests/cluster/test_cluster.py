"""The same bytes on a cluster, and no lost work, over a real Slurm without accounting."""

import itertools
import os
import pathlib
import shlex
import signal
import time

from tests.cluster.study import EVERYTHING, documented

SUMMARY = "results/figure1/summary.csv"
ON_NODES = {"upper_limit", "simulate", "expect", "replicate"}
PATIENCE = 60


def test_slurm_gives_the_bytes_of_a_local_run(on_slurm, reference):
    on_slurm.run(*EVERYTHING)
    jobs = on_slurm.jobs()
    assert on_slurm.files() == reference
    assert {job.comment.removeprefix("rule_").partition("_wildcards")[0] for job in jobs} == ON_NODES
    assert len(jobs) <= 10
    assert {(job.state, job.memory) for job in jobs} == {("COMPLETED", "800M")}
    assert not on_slurm.temporary()


def test_a_job_that_dies_gets_more_memory_and_the_rest_goes_on(generic, reference):
    generic.place("hungry", 1)
    generic.place("broken", 2)
    run = generic.attempt(*EVERYTHING)
    assert run.returncode != 0
    assert "broken on purpose" in run.stderr

    attempts = outputs(generic)
    hungry, broken = (attempts.pop(f"simulate:results/figure1/simulate/{point}/0.csv") for point in ("001", "002"))
    assert [job.memory for job in hungry] == ["800M", "1600M"]
    assert hungry[0].state != "COMPLETED"
    assert hungry[1].state == "COMPLETED"
    assert [(job.state, job.memory) for job in broken] == [("FAILED", "800M"), ("FAILED", "1600M"), ("FAILED", "2400M")]
    assert [[job.state for job in jobs] for jobs in attempts.values()] == [["COMPLETED"]] * len(attempts)
    made = generic.files()
    assert {name for name in reference if name not in made} == {
        "results/figure1/simulate/002/0.csv",
        SUMMARY,
        *(f"figures/figure1.{kind}" for kind in ("pdf", "svg", "png")),
        *(f"results/published.{kind}" for kind in ("csv", "md")),
        "results/provenance.json",
    }

    generic.remove("broken")
    generic.run(*EVERYTHING)
    assert generic.files() == reference
    assert len(generic.jobs()) == sum(map(len, (hungry, broken, *attempts.values()))) + 1


def test_ctrl_c_cancels_the_jobs_and_the_next_run_finishes(generic, reference):
    generic.place("held", 0, 2)
    with generic.start(SUMMARY) as run:
        wait_until(lambda: waiting(generic, 2), run)
        between_looks(run.pid)
        os.killpg(run.pid, signal.SIGINT)
        assert run.wait(timeout=PATIENCE) != 0
    wait_until(lambda: not generic.alive())
    cancelled = [job for job in generic.jobs() if job.state == "CANCELLED"]
    assert {job.comment for job in cancelled} == {
        f"simulate:results/figure1/simulate/00{point}/0.csv" for point in (0, 2)
    }
    before = generic.state()

    generic.remove("held")
    generic.run(SUMMARY)
    assert_same(generic, reference)
    assert_kept(generic, before, 1)


def test_kill_and_the_documented_recovery(generic, reference):
    generic.place("held", 0, 2)
    with generic.start(SUMMARY) as run:
        wait_until(lambda: waiting(generic, 2), run)
        for line in documented("How to watch it"):
            seen = generic.shell(f"timeout 2 sh -c {shlex.quote(line)}")
            assert seen.returncode in (0, 124), line + seen.stderr
            assert seen.stdout.strip(), line
        os.kill(run.pid, signal.SIGKILL)
        run.wait(timeout=PATIENCE)
    orphans = {job.number for job in generic.alive()}
    assert len(orphans) == 2
    before = generic.state()

    refused = generic.attempt(SUMMARY)
    assert refused.returncode != 0
    assert "--unlock" in refused.stderr
    assert {job.number for job in generic.alive()} == orphans

    *recovery, again = documented("After a crash")
    said = generic.shell(typed(generic, ["set -e", *recovery]))
    assert said.returncode == 0, said.stdout + said.stderr
    assert not generic.alive()
    assert before.items() <= generic.state().items()
    generic.remove("held")
    said = generic.shell(typed(generic, [f"{again} {SUMMARY} {' '.join(generic.options)}"]))
    assert said.returncode == 0, said.stdout + said.stderr
    assert_same(generic, reference)
    assert_kept(generic, before, 1)
    assert not generic.temporary()


def typed(study, lines):
    """The lines for this profile, and with this environment in place of the folder's own, which the copy does not have."""
    text = "\n".join(lines).replace("profiles/slurm", f"profiles/{study.profile}")
    return text.replace(".venv/bin/", f"{pathlib.Path(study.python).parent}/")


def waiting(study, held):
    """All jobs but the held ones have ended, and the run has taken note of it."""
    return len(study.temporary()) == held and len(study.markers()) == held and len(study.alive()) == held


def outputs(study):
    """The jobs of each output, in the order of their starts; no two work on it at once."""
    attempts = {}
    for job in sorted(study.jobs(), key=lambda job: job.started):
        attempts.setdefault(job.comment, []).append(job)
    for jobs in attempts.values():
        assert all(earlier.ended <= later.started for earlier, later in itertools.pairwise(jobs)), jobs
        assert sum(job.state == "COMPLETED" for job in jobs) <= 1, jobs
    return attempts


def assert_same(study, reference):
    files = study.files()
    assert SUMMARY in files
    assert files == {name: content for name, content in reference.items() if name in files}


def assert_kept(study, before, point):
    """What had ended before was not run again."""
    after = study.state()
    kept = [name for name in before if name.endswith(".csv")]
    assert f"results/figure1/simulate/00{point}/0.csv" in kept
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert [len(jobs) for output, jobs in outputs(study).items() if output.partition(":")[2] in kept] == [1, 1, 1]


def between_looks(process):
    """Wait until the run has asked for the state of its jobs and sleeps: what it asks about just then, it does not cancel."""
    threads = pathlib.Path(f"/proc/{process}/task")

    def asks():
        return any((task / "children").read_text(encoding="utf-8") for task in threads.iterdir())

    wait_until(asks)
    wait_until(lambda: not any(asks() or time.sleep(0.1) for _ in range(4)))


def wait_until(condition, run=None):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        assert run is None or run.poll() is None, run.stderr.read()
        time.sleep(0.05)
