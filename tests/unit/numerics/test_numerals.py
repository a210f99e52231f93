"""One grammar of numbers: what is in it, what Python and YAML take beside it, and that all who read numbers keep to it."""

import argparse
import csv
import importlib
import itertools
import math
import re

import numpy as np
import pytest

from disclosure import cli
from disclosure.numerics import numerals
from disclosure.numerics.errors import DomainError
from disclosure.people import queries
from disclosure.workflow import jobs
from disclosure.workflow.profile_files import read_profile
from disclosure.workflow.yaml_files import load_yaml, parse_yaml
from tests.commands import main

NUMBERS = {
    "0": 0.0,
    "12": 12.0,
    "-0.5": -0.5,
    ".5": 0.5,
    "1.": 1.0,
    "+3": 3.0,
    "+0.1": 0.1,
    "1e-3": 0.001,
    "2.5E6": 2.5e6,
    "1e+3": 1000.0,
    "-.5e1": -5.0,
}
# Of each: what is said of it. Python takes most of them for numbers, and YAML others.
OTHERS = {
    "1_80": "'1_80' has an underscore",
    "1_0.5": "has an underscore",
    "1:30": "'1:30' has a colon",
    "0x10": "'0x10' is not decimal",
    "0b1": "is not decimal",
    "nan": "'nan' is not finite",
    "inf": "'inf' is not finite",
    "-Infinity": "is not finite",
    ".inf": "is not finite",
    "1e999": "'1e999' is too large",
    "139,750": "'139,750' has a comma",
    "1.234,5": "has a comma",
    "\u0663": "is no number",
    "1\u00a0000": "has a sign between thousands",
    "1 000": "has a sign between thousands",
    "1'234.5": "has a sign between thousands",
    "12 %": "has a percent sign",
    "45.5%": "has a percent sign",
    "$1,200.50": "has a sign of a currency",
    "1.200,50 \u20ac": "has a sign of a currency",
    "1887-05-12 00:00:00": "is a date",
    "12.5.1999": "is a date",
    "12/05/99": "is a date",
    "30-39": "is a range",
    "<0.006": "is no number",
    "tall": "'tall' is no number",
    "1e": "is no number",
    "e5": "is no number",
    ".": "is no number",
    "--1": "is no number",
    "1.2.3": "is no number",
    "": "'' is empty",
    "  ": "is empty",
}

EVERY_COMMAND = [
    f"{package}.{name}"
    for package, names in (("cli", cli.COMMANDS), ("workflow.jobs", jobs.COMMANDS))
    for name in names
]


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_read(text):
    assert numerals.number(text) == numerals.number(f" {text}\t") == NUMBERS[text]
    assert numerals.fault(text) is None
    assert re.fullmatch(numerals.NUMBER, text)


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_no_number_is_refused_with_what_was_found(text):
    for parse in (numerals.number, numerals.whole):
        with pytest.raises(DomainError) as caught:
            parse(text)
        assert OTHERS[text] in str(caught.value)
        assert "write a number like" in str(caught.value)
    assert math.isnan(numerals.numbers([text])[0])


def test_whole_numbers_are_exact():
    assert numerals.whole("1e6") == numerals.whole("1000000.0") == 10**6
    assert numerals.whole("123456789012345678901") == 123456789012345678901
    assert numerals.whole("-0010") == -10
    assert numerals.whole("1.5e1") == 15
    assert numerals.whole("1e300") == 10**300
    for text in ("2.5", "1e-3", "1e-400"):
        with pytest.raises(DomainError, match=f"'{text}' is not a whole number"):
            numerals.whole(text)


