"""What tables, releases and the people looked at are, in words."""

import math

import numpy as np
import pytest

from disclosure.people import description, queries
from disclosure.people.queries import Column
from disclosure.people.records import Records

COLUMNS = (Column("height", 50.0, 210.0), Column("weight", 35.0, 170.0))


def test_a_table_and_its_release_are_described():
    records = Records(COLUMNS, np.array([[60.0, 40.0], [70.0, 50.0], [60.0, 40.0], [80.0, 45.0]]), clipped=3)
    query = queries.linear("sum", COLUMNS, 2)
    first, *others = description.describe("people.csv", records, query, 2)
    assert first == "people.csv: 4 people; height (50 to 210), weight (35 to 170)"
    assert others == [
        "  3 values moved to the nearer end of their range; the release has to do the same",
        "  2 people share all values with somebody else; the paper takes records to be unique",
        "sum over 2 of them, neighbours by replace-one; candidates: the target and 2 others",
        f"l2 sensitivity {math.hypot(160, 135):.6g}, from the stated ranges",
    ]
    different = Records(COLUMNS, records.values[:2])
    first, *others = description.describe("people.csv", different, query, 1)
    assert len(others) == 2
    assert others[0].endswith("the target and 1 other, so that T is the failure probability")


def test_the_error_of_a_mean_is_set_against_its_largest_move():
    records = Records(COLUMNS, np.ones((4, 2)))
    text = description.utility(records, queries.linear("mean", COLUMNS, 10), 8.0)
    assert "8 in height (0.5 times the most that one person can move it)" in text
    assert "8 in weight (0.59 times" in text


@pytest.mark.parametrize(
    ("chosen", "people", "said"),
    [
        (["everybody"] * 2, [3, 7], "everybody"),
        (["sampled"] * 2, [1, 1], "2 people of 10, sampled"),
        (["sampled"] * 2, [1, 3], "2 people of 10 (4 with those who are like them), sampled"),
        (
            ["farthest", "sampled", "farthest", "lightest"],
            [1, 1, 1, 1],
            "4 people of 10, the one of the smallest weight, the 2 from whom somebody is farthest and a random sample of the "
            "others",
        ),
    ],
)
def test_who_was_looked_at(chosen, people, said):
    assert description.looked_at(np.array(chosen), np.array(people), 10) == said


def test_datasets_are_counted_as_long_as_that_can_be_read():
    assert description.possible_datasets(6, 3) == "all 10 datasets"
    assert description.possible_datasets(30, 20) == f"all {math.comb(29, 10):,} datasets"
    assert description.possible_datasets(200, 100) == "all datasets"
