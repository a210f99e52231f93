"""Results as Snakemake knows them: which files there are, whether each is up to date, and what is noted about it."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

from disclosure.workflow.archive.errors import ArchiveError

__all__ = ["Result", "copy", "copy_report", "ended", "found"]

# The target of which all results are: the papers, what lies past them, and the pages of the report.
_TARGET = "report"
_NOTES = ".snakemake/metadata"


class Result(NamedTuple):
    """A file that a rule has made."""

    name: str
    rule: str
    log: str


def found(folder: pathlib.Path) -> list[Result]:
    """All results of the code and the configuration in a folder, sorted; an error if one is missing or of other ones."""
    table = _snakemake(folder, _TARGET, "--summary").partition("output_file\t")[2].splitlines()[1:]
    rows = [line.split("\t") for line in table]
    stale = [name for name, _date, _rule, _log, _status, plan in rows if plan != "no update"]
    if stale:
        others = f" and {len(stale) - 1} more" if len(stale) > 1 else ""
        raise ArchiveError(
            f"{stale[0]}{others}: missing, or made by other code or settings than those of this folder and its config.yaml; "
            "run `make report` first"
        )
    return sorted(Result(name, rule, log) for name, _date, rule, log, _status, _plan in rows)


def copy(folder: pathlib.Path, results: list[Result], into: pathlib.Path) -> None:
    """Copy results, their logs, and what Snakemake has noted about them."""
    names = {name for result in results for name in (result.name, result.log)}
    for name in [*names, *_notes(folder, {result.name for result in results})]:
        if (folder / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, into / name)


def copy_report(folder: pathlib.Path, file: pathlib.Path) -> None:
    """Put the pages of the report into one file."""
    style = folder / "workflow/report/report.css"
    _snakemake(
        folder, _TARGET, "--report", os.fspath(file.resolve()), "--report-stylesheet", os.fspath(style.resolve())
    )


def ended(folder: pathlib.Path, results: list[Result]) -> float:
    """When the last of the results was made, in seconds since 1970."""
    notes = _notes(folder, {result.name for result in results})
    return max(float(json.loads((folder / name).read_text(encoding="utf-8"))["endtime"]) for name in notes)


def _notes(folder: pathlib.Path, names: set[str]) -> Iterator[str]:
    """Names of Snakemake's notes about files."""
    top = folder / _NOTES
    for path in top.rglob("*"):
        if path.is_file():
            # The name is that of the result in base64; a long one is cut into folders that begin with @.
            coded = "".join(part.removeprefix("@") for part in path.relative_to(top).parts)
            if base64.urlsafe_b64decode(coded).decode() in names:
                yield path.relative_to(folder).as_posix()


def _snakemake(folder: pathlib.Path, *words: str) -> str:
    # The report lists steps in the order of a set: without a fixed seed of hashes, another one each time.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "snakemake", *words]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if run.returncode:
        raise ArchiveError(f"Snakemake cannot look at the results:\n{run.stdout}{run.stderr}")
    return run.stdout
