"""What a stage is: the files that its jobs make, the files that they need, and the command that they run.

The stages of this workflow are declared in `disclosure.workflow.stages`. A rule in ``workflow/rules`` reads its stage through
`Rule`, and so do the named targets and the search for names that collide.
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
# Wildcards that stand for the name of a sweep, and those that are numbers.
_SWEEP = ("sweep", "shown")
_NUMBERS = ("point", "shard")


Files: TypeAlias = str | list[str]
Need: TypeAlias = Callable[[Plan, Wildcards], Files]
Param: TypeAlias = Callable[[Plan, Wildcards], Any]


class Work(NamedTuple):
    """How the work of a stage is divided into jobs, for one sweep, or for one point of it if each point has its own jobs.

    Attributes
    ----------
    total : int
        Units of work: datasets, points, targets or replications.
    setting : tuple of str
        Keys on the way to the setting that says how much one job does.
    value : int
        Of this setting.
    size : int
        1, or how much of what the setting counts one unit takes: the releases of a dataset.
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
        """First unit of a job, and the one after its last."""
        return sweeps.shard_range(shard, self.total, self.value // self.size)


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """A stage of the workflow: jobs that run one command on different parts of the work.

    Attributes
    ----------
    name : str
        Of the stage, of its rule, and of the file of the rule.
    command : str, optional
        The module in `disclosure.workflow.jobs` that its jobs run, if it has another name than the stage.
    output : str, tuple of str, or dict of str to str
        Names of the files that one job makes, with wildcards; a dict gives each a name of its own in the rule.
    log : str, optional
        Name of the log of one job, with the wildcards of the output.
    needs : dict of str to callable, optional
        Files that one job reads, by their names in the rule: functions of the plan and of the wildcards.
    params : dict of str to callable, optional
        What else a job is told, by its name in the rule. A job runs again when one of these values changes.
    kinds : tuple of type, optional
        The kinds of sweeps that have this stage.
    work : callable, optional
        Of a stage whose jobs are numbered by the wildcard ``shard``: from the plan and a sweep to its `Work`.
    values : dict of str to tuple of str, optional
        Values of the other wildcards. Those of ``sweep`` and of ``shown`` are the sweeps, and what stands here.
    """

    name: str
    command: str = ""
    output: str | tuple[str, ...] | dict[str, str]
    log: str = ""
    needs: Mapping[str, Need] = field(default_factory=dict)
    params: Mapping[str, Param] = field(default_factory=dict)
    kinds: tuple[type[Sweep], ...] = (Sweep,)
    work: Callable[[Plan, Sweep], Work] | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def log_pattern(self) -> str:
        """The log's name with wildcards; a stage of a single job has one without."""
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
        """The same for a stage whose jobs make one file each."""
        (name,) = self.files(**wildcards)
        return name

    def of_sweep(self, plan: Plan, sweep: Sweep, **wildcards: str) -> list[str]:
        """Files of all jobs of a sweep: of each of its points, and of each shard of these, where the jobs are so divided."""
        points = range(self.points(sweep))
        shards = range(self.work(plan, sweep).shards if self.work else 1)
        named = {"sweep": sweep.name, **wildcards}
        return [
            name
            for point, shard in itertools.product(points, shards)
            for name in self.files(**named, point=f"{point:03d}", shard=str(shard))
        ]

    def jobs(self, plan: Plan, sweep: Sweep) -> int:
        """Number of jobs of a sweep, by arithmetic: no name is made."""
        return self.points(sweep) * (self.work(plan, sweep).shards if self.work else 1)

    def points(self, sweep: Sweep) -> int:
        """Number of points of a sweep that have their own jobs; 1 if a job does all points."""
        return len(sweep.points) if any("{point}" in pattern for pattern in self.patterns) else 1

    def names(self, plan: Plan, wildcard: str) -> tuple[str, ...]:
        """Values of a wildcard that is neither a point nor a shard."""
        own = self.values.get(wildcard, ())
        if wildcard not in _SWEEP:
            return own
        return (*(name for name, sweep in plan.sweeps.items() if isinstance(sweep, self.kinds)), *own)

    def fixed(self) -> Iterator[str]:
        """Names of files, outputs and logs, that a run has whatever its sweeps are called; folders of the others."""
        for pattern in [*self.patterns, self.log_pattern]:
            wildcards = list(dict.fromkeys(_WILDCARD.findall(pattern)))
            if any(name in _SWEEP for name in wildcards):
                yield pattern[: pattern.index("{")].rpartition("/")[0]
            if all(name in self.values for name in wildcards):
                for values in itertools.product(*(self.values[name] for name in wildcards)):
                    yield pattern.format(**dict(zip(wildcards, values, strict=True)))

    def of_sweeps(self) -> Iterator[str]:
        """Patterns of files and logs of which a sweep's name is a part."""
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
        Called with the names of files that a job needs, whenever Snakemake asks for them.

    Attributes
    ----------
    name, log : str
    output : str, list of str, or dict of str to str
        Names with wildcards, each wildcard with the values that it can have.
    input : dict of str to callable
        Functions of the wildcards.
    params : dict of str to callable or str
        Those of the stage; ``code``, the digest of the command's code; and ``range``, the first unit of work and the one after
        the last, if the jobs of the stage are shards.
    """

    def __init__(self, stage: Stage, plan: Plan, ask: Callable[[list[str]], None]) -> None:
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
        # Snakemake looks at the names of the parameters.
        return lambda wildcards: function(self._plan, wildcards)

    def _asking(self, need: Need) -> Callable[[Wildcards], Files]:
        def names(wildcards: Wildcards) -> Files:
            found = need(self._plan, wildcards)
            self._ask([found] if isinstance(found, str) else found)
            return found

        return names

    def _constrained(self, pattern: str) -> str:
        """The pattern with the values of each wildcard, as a regular expression, at its first place."""
        for wildcard in dict.fromkeys(_WILDCARD.findall(pattern)):
            names = self._stage.names(self._plan, wildcard)
            # No name at all matches (?!).
            values = r"\d+" if wildcard in _NUMBERS else "|".join(names) or "(?!)"
            pattern = pattern.replace(f"{{{wildcard}}}", f"{{{wildcard},{values}}}", 1)
        return pattern
