"""The same bytes, however the work is divided and wherever it is done."""

import sys

import pytest

from tests.workflow.study import ONE_OF_EACH, Study, copy_repository, of_each


def test_results_do_not_depend_on_cores_and_work_per_job(study, reference):
    study.configure(releases_per_job=4000, datasets_per_job=4, replications_per_job=3, points_per_job=2)
    study.run(*ONE_OF_EACH, cores=4)
    assert (study.folder / "results/figure1/simulate/000/1.csv").exists()
    assert (study.folder / "results/figure1/upper_limit/1.csv").exists()
    assert (study.folder / "results/figure1/replicate/1.csv").exists()
    assert (study.folder / "results/figure1/expected/1.csv").exists()
    assert study.merged() == of_each(reference.merged())


@pytest.fixture
def spaced(repository, tmp_path):
    """The tiny study with spaces in every path, by an interpreter whose path has one as well."""
    copy = copy_repository(tmp_path / "a copy of the repository", of=repository)
    environment = copy / ".venv"
    environment.symlink_to(sys.prefix, target_is_directory=True)
    return Study(copy, tmp_path / "another folder", str(environment / "bin" / "python")).configure()


def test_results_do_not_depend_on_the_folder_and_its_spaces(spaced, reference):
    spaced.run_alone(*ONE_OF_EACH)
    assert " " in str(spaced.repository)
    assert " " in str(spaced.folder)
    assert " " in spaced.python
    assert spaced.files() == of_each(reference.files())
    assert spaced.planned(*ONE_OF_EACH) == {}


def test_the_published_study_is_found_from_another_folder(repository, tmp_path):
    planned = Study(repository, tmp_path / "work", unedited=True).planned()
    assert planned["calibrate"] == planned["aggregate"] == 4
    assert planned["figure"] == 3
