"""The tiny study in a folder of its own, run through a cluster profile as docs/cluster.md has it typed."""

import dataclasses
import re
import subprocess
from typing import NamedTuple

import yaml

from tests.workflow import study

# Paper B's figures, which take longest, are light rules that no cluster sees.
EVERYTHING = ("figures/figure1.pdf", "results/published.csv", "results/provenance.json")
SWEEP = {"epsilon": [0.5, 1.0, 1.5]}
# Added to the copied simulate.py. `check_range` is called when the job owns its output and has computed nothing yet.
OBSTACLES = '''

import pathlib
import time

from disclosure.numerics.errors import DomainError


def check_range(arguments, check=check_range):
    """What a test wants jobs to meet: each obstacle is a file in the working folder that names the points."""
    for obstacle in pathlib.Path().glob("obstacle.*"):
        if str(arguments.point) in obstacle.read_text(encoding="utf-8").split():
            if obstacle.suffix == ".hungry":
                ballast = b"x" * (900 << 20)
                time.sleep(4)
                del ballast
            if obstacle.suffix == ".broken":
                raise DomainError("broken on purpose")
            while obstacle.suffix == ".held" and obstacle.exists():
                time.sleep(0.1)
    check(arguments)
'''


class Job(NamedTuple):
    """What Slurm remembers of a job; times have the form 2026-01-31T23:59:59 and sort as texts."""

    number: int
    name: str
    state: str
    memory: str
    started: str
    ended: str
    comment: str


@dataclasses.dataclass(frozen=True)
class ClusterStudy(study.Study):
    """A copy of the repository that is its own working folder; ``profile`` is the folder's name under profiles/."""

    profile: str = "default"
    options: tuple[str, ...] = ()

    @classmethod
    def prepare(cls, folder):
        """Copy the repository, with the tiny study in config.yaml and obstacles to place."""
        study.copy_repository(folder)
        path = folder / "config.yaml"
        published = yaml.safe_load(path.read_text(encoding="utf-8"))
        sweeps = {"figure1": {**published["sweeps"]["figure1"], **SWEEP}}
        path.write_text(yaml.safe_dump({**published, **study.TINY, "sweeps": sweeps}), encoding="utf-8")
        with (folder / "src/disclosure/workflow/jobs/simulate.py").open("a", encoding="utf-8") as file:
            file.write(OBSTACLES)
        return cls(folder, folder)

    def command(self, *arguments):
        cores = ["--cores", "2"] if self.profile == "default" else self.options
        profile = ["--workflow-profile", f"profiles/{self.profile}"]
        return ["env", "--chdir", str(self.folder), self.python, "-m", "snakemake", *arguments, *profile, *cores]

    def attempt(self, *arguments):
        return subprocess.run(
            self.command(*arguments), env=self.environment, capture_output=True, text=True, timeout=600
        )

    def start(self, *arguments):
        return super().start(*arguments)

    def shell(self, line):
        """Run a line as if it were typed in the folder."""
        return subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def place(self, obstacle, *points):
        self._obstacle(obstacle).write_text(" ".join(map(str, points)), encoding="utf-8")

    def remove(self, obstacle):
        self._obstacle(obstacle).unlink()

    def _obstacle(self, name):
        return self.folder / f"obstacle.{name}"

    def jobs(self):
        """All jobs that this folder has ever had in Slurm's queue."""
        fields = "%A|%Z|%j|%T|%m|%S|%e|%k"
        lines = subprocess.run(
            ["squeue", "--states", "all", "--noheader", "--format", fields], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        rows = [line.split("|") for line in lines]
        return [Job(int(row[0]), *row[2:]) for row in rows if row[1] == str(self.folder)]

    def alive(self):
        return [job for job in self.jobs() if job.state in ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING")]

    def markers(self):
        """Outputs that a job has been submitted for and that Snakemake does not know to be whole."""
        return list((self.folder / ".snakemake/incomplete").glob("*"))


def documented(heading):
    """The commands of the block of shell code under a heading of docs/cluster.md."""
    text = (study.ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    section = re.split(r"^#+ ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return re.search(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[1].splitlines()
