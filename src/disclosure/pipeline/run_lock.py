"""A lock that keeps two runs of the workflow in one folder apart: both would write each other's files."""

import atexit
import contextlib
import fcntl
import os
import pathlib
import sys

__all__ = ["RunLock"]


class RunLock:
    """The lock of a folder, a file. Only `take` writes anything.

    The system releases the lock however its process ends, and jobs that outlive a killed run do not hold it. A file system
    without locks, as a cluster may have, gives none; `take` says so and goes on.

    Parameters
    ----------
    path : path-like
        The file of the lock.
    """

    def __init__(self, path):
        self._path = pathlib.Path(path)
        self._stamp = self._written()
        self._file = None

    def is_held(self):
        """Whether a run holds the lock now."""
        with contextlib.suppress(OSError), self._path.open("rb") as file:
            return not _locked(file, fcntl.LOCK_SH)
        return False

    def wait(self):
        """Wait until no run holds the lock."""
        with contextlib.suppress(OSError), self._path.open("rb") as file:
            _wait(file, fcntl.LOCK_SH)
        self._stamp = self._written()

    def take(self):
        """Take the lock for as long as this process lives, and wait for it where another run holds it.

        Returns
        -------
        bool
            Whether another run has held it since this object was made or has waited, so that files may have changed.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab")
            free = _locked(self._file, fcntl.LOCK_EX)
            if not free:
                _wait(self._file, fcntl.LOCK_EX)
        except OSError as error:
            print(f"{self._path}: {error.strerror}; start one run at a time here", file=sys.stderr, flush=True)
            return False
        disturbed = not free or self._stamp not in (None, self._written())
        self._mark()
        atexit.register(self._mark)
        return disturbed

    def _mark(self):
        """Set the time of the file, by which others see that a run has worked here."""
        with contextlib.suppress(OSError):
            os.utime(self._path)

    def _written(self):
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return None


def _locked(file, kind):
    """Whether the lock of a file could be had at once."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait(file, kind):
    try:
        print("another run works in this folder; waiting for it to end", file=sys.stderr, flush=True)
        fcntl.flock(file, kind)
    except KeyboardInterrupt:
        sys.exit("stopped while waiting; nothing was changed")
