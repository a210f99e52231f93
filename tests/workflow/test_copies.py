"""Results that were copied or unpacked: contents tell what is up to date, and no time does."""

import os
import random
import shutil

import pytest

from tests.workflow.study import Study, copied, copy_repository

ONE = "figures/figure1.svg"


@pytest.fixture
def shuffled(reference, tmp_path):
    """A copy of the undisturbed run whose files have been given times in another order than they were made."""
    copy = copied(reference, tmp_path)
    paths = copy.paths()
    random.Random(1).shuffle(paths)
    for second, path in enumerate(paths):
        os.utime(path, (1e9 + second, 1e9 + second))
    return copy


def test_a_copy_is_up_to_date_whatever_its_times(shuffled):
    assert shuffled.planned() == {}
    for path in shuffled.paths():
        os.utime(path, (1e9, 1e9))
    assert shuffled.planned() == {}


def test_a_changed_byte_in_an_old_file_makes_stale_what_was_made_from_it(shuffled):
    changed = shuffled.folder / "results/figure1/upper_limit/0.csv"
    content = bytearray(changed.read_bytes())
    content[-2] ^= 1
    changed.write_bytes(content)
    os.utime(changed, (1e8, 1e8))
    assert set(shuffled.planned(ONE)) == {"aggregate", "figure"}


def test_without_notes_nothing_is_known_of_contents(shuffled):
    shutil.rmtree(shuffled.folder / ".snakemake")
    assert shuffled.planned() != {}


def test_a_repository_with_its_results_may_move(repository, tmp_path):
    before = Study(copy_repository(tmp_path / "before", of=repository), tmp_path / "before")
    before.configure()
    before.run("results/provenance.json")
    after = Study(tmp_path / "after", tmp_path / "after")
    shutil.copytree(before.folder, after.folder, copy_function=shutil.copyfile)
    before.folder.rename(tmp_path / "gone")
    shutil.copy(before.configfile, after.configfile)
    assert after.planned("results/provenance.json") == {}
