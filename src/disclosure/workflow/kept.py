"""Files of an earlier run, kept while their successors are made.

Snakemake removes the output of a job before the job begins. Where the job then fails, the earlier file comes back: only its
successor takes its place.
"""

import contextlib
import os
import pathlib
import shutil
from collections.abc import Iterable

__all__ = ["Kept"]


class Kept:
    """Files that stay within reach after they are removed.

    Parameters
    ----------
    folder : path-like
        For second names of the files, which take no room on the same disk; what an interrupted run left there is removed.
    files : iterable of path-like
        Relative to the current folder. Those that are not there, or cannot be kept on a full disk, are left out.
    """

    def __init__(self, folder: str | os.PathLike[str], files: Iterable[str | os.PathLike[str]]) -> None:
        self._folder = pathlib.Path(folder)
        self.forget()
        for file in map(pathlib.Path, files):
            if file.is_file():
                with contextlib.suppress(OSError):
                    _name(file, self._second(file))

    def lost(self, files: Iterable[str]) -> list[str]:
        """Those of the files that were there, and are not any more."""
        return [file for file in files if not os.path.exists(file) and self._second(file).is_file()]

    def restore(self, file: str) -> None:
        """Bring a file back, with its contents and its time."""
        pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
        os.replace(self._second(file), file)

    def forget(self) -> None:
        """Remove the second names."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _second(self, file: str | os.PathLike[str]) -> pathlib.Path:
        return self._folder / file


def _name(file: pathlib.Path, second: pathlib.Path) -> None:
    second.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, second)
    except OSError:  # a file system without a second name for a file
        shutil.copy2(file, second)
