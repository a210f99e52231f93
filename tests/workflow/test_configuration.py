"""Configurations that no job can be run with stop a run before its first job, with one message."""

import copy
import datetime
import math
import time

import pytest
import yaml

from disclosure.workflow.config import ConfigError, check, read
from disclosure.workflow.plan import Plan
from disclosure.workflow.stages import everything, taken
from tests.workflow.study import ROOT

PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
WHOLE = "a whole number of at least 1"
PEOPLE = "a whole number of at least 2"
PROBABILITY = "a number above 0 and at most 1"
NEWS = ("Using workflow specific profile", "Creating specified working directory", "Config file")
RANGE = {"start": 0.2, "stop": 2.0, "points": 3}
FIGURE = PUBLISHED["sweeps"]["figure1"]
NO_STAGES = {"upper_limit": False, "simulate": False, "expect": False}
# Seconds of the processor; a check takes hundredths.
SOON = 5.0


def repeated(times):
    """A list that anchors of YAML repeat to more values than any memory holds."""
    value = [1.0]
    for _ in range(times):
        value = [value, value]
    return value


def endless():
    """A list that an anchor of YAML puts into itself."""
    value = []
    value.append(value)
    return value


def changed(key, value):
    """The published configuration with another value under a key."""
    config = copy.deepcopy(PUBLISHED)
    *outer, last = key.split(".") if isinstance(key, str) else key
    entry = config
    for name in outer:
        entry = entry[name]
    entry[last] = value
    return config


