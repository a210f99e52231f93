"""The command `disclosure release`: from a plan and a table to an answer, and one line for what is wrong with a plan."""

import json
import pathlib

import jsonschema
import numpy as np
import pytest

from disclosure.pages.record import schema
from disclosure.workflow import tables
from tests.commands import main
from tests.unit.people.tables import DAVIS

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLAN, LUNG = ROOT / "tests/data/release_lung.yaml", ROOT / "tests/data/tables/lung.csv"
MEAN = "m: {kind: mean, columns: ['age:0:120']}"


def answer_of(capsys, words):
    main(["release", *map(str, words)])
    return capsys.readouterr().out


def test_six_statistics_go_from_file_and_plan_to_an_answer(capsys, tmp_path):
    out = answer_of(capsys, [PLAN, LUNG, "--missing", "drop", "--output", tmp_path])
    assert "6 statistics with 11 numbers, over 25 of 29 people; neighbours by replace-one" in out
    statistics = tables.read(tmp_path / "statistics.csv", tables.RELEASE_STATISTICS, rows=11)
    assert statistics["statistic"].tolist() == ["age", "karnofsky", "days", "dead", "old", *["scores"] * 6]
    assert statistics["entry"][-1] == "sex=2, ph.ecog=2.0"
    people = tables.read(tmp_path / "people.csv", tables.RELEASE_PEOPLE)
    budget = tables.read(tmp_path / "budget.csv", tables.RELEASE_BUDGET, rows=1)
    assert budget["mu"][0] == pytest.approx(1.0, rel=1e-9)
    assert f"most exposed is row {people['person'][0]}:" in out
    points = tables.read(tmp_path / "points.csv", tables.POINTS)
    own = (points["sigma"] == 1) & (points["probability"] == 1e-3)
    assert points["rise_limit_of_all"][own] == people["rise_limit_of_all"][0]
    assert points["most_exposed"][own] == people["person"][0]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "What this release reveals: age, karnofsky, days, dead, old, scores" in page
    record = json.loads((tmp_path / "release.json").read_text(encoding="utf-8"))
    jsonschema.validate(record, schema())
    assert [statistic["sigma"] for statistic in record["statistics"]] == statistics["scale"].tolist()
    assert [statistic["entry"] for statistic in record["statistics"]] == statistics["entry"].tolist()
    assert [statistic["unit"] for statistic in record["statistics"]] == statistics["unit"].tolist()
    columns = {statistic["name"].partition(" ")[0]: statistic["columns"] for statistic in record["statistics"]}
    assert columns["scores"] == [{"name": "sex"}, {"name": "ph.ecog"}]
    assert columns["age"] == [{"name": "age", "low": 0.0, "high": 120.0}]
    assert columns["old"] == [{"name": "age"}]
    assert record["budget"]["mu"] == pytest.approx(1.0, rel=1e-9)
    assert f"found: a factor {people['rise_found'][0]:.4g}" in out
    assert f"rises by no more than a factor {budget['rise_limit'][0]:.4g}" in out
    assert (people["rise_limit"] <= people["rise_limit_of_all"]).all()
    assert people["rise_limit_of_all"][0] <= budget["rise_limit"][0]
    # Each of the shares in rho once: a share of 2 for one of six.
    shares = [statistics["rho"][statistics["statistic"] == name][0] for name in dict.fromkeys(statistics["statistic"])]
    assert np.allclose(np.array(shares) / 0.5, np.array([1, 2, 1, 1, 1, 1]) / 7, rtol=1e-9)


def test_the_answer_for_machines_has_the_numbers_of_the_files(capsys, tmp_path):
    answer = json.loads(answer_of(capsys, [PLAN, LUNG, "--missing", "drop", "--output", tmp_path, "--json"]))
    assert answer["people"][0]["person"] == tables.read(tmp_path / "people.csv", tables.RELEASE_PEOPLE)["person"][0]
    assert answer["statistics"][0]["sampling_error"] > 0
    assert answer["budget"]["epsilon_pure"] == "inf"


