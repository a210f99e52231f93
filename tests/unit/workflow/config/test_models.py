"""The models of the settings, and anything at all in their place."""

import copy
import datetime
import json
import math
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from disclosure.people import queries
from disclosure.people.records import Records
from disclosure.people.targets import affordable
from disclosure.study.points import Point
from disclosure.workflow import stages
from disclosure.workflow.config import ConfigError, check, read
from disclosure.workflow.config.models import Sweep, TableSweep
from disclosure.workflow.plan import Plan

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
# Seconds of the processor; a check takes hundredths.
SOON = 5.0


def test_parameters_of_a_sweep_are_those_of_a_point():
    for model in (Sweep, TableSweep):
        assert {name for name, field in model.model_fields.items() if field.is_required()} >= set(Point._fields)


def test_the_settings_are_typed():
    found = read(PUBLISHED)
    assert found.sweeps["figure1"].points[0] == Point(100, 90, 0.2, 10**-1.1)
    assert found.tables["davis"].targets == 200
    assert found.beyond["small_delta"].sampled == []
    assert isinstance(found.case_control.participants, int)


@pytest.mark.parametrize(
    ("columns", "population", "sample"),
    [(1, 200, 180), (1, 4000, 3900), (2, 400, 380), (3, 400, 100), (2, 10**6, 900_000), (1, 30, 29)],
)
def test_a_table_is_looked_at_as_the_command_line_does(columns, population, sample):
    """Of people who are all different."""
    size = {"columns": [f"{name}:0:1" for name in "abc"[:columns]], "population": population, "sample": sample}
    entry = TableSweep.model_validate({**PUBLISHED["tables"]["davis"], **size, "epsilon": 1.0})
    known = {name: value for name, value in entry.model_dump().items() if name not in ("targets", "datasets")}
    both = TableSweep.model_validate({name: value for name, value in known.items() if value is not None})
    values = np.random.default_rng(1).random((min(population, 4000), columns))
    if len(values) == population:
        people = Records(tuple(map(queries.parse_column, size["columns"])), values)
        found, datasets = affordable(1, people, sample)
        assert (both.targets, both.datasets) == (len(found.places), datasets)
        assert entry.targets == len(affordable(1, people, sample, datasets=10)[0].places)
    else:
        assert (both.targets, both.datasets, entry.targets) == (6, 2, 6)
    # Of several samples the smallest has the most neighbours.
    several = {**known, "sample": [sample, sample - 1]}
    assert TableSweep.model_validate({k: v for k, v in several.items() if v is not None}).targets <= both.targets


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


def few(value):
    """The same configuration with three points where there are more, which are checked and planned like forty."""
    if isinstance(value, dict):
        return {key: min(item, 3) if key == "points" else few(item) for key, item in value.items()}
    return value[:3] if isinstance(value, list) and all(isinstance(item, int | float) for item in value) else value


FEW = few(PUBLISHED)
PLACES = [place for place in places(FEW) if place]
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
    config = copy.deepcopy(FEW)
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


def test_a_date_is_no_number():
    with pytest.raises(ConfigError, match=r"^seed = datetime\.date\(2020, 1, 2\); allowed: a whole number"):
        check({**PUBLISHED, "seed": datetime.date(2020, 1, 2)})


def test_names_that_are_no_text_are_refused_and_whole_floats_taken():
    with pytest.raises(ConfigError, match=r"sweeps\.1: not a name"):
        check({**PUBLISHED, "sweeps": {1: None}})
    study = {**PUBLISHED["case_control"], "participants": 1095.0}
    checked = check({**PUBLISHED, "releases": 1.0e6, "case_control": study})
    assert repr((checked["releases"], checked["case_control"]["participants"])) == "(1000000, 1095)"


def with_noise(**changes):
    return {**PUBLISHED, "sweeps": {**PUBLISHED["sweeps"], "figure1": {**PUBLISHED["sweeps"]["figure1"], **changes}}}


def test_other_noise_has_no_expected_values():
    found = check(with_noise(mechanism="laplace"), folders=(ROOT,))
    assert found["sweeps"]["figure1"]["expect"] is False
    assert found["sweeps"]["figure2"]["expect"] is True
    assert Plan(found).sweeps["figure1"].sources() == ("upper_limit", "simulate")
    with pytest.raises(
        ConfigError, match=r"^sweeps\.figure1\.expect = true; allowed: false, since expected values are"
    ):
        check(with_noise(mechanism="laplace", expect=True), folders=(ROOT,))


