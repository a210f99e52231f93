"""Sets of neighbours: listed where few are different, else drawn, all equally likely."""

import itertools
import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import neighbour_sets
from tests.unit.people.tables import people


def test_neighbour_sets_belong_to_the_target_and_the_dataset():
    whole = neighbour_sets.drawn_sets(1, 30, 24, 7, 0, 40)
    assert whole.shape == (40, 6)
    assert (np.diff(whole, axis=1) > 0).all()
    assert 7 not in whole
    assert {0, 29} <= set(whole.ravel())
    assert neighbour_sets.drawn_sets(1, 30, 24, 7, 13, 20).tolist() == whole[13:20].tolist()
    assert neighbour_sets.drawn_sets(1, 30, 24, 8, 0, 40).tolist() != whole.tolist()
    assert neighbour_sets.drawn_sets(2, 30, 24, 7, 0, 40).tolist() != whole.tolist()
    sets = neighbour_sets.neighbour_sets(1, people(np.arange(30.0)[:, None]), 24, 7, 40)
    assert (sets.number, sets.probabilities) == (40, None)
    assert np.concatenate([block.places for block in sets.blocks()]).tolist() == whole.tolist()


@pytest.mark.parametrize("sample", [1, 3, 5])
def test_every_set_is_equally_likely(sample):
    draws = 20_000
    found = neighbour_sets.drawn_sets(3, 6, sample, 2, 0, draws)
    sets, counts = np.unique(found, axis=0, return_counts=True)
    possible = list(itertools.combinations([0, 1, 3, 4, 5], 6 - sample))
    assert sorted(map(tuple, sets.tolist())) == possible
    expected = draws / len(possible)
    assert len(possible) == math.comb(5, sample - 1)
    assert np.abs(counts - expected).max() <= 4 * math.sqrt(expected * (1 - 1 / len(possible)))


@pytest.mark.parametrize("sample", range(1, 9))
@pytest.mark.parametrize("seed", range(4))
def test_few_sets_are_all_listed(sample, seed):
    """Against all combinations of people, each replaced by the first ones of its case: how often each set occurs."""
    values = np.random.default_rng(seed).integers(0, 1 + 2 * seed, (9, 1))
    for target in range(9):
        others = [k for k in range(9) if k != target]
        plain = {}
        for chosen in itertools.combinations(others, 9 - sample):
            kind = tuple(sorted(values[list(chosen), 0].tolist()))
            plain[kind] = plain.get(kind, 0) + 1
        found = neighbour_sets.neighbour_sets(1, people(values), sample, target, 1, block=16)
        sets = np.concatenate([block.places for block in found.blocks()])
        kinds = [tuple(sorted(values[chosen, 0].tolist())) for chosen in sets]
        assert len(kinds) == len(set(kinds)) == found.number == len(plain)
        assert (np.diff(sets, axis=1) > 0).all()
        assert target not in sets
        expected = np.array([plain[kind] for kind in kinds]) / math.comb(8, sample - 1)
        assert found.probabilities == pytest.approx(expected, rel=1e-13)


def test_more_sets_than_asked_for_are_drawn():
    values = np.arange(12.0)[:, None]
    possible = math.comb(11, 5)  # 462, above the bound up to which all are listed anyway
    assert neighbour_sets.neighbour_sets(1, people(values), 7, 0, possible - 1).probabilities is None
    listed = neighbour_sets.neighbour_sets(1, people(values), 7, 0, possible)
    assert listed.number == possible
    assert listed.probabilities == pytest.approx(np.full(possible, 1 / possible), rel=1e-13)
    # One person more in a heap makes no other set.
    heap = np.zeros((30, 1))
    heap[29] = 77.0
    few = neighbour_sets.neighbour_sets(1, people(heap), 20, 0, 10)
    assert few.number == 2
    assert sorted(few.probabilities) == pytest.approx([10 / 29, 19 / 29])
    with pytest.raises(DomainError, match="datasets = 0"):
        neighbour_sets.neighbour_sets(1, people(heap), 20, 0, 0)
    with pytest.raises(DomainError, match="sample = 30"):
        neighbour_sets.neighbour_sets(1, people(heap), 30, 0, 1)


@pytest.mark.parametrize("seed", range(40))
def test_sets_are_counted_as_they_are(seed):
    """Their number is a coefficient of the product of 1 + x + ... + x^c over the cases of c others."""
    generator = np.random.default_rng(seed)
    counts = generator.integers(1, 40 if seed % 2 else 4, generator.integers(1, 5))
    table = people(np.repeat(np.arange(len(counts)), counts)[:, None])
    number = len(table)
    for sample in {sample for sample in (1, 2, number // 2, number - 1) if 0 < sample < number}:
        left, product = counts - (np.arange(len(counts)) == 0), np.ones(1)
        for count in left:
            product = np.convolve(product, np.ones(count + 1))
        expected = round(product[number - sample])
        listed = neighbour_sets.neighbour_sets(1, table, sample, 0, expected, few=0)
        assert listed.number == expected
        assert listed.probabilities.sum() == pytest.approx(1, rel=1e-12)
        if expected > 1:
            assert neighbour_sets.neighbour_sets(1, table, sample, 0, expected - 1, few=0).probabilities is None
