"""Configurations that no job can be run with stop a run before its first job, with one message."""

import copy
import math

import pytest
import yaml

from disclosure.pipeline.config import ConfigError, check
from tests.workflow.study import ROOT

SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
WHOLE = "a whole number of at least 1"
PROBABILITY = "a number above 0 and at most 1"
NEWS = ("Using workflow specific profile", "Creating specified working directory", "Config file")
RANGE = {"start": 0.2, "stop": 2.0, "points": 3}


def changed(key, value):
    """The published configuration with another value under a key."""
    config = copy.deepcopy(PUBLISHED)
    *outer, last = key.split(".")
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
    ("sweeps.figure1.delta", "1e-5", ["sweeps.figure1.delta = '1e-5'", PROBABILITY, "is text", "1.0e-5"]),
    ("sweeps.figure1.epsilon.start", "1e-1", ["sweeps.figure1.epsilon.start = '1e-1'", "a number above 0", "is text"]),
    ("seed", "1", ["seed = '1'", "a whole number of at least 0", "is text"]),
    ("sweeps.figure1.expect", "true", ["sweeps.figure1.expect = 'true'", "true or false"]),
    ("sweeps.figure1.delta", 0, ["sweeps.figure1.delta = 0", PROBABILITY]),
    ("sweeps.figure1.delta", 1.5, ["sweeps.figure1.delta = 1.5", PROBABILITY]),
    ("sweeps.figure3.delta.start", 0.0, ["sweeps.figure3.delta.start = 0.0", PROBABILITY]),
    ("sweeps.figure3.delta", [0.5, 0], ["sweeps.figure3.delta.1 = 0", PROBABILITY]),
    ("sweeps.figure1.delta", [], ["sweeps.figure1.delta = []", "at least one number above 0 and at most 1"]),
    ("sweeps.figure1.epsilon", 0, ["sweeps.figure1.epsilon = 0", "a number above 0"]),
    ("sweeps.figure1.epsilon", [0.5, 0.5], ["sweeps.figure1", "0.5", "all different"]),
    ("sweeps.figure1.epsilon", None, ["sweeps.figure1.epsilon = None", "a number above 0"]),
    ("sweeps.figure1.sample", 101, ["sweeps.figure1: sample = 101", "population = 100"]),
    ("sweeps.figure2.sample.stop", 101, ["sweeps.figure2: sample = 101", "population = 100"]),
    ("sweeps.figure1.sample", 0, ["sweeps.figure1.sample = 0", WHOLE]),
    ("sweeps.figure1.sample", 90.5, ["sweeps.figure1.sample = 90.5", WHOLE]),
    ("sweeps.figure1.sample", [80, 90], ["sweeps.figure1: sample 2 values and epsilon 40 values", "equally many"]),
    ("beyond.small_delta.attributes", "normal", ["beyond.small_delta.attributes = 'normal'", "uniform or binary"]),
    ("sweeps.figure1.attributes", "binary", ["sweeps.figure1.upper_limit = true", "false"]),
    (
        "beyond.figure1",
        {"population": 9, "sample": 8, "epsilon": 1.0, "delta": 0.1},
        ["beyond.figure1", "another name"],
    ),
    ("odds_risk_profile.knots", [[0, 10], [1, 0.5]], ["odds_risk_profile", "0.5"]),
    ("sweeps.figure1_exact", {}, ["sweeps.figure1_exact", "_exact"]),
    ("sweeps.odds_risk_profile", {}, ["sweeps.odds_risk_profile", "none of"]),
    ("odds_risk_profile.knots", [], ["odds_risk_profile.knots = []", "at least one"]),
    ("case_control.participants", 1094, ["case_control", "1094"]),
    ("case_control.prevalence", 1.0, ["case_control.prevalence = 1.0", "below 1"]),
    ("sweeps.figure1.epsilon", {**RANGE, "start": 3.0}, ["sweeps.figure1: epsilon.start = 3.0", "epsilon.stop = 2.0"]),
    ("sweeps.figure1.epsilon", {**RANGE, "points": 1}, ["sweeps.figure1.epsilon.points = 1", "from 2 to 100000"]),
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
    ("datasets", 1.5, ["datasets = 1.5", WHOLE]),
    ("releases", None, ["releases = None", WHOLE]),
    ("replications", 1, ["replications = 1", "a whole number of at least 2"]),
    ("method", "exact", ["method = 'exact'", "threshold or literal"]),
    ("sweeps.figure1.delta", math.nan, ["sweeps.figure1.delta = nan", "a finite number"]),
    ("sweeps.figure1.epsilon", math.inf, ["sweeps.figure1.epsilon = inf", "a finite number"]),
    ("sweeps.figure1.epsilon.stop", math.inf, ["sweeps.figure1.epsilon.stop = inf", "a finite number"]),
    ("sweeps.figure1.epsilon", [0.5, math.nan], ["sweeps.figure1.epsilon", "nan", "a finite number"]),
    ("sweeps.figure1.delta", -math.inf, ["sweeps.figure1.delta = -inf", PROBABILITY]),
    ("sweeps.figure1.population", math.inf, ["sweeps.figure1.population = inf", WHOLE]),
    ("datasets", math.inf, ["datasets = inf", WHOLE]),
    ("seed", math.nan, ["seed = nan", "a whole number of at least 0"]),
    ("sweeps", [], ["sweeps = []", "a sweep or null under each name"]),
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
    ("tables.davis.population", [200, 201], ["tables.davis.population", "the number of people"]),
    ("tables.davis.releases", 5, ["tables.davis.releases is not a key", "clip, columns, datasets"]),
    ("tables.figure1", PUBLISHED["tables"]["davis"], ["tables.figure1", "stands under sweeps"]),
    ("sweeps.figure1", 3, ["sweeps.figure1 = 3", "or null to drop the sweep"]),
]


