"""An archive of a small study, packed, unpacked elsewhere and checked; without the packages, which a test has anyway."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.parse

import pytest
import yaml

from disclosure.workflow.archive import results, verify
from tests.workflow.study import ROOT, TINY, Study, copy_repository, good

SETTINGS = {
    **{name: value for name, value in TINY.items() if not isinstance(value, dict)},
    "sweeps": {"figure1": {"population": 100, "delta": 0.1, **TINY["sweeps"]["figure1"]}},
    "beyond": {},
    "tables": {},
    "open_questions": {},
}
GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
SUMMARY = "results/figure1/summary.csv"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A checkout with results of its own configuration."""
    home = copy_repository(tmp_path_factory.mktemp("archive") / "home")
    for name in (".git_archival.txt", ".gitattributes", ".gitignore", "CITATION.cff", "pyproject.toml"):
        shutil.copy(ROOT / name, home)
    settings = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8"))
    (home / "config.yaml").write_text(yaml.safe_dump({**settings, **SETTINGS}), encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        good(subprocess.run([*GIT, *words], cwd=home, capture_output=True, text=True))
    Study(home, home).run("report")
    return home


def archive(home, *words):
    environment = Study(home, home).environment
    command = [sys.executable, "-m", "disclosure.workflow.archive", *map(str, words)]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def packed(home):
    good(archive(home, "pack", "--output", home / "build/one.tar.gz", "--without-wheels"))
    return home / "build/one.tar.gz"


@pytest.fixture
def unpacked(packed, tmp_path):
    with tarfile.open(packed) as file:
        file.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    return folder


def test_an_archive_checks_itself_and_makes_a_figure_again(unpacked, monkeypatch):
    assert verify.differences(unpacked) == ([], [], [])
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    python = pathlib.Path(sys.executable)
    assert verify.remake(unpacked, "figures/figure1.svg", python) == []
    again = verify.differences(unpacked)
    assert (again.missing, again.additional) == ([], [])
    # New are the notes and the logs of the two jobs alone, with their times.
    assert {name.rpartition("/")[0] for name in again.changed} == {
        ".snakemake/metadata",
        "results/logs/aggregate",
        "results/logs/figure",
    }


def test_the_same_results_make_the_same_bytes_without_a_name_of_this_machine(home, packed):
    for path in (home / "results").rglob("*.csv"):
        os.utime(path)
    good(archive(home, "pack", "--output", home / "build/two.tar.gz", "--without-wheels"))
    assert packed.read_bytes() == (home / "build/two.tar.gz").read_bytes()
    with tarfile.open(packed) as file:
        names = [member.name.partition("/")[2] for member in file.getmembers() if member.isfile()]
        assert {"report.html", "verify.py", "ARCHIVE.md", "codecheck.yml", "ro-crate-metadata.json"} <= set(names)
        assert {
            "requirements.lock",
            "src/disclosure/__init__.py",
            *(result.name for result in results.found(home)),
        } <= set(names)
        for member in file.getmembers():
            if member.isfile() and "/tests/" not in member.name:
                assert str(home).encode() not in file.extractfile(member).read(), member.name
        crate = json.load(file.extractfile("disclosure-0.1.0/ro-crate-metadata.json"))
    listed = {urllib.parse.unquote(entity["@id"]) for entity in crate["@graph"]}
    assert {name for name in names if name not in ("MANIFEST.sha256", "ro-crate-metadata.json")} <= listed


def test_what_is_missing_or_not_committed_makes_no_archive(home, packed):
    output = home / "build/none.tar.gz"
    (home / SUMMARY).rename(home / "build/kept.csv")
    run = archive(home, "pack", "--output", output)
    (home / "build/kept.csv").rename(home / SUMMARY)
    assert run.returncode == 2
    assert "missing, or made by other code or settings than those of this folder" in run.stderr
    text = (home / "config.yaml").read_text(encoding="utf-8")
    (home / "config.yaml").write_text(f"{text}# other\n", encoding="utf-8")
    run = archive(home, "pack", "--output", output)
    (home / "config.yaml").write_text(text, encoding="utf-8")
    assert run.returncode == 2
    assert "files differ from the last commit" in run.stderr
    assert not output.exists()
