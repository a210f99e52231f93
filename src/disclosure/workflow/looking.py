"""Calls with which Snakemake only looks, such as ``--dry-run``, also at a folder that cannot be written.

Snakemake reads the Snakefile for such a call as for a run, and writes its notes into the folder ``.snakemake`` all the same. If
that folder cannot be written, the call works in a temporary folder that shows the same files.
"""

import argparse
import atexit
import os
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

__all__ = ["LOOKS", "is_read_only", "look_through", "looks", "options"]

# Options of Snakemake with which it runs no job, by argparse's names. With `report` it runs none either, unless the report is
# to follow a run; `looks` tells these apart.
LOOKS = frozenset(
    """
    archive cleanup_metadata cleanup_shadow conda_cleanup_envs container_cleanup_images containerize d3dag dag detailed_summary
    dryrun filegraph generate_unit_tests lint list_changes list_conda_envs list_input_changes list_params_changes list_rules
    list_target_rules list_untracked print_compilation rulegraph summary touch unlock
    """.split()  # noqa: SIM905
)
# Folder of Snakemake's notes, and the folders that a run writes.
_NOTES = ".snakemake"
_RESULTS = ("results", "figures")
# Bytes. Snakemake compares the contents of files up to this size, and of larger ones only size and time.
_CHECKED = 1_000_000
# Rights of the copies of folders: whoever looks may read, write and enter them.
_WRITABLE = 0o700


def options(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Options of Snakemake's command line that are set, by argparse's names.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The parser of Snakemake's command line.

    Returns
    -------
    dict
        Empty if Snakemake was called in another way than by its command line.
    """
    try:
        known, _ = parser.parse_known_args(sys.argv[1:])
    except SystemExit:
        return {}
    return {name: value for name, value in vars(known).items() if value}


def looks(chosen: Mapping[str, Any]) -> bool:
    """Whether Snakemake runs no job with these options, but only looks or tidies up its notes."""
    return not LOOKS.isdisjoint(chosen) or ("report" in chosen and "report_after_run" not in chosen)


def is_read_only(folder: str | os.PathLike[str] = ".") -> bool:
    """Whether Snakemake cannot write its notes in a folder."""
    notes = pathlib.Path(folder, _NOTES)
    return not all(os.access(path, os.W_OK) for path in (folder, notes, *_inside(notes)) if os.path.exists(path))


def look_through(chosen: Mapping[str, Any]) -> None:
    """Change from the current folder to a temporary one that shows the same files, with a copy of Snakemake's notes.

    Results are copied, large ones without their contents: Snakemake refuses to look if a file that a run would replace cannot
    be written, and it compares the contents of small files only. For a report or an archive, which need all contents, results
    are links instead, like all other files. The temporary folder is removed when the process ends, so an option that is to
    write a file into it ends the process at once.

    Parameters
    ----------
    chosen : dict
        What `options` returns.
    """
    read_whole = "report" in chosen or "archive" in chosen
    for name in ("report", "archive"):
        if name in chosen and not pathlib.Path(chosen[name]).is_absolute():
            sys.exit(
                f"--{name} {chosen[name]}: this folder cannot be written; name a file elsewhere, by its whole path"
            )
    folder = pathlib.Path.cwd()
    copy = pathlib.Path(tempfile.mkdtemp(prefix="disclosure-"))
    atexit.register(_leave, copy)
    for path in folder.iterdir():
        if path.name in _RESULTS and path.is_dir() and not read_whole:
            _copy(path, copy / path.name)
        elif path.name != _NOTES:
            (copy / path.name).symlink_to(path)
    for part in _inside(folder / _NOTES):
        # Of the notes only these two are needed; logs and caches of packages can be large.
        if part.name in ("incomplete", "metadata"):
            _copy(part, copy / _NOTES / part.name)
    os.chdir(copy)


def _copy(folder: pathlib.Path, to: pathlib.Path) -> None:
    """Copy a folder so that all of it can be written, large files without their contents."""
    shutil.copytree(folder, to, copy_function=_copy_file)
    for place, _, _ in os.walk(to):
        os.chmod(place, _WRITABLE)


def _copy_file(file: str, to: str) -> None:
    """Copy a file with its time; a large one becomes a hole of the same size, which takes no space."""
    status = os.stat(file)
    if status.st_size <= _CHECKED:
        shutil.copyfile(file, to)
    else:
        with open(to, "wb") as empty:
            empty.truncate(status.st_size)
    os.utime(to, ns=(status.st_atime_ns, status.st_mtime_ns))


def _inside(folder: pathlib.Path) -> list[pathlib.Path]:
    """Folders in a folder, sorted; none if it is not there."""
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _leave(copy: pathlib.Path) -> None:
    """Remove the temporary folder, from outside of it."""
    os.chdir("/")
    shutil.rmtree(copy, ignore_errors=True)
