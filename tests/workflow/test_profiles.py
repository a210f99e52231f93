"""What the profiles say, without a cluster."""

import errno
import fcntl
import os
import subprocess

import pytest
import yaml

from disclosure.workflow import run_lock
from tests.workflow.study import ROOT

CLUSTERS = ("slurm", "cluster-generic")
# What squeue prints, and the exit code; what Snakemake must be told.
STATES = [
    ("COMPLETED", 0, "success"),
    ("PENDING", 0, "running"),
    ("RUNNING", 0, "running"),
    ("COMPLETING", 0, "running"),
    ("FAILED", 0, "failed"),
    ("OUT_OF_MEMORY", 0, "failed"),
    ("TIMEOUT", 0, "failed"),
    ("CANCELLED", 0, "failed"),
    ("slurm_load_jobs error: Invalid job id specified", 1, "failed"),
    ("slurm_load_jobs error: Unable to contact slurm controller (connect failure)", 1, "running"),
    ("", 0, "running"),
]


def profile(name):
    return yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_cluster_profile_repeats_the_default_one_but_keeps_the_lock(name):
    default = profile("default")
    assert default.pop("nolock")
    assert default.items() <= profile(name).items()
    assert "nolock" not in profile(name)


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_retry_asks_for_more_and_no_site_is_named(name):
    settings = profile(name)
    assert settings["retries"] >= 1
    assert set(settings["default-resources"]) == {"mem_mb", "runtime"}
    for value in settings["default-resources"].values():
        assert eval(value, {"attempt": 2}) > eval(value, {"attempt": 1}) > 0


def test_both_clusters_are_asked_for_the_same():
    slurm, generic = map(profile, CLUSTERS)
    for key in ("default-resources", "retries", "local-cores", "jobs", "latency-wait"):
        assert slurm[key] == generic[key]


@pytest.mark.parametrize(("said", "code", "verdict"), STATES)
def test_the_status_command_tells_a_failure_from_silence(tmp_path, said, code, verdict):
    squeue = tmp_path / "squeue"  # what goes well it says on standard output, the rest on standard error
    squeue.write_text(
        f"#!/bin/sh\n[ $# = 7 ] && [ $7 = 17 ] && echo '{said}' >&{code + 1} && exit {code}\n", encoding="utf-8"
    )
    squeue.chmod(0o755)
    command = profile("cluster-generic")["cluster-generic-status-cmd"]
    assert max(map(len, command.split("/"))) <= 255
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    told = subprocess.run(
        ["sh", "-c", f"{command} '17'"], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert told.stdout == f"{verdict}\n"


def test_a_file_system_without_locks_does_not_stop_a_run(tmp_path, monkeypatch, capsys):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert run_lock.take(tmp_path / "folder" / "lock") is None
    assert "No locks available; start one run at a time here" in capsys.readouterr().err
