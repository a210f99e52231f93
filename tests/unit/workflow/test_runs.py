"""Where a run's source comes from, and the lock that keeps runs apart."""

import fcntl
import io
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tarfile
import threading

import pytest
from snakemake.cli import get_argument_parser

from disclosure.workflow import looking, run_lock, runs

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A git checkout with one commit, whatever the settings of the user are."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "file").write_text("text", encoding="utf-8")
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "file"], [*name, "commit", "-q", "-m", "A file"]):
        subprocess.run(["git", "-C", folder, *command], check=True)
    return folder


def test_the_commit_is_that_of_the_checkout_and_says_if_files_differ(checkout):
    command = ["git", "-C", checkout, "rev-parse", "HEAD"]
    head = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert runs.commit(checkout) == head
    (checkout / "file").write_text("another text", encoding="utf-8")
    assert runs.commit(checkout) == f"{head}-dirty"


def test_packed_source_has_its_commit_in_a_file_wherever_it_is_unpacked(checkout):
    for name in (".git_archival.txt", ".gitattributes"):
        shutil.copy(ROOT / name, checkout)
    assert runs.commit(checkout).endswith("-dirty") is False  # files that git does not know count as none
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["add", "."], [*name, "commit", "-q", "-m", "Its name"]):
        subprocess.run(["git", "-C", checkout, *command], check=True)
    head = runs.commit(checkout)
    packed = subprocess.run(["git", "-C", checkout, "archive", "HEAD"], capture_output=True, check=True).stdout
    within = checkout / "within"  # another checkout, which is none of the source's
    within.mkdir()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(within, filter="data")
    (checkout / "file").write_text("another text", encoding="utf-8")
    assert runs.commit(within) == head


def test_an_unknown_commit_says_why(checkout, tmp_path, monkeypatch):
    assert runs.commit(tmp_path) == "unknown: no git checkout"
    if os.geteuid() == 0:
        os.chown(checkout, 12345, 12345)
        os.chown(checkout / ".git", 12345, 12345)
        assert runs.commit(checkout) == "unknown: the checkout belongs to somebody else"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert runs.commit(checkout) == "unknown: git is not installed"


def test_a_second_lock_waits_for_the_first(tmp_path, capsys):
    path = tmp_path / "folder" / "lock"
    first = run_lock.take(path)
    taken = queue.Queue()
    second = threading.Thread(target=lambda: taken.put(run_lock.take(path)))
    second.start()
    with pytest.raises(queue.Empty):
        taken.get(timeout=0.5)
    first.close()
    taken.get(timeout=10).close()
    second.join()
    assert capsys.readouterr().err == "another run works in this folder; waiting for it to end\n"
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody has it any more


@pytest.mark.parametrize(
    ("line", "only"),
    [
        ("--cores 2", False),
        ("figures/figure1.pdf --cores 2 --config seed=1", False),
        ("report --report report.html --report-after-run --cores 2", False),
        ("--report report.html", True),
        ("-np", True),
        ("--dry-run --cores 2", True),
        ("-l", True),
        ("-S", True),
        ("--dag", True),
        ("--touch --cores 1", True),
        ("--lint", True),
    ],
)
def test_a_call_that_only_looks_is_told_from_a_run(line, only, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["snakemake", *line.split()])
    assert looking.looks(looking.options(get_argument_parser())) is only


@pytest.mark.parametrize(
    ("target", "dropped"),
    [
        ("figures/households.pdf", "open_questions.households"),
        ("results/households.csv", "open_questions.households"),
        ("results/figure3/summary.csv", "sweeps.figure3"),
        ("figures/figure2.pdf", None),
        ("households", None),
        ("", None),
    ],
)
def test_a_file_of_what_was_dropped_is_refused_with_the_reason(target, dropped):
    config = {"open_questions": {"households": None}, "sweeps": {"figure3": None}}
    if dropped is None:
        assert runs.plan(config, ROOT, [target]).dropped("households")
        return
    with pytest.raises(SystemExit) as caught:
        runs.plan(config, ROOT, ["figures/figure2.pdf", target])
    assert str(caught.value).startswith(f"{target}: {dropped} is null, and so dropped; ")


def test_a_module_of_a_hosted_repository_is_refused_in_one_line():
    home = "https://raw.githubusercontent.com/owner/disclosure/v1"
    with pytest.raises(SystemExit, match=r"^workflow: https://.* is no folder .* by its path$"):
        runs.plan({}, home)
