"""Where the time of a run went, from the logs of its jobs."""

import collections
import pathlib
import re

__all__ = ["HEADER", "stages"]

HEADER = ("stage", "jobs", "seconds", "longest")


def stages(logs):
    """Jobs of each stage, their seconds together and those of the longest one, the costliest stage first.

    Parameters
    ----------
    logs : path-like
        Folder of the logs; a job that went well ends its log with its seconds.

    Returns
    -------
    list of (str, int, float, float)
    """
    seconds = collections.defaultdict(list)
    for log in sorted(pathlib.Path(logs).rglob("*.log")):
        for name, time in re.findall(r"^disclosure (\w+): ([0-9.]+) s$", log.read_text(encoding="utf-8"), re.MULTILINE):
            seconds[name].append(float(time))
    costliest = sorted(seconds.items(), key=lambda item: -sum(item[1]))
    return [(name, len(times), sum(times), max(times)) for name, times in costliest]