def test_without_a_table_there_is_budget_and_accuracy_only(capsys, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        f"sample: 90\npopulation: 100\nbudget: {{largest_ratio: 2, failure: 1e-3}}\nstatistics: {{{MEAN}}}\n"
    )
    out = answer_of(capsys, [plan, "--output", tmp_path])
    assert not (tmp_path / "people.csv").exists()
    assert not (tmp_path / "index.html").exists()
    budget = tables.read(tmp_path / "budget.csv", tables.RELEASE_BUDGET, rows=1)
    assert budget["exceeding_limit"][0] == pytest.approx(1e-3, rel=1e-6)
    assert budget["rise_limit"][0] == pytest.approx(2.0, rel=1e-6)
    assert "most exposed" not in out


def test_the_example_says_what_the_plan_says(capsys, tmp_path):
    out = answer_of(capsys, [ROOT / "resources/release.yaml", DAVIS, "--targets", "6", "--output", tmp_path])
    assert "6 statistics with 11 numbers, over 180 of 200 people" in out
    assert "most exposed is row 12:" in out


def test_weights_show_both_splits_and_a_sample_says_what_it_is(capsys, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "sample: 20\npopulation: 1000\nbudget: {rho: 0.1}\nspent: {mu: 0.1}\nstatistics:\n"
        "  age: {kind: mean, columns: ['age:0:120'], weight: 1}\n  days: {kind: sum, columns: ['time:0:2000'], weight: 1e-6}\n"
    )
    out = answer_of(capsys, [plan, LUNG, "--targets", "3", "--datasets", "3", "--output", tmp_path])
    assert "if split equally" in out
    assert "the table is a sample of a population of 1,000 people" in out
    assert "people with others are covered by the stated ranges alone" in out
    assert "0.005 of it spent before\n    what was spent is taken for normal noise" in out
    # What was spent does not move with the noise that a page would offer.
    assert not (tmp_path / "index.html").exists()


