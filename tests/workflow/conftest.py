"""One undisturbed run that all tests of the workflow compare with."""

import dataclasses
import shutil
import signal
import sys

import pytest

from tests.workflow.study import Study, copy_repository


@pytest.fixture(scope="session", autouse=True)
def _interruptible():
    """A shell's background jobs ignore Ctrl-C, and so would the runs that tests start and interrupt."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def repository(tmp_path_factory):
    return copy_repository(tmp_path_factory.mktemp("tree") / "repository")


@pytest.fixture(scope="session")
def reference(repository, tmp_path_factory):
    """The tiny study after an undisturbed run on one core."""
    study = Study(repository, tmp_path_factory.mktemp("reference") / "work").configure()
    study.run(cores=1)
    return study


@pytest.fixture(scope="session")
def spaced(repository, tmp_path_factory):
    """The tiny study after a run with spaces in every path, by an interpreter whose path has one as well.

    The copy of the repository is this study's own: a test that edits it restores it.
    """
    folder = tmp_path_factory.mktemp("spaced")
    copy = copy_repository(folder / "a copy of the repository", of=repository)
    environment = copy / ".venv"
    environment.symlink_to(sys.prefix, target_is_directory=True)
    study = Study(copy, folder / "another folder", str(environment / "bin" / "python")).configure()
    study.run()
    return study


@pytest.fixture
def study(repository, tmp_path):
    """The tiny study before its first run."""
    return Study(repository, tmp_path / "work").configure()


@pytest.fixture
def finished(reference, tmp_path):
    """A copy of the undisturbed run, to go on from."""
    study = dataclasses.replace(reference, folder=tmp_path / "work").configure()
    shutil.copytree(reference.folder, study.folder)
    return study
