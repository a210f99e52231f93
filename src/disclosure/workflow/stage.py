"""What a stage is: the files that its jobs make, the files that they need, and the command that they run.

The stages of this workflow are declared in `disclosure.workflow.stages`. A rule in ``workflow/rules`` reads its stage through
`Rule`. Names of files hold Snakemake's wildcards, such as ``{sweep}``; a job is a stage with a value for each wildcard. A sweep
whose work is large is divided into shards, one job each, which the wildcard ``{shard}`` numbers.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from disclosure.workflow import sweeps
from disclosure.workflow.kinds import Sweep
from disclosure.workflow.plan import Plan
from disclosure.workflow.protocols import Wildcards
from disclosure.workflow.sources import digest

__all__ = ["Files", "Rule", "Stage", "Work"]

_WILDCARD = re.compile(r"{(\w+)}")
# Wildcards whose values are names of sweeps, and those whose values are numbers.
_SWEEP = ("sweep", "shown")
_NUMBERS = ("point", "shard")


# Of one job: names of files; from the plan and the job's wildcards to the files that it reads; and to a value that it is told.
Files: TypeAlias = str | list[str]
Need: TypeAlias = Callable[[Plan, Wildcards], Files]
Param: TypeAlias = Callable[[Plan, Wildcards], Any]


class Work(NamedTuple):
    """How the work of a stage is divided into jobs: that of one sweep, or of one point if each point has its own jobs.

    Attributes
    ----------
    total : int
        Number of units of work: datasets, points, targets or replications.
    setting : tuple of str
        Keys, in the configuration, of the setting that limits the work of one job.
    value : int
        Value of this setting.
    size : int
        How much one unit counts towards the setting: for ``releases_per_job`` the releases of a dataset, otherwise 1.
    """

    total: int
    setting: tuple[str, ...]
    value: int
    size: int = 1

    @property
    def shards(self) -> int:
        """Number of jobs."""
        return sweeps.shards(self.total, self.value // self.size)

    def range(self, shard: int) -> tuple[int, int]:
        """First unit of the job with this number, and the one after its last."""
        return sweeps.shard_range(shard, self.total, self.value // self.size)


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """A stage of the workflow: jobs that run one command on different parts of the work.

    Attributes
    ----------
    name : str
        Name of the stage, of its rule, and of the rule's file.
    command : str, optional
        Module in `disclosure.workflow.jobs` that its jobs run; by default the one of the stage's name.
    output : str, tuple of str, or dict of str to str
        Names of the files that one job makes, with wildcards. The keys of a dict name the files in the rule.
    log : str, optional
        Name of the log of one job, with the wildcards of the output; ``results/logs/NAME.log`` by default.
    needs : dict of str to callable, optional
        Files that one job reads, by their names in the rule: functions of the plan and of the job's wildcards.
    params : dict of str to callable, optional
        Values that a job is told, by their names in the rule: functions of the same. A job runs again when one of them changes.
    kinds : tuple of type, optional
        Kinds of sweeps that have this stage; all by default.
    has : callable, optional
        Whether a sweep of these kinds has it; each does by default.
    work : callable, optional
        From the plan and a sweep to its `Work`. Only a stage with the wildcard ``shard`` has it.
    values : dict of str to tuple of str, optional
        Values of the wildcards other than ``point`` and ``shard``. Those of ``sweep`` and ``shown`` are the names of sweeps,
        and what stands here besides.
    """

    name: str
    command: str = ""
    output: str | tuple[str, ...] | dict[str, str]
    log: str = ""
    needs: Mapping[str, Need] = field(default_factory=dict)
    params: Mapping[str, Param] = field(default_factory=dict)
    kinds: tuple[type[Sweep], ...] = (Sweep,)
    has: Callable[[Sweep], bool] = lambda sweep: True
    work: Callable[[Plan, Sweep], Work] | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def log_pattern(self) -> str:
        """Name of the log of one job, with wildcards; without any if the stage has a single job."""
        return self.log or f"results/logs/{self.name}.log"

    @property
    def patterns(self) -> list[str]:
        """Names of the files of one job, with wildcards."""
        if isinstance(self.output, str):
            return [self.output]
        return list(self.output.values() if isinstance(self.output, dict) else self.output)

    def files(self, **wildcards: str) -> list[str]:
        """Names of the files of the job with these values of the wildcards."""
        return [pattern.format(**wildcards) for pattern in self.patterns]

    def file(self, **wildcards: str) -> str:
        """Name of the one file of that job, for a stage whose jobs make one file each."""
        (name,) = self.files(**wildcards)
        return name

    def made(self, job: Wildcards) -> list[str]:
        """Names of the files of a job."""
        named = {name for pattern in self.patterns for name in _WILDCARD.findall(pattern)}
        return self.files(**{name: getattr(job, name) for name in named})

    def of_sweep(self, plan: Plan, sweep: Sweep, **wildcards: str) -> list[str]:
        """Files of all jobs of a sweep, for each point and each shard; a stage not so divided has one of these."""
        points = range(self.points(sweep))
        shards = range(self.work(plan, sweep).shards if self.work else 1)
        named = {"sweep": sweep.name, **wildcards}
        return [
            name
            for point, shard in itertools.product(points, shards)
            for name in self.files(**named, point=f"{point:03d}", shard=str(shard))
        ]

    def jobs(self, plan: Plan, sweep: Sweep) -> int:
        """Number of jobs of a sweep. It is counted without making names, since a configuration may ask for too many."""
        return self.points(sweep) * (self.work(plan, sweep).shards if self.work else 1)

    def points(self, sweep: Sweep) -> int:
        """Number of points of a sweep if each has its own jobs; 1 if one job does all points."""
        return len(sweep.points) if any("{point}" in pattern for pattern in self.patterns) else 1

    def names(self, plan: Plan, wildcard: str) -> tuple[str, ...]:
        """Values of a wildcard other than ``point`` and ``shard``."""
        own = tuple(name for name in self.values.get(wildcard, ()) if not plan.dropped(name))
        if wildcard not in _SWEEP:
            return own
        having = (name for name, sweep in plan.sweeps.items() if isinstance(sweep, self.kinds) and self.has(sweep))
        return (*having, *own)

    def fixed(self) -> Iterator[str]:
        """Names that a run uses whatever its sweeps are called.

        They are those of outputs and logs without a sweep's name, and of the folders of outputs and logs with one.
        """
        for pattern in [*self.patterns, self.log_pattern]:
            wildcards = list(dict.fromkeys(_WILDCARD.findall(pattern)))
            if any(name in _SWEEP for name in wildcards):
                yield pattern[: pattern.index("{")].rpartition("/")[0]
            if all(name in self.values for name in wildcards):
                for values in itertools.product(*(self.values[name] for name in wildcards)):
                    yield pattern.format(**dict(zip(wildcards, values, strict=True)))

    def of_sweeps(self) -> Iterator[str]:
        """Names, with wildcards, of the outputs and logs that contain a sweep's name."""
        for pattern in [*self.patterns, self.log_pattern]:
            if any(name in _SWEEP for name in _WILDCARD.findall(pattern)):
                yield pattern


