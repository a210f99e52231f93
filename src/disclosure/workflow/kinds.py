"""Kinds of sweeps: what each makes its summary from, what it releases, and how its figure is drawn.

A sweep samples datasets (paper A's study), or has expected values only, which need no dataset, or is of a table of people. What
a kind does not say is the same for all of them.
"""

from collections.abc import Mapping
from typing import Any

from disclosure.study.points import Point
from disclosure.workflow.sweeps import sweep_points

__all__ = ["ExpectedSweep", "PeopleSweep", "SampledSweep", "Sweep", "sweep_of"]


class Sweep:
    """One sweep of the configuration.

    Parameters
    ----------
    name : str
        Its name in the configuration, which is that of its folder and of its figure.
    entry : dict
        What the configuration says of it, defaults filled in.
    settings : dict
        The whole configuration.

    Attributes
    ----------
    name : str
    entry : dict
    points : list of Point
    """

    def __init__(self, name: str, entry: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        self.name = name
        self.entry = entry
        self.points: list[Point] = sweep_points(entry)
        self._settings = settings

    @property
    def has_figure(self) -> bool:
        """Whether there is a figure; a single point makes none."""
        return len(self.points) > 1

    @property
    def has_exact_figure(self) -> bool:
        """Whether there is one without releases."""
        return self.has_figure and bool(self.sources("_exact"))

    @property
    def datasets(self) -> int:
        """Number of sampled datasets of each point, or of each person of a table."""
        raise NotImplementedError

    def sources(self, variant: str = "") -> tuple[str, ...]:
        """Names of the stages that the summary is made from, beside the calibration.

        Parameters
        ----------
        variant : {"", "_exact"}, optional
            The summary ``_exact`` takes no releases.
        """
        raise NotImplementedError

    @property
    def query(self) -> list[str]:
        """Options of `calibrate` that name what is released; none for the papers' one attribute in [0, 1]."""
        return []

    @property
    def reading(self) -> list[str]:
        """Options of `expose` that tell how a table is read, beside its columns; none where there is no table."""
        return []

    @property
    def targets(self) -> list[str]:
        """Options of `aggregate` that say how many people were looked at; none where nobody is."""
        return []

    @property
    def figure(self) -> list[str]:
        """Options of `figure`: what is drawn."""
        raise NotImplementedError


class _AttributeSweep(Sweep):
    """A sweep over people with one attribute of a known law."""

    @property
    def figure(self) -> list[str]:
        return ["--attributes", self.entry["attributes"]]


class SampledSweep(_AttributeSweep):
    """A sweep that samples datasets: paper A's study, or a part of it."""

    @property
    def datasets(self) -> int:
        return int(self._settings["datasets"])

    def sources(self, variant: str = "") -> tuple[str, ...]:
        left_out = {"simulate"} if variant == "_exact" else set()
        return tuple(
            stage for stage in ("upper_limit", "simulate", "expect") if self.entry[stage] and stage not in left_out
        )


class ExpectedSweep(_AttributeSweep):
    """A sweep of expected values over all datasets, for which none is sampled."""

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
        weights = ["--weights", self.entry["weights"]] if "weights" in self.entry else []
        return [*weights, *(["--clip"] if self.entry["clip"] else [])]

    @property
    def targets(self) -> list[str]:
        return ["--targets", str(self.entry["targets"])]

    @property
    def figure(self) -> list[str]:
        return ["--people"]


def sweep_of(name: str, entry: Mapping[str, Any], settings: Mapping[str, Any]) -> Sweep:
    """The sweep of an entry, of the kind that the entry asks for; the parameters are those of `Sweep`."""
    sampled = entry.get("upper_limit") or entry.get("simulate")
    kind = PeopleSweep if "table" in entry else SampledSweep if sampled else ExpectedSweep
    return kind(name, entry, settings)
