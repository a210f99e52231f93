"""Every command and every line of code in the README, CONTRIBUTING.md and docs/ is run as it stands, with a tiny study."""

import collections
import os
import re
import subprocess
import sys

import pytest
import yaml

from tests import check_published
from tests.workflow.study import ROOT, copy_repository

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CODE_OF_CONDUCT.md",
    "config/README.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:make|snakemake|disclosure) [^`]+)`", re.DOTALL)
LANGUAGES = {"sh", "python", "yaml", "snakemake"}  # the last is run by test_module.py

# Targets of make that .ci/run does not name, and why.
NOT_IN_CI = {
    "setup": "every other target begins with it",
    "report": "test-report begins with it",
    "article": "paper makes it",
    "test-long": "takes an hour",
    "bench": "measures, and decides nothing",
    "coverage": "measures, and decides nothing",
    "mutants": "takes hours, and somebody must judge what survives",
    "docs": "test-docs begins with it",
    "lock": "asks an index of packages",
    "container": "wants an engine of containers",
    "archive": "wants all results of `make report`; test_archive.py packs those of a small study",
    "verify-archive": "the same; test_archive.py checks what it has packed",
}
# Commands that want a cluster: tests/cluster runs those that start and recover a run, on a Slurm that it brings up.
CLUSTER = {"docs/cluster.md"}
CLUSTER_COMMANDS = (".venv/bin/snakemake --workflow-profile profiles/slurm",)
TINY = {
    "datasets": 4,
    "releases": 1000,
    "verify_releases": 100,
    "replications": 2,
    "sweeps": {
        "figure2": {"sample": [90, 97], "epsilon": 1.0, "delta": 0.1, "expect": False},
    },
    "beyond": {"binary": {"sample": 90, "epsilon": [1.0, 2.0], "delta": 0.1, "attributes": "binary"}},
    "tables": {"davis": {"epsilon": [0.5, 1.0], "targets": 5, "datasets": 2}},
    "open_questions": ("noise_by_profile", "households"),  # the quick ones
}


def text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, language):
    return [body for kind, body in BLOCK.findall(text(page)) if kind == language]


def commands(page):
    """The commands of a page, a continued line as one."""
    lines = "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def bare(command):
    """Without its comment and its spaces."""
    return re.sub(r"\s+", " ", command.partition(" #")[0]).strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the repository, its own working folder, with an environment in it and the files that the pages show."""
    folder = copy_repository(tmp_path_factory.mktemp("documented") / "repository")
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    settings = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    for group, keys in (("sweeps", {}), ("beyond", {"upper_limit": False, "simulate": False})):
        settings[group] = {name: {"population": 100, **keys, **entry} for name, entry in TINY[group].items()}
    settings["tables"]["davis"] |= TINY["tables"]["davis"]
    settings["open_questions"] = {name: settings["open_questions"][name] for name in TINY["open_questions"]}
    settings |= {name: value for name, value in TINY.items() if not isinstance(value, (dict, tuple))}
    (folder / "config.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    for page in PAGES:
        for body in blocks(page, "yaml"):
            name = re.match(r"# (\w+\.yaml)\n", body)
            assert name, f"{page}: a block of YAML begins with the name of its file:\n{body}"
            (folder / name[1]).write_text(body, encoding="utf-8")
    return folder


def run(folder, *command):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SNAKEMAKE_", "PYTHON"))}
    environment |= {"PATH": f"{folder}/.venv/bin:{environment['PATH']}", "PYTHONPATH": str(folder / "src")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("page", sorted(set(PAGES) - CLUSTER))
def test_commands_run(folder, page):
    for command in commands(page):
        if bare(command).startswith("make ") or bare(command) in CLUSTER_COMMANDS:
            continue
        result = run(folder, "sh", "-c", command)
        assert result.returncode == 0, f"{page}: {command}\n{result.stdout}{result.stderr}"


@pytest.mark.parametrize("page", PAGES)
def test_code_runs(folder, page):
    for body in blocks(page, "python"):
        if body.startswith("# src/"):  # a part of that file, which test_stages.py puts there
            continue
        result = run(folder, "python", "-W", "error", "-c", body)
        assert result.returncode == 0, f"{page}:\n{body}{result.stderr}"
        assert result.stdout


@pytest.mark.parametrize("page", PAGES)
def test_no_block_is_left_out(page):
    assert {kind for kind, _ in BLOCK.findall(text(page))} <= LANGUAGES
    assert text(page).count("```") == 2 * len(BLOCK.findall(text(page)))


@pytest.mark.parametrize("page", PAGES)
def test_targets_of_make_exist_and_are_run_by_ci(page):
    makefile = text("Makefile")
    run_by_ci = {word for line in text(".ci/run").splitlines() for word in make_targets(line.removeprefix("CI=1 "))}
    targets = {word for command in [*commands(page), *INLINE.findall(text(page))] for word in make_targets(command)}
    for target in targets:
        assert re.search(rf"^(?:[\w-]+ )*{target}(?: [\w-]+)*:", makefile, re.MULTILINE), f"{page}: make {target}"
        assert target in NOT_IN_CI or target in run_by_ci, f"{page}: make {target}"


def make_targets(command):
    words = bare(command).split()
    return [word for word in words[1:] if "=" not in word] if words[:1] == ["make"] else []


@pytest.mark.parametrize("page", PAGES)
def test_what_is_named_in_passing_is_run_too(page):
    run_somewhere = {bare(command) for page in PAGES for command in commands(page)}
    for command in map(bare, INLINE.findall(text(page))):
        if not command.startswith("make "):
            assert any(whole.startswith(command) for whole in run_somewhere), f"{page}: {command}"


def test_commands_for_a_cluster_are_those_of_its_tests():
    tested = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/cluster").glob("*.py"))
    assert 'documented("After a crash")' in tested
    assert '"--workflow-profile", f"profiles/{self.profile}"' in tested


@pytest.mark.parametrize("page", PAGES)
def test_links_and_pictures_are_there(page):
    for link, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text(page)):
        target = (ROOT / page).parent.joinpath(link) if link else ROOT / page
        assert target.exists(), f"{page}: {link}"
        assert not heading or heading in anchors(target.read_text(encoding="utf-8")), f"{page}: {link}#{heading}"


@pytest.mark.parametrize("page", PAGES)
def test_files_named_in_passing_are_there(page):
    for name in re.findall(r"`((?:src|docs|resources|tests|workflow)/[\w./*-]+)`", text(page)):
        assert any(ROOT.glob(name.rstrip("/"))), f"{page}: {name}"


def anchors(page):
    """Names that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_headline_numbers_are_those_of_the_published_page():
    headline = check_published.headline_rows(text("README.md"))
    assert len(headline) > 5
    assert list(check_published.headline_faults(text("docs/published.md"), headline)) == []


def test_the_findings_count_the_verdicts_of_the_published_page():
    judged = collections.Counter(
        row[-1] for row in check_published.table_rows(text("docs/published.md"), 7) if row[0].startswith("A.")
    )
    findings = " ".join(text("docs/findings.md").split())
    said = re.search(r"Of the (\d+) rows of paper A (\d+) agree, (\d+) deviate", findings)
    assert [int(number) for number in said.groups()] == [judged.total(), judged["agrees"], judged["deviates"]]
    assert judged["open"] == 0
