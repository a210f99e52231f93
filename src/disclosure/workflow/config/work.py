"""How many jobs and rows a configuration comes to, by arithmetic alone: before any list of files is made."""

from collections.abc import Collection

from disclosure.workflow import sweeps
from disclosure.workflow.config.values import LARGEST, refused, said
from disclosure.workflow.kinds import SampledSweep, Sweep
from disclosure.workflow.plan import Plan
from disclosure.workflow.stage import Stage
from disclosure.workflow.stages import commands

__all__ = ["MOST_FILES", "MOST_JOBS", "MOST_NEIGHBOURS", "MOST_ROWS", "check"]

# A command's files are its arguments: 2 MB on Linux, at most 100 bytes each.
MOST_FILES = 20_000
# Snakemake plans a thousand jobs a second or less before it starts the first.
MOST_JOBS = 100_000
# Datasets of all points of a sweep, 240 bytes each in the command that makes its summary: 240 GB.
MOST_ROWS = 10**9
# Neighbours in a dataset, 140 bytes each in the job that draws it: 1.4 GB.
MOST_NEIGHBOURS = 10**7


def check(plan: Plan) -> None:
    """Raise an error if a run has more jobs than can be planned, or a job more rows than a machine holds.

    Parameters
    ----------
    plan : disclosure.workflow.plan.Plan
        Of settings of which all but this has been checked.
    """
    _check_rows(plan)
    read = [*commands(plan)]
    for parts in read:
        _check_jobs(plan, parts, MOST_FILES, "whose files fit into one command")
    _check_jobs(plan, {part for parts in read for part in parts}, MOST_JOBS, "that a run plans")


def _key(plan: Plan, sweep: Sweep) -> str:
    return f"{plan.group_of(sweep.name)}.{sweep.name}"


def _check_jobs(plan: Plan, parts: Collection[tuple[Stage, Sweep]], most: int, reason: str) -> None:
    jobs = {(stage, sweep): stage.jobs(plan, sweep) for stage, sweep in parts}
    total = sum(jobs.values())
    if total <= most:
        return
    stage, sweep = max(sorted(jobs, key=lambda part: (part[0].name, _key(plan, part[1]))), key=jobs.__getitem__)
    assert stage.work
    work = stage.work(plan, sweep)
    # Each stage gets the same share of the jobs, and each point of it.
    per_point = most // (len(jobs) * stage.points(sweep))
    enough = sweeps.shards(work.total, per_point) * work.size if per_point else LARGEST + 1
    allowed = f"{enough} or more" if enough <= LARGEST else "fewer points, datasets or releases"
    made = f"{jobs[stage, sweep]} jobs of {stage.name} for {_key(plan, sweep)}, of {total} in all"
    raise said(
        f" = {work.value} makes {made}; {most} are the most {reason}; allowed: {allowed}",
        work.setting,
    )


def _check_rows(plan: Plan) -> None:
    # Replications draw the datasets of all of the papers' sweeps, whatever their stages.
    papers = plan.group("sweeps")
    settings = plan.settings
    for sweep in papers + [sweep for sweep in plan.group("beyond") if isinstance(sweep, SampledSweep)]:
        key = _key(plan, sweep)
        neighbours = max(point.population - point.sample for point in sweep.points)
        if neighbours > MOST_NEIGHBOURS:
            raise said(
                f": datasets of population - sample = {neighbours} neighbours are drawn; allowed: at most {MOST_NEIGHBOURS}, "
                "or upper_limit: false and simulate: false under beyond, where none are drawn then",
                tuple(key.split(".")),
            )
        _check_number(("datasets",), settings["datasets"], len(sweep.points), key)
    points = sum(len(sweep.points) for sweep in papers)
    _check_number(("replications",), settings["replications"], points, "sweeps")
    for sweep in plan.group("tables"):
        _check_number(("tables", sweep.name, "datasets"), sweep.datasets, 1, "a person")


def _check_number(key: tuple[str, ...], value: int, points: int, of: str) -> None:
    if value * points > MOST_ROWS:
        times = f"for each of the {points} points of {of}" if points > 1 else f"for {of}"
        words = f"at most {MOST_ROWS // points}, since one command holds a row {times}, {MOST_ROWS} at the most"
        raise refused(words, key, value=value)
