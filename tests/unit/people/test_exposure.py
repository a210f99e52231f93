"""Exposure of people, against every set of neighbours listed and plain forms of both probabilities."""

import itertools
import math
import pathlib

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import regions
from disclosure.mechanisms import gaussian
from disclosure.people import exposure, populations, queries
from disclosure.people.populations import Population
from disclosure.people.queries import Column
from tests.unit.plain import failure_by_grid, failure_flags, union_flags

UNIT = (Column("a", 0.0, 1.0), Column("b", 0.0, 1.0))


DAVIS = pathlib.Path(__file__).resolve().parents[3] / "resources/davis.csv"


def people(number, dimensions, seed=0, weights=False):
    generator = np.random.default_rng(seed)
    shares = generator.integers(1, 5, number).astype(float) if weights else None
    return Population(UNIT[:dimensions], generator.random((number, dimensions)), shares)


def all_sets(number, sample, target):
    others = [k for k in range(number) if k != target]
    return np.array(list(itertools.combinations(others, number - sample)))


def gaps_of(population, query, sigma, target, set_):
    return query.differences(population.values[target], population.values[set_]) / sigma


def plain_union_mass(gaps, epsilon):
    """T in two dimensions: for every first coordinate of the noise the good second ones are an interval."""
    first = np.linspace(-9, 9, 6001)
    low, high = np.full(first.size, -np.inf), np.full(first.size, np.inf)
    for c in gaps:
        for sign, offset in ((1.0, epsilon - c @ c / 2), (-1.0, epsilon + c @ c / 2)):
            slope, rest = sign * c[1], offset - sign * c[0] * first
            if slope > 0:
                high = np.minimum(high, rest / slope)
            elif slope < 0:
                low = np.maximum(low, rest / slope)
            else:
                high = np.where(rest < 0, -np.inf, high)
    bad = np.where(low < high, norm.cdf(low) + norm.sf(high), 1.0)
    return np.trapezoid(norm.pdf(first) * bad, first)


@pytest.mark.parametrize("ties", [False, True], ids=["different", "alike"])
@pytest.mark.parametrize("weights", [False, True], ids=["uniform", "weighted"])
def test_every_number_against_all_sets_listed(weights, ties):
    population, sample, sigma, epsilon = people(7, 1, weights=weights), 4, 0.45, 0.5
    if ties:
        shares = population.weights if population.weights is None else np.ceil(population.weights / 2)
        population = Population(population.columns, np.round(2 * population.values) / 2, shares)
        assert len(population.cases.first) < 7
    query = queries.linear("identity", UNIT[:1], sample)
    for target in range(7):
        found = exposure.assess(population, query, sample, sigma, epsilon, target, 1, seed=3)
        masses, failures = {}, {}
        for set_ in all_sets(7, sample, target):
            gaps = gaps_of(population, query, sigma, target, set_)
            shares = population.weights[set_] / population.weights[set_].sum() if weights else None
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


def test_drawn_sets_have_the_mean_of_all_sets(monkeypatch):
    population, query = people(9, 2, seed=3), queries.linear("identity", UNIT, 5)
    for target in range(9):
        exact = exposure.assess(population, query, 5, 0.5, 0.8, target, 70, seed=3)
        with monkeypatch.context() as patch:
            patch.setattr(populations, "_FEW", 0)
            drawn = exposure.assess(population, query, 5, 0.5, 0.8, target, 69, seed=3)
        assert (exact.datasets, drawn.datasets) == (0, 69)
        for name in ("union_mass", "failure_probability"):
            mean, error = getattr(drawn, f"{name}_mean"), getattr(drawn, f"{name}_se")
            assert 0 < abs(mean - getattr(exact, f"{name}_mean")) < 4.5 * error
            assert getattr(drawn, f"{name}_largest") <= getattr(exact, f"{name}_largest") * (1 + 1e-9)


def test_of_three_possible_datasets_none_is_missed():
    """Draws miss one, and take another person for the most exposed one."""
    columns = (Column("a", 0.0, 10.0), Column("b", 0.0, 20.0))
    population = Population(columns, np.array([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0], [7.0, 14.0]]))
    query = queries.linear("mean", columns, 3)
    sigma = gaussian.calibrate(1.0, 0.01, query.sensitivity, definition="probabilistic")
    found = [exposure.assess(population, query, 3, sigma, 1.0, target, 100, seed=1) for target in range(4)]
    for target in range(4):
        differences = (
            np.linalg.norm(population.values[target] - np.delete(population.values, target, axis=0), axis=1) / 3
        )
        plain = gaussian.bad_region_mass(sigma, 1.0, differences)
        assert found[target].failure_probability_mean == pytest.approx(plain.mean(), rel=1e-9)
        assert found[target].failure_probability_largest == pytest.approx(plain.max(), rel=1e-9)
        assert (found[target].failure_probability_se, found[target].datasets) == (0, 0)
    assert max(found, key=lambda exposed: exposed.failure_probability_mean).person == 4


