"""The models of the settings: what is made from them, what files tell about them, and anything at all in their place."""

import copy
import datetime
import difflib
import json
import math
import pathlib
import re
import subprocess
import sys
import time
from types import SimpleNamespace

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from disclosure.numerics import numerals
from disclosure.numerics.errors import DomainError
from disclosure.study.points import Point
from disclosure.workflow import stages, sweeps
from disclosure.workflow.config import ConfigError, check, description, files, read, work
from disclosure.workflow.config.models import Sweep, TableSweep
from disclosure.workflow.plan import Plan

ROOT = pathlib.Path(__file__).resolve().parents[3]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
ONE = {"population": 100, "sample": 90, "epsilon": 1.0, "delta": 0.1}
# Seconds of the processor; a check takes hundredths.
SOON = 5.0


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


def test_parameters_of_a_sweep_are_those_of_a_point():
    for model in (Sweep, TableSweep):
        assert {name for name, field in model.model_fields.items() if field.is_required()} >= set(Point._fields)


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


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("-12", -12), ("+1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("1e-3", 1e-3), ("1E+3", 1e3), ("010", 10)],
)
def test_numbers_are_read_from_text(text, number):
    assert repr(numerals.parsed(text)) == repr(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1\n",
        "1_0",
        "1:30",
        "0x1",
        "0b1",
        "0o7",
        "1.2.3",
        "e3",
        "1e",
        ".",
        "-",
        "inf",
        "nan",
        "1,5",
        "١",
        "1e1.5",
    ],
)
def test_no_other_text_is_a_number(text):
    assert numerals.parsed(text) is None


def test_more_digits_than_a_float_has_are_no_whole_number():
    assert numerals.parsed("9" * 5000) is None


def test_keys_that_stand_twice_are_named_with_their_lines(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "a: 1\nb: {c: 1, c: 2}\nd: &d {e: 1}\nf: {<<: *d, e: 2}\ng:\n- {h: 1, h: 2}\na: 3\n'a': 4\n", "utf-8"
    )
    assert list(files.duplicate_keys(path)) == [("a", 1, 7), ("a", 7, 8), ("b.c", 2, 2), ("g.0.h", 6, 6)]
    path.write_text('{\n\t"seed": 1,\n\t"seed": 2\n}', encoding="utf-8")
    assert list(files.duplicate_keys(path)) == [("seed", 2, 3)]
    with pytest.raises(ConfigError, match=r"^seed stands in lines 2 and 3 of .*mine\.yaml; allowed: every key once$"):
        check(PUBLISHED, files=[path])


