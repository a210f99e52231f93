"""The seconds that jobs took, from their logs: one that goes well ends its log with a line like "disclosure figure: 0.61 s"."""

import os
import pathlib
import re
from collections import defaultdict
from collections.abc import Iterable

__all__ = ["HEADER", "line", "lines", "of_job", "stages"]

HEADER = ("stage", "jobs", "seconds", "longest")
_LINE = re.compile(r"^disclosure (\w+): ([0-9.]+) s\Z", re.MULTILINE)


def line(stage: str, seconds: float) -> str:
    """The line that ends the log of a job that went well."""
    return f"disclosure {stage}: {seconds:.2f} s"


def of_job(log: str | os.PathLike[str]) -> tuple[str, float] | None:
    """Stage and seconds of the job with this log; None for a job that did not go well, or has not ended.

    Parameters
    ----------
    log : path-like

    Returns
    -------
    (str, float), or None
    """
    try:
        text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = _LINE.search(text.rstrip())
    return (found[1], float(found[2])) if found else None


def stages(logs: Iterable[str | os.PathLike[str]]) -> list[tuple[str, int, float, float]]:
    """Jobs of each stage, their seconds together and those of the longest one, the costliest stage first.

    Parameters
    ----------
    logs : iterable of path-like
        A log of a job that did not go well counts as none.

    Returns
    -------
    list of (str, int, float, float)
    """
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for stage, time in filter(None, map(of_job, logs)):
        seconds[stage].append(time)
    costliest = sorted(seconds.items(), key=lambda item: -sum(item[1]))
    return [(name, len(times), sum(times), max(times)) for name, times in costliest]


def lines(logs: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The same as lines of text, with a head; none without a job that went well."""
    rows = [(name, str(jobs), f"{total:.1f}", f"{longest:.1f}") for name, jobs, total, longest in stages(logs)]
    return [f"{name:<20} {jobs:>6} {total:>9} {longest:>9}" for name, jobs, total, longest in [HEADER, *rows] if rows]
