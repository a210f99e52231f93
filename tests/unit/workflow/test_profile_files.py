"""Odds risk profiles from files and from text."""

import pytest

from disclosure.beliefs import profiles
from disclosure.numerics.errors import DomainError
from disclosure.workflow.config.release import read_plan
from disclosure.workflow.profile_files import read_profile


def test_a_profile_is_read_from_a_file_and_from_text(tmp_path):
    path = tmp_path / "profile.yaml"
    path.write_text("knots:\n- [1, 2.5]\n", encoding="utf-8")
    assert read_profile(str(path)) == profiles.RiskProfile([[1, 2.5]])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{knots: [[0, 10], [1, 0.5]]}", r"B\(P10 = 1.0\) = 0.5"),
        ("{knots: []}", "knots"),
        ("{knots: [[1, 2], [1, 3]]}", "1.0"),
        ("{knots: [[2, 2], [1, 3]]}", "1.0"),
        ("{knots: [[.nan, 2]]}", "nan"),
        ("{knots: [[1, .nan]]}", "nan"),
        ("{knots: [[1, 2]], colour: red}", "colour"),
        ("{scale: linear}", "knots"),
        ("{knots: [[1, 2]", "not readable as YAML"),
    ],
)
def test_a_profile_that_is_none_is_refused_by_name(text, named):
    with pytest.raises(DomainError, match=named):
        read_profile(text)


@pytest.mark.parametrize(
    ("text", "held"),
    [("name,income\nBob,123\n", "no keys, but text"), ("- Bob\n- 123\n", "a list"), ("", "nothing")],
)
def test_a_table_that_is_named_by_mistake_is_not_quoted(tmp_path, text, held):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    for read, keys in ((read_profile, "the keys knots and scale"), (read_plan, "the keys sample and statistics")):
        with pytest.raises(DomainError) as refused:
            read(str(path))
        assert str(refused.value).endswith(f"table.csv: holds {held}; expected {keys}")
