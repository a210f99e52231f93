"""A lock that keeps two runs of the workflow in one folder apart: both would write each other's files."""

import fcntl
import os
import pathlib
import sys
from typing import IO

__all__ = ["take"]


def take(path: str | os.PathLike[str]) -> IO[bytes] | None:
    """Lock a folder, and wait for that as long as another process has locked it.

    The system releases the lock however this process ends, and jobs that outlive a killed run do not hold it. A file system
    without locks, as a cluster may have, gives none; that is said, and the caller goes on.

    Parameters
    ----------
    path : path-like
        The file of the lock; it is made if it is not there.

    Returns
    -------
    file, or None
        It holds the lock until it is closed.
    """
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("ab")
    try:
        _lock(file)
    except OSError as error:
        # Snakemake's own lock, a file, is kept there.
        print(f"{path}: {error.strerror}; start one run at a time here", file=sys.stderr, flush=True)
        file.close()
        return None
    return file


def _lock(file: IO[bytes]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        try:
            print("another run works in this folder; waiting for it to end", file=sys.stderr, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        except KeyboardInterrupt:
            sys.exit("stopped while waiting; nothing was changed")
