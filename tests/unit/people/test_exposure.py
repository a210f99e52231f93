"""Exposure of people, against every set of neighbours listed and plain forms of both probabilities."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion
from disclosure.mechanisms import gaussian
from disclosure.people import exposure, neighbour_sets, queries, reading, records
from disclosure.people.neighbour_sets import Sets
from disclosure.people.queries import Column
from disclosure.people.records import Records
from tests.unit.people.plain import all_sets, gaps_of, plain_union_mass
from tests.unit.people.tables import DAVIS, HEIGHT, UNIT, WEIGHT, random_people
from tests.unit.plain import failure_by_grid, failure_flags, union_flags


def assessed(table, query, sample, sigma, epsilon, target, datasets, seed, **options):
    """Exposure over sets of neighbours that are listed or drawn."""
    sets = neighbour_sets.neighbour_sets(seed, table, sample, target, datasets, **options)
    return exposure.assess(table, query, sample, sigma, epsilon, target, sets)


@pytest.mark.parametrize("ties", [False, True], ids=["different", "alike"])
@pytest.mark.parametrize("weights", [False, True], ids=["uniform", "weighted"])
def test_every_number_against_all_sets_listed(weights, ties):
    table, sample, sigma, epsilon = random_people(7, 1, weights=weights), 4, 0.45, 0.5
    if ties:
        shares = table.weights if table.weights is None else np.ceil(table.weights / 2)
        table = Records(table.columns, np.round(2 * table.values) / 2, shares)
        assert len(table.cases.first) < 7
    query = queries.linear("identity", UNIT[:1], sample)
    for target in range(7):
        found = assessed(table, query, sample, sigma, epsilon, target, 1, seed=3)
        masses, failures = {}, {}
        for set_ in all_sets(7, sample, target):
            gaps = gaps_of(table, query, sigma, target, set_)
            shares = table.weights[set_] / table.weights[set_].sum() if weights else None
            key = tuple(set_)
            masses[key] = failure_by_grid(lambda z, gaps=gaps: union_flags(z, gaps, epsilon), points=6001)[0]
            failures[key] = failure_by_grid(
                lambda z, gaps=gaps, shares=shares: failure_flags(z, gaps, epsilon, shares), points=6001
            )[0]
        assert len(masses) == math.comb(6, 3)
        close = {"rel": 2e-3, "abs": 3e-3}
        # So few sets are all listed, and the means are exact.
        assert (found.datasets, found.union_mass_se, found.failure_probability_se) == (0, 0, 0)
        assert found.union_mass_mean == pytest.approx(np.mean(list(masses.values())), **close)
        assert found.failure_probability_mean == pytest.approx(np.mean(list(failures.values())), **close)
        assert found.union_mass_largest == pytest.approx(max(masses.values()), **close)
        assert found.failure_probability_largest == pytest.approx(max(failures.values()), **close)
        assert found.union_mass_supremum == pytest.approx(found.union_mass_largest, rel=1e-12)
        assert found.supremum == "exact"


def test_drawn_sets_have_the_mean_of_all_sets():
    table, query = random_people(9, 2, seed=3), queries.linear("identity", UNIT, 5)
    for target in range(0, 9, 4):
        exact = assessed(table, query, 5, 0.5, 0.8, target, 70, seed=3)
        drawn = assessed(table, query, 5, 0.5, 0.8, target, 69, seed=3, few=0)
        assert (exact.datasets, drawn.datasets) == (0, 69)
        for name in ("union_mass", "failure_probability"):
            mean, error = getattr(drawn, f"{name}_mean"), getattr(drawn, f"{name}_se")
            assert 0 < abs(mean - getattr(exact, f"{name}_mean")) < 4.5 * error
            assert getattr(drawn, f"{name}_largest") <= getattr(exact, f"{name}_largest") * (1 + 1e-9)


def test_of_three_possible_datasets_none_is_missed():
    """Draws miss one, and take another person for the most exposed one."""
    columns = (Column("a", 0.0, 10.0), Column("b", 0.0, 20.0))
    table = Records(columns, np.array([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0], [7.0, 14.0]]))
    query = queries.linear("mean", columns, 3)
    sigma = gaussian.calibrate(1.0, 0.01, query.sensitivity, definition="probabilistic")
    found = [assessed(table, query, 3, sigma, 1.0, target, 100, seed=1) for target in range(4)]
    for target in range(4):
        differences = np.linalg.norm(table.values[target] - np.delete(table.values, target, axis=0), axis=1) / 3
        plain = gaussian.bad_region_mass(sigma, 1.0, differences)
        assert found[target].failure_probability_mean == pytest.approx(plain.mean(), rel=1e-9)
        assert found[target].failure_probability_largest == pytest.approx(plain.max(), rel=1e-9)
        assert (found[target].failure_probability_se, found[target].datasets) == (0, 0)
    assert max(found, key=lambda exposed: exposed.failure_probability_mean).person == 4


def test_equal_others_are_counted_in_the_probability_of_a_set():
    """Twenty-nine people of one record and one of another: of ten neighbours of the former the other is one with 10 of 29."""
    table = Records((Column("a", 0.0, 100.0),), np.append(np.zeros(29), 77.0)[:, None])
    query = queries.linear("mean", table.columns, 20)
    sigma = gaussian.calibrate(1.0, 0.05, query.sensitivity, definition="probabilistic")
    alone = float(gaussian.bad_region_mass(sigma, 1.0, 77 / 20))
    one, other = (assessed(table, query, 20, sigma, 1.0, target, 10, seed=1) for target in (0, 29))
    assert one.union_mass_mean == pytest.approx(10 / 29 * alone, rel=1e-10)
    assert (other.union_mass_mean, other.failure_probability_mean) == pytest.approx((alone, alone), rel=1e-10)
    # Nine others of the target's own record keep the ratio where it was.
    assert 0 < one.failure_probability_mean < 1e-12
    slow = queries.custom(lambda records: records.mean(axis=0), query.sensitivity)
    plain = assessed(table, slow, 20, sigma, 1.0, 0, 10, seed=1)
    assert (plain.union_mass_supremum, plain.supremum) == (plain.union_mass_largest, "exact")
    assert plain.union_mass_mean == pytest.approx(one.union_mass_mean, rel=1e-8)


def test_one_neighbour_has_t_and_rho_alike():
    table = random_people(9, 1, seed=4)
    found = assessed(table, queries.linear("sum", UNIT[:1], 8), 8, 0.5, 1.0, 2, 30, seed=1)
    assert found.union_mass_mean == pytest.approx(found.failure_probability_mean, rel=1e-9)
    assert found.union_mass_supremum == pytest.approx(
        max(gaussian.bad_region_mass(0.5, 1.0, abs(table.values[2] - table.values)).ravel()), rel=1e-12
    )
    assert found.prior == 0.5


def test_any_function_of_the_records_is_assessed_as_the_mean_is():
    table = random_people(9, 2, seed=2)
    fast = queries.linear("mean", UNIT, 6)
    slow = queries.custom(lambda records: records.mean(axis=0), fast.sensitivity)
    arguments = (6, 0.1, 1.0, 4, 5, 11)
    first, second = (assessed(table, query, *arguments, few=0) for query in (fast, slow))
    assert second.supremum == "none"
    assert math.isnan(second.union_mass_supremum)
    for name in (
        "union_mass_mean",
        "union_mass_largest",
        "failure_probability_mean",
        "failure_probability_largest",
        "farthest",
        "prior",
    ):
        assert getattr(first, name) == pytest.approx(getattr(second, name), rel=1e-8)


def test_distances_are_in_diagonals_of_the_ranges():
    columns = (Column("a", 0.0, 30.0), Column("b", 0.0, 40.0))
    table = Records(columns, np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0], [3.0, 4.0]]))
    found = assessed(table, queries.linear("sum", columns, 2), 2, 40.0, 1.0, 0, 2, seed=1)
    assert found.person == 1
    assert (found.nearest, found.farthest) == pytest.approx((0.1, 1.0))
    assert found.centre == pytest.approx(0.4)


def test_a_block_of_datasets_is_no_matter():
    table, query = random_people(12, 1), queries.linear("sum", UNIT[:1], 5)
    whole = assessed(table, query, 5, 0.5, 1.0, 3, 10, seed=2)
    assert assessed(table, query, 5, 0.5, 1.0, 3, 10, seed=2, block=24) == whole


def test_the_example_against_plain_computations():
    """Height and weight of 200 real people: that of row 12 swapped, and 19 the tallest."""
    columns = (HEIGHT, WEIGHT)
    table, query = reading.read(DAVIS, columns), queries.linear("mean", columns, 180)
    sigma = gaussian.calibrate(1.0, 0.01, query.sensitivity, definition="probabilistic")
    assert query.sensitivity == pytest.approx(math.hypot(160, 135) / 180)
    assert records.repeated(table.values) == 43
    scaled = table.values / 180 / sigma
    for target, expected in ((11, 0.001401), (18, 0.001111), (20, 3.49e-5)):
        found = assessed(table, query, 180, sigma, 1.0, target, 3, seed=1)
        assert found.supremum == "exact"
        assert found.union_mass_supremum == pytest.approx(expected, rel=1e-3)
        assert found.union_mass_supremum == pytest.approx(
            plain_union_mass(scaled[target] - np.delete(scaled, target, axis=0), 1.0), rel=1e-5
        )
        sets = neighbour_sets.drawn_sets(1, 200, 180, target, 0, 3)
        masses = [plain_union_mass(scaled[target] - scaled[set_], 1.0) for set_ in sets]
        # The plain rule ends at 9 standard deviations, where it leaves out 2e-19.
        assert (found.union_mass_mean, found.union_mass_largest) == pytest.approx(
            (np.mean(masses), max(masses)), rel=1e-5, abs=1e-18
        )
    # The failure probability of row 12, over a grid of noise.
    (set_,) = neighbour_sets.drawn_sets(1, 200, 180, 11, 0, 1)
    middles = (np.arange(250) + 0.5) * 0.05 - 6.25
    noise = np.stack(np.meshgrid(middles, middles, indexing="ij"), axis=-1).reshape(-1, 2)
    flags = failure_flags(noise, scaled[11] - scaled[set_], 1.0)
    plain = norm.pdf(noise[flags]).prod(axis=1).sum() * 0.05**2
    found = exposure.failure_probabilities(table, query, sigma, 1.0, 11, Sets(set_[None])).value[0]
    assert found == pytest.approx(plain, rel=0.02)
    assert 1e-4 < found < 1e-3


@pytest.mark.parametrize("weights", [False, True], ids=["uniform", "weighted"])
def test_equal_neighbours_may_be_put_together(weights):
    table = random_people(40, 2, weights=weights)
    table = Records(UNIT, np.round(4 * table.values) / 4, table.weights)
    sets = neighbour_sets.drawn_sets(1, 40, 10, 3, 0, 4)
    arguments = (table, queries.linear("sum", UNIT, 10), 0.7, 0.5, 3, Sets(sets))
    apart = exposure.failure_probabilities(*arguments)
    together = exposure.failure_probabilities(*arguments, many=1)
    assert together.value.shape == together.error.shape == (4,)
    assert together.value == pytest.approx(apart.value, rel=1e-8)


def test_neighbours_who_are_all_equal_are_one_neighbour():
    """Bit by bit the probability of a single gap, of which there are ten."""
    table = Records(UNIT, np.array([[0.9, 0.3]] + [[0.1, 0.2]] * 12))
    query, sets = queries.linear("sum", UNIT, 3), np.arange(1, 11)[None]
    found = exposure.failure_probabilities(table, query, 0.7, 0.5, 0, Sets(sets), many=10)
    gap = gaps_of(table, query, 0.7, 0, [1])
    assert found.value.tolist() == [float(inclusion.failure_probability(gap, 0.5, np.ones(1)).value)]


@pytest.mark.parametrize("weights", [False, True], ids=["uniform", "weighted"])
@pytest.mark.parametrize("many", [1, 5000], ids=["merged", "apart"])
def test_the_prior_free_bounds_have_the_priors_of_the_table(weights, many):
    """Against R itself, from posterior and prior, over a grid of noise."""
    table = random_people(8, 1, seed=6, weights=weights)
    table = Records(table.columns, np.round(4 * table.values) / 4, table.weights)
    query, sample, sigma = queries.linear("identity", UNIT[:1], 5), 5, 0.4
    for target, epsilon in ((0, 0.5), (3, 0.9), (5, 1.6)):
        sets = all_sets(8, sample, target)[::7]
        found = exposure.failure_probabilities(table, query, sigma, epsilon, target, Sets(sets), "prior_free", many)
        narrower = exposure.failure_probabilities(table, query, sigma, epsilon, target, Sets(sets))
        for place, set_ in enumerate(sets):
            beliefs = np.ones(8) if table.weights is None else table.weights
            shares = beliefs[set_] / beliefs[set_].sum()
            prior = beliefs[target] / (beliefs[target] + beliefs[set_].sum())
            gaps = gaps_of(table, query, sigma, target, set_)
            plain, error = failure_by_grid(
                lambda z, gaps=gaps, shares=shares, prior=prior, epsilon=epsilon: failure_flags(
                    z, gaps, epsilon, shares, prior, "prior_free"
                )
            )
            assert abs(found.value[place] - plain) <= error
        assert (found.value <= narrower.value).all()
        assert (found.value < narrower.value).any()


def test_people_who_are_all_alike_are_not_exposed():
    same = Records(UNIT, np.full((5, 2), 0.3))
    nobody = assessed(same, queries.linear("identity", UNIT, 3), 3, 1.0, 1.0, 0, 3, seed=1)
    assert (nobody.union_mass_largest, nobody.failure_probability_largest, nobody.farthest) == (0, 0, 0)