# Of each: the key, its value, and what the message must have of it.
REFUSED = [
    ("dataset", 10, ["dataset is not a key", "datasets"]),
    ("sweeps.figure1.sigma", 1.0, ["sweeps.figure1.sigma is not a key", "epsilon"]),
    ("sweeps.figure1.epsilon.step", 0.1, ["sweeps.figure1.epsilon.step is not a key", "points, spacing, start, stop"]),
    ("sweeps.Figure 1", {}, ["sweeps", "'Figure 1'", "lower-case letters"]),
    ("sweeps.figure1.delta", "0,1", ["sweeps.figure1.delta = '0,1'", PROBABILITY]),
    (
        "sweeps.figure1.sample",
        "1_0",
        ["sweeps.figure1.sample = '1_0'", WHOLE, "digits, at most one point and an exponent"],
    ),
    (
        "sweeps.figure1.sample",
        "1:30",
        ["sweeps.figure1.sample = '1:30'", WHOLE, "digits, at most one point and an exponent"],
    ),
    ("sweeps.figure1.epsilon.start", "1e", ["sweeps.figure1.epsilon.start = '1e'", "a number above 0"]),
    ("sweeps.figure1.epsilon", "1e400", ["sweeps.figure1.epsilon = '1e400'", "a number above 0"]),
    ("seed", "-1", ["seed = '-1'", "a whole number of at least 0"]),
    ("sweeps.figure1.expect", "true", ["sweeps.figure1.expect = 'true'", "true or false", "is text", "--configfile"]),
    ("sweeps.figure1", "null", ["sweeps.figure1 = 'null'", "or null to drop", "is text", "--configfile"]),
    ("sweeps.figure1.delta", 0, ["sweeps.figure1.delta = 0", PROBABILITY]),
    ("sweeps.figure1.delta", 1.5, ["sweeps.figure1.delta = 1.5", PROBABILITY]),
    ("sweeps.figure3.delta.start", 0.0, ["sweeps.figure3.delta.start = 0.0", PROBABILITY]),
    ("sweeps.figure3.delta", [0.5, 0], ["sweeps.figure3.delta.1 = 0", PROBABILITY]),
    ("sweeps.figure1.delta", [], ["sweeps.figure1.delta = []", "1 to 10000 times a number above 0 and at most 1"]),
    ("sweeps.figure1.delta", [0.5] * 10_001, ["sweeps.figure1.delta = [0.5, 0.5", "1 to 10000 times"]),
    ("sweeps.figure1.delta", {}, ["sweeps.figure1.delta.start is missing"]),
    ("sweeps.figure1.delta", endless(), ["sweeps.figure1.delta", "nested more than 10 deep"]),
    ("sweeps.figure1.delta", repeated(60), ["sweeps.figure1.delta", "nested more than 10 deep"]),
    ("sweeps.figure1.delta", [[[0.5] * 1000] * 1000] * 1000, ["more than 1000000 values"]),
    (
        "sweeps.figure1.delta",
        datetime.date(2020, 1, 1),
        ["sweeps.figure1.delta = datetime.date(2020, 1, 1)", PROBABILITY],
    ),
    ("sweeps.figure1.delta", {0.5}, ["sweeps.figure1.delta = {0.5}", PROBABILITY]),
    ("sweeps.figure1.delta", b"0.5", ["sweeps.figure1.delta = b'0.5'", PROBABILITY]),
    ("sweeps.figure1.epsilon", 10**400, ["sweeps.figure1.epsilon = 1000", "a finite number above 0"]),
    ("sweeps.figure1.population", 10**400, ["sweeps.figure1.population = 1000", PEOPLE]),
    ("sweeps.figure1.population", 10**5000, ["sweeps.figure1.population", "16610 bits"]),
    ("seed", 10**400, ["seed = 1000", "at most 1.0e+40"]),
    ("sweeps.figure1.epsilon", 0, ["sweeps.figure1.epsilon = 0", "a number above 0"]),
    ("sweeps.figure1.epsilon", [0.5, 0.5], ["sweeps.figure1", "0.5", "all different"]),
    ("sweeps.figure1.epsilon", None, ["sweeps.figure1.epsilon = None", "a number above 0"]),
    ("sweeps.figure1.sample", 101, ["sweeps.figure1: sample = 101", "population = 100"]),
    ("sweeps.figure2.sample.stop", 101, ["sweeps.figure2: sample = 101", "population = 100"]),
    ("sweeps.figure1.sample", 0, ["sweeps.figure1.sample = 0", WHOLE]),
    ("sweeps.figure1.sample", 90.5, ["sweeps.figure1.sample = 90.5", WHOLE]),
    ("sweeps.figure1.sample", [80, 90], ["sweeps.figure1: sample 2 values and epsilon 40 values", "equally many"]),
    ("beyond.small_delta.attributes", "normal", ["beyond.small_delta.attributes = 'normal'", "uniform or binary"]),
    ("ratio_probability", 0, ["ratio_probability = 0", "above 0 and below 1"]),
    (
        "beyond.approximate.definition",
        "zcdp",
        ["beyond.approximate.definition = 'zcdp'", "probabilistic or approximate"],
    ),
    ("beyond.approximate.delta_prime", None, ["beyond.approximate: delta_prime is missing", "above delta and below 1"]),
    (
        "beyond.approximate.delta_prime",
        0.07,
        ["beyond.approximate: delta_prime = 0.07", "(0.07, 1)", "more than delta"],
    ),
    ("beyond.approximate.delta_prime", 1, ["beyond.approximate.delta_prime = 1", "above 0 and below 1"]),
    ("sweeps.figure1.delta_prime", 0.5, ["sweeps.figure1: delta_prime = 0.5", "definition = 'approximate'"]),
    ("sweeps.figure1.mechanism", "geometric", ["sweeps.figure1.attributes = uniform", "allowed: binary"]),
    ("sweeps.figure1.attributes", "normal", ["sweeps.figure1.attributes = 'normal'", "uniform or binary"]),
    (
        "beyond.figure1",
        {"population": 9, "sample": 8, "epsilon": 1.0, "delta": 0.1},
        ["beyond.figure1", "another name"],
    ),
    ("odds_risk_profile.knots", [[0, 10], [1, 0.5]], ["odds_risk_profile", "0.5"]),
    ("sweeps.figure1_exact", {}, ["sweeps.figure1_exact", "_exact"]),
    ("sweeps.odds_risk_profile", {}, ["sweeps.odds_risk_profile", "none of"]),
    *((f"sweeps.{name}", FIGURE, [f"sweeps.{name}: the workflow has files", "none of"]) for name in sorted(taken())),
    ("beyond.claims", FIGURE, ["beyond.claims: the workflow has files"]),
    (("sweeps", "figure4\n"), FIGURE, ["sweeps.'figure4\\n': not a name", "lower-case letters"]),
    (("sweeps", "a" * 41), FIGURE, ["not a name", "at most 40"]),
    (("sweeps", "fïgure"), FIGURE, ["sweeps.fïgure: not a name"]),
    (("sweeps", None), FIGURE, ["sweeps.None: not a name"]),
    (("sweeps", True), FIGURE, ["sweeps.True: not a name"]),
    (("sweeps", datetime.date(2020, 1, 1)), FIGURE, ["sweeps.datetime.date(2020, 1, 1): not a name"]),
    (("sweeps", "figure1", None), 1, ["sweeps.figure1.None is not a key"]),
    (("a\nb",), 1, ["'a\\nb' is not a key"]),
    ("sweeps.figure4", {**FIGURE, **NO_STAGES}, ["sweeps.figure4: upper_limit, simulate and expect are all false"]),
    ("odds_risk_profile.knots", [], ["odds_risk_profile.knots = []", "at least one"]),
    ("odds_risk_profile.knots", [[0, 10], [1, 2, 3]], ["odds_risk_profile.knots.1 = [1, 2, 3]", "a knot [P10, B]"]),
    ("case_control.q0", [0.5, 1], ["case_control.q0.1 = 1", "above 0 and below 1"]),
    ("case_control.participants", 1094, ["case_control", "1094"]),
    ("case_control.prevalence", 1.0, ["case_control.prevalence = 1.0", "below 1"]),
    ("sweeps.figure1.epsilon", {**RANGE, "start": 3.0}, ["sweeps.figure1: epsilon.start = 3.0", "epsilon.stop = 2.0"]),
    (
        "sweeps.figure1.epsilon",
        {**RANGE, "points": 1},
        ["sweeps.figure1.epsilon.points = 1", "of at least 2 and at most 10000"],
    ),
    ("sweeps.figure1.epsilon", {"start": 0.2, "stop": 2.0}, ["sweeps.figure1.epsilon.points is missing"]),
    ("seed", -1, ["seed = -1", "a whole number of at least 0"]),
    ("seed", True, ["seed = True", "a whole number of at least 0"]),
    ("releases_per_job", 0, ["releases_per_job = 0", WHOLE]),
    ("releases_per_job", -1, ["releases_per_job = -1", WHOLE]),
    ("datasets_per_job", 0, ["datasets_per_job = 0", WHOLE]),
    ("datasets_per_job", -5, ["datasets_per_job = -5", WHOLE]),
    ("replications_per_job", 0, ["replications_per_job = 0", WHOLE]),
    ("replications_per_job", -2, ["replications_per_job = -2", WHOLE]),
    ("datasets", 0, ["datasets = 0", WHOLE]),
    ("datasets", {}, ["datasets = {}", WHOLE]),
    ("datasets", 1.0e15, ["datasets = 1000000000000000", "at most 25000000", "40 points of sweeps.figure1"]),
    ("datasets_per_job", 1.0e16, ["datasets_per_job = 1e+16", "at most 1.0e+15"]),
    ("releases_per_job", 1, ["releases_per_job = 1 makes 40000 jobs of simulate", "20000", "allowed: 7000000 or more"]),
    (
        "releases",
        1.0e15,
        ["releases_per_job = 1000000000 makes 40000 jobs", "allowed: fewer points, datasets or releases"],
    ),
    (
        "verify_releases",
        1.0e15,
        ["releases_per_job = 1000000000 makes 40000 jobs of simulate_literal", "121004 in all"],
    ),
    ("replications", 1.0e15, ["replications = 1000000000000000", "at most 8264462", "121 points of sweeps"]),
    ("replications", 8.0e6, ["replications_per_job = 40 makes 200000 jobs of replicate", "allowed: 1600 or more"]),
    ("sweeps.figure1.population", 1.0e15, ["sweeps.figure1", "999999999999910 neighbours", "at most 10000000"]),
    ("beyond.population_at_a_share.simulate", True, ["beyond.population_at_a_share", "100000000 neighbours"]),
    ("tables.davis.datasets", 1.0e15, ["tables.davis.datasets = 1000000000000000", "at most 1000000000"]),
    ("datasets", 1.5, ["datasets = 1.5", WHOLE]),
    ("releases", None, ["releases = None", WHOLE]),
    ("replications", 1, ["replications = 1", "a whole number of at least 2"]),
    ("method", "exact", ["method = 'exact'", "threshold or literal"]),
    ("sweeps.figure1.delta", math.nan, ["sweeps.figure1.delta = nan", "a finite number"]),
    ("sweeps.figure1.epsilon", math.inf, ["sweeps.figure1.epsilon = inf", "a finite number"]),
    ("sweeps.figure1.epsilon.stop", math.inf, ["sweeps.figure1.epsilon.stop = inf", "a finite number"]),
    ("sweeps.figure1.epsilon", [0.5, math.nan], ["sweeps.figure1.epsilon", "nan", "a finite number"]),
    ("sweeps.figure1.delta", -math.inf, ["sweeps.figure1.delta = -inf", "a finite number above 0 and at most 1"]),
    (
        "sweeps.figure1.population",
        math.inf,
        ["sweeps.figure1: datasets of population - sample = inf neighbours are drawn"],
    ),
    ("sweeps.figure1.population", -math.inf, ["sweeps.figure1.population = -inf", PEOPLE, "or inf"]),
    ("datasets", math.inf, ["datasets = inf", WHOLE]),
    ("seed", math.nan, ["seed = nan", "a whole number of at least 0"]),
    ("sweeps", None, ["sweeps = None", "sweeps by name, with null under the name of one to drop it"]),
    ("sweeps", [], ["sweeps = []", "sweeps by name, with null under the name of one to drop it"]),
    ("tables.davis.columns", ["height_cm:50"], ["tables.davis: column 'height_cm:50'", "NAME:LOW:HIGH"]),
    ("tables.davis.columns", ["height_cm:210:50"], ["tables.davis: range of height_cm = 210 to 50", "low < high"]),
    ("tables.davis.columns", [], ["tables.davis.columns = []", "NAME:LOW:HIGH"]),
    ("tables.davis.columns", {"height_cm": [50, 210]}, ["tables.davis.columns", "a list"]),
    ("tables.davis.query", "median", ["tables.davis.query = 'median'", "mean, sum, identity or count"]),
    ("tables.davis.query", "count", ["tables.davis: range of height_cm", "a count needs"]),
    ("tables.davis.sample", 200, ["tables.davis: sample = 200", "population = 200", "1 to 199"]),
    ("tables.davis.sample", 201, ["tables.davis: sample = 201", "population = 200"]),
    ("tables.davis.delta", 1.0, ["tables.davis: delta = 1.0", "nothing is promised"]),
    ("tables.davis.targets", 201, ["tables.davis: targets = 201", "population = 200"]),
    ("tables.davis.population", [200, 201], ["tables.davis.population = [200, 201]", "a whole number of at least 2"]),
    ("tables.davis.targets", None, ["tables.davis.targets = None", WHOLE]),
    ("tables.davis.clip", 1, ["tables.davis.clip = 1", "true or false"]),
    ("tables.davis.weights", 12, ["tables.davis.weights = 12", "the name of a column"]),
    ("tables.davis.weights", "belief", ["tables.davis.weights: belief is not a column of", "person, sex, height_cm"]),
    ("tables.davis.columns", ["heigth_cm:50:210"], ["tables.davis.columns: heigth_cm is not a column of", "weight_kg"]),
    ("tables.davis.columns", ["height_cm:50:2_10"], ["tables.davis: column 'height_cm:50:2_10'", "NAME:LOW:HIGH"]),
    (
        "tables.davis.population",
        199,
        ["tables.davis.population = 199", "allowed: 200, the number of rows of", "davis.csv"],
    ),
    ("tables.davis.table", "davis.csv", ["tables.davis.table = 'davis.csv'", "there is none in", " or ", str(ROOT)]),
    ("tables.davis.table", "davis.csv\n", ["tables.davis.table = 'davis.csv\\n'", "there is none in"]),
    ("tables.davis.table", "x\0" * 9999, ["tables.davis.table = 'x\\x00", "there is none in"]),
    ("tables.davis.releases", 5, ["tables.davis.releases is not a key", "clip, columns, datasets"]),
    ("tables.figure1", PUBLISHED["tables"]["davis"], ["tables.figure1", "stands under sweeps"]),
    ("sweeps.figure1", 3, ["sweeps.figure1 = 3", "or null to drop the sweep"]),
]