def test_equal_others_are_counted_in_the_probability_of_a_set():
    """Twenty-nine people of one record and one of another: of ten neighbours of the former the other is one with 10 of 29."""
    population = Population((Column("a", 0.0, 100.0),), np.append(np.zeros(29), 77.0)[:, None])
    query = queries.linear("mean", population.columns, 20)
    sigma = gaussian.calibrate(1.0, 0.05, query.sensitivity, definition="probabilistic")
    alone = float(gaussian.bad_region_mass(sigma, 1.0, 77 / 20))
    one, other = (exposure.assess(population, query, 20, sigma, 1.0, target, 10, seed=1) for target in (0, 29))
    assert one.union_mass_mean == pytest.approx(10 / 29 * alone, rel=1e-10)
    assert (other.union_mass_mean, other.failure_probability_mean) == pytest.approx((alone, alone), rel=1e-10)
    # Nine others of the target's own record keep the ratio where it was.
    assert 0 < one.failure_probability_mean < 1e-12
    slow = queries.custom(lambda records: records.mean(axis=0), query.sensitivity)
    plain = exposure.assess(population, slow, 20, sigma, 1.0, 0, 10, seed=1)
    assert (plain.union_mass_supremum, plain.supremum) == (plain.union_mass_largest, "exact")
    assert plain.union_mass_mean == pytest.approx(one.union_mass_mean, rel=1e-8)


@pytest.mark.parametrize("dimensions", [1, 2])
@pytest.mark.parametrize(("number", "sample"), [(8, 2), (8, 4), (8, 6), (8, 7)])
@pytest.mark.parametrize("sigma", [0.4, 1.0])
def test_the_supremum_is_that_of_all_sets(number, sample, dimensions, sigma):
    population = people(number, dimensions, seed=number + sample)
    query = queries.linear("sum", UNIT[:dimensions], sample)
    kinds = set()
    for target in range(number):
        found = exposure.supremum_of(population, query, sigma, 1.0, sample, target)
        masses = [
            regions.union_mass(gaps_of(population, query, sigma, target, set_), 1.0).value
            for set_ in all_sets(number, sample, target)
        ]
        kinds.add(found.kind)
        if found.kind == "exact":
            assert found.mass.value == pytest.approx(max(masses), rel=1e-8)
        else:
            assert found.kind == "bound"
            assert found.mass.value >= max(masses) * (1 - 1e-8)
        everybody = np.delete(population.values, target, axis=0)
        union = regions.union_mass(query.differences(population.values[target], everybody) / sigma, 1.0).value
        assert found.mass.value == pytest.approx(union if sample < number - 1 else max(masses), rel=1e-8)
    assert "exact" in kinds or (dimensions == 2 and sigma == 0.4)


def test_few_neighbours_of_many_directions_only_have_a_bound():
    angles = 0.2 + np.linspace(0, 2 * np.pi, 8, endpoint=False)
    values = np.vstack([[0.5, 0.5], 0.5 + 0.4 * np.column_stack([np.cos(angles), np.sin(angles)])])
    population, query = Population(UNIT, values), queries.linear("sum", UNIT, 1)
    found = {
        neighbours: exposure.supremum_of(population, query, 1.0, 1.0, 9 - neighbours, 0) for neighbours in range(1, 9)
    }
    assert [found[k].kind for k in (1, 2, 7, 8)] == ["exact", "bound", "bound", "exact"]
    assert found[1].mass.value == pytest.approx(float(gaussian.bad_region_mass(1.0, 1.0, 0.4)), rel=1e-12)
    assert (
        found[2].mass.value == found[8].mass.value == pytest.approx(plain_union_mass(0.5 - values[1:], 1.0), rel=1e-6)
    )


