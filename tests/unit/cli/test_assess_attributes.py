"""`disclosure assess --sensitive`: its table, its lines, and what it refuses."""

import numpy as np
import pytest

from disclosure.workflow import tables
from tests.commands import main

ASSESS = ["assess", "people.csv", "--columns", "income:0:10", "--sample", "6", "--query", "mean", "--epsilon", "2"]
ASSESS += ["--delta", "0.05", "--datasets", "2"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, without_figures):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("income\n" + "\n".join("12234789") + "\n", encoding="utf-8")
    return tmp_path


def test_a_row_for_each_different_person_and_a_paragraph(folder, capsys):
    main([*ASSESS, "--sensitive", "income >= 7", "--factor", "1.2", "--odds-probability", "0.01"])
    found = tables.read(folder / "exposure" / "attribute.csv", tables.ATTRIBUTE_RISK)
    assert found["person"].tolist() == [1, 2, 4, 5, 6, 7, 8]
    assert found["people"].tolist() == [1, 2, 1, 1, 1, 1, 1]
    assert found["sensitive"].tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert (np.diff(found["odds_rise_probability"]) > 0).all()
    assert (np.diff(found["odds_factor_upper"]) > 0).all()
    out = capsys.readouterr().out
    assert "income >= 7, true of 3 of 8 people; the adversary knows everybody else" in out
    assert "odds 0.6" in out
    changes = found["odds_rise_probability"] + found["odds_fall_probability"]
    assert f"largest {changes.max():.4g}" in out
    assert f"rise by a factor {found['odds_factor_upper'].max():.4g} at most" in out
    assert f"by {1 / found['odds_factor_lower'].min():.4g} at most" in out
    assert out.rstrip().endswith("attribute.csv")


def test_each_noise_has_its_rows(folder):
    main([*ASSESS, "--sensitive", "income in 2..3", "--approximate", "--failure", "0.2"])
    summary = tables.read(folder / "exposure" / "summary.csv", tables.EXPOSURE_SUMMARY)
    found = tables.read(folder / "exposure" / "attribute.csv", tables.ATTRIBUTE_RISK)
    assert list(dict.fromkeys(found["sigma"].tolist())) == list(dict.fromkeys(summary["sigma"].tolist()))
    assert len(found["sigma"]) == 2 * 7


def test_without_sensitive_values_nothing_of_it_is_written(folder, capsys):
    main(ASSESS)
    assert not (folder / "exposure" / "attribute.csv").exists()
    assert "sensitive" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--sensitive", "income > 20"], "true of 0 of 8 people"),
        (["--sensitive", "income"], "is no condition"),
        (["--sensitive", "age > 3"], "is about age, which is not released"),
        (["--factor", "3"], "name these with --sensitive"),
        (["--value-prior", "uniform"], "name these with --sensitive"),
        (["--sensitive", "income == 2", "--value-prior", "uniform"], "under the uniform prior"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(folder, capsys, options, said):
    with pytest.raises(SystemExit) as stopped:
        main([*ASSESS, *options])
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("disclosure assess: ")
    assert said in error
    assert error.count("\n") == 1
    assert not (folder / "exposure").exists()


def test_noise_too_small_for_two_columns_is_one_line_and_nothing_is_written(folder, capsys):
    (folder / "two.csv").write_text("income,age\n1,20\n2,30\n7,40\n8,60\n", encoding="utf-8")
    columns = ["--columns", "income:0:10", "age:0:100", "--sample", "3", "--query", "sum"]
    guarantee = ["--epsilon", "1e9", "--delta", "0.1", "--datasets", "2"]
    with pytest.raises(SystemExit):
        main(["assess", "two.csv", *columns, *guarantee, "--sensitive", "income > 5"])
    error = capsys.readouterr().err
    assert error.startswith("disclosure assess: the noise is ")
    assert error.count("\n") == 1
    assert not (folder / "exposure").exists()


def test_the_table_that_is_read_is_not_written_over(folder, capsys):
    (folder / "people.csv").rename(folder / "attribute.csv")
    with pytest.raises(SystemExit):
        main(["assess", "attribute.csv", *ASSESS[2:], "--output", ".", "--sensitive", "income > 3"])
    assert "would replace the table that is read, attribute.csv" in capsys.readouterr().err
    assert (folder / "attribute.csv").read_text(encoding="utf-8").startswith("income")


def test_an_answer_of_earlier_noise_is_not_left_beside_a_new_one(folder):
    main([*ASSESS, "--sensitive", "income >= 7"])
    assert (folder / "exposure" / "attribute.csv").exists()
    main(ASSESS)
    assert not (folder / "exposure" / "attribute.csv").exists()


def test_with_weights_no_posterior_is_set_beside_the_prior_of_another_dataset(folder, capsys):
    rows = [f"{income},{weight}" for income, weight in zip("12234789", "12345678", strict=True)]
    (folder / "people.csv").write_text("\n".join(["income,w", *rows]) + "\n", encoding="utf-8")
    main([*ASSESS, "--weights", "w"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "most exposed is row" in line]
    assert "before, it differs between datasets, and is" in line
    assert "from" not in line
