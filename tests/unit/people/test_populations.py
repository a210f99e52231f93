"""Tables of people: what is read, what is refused, and who is drawn."""

import itertools
import math

import numpy as np
import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import populations
from disclosure.people.populations import Population
from disclosure.people.queries import Column

A, B = Column("a", 0.0, 10.0), Column("b", -1.0, 1.0)
TABLE = "id,b,a,w\n1,0.5,3,1\n2,-1,10,2\n3,1,0,0.5\n"


@pytest.fixture
def table(tmp_path):
    def write(content=TABLE, encoding="utf-8"):
        path = tmp_path / "people.csv"
        path.write_text(content, encoding=encoding, newline="")
        return path

    return write


def people(values, weights=None):
    values = np.asarray(values, dtype=float)
    return Population((A,) * values.shape[1], values, weights)


def test_columns_are_found_by_name(table):
    people = populations.read(table(), [A, B], weights="w")
    assert people.values.tolist() == [[3, 0.5], [10, -1], [0, 1]]
    assert people.weights.tolist() == [1, 2, 0.5]
    assert people.columns == (A, B)
    assert people.clipped == 0


@pytest.mark.parametrize(
    "content",
    [TABLE.replace("\n", "\r\n"), TABLE[:-1], TABLE + "\n\n", "\ufeff" + TABLE, TABLE.replace("a,w", ' "a" , w')],
)
def test_ways_to_write_a_table(table, content):
    assert populations.read(table(content.replace(' "a" ', '"a"')), [A, B]).values.shape == (3, 2)


def test_values_outside_are_clipped_only_on_request(table):
    path = table(TABLE.replace("10,2", "99,2").replace("0.5,3", "-7,3"))
    with pytest.raises(DomainError, match=r"a is outside 0 to 10 in row 2 \(line 3\): 99; .* --clip"):
        populations.read(path, [A, B])
    people = populations.read(path, [A, B], clip=True)
    assert people.clipped == 2
    assert people.values.tolist() == [[3, -1], [10, -1], [0, 1]]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (TABLE.replace("3,1\n", ",1\n"), "row 1 (line 2): a is empty"),
        (TABLE.replace("3,1\n", "tall,1\n"), "row 1 (line 2): a is 'tall'"),
        (TABLE.replace("3,1\n", "nan,1\n"), "row 1 (line 2): a is 'nan' (is not finite)"),
        (TABLE.replace("3,1\n", "inf,1\n"), "row 1 (line 2): a is 'inf' (is not finite)"),
        (TABLE.replace("3,1\n", '"3,5",1\n'), "row 1 (line 2): a is '3,5' (has a comma"),
        (TABLE.replace("3,1\n", "1_0,1\n"), "row 1 (line 2): a is '1_0' (has an underscore)"),
        (TABLE.replace("3,1\n", "1e999,1\n"), "row 1 (line 2): a is '1e999' (is too large"),
        (TABLE.replace("3,1\n", "\u0663,1\n"), "row 1 (line 2): a is '\u0663'"),
        (TABLE.replace("3,1\n", "3\n"), "row 1 (line 2) has 3 cells; the header has 4"),
        (TABLE.replace("a,w", "c,w"), "a is not a column; there are id, b, c, w"),
        (TABLE.replace("id", "a"), "a stands twice in the header"),
        (TABLE.replace(",", ";"), "a is not a column; there are id;b;a;w"),
        ("id,b,a,w\n", "has no rows"),
        ("", "is empty; expected a header with a, b"),
        (TABLE + '4,"', "is no CSV table in UTF-8"),
    ],
)
def test_what_is_no_table_is_refused_by_row(table, content, named):
    with pytest.raises(DomainError) as caught:
        populations.read(table(content), [A, B])
    assert named in str(caught.value)
    assert str(caught.value).startswith(str(table(content)))
    assert "\n" not in str(caught.value)


def test_a_row_after_an_empty_line_keeps_its_line(table):
    with pytest.raises(DomainError, match=r"row 1 \(line 4\)"):
        populations.read(table("id,b,a,w\n\n\n1,x,3,1\n"), [A, B])


def test_many_wrong_rows_are_counted(table):
    content = "a\n" + "x\n" * 12
    with pytest.raises(DomainError, match=r"row 5 \(line 6\): a is 'x' and 7 more;"):
        populations.read(table(content), [A])


def test_a_wrong_cell_far_down_is_named_by_its_row(table):
    rows = 2 * populations._ROWS
    content = "a\n" + "1\n" * rows + "1_0\n" + "2\n" * 5
    with pytest.raises(DomainError, match=rf"row {rows + 1} \(line {rows + 2}\): a is '1_0'"):
        populations.read(table(content), [A])
    assert populations.read(table(content.replace("1_0", "10")), [A]).values.sum() == rows + 20


def test_another_encoding_is_refused(table):
    with pytest.raises(DomainError, match="is no CSV table in UTF-8"):
        populations.read(table(TABLE + "é,0,1,1\n", "latin-1"), [A])


