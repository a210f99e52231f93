"""A study small enough for a test, run by the real Snakemake in a folder of its own."""

import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import yaml

from disclosure.workflow.questions import QUESTIONS
from tests.workflow import forks

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config", "config.yaml", "docs", "profiles", "requirements.lock", "resources", "src", "workflow")
TINY = {
    "datasets": 6,
    "releases": 1000,
    "verify_releases": 100,
    "releases_per_job": 6000,
    "datasets_per_job": 6,
    "replications": 4,
    "replications_per_job": 4,
    "sweeps": {
        "figure1": {"sample": 99, "epsilon": {"start": 0.2, "stop": 2.0, "points": 3}},
        "figure2": None,
        "figure3": {"delta": {"start": 0.4, "stop": 1.0, "points": 3}},
        "figure3_at_095": None,
    },
    # Those past the papers' limits that the article tells of; without them it says so.
    "beyond": dict.fromkeys(("small_delta", "large_epsilon_binary", "population_at_a_sample")),
    # The quickest of the questions stands for all.
    "open_questions": {
        **dict.fromkeys(QUESTIONS),
        "noise_by_profile": {"failures": [0.01], "prior_odds": [0.5, 1.0, 2.0]},
    },
}
TARGETS = ("paper", "all", "exact", "beyond", "open_questions", "steward", "report", "case_control")
# Every table and one figure of each rule that draws, which takes the time; the other figures differ in their numbers alone.
ONE_OF_EACH = (
    "results/provenance.json",
    "results/case_control.csv",
    "figures/figure1.pdf",
    "figures/case_control_release.pdf",
)
SHARDED = ("simulate", "upper_limit", "expected", "replicate")


def copy_repository(to, of=ROOT):
    """Copy what a run needs of the repository, so that tests may edit it and others may edit the original.

    Compiled modules come along, as each has the time of its source: a copy need not compile them again.
    """
    to.mkdir(parents=True)
    for name in PARTS:
        source = of / name
        if source.is_dir():
            shutil.copytree(source, to / name, symlinks=True)
        else:
            shutil.copy2(source, to / name)
    return to


def of_each(files):
    """Those of a study's files that belong to `ONE_OF_EACH`."""
    drawn = ("figures/figure1.", "figures/case_control_release.")
    return {name: file for name, file in files.items() if not name.startswith("figures/") or name.startswith(drawn)}


def copied(study, folder):
    """A copy of a finished study, in a folder, to go on from."""
    copy = dataclasses.replace(study, folder=folder / "work").configure()
    shutil.copytree(study.folder, copy.folder)
    return copy


def good(run):
    """A run that must have ended well."""
    assert run.returncode == 0, run.stdout + run.stderr
    return run


@dataclasses.dataclass(frozen=True)
class Study:
    """A working folder, beside a second configuration file, and the copy of the repository that fills it.

    If no test edits that copy, ``unedited``, its calls of Snakemake share the import of the package.
    """

    repository: pathlib.Path
    folder: pathlib.Path
    python: str = sys.executable
    unedited: bool = False

    @property
    def configfile(self):
        return self.folder.with_name(f"{self.folder.name}.yaml")

    def configure(self, **settings):
        """Write the second configuration file: the tiny study, with other ``settings``."""
        sweeps = {**TINY["sweeps"], **settings.pop("sweeps", {})}
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.configfile.write_text(yaml.safe_dump({**TINY, **settings, "sweeps": sweeps}), encoding="utf-8")
        return self

    def command(self, *arguments, **options):
        return [self.python, "-m", "snakemake", *self.words(*arguments, **options)]

    def words(self, *arguments, cores=2):
        """What comes after `snakemake` on a command line."""
        words = [*arguments, "--cores", cores, "-s", self.repository / "Snakefile", "-d", self.folder.name]
        return [
            str(word)
            for word in [*words, *(["--configfile", self.configfile.name] if self.configfile.exists() else [])]
        ]

    @property
    def source(self):
        return self.repository / "src"

    @property
    def environment(self):
        """Without settings from outside, with the copy's modules, and without the package's command on the path."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SNAKEMAKE_", "PYTHON"))}
        path = [
            folder for folder in kept["PATH"].split(os.pathsep) if not (pathlib.Path(folder) / "disclosure").exists()
        ]
        return {**kept, "PATH": os.pathsep.join(path), "PYTHONPATH": str(self.source)}

    @contextlib.contextmanager
    def start(self, *arguments, **options):
        """Start a run in a process group of its own, as a shell does."""
        with subprocess.Popen(
            self.command(*arguments, **options),
            env=self.environment,
            cwd=self.folder.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as run:
            try:
                yield run
            finally:
                if run.poll() is None:
                    os.killpg(run.pid, signal.SIGKILL)

    def attempt(self, *arguments, timeout=600, calls=None, **options):
        """Call Snakemake, whatever comes of it, by processes that share its imports: by default those of this interpreter."""
        calls = calls or forks.shared(self.python, self.source if self.unedited else None)
        return calls.call(self.words(*arguments, **options), self.environment, self.folder.parent, timeout)

    def run(self, *arguments, **options):
        """Run to the end, which must be a good one."""
        return good(self.attempt(*arguments, **options))

    def run_alone(self, *arguments, **options):
        """The same by a process of its own, as a person does."""
        return good(
            subprocess.run(
                self.command(*arguments, **options),
                env=self.environment,
                cwd=self.folder.parent,
                capture_output=True,
                text=True,
                timeout=600,
            )
        )

    def planned(self, *arguments):
        """How many jobs of each rule a run would execute."""
        run = self.run("--dry-run", *arguments)
        jobs = re.findall(r"^(\w+) +(\d+)$", run.stdout + run.stderr, re.MULTILINE)
        return {rule: int(count) for rule, count in jobs if rule not in (*TARGETS, "total")}

    def paths(self):
        """All files under results/ and figures/, those with temporary names as well."""
        tops = [self.folder / "results", self.folder / "figures"]
        return sorted(path for top in tops for path in top.rglob("*") if path.is_file())

    def temporary(self):
        return [path for path in self.paths() if path.name.startswith(".")]

    def state(self):
        """Which file stands under each name, and when it was written; logs tell which jobs were executed."""
        stats = {path: path.stat() for path in self.paths()}
        return {self.name(path): (stat.st_ino, stat.st_mtime_ns) for path, stat in stats.items()}

    def results(self):
        """The files that readers take for results."""
        return [path for path in self.paths() if not path.name.startswith(".") and "logs" not in path.parts]

    def files(self):
        """Bytes of every result."""
        return {self.name(path): path.read_bytes() for path in self.results()}

    def merged(self):
        """Bytes of the results, the shards of a stage as one table, without what names the configuration."""
        merged = {}
        for name, content in self.files().items():
            stage = next((stage for stage in SHARDED if f"/{stage}/" in name), None)
            if stage:
                merged.setdefault(name.rpartition("/")[0], set()).update(content.splitlines())
            elif name != "results/provenance.json":
                merged[name] = content
        return merged

    def name(self, path):
        return path.relative_to(self.folder).as_posix()
