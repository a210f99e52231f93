"""Kinds of sweeps: from which stages each makes its summary, what it releases, and how its figure is drawn.

There are three kinds. A `SampledSweep` draws datasets, as paper A's study does. An `ExpectedSweep` has expected values only,
for which no dataset is drawn. A `PeopleSweep` is about a table of people. `Sweep` has what is the same for all kinds.
"""

import os
from collections.abc import Mapping
from typing import Any

from disclosure.people.queries import parse_column
from disclosure.study.points import Point
from disclosure.workflow.sweeps import parameter_values, sweep_points

__all__ = ["AttributeSweep", "ExpectedSweep", "PeopleSweep", "SampledSweep", "Sweep", "sweep_of"]


class Sweep:
    """One sweep of the configuration.

    Parameters
    ----------
    name : str
        The sweep's key in the configuration, and the name of its folder and of its figure.
    entry : dict
        What stands under this key, defaults filled in.
    settings : dict
        The whole configuration, checked.

    Attributes
    ----------
    name : str
    entry : dict
    points : list of Point
        In the order of the configuration.
    """

    def __init__(self, name: str, entry: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        self.name = name
        self.entry = entry
        self.points: list[Point] = sweep_points(entry)
        self._settings = settings

    @property
    def has_figure(self) -> bool:
        """Whether the sweep has a figure: it has unless it is a single point."""
        return len(self.points) > 1

    @property
    def has_exact_figure(self) -> bool:
        """Whether the sweep has a figure from which releases are left out."""
        return self.has_figure and bool(self.sources("_exact"))

    @property
    def datasets(self) -> int:
        """Number of datasets that are drawn for each point, or for each person of a table at each point."""
        raise NotImplementedError

    def sources(self, variant: str = "") -> tuple[str, ...]:
        """Names of the stages from whose files the summary is made, beside the calibration.

        Parameters
        ----------
        variant : {"", "_exact"}, optional
            The summary with everything, or the summary ``_exact``, from which releases are left out.
        """
        raise NotImplementedError

    @property
    def guarantee(self) -> list[str]:
        """Options of the command `calibrate` that say what epsilon and delta are about; empty for paper A's definition."""
        return []

    @property
    def query(self) -> list[str]:
        """Options of the command `calibrate` that say what is released; empty for the papers' single attribute in [0, 1]."""
        return []

    @property
    def mechanism(self) -> str:
        """Name of the mechanism that adds the noise."""
        return "gaussian"

    @property
    def reading(self) -> list[str]:
        """Options of the command `expose` that say how a table is read, beside its columns; empty without a table."""
        return []

    @property
    def probabilities(self) -> list[str]:
        """Probabilities that the command `expose` is asked for; none without a table."""
        return []

    @property
    def targets(self) -> list[str]:
        """Options of the command `aggregate` that say how many people were looked at; empty without a table."""
        return []

    @property
    def figure(self) -> list[str]:
        """Options of the command `figure` that say what is drawn."""
        raise NotImplementedError


class AttributeSweep(Sweep):
    """A sweep in which people have one attribute each, drawn from a known law."""

    @property
    def mechanism(self) -> str:
        return str(self.entry["mechanism"])

    @property
    def guarantee(self) -> list[str]:
        if self.entry["definition"] == "probabilistic":
            return []
        return ["--definition", self.entry["definition"], "--delta-prime", str(self.entry["delta_prime"])]

    @property
    def figure(self) -> list[str]:
        return ["--attributes", self.entry["attributes"]]

    def is_as_in_paper_a(self, attributes: str = "uniform") -> bool:
        """Whether noise and definition of privacy are those of paper A, with these attributes; uniform ones are the paper's."""
        return self.entry["attributes"] == attributes and self.mechanism == "gaussian" and not self.guarantee


class SampledSweep(AttributeSweep):
    """A sweep for which datasets are drawn: paper A's study, or a part of it."""

    @property
    def datasets(self) -> int:
        return int(self._settings["datasets"])

    def sources(self, variant: str = "") -> tuple[str, ...]:
        left_out = {"simulate"} if variant == "_exact" else set()
        return tuple(
            stage for stage in ("upper_limit", "simulate", "expect") if self.entry[stage] and stage not in left_out
        )


class ExpectedSweep(AttributeSweep):
    """A sweep of expected values over random datasets, for which none is drawn."""

    @property
    def datasets(self) -> int:
        return 0

    def sources(self, variant: str = "") -> tuple[str, ...]:
        return ("expect",)


class PeopleSweep(Sweep):
    """A sweep over a table of people: the exposure of each."""

    @property
    def datasets(self) -> int:
        return int(self.entry["datasets"])

    def sources(self, variant: str = "") -> tuple[str, ...]:
        return ("expose",)

    @property
    def query(self) -> list[str]:
        return ["--query", self.entry["query"], "--columns", *self.entry["columns"]]

    @property
    def reading(self) -> list[str]:
        stated = ("weights", "missing", "separator", "decimal", "encoding")
        named = [word for name in stated if name in self.entry for word in (f"--{name}", self.entry[name])]
        flags = {"--clip": self.entry["clip"], "--sampled": self.entry.get("rows") is not None}
        return [*named, *(flag for flag, wanted in flags.items() if wanted)]

    @property
    def probabilities(self) -> list[str]:
        """Except with which belief stays within the factors that are told."""
        return [repr(value) for value in parameter_values("probability", self.entry["probability"])]

    @property
    def targets(self) -> list[str]:
        return ["--targets", str(self.entry["targets"])]

    @property
    def figure(self) -> list[str]:
        names = ", ".join(parse_column(text).name for text in self.entry["columns"])
        return ["--people", f"{os.path.basename(self.entry['table'])}: {self.entry['query']} of {names}"]


def sweep_of(name: str, entry: Mapping[str, Any], settings: Mapping[str, Any]) -> Sweep:
    """The sweep that an entry of the configuration describes, of the kind that follows from its keys.

    An entry with ``table`` is of people. One with ``upper_limit`` or ``simulate`` draws datasets. The parameters are those of
    `Sweep`.
    """
    sampled = entry.get("upper_limit") or entry.get("simulate")
    kind = PeopleSweep if "table" in entry else SampledSweep if sampled else ExpectedSweep
    return kind(name, entry, settings)
