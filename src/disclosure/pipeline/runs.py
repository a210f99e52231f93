"""A run of the workflow in a folder: one at a time, with the package's command on its path, from a known commit."""

import os
import pathlib
import subprocess
import sys
import time

import yaml

from disclosure.pipeline import config as configuration
from disclosure.pipeline import times
from disclosure.pipeline.plan import Plan
from disclosure.pipeline.progress import Progress
from disclosure.pipeline.read_only import is_read_only, look_through
from disclosure.pipeline.run_lock import RunLock

__all__ = ["LOOKS", "Run", "commit", "located", "plan"]

# Options of Snakemake beside `report` with which it runs no job, by argparse's names.
LOOKS = {
    *(
        "archive",
        "cleanup_metadata",
        "cleanup_shadow",
        "conda_cleanup_envs",
        "conda_create_envs_only",
        "container_cleanup_images",
    ),
    *(
        "containerize",
        "d3dag",
        "dag",
        "delete_all_output",
        "delete_temp_output",
        "detailed_summary",
        "dryrun",
        "filegraph",
    ),
    *(
        "generate_unit_tests",
        "lint",
        "list_changes",
        "list_conda_envs",
        "list_input_changes",
        "list_params_changes",
        "list_rules",
    ),
    *("list_target_rules", "list_untracked", "print_compilation", "rulegraph", "summary", "touch", "unlock"),
}
_SILENT = "said nothing; the system may have ended it: no memory left, or no space on the disk"


class Run:
    """What a Snakefile does beside its rules. Snakemake reads a Snakefile to look as well, so making a run writes nothing.

    Parameters
    ----------
    workflow
        Snakemake's.
    parser : callable
        Makes the parser of Snakemake's command line; called where the folder cannot be written, or another run works in it.
    lock : path-like, optional
    """

    def __init__(self, workflow, parser, lock=".snakemake/disclosure.lock"):
        # A job's shell finds `disclosure` beside the running interpreter, whether or not its environment is active.
        os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)
        self._workflow = workflow
        self._started = time.time()
        self._read_only = is_read_only()
        if self._read_only:
            _refuse_output(_options(parser))
            look_through()
        self._lock = RunLock(lock)
        if workflow.is_main_process and self._lock.is_held() and not _looks(_options(parser)):
            # What there is to do shows when the other run has ended.
            self._lock.wait()

    def needs(self, files):
        """Input function of a rule: what its jobs need, each missing file asked for by name.

        Snakemake takes a result for up to date as long as it is there, even if a file that it was made from is missing, such as
        the shard of a job that failed. Asked for by name, the missing file is made again, and with it all that depends on it.

        Parameters
        ----------
        files : str, list of str, dict, or callable
            Names of files, with wildcards in a single one; or a function of the wildcards that returns names.

        Returns
        -------
        callable
            From wildcards to names; goes into ``unpack`` if these are a dict.
        """

        def found(wildcards):
            names = files(wildcards) if callable(files) else files
            names = names.format(**dict(wildcards.items())) if isinstance(names, str) else names
            if self._workflow.is_main_process:
                self._workflow.dag.forcefiles.update(name for name in _flat(names) if not os.path.exists(name))
            return names

        return found

    def logs(self):
        """Logs of all jobs behind what was asked for, of this run or an earlier one; a job yet to run may have none."""
        return sorted({str(log) for job in self._workflow.dag.jobs for log in job.log})

    def begin(self):
        """Before the first job: no other run works here from now on, and each job that ends is told of."""
        workflow = self._workflow
        if workflow.touch or not workflow.is_main_process:
            return
        if self._read_only:
            sys.exit("this folder cannot be written; name another one for the results: -d FOLDER")
        if self._lock.take():
            print("another run has ended meanwhile; what it made may be made again", file=sys.stderr, flush=True)
        if not {"ALL", "PROGRESS"} & {kind.name for kind in workflow.output_settings.quiet or ()}:
            cores = workflow.cores if workflow.local_exec else workflow.nodes
            progress = Progress(workflow.dag.needrun_jobs(), cores or 1)
            workflow.logger_manager.logger.addFilter(progress)

    def succeed(self):
        """After the last job: where the time of this run went."""
        logs = (log for job in self._jobs() if self._workflow.dag.finished(job) for log in job.log)
        print(*times.lines(logs), sep="\n", file=sys.stderr, flush=True)

    def fail(self):
        """After a run that failed: what its jobs said, and which files are still those of an earlier run."""
        unfinished = [job for job in self._jobs() if not self._workflow.dag.finished(job)]
        for job in sorted(unfinished, key=lambda job: list(job.log)):
            for log in map(pathlib.Path, job.log):
                if log.exists() and log.stat().st_mtime >= self._started and times.of_job(log) is None:
                    said = log.read_text(encoding="utf-8", errors="replace").strip()
                    print(f"{log}: {said or _SILENT}", file=sys.stderr, flush=True)
        stale = sorted(str(file) for job in unfinished for file in job.output if os.path.exists(file))
        if stale:
            print("not made again, and so of an earlier run:", *stale, sep="\n  ", file=sys.stderr, flush=True)

    def _jobs(self):
        """Jobs that this run has executed or was to execute."""
        return list(self._workflow.dag.needrun_jobs(exclude_finished=False))


def _options(parser):
    """Options of Snakemake's command line that are set, by argparse's names; none if it is not on the command line."""
    try:
        known, _ = parser().parse_known_args(sys.argv[1:])
    except SystemExit:
        return {}
    return {name: value for name, value in vars(known).items() if value}


def _looks(options):
    """Whether Snakemake was called only to look, or to tidy up, and for no job."""
    return not LOOKS.isdisjoint(options) or ("report" in options and "report_after_run" not in options)


def _refuse_output(options):
    """End the process if it is to write a file into the current folder, which cannot be written."""
    for name in ("report", "archive"):
        if name in options and not pathlib.Path(options[name]).is_absolute():
            sys.exit(
                f"--{name} {options[name]}: this folder cannot be written; name a file elsewhere, by its whole path"
            )


def _merged(under, over):
    """Settings of one configuration over those of another, level by level."""
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return {**under, **{name: _merged(under.get(name), value) for name, value in over.items()}}


def _flat(names):
    """All names of files in a name, a list, or a dict of them."""
    if isinstance(names, str):
        return [names]
    return [name for part in (names.values() if isinstance(names, dict) else names) for name in _flat(part)]


def located(path, home):
    """Where a table is: in the working folder, or else in the folder of the workflow."""
    path = pathlib.Path(path)
    return str(path if path.exists() else pathlib.Path(home) / path)


def plan(config, home):
    """The plan of a configuration; one that cannot be run ends the process with one line.

    Parameters
    ----------
    config : dict
        What it leaves out is as in the ``config.yaml`` of the workflow.
    home : path-like
        The folder of the workflow.
    """
    home = pathlib.Path(home)
    # A Snakefile that uses this one as a module may give a configuration of its own, in place of the one that is read here.
    published = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8"))
    try:
        return Plan(configuration.check(_merged(published, config), home / "workflow/schemas/config.schema.yaml"))
    except configuration.ConfigError as error:
        sys.exit(f"config: {error}")


def commit(folder):
    """The commit of the source in a folder, marked ``-dirty`` where files differ from it; without one, why it is not known."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except OSError:
        return "unknown: git is not installed"
    except subprocess.CalledProcessError as error:
        reason = "the checkout belongs to somebody else" if "dubious ownership" in error.stderr else "no git checkout"
        return f"unknown: {reason}"