def refusal(config, **sources):
    """The message of a refusal, which is one line and comes soon."""
    started = time.process_time()
    with pytest.raises(ConfigError) as caught:
        check(config, **sources)
    assert time.process_time() - started < SOON
    message = str(caught.value)
    assert message.isprintable()
    return message


@pytest.mark.parametrize(("key", "value", "parts"), REFUSED, ids=[str(key) for key, *_ in REFUSED])
def test_a_bad_value_is_refused_by_name(key, value, parts, tmp_path):
    message = refusal(changed(key, value), folders=(tmp_path, ROOT))
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize("key", sorted(PUBLISHED))
def test_a_missing_key_is_named(key):
    config = {name: value for name, value in PUBLISHED.items() if name != key}
    assert refusal(config) == f"{key} is missing"


def includes(whole, part):
    """Whether nested dicts have everything that others have."""
    if isinstance(part, dict):
        return all(name in whole and includes(whole[name], value) for name, value in part.items())
    return whole == part


def test_the_published_configuration_is_allowed_and_gets_its_defaults():
    settings = check(PUBLISHED, files=[ROOT / "config.yaml"], folders=[ROOT])
    assert includes(settings, PUBLISHED)
    sweep, table = settings["sweeps"]["figure1"], settings["tables"]["davis"]
    assert {name: sweep[name] for name in sweep if name not in FIGURE} == {
        "definition": "probabilistic",
        "attributes": "uniform",
        "mechanism": "gaussian",
        "upper_limit": True,
        "simulate": True,
        "expect": True,
    }
    assert sweep["epsilon"]["spacing"] == "linear"
    assert {name: table[name] for name in table if name not in PUBLISHED["tables"]["davis"]} == {
        "clip": False,
        "missing": "refuse",
        "targets": 200,
        "targets_per_job": 1000,
        "probability": 0.001,
        "ratio": 2.0,
    }
    assert read(PUBLISHED).as_dict() == settings


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sweeps.figure1.delta", 1),
        ("sweeps.figure1.sample", 100),
        ("sweeps.figure1.sample", 1),
        ("sweeps.figure1.epsilon", [0.5, 1]),
        ("sweeps.figure3.delta", {"start": 1.0e-300, "stop": 1, "points": 2}),
        ("sweeps.figure1.expect", False),
        ("sweeps.figure1.population", 10_000_090),
        ("beyond.population_at_a_sample.population", [1.0e15]),
        ("seed", 0),
        ("seed", 2**128),
        ("releases_per_job", 10_000_000),
        ("datasets_per_job", 1),
        ("replications_per_job", 1),
        ("method", "literal"),
        ("tables.davis.targets_per_job", 1),
        (("sweeps", "a" * 40), FIGURE),
    ],
    ids=str,
)
def test_the_ends_of_what_is_allowed(key, value):
    config = changed(key, value)
    settings = check(config, folders=[ROOT])
    assert includes(settings, config)
    assert everything(Plan(settings))