def test_determining_neighbours_leave_the_union_as_it_is():
    generator = np.random.default_rng(8)
    for _ in range(20):
        gaps = generator.normal(size=(30, 2)) * 0.3
        needed = exposure.determining_neighbours(gaps, 1.0)
        if needed is None:
            assert (np.linalg.norm(gaps, axis=1) ** 2).max() >= 2 - 1e-6
            continue
        assert len(needed) < 15
        whole = plain_union_mass(gaps, 1.0)
        assert plain_union_mass(gaps[needed], 1.0) == pytest.approx(whole, rel=1e-12)
        # Each of them matters.
        for place in range(len(needed)):
            assert plain_union_mass(gaps[np.delete(needed, place)], 1.0) < whole


def test_duplicates_and_lines_are_one_dimensional():
    line = np.outer([0.1, 0.4, 0.4, 0.9, 0.2], [1.0, 1.0])
    population = Population(UNIT, line)
    query = queries.linear("identity", UNIT, 3)
    found = exposure.supremum_of(population, query, 1.0, 1.0, 3, 0)
    scalar = Population((Column("a", 0.0, 2.0),), line[:, :1] * math.sqrt(2))
    expected = exposure.supremum_of(scalar, queries.linear("identity", scalar.columns, 3), 1.0, 1.0, 3, 0)
    assert found.kind == expected.kind == "exact"
    assert found.mass.value == pytest.approx(expected.mass.value, rel=1e-9)
    same = Population(UNIT, np.full((5, 2), 0.3))
    assert exposure.supremum_of(same, query, 1.0, 1.0, 3, 0)[0].value == 0
    nobody = exposure.assess(same, query, 3, 1.0, 1.0, 0, 3, seed=1)
    assert (nobody.union_mass_largest, nobody.failure_probability_largest, nobody.farthest) == (0, 0, 0)


def test_one_neighbour_has_t_and_rho_alike():
    population = people(9, 1, seed=4)
    found = exposure.assess(population, queries.linear("sum", UNIT[:1], 8), 8, 0.5, 1.0, 2, 30, seed=1)
    assert found.union_mass_mean == pytest.approx(found.failure_probability_mean, rel=1e-9)
    assert found.union_mass_supremum == pytest.approx(
        max(gaussian.bad_region_mass(0.5, 1.0, abs(population.values[2] - population.values)).ravel()), rel=1e-12
    )
    assert found.prior == 0.5


def test_smallest_prior_is_that_of_the_heaviest_neighbours():
    population = people(8, 1, weights=True)
    for target in range(8):
        weights = population.weights
        plain = min(weights[target] / (weights[target] + weights[set_].sum()) for set_ in all_sets(8, 5, target))
        assert exposure.smallest_prior(population, 5, target) == pytest.approx(plain, rel=1e-15)
    everybody = min(exposure.smallest_prior(population, 5, target) for target in range(8))
    assert exposure.least_prior(population, 5) == everybody
    assert exposure.smallest_prior(people(8, 1), 5, 0) == exposure.least_prior(people(8, 1), 5) == 0.25


def test_any_function_of_the_records_is_assessed_as_the_mean_is(monkeypatch):
    monkeypatch.setattr(populations, "_FEW", 0)
    population = people(9, 2, seed=2)
    fast = queries.linear("mean", UNIT, 6)
    slow = queries.custom(lambda records: records.mean(axis=0), fast.sensitivity)
    arguments = (6, 0.1, 1.0, 4, 5, 11)
    first, second = (exposure.assess(population, query, *arguments) for query in (fast, slow))
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
    population = Population(columns, np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0], [3.0, 4.0]]))
    found = exposure.assess(population, queries.linear("sum", columns, 2), 2, 40.0, 1.0, 0, 2, seed=1)
    assert found.person == 1
    assert (found.nearest, found.farthest) == pytest.approx((0.1, 1.0))
    assert found.centre == pytest.approx(0.4)


def test_a_block_of_datasets_is_no_matter(monkeypatch):
    population, query = people(12, 1), queries.linear("sum", UNIT[:1], 5)
    whole = exposure.assess(population, query, 5, 0.5, 1.0, 3, 10, seed=2)
    monkeypatch.setattr(populations, "_CHUNK", 24)
    assert exposure.assess(population, query, 5, 0.5, 1.0, 3, 10, seed=2) == whole


