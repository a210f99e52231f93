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
        "  2 people share all values with somebody else: a release tells the same about each of them",
        f"released: the sum of 2 of them, with normal noise; one person moves it by at most {math.hypot(160, 135):.6g} "
        "(l2 sensitivity), from the stated ranges",
        "protected: belief about presence, whether one person, the target, is in that sample; neighbours by replace-one; "
        "candidates: the target and 2 others",
    ]
    different = Records(COLUMNS, records.values[:2])
    first, *others = description.describe("people.csv", different, query, 1)
    single = Records(COLUMNS, records.values[:2], clipped=1, missing=1)
    lines = list(description.describe("people.csv", single, query, 1))
    assert "  1 value moved to the nearer end of their range; the release has to do the same" in lines
    assert "  1 person with missing values, which count as a category of their own" in lines
    assert len(others) == 2
    assert others[-1].endswith("the target and 1 other, so that the bounds fail as often as their upper limit (T) says")


def test_how_a_table_was_read_and_what_was_missing_is_said():
    query = queries.linear("sum", COLUMNS, 2)
    values = np.array([[60.0, 40.0], [70.0, 50.0], [80.0, 45.0]])
    _, form, missing, *_ = description.describe("p", Records(COLUMNS, values, missing=4, format="UTF-8"), query, 2)
    assert form == "  read as UTF-8"
    assert missing == "  4 people with missing values, which count as a category of their own"
    left_out = Records(COLUMNS, values, missing=4, rows=np.array([1, 3, 6]))
    assert "4 people with missing values left out" in list(description.describe("p", left_out, query, 2))[1]


@pytest.mark.parametrize(
    ("heights", "said"),
    [
        (np.linspace(50.0, 210.0, 12), "the range of height ends at the smallest and the largest value of the table"),
        (
            np.linspace(1.5, 2.1, 12) + 49,
            "height goes from 50.5 to 51.1, a small part of its range; is the range in other",
        ),
        (np.linspace(150.0, 160.0, 12), None),
        (np.linspace(50.0, 200.0, 12), None),
        (np.linspace(50.0, 210.0, 9), None),  # of few people this is chance
    ],
)
def test_a_range_that_is_hardly_meant_is_warned_of(heights, said):
    records = Records(COLUMNS, np.column_stack([heights, np.linspace(40.0, 90.0, len(heights))]))
    warnings = [
        line for line in description.describe("p", records, queries.linear("sum", COLUMNS, 2), 2) if "warning" in line
    ]
    assert len(warnings) == (said is not None)
    assert not warnings or said in warnings[0]
    # All values of a column of ones and zeros are ends of its range.
    ones = Records(
        (Column("smoker", 0.0, 1.0, "truth"), Column("old", 0.0, 1.0)), np.tile([[0.0, 1.0], [1.0, 0.0]], (9, 1))
    )
    lines = description.describe("p", ones, queries.linear("count", ones.columns, 2), 2)
    assert not any("warning" in line for line in lines)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ((1500.0, 600.0), True),
        ((1500.0001, 600.0), True),  # rounded
        ((1500.0, 590.0), False),
        ((1490.0, 600.0), False),
    ],
)
def test_a_row_of_sums_is_warned_of(last, said):
    columns = (Column("height", 0.0, 1e4), Column("weight", 0.0, 1e4), Column("smoker", 0.0, 1.0, "truth"))
    people = np.column_stack([np.tile([140.0, 160.0], 5), np.tile([50.0, 70.0], 5), np.tile([0.0, 1.0], 5)])
    records = Records(columns, np.vstack([people, [*last, 0.0]]), rows=np.arange(1, 12))
    lines = description.describe("p", records, queries.linear("sum", columns, 2), 2)
    assert any("warning: row 12 has the sum of all others" in line for line in lines) == said


def test_a_sum_of_few_numbers_or_of_none_is_chance():
    def warned(columns, values):
        records = Records(columns, np.array(values))
        return any(
            "sum of all" in line for line in description.describe("p", records, queries.linear("sum", columns, 2), 2)
        )

    assert not warned((Column("a", 0.0, 10.0),), [[1.0], [2.0], [3.0]])
    assert not warned((Column("a", 0.0, 10.0),), [[0.0]] * 11 + [[1.0], [1.0]])
    assert not warned((Column("smoker", 0.0, 1.0, "truth"),), [[0.0]] * 12 + [[1.0]])


def test_the_error_of_a_mean_is_told_in_per_cent_and_beside_the_sampling_error():
    records = Records(COLUMNS, np.array([[60.0, 0.0], [100.0, 0.0], [60.0, 0.0], [100.0, 0.0]]))
    head, *lines = description.utility(records, queries.linear("mean", COLUMNS, 3), 3, 8.0)
    assert "which are not for publication" in head
    assert lines == [
        "  height: 8, 10% of the expected value of 80, 1.2 times the sampling error of 6.7, 0.15 times the most that one "
        "person can move it",
        "  weight: 8, beside the expected value of 0, beside the sampling error of 0, 0.18 times the most that one person "
        "can move it",
    ]


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
    assert description.possible_datasets(6, 1) == "the only dataset"
    assert description.possible_datasets(30, 20) == f"all {math.comb(29, 10):,} datasets"
    assert description.possible_datasets(200, 100) == "all datasets"
