"""Questions that both papers leave open, each answered by a table and a figure.

Each has a module of its name, with ``COLUMNS``, the columns of the table, and ``rows``, which computes them from the question's
settings. The module of the same name in `disclosure.plots.questions` draws the figure.
"""

import importlib
from collections.abc import Mapping
from typing import Any, Protocol, cast

from disclosure.workflow import tables

__all__ = ["QUESTIONS", "Question", "question"]

# The questions, and the settings that each reads beside its own under ``open_questions``.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "noise_by_profile": ("odds_risk_profile",),
    "case_control_noises": ("case_control",),
    "less_informed": (),
    "households": (),
    "attribute_inference": (),
    "mechanisms": ("seed",),
}


class Question(Protocol):
    """What the module of a question offers."""

    COLUMNS: tables.Columns
    """Names and types of the columns of the answer."""

    def rows(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer, columns of equal length in the order of ``COLUMNS``."""


def question(name: str) -> Question:
    """The module of one of the `QUESTIONS`."""
    return cast(Question, importlib.import_module(f"{__name__}.{name}"))