@pytest.mark.parametrize(("key", "value", "parts"), REFUSED, ids=[f"{key}={value}" for key, value, _ in REFUSED])
def test_a_bad_value_is_refused_by_name(key, value, parts):
    with pytest.raises(ConfigError) as caught:
        check(changed(key, value), SCHEMA)
    message = str(caught.value)
    assert "\n" not in message
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize("key", sorted(PUBLISHED))
def test_a_missing_key_is_named(key):
    config = {name: value for name, value in PUBLISHED.items() if name != key}
    with pytest.raises(ConfigError, match=f"^{key} is missing$"):
        check(config, SCHEMA)


def test_the_published_configuration_is_allowed():
    assert check(PUBLISHED, SCHEMA) == PUBLISHED


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sweeps.figure1.delta", 1),
        ("sweeps.figure1.sample", 100),
        ("sweeps.figure1.sample", 1),
        ("sweeps.figure1.epsilon", [0.5, 1]),
        ("sweeps.figure3.delta", {"start": 1.0e-300, "stop": 1, "points": 2}),
        ("seed", 0),
        ("releases_per_job", 1),
        ("method", "literal"),
    ],
    ids=str,
)
def test_the_ends_of_what_is_allowed(key, value):
    config = changed(key, value)
    assert check(config, SCHEMA) == config


def test_a_whole_number_with_an_exponent_is_whole():
    releases = check(changed("releases", 1.0e6), SCHEMA)["releases"]
    assert releases == 1_000_000
    assert isinstance(releases, int)


def test_null_drops_a_sweep():
    assert list(check(changed("sweeps.figure3", None), SCHEMA)["sweeps"]) == ["figure1", "figure2", "figure3_at_095"]


@pytest.mark.parametrize(
    ("settings", "arguments", "parts"),
    [
        ({"sweeps": {"figure1": {"delta": "1e-5"}}}, [], ["sweeps.figure1.delta = '1e-5'", PROBABILITY]),
        ({"sweeps": {"figure3": {"sample": 101}}}, ["--dry-run"], ["sweeps.figure3: sample = 101", "population = 100"]),
        ({}, ["--config", "dataset=10"], ["dataset is not a key", "datasets"]),
        ({}, ["--dry-run", "--config", "datasets_per_job=-5"], ["datasets_per_job = -5", WHOLE]),
    ],
    ids=["text", "sample", "key", "work"],
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
