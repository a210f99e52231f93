"""What a run makes: the sweeps of a configuration, their shards, and the names of all files."""

from disclosure.plots.kinds import KINDS
from disclosure.workflow import sweeps
from disclosure.workflow.sweeps import GROUPS, sweep_points

__all__ = ["ODDS_FIGURES", "PRINTED_SWEEPS", "TAKEN", "Plan"]

PRINTED_SWEEPS = ("figure1", "figure2", "figure3", "figure3_at_095")  # those that paper A prints numbers of
ODDS_FIGURES = ("odds_risk_profile", "epsilon_by_prior_odds", "case_control_release")
TABLES = ("case_control", "study_design")
PAGES = ("claims", "provenance")
# Names that no sweep may have: its files would take the place of others, or of a folder.
TAKEN = frozenset({*ODDS_FIGURES, *TABLES, *PAGES, "logs", "report"})


class Plan:
    """Files and shards that follow from a checked configuration.

    Parameters
    ----------
    settings : dict
        As `disclosure.workflow.config.check` returns it.

    Attributes
    ----------
    settings : dict
    points : dict of str to list of Point
        The sweeps and their points.
    releases, method : dict of str to int, dict of str to str
        Releases per dataset, and how they are drawn, in the stages ``simulate`` and ``verify``.
    """

    def __init__(self, settings):
        self.settings = settings
        self._entries = {name: entry for group in GROUPS for name, entry in settings[group].items()}
        self.points = {name: sweep_points(entry) for name, entry in self._entries.items()}
        self.releases = {"simulate": settings["releases"], "verify": settings["verify_releases"]}
        self.method = {"simulate": settings["method"], "verify": "literal"}

    @property
    def sweeps(self):
        """Names of the papers' sweeps."""
        return list(self.settings["sweeps"])

    def entry(self, sweep):
        """The entry of a sweep in the configuration."""
        return self._entries[sweep]

    def wildcards(self):
        """What the wildcards in the names of files stand for, as regular expressions."""
        return {
            "sweep": "|".join(self.points),
            "table": "|".join(self.tables) or "(?!)",
            "stage": "|".join(self.releases),
            "odds_figure": "|".join(ODDS_FIGURES),
            "shown": "|".join((*self.points, *ODDS_FIGURES, *TABLES)),
            "point": r"\d+",
            "shard": r"\d+",
            "variant": "|_exact",
        }

    def everything(self):
        """All files that are made without being asked for by name."""
        files = [*self.per_sweep("summary.csv"), *self.figures(), *self.odds_files()]
        return [*files, "results/published.csv", "results/provenance.json"]

    def figures(self, variant=""):
        """Figures of the papers' sweeps; the variant ``_exact`` has no releases, and leaves out sweeps of releases alone."""
        entries = self.settings["sweeps"].items()
        names = [sweep for sweep, entry in entries if not variant or entry["upper_limit"] or entry["expect"]]
        return self._figures(names, variant)

    def beyond(self):
        """Tables and figures of the sweeps past the papers' limits."""
        names = list(self.settings["beyond"])
        return [*(f"results/{sweep}/summary.csv" for sweep in names), *self._figures(names), "results/study_design.csv"]

    def _figures(self, names, variant=""):
        # A single point makes no figure.
        drawn = [sweep for sweep in names if len(self.points[sweep]) > 1]
        return [f"figures/{sweep}{variant}.{kind}" for sweep in drawn for kind in KINDS]

    def odds_files(self):
        """Table and figures of paper B."""
        return ["results/case_control.csv", *(f"figures/{name}.{kind}" for name in ODDS_FIGURES for kind in KINDS)]

    def shown(self, name):
        """The figure and the table, or one of them, that a page of the report shows."""
        if name in TABLES:
            return {"table": f"results/{name}.csv"}
        figure = {"figure": f"figures/{name}.svg"} if name in ODDS_FIGURES or len(self.points[name]) > 1 else {}
        return figure if name in ODDS_FIGURES else {**figure, "table": f"results/{name}/summary.csv"}

    def pages(self):
        """All pages of the report."""
        names = [*self.points, *ODDS_FIGURES, *TABLES, *PAGES]
        return [f"results/report/{name}.html" for name in names]

    def per_sweep(self, name):
        """A file of this name for each of the papers' sweeps."""
        return [f"results/{sweep}/{name}" for sweep in self.sweeps]

    def upper_limits(self, sweep):
        """Files of the exact probabilities of a sweep."""
        return [
            f"results/{sweep}/upper_limit/{shard}.csv"
            for shard in range(self._shards("datasets", self._datasets_per_job))
        ]

    def upper_limit_range(self, shard):
        """The datasets of one shard of the exact probabilities."""
        return self._range(shard, "datasets", self._datasets_per_job)

    def simulated(self, sweep, stage):
        """Files of all releases of a sweep."""
        shards = range(self._shards("datasets", self._datasets_per_simulation(stage)))
        points = range(len(self.points[sweep]))
        return [f"results/{sweep}/{stage}/{point:03d}/{shard}.csv" for point in points for shard in shards]

    def simulation_range(self, stage, shard):
        """The datasets of one shard of releases."""
        return self._range(shard, "datasets", self._datasets_per_simulation(stage))

    def expected(self, sweep):
        """Files of the expected values of a sweep."""
        shards = range(sweeps.shards(len(self.points[sweep]), self.settings["points_per_job"]))
        return [f"results/{sweep}/expected/{shard}.csv" for shard in shards]

    def expected_range(self, sweep, shard):
        """The points of one shard of the expected values."""
        return sweeps.shard_range(int(shard), len(self.points[sweep]), self.settings["points_per_job"])

    def compared(self):
        """Summaries of the sweeps that are held against printed numbers."""
        return [f"results/{sweep}/summary.csv" for sweep in self._printed()]

    def replications(self):
        """Files of all replications of these sweeps."""
        shards = range(self._shards("replications", self.settings["replications_per_job"]))
        return [f"results/{sweep}/replicate/{shard}.csv" for sweep in self._printed() for shard in shards]

    def _printed(self):
        return [sweep for sweep in self.sweeps if sweep in PRINTED_SWEEPS]

    def replication_range(self, shard):
        """The replications of one shard."""
        return self._range(shard, "replications", self.settings["replications_per_job"])

    @property
    def tables(self):
        """Names of the sweeps over a table of people."""
        return list(self.settings["tables"])

    def steward(self):
        """Tables and figures of the sweeps over a table of people."""
        return [*(f"results/{sweep}/summary.csv" for sweep in self.tables), *self._figures(self.tables)]

    def query(self, sweep):
        """Options that name what a sweep over a table releases; none for another sweep."""
        if sweep not in self.tables:
            return []
        return ["--query", self.entry(sweep)["query"], "--columns", *self.entry(sweep)["columns"]]

    def reading(self, sweep):
        """Options that tell how a table is read, beside its columns."""
        entry = self.entry(sweep)
        return [
            *(["--weights", entry["weights"]] if "weights" in entry else []),
            *(["--clip"] if entry["clip"] else []),
        ]

    def attributes(self, sweep):
        """Where the attributes of a sweep's people come from."""
        return "table" if sweep in self.tables else self.entry(sweep)["attributes"]

    def datasets(self, sweep):
        """Sampled datasets of each point, or of each target of a table."""
        return self.entry(sweep)["datasets"] if sweep in self.tables else self.settings["datasets"]

    def targets(self, sweep):
        """How many people of a table are looked at."""
        return self.entry(sweep)["targets"]

    def exposed(self, sweep):
        """Files of the exposure of all targets of a sweep over a table."""
        shards = range(sweeps.shards(self.targets(sweep), self._targets_per_job(sweep)))
        points = range(len(self.points[sweep]))
        return [f"results/{sweep}/exposure/{point:03d}/{shard}.csv" for point in points for shard in shards]

    def exposure_range(self, sweep, shard):
        """The targets of one shard of the exposure."""
        return sweeps.shard_range(int(shard), self.targets(sweep), self._targets_per_job(sweep))

    def aggregated(self, sweep, variant):
        """Inputs of a sweep's summary: what its entry asks for, without releases in the variant ``_exact``."""
        entry = self.entry(sweep)
        inputs = {"calibration": f"results/{sweep}/calibration.csv"}
        if sweep in self.tables:
            return {**inputs, "exposure": self.exposed(sweep)}
        if entry["upper_limit"]:
            inputs["upper_limit"] = self.upper_limits(sweep)
        if entry["simulate"] and not variant:
            inputs["simulate"] = self.simulated(sweep, "simulate")
        if entry["expect"]:
            inputs["expected"] = self.expected(sweep)
        return inputs

    def _targets_per_job(self, sweep):
        return self.entry(sweep)["targets_per_job"]

    @property
    def _datasets_per_job(self):
        return self.settings["datasets_per_job"]

    def _datasets_per_simulation(self, stage):
        return self.settings["releases_per_job"] // self.releases[stage]

    def _shards(self, unit, per_job):
        return sweeps.shards(self.settings[unit], per_job)

    def _range(self, shard, unit, per_job):
        return sweeps.shard_range(int(shard), self.settings[unit], per_job)
