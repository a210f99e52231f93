"""Tables of people: who is alike, and who is outside a sample."""

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import records
from tests.unit.people.tables import people


def test_repeated_people_are_counted():
    generator = np.random.default_rng(1)
    values = generator.integers(0, 6, (60, 2)).astype(float)
    plain = sum(any((values[k] == values[j]).all() for j in range(60) if j != k) for k in range(60))
    assert records.repeated(values) == plain
    assert 0 < plain < 60
    assert records.repeated(values[:1]) == 0


@pytest.mark.parametrize("weights", [False, True], ids=["alike", "weighted"])
def test_people_who_are_alike_are_one_case(weights):
    generator = np.random.default_rng(2)
    values = generator.integers(0, 4, (80, 2)).astype(float)
    shares = generator.integers(1, 3, 80).astype(float) if weights else None
    cases = people(values, shares).cases
    kinds = [tuple(row) + ((shares[k],) if weights else ()) for k, row in enumerate(values)]
    assert cases.first.tolist() == [k for k in range(80) if kinds[k] not in kinds[:k]]
    assert cases.people.tolist() == [kinds.count(kinds[k]) for k in cases.first]
    assert [kinds[k] for k in cases.first[cases.of]] == kinds
    assert 1 < len(cases.first) < 80


@pytest.mark.parametrize("sample", [0, 7, 8, 2.5])
def test_somebody_has_to_be_outside(sample):
    with pytest.raises(DomainError, match="sample = "):
        records.check_sample(7, sample)


def test_one_person_alone_is_told_so():
    with pytest.raises(
        DomainError, match="population = 1 leaves no other candidate; a table needs two people at least"
    ):
        records.check_sample(1, 1)


def test_a_sample_that_is_too_large_says_who_was_left_out():
    kept = records.Records((), np.zeros((756, 1)), rows=np.arange(756), missing=144)
    with pytest.raises(DomainError) as caught:
        records.check_sample(len(kept), 900, kept.left_out)
    assert str(caught.value) == (
        "sample = 900 of population = 756 (after 144 people with missing values were left out) leaves no other candidate; "
        "allowed: 1 to 755"
    )
    with pytest.raises(DomainError, match=r"^sample = 2 of population = 2 leaves no other candidate; allowed: 1$"):
        records.check_sample(2, 2)
    assert records.Records((), np.zeros((756, 1)), missing=144).left_out == 0
