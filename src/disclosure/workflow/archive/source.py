"""The source of the last commit, as git has it."""

import io
import pathlib
import subprocess
import tarfile

from disclosure.workflow import runs
from disclosure.workflow.archive.errors import ArchiveError

__all__ = ["commit", "time", "unpack"]


def commit(folder: pathlib.Path) -> str:
    """The commit of a checkout in which no file differs from it."""
    found = runs.commit(folder)
    if found.startswith("unknown") or not (folder / ".git").exists():
        raise ArchiveError(f"{folder.resolve()}: archives are made from a git checkout; {found}")
    if found.endswith("-dirty"):
        raise ArchiveError(
            "files differ from the last commit, of which the archive would be: commit them, then `make report`"
        )
    return found


def time(folder: pathlib.Path) -> int:
    """When the commit was made, in seconds since 1970."""
    return int(_git(folder, "log", "-1", "--format=%ct"))


def unpack(folder: pathlib.Path, into: pathlib.Path) -> None:
    """Put the files of the commit into a folder."""
    with tarfile.open(fileobj=io.BytesIO(_git(folder, "archive", "HEAD"))) as packed:
        packed.extractall(into, filter="data")


def _git(folder: pathlib.Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=True).stdout