class Rule:
    """A stage as its rule in ``workflow/rules`` reads it.

    Parameters
    ----------
    stage : Stage
    plan : Plan
    ask : callable
        Called with the names of the files that a job needs and of those that it makes, each time that Snakemake evaluates an
        input; see `runs.Run.ask`.

    Attributes
    ----------
    name, log : str
    output : str, list of str, or dict of str to str
        Names with wildcards, each wildcard constrained to the values that it can have.
    input : dict of str to callable
        From the wildcards to the names of files.
    params : dict of str to callable or str
        The stage's own; ``code``, the digest of the command's code; and, if the jobs are shards, ``range``, the first unit of
        work and the one after the last.
    """

    def __init__(self, stage: Stage, plan: Plan, ask: Callable[[list[str], list[str]], None]) -> None:
        self._stage, self._plan, self._ask = stage, plan, ask
        self.name = stage.name
        self.log = stage.log_pattern

    @property
    def output(self) -> str | list[str] | dict[str, str]:
        output = self._stage.output
        if isinstance(output, dict):
            return {name: self._constrained(pattern) for name, pattern in output.items()}
        return (
            self._constrained(output) if isinstance(output, str) else [self._constrained(pattern) for pattern in output]
        )

    @property
    def input(self) -> dict[str, Callable[[Wildcards], Files]]:
        return {name: self._asking(need) for name, need in self._stage.needs.items()}

    @property
    def params(self) -> dict[str, Any]:
        own = {name: self._bound(param) for name, param in self._stage.params.items()}
        if self._stage.work:
            own["range"] = self._bound(self._range)
        return {"code": digest(f"workflow.jobs.{self._stage.command or self.name}"), **own}

    def _range(self, plan: Plan, wildcards: Wildcards) -> tuple[int, int]:
        assert self._stage.work
        return self._stage.work(plan, plan.sweeps[wildcards.sweep]).range(int(wildcards.shard))

    def _bound(self, function: Param) -> Callable[[Wildcards], Any]:
        # Snakemake decides by the names of a function's parameters what it passes; so `wildcards` is the only one.
        return lambda wildcards: function(self._plan, wildcards)

    def _asking(self, need: Need) -> Callable[[Wildcards], Files]:
        def names(wildcards: Wildcards) -> Files:
            found = need(self._plan, wildcards)
            self._ask([found] if isinstance(found, str) else found, self._stage.made(wildcards))
            return found

        return names

    def _constrained(self, pattern: str) -> str:
        """The pattern with a regular expression of its values added to each wildcard at its first place: ``{sweep,a|b}``."""
        for wildcard in dict.fromkeys(_WILDCARD.findall(pattern)):
            names = self._stage.names(self._plan, wildcard)
            # A wildcard without any value gets (?!), which matches nothing.
            values = r"\d+" if wildcard in _NUMBERS else "|".join(names) or "(?!)"
            pattern = pattern.replace(f"{{{wildcard}}}", f"{{{wildcard},{values}}}", 1)
        return pattern
