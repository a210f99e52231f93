"""The error of archives."""

from disclosure.numerics.errors import DisclosureError

__all__ = ["ArchiveError"]


class ArchiveError(DisclosureError, ValueError):
    """No archive can be made."""
