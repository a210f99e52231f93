"""The folder of an answer: it holds the files of one answer, and nothing of anybody else's is replaced or removed there.

An answer leaves the names of its files in a list. The next answer into the folder replaces or removes the files on the list,
and is refused before it writes anything if another file stands in its way.
"""

import contextlib
import pathlib
from collections.abc import Collection, Iterator

from disclosure.numerics import errors
from disclosure.workflow import tables

__all__ = ["LIST", "check", "replaced"]

LIST = ".disclosure"
"""Name of the list."""

_HEADER = "Files here that an answer of disclosure wrote; the next answer into this folder replaces or removes them:"


def check(output: str, names: Collection[str], **read: str | None) -> pathlib.Path:
    """The folder to which an answer may write files of these names; ``read`` are the files it is made from, by what they are.

    Raises
    ------
    DomainError
        If it is no folder, or a file in it would be lost: one that is read, or one that no answer wrote.
    """
    if not output:
        raise errors.DomainError("output = '' names no folder; . is the current one")
    folder = pathlib.Path(output)
    if folder.exists() and not folder.is_dir():
        raise errors.DomainError(f"output = {output!r} is a file; name a folder")
    earlier = _earlier(folder)
    for name in dict.fromkeys([*names, *earlier]):
        for what, path in read.items():
            if path is not None and _same(folder / name, pathlib.Path(path)):
                raise errors.DomainError(
                    f"output = {output!r} would replace the {what} that is read, {name}; name another folder"
                )
    if foreign := next((name for name in names if name not in earlier and _there(folder / name)), None):
        raise errors.DomainError(
            f"output = {output!r} holds {foreign}, which no earlier answer wrote; move that away, or name another folder"
        )
    return folder


@contextlib.contextmanager
def replaced(output: str, names: Collection[str], **read: str | None) -> Iterator[pathlib.Path]:
    """Check the folder; in the block the files of these names are written, and then those of an earlier answer are removed."""
    folder = check(output, names, **read)
    earlier = _earlier(folder)
    _note(folder, [*names, *earlier])  # an answer that is interrupted leaves files that the next one may replace
    yield folder
    for name in earlier:
        if name not in names:
            (folder / name).unlink(missing_ok=True)
    _note(folder, names)


def _earlier(folder: pathlib.Path) -> list[str]:
    """Names of files here that an earlier answer wrote."""
    noted = folder / LIST
    if not _there(noted):
        return []
    try:
        header, *names = noted.read_text(encoding="utf-8").splitlines() or [""]
    except (OSError, ValueError):
        header, names = "", []
    if header != _HEADER:
        raise errors.DomainError(
            f"{str(noted)!r} is no list that an answer wrote; move that away, or name another folder"
        )
    return [name for name in names if pathlib.PurePath(name).name == name and not (folder / name).is_dir()]


def _note(folder: pathlib.Path, names: Collection[str]) -> None:
    with tables.own(folder / LIST) as file:
        file.write("".join(f"{line}\n" for line in dict.fromkeys([_HEADER, *names])).encode())


def _same(path: pathlib.Path, other: pathlib.Path) -> bool:
    return path.exists() and other.exists() and path.samefile(other)


def _there(path: pathlib.Path) -> bool:
    """Whether there is anything of this name, be it a link that leads nowhere."""
    return path.exists() or path.is_symlink()
