"""Check an archive of this project: the digests of its files, and one figure, made again without a network.

This file also stands at the top of each archive, as verify.py. It needs Python alone: python3 verify.py
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

__all__ = [
    "LIST",
    "PACKAGES",
    "Differences",
    "arguments",
    "differences",
    "files",
    "interpreter",
    "remake",
    "run",
    "write_list",
]

# Digests of all other files of an archive, a line for each, as `sha256sum --check` reads them.
LIST = "MANIFEST.sha256"
# Names, versions and digests of the packages that go along; the first line names the Python that they are for.
PACKAGES = "wheels/requirements.txt"
# What work in an unpacked archive leaves there. Snakemake's notes on the results are none of it.
_LEFT = (".venv", "__pycache__", ".snakemake", ".git", "build")
_NOTES = ".snakemake/metadata/"
_FIGURE = "figures/figure1.svg"


class Differences(NamedTuple):
    """Names of the files in which a folder and its list of digests differ, sorted."""

    missing: list[str]
    changed: list[str]
    additional: list[str]


def files(folder: pathlib.Path) -> Iterator[str]:
    """Names of the files of an archive, sorted, without its list of digests and what work has left there."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        left = set(path.relative_to(folder).parts) & set(_LEFT) and not name.startswith(_NOTES)
        if path.is_file() and name != LIST and not left:
            yield name


def digest(path: pathlib.Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            found.update(part)
    return found.hexdigest()


def write_list(folder: pathlib.Path) -> None:
    """List the digests of all files of an archive."""
    lines = [f"{digest(folder / name)}  {name}\n" for name in files(folder)]
    (folder / LIST).write_text("".join(lines), encoding="utf-8", newline="\n")


def listed(folder: pathlib.Path) -> dict[str, str]:
    """Digests of the list, by names of files."""
    lines = (folder / LIST).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def differences(folder: pathlib.Path) -> Differences:
    """In which files a folder and its list of digests differ."""
    expected, found = listed(folder), set(files(folder))
    missing = sorted(set(expected) - found)
    changed = sorted(name for name in found & set(expected) if digest(folder / name) != expected[name])
    return Differences(missing, changed, sorted(found - set(expected)))


def interpreter() -> str:
    """This Python as far as packages depend on it."""
    return (
        f"{platform.python_implementation()} {sys.version_info[0]}.{sys.version_info[1]} on {sysconfig.get_platform()}"
    )


def remake(folder: pathlib.Path, figure: str, python: pathlib.Path) -> list[str]:
    """Let Snakemake look at the results, make one figure and its table again, and compare their bytes.

    Parameters
    ----------
    folder : Path
        An unpacked archive, in which files are removed and made again.
    figure : str
        Name of the figure.
    python : Path
        An interpreter with the packages.

    Returns
    -------
    list of str
        What does not hold, in words.
    """
    looked = _snakemake(python, folder, "report", "--dry-run")
    faults = [] if "Nothing to be done" in looked else ["Snakemake takes the results for out of date:\n" + looked]
    stem = pathlib.PurePath(figure).stem
    again = {name for name in listed(folder) if name in (f"results/{stem}/summary.csv", *_of(figure))}
    for name in again:
        (folder / name).unlink()
    said = _snakemake(python, folder, figure, "--cores", "1")
    for name in sorted(again):
        if not (folder / name).exists():
            faults.append(f"{name} was not made again:\n{said}")
        elif digest(folder / name) != listed(folder)[name]:
            faults.append(f"{name} has other bytes when it is made again")
    return faults


def _of(figure: str) -> list[str]:
    """The files of a figure, one for each format."""
    return [str(pathlib.PurePosixPath(figure).with_suffix(suffix)) for suffix in (".pdf", ".png", ".svg")]


def _snakemake(python: pathlib.Path, folder: pathlib.Path, *words: str) -> str:
    """Run Snakemake with the package of the archive; what it said."""
    environment = {**_without_network(), "PYTHONPATH": str(folder / "src")}
    command = [str(python), "-m", "snakemake", *words]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return run.stdout + run.stderr


def _without_network() -> dict[str, str]:
    """The environment, without settings from outside, and in which pip asks no index."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "SNAKEMAKE_"))}
    return {**kept, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def _environment(folder: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """An environment with the packages of the archive; its interpreter."""
    python = place / "bin/python"
    packages = [
        "--find-links",
        str(folder / "wheels"),
        "--require-hashes",
        "--no-deps",
        "--requirement",
        str(folder / PACKAGES),
    ]
    for command in (
        [sys.executable, "-m", "venv", str(place)],
        [str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-compile", *packages],
    ):
        run = subprocess.run(command, env=_without_network(), capture_output=True, text=True)
        if run.returncode:
            raise ValueError(f"no environment could be made from wheels/:\n{run.stdout}{run.stderr}")
    return python


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "archive", nargs="?", help="the archive, or the folder it was unpacked into; by default the folder of this file"
    )
    parser.add_argument("--digests", action="store_true", help="compare the digests only")


def run(arguments: argparse.Namespace) -> None:
    """Check the archive, print what holds, and end with exit code 1 if something does not."""
    given = pathlib.Path(arguments.archive) if arguments.archive else pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory(prefix="archive-") as name:
        place = pathlib.Path(name).resolve()
        folder = _unpacked(given, place) if given.is_file() else given.resolve()
        if not (folder / LIST).is_file():
            raise ValueError(f"{given}: is no archive of this project, unpacked or not: it has no {LIST}")
        faults = [f"{name}: {word}" for word, names in differences(folder)._asdict().items() for name in names]
        print(f"digests: {len(listed(folder))} files listed", *(faults or ["all hold"]), sep="\n  ", flush=True)
        if not faults and not arguments.digests:
            faults = _remade(folder, place)
        if faults:
            sys.exit(1)


def _remade(folder: pathlib.Path, place: pathlib.Path) -> list[str]:
    """Make a figure again in a copy of the folder, in which no file has its time; what does not hold."""
    if not (folder / PACKAGES).is_file():
        print("figure: not made again, since the archive has no packages")
        return []
    meant = (folder / PACKAGES).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    if meant != interpreter():
        raise ValueError(f"no figure was made again: the packages are for {meant}, and this is {interpreter()}")
    figures = [name for name in listed(folder) if name.startswith("figures/") and name.endswith(".svg")]
    figure = _FIGURE if _FIGURE in figures else figures[0]
    copy = place / "copy"
    ignored = shutil.ignore_patterns("wheels", *(set(_LEFT) - {".snakemake"}))
    shutil.copytree(folder, copy, ignore=ignored, symlinks=True, copy_function=shutil.copyfile)
    faults = remake(copy, figure, _environment(folder, place / "environment"))
    print(
        f"figure: {figure} made again", *(faults or ["same bytes; the results are up to date"]), sep="\n  ", flush=True
    )
    return faults


def _unpacked(archive: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """The one folder of an archive, unpacked."""
    with tarfile.open(archive) as packed:
        packed.extractall(place / "unpacked", filter="data")
    (folder,) = (place / "unpacked").iterdir()
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description="Check this archive, and make one of its figures again.")
    arguments(parser)
    try:
        with contextlib.suppress(BrokenPipeError):
            run(parser.parse_args())
    except (ValueError, OSError, tarfile.TarError) as error:
        parser.exit(2, f"verify: {error}\n")


if __name__ == "__main__":
    main()
