"""The error of a release beside its value and the error of sampling, against all samples there are."""

import itertools

import numpy as np
import pytest

from disclosure.people import queries
from disclosure.people.queries import Column
from disclosure.people.records import Records, sample_of
from disclosure.people.release_errors import release_errors

COLUMNS = (Column("height", 50.0, 210.0), Column("weight", 0.0, 20.0))
VALUES = np.array([[60.0, 1.0], [70.0, 1.0], [90.0, 5.0], [71.0, 9.0], [200.0, 2.5]])
ANSWERS = {"mean": lambda people: people.mean(axis=0), "sum": lambda people: people.sum(axis=0)}


@pytest.mark.parametrize("query", ["mean", "sum"])
@pytest.mark.parametrize("sample", [1, 3, 4])
def test_value_and_sampling_error_are_those_over_all_samples(query, sample):
    answers = np.array([ANSWERS[query](VALUES[list(who)]) for who in itertools.combinations(range(5), sample)])
    found = release_errors(Records(COLUMNS, VALUES), queries.linear(query, COLUMNS, sample), sample, 2.0)
    assert [error.column for error in found] == ["height", "weight"]
    assert [error.value for error in found] == pytest.approx(answers.mean(axis=0))
    assert [error.spread for error in found] == pytest.approx(answers.std(axis=0))
    assert [error.move for error in found] == pytest.approx(
        [160 / sample, 20 / sample] if query == "mean" else [160, 20]
    )
    assert {error.noise for error in found} == {2.0}


def test_of_a_population_without_end_the_sampling_error_is_that_of_independent_people():
    records = sample_of(Records(COLUMNS, VALUES), np.inf)
    found = release_errors(records, queries.linear("mean", COLUMNS, 4), 4, 2.0)
    assert [error.spread for error in found] == pytest.approx(VALUES.std(axis=0, ddof=1) / 2)


def test_records_are_released_one_by_one_and_spread_as_people_do():
    found = release_errors(Records(COLUMNS, VALUES), queries.linear("identity", COLUMNS, 3), 3, 2.0)
    assert [error.value for error in found] == pytest.approx(VALUES.mean(axis=0))
    assert [error.spread for error in found] == pytest.approx(VALUES.std(axis=0, ddof=1))
