"""What is used of Snakemake's objects. The package never imports Snakemake: a Snakefile hands these over."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Dag", "File", "Job", "Rule", "Wildcards", "Workflow"]


class Wildcards(Protocol):
    """Values of the wildcards of a job, each an attribute."""

    def __getattr__(self, name: str, /) -> str: ...


class Rule(Protocol):
    """A rule of a Snakefile."""

    name: str


class Job(Protocol):
    """A job: a rule with values of its wildcards. Files are texts with more to them."""

    jobid: int
    rule: Rule
    wildcards_dict: Mapping[str, str]
    output: Sequence[str]
    log: Sequence[str]


class Dag(Protocol):
    """The jobs of a run and what they need of each other."""

    forcefiles: set[str]
    """Files that are made again, or at all, whether or not something asks for them."""
    jobs: Iterable[Job]

    def needrun_jobs(self, exclude_finished: bool = True) -> Iterable[Job]:
        """Jobs that the run executes."""

    def finished(self, job: Job) -> bool:
        """Whether a job has ended well."""


class _Named(Protocol):
    name: str


class _OutputSettings(Protocol):
    dryrun: bool
    quiet: Iterable[_Named] | None


class _LoggerManager(Protocol):
    logger: logging.Logger


class File(Protocol):
    """A file as Snakemake knows it."""


class _Record(Protocol):
    """What is noted about a file that a job has made."""

    input_checksums: Mapping[str, str] | None


class _Persistence(Protocol):
    def started(self, job: Job) -> Any:
        """Note that a job has begun, and so that its outputs are not whole."""

    def metadata(self, target: File) -> _Record | None:
        """What is noted about a file."""


class Workflow(Protocol):
    """What a Snakefile has under the name ``workflow``."""

    is_main_process: bool
    local_exec: bool
    cores: int | None
    nodes: int | None
    dag: Dag
    output_settings: _OutputSettings
    logger_manager: _LoggerManager
    persistence: _Persistence
