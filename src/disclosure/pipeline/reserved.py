"""Names that no sweep may have, since other files and pages of a run have them."""

from disclosure.pipeline.plan import ODDS_FIGURES, TABLES

__all__ = ["NAMES"]

_PAGES = ("claims", "provenance")
_FOLDERS = ("logs", "replicate", "report")

NAMES = frozenset({*ODDS_FIGURES, *TABLES, *_PAGES, *_FOLDERS})
