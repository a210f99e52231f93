"""Subcommands used by hand: a mistake ends with one line and exit code 2, and writes nothing."""

import pathlib
import subprocess
import sys

import pytest

from disclosure.cli import main

RANGE = ["--population", "20", "--sample", "15", "--epsilon", "[0.5, 1.0]", "--delta", "0.5"]
UPPER_LIMIT = ["upper_limit", "calibration.csv", "--seed", "1", "--stop", "3"]
SIMULATE = ["simulate", "calibration.csv", "--method", "threshold", "--seed", "1", "--stop", "3", "--releases", "10"]
AGGREGATE = ["aggregate", "calibration.csv", "--datasets", "3", "--upper-limit", "upper_limit.csv"]

COMPARE = ["--summaries", "summary.csv", "--replications", "replicate.csv", "--page", "page.md"]
COMPARE += ["--profile", '{"knots": [[0, 10]]}', "--participants", "3", "--prevalence", "0.1"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the tables of a sweep of two points."""
    monkeypatch.chdir(tmp_path)
    main(["calibrate", *RANGE, "--output", "calibration.csv"])
    main([*UPPER_LIMIT, "--output", "upper_limit.csv"])
    main([*SIMULATE, "--point", "0", "--output", "simulate_0.csv"])
    main([*SIMULATE, "--point", "1", "--output", "simulate_1.csv"])
    main([*AGGREGATE, "--simulate", "simulate_0.csv", "simulate_1.csv", "--output", "summary.csv"])
    return tmp_path


def refused(capsys, *arguments):
    """The one line that a subcommand ends with; its output has not been touched."""
    capsys.readouterr()
    before = sorted(pathlib.Path().iterdir())
    with pytest.raises(SystemExit) as caught:
        main([*arguments, "--output", "output.csv" if arguments[0] != "figure" else "output.pdf"])
    assert caught.value.code == 2
    assert sorted(pathlib.Path().iterdir()) == before
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"disclosure {arguments[0]}: ")
    assert error.count("\n") == 1
    return error


def test_a_sweep_by_hand(folder, capsys):
    main(["figure", "summary.csv", "--output", "figure.pdf"])
    assert (folder / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert "disclosure figure: " in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["upper_limit", "missing.csv", *UPPER_LIMIT[2:]],
        ["simulate", "missing.csv", *SIMULATE[2:], "--point", "0"],
        ["expect", "missing.csv"],
        ["replicate", "missing.csv", "--datasets", "3", "--stop", "1", "--seed", "1"],
        ["aggregate", "missing.csv", *AGGREGATE[2:]],
        [*AGGREGATE, "--simulate", "simulate_0.csv", "missing.csv"],
        [*AGGREGATE, "--expected", "missing.csv"],
        ["figure", "missing.csv"],
        ["record_provenance", "--commit", "x", "--config", "{}", "--seed", "1", "--lock", "missing.csv"],
        ["compare_published", "missing.csv", *COMPARE],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_missing_file_is_named(capsys, arguments):
    error = refused(capsys, *arguments)
    assert "missing.csv" in error
    assert "No such file or directory" in error


@pytest.mark.parametrize("rest", [0.0, 0.3, 0.6, 0.9, 1.0])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("upper_limit.csv", AGGREGATE),
        ("simulate_1.csv", [*AGGREGATE, "--simulate", "simulate_0.csv", "simulate_1.csv"]),
    ],
    ids=["upper_limit", "simulate"],
)
def test_a_cut_table_is_refused(folder, capsys, name, arguments, rest):
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: int(rest * (len(whole) - 1))])
    assert name in refused(capsys, *arguments)


def test_a_table_without_its_last_row_is_refused(folder, capsys):
    path = folder / "upper_limit.csv"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    error = refused(capsys, *AGGREGATE)
    assert "5 rows" in error
    assert "3 datasets" in error


def test_shards_of_another_study_are_refused(capsys, folder):
    main(["upper_limit", "calibration.csv", "--seed", "1", "--stop", "4", "--output", "upper_limit.csv"])
    assert "8 rows; expected each of 3 datasets at each of 2 points once" in refused(capsys, *AGGREGATE)
    assert folder.exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["upper_limit", "upper_limit.csv", *UPPER_LIMIT[2:]],
        [*SIMULATE[:1], "summary.csv", *SIMULATE[2:], "--point", "0"],
        ["expect", "upper_limit.csv"],
        [*AGGREGATE[:-1], "calibration.csv"],
        [*AGGREGATE, "--simulate", "upper_limit.csv"],
        ["figure", "calibration.csv"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_wrong_header_is_refused(capsys, arguments):
    error = refused(capsys, *arguments)
    assert "has the columns ['point'" in error
    assert "expected ['point'" in error


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([*SIMULATE, "--point", "2"], ["point = 2", "0 to 1"]),
        ([*SIMULATE, "--point", "-1"], ["point = -1", "0 to 1"]),
        ([*SIMULATE, "--point", "0", "--releases", "0"], ["releases = 0", "at least 1"]),
        ([*UPPER_LIMIT, "--seed", "-1"], ["seed = -1", "at least 0"]),
        (["calibrate", *RANGE, "--sample", "21"], ["sample = 21", "population = 20"]),
        (["calibrate", *RANGE, "--delta", "0"], ["delta = 0.0", "(0, 1]"]),
        (["calibrate", *RANGE, "--epsilon", "NaN"], ["epsilon = nan", "(0, inf)"]),
        (["calibrate", *RANGE, "--delta", '"1e-5"'], ["delta = '1e-5'", "is not a number"]),
        (["figure", "summary.csv", "--output", "figure.txt"], ["figure.txt", ".pdf, .svg or .png"]),
    ],
    ids=lambda value: " ".join(value[-2:]) if isinstance(value, list) else None,
)
def test_a_value_outside_its_domain_is_named(capsys, arguments, parts):
    capsys.readouterr()
    if "--output" in arguments:
        with pytest.raises(SystemExit, match="2"):
            main(arguments)
        error = capsys.readouterr().err
    else:
        error = refused(capsys, *arguments)
    assert [part for part in parts if part not in error] == [], error
    assert error.count("\n") == 1


def test_the_installed_command_tells_the_same(tmp_path):
    command = pathlib.Path(sys.executable).with_name("disclosure")
    run = subprocess.run(
        [command, "expect", "missing.csv", "--output", "x.csv"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "disclosure expect: missing.csv: cannot be read as a table (No such file or directory)\n"
    assert list(tmp_path.iterdir()) == []
