"""The digest of a file's contents."""

import hashlib
import os

__all__ = ["digest"]


def digest(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
