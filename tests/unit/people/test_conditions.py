"""The grammar of sensitive values."""

import math

import numpy as np
import pytest

from disclosure.beliefs.value_sets import contains
from disclosure.numerics.errors import DomainError
from disclosure.people.conditions import parse_condition

GRID = np.array([-math.inf, 0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, math.inf])
HOLDS = {
    "x >= 2": lambda x: x >= 2,
    "x<=2": lambda x: x <= 2,
    "x > 2e0": lambda x: x > 2,
    "x <2.0": lambda x: x < 2,
    "x == 2": lambda x: x == 2,
    "2 <= x": lambda x: x >= 2,
    "2>x": lambda x: x < 2,
    "2 < x": lambda x: x > 2,
    "2 == x and 3 >= x": lambda x: x == 2,
    "x in 1..2.5": lambda x: (x >= 1) & (x <= 2.5),
    "x in 3, 1,3": lambda x: (x == 1) | (x == 3),
    "x > 1 and x <= 3": lambda x: (x > 1) & (x <= 3),
    "x >= 1 and x in 1..3 and x < 3": lambda x: (x >= 1) & (x < 3),
    "x in 1,2,3 and x > 1": lambda x: (x == 2) | (x == 3),
}


@pytest.mark.parametrize("text", HOLDS)
def test_a_condition_holds_for_the_values_that_it_says(text):
    condition = parse_condition(f"  {text} ")
    assert (condition.text, condition.column) == (text, "x")
    assert contains(condition.values, GRID[1:-1]).tolist() == HOLDS[text](GRID[1:-1]).tolist()
    assert all(one.high <= other.low for one, other in zip(condition.values, condition.values[1:], strict=False))


@pytest.mark.parametrize("name", ["income", "in", "total income (EUR)", "sand", "Größe", "a-b.c"])
def test_a_column_may_have_any_name_without_signs_of_comparison(name):
    assert parse_condition(f"{name} in 1..2").column == parse_condition(f"{name}>=1").column == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no condition"),
        ("x", "is no condition"),
        ("x = 3", "is no condition"),
        ("x != 3", "is no condition"),
        ("3 <= x < 5", "is no condition"),
        ("x >= 3 or x < 1", "is no condition"),
        ("x >= 3 and", "'3 and' for a number"),
        ("x >= 1_0", "'1_0' for a number, which has an underscore"),
        ("x == yes", "yes is the number 1 and no is 0: write x == 1"),
        ("False == x", "'x' for a number"),
        ("x in 3...5", "three points in its interval; write two, as in 3..5"),
        ("x in 3..", "'' for a number, which is empty"),
        ("x in 1,,2", "'' for a number, which is empty"),
        ("x in a,b", "'a' for a number"),
        ("x in 5..3", "from 5 down to 3"),
        ("x > 3 and y < 5", "two columns, x and y"),
        ("x > 3 and x <= 3", "holds for no number"),
        ("x in 1,2 and x in 3,4", "holds for no number"),
    ],
)
def test_what_is_no_condition_is_refused_in_one_line(text, said):
    with pytest.raises(DomainError) as refused:
        parse_condition(text)
    message = str(refused.value)
    assert message.startswith(f"sensitive = {text!r} ")
    assert said in message
    assert "\n" not in message
