"""A run of the workflow in a folder: one at a time, with the package's command on its path, from a known commit."""

import argparse
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

import yaml

from disclosure.workflow import config as configuration
from disclosure.workflow import looking, run_lock, times
from disclosure.workflow.kept import Kept
from disclosure.workflow.plan import Plan
from disclosure.workflow.progress import Progress
from disclosure.workflow.protocols import Job, Workflow

__all__ = ["Run", "commit", "plan"]

_KEPT = ".snakemake/disclosure/kept"
_SILENT = "said nothing; the system may have ended it: no memory left, or no space on the disk"


class Run:
    """What a Snakefile does beside its rules.

    A run takes the lock of its folder, where it waits for another one to end, and keeps it as long as the process lives. A call
    that only looks writes nothing.

    Parameters
    ----------
    workflow
        Snakemake's.
    parser : argparse.ArgumentParser
        Of Snakemake's command line.
    lock : path-like, optional
    """

    def __init__(
        self,
        workflow: Workflow,
        parser: argparse.ArgumentParser,
        lock: str | os.PathLike[str] = ".snakemake/disclosure.lock",
    ) -> None:
        # A job's shell finds `disclosure` beside the running interpreter, whether or not its environment is active.
        os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)
        self._workflow = workflow
        self._started = time.time()
        self._read_only = workflow.is_main_process and looking.is_read_only()
        if not workflow.is_main_process:
            return
        options = looking.options(parser)
        if self._read_only:
            looking.look_through(options)
        elif not (workflow.output_settings.dryrun or looking.looks(options)):
            self._lock = run_lock.take(lock)

    def ask(self, files: Iterable[str]) -> None:
        """Ask by name for those of the files, which a job needs, that are missing.

        Snakemake takes a result for up to date as long as it is there, even if a file that it was made from is missing, such as
        the shard of a job that failed. Asked for by name, the missing file is made again, and with it all that depends on it.
        """
        if self._workflow.is_main_process:
            self._workflow.dag.forcefiles.update(name for name in files if not os.path.exists(name))

    def logs(self) -> list[str]:
        """Logs of all jobs behind what was asked for, of this run or an earlier one; a job yet to run may have none."""
        return sorted({str(log) for job in self._workflow.dag.jobs for log in job.log})

    def begin(self) -> None:
        """Before the first job: earlier files are kept until their successors are there, and each job that ends is told of."""
        workflow = self._workflow
        if self._read_only:
            sys.exit("this folder cannot be written; name another one for the results: -d FOLDER")
        self._kept = Kept(_KEPT, (file for job in self._jobs() for file in job.output))
        if not {"ALL", "PROGRESS"} & {kind.name for kind in workflow.output_settings.quiet or ()}:
            cores = workflow.cores if workflow.local_exec else workflow.nodes
            workflow.logger_manager.logger.addFilter(Progress(workflow.dag.needrun_jobs(), cores or 1))

    def succeed(self) -> None:
        """After the last job: where the time of this run went."""
        self._kept.forget()
        logs = (log for job in self._jobs() if self._workflow.dag.finished(job) for log in job.log)
        print(*times.lines(logs), sep="\n", file=sys.stderr, flush=True)

    def fail(self) -> None:
        """After a run that failed: what its jobs said, and which files are still those of an earlier run."""
        unfinished = [job for job in self._jobs() if not self._workflow.dag.finished(job)]
        for job in sorted(unfinished, key=lambda job: list(job.log)):
            for log in map(pathlib.Path, job.log):
                if log.exists() and log.stat().st_mtime >= self._started and times.of_job(log) is None:
                    said = log.read_text(encoding="utf-8", errors="replace").strip()
                    print(f"{log}: {said or _SILENT}", file=sys.stderr, flush=True)
            if lost := self._kept.lost(job.output):
                # Snakemake makes again what belongs to a job that has begun and not ended.
                self._workflow.persistence.started(job)
                for file in lost:
                    self._kept.restore(file)
        self._kept.forget()
        stale = sorted(str(file) for job in unfinished for file in job.output if os.path.exists(file))
        if stale:
            print("not made again, and so of an earlier run:", *stale, sep="\n  ", file=sys.stderr, flush=True)

    def _jobs(self) -> list[Job]:
        """Jobs that this run has executed or was to execute."""
        return list(self._workflow.dag.needrun_jobs(exclude_finished=False))


def _merged(under: Any, over: Any) -> Any:
    """Settings of one configuration over those of another, level by level."""
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return {**under, **{name: _merged(under.get(name), value) for name, value in over.items()}}


def plan(config: dict[str, Any], home: str | os.PathLike[str], **sources: Any) -> Plan:
    """The plan of a configuration; one that cannot be run ends the process with one line.

    Parameters
    ----------
    config : dict
        What it leaves out is as in the ``config.yaml`` of the workflow.
    home : path-like
        The folder of the workflow.
    **sources
        Further arguments of `disclosure.workflow.config.check`: where the configuration comes from.
    """
    home = pathlib.Path(home)
    # A Snakefile that uses this one as a module may give a configuration of its own, in place of the one that is read here.
    published = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8"))
    try:
        return Plan(configuration.check(_merged(published, config), folders=(os.curdir, home), **sources), home)
    except configuration.ConfigError as error:
        sys.exit(f"config: {error}")


def commit(folder: str | os.PathLike[str]) -> str:
    """The commit of the source in a folder, marked ``-dirty`` where files differ from it; without one, why it is not known."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except OSError:
        return "unknown: git is not installed"
    except subprocess.CalledProcessError as error:
        reason = "the checkout belongs to somebody else" if "dubious ownership" in error.stderr else "no git checkout"
        return f"unknown: {reason}"