def test_of_infinitely_many_candidates_belief_is_0_before_and_after(capsys, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(f"sample: 20\npopulation: inf\nbudget: {{rho: 0.1}}\nstatistics: {{{MEAN}}}\n")
    out = answer_of(capsys, [plan, LUNG, "--targets", "3", "--datasets", "3", "--output", tmp_path])
    assert "of infinitely many candidates belief in each is 0 before and after; the factors are the limits" in out
    assert "belief from" not in out


def test_everybodys_record_is_as_many_numbers_as_people(capsys, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "sample: 90\npopulation: 100\nbudget: {rho: 0.1}\nstatistics: {all: {kind: identity, columns: ['age:0:120']}, "
        + MEAN
        + "}\n"
    )
    out = answer_of(capsys, [plan, "--output", tmp_path])
    assert "2 statistics with 91 numbers" in out


def test_rows_of_one_person_are_replaced_together(capsys, tmp_path):
    table, plan = ROOT / "tests/data/tables/stanford_heart.csv", tmp_path / "plan.yaml"
    text = (
        "sample: 10\nbudget: {rho: 0.5}\nperson: {column: id, rows: ROWS}\nstatistics:\n"
        "  days: {kind: sum, columns: ['stop:0:2000']}\n  transplants: {kind: count, where: transplant == 1}\n"
    )
    plan.write_text(text.replace("ROWS", "3"))
    answer_of(capsys, [plan, table, "--output", tmp_path])
    with open(table, encoding="utf-8") as file:
        numbers = [line.rsplit(",", 1)[1].strip() for line in file][1:]
    people = tables.read(tmp_path / "people.csv", tables.RELEASE_PEOPLE)
    assert people["people"].sum() == len(set(numbers)) < len(numbers)
    assert set(people["person"]) <= {numbers.index(number) + 1 for number in numbers}
    statistics = tables.read(tmp_path / "statistics.csv", tables.RELEASE_STATISTICS, rows=2)
    assert statistics["sensitivity"].tolist() == [6000.0, 3.0]
    record = json.loads((tmp_path / "release.json").read_text(encoding="utf-8"))
    assert record["people"]["rows"] == 3
    assert [statistic["columns"] for statistic in record["statistics"]] == [
        [{"name": "stop", "low": 0.0, "high": 2000.0}],
        [{"name": "transplant"}],
    ]
    assert "rows with transplant == 1" in (tmp_path / "index.html").read_text(encoding="utf-8")
    plan.write_text(text.replace("ROWS", "1"))
    with pytest.raises(SystemExit):
        main(["release", str(plan), str(table), "--output", str(tmp_path)])
    assert "person.rows = 1 is less than the 2 rows with id" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sample: 3", "statistics is missing"),
        ("[]", "the keys sample and statistics"),
        ("sample: 3\nstatistics: {}", "statistics = {}; allowed: at least one statistic by its name"),
        (f"sample: 0\nstatistics: {{{MEAN}}}", "sample = 0; allowed: a whole number of at least 1"),
        (f"sample: 3\nstatistics: {{{MEAN}}}", "budget is missing, and statistics.m has no sigma"),
        (f"sample: 3\nstatistic: {{{MEAN}}}", "statistic is not a key"),
        (
            f"sample: 3\nbudget: {{rho: 1, mu: 2}}\nstatistics: {{{MEAN}}}",
            "budget has the keys mu and rho; allowed: rho, mu, epsilon with delta and definition,",
        ),
        (f"sample: 3\nbudget: {{epsilon: 1}}\nstatistics: {{{MEAN}}}", "budget has the keys epsilon; allowed"),
        (f"sample: 3\nbudget: {{rho: -1}}\nstatistics: {{{MEAN}}}", "budget.rho = -1; allowed: a number above 0"),
        (
            f"sample: 3\nbudget: {{rho: 1}}\nspent: [{{rho: 2}}]\nstatistics: {{{MEAN}}}",
            "leaves nothing for statistics.m",
        ),
        ("sample: 3\nstatistics: {m: {kind: median}}", "statistics.m.kind = 'median'; allowed: mean, sum"),
        ("sample: 3\nstatistics: {m: {kind: mean}}", "statistics.m.columns is missing; a mean needs it"),
        ("sample: 3\nstatistics: {m: {kind: mean, columns: [age]}}", "age is '74', neither yes nor no"),
        ("sample: 3\nstatistics: {m: {kind: mean, columns: ['age:9:9'], sigma: 1}}", "range of age = 9 to 9 is empty"),
        (
            "sample: 3\nstatistics: {m: {kind: sum, columns: ['age:0:9'], where: age > 3}}",
            "statistics.m.where: a sum has none",
        ),
        ("sample: 3\nstatistics: {m: {kind: count, where: age ~ 3}}", "where = 'age ~ 3' is no condition"),
        (
            "sample: 3\nstatistics: {m: {kind: count, where: age > 3, sigma: 1, share: 2}}",
            "m.share: sigma is stated as well",
        ),
        (
            "sample: 3\nstatistics: {m: {kind: count, where: age > 3, sigma: [1, 2]}}",
            "sigma has 2 numbers; allowed: one",
        ),
        (
            "sample: 3\nstatistics: {m: {kind: table, cells: {age: {cuts: [3, 2]}}}}",
            "cuts of age = [3.0, 2.0] do not rise",
        ),
        ("sample: 3\nstatistics: {m: {kind: table, cells: {smoker: [yes, no]}}}", "write the category in quotes"),
        (
            "sample: 3\nstatistics: {m: {kind: mean, columns: ['age:0:9'], by: {sex: [1, 2]}}}",
            "by is for sums and counts",
        ),
        (
            "sample: 3\nstatistics: {m: {kind: mean, columns: ['age:0:9'], noise: geometric}}",
            "for answers that are whole numbers",
        ),
        ("sample: 40\nstatistics: {m: {kind: mean, columns: ['age:0:120'], sigma: 1}}", "leaves no other candidate"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_in_one_line(capsys, tmp_path, text, words):
    plan = tmp_path / "plan.yaml"
    plan.write_text(text)
    with pytest.raises(SystemExit) as stopped:
        main(["release", str(plan), str(LUNG), "--output", str(tmp_path / "out")])
    message = capsys.readouterr().err
    assert stopped.value.code == 2
    assert words in message
    assert message.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_no_output_replaces_what_is_read(capsys, tmp_path):
    plan = tmp_path / "budget.csv"
    plan.write_text(PLAN.read_text())
    with pytest.raises(SystemExit):
        main(["release", str(plan), str(LUNG), "--missing", "drop", "--output", str(tmp_path)])
    assert "would replace" in capsys.readouterr().err
    assert plan.read_text() == PLAN.read_text()