def test_the_example_against_plain_computations():
    """Height and weight of 200 real people: that of row 12 swapped, and 19 the tallest."""
    columns = (Column("height_cm", 50.0, 210.0), Column("weight_kg", 35.0, 170.0))
    population, query = populations.read(DAVIS, columns), queries.linear("mean", columns, 180)
    sigma = gaussian.calibrate(1.0, 0.01, query.sensitivity, definition="probabilistic")
    assert query.sensitivity == pytest.approx(math.hypot(160, 135) / 180)
    assert populations.repeated(population.values) == 43
    scaled = population.values / 180 / sigma
    for target, expected in ((11, 0.001401), (18, 0.001111), (20, 3.49e-5)):
        found = exposure.assess(population, query, 180, sigma, 1.0, target, 3, seed=1)
        assert found.supremum == "exact"
        assert found.union_mass_supremum == pytest.approx(expected, rel=1e-3)
        assert found.union_mass_supremum == pytest.approx(
            plain_union_mass(scaled[target] - np.delete(scaled, target, axis=0), 1.0), rel=1e-5
        )
        sets = populations.drawn_sets(1, 200, 180, target, 0, 3)
        masses = [plain_union_mass(scaled[target] - scaled[set_], 1.0) for set_ in sets]
        assert (found.union_mass_mean, found.union_mass_largest) == pytest.approx(
            (np.mean(masses), max(masses)), rel=1e-5
        )
    # The failure probability of row 12, over a grid of noise.
    (set_,) = populations.drawn_sets(1, 200, 180, 11, 0, 1)
    middles = (np.arange(500) + 0.5) * 0.025 - 6.25
    noise = np.stack(np.meshgrid(middles, middles, indexing="ij"), axis=-1).reshape(-1, 2)
    flags = failure_flags(noise, scaled[11] - scaled[set_], 1.0)
    plain = norm.pdf(noise[flags]).prod(axis=1).sum() * 0.025**2
    found = exposure.failure_probabilities(population, query, sigma, 1.0, 11, set_[None]).value[0]
    assert found == pytest.approx(plain, rel=0.02)
    assert 1e-4 < found < 1e-3


@pytest.mark.parametrize("weights", [False, True], ids=["uniform", "weighted"])
def test_equal_neighbours_may_be_put_together(monkeypatch, weights):
    population = people(40, 2, weights=weights)
    population = Population(UNIT, np.round(4 * population.values) / 4, population.weights)
    sets = populations.drawn_sets(1, 40, 10, 3, 0, 4)
    arguments = (population, queries.linear("sum", UNIT, 10), 0.7, 0.5, 3, sets)
    apart = exposure.failure_probabilities(*arguments)
    monkeypatch.setattr(exposure, "_MANY", 1)
    together = exposure.failure_probabilities(*arguments)
    assert together.value.shape == together.error.shape == (4,)
    assert together.value == pytest.approx(apart.value, rel=1e-8)
    gaps, shares = exposure._merged(np.array([[0.1, 0], [0.2, 0], [0.1, 0]]), np.array([0.5, 0.2, 0.3]))
    assert gaps.tolist() == [[0.1, 0], [0.2, 0]]
    assert shares == pytest.approx([0.8, 0.2])


@pytest.mark.parametrize("weights", [False, True], ids=["uniform", "weighted"])
@pytest.mark.parametrize("many", [1, 5000], ids=["merged", "apart"])
def test_the_prior_free_bounds_have_the_priors_of_the_table(monkeypatch, weights, many):
    """Against R itself, from posterior and prior, over a grid of noise."""
    monkeypatch.setattr(exposure, "_MANY", many)
    population = people(8, 1, seed=6, weights=weights)
    population = Population(population.columns, np.round(4 * population.values) / 4, population.weights)
    query, sample, sigma = queries.linear("identity", UNIT[:1], 5), 5, 0.4
    for target, epsilon in itertools.product((0, 3, 5), (0.5, 0.9, 1.6)):
        sets = all_sets(8, sample, target)[::7]
        found = exposure.failure_probabilities(population, query, sigma, epsilon, target, sets, "prior_free")
        narrower = exposure.failure_probabilities(population, query, sigma, epsilon, target, sets)
        for place, set_ in enumerate(sets):
            beliefs = np.ones(8) if population.weights is None else population.weights
            shares = beliefs[set_] / beliefs[set_].sum()
            prior = beliefs[target] / (beliefs[target] + beliefs[set_].sum())
            gaps = gaps_of(population, query, sigma, target, set_)
            plain, error = failure_by_grid(
                lambda z, gaps=gaps, shares=shares, prior=prior, epsilon=epsilon: failure_flags(
                    z, gaps, epsilon, shares, prior, "prior_free"
                )
            )
            assert abs(found.value[place] - plain) <= error
        assert (found.value <= narrower.value).all()
        assert (found.value < narrower.value).any()
