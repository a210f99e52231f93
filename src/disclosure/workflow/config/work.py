"""How many jobs and rows a configuration comes to, by arithmetic alone: before any list of files is made."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from disclosure.workflow.config.values import LARGEST, refused, said
from disclosure.workflow.plan import PRINTED_SWEEPS
from disclosure.workflow.sweeps import shards

if TYPE_CHECKING:
    from disclosure.workflow.config.models import Settings

__all__ = ["MOST_FILES", "MOST_JOBS", "MOST_NEIGHBOURS", "MOST_ROWS", "check"]

# A command's files are its arguments: 2 MB on Linux, at most 100 bytes each.
MOST_FILES = 20_000
# Snakemake plans a thousand jobs a second or less before it starts the first.
MOST_JOBS = 100_000
# Datasets of all points of a sweep, 120 bytes each in the command that makes its summary: 120 GB.
MOST_ROWS = 10**9
# Neighbours in a dataset, 140 bytes each in the job that draws it: 1.4 GB.
MOST_NEIGHBOURS = 10**7


class _Stage(NamedTuple):
    """The jobs of a stage of one sweep.

    Attributes
    ----------
    name : str
    sweep : str
    points : int
        Every point has its own jobs; 1 if a job does all points.
    total : int
        Units of work of a point: datasets, targets or replications; or the points, where a job does some of them.
    key : tuple of str
        The setting that says how many units a job does.
    value : int
        Of this setting, in units of ``size``.
    size : int
        1, or the number of releases of a dataset where the setting counts these.
    """

    name: str
    sweep: str
    points: int
    total: int
    key: tuple[str, ...]
    value: int
    size: int = 1

    @property
    def jobs(self) -> int:
        return self.points * shards(self.total, self.value // self.size)


def check(settings: "Settings") -> None:
    """Raise an error if a run has more jobs than can be planned, or a job more rows than a machine holds.

    Parameters
    ----------
    settings : disclosure.workflow.config.models.Settings
        All but this has been checked.
    """
    _check_rows(settings)
    commands = [*_commands(settings)]
    for stages in commands:
        _check_jobs(stages, MOST_FILES, "whose files fit into one command")
    _check_jobs({stage for stages in commands for stage in stages}, MOST_JOBS, "that a run plans")


def _commands(settings: "Settings") -> Iterator[list[_Stage]]:
    """The stages whose files one command reads: summaries, the verification, the comparison with printed numbers."""
    for group in ("sweeps", "beyond"):
        for name, sweep in getattr(settings, group).items():
            place = f"{group}.{name}", len(sweep.points)
            made = {"upper_limit": _upper_limit(settings, *place), "simulate": _simulate(settings, *place)}
            expect = [_expect(settings, *place)] if sweep.expect else []
            yield [*(made[stage] for stage in sweep.sampled), *expect]
    papers = [(f"sweeps.{name}", len(sweep.points)) for name, sweep in settings.sweeps.items()]
    yield [*(_upper_limit(settings, *sweep) for sweep in papers), *(_verify(settings, *sweep) for sweep in papers)]
    yield [_replicate(settings, sweep) for sweep, _ in papers if sweep.removeprefix("sweeps.") in PRINTED_SWEEPS]
    for name, table in settings.tables.items():
        key = ("tables", name, "targets_per_job")
        yield [_Stage("expose", f"tables.{name}", len(table.points), table.targets, key, table.targets_per_job)]


def _upper_limit(settings: "Settings", sweep: str, _points: int) -> _Stage:
    return _Stage("upper_limit", sweep, 1, settings.datasets, ("datasets_per_job",), settings.datasets_per_job)


def _expect(settings: "Settings", sweep: str, points: int) -> _Stage:
    return _Stage("expect", sweep, 1, points, ("points_per_job",), settings.points_per_job)


def _replicate(settings: "Settings", sweep: str) -> _Stage:
    key = ("replications_per_job",)
    return _Stage("replicate", sweep, 1, settings.replications, key, settings.replications_per_job)


def _simulate(
    settings: "Settings", sweep: str, points: int, name: str = "simulate", releases: int | None = None
) -> _Stage:
    work = (("releases_per_job",), settings.releases_per_job, releases or settings.releases)
    return _Stage(name, sweep, points, settings.datasets, *work)


def _verify(settings: "Settings", sweep: str, points: int) -> _Stage:
    return _simulate(settings, sweep, points, "verify", settings.verify_releases)


def _check_jobs(stages: Collection[_Stage], most: int, reason: str) -> None:
    jobs = sum(stage.jobs for stage in stages)
    if jobs <= most:
        return
    stage = max(sorted(stages), key=lambda stage: stage.jobs)
    # Each stage gets the same share of the jobs, and each point of it.
    per_point = most // (len(stages) * stage.points)
    enough = shards(stage.total, per_point) * stage.size if per_point else LARGEST + 1
    allowed = f"{enough} or more" if enough <= LARGEST else "fewer points, datasets or releases"
    raise said(
        f" = {stage.value} makes {stage.jobs} jobs of {stage.name} for {stage.sweep}, of {jobs} in all; {most} are the most "
        f"{reason}; allowed: {allowed}",
        stage.key,
    )


def _check_rows(settings: "Settings") -> None:
    # Replications draw the datasets of all of the papers' sweeps, whatever their stages.
    papers = [(f"sweeps.{name}", sweep) for name, sweep in settings.sweeps.items()]
    sampled = papers + [(f"beyond.{name}", sweep) for name, sweep in settings.beyond.items() if sweep.sampled]
    for key, sweep in sampled:
        neighbours = max(point.population - point.sample for point in sweep.points)
        if neighbours > MOST_NEIGHBOURS:
            raise said(
                f": datasets of population - sample = {neighbours} neighbours are drawn; allowed: at most {MOST_NEIGHBOURS}, "
                "or upper_limit: false and simulate: false under beyond, where none are drawn then",
                tuple(key.split(".")),
            )
        _check_number(("datasets",), settings.datasets, len(sweep.points), key)
    _check_number(("replications",), settings.replications, sum(len(sweep.points) for _, sweep in papers), "sweeps")
    for name, table in settings.tables.items():
        _check_number(("tables", name, "datasets"), table.datasets, 1, "a person")


def _check_number(key: tuple[str, ...], value: int, points: int, of: str) -> None:
    if value * points > MOST_ROWS:
        times = f"for each of the {points} points of {of}" if points > 1 else f"for {of}"
        words = f"at most {MOST_ROWS // points}, since one command holds a row {times}, {MOST_ROWS} at the most"
        raise refused(words, key, value=value)
