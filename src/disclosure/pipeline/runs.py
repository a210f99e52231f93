"""A run of the workflow in a folder: one at a time, with the package's command on its path, from a known commit."""

import fcntl
import os
import pathlib
import subprocess
import sys

__all__ = ["commit", "own_folder", "put_command_on_path"]


def own_folder(path=".snakemake/disclosure.lock"):
    """Wait until no other run works in the current folder, and keep others out for as long as this process lives.

    The system releases the lock however the run ends, and jobs that outlive a killed run do not hold it.

    Returns
    -------
    file
        To be kept open.
    """
    lock = pathlib.Path(path)
    lock.parent.mkdir(parents=True, exist_ok=True)
    file = lock.open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another run works in this folder; waiting for it to end", file=sys.stderr, flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def put_command_on_path():
    """Let the shell find `disclosure` beside the running interpreter, whether or not its environment is active."""
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)


def commit(folder):
    """The commit of the source in a folder, marked ``-dirty`` where files differ from it; ``unknown`` without git."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
