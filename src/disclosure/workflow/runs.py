"""A run of the workflow in a folder: what the Snakefile does before, after and beside its rules."""

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

# Folder of the earlier files that are kept while new ones are made.
_KEPT = ".snakemake/disclosure/kept"
# What is printed for a failed job whose log is empty.
_SILENT = "said nothing; the system may have ended it: no memory left, or no space on the disk"


class Run:
    """What a Snakefile does beside its rules.

    A run locks its folder until the process ends; if another run has locked it, it waits. A call with which Snakemake only
    looks takes no lock and writes nothing. The Snakefile hands the methods to Snakemake: `begin` for before the first job,
    `succeed` and `fail` for after the last.

    Parameters
    ----------
    workflow : Workflow
        Snakemake's object of this name.
    parser : argparse.ArgumentParser
        The parser of Snakemake's command line.
    lock : path-like, optional
        File of the lock.
    """

    def __init__(
        self,
        workflow: Workflow,
        parser: argparse.ArgumentParser,
        lock: str | os.PathLike[str] = ".snakemake/disclosure.lock",
    ) -> None:
        # Jobs run the command `disclosure`. Their shell finds it next to this interpreter, also if the environment is not
        # active.
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
        """Make Snakemake make those of a job's input files that are missing.

        Snakemake counts a result as up to date as long as it is there, even if a file that it was made from is missing, such as
        the shard of a job that failed. A missing file that is asked for by name is made again, and all that depends on it.
        """
        if self._workflow.is_main_process:
            self._workflow.dag.forcefiles.update(name for name in files if not os.path.exists(name))

    def logs(self) -> list[str]:
        """Names of the logs of all jobs behind the targets of this run; one may be an earlier run's, or not be there yet."""
        return sorted({str(log) for job in self._workflow.dag.jobs for log in job.log})

    def begin(self) -> None:
        """Before the first job: keep the earlier files that jobs will replace, and print a line for each job that ends."""
        workflow = self._workflow
        if self._read_only:
            sys.exit("this folder cannot be written; name another one for the results: -d FOLDER")
        self._kept = Kept(_KEPT, (file for job in self._jobs() for file in job.output))
        if not {"ALL", "PROGRESS"} & {kind.name for kind in workflow.output_settings.quiet or ()}:
            cores = workflow.cores if workflow.local_exec else workflow.nodes
            workflow.logger_manager.logger.addFilter(Progress(workflow.dag.needrun_jobs(), cores or 1))

    def succeed(self) -> None:
        """After a run that went well: drop the kept files, and print how long the jobs of each stage took."""
        self._kept.forget()
        logs = (log for job in self._jobs() if self._workflow.dag.finished(job) for log in job.log)
        print(*times.lines(logs), sep="\n", file=sys.stderr, flush=True)

    def fail(self) -> None:
        """After a run that failed: print what failed jobs said, bring earlier files back, and name those not made again."""
        unfinished = [job for job in self._jobs() if not self._workflow.dag.finished(job)]
        for job in sorted(unfinished, key=lambda job: list(job.log)):
            for log in map(pathlib.Path, job.log):
                if log.exists() and log.stat().st_mtime >= self._started and times.of_job(log) is None:
                    said = log.read_text(encoding="utf-8", errors="replace").strip()
                    print(f"{log}: {said or _SILENT}", file=sys.stderr, flush=True)
            if lost := self._kept.lost(job.output):
                # The files that come back are out of date. Snakemake makes the outputs of a job again if the job has begun and
                # not ended, so that is noted.
                self._workflow.persistence.started(job)
                for file in lost:
                    self._kept.restore(file)
        self._kept.forget()
        stale = sorted(str(file) for job in unfinished for file in job.output if os.path.exists(file))
        if stale:
            print("not made again, and so of an earlier run:", *stale, sep="\n  ", file=sys.stderr, flush=True)

    def _jobs(self) -> list[Job]:
        """Jobs that this run executes, those included that have ended."""
        return list(self._workflow.dag.needrun_jobs(exclude_finished=False))


def _merged(under: Any, over: Any) -> Any:
    """The settings ``under``, replaced at every level by those that ``over`` names."""
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return {**under, **{name: _merged(under.get(name), value) for name, value in over.items()}}


def plan(config: dict[str, Any], home: str | os.PathLike[str], **sources: Any) -> Plan:
    """The plan of a configuration. What cannot be run, or a repository that is no folder, ends the process with one line.

    Parameters
    ----------
    config : dict
        Settings; those that are left out are taken from the ``config.yaml`` in ``home``.
    home : path-like
        Folder of the repository.
    **sources
        Further arguments of `disclosure.workflow.config.check`, which say where the configuration comes from.

    Returns
    -------
    Plan
    """
    if not os.path.isdir(home):
        sys.exit(
            f"workflow: {home} is no folder on this machine, and the rules read numbers and tables from theirs; as the "
            "snakefile of the module name workflow/Snakefile in a copy of the repository by its path"
        )
    home = pathlib.Path(home)
    # A Snakefile that uses this one as a module may give a configuration that does not contain config.yaml; so it is read here.
    published = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8"))
    try:
        return Plan(configuration.check(_merged(published, config), folders=(os.curdir, home), **sources), home)
    except configuration.ConfigError as error:
        sys.exit(f"config: {error}")


def commit(folder: str | os.PathLike[str]) -> str:
    """The commit of the source in a folder, ending in ``-dirty`` if files differ from it; ``unknown: REASON`` without one."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except OSError:
        return "unknown: git is not installed"
    except subprocess.CalledProcessError as error:
        reason = "the checkout belongs to somebody else" if "dubious ownership" in error.stderr else "no git checkout"
        return f"unknown: {reason}"
