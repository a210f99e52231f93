"""A Slurm for these tests, and a local run that they compare with."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest

from tests.cluster.study import EVERYTHING, ClusterStudy

SCRIPT = pathlib.Path(__file__).with_name("slurm.sh")
REQUIRED = ("slurmctld", "slurmd", "munged", "sbatch")


@pytest.fixture(scope="session", autouse=True)
def _interruptible():
    """A shell's background jobs ignore Ctrl-C, and so would the runs that tests start and interrupt."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def slurm():
    """Slurm, installed if it is absent, up for as long as the tests run; without it they skip, or fail where CI is set."""
    if os.geteuid() != 0:
        _unavailable("Slurm's daemons need root")
    if not all(map(_found, REQUIRED)):
        if not shutil.which("apt-get"):
            _unavailable("Slurm is not installed, and there is no apt-get to install it")
        install = _script("install")
        if install.returncode:
            _unavailable(f"apt-get could not install Slurm:\n{install.stderr}")
    # Not in a folder of pytest's: munge wants every folder above its socket to be open to all.
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder:
        start = _script("start", folder, os.getpid())
        try:
            if start.returncode:
                _unavailable(f"Slurm did not start:\n{start.stderr}")
            yield
        finally:
            _script("stop", folder)


def _found(program):
    return shutil.which(program, path=os.environ["PATH"] + os.pathsep + "/usr/sbin")


def _script(*arguments):
    # A daemon that keeps a pipe open would let the call wait for ever.
    with open(os.devnull, "rb") as nothing:
        return subprocess.run(
            [SCRIPT, *map(str, arguments)], stdin=nothing, capture_output=True, text=True, timeout=300
        )


def _unavailable(reason):
    """CI sets the variable CI: there, a cluster that was not tested must not look like one that works."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """The tiny study, never run."""
    return ClusterStudy.prepare(tmp_path_factory.mktemp("prepared") / "study")


@pytest.fixture(scope="session")
def reference(prepared, tmp_path_factory):
    """Bytes of a local run."""
    study = _copy(prepared, tmp_path_factory.mktemp("local") / "study")
    study.run(*EVERYTHING)
    return study.files()


@pytest.fixture
def on_slurm(slurm, prepared, tmp_path):
    """The study through profiles/slurm, looked at every few seconds."""
    options = ("--slurm-init-seconds-before-status-checks", "5")
    return _copy(prepared, tmp_path / "study", profile="slurm", options=options)


@pytest.fixture
def generic(slurm, prepared, tmp_path):
    """The study through profiles/cluster-generic, looked at every other second."""
    options = ("--seconds-between-status-checks", "2")
    return _copy(prepared, tmp_path / "study", profile="cluster-generic", options=options)


def _copy(study, folder, **how):
    shutil.copytree(study.folder, folder)
    return ClusterStudy(folder, folder, **how)
