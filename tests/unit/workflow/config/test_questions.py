"""Settings of the open questions that fit no model of a single number."""

import pathlib

import pytest
import yaml

from disclosure.workflow.config import ConfigError, check

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def with_setting(question, **settings):
    questions = PUBLISHED["open_questions"]
    return {**PUBLISHED, "open_questions": {**questions, question: {**questions[question], **settings}}}


@pytest.mark.parametrize(
    ("question", "settings", "words"),
    [
        ("less_informed", {"populations": [[10, 10, 5]]}, "open_questions.less_informed.populations"),
        ("less_informed", {"populations": [[10, 0, 5]]}, "with 2 <= m < n and 1 <= ones < n"),
        ("less_informed", {"populations": [[10, 5, 11]]}, "with 2 <= m < n and 1 <= ones < n"),
        ("less_informed", {"populations": [[2, 1, 1]]}, "with 2 <= m < n and 1 <= ones < n"),
        ("less_informed", {"populations": [[10, 5, 0]]}, "with 2 <= m < n and 1 <= ones < n"),
        ("less_informed", {"populations": [[10, 5, 3]] * 2}, "each entry once"),
        ("households", {"sizes": [2, 2]}, "each entry once"),
        (
            "noise_by_profile",
            {"failures": [0.1, 0.1]},
            "open_questions.noise_by_profile.failures = [0.1, 0.1]; allowed: each",
        ),
        ("noise_by_profile", {"prior_odds": [1.0]}, "two different values at least"),
        ("noise_by_profile", {"prior_odds": 1.0}, "two different values at least"),
        ("case_control_noises", {"errors": [1.0, 2.0, 1.0]}, "different values, each of them once"),
        (
            "mechanisms",
            {"errors": {"start": 2.0, "stop": 1.0, "points": 3}},
            "errors.start = 2.0 is larger than errors.stop",
        ),
        ("mechanisms", {"errors": {"start": 2.0, "stop": 2.0, "points": 3}}, "different values, each of them once"),
        ("attribute_inference", {"epsilon": [1.0, 1.0]}, "open_questions.attribute_inference.epsilon"),
        (
            "attribute_inference",
            {"above": 300000.0},
            "above = 300000.0 is true of nobody; allowed: incomes of some people and not",
        ),
        ("attribute_inference", {"above": 1.0}, "above = 1.0 is true of everybody"),
        ("attribute_inference", {"between": [260000.0, 270000.0]}, "between = [260000.0, 270000.0] is true of nobody"),
        ("attribute_inference", {"tails": [40000.0, 40000.0]}, "tails = [40000.0, 40000.0] is true of everybody"),
        ("attribute_inference", {"highest": 10.0, "above": 10.0}, "is true of everybody"),
        ("less_informed", {"populations": [[10, 5]]}, "a population [n, m, ones]"),
        ("less_informed", {"populations": [[201, 5, 3]]}, "at most 200"),
        ("less_informed", {"populations": [[10, 5, 3]] * 3}, "a list of one or two populations"),
        ("less_informed", {"delta": 1.0}, "open_questions.less_informed.delta"),
        ("households", {"sizes": [1, 5]}, "a divisor of population = 120 and of sample = 108"),
        ("households", {"population": 108}, "a whole number below population = 108"),
        ("households", {"population": 1000, "sample": 500, "sizes": [10]}, "gives more than 200000 datasets"),
        ("households", {"sizes": []}, "a list of sizes of households"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_one_line(question, settings, words):
    with pytest.raises(ConfigError) as caught:
        check(with_setting(question, **settings))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_that_fit_are_kept():
    checked = check(with_setting("less_informed", populations=[[3, 2, 1], [200, 199, 199]]))
    assert checked["open_questions"]["less_informed"]["populations"] == [[3, 2, 1], [200, 199, 199]]
    assert check(with_setting("households", population=12, sample=6, sizes=[6]))["open_questions"]["households"][
        "sizes"
    ] == [6]
