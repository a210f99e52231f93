"""A run of the workflow in a folder: one at a time, with the package's command on its path, from a known commit."""

import fcntl
import os
import pathlib
import subprocess
import sys
import time
from typing import NamedTuple

from disclosure.pipeline import config as configuration
from disclosure.pipeline.plan import Plan

__all__ = ["Run", "commit", "located", "plan", "remove_orphans", "report_failures", "start"]


class Run(NamedTuple):
    """A run: when it started, and the lock that it holds until its process ends."""

    started: float
    lock: object


def start(alone=True, lock=".snakemake/disclosure.lock"):
    """Start a run in the current folder.

    The shell finds `disclosure` beside the running interpreter, whether or not its environment is active.

    Parameters
    ----------
    alone : bool, optional
        Whether to wait until no other run works in the folder, and to keep others out: two at once would write each other's
        files. The system releases the lock however the run ends, and jobs that outlive a killed run do not hold it.
    lock : path-like, optional

    Returns
    -------
    Run
    """
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)
    return Run(time.time(), _locked(pathlib.Path(lock)) if alone else None)


def _locked(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another run works in this folder; waiting for it to end", file=sys.stderr, flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as error:
        # A cluster's file system may have no locks; Snakemake's own, a file, is kept there.
        print(f"{path}: {error.strerror}; start one run at a time here", file=sys.stderr, flush=True)
        file.close()
        return None
    return file


def located(path, home):
    """Where a table is: in the working folder, or else in the folder of the workflow."""
    path = pathlib.Path(path)
    return str(path if path.exists() else pathlib.Path(home) / path)


def plan(config, schema):
    """The plan of a configuration; one that cannot be run ends the process with one line."""
    try:
        return Plan(configuration.check(config, schema))
    except configuration.ConfigError as error:
        sys.exit(f"config: {error}")


def remove_orphans(dependencies):
    """Remove files that were made from a file which is missing, so that both are made again.

    Snakemake removes the output of a job that failed, and takes what an earlier run had made from it for up to date as long
    as nobody asks for the missing file by name.

    Parameters
    ----------
    dependencies : iterable of (str, list of str)
        A file and what it is made from, which comes first.
    """
    missing = set()
    for output, inputs in dependencies:
        file = pathlib.Path(output)
        if not missing.isdisjoint(inputs):
            file.unlink(missing_ok=True)
        if not file.exists():
            missing.add(output)


def report_failures(logs, run):
    """Print what the failed jobs of a run have said; the log of a job that went well ends with its seconds.

    Snakemake's own show-failed-logs shows nothing beside `quiet: rules`.
    """
    for path in sorted(pathlib.Path(logs).rglob("*.log")):
        said = path.read_text(encoding="utf-8", errors="replace").strip()
        if path.stat().st_mtime >= run.started and said and not said.endswith(" s"):
            print(f"{path}: {said}", file=sys.stderr, flush=True)


def commit(folder):
    """The commit of the source in a folder, marked ``-dirty`` where files differ from it; ``unknown`` without git."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