def test_noise_on_whole_numbers_needs_answers_that_are():
    found = check(with_noise(mechanism="geometric", attributes="binary"), folders=(ROOT,))
    assert Plan(found).sweeps["figure1"].mechanism == "geometric"
    with pytest.raises(ConfigError, match=r"^sweeps\.figure1\.attributes = uniform; allowed: binary, since geometric"):
        check(with_noise(mechanism="geometric"), folders=(ROOT,))
    with pytest.raises(ConfigError, match=r"^sweeps\.figure1\.mechanism = 'normal'; allowed: gaussian, laplace,"):
        check(with_noise(mechanism="normal"), folders=(ROOT,))


def test_sweeps_with_other_noise_or_attributes_are_not_those_that_the_paper_prints():
    for changes in ({"mechanism": "laplace"}, {"attributes": "binary"}):
        plan = Plan(check(with_noise(**changes), folders=(ROOT,)))
        assert [sweep.name for sweep in plan.printed] == ["figure2", "figure3", "figure3_at_095"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sample": 100}, "sample = 100; allowed: below population = 100"),
        ({"ones": 91}, "ones = 91; allowed: at most sample = 90"),
        ({"ones_outside": 11}, "ones_outside = 11; allowed: at most population - sample = 10"),
        ({"rate": 0.0}, "rate = 0.0; allowed: a number above 0 and at most 1"),
        ({"releases": 10}, "releases = 10; allowed: a whole number of at least 1000 and at most"),
    ],
)
def test_people_of_the_question_mechanisms_fit_together(changed, words):
    questions = {**PUBLISHED["open_questions"], "mechanisms": {**PUBLISHED["open_questions"]["mechanisms"], **changed}}
    with pytest.raises(ConfigError) as refused:
        check({**PUBLISHED, "open_questions": questions}, folders=(ROOT,))
    assert str(refused.value).startswith(f"open_questions.mechanisms.{words}")


@pytest.mark.parametrize("written", ["inf", ".inf", math.inf])
def test_an_infinite_population_is_kept_as_a_text(written):
    """JSON, in which settings are handed on, has no infinite number."""
    config = copy.deepcopy(PUBLISHED)
    config["beyond"]["population_at_a_sample"]["population"] = [100, written]
    settings = check(config)
    assert settings["beyond"]["population_at_a_sample"]["population"] == [100, "inf"]
    assert check(json.loads(json.dumps(settings, allow_nan=False))) == settings
    assert [point.population for point in read(config).beyond["population_at_a_sample"].points] == [100, math.inf]


@pytest.mark.parametrize(
    ("group", "name", "key", "message"),
    [
        ("sweeps", "figure1", "population", r"population - sample = inf neighbours are drawn; allowed: at most"),
        (
            "beyond",
            "small_delta",
            "sample",
            r"sample = 'inf'.* allowed: a whole number of at least 1 and at most 1.0e\+15$",
        ),
    ],
)
def test_infinity_is_refused_where_people_are_drawn(group, name, key, message):
    config = copy.deepcopy(PUBLISHED)
    config[group][name][key] = "inf"
    with pytest.raises(ConfigError, match=message) as found:
        check(config)
    assert "\n" not in str(found.value)


def test_other_noise_is_calibrated_to_probabilistic_privacy_only():
    approximate = {"definition": "approximate", "delta_prime": 0.09}
    check(with_noise(**approximate), folders=(ROOT,))
    words = r"^sweeps\.figure1\.definition = approximate; allowed: probabilistic, since laplace noise"
    with pytest.raises(ConfigError, match=words):
        check(with_noise(mechanism="laplace", **approximate), folders=(ROOT,))


def test_a_table_that_is_a_sample_states_its_rows():
    davis = {**PUBLISHED["tables"]["davis"], "population": "inf", "rows": 200, "sample": 180, "epsilon": 1.0}
    entry = TableSweep.model_validate(davis)
    assert entry.points[0].population == math.inf
    assert 1 < entry.targets <= 200
    assert TableSweep.model_validate({**davis, "population": 5000, "sample": 4000}).points[0].population == 5000
    for change, said in (
        ({"rows": None}, "population = inf and rows = None; allowed: rows, the number of the table's rows"),
        ({"population": 190}, "population = 190 and rows = 200"),
        ({"targets": 201}, "targets = 201 is more than rows = 200"),
        ({"weights": "weight_kg"}, "leave out weights, or rows"),
    ):
        with pytest.raises(ValueError, match=said):
            TableSweep.model_validate({name: value for name, value in {**davis, **change}.items() if value is not None})


def test_a_table_takes_several_probabilities_once_each():
    davis = {**PUBLISHED["tables"]["davis"], "epsilon": 1.0}
    assert TableSweep.model_validate({**davis, "probability": [1e-2, 1e-6]}).probability == [1e-2, 1e-6]
    for wrong in ([1e-2, 0.7], [], [1e-3, 1e-3], {"start": 0.1, "stop": 0.6, "points": 3}):
        with pytest.raises(ValueError, match="probability"):
            TableSweep.model_validate({**davis, "probability": wrong})
