"""What the report says of each result: where it stands among the others, its title, its caption and what was found."""

import functools
import pathlib

import yaml

from disclosure.workflow.config.models import Sweep, TableSweep

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

    def __init__(self, path, plan):
        self._entries = yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))
        self._plan = plan

    def flags(self, name=None):
        """Where the report puts a page, as functions of the wildcards; without a name the page is the wildcard ``shown``."""

        def entry(wildcards):
            return self.entry(name or wildcards.shown)

        return {
            "category": lambda wildcards: entry(wildcards)["category"],
            "subcategory": lambda wildcards: entry(wildcards)["section"],
            "labels": lambda wildcards: {"result": entry(wildcards)["label"]},
        }

    def words(self, *keys, of=None):
        """Parameters of a rule, by their keys in the entry, as functions of the wildcards; see `flags` for ``of``."""
        return {key: lambda wildcards, key=key: self.entry(of or wildcards.shown)[key] for key in keys}

    def entry(self, name):
        """The words for one result.

        Those written for the published parameters are for these alone: a sweep with others gets the words of its group, and
        another result loses its finding.
        """
        own = self._entries.get(name, {})
        if "of" in own and all(self._setting(key) == _filled(key, value) for key, value in own["of"].items()):
            return own
        if name in self._plan.sweeps:
            group = _GENERAL[self._plan.group_of(name)]
            own = {**self._entries[group], "label": name, "title": f"{self._entries[group]['title']}: {name}"}
        return {**own, "finding": ""}

    def _setting(self, key):
        """A setting by the names on the way to it, joined by dots; None where there is none."""
        return functools.reduce(lambda value, name: (value or {}).get(name), key.split("."), self._plan.settings)


def _filled(key, value):
    """A setting with its defaults, as a checked configuration has it."""
    model = {"sweeps": Sweep, "beyond": Sweep, "tables": TableSweep}.get(key.partition(".")[0])
    return model.model_validate(value).as_dict() if model and isinstance(value, dict) else value
