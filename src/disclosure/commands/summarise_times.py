"""Where the time of a run went, from the logs of its jobs."""

from disclosure.pipeline import times


def arguments(parser):
    parser.add_argument("logs", help="folder of the logs")


def run(arguments):
    print("{:<20}{:>6}{:>10}{:>10}".format(*times.HEADER))
    for name, jobs, seconds, longest in times.stages(arguments.logs):
        print(f"{name:<20}{jobs:>6}{seconds:>10.1f}{longest:>10.1f}")