def test_many_texts_are_read_as_one_is():
    """Every text of up to four of the characters that the grammar has, and of some that it has not."""
    texts = ["".join(word) for length in range(5) for word in itertools.product("10.-+eE _x:n", repeat=length)]
    single = [float(text) if re.fullmatch(numerals.NUMBER, text.strip(" ")) else math.nan for text in texts]
    together = numerals.numbers(texts)
    np.testing.assert_array_equal(together, single)
    assert np.isfinite(together).sum() > 300
    # All together without any that is none, which is the short way.
    good = [text for text, value in zip(texts, single, strict=True) if value == value]
    np.testing.assert_array_equal(numerals.numbers(good), [value for value in single if value == value])
    assert [numerals.fault(text) is None for text in texts] == [value == value for value in single]
    np.testing.assert_array_equal(numerals.numbers(["1", "1e999"]), [1.0, math.nan])


@pytest.mark.parametrize("text", NUMBERS)
def test_yaml_has_the_same_numbers(text):
    value = parse_yaml(f"[{text}]", "it")[0]
    assert value == NUMBERS[text]
    assert isinstance(value, int | float)


@pytest.mark.parametrize(
    "text", ["1_80", "1_0.5", "1:30", "1:30.5", "0x10", "0b1", ".inf", "-.Inf", ".nan", "1e999", "010", "08"]
)
def test_what_yaml_alone_takes_for_a_number_is_refused_with_its_line(text, tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text(f"# a comment\nvalues:\n- 1\n- {text}\n", encoding="utf-8")
    with pytest.raises(DomainError) as caught:
        load_yaml(path)
    assert str(caught.value).startswith(f"{path}: line 4: '{text}' ")
    assert "\n" not in str(caught.value)


def test_yaml_keeps_whole_numbers_and_texts_apart():
    data = parse_yaml("{whole: 12, large: 123456789012345678901, float: 1.0, quoted: '1e-3', date: x1e3}", "it")
    assert data == {"whole": 12, "large": 123456789012345678901, "float": 1.0, "quoted": "1e-3", "date": "x1e3"}
    assert isinstance(data["whole"], int)
    assert isinstance(data["float"], float)


def test_a_key_that_stands_twice_is_refused_with_its_line(tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text("a: 1\nb:\n  c: 2\n  d: 3\n  c: 4\n", encoding="utf-8")
    with pytest.raises(
        DomainError, match=r"settings.yaml: line 5: the key c stands on line 3 already; write every key once"
    ):
        load_yaml(path)
    with pytest.raises(DomainError, match="it: the key a stands on line 1 already"):
        parse_yaml("{a: 1, 'a': 2}", "it")
    merged = "base: &base {a: 1, b: 2}\nown:\n  <<: *base\n  b: 3\nother:\n  <<: *base\n"
    assert parse_yaml(merged, "it")["own"] == {"a": 1, "b": 3}


def test_yaml_that_cannot_be_read_is_named(tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text("a: [1\n", encoding="utf-8")
    with pytest.raises(DomainError, match=r"settings.yaml: not readable as YAML"):
        load_yaml(path)
    path.write_bytes(b"a: \xff\n")
    with pytest.raises(DomainError, match="is not a text in UTF-8"):
        load_yaml(path)
    with pytest.raises(DomainError, match="is a folder"):
        load_yaml(tmp_path)


def test_a_knot_of_a_profile_is_a_number_of_the_grammar(tmp_path):
    path = tmp_path / "profile.yaml"
    path.write_text("knots:\n- [1e-3, 10]\n- [1., +2]\n", encoding="utf-8")
    assert read_profile(str(path)).knots == read_profile("{knots: [[0.001, 10], [1, 2]]}").knots
    path.write_text("knots:\n- [1:30, 10]\n", encoding="utf-8")
    with pytest.raises(DomainError, match=r"profile.yaml: line 2: '1:30' has a colon"):
        read_profile(str(path))
    with pytest.raises(DomainError, match="the key scale stands on line 1 already"):
        read_profile("{knots: [[1, 2]], scale: log, scale: linear}")


def test_the_range_of_a_column_is_of_numbers_of_the_grammar():
    assert queries.parse_column("a:.5:1e3") == queries.Column("a", 0.5, 1000.0)
    for text in ("a:0:1_80", "a:nan:1", "a:0:inf"):
        with pytest.raises(DomainError, match=f"column '{text}' has no range: '"):
            queries.parse_column(text)


ODDS = ["odds", "--epsilon", "0.5", "--q", "0.5", "--q0", "0.1"]
CALIBRATE = [
    "calibrate",
    "--population",
    "20",
    "--sample",
    "15",
    "--epsilon",
    "1",
    "--delta",
    "0.1",
    "--output",
    "out.csv",
]


def epsilons(path):
    """What stands in the column of that name."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row["epsilon"] for row in csv.DictReader(file)]


@pytest.mark.parametrize("text", ["0.5", ".5", "5e-1", "+0.5", "0.5e0"])
@pytest.mark.parametrize("command", [ODDS, CALIBRATE], ids=lambda command: command[0])
def test_options_take_the_numbers_of_the_grammar(command, text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for values in (["--epsilon", "0.5"], ["--epsilon", text]):
        main([*command, *values])
    if command is ODDS:
        first, second = (part for part in capsys.readouterr().out.split("pure ") if part)
        assert first == second
    else:
        assert epsilons(tmp_path / "out.csv") == ["0.5"]


@pytest.mark.parametrize("text", ["0_5", "0x1", "nan", "inf", "0:5", "0,5"])
@pytest.mark.parametrize("command", [ODDS, CALIBRATE], ids=lambda command: command[0])
def test_options_refuse_what_is_no_number_by_name(command, text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main([*command, "--epsilon", text])
    assert caught.value.code == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert "epsilon" in error
    assert repr(text) in error
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("text", ["[.1, 1., +2, 5e-1]", '{"start":.1,"stop":2e0,"points":4}'])
def test_lists_and_ranges_are_of_numbers_of_the_grammar(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main([*CALIBRATE, "--epsilon", text])
    found = [float(epsilon) for epsilon in epsilons(tmp_path / "out.csv")]
    assert found == pytest.approx([0.1, 1.0, 2.0, 0.5] if text[0] == "[" else np.linspace(0.1, 2, 4))


def test_whole_numbers_of_options_may_have_an_exponent(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("a\n" + "1\n2\n4\n8\n" * 5, encoding="utf-8")
    command = [
        "choose",
        "people.csv",
        "--columns",
        "a:0:9",
        "--query",
        "mean",
        "--largest-ratio",
        "1.5",
        "--failure",
        "1e-3",
    ]
    answers = []
    for sample in ("10", "1e1", "10.0"):
        main([*command, "--sample", sample])
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1] == answers[2]
    for sample in ("1_0", "10.5"):
        with pytest.raises(SystemExit, match="2"):
            main([*command, "--sample", sample])
        assert f"argument --sample: '{sample}' " in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [*(f"cli.{name}" for name in cli.COMMANDS), *(f"workflow.jobs.{name}" for name in jobs.COMMANDS)]
)
def test_no_option_reads_numbers_in_another_way(command):
    parser = argparse.ArgumentParser()
    importlib.import_module(f"disclosure.{command}").arguments(parser)
    assert [action.dest for action in parser._actions if action.type in (int, float)] == []


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("-12", -12), ("+1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("1e-3", 1e-3), ("1E+3", 1e3), ("010", 10)],
)
def test_numbers_are_read_from_text(text, number):
    assert repr(numerals.parsed(text)) == repr(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1\n",
        "1_0",
        "1:30",
        "0x1",
        "0b1",
        "0o7",
        "1.2.3",
        "e3",
        "1e",
        ".",
        "-",
        "inf",
        "nan",
        "1,5",
        "١",
        "1e1.5",
    ],
)
def test_no_other_text_is_a_number(text):
    assert numerals.parsed(text) is None


def test_more_digits_than_a_float_has_are_no_whole_number():
    assert numerals.parsed("9" * 5000) is None