# Of each: the key, what stands there, and the number that it is.
NUMBERS = [
    ("releases", 1.0e6, 1_000_000),
    ("datasets", 1.0e1, 10),
    ("tables.davis.population", 200.0, 200),
    ("tables.davis.targets", 10.0, 10),
    ("tables.davis.sample", [180.0, 1.9e2], [180, 190]),
    ("tables.davis.epsilon", 1, 1.0),
    ("sweeps.figure2.sample.points", 40.0, 40),
    ("case_control.participants", 1095.0, 1095),
    ("sweeps.figure1.delta", "1e-3", 0.001),
    ("sweeps.figure1.epsilon.start", "+.5E+0", 0.5),
    ("tables.davis.sample", "1e2", 100),
    ("tables.davis.delta", ["0.1", "2e-2"], [0.1, 0.02]),
    ("seed", "12345678901234567890123", 12345678901234567890123),
]


@pytest.mark.parametrize(("key", "value", "number"), NUMBERS, ids=[f"{key}={value}" for key, value, _ in NUMBERS])
def test_a_number_is_the_same_however_it_is_written(key, value, number):
    config = changed(key, value)
    if key in ("tables.davis.sample", "tables.davis.delta"):
        config["tables"]["davis"]["epsilon"] = 1.0
    found = check(config)
    for name in key.split("."):
        found = found[name]
    assert repr(found) == repr(number)