@pytest.mark.parametrize(
    "text", ["a: [", "\0", "- *a", "[" * 1000, "", "1", "a: &a [*a]", "? [a, b]\n: 1", "a: !!python/none", "a: 0x_"]
)
def test_a_file_that_is_no_configuration_is_left_to_its_reader(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    for found in (files.duplicate_keys, files.misread_numbers, files.empty_mappings):
        assert list(found(path)) == []
        assert list(found(tmp_path / "missing.yaml")) == []


def test_numbers_that_yaml_misreads_are_refused(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "a: 1_80\nb: {c: [1, 1:30]}\nd: 010\ne: 0x10\nf: 1.5\ng: 1.0e+3\nh: '1_80'\ni: .inf\nj: 9\n", "utf-8"
    )
    assert list(files.misread_numbers(path)) == [
        (("a",), "1_80", 180),
        (("b", "c", 1), "1:30", 90),
        (("d",), "010", 8),
        (("e",), "0x10", 16),
    ]
    # The same numbers under keys that are not of this configuration are none of its business.
    check(PUBLISHED, files=[path])
    path.write_text("sweeps: {figure1: {sample: [90, 1:35]}}\n", encoding="utf-8")
    config = {**PUBLISHED, "sweeps": {"figure1": {**ONE, "sample": [90, 95]}}}
    with pytest.raises(
        ConfigError, match=r"^sweeps\.figure1\.sample\.1 = 1:35 in .*mine\.yaml, which YAML reads as 95; allowed"
    ):
        check(config, files=[path])


def test_a_mapping_that_merging_loses_is_refused(tmp_path):
    mine, base = tmp_path / "mine.yaml", tmp_path / "config.yaml"
    mine.write_text("datasets: {}\n", encoding="utf-8")
    base.write_text("beyond: {}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"^datasets = \{\} changes nothing, 1000 stays; allowed: a value, or null"):
        check(PUBLISHED, files=[mine, base])
    with pytest.raises(ConfigError, match=r"^sweeps\.figure1\.delta = \{\} changes nothing, 0\.0794"):
        check(PUBLISHED, options={"sweeps": {"figure1": {"delta": {}}}})
    # The first file of all loses nothing.
    assert check(PUBLISHED, files=[base]) == check({**PUBLISHED, "tables": {}}, options={"tables": {}}) | {
        "tables": check(PUBLISHED)["tables"]
    }


def study(sweep=(), **changes):
    """One sweep of one point, sampled by nothing but releases."""
    one = {**ONE, "upper_limit": False, "expect": False, **dict(sweep)}
    return {**PUBLISHED, "sweeps": {"one": one}, "beyond": {}, "tables": {}, "verify_releases": 1, **changes}


def shards(plan, *parts, of=None):
    """Files of some stages for all of the papers' sweeps, or for those named."""
    sweeps = plan.group("sweeps") if of is None else of
    return [file for sweep in sweeps for stage in parts for file in stage.of_sweep(plan, sweep)]


def aggregated(plan):
    """Inputs of the summary of each sweep, by their names in the rule."""
    for sweep in plan.sweeps:
        job = SimpleNamespace(sweep=sweep, variant="")
        inputs = {name: need(plan, job) for name, need in stages.AGGREGATE.needs.items()}
        yield {name: files for name, files in inputs.items() if name != "calibration"}


def test_as_many_jobs_are_allowed_as_files_fit_into_a_command():
    config = study(releases=2, releases_per_job=2, datasets=work.MOST_FILES)
    assert len(shards(Plan(check(config)), stages.SIMULATE)) == work.MOST_FILES
    with pytest.raises(ConfigError, match=rf"releases_per_job = 2 makes {work.MOST_FILES + 1} jobs of simulate"):
        check({**config, "datasets": work.MOST_FILES + 1})


# Settings with far too many jobs, and the file lists of the plan that one command reads.
MANY = {
    "simulate": (study(releases_per_job=7_000_000, datasets=100_001, datasets_per_job=10**6), ("releases_per_job",)),
    "upper limit": (
        study({"upper_limit": True}, datasets=500_000_000, datasets_per_job=3, releases_per_job=10**15),
        ("datasets_per_job",),
    ),
    "verify": (study(verify_releases=999, releases=1, releases_per_job=1000, datasets=10**5), ("releases_per_job",)),
    "replications": (study(replications=10**8, replications_per_job=7), ("replications_per_job",)),
    "exposure": (
        {**PUBLISHED, "tables": {"davis": {**PUBLISHED["tables"]["davis"], "population": 10**9, "targets_per_job": 3}}},
        ("tables", "davis", "targets_per_job"),
    ),
    "a thousand million": (
        study(datasets=10**9, releases=1, releases_per_job=1, datasets_per_job=1),
        ("releases_per_job",),
    ),
}


@pytest.mark.parametrize("case", MANY)
def test_the_advice_about_too_many_jobs_is_enough(case):
    config, place = MANY[case]
    config = copy.deepcopy(config)
    for _ in range(4):
        started = time.process_time()
        try:
            plan = Plan(check(config))
        except ConfigError as error:
            message = str(error)
        else:
            break
        assert time.process_time() - started < SOON
        found = re.fullmatch(r"([\w.]+) = \d+ makes \d+ jobs of .*; allowed: (\d+) or more", message)
        *outer, last = found[1].split(".")
        entry = config
        for name in outer:
            entry = entry[name]
        entry[last] = int(found[2])
    commands = [[file for files in inputs.values() for file in files] for inputs in aggregated(plan)]
    commands += [shards(plan, stages.REPLICATE, of=plan.printed)]
    commands += [shards(plan, stages.UPPER_LIMIT, stages.SIMULATE_LITERAL)]
    assert max(map(len, commands)) <= work.MOST_FILES
    assert sum(map(len, commands)) <= 2 * work.MOST_JOBS
    changed = config
    for name in place:
        changed = changed[name]
    assert changed != MANY[case][0]


def test_many_sweeps_together_have_as_many_jobs_as_a_run_plans():
    sweeps = {f"sweep{number}": ONE for number in range(20)}
    config = {**study(), "sweeps": sweeps, "datasets": 18_000, "releases_per_job": 10**12}
    config = {**config, "datasets_per_job": 20, "verify_releases": 10**6}
    with pytest.raises(ConfigError, match=r"makes 900 jobs of simulate_literal for sweeps\.\w+, of \d+ in all"):
        check({**config, "datasets_per_job": 20, "releases_per_job": 2 * 10**7})


def test_a_sweep_of_releases_alone_has_no_figure_without_releases():
    plan = Plan(check(study({"epsilon": [0.5, 1.0]})))
    assert {f"figures/one.{kind}" for kind in ("pdf", "svg", "png")} <= set(stages.everything(plan))
    assert stages.exact(plan) == []


def test_no_other_file_of_a_run_has_the_name_of_a_sweep():
    plan = Plan({**check(PUBLISHED), "sweeps": {}, "beyond": {}, "tables": {}})
    paths = [*stages.everything(plan), *stages.pages(plan), *stages.beyond(plan), "results/logs/a/b.log"]
    figures_and_pages = {pathlib.Path(path).stem for path in paths if path.startswith(("figures/", "results/report/"))}
    folders = {pathlib.Path(path).parts[1] for path in paths if len(pathlib.Path(path).parts) > 2}
    assert figures_and_pages | folders == stages.taken()


@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        (math.inf, "epsilon = inf is outside (0, inf)"),
        ([1.0, math.nan], "epsilon = nan is outside (0, inf)"),
        (10**5000, "epsilon has 16610 bits"),
        ({"start": 1.0, "stop": math.inf, "points": 2}, "epsilon runs from 1.0 to inf; a range has finite ends"),
        ({"start": 1.0, "stop": 2.0, "points": 1e15}, "epsilon.points = 1000000000000000.0 is more than 10000"),
    ],
    ids=["inf", "nan", "huge", "range", "points"],
)
def test_points_are_finite_and_not_too_many(epsilon, words):
    with pytest.raises(DomainError, match=re.escape(words)):
        sweeps.points(100, 90, epsilon, 0.1)


