"""A run of the workflow in a folder: what the Snakefile does before, after and beside its rules."""

import argparse
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import yaml

from disclosure.workflow import config as configuration
from disclosure.workflow import looking, run_lock, times
from disclosure.workflow.digests import digest
from disclosure.workflow.kept import Kept
from disclosure.workflow.plan import Plan
from disclosure.workflow.progress import Progress
from disclosure.workflow.protocols import File, Job, Workflow

__all__ = ["Run", "commit", "plan"]

# Folder of the earlier files that are kept while new ones are made.
_KEPT = ".snakemake/disclosure/kept"
# What `git archive` writes into .git_archival.txt, as .gitattributes tells it.
_PACKED = re.compile(r"node: ([0-9a-f]{40,64})\n")
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
    known : callable
        From the name of a file to the object by which Snakemake knows it.
    lock : path-like, optional
        File of the lock.

    Attributes
    ----------
    targets : list of str
        What is asked for on the command line; empty in a job's own process.
    """

    def __init__(
        self,
        workflow: Workflow,
        parser: argparse.ArgumentParser,
        known: Callable[[str], File],
        lock: str | os.PathLike[str] = ".snakemake/disclosure.lock",
    ) -> None:
        # Jobs run the command `disclosure`. Their shell finds it next to this interpreter, also if the environment is not
        # active.
        os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)
        self._workflow = workflow
        self._known = known
        self._started = time.time()
        self.targets: list[str] = []
        self._read_only = workflow.is_main_process and looking.is_read_only()
        if not workflow.is_main_process:
            return
        options = looking.options(parser)
        self.targets = options.get("targets", [])
        if self._read_only:
            looking.look_through(options)
        elif not (workflow.output_settings.dryrun or looking.looks(options)):
            self._lock = run_lock.take(lock)

    def ask(self, files: Sequence[str], made: Iterable[str]) -> None:
        """Make Snakemake see what a job's input files are, beside their times.

        Snakemake counts a result as up to date as long as it is there, even if a file that it was made from is missing, such as
        the shard of a job that failed, or is another one with an older time, as in a folder that was copied. A missing file is
        asked for by name, which has it made again with all that depends on it; so is a result whose input has changed.

        Parameters
        ----------
        files, made : iterable of str
            Names of the files that the job needs, and of those that it makes.
        """
        if self._workflow.is_main_process:
            missing = {name for name in files if not os.path.exists(name)}
            digests = {name: f"sha256:{digest(name)}" for name in files if name not in missing}
            stale = {name for name in made if os.path.exists(name) and self._others_then(name, digests)}
            self._workflow.dag.forcefiles.update(missing | stale)

    def _others_then(self, made: str, digests: Mapping[str, str]) -> bool:
        """Whether Snakemake has noted other contents for one of the files from which a file was made."""
        record = self._workflow.persistence.metadata(self._known(made))
        then = (record and record.input_checksums) or {}
        return any(then.get(name, now) != now for name, now in digests.items())

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


def _refuse_dropped(config: dict[str, Any], targets: Iterable[str]) -> None:
    """End the process if a target is a file of a sweep or question that is dropped: Snakemake would only miss a rule for it."""
    groups = ((group, entries) for group, entries in config.items() if isinstance(entries, dict))
    dropped = {name: group for group, entries in groups for name, value in entries.items() if value is None}
    for target in targets:
        parts = pathlib.PurePath(target).parts
        name = parts[1].partition(".")[0] if len(parts) > 1 and parts[0] in ("figures", "results") else ""
        if name in dropped:
            sys.exit(
                f"{target}: {dropped[name]}.{name} is null, and so dropped; give it settings again, or take another target"
            )


def plan(config: dict[str, Any], home: str | os.PathLike[str], targets: Iterable[str] = (), **sources: Any) -> Plan:
    """The plan of a configuration. What cannot be run, or a repository that is no folder, ends the process with one line.

    Parameters
    ----------
    config : dict
        Settings; those that are left out are taken from the ``config.yaml`` in ``home``.
    home : path-like
        Folder of the repository.
    targets : iterable of str, optional
        Files that are asked for by name.
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
    merged = _merged(published, config)
    try:
        found = Plan(configuration.check(merged, folders=(os.curdir, home), **sources), home)
    except configuration.ConfigError as error:
        sys.exit(f"config: {error}")
    _refuse_dropped(merged, targets)
    return found


def commit(folder: str | os.PathLike[str]) -> str:
    """The commit of the source in a folder, ending in ``-dirty`` if files differ from it; ``unknown: REASON`` without one.

    Source that ``git archive`` has packed is no checkout; it has its commit in a file.
    """
    with contextlib.suppress(OSError):
        if packed := _PACKED.fullmatch((pathlib.Path(folder) / ".git_archival.txt").read_text(encoding="utf-8")):
            return packed[1]
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except OSError:
        return "unknown: git is not installed"
    except subprocess.CalledProcessError as error:
        reason = "the checkout belongs to somebody else" if "dubious ownership" in error.stderr else "no git checkout"
        return f"unknown: {reason}"
