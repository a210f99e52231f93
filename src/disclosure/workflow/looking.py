"""Calls with which Snakemake only looks, also at a folder that cannot be written.

Snakemake reads the Snakefile for them as it does for a run. It keeps notes in the folder `.snakemake` even while it looks.
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

# Options of Snakemake with which it runs no job, by argparse's names; `report` is another where it comes without a run.
LOOKS = frozenset(
    """
    archive cleanup_metadata cleanup_shadow conda_cleanup_envs container_cleanup_images containerize d3dag dag detailed_summary
    dryrun filegraph generate_unit_tests lint list_changes list_conda_envs list_input_changes list_params_changes list_rules
    list_target_rules list_untracked print_compilation rulegraph summary touch unlock
    """.split()  # noqa: SIM905
)
_NOTES = ".snakemake"
_RESULTS = ("results", "figures")
_CHECKED = 1_000_000  # bytes up to which Snakemake compares contents


def options(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Options of Snakemake's command line that are set, by argparse's names.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Snakemake's.

    Returns
    -------
    dict
        Empty where Snakemake was not called by a command line of its own.
    """
    try:
        known, _ = parser.parse_known_args(sys.argv[1:])
    except SystemExit:
        return {}
    return {name: value for name, value in vars(known).items() if value}


def looks(chosen: Mapping[str, Any]) -> bool:
    """Whether Snakemake was called only to look, or to tidy up its notes, and runs no job."""
    return not LOOKS.isdisjoint(chosen) or ("report" in chosen and "report_after_run" not in chosen)


def is_read_only(folder: str | os.PathLike[str] = ".") -> bool:
    """Whether Snakemake cannot keep its notes in a folder."""
    notes = pathlib.Path(folder, _NOTES)
    return not all(os.access(path, os.W_OK) for path in (folder, notes, *_inside(notes)) if os.path.exists(path))


def look_through(chosen: Mapping[str, Any]) -> None:
    """Go from the current folder to a temporary one that shows the same files, with a copy of Snakemake's notes.

    Snakemake takes what a run would replace for protected unless it can be written, so results are copied where only their
    sizes, times and, of small ones, contents are looked at; a report or an archive reads them through links. The temporary
    folder goes when the process ends; an option that is to write a file into it ends the process at once.
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
        # Logs and caches of packages can be large, and are of no use here.
        if part.name in ("incomplete", "metadata"):
            _copy(part, copy / _NOTES / part.name)
    os.chdir(copy)


def _copy(folder: pathlib.Path, to: pathlib.Path) -> None:
    """Copy a folder so that all of it can be written, large files without their contents."""
    shutil.copytree(folder, to, copy_function=_copy_file)
    for place, _, _ in os.walk(to):
        os.chmod(place, 0o700)


def _copy_file(file: str, to: str) -> None:
    status = os.stat(file)
    if status.st_size <= _CHECKED:
        shutil.copyfile(file, to)
    else:
        with open(to, "wb") as empty:
            empty.truncate(status.st_size)
    os.utime(to, ns=(status.st_atime_ns, status.st_mtime_ns))


def _inside(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _leave(copy: pathlib.Path) -> None:
    os.chdir("/")
    shutil.rmtree(copy, ignore_errors=True)
