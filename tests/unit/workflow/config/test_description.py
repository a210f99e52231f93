"""The page and the schema that are made from the models."""

import difflib
import pathlib
import re

import jsonschema
import pytest
import yaml

from disclosure.workflow.config import ConfigError, check, description
from disclosure.workflow.config.models import Sweep, TableSweep

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
ONE = {"population": 100, "sample": 90, "epsilon": 1.0, "delta": 0.1}


@pytest.mark.parametrize("name", sorted(description.files()))
def test_what_is_made_from_the_models_is_up_to_date(name):
    expected = description.files()[name].splitlines()
    found = (ROOT / name).read_text(encoding="utf-8").splitlines()
    difference = "\n".join(
        difflib.unified_diff(found, expected, name, "python -m disclosure.workflow.config", lineterm="")
    )
    assert not difference, difference


def test_the_page_has_every_key_once():
    page = description.page()
    keys = [*PUBLISHED, *PUBLISHED["study_design"], *PUBLISHED["odds_risk_profile"], *PUBLISHED["case_control"]]
    assert [key for key in keys if f"| `{key}` |" not in page] == []
    for model, title in ((Sweep, "A sweep"), (TableSweep, "A sweep over a table of people")):
        section = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(model.model_fields)
    assert [row for row in page.splitlines() if row.startswith("| `") and row.count(" | ") != 4] == []


@pytest.fixture(scope="module")
def schema():
    content = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


def test_editors_accept_the_published_configuration_with_and_without_its_defaults(schema):
    assert schema.is_valid(PUBLISHED)
    assert schema.is_valid(check(PUBLISHED))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dataset", 10),
        ("datasets", 0),
        ("datasets", 1.5),
        ("datasets", 2e15),
        ("method", "exact"),
        ("study_design", {}),
        ("odds_risk_profile", {"knots": [[0, 1, 2]]}),
        ("sweeps", {"Figure": None}),
        ("sweeps", {"a" * 41: None}),
        ("sweeps", {"one": {**ONE, "delta": 0}}),
        ("sweeps", {"one": {**ONE, "delta": []}}),
        ("sweeps", {"one": {**ONE, "delta": {"start": 0.1, "stop": 2, "points": 3}}}),
        ("sweeps", {"one": {**ONE, "sample": {"start": 1.5, "stop": 2, "points": 3}}}),
        ("sweeps", {"one": {**ONE, "expect": "true"}}),
        ("tables", {"one": {**PUBLISHED["tables"]["davis"], "columns": []}}),
        ("tables", {"one": {**PUBLISHED["tables"]["davis"], "query": "median"}}),
    ],
    ids=str,
)
def test_editors_refuse_what_a_run_refuses(schema, key, value):
    config = {**PUBLISHED, key: value}
    assert not schema.is_valid(config)
    with pytest.raises(ConfigError):
        check(config)


def test_whatever_was_checked_is_what_editors_accept(schema):
    values = [1, 2.0, "3", "4e0", [5.0, "6"], {"start": 1, "stop": "9", "points": 3.0}]
    for value in values:
        config = {**PUBLISHED, "sweeps": {"one": {**ONE, "sample": value}}}
        assert schema.is_valid(check(config)), value
