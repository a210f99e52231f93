"""The workflow as a module of somebody else's Snakefile."""

import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from tests.workflow import forks
from tests.workflow.study import ONE_OF_EACH, TINY, of_each

# What another project writes: one figure of it, from parameters of its own, beside a rule of its own.
OWN = """
module d:
    snakefile: "{snakefile}"
    config: config["disclosure"]


use rule * from d as d_*


rule all:
    default_target: True
    input:
        rules.d_all.input,
        "own.txt",


rule own:
    input:
        "figures/figure1.pdf",
    output:
        "own.txt",
    shell:
        "wc -c {{input}} > {{output}}"
"""
# What `snakedeploy deploy-workflow` writes into workflow/Snakefile, but for the address of the workflow. It copies config/.
DEPLOYED = """
from snakemake.utils import min_version

min_version("9.20")


configfile: "config/config.yaml"


module disclosure:
    snakefile: "{snakefile}"
    config: config


use rule * from disclosure
"""


def snakemake(repository, folder, *arguments):
    """Run Snakemake in a folder, without the profile and the command of the repository on the path."""
    command = [sys.executable, "-m", "snakemake", *arguments]
    return subprocess.run(command, env=environment(repository), cwd=folder, capture_output=True, text=True, timeout=600)


def look(repository, folder, *arguments):
    """A dry run in the same way, by a process that shares its imports with others."""
    calls = forks.shared(source=repository / "src")
    return calls.call(["--dry-run", *arguments], environment(repository), folder, 600)


def environment(repository):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SNAKEMAKE_", "PYTHON"))}
    return {**kept, "PYTHONPATH": str(repository / "src")}


@pytest.fixture
def own(repository, tmp_path):
    """Another project's folder, with settings for the workflow that leave most of them as published."""
    folder = tmp_path / "another project"
    folder.mkdir()
    snakefile = os.path.relpath(repository / "workflow/Snakefile", folder)
    settings = yaml.safe_dump({"disclosure": TINY})
    (folder / "config.yaml").write_text(settings, encoding="utf-8")
    text = 'configfile: "config.yaml"\n' + OWN.format(snakefile=snakefile)
    (folder / "Snakefile").write_text(text, encoding="utf-8")
    return folder


def files(folder):
    paths = [path for top in ("results", "figures") for path in (folder / top).rglob("*")]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and "logs" not in path.parts
    }


def test_another_snakefile_uses_the_workflow_as_a_module(repository, own, reference):
    everything = look(repository, own, "--cores", "2")
    for target in (*reference.files(), "own.txt"):
        assert target in everything.stdout + everything.stderr
    targets = ("own.txt", *ONE_OF_EACH, "--cores", "2")
    run = snakemake(repository, own, *targets)
    assert run.returncode == 0, run.stdout + run.stderr
    assert (own / "own.txt").exists()
    made, expected = files(own), of_each(reference.files())
    assert {name: made[name] for name in expected} == expected
    (own / "results/figure1/upper_limit/0.csv").unlink()
    again = snakemake(repository, own, "--cores", "2", "own.txt")
    assert again.returncode == 0, again.stderr
    assert files(own) == made
    assert "Nothing to be done" in look(repository, own, *targets).stdout


def test_the_documented_module_makes_one_figure_from_own_parameters(repository, own):
    page = (repository / "docs/reuse.md").read_text(encoding="utf-8")
    for kind, name in (("yaml", "own.yaml"), ("snakemake", "Snakefile")):
        (text,) = re.findall(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        (own / name).write_text(text, encoding="utf-8")
    (own / "disclosure").symlink_to(repository, target_is_directory=True)
    run = snakemake(repository, own, "--cores", "2")
    assert run.returncode == 0, run.stdout + run.stderr
    made = files(own)
    assert {pathlib.PurePath(name).parts[1].partition(".")[0] for name in made} == {"sixty_people"}
    rows = csv.DictReader(made["results/sixty_people/summary.csv"].decode().splitlines())
    shown = [(row["population"], row["epsilon"], row["datasets"], row["releases"]) for row in rows]
    assert shown == [("60", epsilon, "200", "1000000") for epsilon in ("0.5", "1.0", "2.0")]


def test_the_layout_of_snakedeploy(repository, tmp_path, reference):
    (tmp_path / "workflow").mkdir()
    shutil.copytree(repository / "config", tmp_path / "config")
    text = DEPLOYED.format(snakefile=repository / "workflow/Snakefile")
    (tmp_path / "workflow/Snakefile").write_text(text, encoding="utf-8")
    settings = yaml.safe_load((tmp_path / "config/config.yaml").read_text(encoding="utf-8"))
    for name, value in TINY.items():
        settings[name] = (
            value
            if not isinstance(value, dict)
            else {key: entry and {**settings[name][key], **entry} for key, entry in value.items()}
        )
    (tmp_path / "config/config.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    assert "all" in look(repository, tmp_path, "--list-target-rules").stdout.split()
    for target in ("all", "report"):
        run = look(repository, tmp_path, target)
        assert run.returncode == 0, run.stdout + run.stderr
    run = snakemake(repository, tmp_path, "--cores", "2", "case_control")
    assert run.returncode == 0, run.stdout + run.stderr
    assert files(tmp_path)["results/case_control.csv"] == reference.files()["results/case_control.csv"]


def test_a_mistake_in_the_configuration_of_a_module_is_one_line(repository, own):
    path = own / "config.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("datasets: 6\n", "datasets: -6\n"), encoding="utf-8")
    run = look(repository, own)
    assert run.returncode != 0
    assert "config: datasets = -6" in run.stderr
    assert "Traceback" not in run.stderr
