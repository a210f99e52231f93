"""What every rule shares: the checked configuration, the lock of the working folder, and names of files.

The commands of the rules are the subcommands of `disclosure`, found beside the interpreter that runs Snakemake.
"""

import fcntl
import json
import pathlib
import re
import subprocess
import time

from disclosure.pipeline import config as configuration
from disclosure.pipeline import sources, sweeps

os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]

try:
    STUDY = configuration.check(config, os.path.join(workflow.basedir, "workflow/schemas/config.schema.yaml"))
except configuration.ConfigError as error:
    sys.exit(f"config: {error}")

# Two runs in one folder would write each other's files: the second waits here until the first has ended. The system
# releases the lock however a run ends, and jobs that outlive a killed run do not hold it.
if workflow.is_main_process and not workflow.dryrun:
    os.makedirs(".snakemake", exist_ok=True)
    LOCK = open(".snakemake/disclosure.lock", "w")
    try:
        fcntl.flock(LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another run works in this folder; waiting for it to end", file=sys.stderr, flush=True)
        fcntl.flock(LOCK, fcntl.LOCK_EX)
STARTED = time.time()

POINTS = {sweep: configuration.sweep_points(entry) for sweep, entry in STUDY["sweeps"].items()}
SWEEPS = list(POINTS)
DRAWN = [sweep for sweep in SWEEPS if len(POINTS[sweep]) > 1]
KINDS = ["pdf", "svg", "png"]

# The study's releases, and the literal ones that verify it.
RELEASES = {"simulate": STUDY["releases"], "verify": STUDY["verify_releases"]}
METHODS = {"simulate": STUDY["method"], "verify": "literal"}


wildcard_constraints:
    sweep="|".join(SWEEPS) or "none",
    point=r"\d+",
    shard=r"\d+",
    stage="|".join(RELEASES),
    variant="|_exact",


def code(command):
    """Digest of the code behind a subcommand: a change of it makes the outputs stale."""
    return sources.digest(f"commands.{command}")


def failed_logs():
    """What jobs of this run said that failed; Snakemake's own setting for it shows nothing beside `quiet: rules`."""
    logs = [log for log in sorted(pathlib.Path("results/logs").rglob("*.log")) if log.stat().st_mtime >= STARTED]
    texts = [(log, log.read_text(encoding="utf-8", errors="replace").strip()) for log in logs]
    # The last line of a job that succeeded tells its time.
    return "\n".join(f"{log}: {text}" for log, text in texts if text and not re.search(r": [0-9.]+ s$", text))


def shard_of(shard, total, per_job):
    """The range of units of work of one shard."""
    return dict(zip(("start", "stop"), sweeps.shard_range(int(shard), total, per_job)))


def simulated(sweep, stage):
    """Files of all releases of a sweep."""
    points = [f"{point:03d}" for point in range(len(POINTS[sweep]))]
    shards = range(sweeps.shards(STUDY["datasets"], STUDY["releases_per_job"] // RELEASES[stage]))
    return expand(f"results/{sweep}/{stage}/{{point}}/{{shard}}.csv", point=points, shard=shards)


def upper_limits(sweep):
    """Files of the exact probabilities of a sweep."""
    shards = range(sweeps.shards(STUDY["datasets"], STUDY["datasets_per_job"]))
    return expand(f"results/{sweep}/upper_limit/{{shard}}.csv", shard=shards)