def test_null_drops_a_sweep():
    assert list(check(changed("sweeps.figure3", None))["sweeps"]) == ["figure1", "figure2", "figure3_at_095"]


def test_all_sweeps_dropped_is_refused():
    message = refusal({**PUBLISHED, "sweeps": dict.fromkeys(PUBLISHED["sweeps"])})
    assert message == "sweeps: every one is dropped; allowed: at least one sweep"


@pytest.mark.parametrize(
    ("settings", "arguments", "parts"),
    [
        ({"sweeps": {"figure1": {"delta": "1:5"}}}, [], ["sweeps.figure1.delta = '1:5'", PROBABILITY]),
        ({"sweeps": {"figure3": {"sample": 101}}}, ["--dry-run"], ["sweeps.figure3: sample = 101", "population = 100"]),
        ({}, ["--config", "dataset=10"], ["dataset is not a key", "datasets"]),
        ({}, ["--dry-run", "--config", "datasets_per_job=-5"], ["datasets_per_job = -5", WHOLE]),
        (
            {},
            ["--dry-run", "--config", "releases=1", "datasets=1000000"],
            ["datasets_per_job = 6 makes", "allowed: 151 or more"],
        ),
        (
            {},
            ["--dry-run", "--config", "datasets=1_0"],
            ["datasets = 1_0 has an underscore", "a number like 12"],
        ),
        (
            {},
            ["--dry-run", "--config", "datasets={}"],
            ["datasets = {} changes nothing, 6 stays", "null to drop a sweep"],
        ),
        ({"releases_per_job": {}}, ["--dry-run"], ["releases_per_job = {} changes nothing"]),
        ({}, ["--dry-run", "--config", "sweeps={figure1: {expect: false}}"], ["expect = 'false'", "--configfile"]),
        ({"tables": {"davis": {"table": "none.csv"}}}, ["--dry-run"], ["tables.davis.table = 'none.csv'", "work or "]),
        ({"tables": {"davis": {"population": 250}}}, ["--dry-run"], ["tables.davis.population = 250", "allowed: 200"]),
        ({"sweeps": {"claims": FIGURE}}, ["--dry-run"], ["sweeps.claims: the workflow has files of this name"]),
    ],
    ids=["text", "sample", "key", "work", "jobs", "numeral", "empty", "emptied", "nested", "table", "rows", "name"],
)
def test_a_run_stops_before_any_job(study, settings, arguments, parts):
    study.configure(**settings)
    run = study.attempt(*arguments)
    assert run.returncode != 0
    message = [line for line in run.stderr.splitlines() if line.startswith("config: ")]
    assert len(message) == 1, run.stderr
    assert [part for part in parts if part not in message[0]] == [], message[0]
    # What else is said is Snakemake's news of the files that it has read.
    others = [line for line in (run.stdout + run.stderr).splitlines() if line not in message]
    assert [line for line in others if not line.startswith(NEWS)] == []
    assert study.paths() == []


def test_a_key_that_stands_twice_stops_a_run(study):
    study.configfile.write_text("seed: 1\nreleases: 10\nsweeps:\n  figure2:\nseed: 2\n", encoding="utf-8")
    run = study.attempt("--dry-run")
    assert run.returncode != 0
    assert f"config: seed stands in lines 1 and 5 of {study.configfile}; allowed: every key once" in run.stderr


def test_nested_numbers_of_the_command_line_are_numbers(study):
    assert study.planned("--config", "sweeps={figure1: {delta: 5e-2, epsilon: [0.5, 1], sample: 99}}")
