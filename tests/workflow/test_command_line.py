"""Subcommands used by hand: a mistake ends with one line and exit code 2, and writes nothing."""

import pathlib
import re
import subprocess
import sys

import pytest

from tests.commands import main, prog

RANGE = ["--population", "20", "--sample", "15", "--epsilon", "[0.5, 1.0]", "--delta", "0.5"]
UPPER_LIMIT = ["upper_limit", "calibration.csv", "--ratio-probability", "1e-3", "--seed", "1", "--stop", "3"]
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
    assert error.startswith(f"{prog(arguments[0])} {arguments[0]}: ")
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


EXPOSE = [
    "expose",
    "people_point.csv",
    "people.csv",
    "--columns",
    "a:0:9",
    "--query",
    "mean",
    "--point",
    "0",
    "--seed",
    "1",
]
ASSESS = ["--columns", "a:0:9", "--query", "mean", "--sample", "2"]


@pytest.fixture
def people(tmp_path, monkeypatch):
    """A working folder with a table of four people, a point for it, and an empty file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("a\n1\n2\n4\n8\n", encoding="utf-8")
    main(
        [
            "calibrate",
            "--population",
            "4",
            "--sample",
            "2",
            "--epsilon",
            "1",
            "--delta",
            "0.1",
            "--output",
            "people_point.csv",
        ]
    )
    (tmp_path / "empty.csv").touch()
    return tmp_path


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    "arguments",
    [
        ["upper_limit", "empty.csv", *UPPER_LIMIT[2:]],
        ["simulate", "empty.csv", *SIMULATE[2:], "--point", "0"],
        ["expect", "empty.csv"],
        ["replicate", "empty.csv", "--datasets", "3", "--stop", "1", "--seed", "1"],
        ["aggregate", "empty.csv", *AGGREGATE[2:]],
        ["figure", "empty.csv"],
        ["compare_published", "empty.csv", *COMPARE],
        ["verify", "--calibration", "empty.csv", "--upper-limit", "x", "--simulate", "x", "--datasets", "3"],
        ["show_claims", "empty.csv", "--printed", "empty.csv", "--title", "x"],
        ["show_result", "--title", "x", "--table", "empty.csv"],
        [*EXPOSE[:2], "empty.csv", *EXPOSE[3:], "--targets", "2", "--datasets", "2", "--stop", "1"],
        ["assess", "empty.csv", *ASSESS, "--epsilon", "1", "--delta", "0.1"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_empty_file_is_named(capsys, arguments):
    error = refused(capsys, *arguments)
    assert "empty.csv: " in error
    assert "expected" in error


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["aggregate", "people_point.csv", "--datasets", "-3"], ["datasets = -3", "at least 0"]),
        (
            ["verify", *["--calibration", "x", "--upper-limit", "x", "--simulate", "x", "--datasets", "-3"]],
            ["datasets = -3", "at least 1"],
        ),
        (
            ["replicate", "people_point.csv", *["--datasets", "-3", "--stop", "1", "--seed", "1"]],
            ["datasets = -3", "at least 1"],
        ),
        (
            [*EXPOSE, *["--targets", "2", "--datasets", "-2", "--start", "3", "--stop", "4"]],
            ["datasets = -2", "at least 1"],
        ),
        ([*EXPOSE, *["--targets", "-2", "--datasets", "2", "--stop", "1"]], ["targets = -2", "at least 1"]),
        (
            ["aggregate", "people_point.csv", *["--datasets", "2", "--exposure", "x", "--targets", "-4"]],
            ["targets = -4", "at least 1"],
        ),
        (["aggregate", "people_point.csv", *["--datasets", "2", "--exposure", "x"]], ["targets is missing"]),
        (
            ["record_provenance", *["--commit", "x", "--config", "{}", "--seed", "-1", "--lock", "empty.csv"]],
            ["seed = -1", "at least 0"],
        ),
        (
            ["assess", "people.csv", *ASSESS, *["--epsilon", "1", "--delta", "0.1", "--datasets", "-3"]],
            ["datasets = -3", "at least 1"],
        ),
    ],
    ids=lambda value: " ".join([value[0], *value[-2:]]),
)
def test_a_count_below_its_range_is_named(capsys, arguments, parts):
    error = refused(capsys, *arguments)
    assert [part for part in parts if part not in error] == [], error


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["calibrate", *RANGE, "--output", "people.csv/x"], "name a file"),
        (["calibrate", *RANGE, "--output", "people.csv/x/y"], "name a file"),
        (["calibrate", *RANGE, "--output", "."], "name a file"),
        (["calibrate", *RANGE, "--output", ""], "name a file"),
        (
            ["assess", "people.csv", *ASSESS, "--epsilon", "1", "--delta", "0.1", "--output", "people.csv"],
            "name a folder",
        ),
        (
            ["assess", "people.csv", *ASSESS, "--epsilon", "1", "--delta", "0.1", "--output", "people.csv/x"],
            "name a file",
        ),
    ],
    ids=lambda value: " ".join([value[0], value[-1]]) if isinstance(value, list) else "",
)
def test_an_output_that_cannot_be_made_is_named(capsys, arguments, advice):
    capsys.readouterr()
    before = sorted(pathlib.Path().iterdir())
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    error = capsys.readouterr().err
    assert error.startswith(f"{prog(arguments[0])} {arguments[0]}: output = '{arguments[-1]}")
    assert advice in error
    assert error.count("\n") == 1
    assert sorted(pathlib.Path().iterdir()) == before


def test_json_has_no_infinite_numbers(capsys):
    odds = ["odds", "--q", "0.5", "--q0", "0.1", "--json", "--epsilon"]
    main([*odds, "353"])
    assert "Infinity" not in capsys.readouterr().out
    for epsilon in ("353.8", "1e300"):
        with pytest.raises(SystemExit, match="2"):
            main([*odds, epsilon])
        out, error = capsys.readouterr()
        assert out == ""
        assert error.count("\n") == 1
        assert f"epsilon = {float(epsilon):g} makes odds too large for a number; state one of at most 353\n" in error


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


@pytest.mark.usefixtures("folder")
def test_shards_of_another_study_are_refused(capsys):
    main([*UPPER_LIMIT, "--stop", "4", "--output", "upper_limit.csv"])
    assert "8 rows; expected each of 3 datasets at each of 2 points once" in refused(capsys, *AGGREGATE)


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
    assert re.search(r"has the columns \['(sweep', ')?point'", error)
    assert re.search(r"expected \['(sweep', ')?point'", error)


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
        (["calibrate", *RANGE, "--epsilon", "{0: 1}"], ["epsilon is no range", "start, stop and points"]),
        (["calibrate", *RANGE, "--epsilon", "[1"], ["epsilon: not readable as YAML"]),
        (["calibrate", *RANGE, "--epsilon", "1_0"], ["epsilon: '1_0' has an underscore"]),
        (["calibrate", *RANGE, "--epsilon", "NaN"], ["epsilon = 'NaN' is not a number"]),
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


def test_a_process_of_its_own_tells_the_same(tmp_path):
    command = [sys.executable, "-m", "disclosure.workflow", "expect", "missing.csv", "--output", "x.csv"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "python -m disclosure.workflow expect: missing.csv: cannot be read as a table (No such file or directory)\n"
    )
    assert list(tmp_path.iterdir()) == []
