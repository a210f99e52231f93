"""Outputs that belong to one job at a time, and files that are whole or refused."""

import errno
import os
import subprocess
import sys
import threading

import pytest

from disclosure.workflow import tables


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def fail(file, error):
    file.write(b"half")
    raise error


def test_an_older_job_cannot_publish_over_a_newer_one(tmp_path):
    path = tmp_path / "shard.csv"
    older = tables.own(path)
    older.__enter__().write(b"old")
    with tables.own(path) as newer:
        newer.write(b"new")
    with pytest.raises(tables.TableError, match=r"shard\.csv: another job has taken over"):
        older.__exit__(None, None, None)
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["shard.csv"]


def test_an_older_job_that_ends_first_publishes_nothing(tmp_path):
    path = tmp_path / "shard.csv"
    older = tables.own(path)
    older.__enter__().write(b"old")
    with tables.own(path) as newer:
        with pytest.raises(tables.TableError, match=r"shard\.csv: another job has taken over"):
            older.__exit__(None, None, None)
        assert not path.exists()
        newer.write(b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["shard.csv"]


def test_jobs_with_other_outputs_are_left_alone(tmp_path):
    with tables.own(tmp_path / "1.csv") as one, tables.own(tmp_path / "11.csv") as eleven:
        one.write(b"1")
        eleven.write(b"11")
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == [b"1", b"11"]


def test_of_two_jobs_at_once_one_publishes(tmp_path):
    """Both start at the same moment; neither may stop the other without publishing itself."""
    rounds = 200
    meeting = threading.Barrier(2)
    published = [set(), set()]

    def work(job):
        for number in range(rounds):
            meeting.wait()
            try:
                with tables.own(tmp_path / f"{number}.csv") as file:
                    file.write(b"%d" % job)
                    meeting.wait()
                published[job].add(number)
            except tables.TableError:
                pass

    jobs = [threading.Thread(target=work, args=(job,)) for job in (0, 1)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert not published[0] & published[1]
    assert published[0] | published[1] == set(range(rounds))
    for number in range(rounds):
        assert (tmp_path / f"{number}.csv").read_bytes() == (b"0" if number in published[0] else b"1")
    assert len(names(tmp_path)) == rounds


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failing_job_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "shard.csv"
    path.write_bytes(b"old")
    with pytest.raises(error), tables.own(path) as file:
        fail(file, error)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["shard.csv"]


def test_a_missing_input_is_not_taken_for_another_job(tmp_path):
    with pytest.raises(FileNotFoundError), tables.own(tmp_path / "shard.csv"):
        (tmp_path / "missing.csv").read_bytes()
    assert names(tmp_path) == []


def test_what_a_killed_job_left_is_cleared_away(tmp_path):
    killed = tables.own(tmp_path / "shard.csv")
    killed.__enter__().write(b"half")
    assert [name for name in names(tmp_path) if name.startswith(".")]
    with tables.own(tmp_path / "shard.csv") as file:
        file.write(b"whole")
    assert names(tmp_path) == ["shard.csv"]
    with pytest.raises(tables.TableError):
        killed.__exit__(None, None, None)


def test_every_cut_through_a_table_is_noticed(tmp_path):
    path = tmp_path / "shard.csv"
    table = {name: [0.125, 0.0625] for name in tables.UPPER_LIMIT}
    table |= {"point": [0, 0], "dataset": [0, 1], "union_mass": [0.25, 1e-80]}
    with tables.own(path) as file:
        tables.write(file, tables.UPPER_LIMIT, table)
    whole = path.read_bytes()
    assert tables.read(path, tables.UPPER_LIMIT, rows=2)["union_mass"].tolist() == [0.25, 1e-80]
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(tables.TableError, match=r"shard\.csv"):
            tables.read(path, tables.UPPER_LIMIT, rows=2)


def test_a_full_disk_is_named_with_the_file(tmp_path):
    path = tmp_path / "shard.csv"
    path.write_bytes(b"old")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with (
        pytest.raises(tables.TableError, match=r"shard\.csv' was not written \(No space left on device\)"),
        tables.own(path) as file,
    ):
        fail(file, full)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["shard.csv"]


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk is made by root alone")
def test_a_job_on_a_full_disk_says_so_and_leaves_the_old_file(tmp_path):
    job = [
        sys.executable,
        "-c",
        "from disclosure.workflow.__main__ import main; main()",
        "calibrate",
        "--population",
        "100",
        "--sample",
        "90",
    ]
    job += [
        "--delta",
        "0.1",
        "--epsilon",
        '{"start": 0.1, "stop": 1.0, "points": 2000}',
        "--output",
        str(tmp_path / "calibration.csv"),
    ]
    mount = 'mount -t tmpfs -o size=8k tmpfs "$0" && echo old > "$0/calibration.csv" && "$@"; code=$?; ls -A "$0"; exit $code'
    run = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mount, str(tmp_path), *job], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 2, run.stderr
    assert "calibration.csv' was not written (No space left on device)" in run.stderr
    assert run.stdout.split() == ["calibration.csv"]
