"""Tables that are whole and have the columns that they should have, or are refused."""

import io
import pathlib
import re

import numpy as np
import pytest

from disclosure.workflow import tables


def test_tables_give_back_what_was_written(tmp_path):
    table = {name: [0, 1] for name in tables.UPPER_LIMIT}
    table |= {"dataset": [5, 6], "union_mass": [1 / 3, 1e-300], "failure_probability": [np.nan, 0.1]}
    with tables.own(tmp_path / "new" / "table.csv") as file:
        tables.write(file, tables.UPPER_LIMIT, table)
    found = tables.read(tmp_path / "new" / "table.csv", tables.UPPER_LIMIT, rows=2)
    for name, values in table.items():
        assert np.array_equal(found[name], values, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "is empty; expected a header with"),
        ("point,dataset\n", "has the columns"),
        ("point,dataset,releases,failures,failures_prior_free\n0,0,10,1,0\n", "has 1 rows; expected 2"),
        (
            "point,dataset,releases,failures,failures_prior_free\n0,0,10,1,0\n0,1,10\n",
            "line 3 has 3 cells; expected 5",
        ),
        ("point,dataset,releases,failures,failures_prior_free\n0,0,10,1,0\n0,1,10,x,0\n", "invalid literal"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path, text, named):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(tables.TableError, match=named):
        tables.read(path, tables.SIMULATION, rows=2)


def test_shards_are_put_together_whatever_their_order(tmp_path):
    rows = [(point, dataset, 10, point + dataset, 0) for dataset in range(4) for point in range(2)]
    for name, part in (("a", rows[6:]), ("b", rows[:6])):
        with tables.own(tmp_path / name) as file:
            tables.write(file, tables.SIMULATION, dict(zip(tables.SIMULATION, zip(*part, strict=True), strict=True)))
    found = tables.Shards([tmp_path / "a", tmp_path / "b"], tables.SIMULATION, datasets=4, points=2)
    assert [values.tolist() for values in found["failures"]] == [[0, 1, 2, 3], [1, 2, 3, 4]]
    for paths in ([tmp_path / "a"], [tmp_path / "a", tmp_path / "b", tmp_path / "b"]):
        with pytest.raises(tables.TableError, match="expected each of 4 datasets"):
            tables.Shards(paths, tables.SIMULATION, datasets=4, points=2)
    # As many rows as there should be, with one of them twice in place of another one; and one of a point too many.
    text = (tmp_path / "a").read_text(encoding="utf-8")
    for wrong in ("1,3,10,4,0\n1,3,10,4,0\n", "0,3,10,3,0\n2,3,10,4,0\n", "-1,3,10,3,0\n1,3,10,4,0\n"):
        (tmp_path / "a").write_text(text.splitlines(keepends=True)[0] + wrong, encoding="utf-8")
        with pytest.raises(tables.TableError, match="hold 8 rows; expected each of 4 datasets"):
            tables.Shards([tmp_path / "a", tmp_path / "b"], tables.SIMULATION, datasets=4, points=2)


def test_a_long_table_is_read_in_parts_as_it_is_read_at_once(tmp_path, monkeypatch):
    rows = [(0, dataset, 10, dataset % 7, 0) for dataset in range(25)]
    with tables.own(tmp_path / "a") as file:
        tables.write(file, tables.SIMULATION, dict(zip(tables.SIMULATION, zip(*rows, strict=True), strict=True)))
    at_once = tables.read(tmp_path / "a", tables.SIMULATION)
    for size in (1, 6, 25, 26):
        monkeypatch.setattr(tables, "_ROWS_AT_A_TIME", size)
        assert len(list(tables.read_parts(tmp_path / "a", tables.SIMULATION))) == -(-25 // size)
        again = tables.read(tmp_path / "a", tables.SIMULATION)
        assert {name: values.tolist() for name, values in again.items()} == {
            name: values.tolist() for name, values in at_once.items()
        }
        (failures,) = tables.Shards([tmp_path / "a"], tables.SIMULATION, 25, 1)["failures"]
        assert failures.tolist() == at_once["failures"].tolist()
    text = (tmp_path / "a").read_text(encoding="utf-8").replace("0,20,", "0,", 1)
    (tmp_path / "a").write_text(text, encoding="utf-8")
    monkeypatch.setattr(tables, "_ROWS_AT_A_TIME", 6)
    with pytest.raises(tables.TableError, match="line 22 has 4 cells"):
        tables.read(tmp_path / "a", tables.SIMULATION)


def test_columns_are_checked_when_writing():
    with pytest.raises(tables.TableError, match="expected"):
        tables.write(io.BytesIO(), tables.SIMULATION, {"point": [0]})


def test_the_sweep_of_a_table_is_the_one_of_all_its_rows():
    assert tables.sweep_name("a.csv", {"sweep": np.array(["figure1", "figure1"])}) == "figure1"
    with pytest.raises(tables.TableError, match=r"a\.csv: has rows of the sweeps \['figure1', 'figure2'\]; expected"):
        tables.sweep_name("a.csv", {"sweep": np.array(["figure2", "figure1"])})
    with pytest.raises(tables.TableError, match=r"a\.csv: has rows of the sweeps \[\]; expected"):
        tables.sweep_name("a.csv", {"sweep": np.array([], dtype=str)})


def test_an_infinite_population_is_the_word_inf(tmp_path):
    """Beside it the others stay whole numbers in the file, to the last digit."""
    columns = {"population": tables.People}
    for population, lines in (
        ([100, 10**15, np.inf], ["100", "1000000000000000", "inf"]),
        ([100, 200], ["100", "200"]),
    ):
        with tables.own(tmp_path / "table.csv") as file:
            tables.write(file, columns, {"population": population})
        assert (tmp_path / "table.csv").read_text().splitlines()[1:] == lines
        found = tables.read(tmp_path / "table.csv", columns)["population"]
        assert found.tolist() == population
        assert (found.dtype.kind == "f") == (np.inf in population)


@pytest.mark.parametrize("name", ["SUMMARY", "VERIFICATION", "DESIGN", "PEOPLE_SUMMARY", "EXPOSURE"])
def test_every_column_is_explained(name):
    method = (pathlib.Path(__file__).parents[3] / "docs" / "method.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(\w+)`", method.partition("\n## Columns\n")[2]))
    assert set(getattr(tables, name)) <= explained
