"""A tarball whose bytes follow from its contents."""

import gzip
import pathlib
import tarfile
from typing import IO

__all__ = ["write"]


def write(folder: pathlib.Path, file: IO[bytes], time: int) -> None:
    """Pack a folder: its files sorted, all with the same time, and with nobody's name.

    Parameters
    ----------
    folder : Path
        Its name stands before those of its files.
    file : binary file
    time : int
        In seconds since 1970.
    """

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = time
        member.mode = 0o755 if member.mode & 0o100 or member.isdir() else 0o644
        return member

    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in [folder, *sorted(folder.rglob("*"))]:
            archive.add(path, path.relative_to(folder.parent).as_posix(), recursive=False, filter=plain)
