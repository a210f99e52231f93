"""The record of a release keeps its schema, and says nothing about the people."""

import copy
import json
import math

import jsonschema
import pytest
from scipy.stats import norm

from disclosure.pages.record import record, schema
from disclosure.pages.table import Mark
from tests.unit.pages.shown import NOISE, release
from tests.unit.people.tables import people


def validate(value):
    jsonschema.Draft202012Validator(schema()).validate(value)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_a_record_is_as_the_schema_says():
    found = json.loads(json.dumps(record(release()), allow_nan=False))
    validate(found)
    assert found["statistics"][0]["columns"] == [{"name": "a", "low": 0.0, "high": 10.0}]
    assert found["budget"]["mu"] == 2.5 / 2.0
    assert found["budget"]["rho"] == pytest.approx(1.25**2 / 2)
    half_width = found["statistics"][0]["accuracy"]["half_width"]
    assert norm.cdf(half_width / 2.0) - norm.cdf(-half_width / 2.0) == pytest.approx(0.95)
    odds = {part["probability"]: part["largest_odds_factor"] for part in found["presence"]}
    assert odds[1e-3] == pytest.approx(math.exp(1.25 * (1.25 / 2 + norm.isf(1e-3))))


def test_epsilon_is_that_of_the_privacy_profile():
    for part in record(release())["budget"]["approximate"]:
        mu, epsilon = 1.25, part["epsilon"]
        delta = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
        assert delta == pytest.approx(part["delta"], rel=1e-6)


def test_other_people_in_the_same_ranges_have_the_same_record():
    other = release(people([[0], [0.5], [1], [1], [1], [4], [4]]))
    assert record(other) == record(release())


def test_infinite_numbers_have_a_word():
    noise = NOISE._replace(marks=[Mark(0.01, "hardly any")])
    found = record(release(noise=noise))
    assert found["presence"][0]["largest_odds_factor"] == "inf"
    validate(found)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("mechanism",), "magic"),
        (("budget", "mu"), 0),
        (("statistics",), []),
        (("statistics", 0, "sigma"), "3"),
        (("presence", 0, "probability"), 0.7),
        (("people", "population"), "many"),
        (("note",), "an unknown key"),
    ],
)
def test_the_schema_refuses_other_records(path, value):
    wrong = copy.deepcopy(record(release()))
    *way, last = path
    place = wrong
    for key in way:
        place = place[key]
    place[last] = value
    with pytest.raises(jsonschema.ValidationError):
        validate(wrong)
