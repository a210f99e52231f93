"""What the Snakemake Workflow Catalog asks of a workflow with standardized usage; `make lint` has its rules of style."""

import pathlib
import re
import tomllib

import yaml
from packaging.requirements import Requirement

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_workflow_has_the_layout_that_the_catalogue_searches_for():
    assert {"snakemake", "workflow"} <= set(re.findall(r"\w+", text("README.md").lower()))
    assert (ROOT / "workflow/Snakefile").is_file()
    assert {path.suffix for path in (ROOT / "workflow/rules").iterdir()} == {".smk"}
    includes = re.findall(r"^include: .*", text("Snakefile"), re.MULTILINE)
    assert includes == ['include: "workflow/Snakefile"']


def test_the_folder_config_leads_to_the_configuration():
    assert "(../config.yaml)" in text("config/README.md")
    # What snakedeploy copies for its users is the configuration itself, which stands once.
    assert (ROOT / "config/config.yaml").samefile(ROOT / "config.yaml")
    for link in re.findall(r"\]\(([^)]*)\)", text("config/README.md")):
        assert (ROOT / "config" / link).exists(), link


def test_the_usage_is_what_the_rules_say():
    usage = yaml.safe_load(text(".snakemake-workflow-catalog.yml"))["usage"]
    assert usage["report"] is True  # tests/report makes one
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow").rglob("*.smk"))
    conda = bool(re.search(r"^ *conda:", rules, re.MULTILINE))
    # A container that is a file of the user's own is none that Snakemake fetches.
    apptainer = bool(re.search(r"^ *container:\s*\S+://", rules + text("workflow/Snakefile"), re.MULTILINE))
    expected = {"conda": conda, "apptainer": apptainer, "apptainer+conda": conda and apptainer}
    assert usage["software-stack-deployment"] == expected


def test_the_oldest_snakemake_stands_once_for_all():
    extra = tomllib.loads(text("pyproject.toml"))["project"]["optional-dependencies"]["workflow"]
    (oldest,) = [item.version for item in Requirement(extra[0]).specifier if item.operator == ">="]
    assert re.findall(r'^min_version\("(.*)"\)', text("workflow/Snakefile"), re.MULTILINE) == [oldest]
