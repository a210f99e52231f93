"""Every question has settings, a table, a figure and words, and answers as a command."""

import json
import pathlib
import pkgutil
from types import ModuleType

import pytest
import yaml

from disclosure.plots import questions as drawn
from disclosure.workflow import questions, stages, tables
from disclosure.workflow.config import check
from disclosure.workflow.config.questions import OpenQuestions
from disclosure.workflow.plan import Plan
from disclosure.workflow.questions import QUESTIONS
from disclosure.workflow.sources import digest
from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))

# Settings with which a question is answered at once.
SMALL = {
    "case_control_noises": {"errors": [2.0, 4.0]},
    "less_informed": {"populations": [[12, 10, 6]]},
    "attribute_inference": {"people": 20, "epsilon": [1.0, 4.0]},
    "mechanisms": {"errors": [2.0, 10.0], "releases": 1000},
}


def modules(package: ModuleType) -> set[str]:
    return {module.name for module in pkgutil.iter_modules(package.__path__)}


def test_a_question_stands_in_every_list():
    assert modules(questions) == modules(drawn) == set(QUESTIONS) == set(OpenQuestions.model_fields)
    assert list(PUBLISHED["open_questions"]) == list(OpenQuestions.model_fields)
    for name in QUESTIONS:
        assert questions.question(name).COLUMNS


def test_a_question_that_is_dropped_has_no_files():
    config = {**PUBLISHED, "open_questions": {**PUBLISHED["open_questions"], "noise_by_profile": None}}
    for dropped, settings in ((False, PUBLISHED), (True, config)):
        plan = Plan(check(settings), ROOT)
        assert check(plan.settings) == plan.settings
        rules = stages.Rules(plan, lambda names: None)
        assert ("noise_by_profile" in rules.answer.output) != dropped
        for files in (stages.open_questions(plan), stages.pages(plan)):
            assert any("noise_by_profile" in file for file in files) != dropped


def test_jobs_run_again_when_the_code_of_their_own_question_changes():
    rules = stages.Rules(Plan(check(PUBLISHED), ROOT), lambda names: None)
    for name in QUESTIONS:
        job = type("Wildcards", (), {"question": name})
        assert rules.answer.params["question_code"](job) == digest(f"workflow.questions.{name}")
        assert rules.figure_answer.params["question_code"](job) == digest(f"plots.questions.{name}")


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_a_command_answers_and_another_draws(tmp_path, name):
    settings = (
        {key: PUBLISHED[key] for key in QUESTIONS[name]} | PUBLISHED["open_questions"][name] | SMALL.get(name, {})
    )
    answer = tmp_path / "answer.csv"
    main(["answer", name, "--settings", json.dumps(settings), "--output", str(answer)])
    assert tables.read(answer, questions.question(name).COLUMNS)
    main(["figure_answer", name, str(answer), "--output", str(tmp_path / "figure.svg")])
    assert "<desc" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
