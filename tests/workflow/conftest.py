"""One undisturbed run that all tests of the workflow compare with."""

import dataclasses
import fcntl
import shutil
import signal

import pytest

from tests.workflow import forks
from tests.workflow.study import Study, copied, copy_repository


@pytest.fixture(scope="session", autouse=True)
def _interruptible():
    """A shell's background jobs ignore Ctrl-C, and so would the runs that tests start and interrupt."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def _forks():
    yield
    forks.close()


@pytest.fixture(scope="session")
def once(tmp_path_factory, request):
    """A function that makes a folder unless another worker of these tests has made it; one that is being made is waited for."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base

    def made(name, make):
        folder = shared / name
        with (shared / f"{name}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "made").exists():
                shutil.rmtree(folder, ignore_errors=True)  # another worker has failed
                make(folder)
                (folder / "made").touch()
        return folder

    return made


@pytest.fixture(scope="session")
def repository(once):
    """A copy of the repository that no test edits."""
    return once("tree", lambda folder: copy_repository(folder / "repository")) / "repository"


@pytest.fixture(scope="session")
def reference(repository, once):
    """The tiny study after an undisturbed run on one core; no test touches it."""

    def make(folder):
        Study(repository, folder / "work").configure().run_alone(cores=1)

    return Study(repository, once("reference", make) / "work", unedited=True)


@pytest.fixture
def study(repository, tmp_path):
    """The tiny study before its first run."""
    return Study(repository, tmp_path / "work", unedited=True).configure()


@pytest.fixture
def finished(reference, tmp_path):
    """A copy of the undisturbed run, to go on from."""
    return copied(reference, tmp_path)


@pytest.fixture
def edited(reference, tmp_path):
    """The same with a copy of the repository of its own, for tests that edit it."""
    repository = copy_repository(tmp_path / "repository", of=reference.repository)
    return dataclasses.replace(copied(reference, tmp_path), repository=repository, unedited=False)
