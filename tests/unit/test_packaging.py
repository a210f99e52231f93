"""Ranges, lock and metadata stay in step, and nothing names a host of packages."""

import pathlib
import re
import tomllib

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import disclosure

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The same package under its conda name; extras are packages of their own there.
CONDA_NAMES = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
# At the top level of version 1.2.0 of the Citation File Format.
CITATION_FIELDS = {
    "abstract",
    "authors",
    "cff-version",
    "commit",
    "contact",
    "date-released",
    "doi",
    "identifiers",
    "keywords",
    "license",
    "license-url",
    "message",
    "preferred-citation",
    "references",
    "repository",
    "repository-artifact",
    "repository-code",
    "title",
    "type",
    "url",
    "version",
}
CONDA_ONLY = {"python", "pip", "pygments"}


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements():
    settings = project()["project"]
    texts = settings["dependencies"] + [text for extra in settings["optional-dependencies"].values() for text in extra]
    return [Requirement(text) for text in texts]


def pins():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;\\]+)", lock, re.MULTILINE))


def test_the_conda_environment_has_the_ranges_of_the_project():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *of_conda, of_pip = environment["dependencies"]
    found = dict(re.fullmatch(r"([\w-]+) ?(.*)", text).groups() for text in [*of_conda, *of_pip["pip"]])
    names = {item: item.name.lower() for item in requirements()}
    expected = {CONDA_NAMES.get(name, name): item.specifier for item, name in names.items()}
    assert set(found) - CONDA_ONLY == set(expected)
    for name, specifier in expected.items():
        assert SpecifierSet(found[name]) == specifier, name
    assert SpecifierSet(found["python"]) == SpecifierSet(project()["project"]["requires-python"])


def test_the_lock_pins_every_requirement_within_its_range():
    pinned = pins()
    build = [Requirement(text) for text in project()["build-system"]["requires"]]
    for item in requirements() + build:
        assert item.specifier.contains(pinned[item.name.lower().replace("_", "-")]), item.name


def test_the_lock_has_hashes_and_no_address():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert not re.search(r"^\s*--(?!hash=)", lock, re.MULTILINE)
    blocks = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)
    assert all("--hash=sha256:" in block for block in blocks if "==" in block)


def test_numpy_and_scipy_are_pinned_once_for_all_pythons():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for name in ("numpy", "scipy", "matplotlib", "pandas"):
        assert len(re.findall(rf"^{name}==", lock, re.MULTILINE)) == 1, name


def test_the_version_stands_once_for_all():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert project()["project"]["version"] == disclosure.__version__ == citation["version"]
    assert f"## {disclosure.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_citation_has_fields_of_its_format_and_names_those_to_fill_in():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    page = (ROOT / "docs/publication.md").read_text(encoding="utf-8")
    citation = yaml.safe_load(text)
    assert {"cff-version", "message", "title", "authors"} <= set(citation) <= CITATION_FIELDS
    open_fields = re.findall(r"^# ([a-z-]+): ", text, re.MULTILINE)
    assert set(open_fields) == CITATION_FIELDS & {"repository-code", "date-released", "doi"} - set(citation)
    for field in [*open_fields, "[project.urls]"]:
        assert f"`{field}`" in page, field


def test_the_citation_names_both_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    values = {identifier["value"] for reference in citation["references"] for identifier in reference["identifiers"]}
    assert values == {"arXiv:2608.30473", "arXiv:2607.04004"}


def test_every_promised_python_is_tried_and_no_other():
    jobs = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8"))["jobs"]
    promised = SpecifierSet(project()["project"]["requires-python"])
    tried = jobs["package"]["strategy"]["matrix"]["python"]
    assert tried == [f"3.{minor}" for minor in range(100) if promised.contains(f"3.{minor}")]
    oldest = tried[0].replace(".", "")
    assert project()["tool"]["ruff"]["target-version"] == f"py{oldest}"
    assert project()["tool"]["mypy"]["python_version"] == tried[0]
    assert f"--python-version {tried[0]} " in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_checks_elsewhere_are_those_of_the_project():
    jobs = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8"))["jobs"]
    assert any("bash .ci/run" in step.get("run", "") for step in jobs["everything"]["steps"])
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert {repository["repo"] for repository in hooks} == {"local"}
    entries = " ".join(hook["entry"] for repository in hooks for hook in repository["hooks"])
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    tools = re.findall(r"\.venv/bin/(?:python )?(\S+(?: check| format)?)", lint)
    assert len(tools) > 4
    assert not [tool for tool in tools if tool not in entries]
