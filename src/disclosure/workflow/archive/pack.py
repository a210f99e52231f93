"""Put the last commit, its results and the packages into one file."""

import argparse
import pathlib
import shutil
import string
import tempfile

import yaml

import disclosure
from disclosure.workflow import tables
from disclosure.workflow.archive import codecheck, crate, results, source, tarball, verify, wheels

__all__ = ["arguments", "run"]

_WORDS = string.Template(pathlib.Path(__file__).with_name("archive.md").read_text(encoding="utf-8"))


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--output", required=True, metavar="FILE")
    parser.add_argument(
        "--without-wheels", action="store_true", help="leave the packages out: the lock has their digests"
    )


def run(arguments: argparse.Namespace) -> None:
    """Write the archive; an error, and no file, if its results are not those of the last commit."""
    home = pathlib.Path.cwd()
    commit, time = source.commit(home), source.time(home)
    made = results.found(home)
    with tempfile.TemporaryDirectory(prefix="archive-") as place, tables.own(arguments.output) as file:
        folder = pathlib.Path(place) / f"disclosure-{disclosure.__version__}"
        folder.mkdir()
        source.unpack(home, folder)
        results.copy(home, made, folder)
        results.copy_report(home, folder / "report.html")
        if not arguments.without_wheels:
            wheels.copy(home, folder / "wheels")
        _describe(folder, made, commit, time)
        verify.write_list(folder)
        tarball.write(folder, file, time)
    print(f"{arguments.output}: {len(made)} results of commit {commit}")


def _describe(folder: pathlib.Path, made: list[results.Result], commit: str, time: int) -> None:
    """Add what tells people and machines about the files of an archive, and how to check them."""
    citation = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    shutil.copyfile(verify.__file__, folder / "verify.py")
    words = _WORDS.substitute(commit=commit, interpreter=verify.interpreter())
    (folder / "ARCHIVE.md").write_text(words, encoding="utf-8")
    (folder / "codecheck.yml").write_text(codecheck.text(made, citation), encoding="utf-8")
    (folder / crate.NAME).write_text(crate.text(folder, made, citation, commit, time), encoding="utf-8")
