"""Digests of the code behind a result."""

import pathlib

import pytest

import disclosure
from disclosure.workflow.sources import Code, digest
from disclosure.workflow.stages import declared

FILES = {
    "__init__.py": "",
    "jobs/__init__.py": "",
    "jobs/job.py": "from disclosure import middle\n\n\ndef run():\n    return middle.answer()\n",
    "middle.py": "import numpy\n\nfrom disclosure.deep import number\n\n\ndef answer():\n    return number\n",
    "deep.py": "number = 1\n",
    "plot.py": "colour = 1\n",
    "page.py": "import json\n",
    "page.html": "<p>",
}


@pytest.fixture
def package(tmp_path):
    """A small package."""
    (tmp_path / "jobs").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def changed(package, name, text, module="jobs.job"):
    """Digest with another text in a file."""
    (package / name).write_text(text, encoding="utf-8")
    return Code(package).digest(module)


def test_digests_follow_the_imports_and_ignore_words(package):
    before = Code(package).digest("jobs.job")
    assert Code(package, version=lambda name: "another").digest("jobs.job") != before
    assert changed(package, "plot.py", "colour = 2\n") == before
    assert changed(package, "deep.py", '"""A docstring."""\n# a comment\nnumber    = 1\n') == before
    assert changed(package, "deep.py", "number = 2\n") != before
    assert changed(package, "deep.py", "number = 1\n") == before


def test_a_changed_template_makes_pages_stale(package):
    before = Code(package).digest("page")
    assert changed(package, "page.html", "<b>", "page") != before
    assert changed(package, "page.html", "<p>", "page") == before


def test_the_code_of_a_job_is_all_that_it_computes_with():
    behind = set(Code(pathlib.Path(disclosure.__file__).parent).behind("workflow.jobs.simulate"))
    expected = {"study.simulation", "beliefs.inclusion", "numerics.normal", "study.streams", "workflow.tables"}
    assert expected <= behind
    assert any(name.startswith("gaussian_measure.") for name in behind)
    assert not [
        name for name in behind if name.startswith(("plots", "cli", "people", "workflow.plan", "workflow.stage"))
    ]


def test_each_command_has_a_digest_of_its_own():
    commands = {stage.command or stage.name for stage in declared()}
    assert len({digest(f"workflow.jobs.{command}") for command in commands}) == len(commands)
