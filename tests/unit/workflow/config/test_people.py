"""What is known of a table of people before a run starts."""

import pathlib

import pytest
import yaml

from disclosure.people.queries import Column
from disclosure.people.reading import Reading
from disclosure.workflow.config import ConfigError, check, people

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLISHED = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
TABLE = "age,member,w\n30,1,2\n,0,1\n50,1,1\n999,0,1\n40,1,1\n"
ENTRY = {
    "table": "people.csv",
    "columns": ["age:0:120"],
    "query": "mean",
    "sample": 2,
    "epsilon": [1.0, 2.0],
    "delta": 0.01,
}


@pytest.fixture
def _table(tmp_path):
    (tmp_path / "people.csv").write_text(TABLE, encoding="utf-8")


def checked(tmp_path, **changes):
    return check({**PUBLISHED, "tables": {"own": {**ENTRY, "population": 4, **changes}}}, folders=(tmp_path,))


@pytest.mark.usefixtures("_table")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"population": 5}, "tables.own: "),  # a missing age
        ({"missing": "drop"}, "age is outside 0 to 120 in row 4 (line 5): 999; if 999 stands for a missing value"),
        (
            {"missing": "drop", "clip": True, "population": 5},
            "population = 5; allowed: 4, the number of people without missing",
        ),
        ({"columns": ["member"], "population": 4}, "population = 4; allowed: 5, the number of rows of"),
        ({"columns": ["w:0:9"], "query": "count", "population": 5}, "a count needs a column of zeros and ones"),
        ({"columns": ["w:0:9"], "population": 5, "weights": "member"}, "member is not above 0 in row 2 (line 3): 0"),
        ({"columns": ["member:0:1"], "population": 5, "weights": "age"}, "age is empty"),
    ],
)
def test_what_a_job_would_refuse_is_refused_before_the_run(tmp_path, changes, said):
    with pytest.raises(ConfigError) as caught:
        checked(tmp_path, **changes)
    assert str(caught.value).startswith("tables.own")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("_table")
def test_people_who_are_left_out_are_not_counted(tmp_path):
    assert checked(tmp_path, missing="drop", clip=True)["tables"]["own"]["population"] == 4


@pytest.mark.usefixtures("_table")
def test_of_a_large_table_rows_are_counted_only_and_of_a_larger_one_nothing_is(tmp_path, monkeypatch):
    path, columns = str(tmp_path / "people.csv"), [Column("age", 0.0, 20.0)]
    monkeypatch.setattr(people, "_LARGEST_READ", 10)
    assert people.number(path, columns, Reading(), binary=False) == 5
    assert people.number(path, columns, Reading(missing="drop"), binary=False) is None
    monkeypatch.setattr(people, "_LARGEST_COUNTED", 10)
    assert people.number(path, columns, Reading(), binary=False) is None