def test_a_repeated_point_among_many_is_found_soon():
    started = time.process_time()
    with pytest.raises(DomainError, match=r"the point \(30000, 1, 1\.0, 0\.1\) stands twice"):
        sweeps.points([*range(1, 30_001), 30_000], 1, 1.0, 0.1)
    assert time.process_time() - started < SOON


def test_the_settings_are_typed():
    found = read(PUBLISHED)
    assert found.sweeps["figure1"].points[0] == Point(100, 90, 0.2, 10**-1.1)
    assert found.tables["davis"].targets == 200
    assert found.beyond["small_delta"].sampled == []
    assert isinstance(found.case_control.participants, int)


def test_no_command_imports_the_models():
    code = (
        "import importlib, pkgutil, sys\n"
        "from disclosure import cli\n"
        "from disclosure.workflow import jobs\n"
        "for package in (cli, jobs):\n"
        "    for name in package.COMMANDS: importlib.import_module(f'{package.__name__}.{name}')\n"
        "sys.exit(any(name.split('.')[0] == 'pydantic' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


KEYS = st.one_of(
    st.sampled_from(["start", "stop", "points", "figure1", "sample", "a list", "a range", "[key]", "logs", "<<"]),
    st.text(max_size=5),
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.dates(),
    st.tuples(st.integers()),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 300),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 1e15, 1e-308, 5e-324, -0.0, 1e308, 10**15, 1e16, 20_001.0]),
    st.floats(),
    st.floats(1e-3, 1),
    st.text(max_size=8),
    st.from_regex(r"[+-]?[0-9_:.]{1,4}(e[+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(
        ["true", "null", "1e-3", "0.5", "height_cm:50:210", "weight_kg:-1e999:7", ":1:2", "{start: 1}", "\n"]
    ),
    st.dates(),
    st.datetimes(),
    st.binary(max_size=3),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4), st.sets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


def places(config, place=()):
    """Where a value stands, at every depth."""
    yield place
    if isinstance(config, dict | list):
        for key in config if isinstance(config, dict) else range(len(config)):
            yield from places(config[key], (*place, key))


PLACES = [place for place in places(PUBLISHED) if place]
CHANGES = st.lists(st.tuples(st.sampled_from(PLACES), st.none() | KEYS, VALUES), min_size=1, max_size=3)


def put(config, place, key, value):
    """Put a value where another stands, or beside it under a key of its own; not at all where that is gone."""
    *outer, last = place
    for step in outer:
        inside = isinstance(config, dict) and step in config
        if not inside and not (isinstance(config, list) and isinstance(step, int) and step < len(config)):
            return
        config = config[step]
    if isinstance(config, dict):
        config[last if key is None else key] = value


def checked(config):
    """The settings, or the message of a refusal."""
    try:
        return check(config, folders=(ROOT,)), ""
    except ConfigError as error:
        return None, str(error)


@settings(max_examples=300)
@given(CHANGES)
def test_whatever_stands_in_a_configuration_it_is_refused_in_one_line_or_planned(changes):
    config = copy.deepcopy(PUBLISHED)
    for change in changes:
        put(config, *change)
    started = time.process_time()
    found, message = checked(config)
    if found is None:
        assert message.isprintable()
        assert len(message) < 1000
    else:
        plan = Plan(found)
        assert stages.everything(plan)
        assert stages.pages(plan)
        assert check(json.loads(json.dumps(found)), folders=(ROOT,)) == found
    assert time.process_time() - started < SOON


def test_whatever_was_checked_is_what_editors_accept(schema):
    values = [1, 2.0, "3", "4e0", [5.0, "6"], {"start": 1, "stop": "9", "points": 3.0}]
    for value in values:
        config = {**PUBLISHED, "sweeps": {"one": {**ONE, "sample": value}}}
        assert schema.is_valid(check(config)), value


def test_a_date_is_no_number():
    with pytest.raises(ConfigError, match=r"^seed = datetime\.date\(2020, 1, 2\); allowed: a whole number"):
        check({**PUBLISHED, "seed": datetime.date(2020, 1, 2)})
