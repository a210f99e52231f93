"""What the report says of each result: where it stands among the others, its title and its caption."""

import pathlib

import yaml

__all__ = ["Story"]


class Story:
    """The words of the report.

    Parameters
    ----------
    path : path-like
        YAML with an entry for each result: category, section, title and caption.
    plan : disclosure.pipeline.plan.Plan
        A sweep of it without an entry gets those of its group.
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
            "labels": lambda wildcards: {"result": entry(wildcards)["title"]},
        }

    def entry(self, name):
        """The entry of one result."""
        if name in self._entries:
            return self._entries[name]
        group = "sweep" if name in self._plan.sweeps else "table" if name in self._plan.tables else "beyond"
        entry = self._entries[group]
        return {**entry, "title": f"{entry['title']}: {name}"}
