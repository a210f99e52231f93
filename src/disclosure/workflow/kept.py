"""Files of an earlier run, kept until new ones have been made.

Snakemake removes the outputs of a job before the job begins. If the job then fails, its earlier outputs would be lost; they are
brought back from a folder in which each has a second name, a hard link.
"""

import contextlib
import os
import pathlib
import shutil
from collections.abc import Iterable

__all__ = ["Kept"]


class Kept:
    """Files that can be brought back after they have been removed.

    Parameters
    ----------
    folder : path-like
        Folder of the files' second names. These take no space if the folder is on the same disk. What an interrupted run has
        left there is removed first.
    files : iterable of path-like
        Paths relative to the current folder. Files that are not there, or cannot be kept on a full disk, are left out.
    """

    def __init__(self, folder: str | os.PathLike[str], files: Iterable[str | os.PathLike[str]]) -> None:
        self._folder = pathlib.Path(folder)
        self.forget()
        for file in map(pathlib.Path, files):
            if file.is_file():
                with contextlib.suppress(OSError):
                    _name(file, self._second(file))

    def lost(self, files: Iterable[str]) -> list[str]:
        """Those of the files that were kept and are not there any more."""
        return [file for file in files if not os.path.exists(file) and self._second(file).is_file()]

    def restore(self, file: str) -> None:
        """Bring back a file that is lost, with its contents and its time."""
        pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
        os.replace(self._second(file), file)

    def forget(self) -> None:
        """Remove all second names: nothing can be brought back any more."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _second(self, file: str | os.PathLike[str]) -> pathlib.Path:
        return self._folder / file


def _name(file: pathlib.Path, second: pathlib.Path) -> None:
    """Give a file a second name; a copy where the file system has no hard links."""
    second.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, second)
    except OSError:
        shutil.copy2(file, second)
