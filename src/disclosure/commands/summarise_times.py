"""Where the time of a run went, from the logs of its jobs."""

import collections
import pathlib
import re


def arguments(parser):
    parser.add_argument("logs", help="folder of the logs")


def run(arguments):
    seconds = collections.defaultdict(list)
    for log in sorted(pathlib.Path(arguments.logs).rglob("*.log")):
        for name, time in re.findall(r"^disclosure (\w+): ([0-9.]+) s$", log.read_text(encoding="utf-8"), re.MULTILINE):
            seconds[name].append(float(time))
    print(f"{'stage':<20}{'jobs':>6}{'seconds':>10}{'longest':>10}")
    for name, times in sorted(seconds.items(), key=lambda item: -sum(item[1])):
        print(f"{name:<20}{len(times):>6}{sum(times):>10.1f}{max(times):>10.1f}")
