"""The largest union mass over all sets of neighbours, against every set listed and plain forms."""

import math

import numpy as np
import pytest

from disclosure.beliefs import regions
from disclosure.mechanisms import gaussian
from disclosure.people import queries, supremum
from disclosure.people.queries import Column
from disclosure.people.records import Records
from tests.unit.people.plain import all_sets, gaps_of, plain_union_mass
from tests.unit.people.tables import UNIT, random_people


@pytest.mark.parametrize("dimensions", [1, 2])
@pytest.mark.parametrize(("number", "sample"), [(8, 2), (8, 4), (8, 6), (8, 7)])
@pytest.mark.parametrize("sigma", [0.4, 1.0])
def test_the_supremum_is_that_of_all_sets(number, sample, dimensions, sigma):
    table = random_people(number, dimensions, seed=number + sample)
    query = queries.linear("sum", UNIT[:dimensions], sample)
    kinds = set()
    for target in range(number):
        found = supremum.supremum_of(table, query, sigma, 1.0, sample, target)
        masses = [
            regions.union_mass(gaps_of(table, query, sigma, target, set_), 1.0).value
            for set_ in all_sets(number, sample, target)
        ]
        kinds.add(found.kind)
        if found.kind == "exact":
            assert found.mass.value == pytest.approx(max(masses), rel=1e-8)
        else:
            assert found.kind == "bound"
            assert found.mass.value >= max(masses) * (1 - 1e-8)
        everybody = np.delete(table.values, target, axis=0)
        union = regions.union_mass(query.differences(table.values[target], everybody) / sigma, 1.0).value
        assert found.mass.value == pytest.approx(union if sample < number - 1 else max(masses), rel=1e-8)
    assert "exact" in kinds or (dimensions == 2 and sigma == 0.4)


def test_few_neighbours_of_many_directions_only_have_a_bound():
    angles = 0.2 + np.linspace(0, 2 * np.pi, 8, endpoint=False)
    values = np.vstack([[0.5, 0.5], 0.5 + 0.4 * np.column_stack([np.cos(angles), np.sin(angles)])])
    table, query = Records(UNIT, values), queries.linear("sum", UNIT, 1)
    found = {neighbours: supremum.supremum_of(table, query, 1.0, 1.0, 9 - neighbours, 0) for neighbours in range(1, 9)}
    assert [found[k].kind for k in (1, 2, 7, 8)] == ["exact", "bound", "bound", "exact"]
    assert found[1].mass.value == pytest.approx(float(gaussian.bad_region_mass(1.0, 1.0, 0.4)), rel=1e-12)
    assert (
        found[2].mass.value == found[8].mass.value == pytest.approx(plain_union_mass(0.5 - values[1:], 1.0), rel=1e-6)
    )


def test_determining_neighbours_leave_the_union_as_it_is():
    generator = np.random.default_rng(8)
    for _ in range(20):
        gaps = generator.normal(size=(30, 2)) * 0.3
        needed = supremum.determining_neighbours(gaps, 1.0)
        if needed is None:
            assert (np.linalg.norm(gaps, axis=1) ** 2).max() >= 2 - 1e-6
            continue
        assert len(needed) < 15
        whole = plain_union_mass(gaps, 1.0, 6_001)
        assert plain_union_mass(gaps[needed], 1.0, 6_001) == pytest.approx(whole, rel=1e-12)
        # Each of them matters.
        for place in range(len(needed)):
            assert plain_union_mass(gaps[np.delete(needed, place)], 1.0, 6_001) < whole


def test_duplicates_and_lines_are_one_dimensional():
    line = np.outer([0.1, 0.4, 0.4, 0.9, 0.2], [1.0, 1.0])
    table = Records(UNIT, line)
    query = queries.linear("identity", UNIT, 3)
    found = supremum.supremum_of(table, query, 1.0, 1.0, 3, 0)
    scalar = Records((Column("a", 0.0, 2.0),), line[:, :1] * math.sqrt(2))
    expected = supremum.supremum_of(scalar, queries.linear("identity", scalar.columns, 3), 1.0, 1.0, 3, 0)
    assert found.kind == expected.kind == "exact"
    assert found.mass.value == pytest.approx(expected.mass.value, rel=1e-9)
    same = Records(UNIT, np.full((5, 2), 0.3))
    assert supremum.supremum_of(same, query, 1.0, 1.0, 3, 0)[0].value == 0