def test_weights_are_positive_and_counts_of_zeros_and_ones(table):
    with pytest.raises(DomainError, match=r"w is not above 0 in row 3 \(line 4\): 0"):
        populations.read(table(TABLE.replace("0,0.5", "0,0")), [A], weights="w")
    with pytest.raises(DomainError, match=r"b is neither 0 nor 1 in row 1 \(line 2\): 0.5"):
        populations.read(table(TABLE.replace("-1", "0")), [Column("b", 0.0, 1.0)], whole=True)
    with pytest.raises(DomainError, match="columns names a twice"):
        populations.read(table(), [A, A])


def test_repeated_people_are_counted():
    generator = np.random.default_rng(1)
    values = generator.integers(0, 6, (60, 2)).astype(float)
    plain = sum(any((values[k] == values[j]).all() for j in range(60) if j != k) for k in range(60))
    assert populations.repeated(values) == plain
    assert 0 < plain < 60
    assert populations.repeated(values[:1]) == 0


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


def test_people_far_from_each_other_stick_out_wherever_the_mean_is():
    centre = np.random.default_rng(1).normal(size=(2000, 2)) / 100
    values = np.concatenate([centre, np.full((6, 2), [10.0, 0.0]), [[0.0, 9.0], [0.0, -9.0]]])
    found = populations.targets(1, people(values), 20)
    assert {2006, 2007} < set(found.places[found.chosen == "farthest"])


def test_equal_people_hide_nobody():
    """Twenty-nine people of a record are all as far from the one who differs as that one is from them."""
    found = populations.targets(1, people([[0.0]] * 29 + [[77.0]]), 6)
    assert found.places.tolist() == [0, 29]
    assert found.people.tolist() == [29, 1]
    assert set(found.chosen) == {"everybody"}
    # With different weights equal records are different cases, and still stick out once.
    weights = np.arange(1.0, 31.0)
    found = populations.targets(1, people([[0.0]] * 29 + [[77.0]], weights), 6)
    assert found.places[found.chosen == "farthest"].tolist() == [29]
    assert found.places[found.chosen == "lightest"].tolist() == [0]


def test_people_equally_far_from_somebody_hide_nobody():
    """Everybody of an arc is as far from its centre as the person there is from them, and alone far from the mean."""
    t = np.arange(40)[:, None] / 256
    arc = 7 * np.hstack([1 - t**2, 2 * t]) / (1 + t**2)
    assert np.count_nonzero(np.linalg.norm(arc, axis=1) == 7) > 10
    values = np.vstack([arc, [[0.0, 0.0]]])
    found = populations.targets(1, people(values), 8)
    assert 40 in found.places[found.chosen == "farthest"]


@pytest.mark.parametrize("number", range(2, 13))
def test_the_least_likely_person_is_always_looked_at(number):
    generator = np.random.default_rng(number)
    population = people(generator.random((50, 2)), 1.0 + generator.random(50))
    found = populations.targets(1, population, number)
    assert len(np.unique(found.places)) == number
    assert found.places[found.chosen == "lightest"].tolist() == [np.argmin(population.weights)]
    assert np.count_nonzero(found.chosen == "sampled") >= number / 2
    with pytest.raises(DomainError, match=r"targets = 1 .* at least 2"):
        populations.targets(1, population, 1)


@pytest.mark.parametrize("sample", [0, 7, 8, 2.5])
def test_somebody_has_to_be_outside(sample):
    with pytest.raises(DomainError, match="sample = "):
        populations.check_sample(7, sample)


def test_targets_are_everybody_or_those_who_stick_out_and_some_others():
    values = np.random.default_rng(4).normal(size=(1000, 2))
    places, chosen, _ = populations.targets(1, people(values[:6]), 6)
    assert places.tolist() == list(range(6))
    assert set(chosen) == {"everybody"}
    few, why, alike = populations.targets(1, people(values), 20)
    more = populations.targets(1, people(values), 50).places
    assert len(few) == alike.sum() == 20
    assert np.unique(few).tolist() == few.tolist()
    assert set(few) < set(more)
    distance = np.linalg.norm(values[:, None] - values, axis=2).max(axis=1)
    assert set(few[why == "farthest"]) == set(np.argsort(distance)[-5:])
    assert np.count_nonzero(why == "sampled") == 15
    assert populations.targets(2, people(values), 20).places.tolist() != few.tolist()
    assert populations.targets(1, people(values), 1).chosen.tolist() == ["sampled"]
    with pytest.raises(DomainError, match="targets = 0"):
        populations.targets(1, people(values), 0)


def test_every_other_person_is_as_likely_to_be_sampled():
    population = people(np.arange(30.0)[:, None])
    found = [populations.targets(seed, population, 14).places for seed in range(1500)]
    counts = np.bincount(np.concatenate(found), minlength=30)
    apart = np.isin(np.arange(30), [0, 1, 2, 28, 29, 27])
    assert set(counts[[0, 1, 28, 29]]) == {1500}
    expected = 1500 * 9 / 25
    assert np.abs(counts[~apart] - expected).max() <= 4 * math.sqrt(expected * (1 - 9 / 25))


