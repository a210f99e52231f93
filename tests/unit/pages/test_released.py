"""What a page says is released: each noise with the numbers that have it."""

import dataclasses

from disclosure.pages.released import released
from disclosure.pages.shown import Range, Statistic
from tests.unit.pages.shown import release

CM, KG = Range("cm", 50.0, 210.0), Range("kg", 35.0, 170.0)


def rows(*statistics, **options):
    return released(dataclasses.replace(release(), statistics=statistics, **options))


def number(name, query, columns, sigma, entry, unit=""):
    return Statistic(f"{name} ({entry})", query, columns, sigma, 1.0, entry, unit, name)


def test_numbers_of_one_statistic_stand_with_their_own_noise():
    fit = [("cm", 47.0), ("kg", 47.0), ("cm * cm", 23.0), ("cm * kg", 47.0), ("kg * kg", 23.0)]
    found = rows(*(number("fit", "least_squares", (CM, KG), sigma, entry) for entry, sigma in fit))
    ranges = "(cm from 50 to 210, kg from 35 to 170)"
    assert [(row.what, row.sigma) for row in found] == [
        (f"sums for a least squares fit, of columns scaled to −1 to 1: cm; kg; cm * kg {ranges}", 47.0),
        (f"sums for a least squares fit, of columns scaled to −1 to 1: cm * cm; kg * kg {ranges}", 23.0),
    ]


def test_each_statistic_is_told_by_kind_columns_or_condition_and_unit():
    found = rows(
        number("height", "mean", (CM,), 2.0, "cm", "cm"),
        number("heavy", "count", (Range("kg"),), 3.0, "kg >= 80", "people"),
        *(number("sizes", "table", (Range("cm"),), 4.0, f"cell {place}") for place in range(10)),
    )
    assert [(row.name, row.what, row.unit) for row in found[:2]] == [
        ("height", "mean of cm (from 50 to 210)", "cm"),
        ("heavy", "people with kg >= 80", "people"),
    ]
    assert found[2].what.startswith("people in each of 10 cells: cell 0; cell 1;")
    assert found[2].what.endswith("cell 7; and 2 more")


def test_rows_are_counted_where_a_person_may_have_several():
    (found,) = rows(number("heavy", "count", (Range("kg"),), 3.0, "kg >= 80"), rows=3)
    assert found.what == "rows with kg >= 80"
