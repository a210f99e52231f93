"""The container as far as it can be tried without an engine: its recipe, and how Snakemake calls Apptainer for a job."""

import os
import re
import subprocess
import tomllib

import pytest
from packaging.specifiers import SpecifierSet

from tests.workflow.study import ROOT, good

INSTRUCTION = re.compile(r"^([A-Z]+) (.*)$", re.MULTILINE)
# Says a version that Snakemake takes, notes the call, and runs outside what is to run inside: the last word, after -c.
APPTAINER = """#!/bin/sh
[ "$1" = --version ] && { echo "apptainer version 1.4.2"; exit; }
printf '%s\\n' "$*" >> "$NOTED"
for word; do command="$word"; done
exec bash -c "$command"
"""


@pytest.fixture(scope="module")
def recipe():
    return INSTRUCTION.findall((ROOT / "Containerfile").read_text(encoding="utf-8"))


def test_the_image_has_a_python_that_is_supported(recipe):
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    (image,) = [words for instruction, words in recipe if instruction == "FROM"]
    assert SpecifierSet(promised).contains(re.fullmatch(r"docker\.io/library/python:(3\.\d+)-slim", image)[1])


def test_the_image_has_the_packages_of_the_lock_with_their_hashes_and_then_the_source(recipe):
    assert {instruction for instruction, _ in recipe} <= {"FROM", "COPY", "RUN", "WORKDIR", "CMD"}
    copied = [words.split() for instruction, words in recipe if instruction == "COPY"]
    assert copied == [["requirements.lock", "/opt/disclosure/requirements.lock"], [".", "/opt/disclosure"]]
    lock, package = [words for instruction, words in recipe if instruction == "RUN"]
    assert lock.endswith("--require-hashes -r /opt/disclosure/requirements.lock")
    assert package.endswith("--no-deps --no-build-isolation -e /opt/disclosure")


def test_make_builds_it_from_the_files_of_a_commit():
    lines = good(
        subprocess.run(["make", "--dry-run", "container"], cwd=ROOT, capture_output=True, text=True)
    ).stdout.splitlines()
    assert "git archive HEAD | tar -x -C build/container/context" in lines
    assert any(line.startswith("podman build --file build/container/context/Containerfile ") for line in lines)


def test_jobs_run_in_the_container_when_asked_to(study, tmp_path):
    stand_in, noted = tmp_path / "bin/apptainer", tmp_path / "noted"
    stand_in.parent.mkdir()
    stand_in.write_text(APPTAINER, encoding="utf-8")
    stand_in.chmod(0o755)
    environment = study.environment
    environment |= {"NOTED": str(noted), "PATH": f"{stand_in.parent}{os.pathsep}{environment['PATH']}"}
    made = "results/figure1/calibration.csv"
    command = study.command(made, "--sdm", "apptainer")
    good(subprocess.run(command, env=environment, cwd=study.folder.parent, capture_output=True, text=True))
    (call,) = noted.read_text(encoding="utf-8").splitlines()
    assert call.startswith(f"exec --home {study.folder} ")
    assert " disclosure.sif bash -c " in call
    assert "python -m disclosure.workflow calibrate " in call
    assert (study.folder / made).exists()


def test_conda_has_nothing_to_deploy(study):
    assert study.planned("results/case_control.csv", "--sdm", "conda") == {"adversaries": 1}
