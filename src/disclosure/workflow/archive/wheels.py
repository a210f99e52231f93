"""The packages that the workflow needs, as wheels for this Python."""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from disclosure.workflow.archive import verify
from disclosure.workflow.archive.errors import ArchiveError
from disclosure.workflow.digests import digest

__all__ = ["copy"]

# The part of the project's requirements beside the packages that every use needs.
_EXTRA = "workflow"
# Wheels know no time before 1980, and those that are built here get this one.
_TIME = "315532800"


def copy(folder: pathlib.Path, into: pathlib.Path) -> None:
    """Put the wheels of the workflow and a list of their digests into a folder; what was fetched once is taken again.

    Parameters
    ----------
    folder : Path
        The repository.
    into : Path
    """
    lock = folder / "requirements.lock"
    kept = folder / "build/wheels" / digest(lock)[:16] / verify.interpreter().replace(" ", "-")
    if not kept.is_dir():
        _fetch(_part(lock.read_text(encoding="utf-8"), _names(folder)), kept)
    shutil.copytree(kept, into)


def _names(folder: pathlib.Path) -> set[str]:
    """Names of the packages that the project needs to run the workflow, and to be installed itself."""
    settings = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    own = settings["project"]
    waiting = [*own["dependencies"], *own["optional-dependencies"][_EXTRA], *settings["build-system"]["requires"]]
    found: set[tuple[str, str]] = set()
    while waiting:
        item = Requirement(waiting.pop())
        for extra in ["", *item.extras]:
            key = (canonicalize_name(item.name), extra)
            if key not in found:
                found.add(key)
                waiting += [text for text in importlib.metadata.requires(item.name) or () if _is_of(text, extra)]
    return {name for name, _ in found}


def _is_of(text: str, extra: str) -> bool:
    """Whether a requirement is one here, and one of an extra, or of none."""
    marker = Requirement(text).marker
    if not extra:
        return marker is None or marker.evaluate({"extra": ""})
    return marker is not None and marker.evaluate({"extra": extra}) and not marker.evaluate({"extra": ""})


def _part(lock: str, names: Iterable[str]) -> str:
    """The part of a lock about some packages."""
    blocks = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)
    return "".join(block for block in blocks if (name := re.match(r"[a-z0-9._-]+", block)) and name[0] in names)


def _fetch(requirements: str, folder: pathlib.Path) -> None:
    """Make a folder with wheels whose sources have the digests of the requirements."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    (part / "lock").write_text(requirements, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
    ]
    run = subprocess.run(
        [*command, "--requirement", str(part / "lock"), "--wheel-dir", str(part)],
        env={**os.environ, "SOURCE_DATE_EPOCH": _TIME},
        capture_output=True,
        text=True,
    )
    if run.returncode:
        raise ArchiveError(
            f"the packages of requirements.lock could not be fetched, which takes a network once:\n{run.stderr}"
        )
    (part / "lock").unlink()
    lines = [f"# {verify.interpreter()}\n", *(_line(wheel) for wheel in sorted(part.glob("*.whl")))]
    (part / pathlib.PurePath(verify.PACKAGES).name).write_text("".join(lines), encoding="utf-8")
    part.replace(folder)


def _line(wheel: pathlib.Path) -> str:
    name, version, *_ = parse_wheel_filename(wheel.name)
    return f"{name}=={version} --hash=sha256:{digest(wheel)}\n"