def test_neighbour_sets_belong_to_the_target_and_the_dataset():
    whole = populations.drawn_sets(1, 30, 24, 7, 0, 40)
    assert whole.shape == (40, 6)
    assert (np.diff(whole, axis=1) > 0).all()
    assert 7 not in whole
    assert {0, 29} <= set(whole.ravel())
    assert populations.drawn_sets(1, 30, 24, 7, 13, 20).tolist() == whole[13:20].tolist()
    assert populations.drawn_sets(1, 30, 24, 8, 0, 40).tolist() != whole.tolist()
    assert populations.drawn_sets(2, 30, 24, 7, 0, 40).tolist() != whole.tolist()
    sets = populations.neighbour_sets(1, people(np.arange(30.0)[:, None]), 24, 7, 40)
    assert (sets.number, sets.probabilities) == (40, None)
    assert np.concatenate(list(sets.blocks())).tolist() == whole.tolist()


@pytest.mark.parametrize("sample", [1, 3, 5])
def test_every_set_is_equally_likely(sample):
    draws = 20_000
    found = populations.drawn_sets(3, 6, sample, 2, 0, draws)
    sets, counts = np.unique(found, axis=0, return_counts=True)
    possible = list(itertools.combinations([0, 1, 3, 4, 5], 6 - sample))
    assert sorted(map(tuple, sets.tolist())) == possible
    expected = draws / len(possible)
    assert len(possible) == math.comb(5, sample - 1)
    assert np.abs(counts - expected).max() <= 4 * math.sqrt(expected * (1 - 1 / len(possible)))


@pytest.mark.parametrize("sample", range(1, 9))
@pytest.mark.parametrize("seed", range(4))
def test_few_sets_are_all_listed(sample, seed, monkeypatch):
    """Against all combinations of people, each replaced by the first ones of its case: how often each set occurs."""
    monkeypatch.setattr(populations, "_CHUNK", 16)
    values = np.random.default_rng(seed).integers(0, 1 + 2 * seed, (9, 1))
    for target in range(9):
        others = [k for k in range(9) if k != target]
        plain = {}
        for chosen in itertools.combinations(others, 9 - sample):
            kind = tuple(sorted(values[list(chosen), 0].tolist()))
            plain[kind] = plain.get(kind, 0) + 1
        found = populations.neighbour_sets(1, people(values), sample, target, 1)
        sets = np.concatenate(list(found.blocks()))
        kinds = [tuple(sorted(values[chosen, 0].tolist())) for chosen in sets]
        assert len(kinds) == len(set(kinds)) == found.number == len(plain)
        assert (np.diff(sets, axis=1) > 0).all()
        assert target not in sets
        expected = np.array([plain[kind] for kind in kinds]) / math.comb(8, sample - 1)
        assert found.probabilities == pytest.approx(expected, rel=1e-13)


def test_more_sets_than_asked_for_are_drawn():
    values = np.arange(12.0)[:, None]
    possible = math.comb(11, 5)  # 462, above the bound up to which all are listed anyway
    assert populations.neighbour_sets(1, people(values), 7, 0, possible - 1).probabilities is None
    listed = populations.neighbour_sets(1, people(values), 7, 0, possible)
    assert listed.number == possible
    assert listed.probabilities == pytest.approx(np.full(possible, 1 / possible), rel=1e-13)
    # One person more in a heap makes no other set.
    heap = np.zeros((30, 1))
    heap[29] = 77.0
    few = populations.neighbour_sets(1, people(heap), 20, 0, 10)
    assert few.number == 2
    assert sorted(few.probabilities) == pytest.approx([10 / 29, 19 / 29])
    with pytest.raises(DomainError, match="datasets = 0"):
        populations.neighbour_sets(1, people(heap), 20, 0, 0)
    with pytest.raises(DomainError, match="sample = 30"):
        populations.neighbour_sets(1, people(heap), 30, 0, 1)


@pytest.mark.parametrize("seed", range(40))
def test_sets_are_counted_as_they_are(seed, monkeypatch):
    """Their number is a coefficient of the product of 1 + x + ... + x^c over the cases of c others."""
    monkeypatch.setattr(populations, "_FEW", 0)
    generator = np.random.default_rng(seed)
    counts = generator.integers(1, 40 if seed % 2 else 4, generator.integers(1, 5))
    population = people(np.repeat(np.arange(len(counts)), counts)[:, None])
    number = len(population.values)
    for sample in {sample for sample in (1, 2, number // 2, number - 1) if 0 < sample < number}:
        left, product = counts - (np.arange(len(counts)) == 0), np.ones(1)
        for count in left:
            product = np.convolve(product, np.ones(count + 1))
        expected = round(product[number - sample])
        listed = populations.neighbour_sets(1, population, sample, 0, expected)
        assert listed.number == expected
        assert listed.probabilities.sum() == pytest.approx(1, rel=1e-12)
        if expected > 1:
            assert populations.neighbour_sets(1, population, sample, 0, expected - 1).probabilities is None
