"""The plan of a run: its checked settings, and the sweeps that follow from them."""

import os
from collections.abc import Mapping
from typing import Any

from disclosure.workflow import kinds
from disclosure.workflow.claims.scale import PRINTED_SWEEPS
from disclosure.workflow.kinds import AttributeSweep, Sweep
from disclosure.workflow.questions import QUESTIONS
from disclosure.workflow.sweeps import GROUPS

__all__ = ["Plan"]


class Plan:
    """The checked settings of a run, and its sweeps.

    Parameters
    ----------
    settings : dict
        What `disclosure.workflow.config.check` returns.
    home : path-like, optional
        Folder of the repository; the current folder by default.

    Attributes
    ----------
    settings : dict
    home : str
    sweeps : dict of str to Sweep
        By name, in the order of the configuration.
    """

    def __init__(self, settings: Mapping[str, Any], home: str | os.PathLike[str] = os.curdir) -> None:
        self.settings = settings
        self.home = os.fspath(home)
        self.sweeps = {
            name: kinds.sweep_of(name, entry, settings) for group in GROUPS for name, entry in settings[group].items()
        }

    def group(self, name: str) -> list[Sweep]:
        """The sweeps under one key of the configuration: ``sweeps``, ``beyond`` or ``tables``."""
        return [self.sweeps[sweep] for sweep in self.settings[name]]

    def group_of(self, sweep: str) -> str:
        """The key of the configuration under which a sweep stands."""
        return next(group for group in GROUPS if sweep in self.settings[group])

    def dropped(self, question: str) -> bool:
        """Whether a name is that of a question that the configuration leaves out."""
        return question in QUESTIONS and question not in self.settings["open_questions"]

    @property
    def printed(self) -> list[Sweep]:
        """The sweeps under ``sweeps`` about which paper A prints numbers, with its attributes, noise and definition."""
        return [
            sweep
            for sweep in self.group("sweeps")
            if sweep.name in PRINTED_SWEEPS and isinstance(sweep, AttributeSweep) and sweep.is_as_in_paper_a()
        ]

    def resource(self, name: str) -> str:
        """Path of a file of the repository.

        It is relative where the repository is the current folder, so that Snakemake knows it again when both have moved.
        """
        return name if os.path.realpath(self.home) == os.path.realpath(os.curdir) else os.path.join(self.home, name)

    def located(self, name: str) -> str:
        """Path of a table of people: in the current folder if it is there, otherwise in that of the repository."""
        return name if os.path.exists(name) else self.resource(name)
