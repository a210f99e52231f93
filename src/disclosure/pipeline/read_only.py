"""Looking at a folder that cannot be written: Snakemake keeps notes in `.snakemake` even while it only looks."""

import atexit
import os
import pathlib
import shutil
import tempfile

__all__ = ["is_read_only", "look_through"]

_NOTES = ".snakemake"


def is_read_only(folder="."):
    """Whether Snakemake cannot keep its notes in a folder."""
    notes = pathlib.Path(folder, _NOTES)
    return not all(os.access(path, os.W_OK) for path in (folder, notes, *_inside(notes)) if os.path.exists(path))


def look_through():
    """Go from the current folder to a temporary one that shows the same files, with a copy of Snakemake's notes.

    Results are links, so that nothing is copied but the notes, and no result can be written. The temporary folder goes when the
    process ends.
    """
    folder = pathlib.Path.cwd()
    copy = pathlib.Path(tempfile.mkdtemp(prefix="disclosure-"))
    for path in folder.iterdir():
        if path.name != _NOTES:
            (copy / path.name).symlink_to(path)
    for part in _inside(folder / _NOTES):
        # Logs and caches of packages can be large, and are of no use here.
        if part.name in ("incomplete", "metadata"):
            shutil.copytree(part, copy / _NOTES / part.name)
    atexit.register(_leave, copy)
    os.chdir(copy)


def _inside(folder):
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _leave(copy):
    os.chdir("/")
    shutil.rmtree(copy, ignore_errors=True)
