"""What the report says of each result: where it stands among the others, its title, its caption and what was found."""

import os
import pathlib
from collections.abc import Callable
from typing import Any

import yaml

from disclosure.workflow.config.models import Sweep, TableSweep
from disclosure.workflow.plan import Plan
from disclosure.workflow.protocols import Wildcards
from disclosure.workflow.sweeps import GROUPS

__all__ = ["Story"]

# Entries for the sweeps without one of their own, by the key of the configuration under which they stand.
_GENERAL = {"sweeps": "sweep", "beyond": "beyond", "tables": "table"}


class Story:
    """The words of the report.

    Parameters
    ----------
    path : path-like
        YAML with an entry for each result: category, section, label, title, caption, and a finding with the settings that it
        is true of.
    plan : disclosure.workflow.plan.Plan
        Its settings decide what is said of them.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        self._entries = yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))
        self._plan = plan

    def flags(self, name: str | None = None) -> dict[str, Callable[[Wildcards], Any]]:
        """Where the report puts a page, as functions of the wildcards; without a name the page is the wildcard ``shown``."""

        def entry(wildcards: Wildcards) -> dict[str, Any]:
            return self.entry(name or wildcards.shown)

        return {
            "category": lambda wildcards: entry(wildcards)["category"],
            "subcategory": lambda wildcards: entry(wildcards)["section"],
            "labels": lambda wildcards: {"result": entry(wildcards)["label"]},
        }

    def words(self, *keys: str, of: str | None = None) -> dict[str, Callable[[Wildcards], str]]:
        """Parameters of a rule, by their keys in the entry, as functions of the wildcards; see `flags` for ``of``."""

        def word(key: str) -> Callable[[Wildcards], str]:
            return lambda wildcards: str(self.entry(of or wildcards.shown)[key])

        return {key: word(key) for key in keys}

    def entry(self, name: str) -> dict[str, Any]:
        """The words for one result.

        Those written for the published parameters are for these alone: a sweep with others gets the words of its group, and
        another result loses its finding.
        """
        own = self._entries.get(name, {})
        if "of" in own and all(self._setting(key) == _filled(key, value) for key, value in own["of"].items()):
            return dict(own)
        if name in self._plan.sweeps:
            group = _GENERAL[self._plan.group_of(name)]
            own = {**self._entries[group], "label": name, "title": f"{self._entries[group]['title']}: {name}"}
        return {**own, "finding": ""}

    def _setting(self, key: str) -> object:
        """A setting by the names on the way to it, joined by dots; None where there is none."""
        value: Any = self._plan.settings
        for name in key.split("."):
            value = (value or {}).get(name)
        return value


def _filled(key: str, value: object) -> object:
    """A setting with its defaults, as a checked configuration has it."""
    group = key.partition(".")[0]
    if group not in GROUPS or not isinstance(value, dict):
        return value
    return (TableSweep if group == "tables" else Sweep).model_validate(value).as_dict()
