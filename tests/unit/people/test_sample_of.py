"""A table that is a sample of a population: against plain forms, identities, the law of infinitely many, and simulation."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.numerics.errors import DomainError
from disclosure.people import exposure, neighbour_sets, queries
from disclosure.people.asked import Asked
from disclosure.people.limits import Limits
from disclosure.people.ratios import movement
from disclosure.people.records import Records, sample_of
from disclosure.people.targets import affordable, targets
from tests.unit.people.tables import people, random_people


def assessed(table, sample, sigma, epsilon, target, datasets=5, seed=1, **options):
    query = queries.linear("sum", table.columns, sample)
    sets = neighbour_sets.neighbour_sets(seed, table, sample, target, datasets, **options)
    return exposure.assess(table, query, sample, sigma, epsilon, target, sets)


def exposed(table, sample, sigma, datasets, asked, epsilon=1.0):
    query = queries.linear("sum", table.columns, sample)
    chosen = targets(1, table, len(table))
    return exposure.exposures(table, query, sample, sigma, epsilon, chosen, datasets, 1, 0, asked)


def shares_of(table, sample, target, datasets, **options):
    """The share of each row among the other candidates, of each set."""
    sets = neighbour_sets.neighbour_sets(1, table, sample, target, datasets, **options)
    found = []
    for block in sets.blocks():
        shares = np.zeros((len(block.places), len(table)))
        np.add.at(shares, (np.arange(len(shares))[:, None], block.places), block.shares)
        assert (block.shares > 0).all()
        found.append(shares)
    return np.concatenate(found), sets


def test_every_draw_is_listed_with_its_probability():
    """Against all ordered draws from five rows, two of which are equal."""
    table = people(np.array([[1.0], [4.0], [4.0], [6.0], [9.0]]))
    for neighbours in (1, 2, 3):
        plain = {}
        for draw in itertools.product(range(5), repeat=neighbours):
            kind = tuple(sorted(table.values[list(draw), 0].tolist()))
            plain[kind] = plain.get(kind, 0) + 5.0**-neighbours
        found, sets = shares_of(sample_of(table, 6 + neighbours), 6, 3, 1, block=8)
        kinds = [tuple(np.repeat(table.values[:, 0], np.rint(row * neighbours).astype(int)).tolist()) for row in found]
        assert len(set(kinds)) == len(kinds) == sets.number == len(plain)
        assert sets.probabilities == pytest.approx([plain[kind] for kind in kinds], rel=1e-13)


@pytest.mark.parametrize("neighbours", [8, 40, 10**12])
def test_draws_have_the_proportions_of_the_table(neighbours):
    """Mean and spread of multinomial counts, over draws for six targets; three rows are equal."""
    table = sample_of(people(np.array([[1.0], [4.0], [4.0], [6.0], [9.0], [4.0]])), neighbours + 10)
    drawn = [shares_of(table, 10, target, 160, few=0) for target in range(6)]
    assert all((sets.number, sets.probabilities) == (160, None) for _, sets in drawn)
    found = np.concatenate([shares for shares, _ in drawn])
    assert found.sum(axis=1) == pytest.approx(np.ones(960), rel=1e-12)
    counts = found * neighbours
    assert np.abs(counts - np.rint(counts)).max() <= 1e-15 * neighbours
    proportions = np.array([1, 3, 0, 1, 1, 0]) / 6
    spread = np.sqrt(proportions * (1 - proportions) / neighbours)
    assert (np.abs(found.mean(axis=0) - proportions) <= 4.5 * spread / math.sqrt(960)).all()
    assert found.std(axis=0) == pytest.approx(spread, rel=4.5 / math.sqrt(2 * 960))
    in_blocks, _ = shares_of(table, 10, 0, 160, few=0, block=8)
    assert in_blocks.tolist() == drawn[0][0].tolist()
    assert in_blocks.tolist() != drawn[1][0].tolist()


def test_one_other_candidate_with_and_without_replacement():
    """With replacement it may have the target's record, and of the other rows each is as likely as without."""
    table = random_people(7, 2, seed=2)
    for target in range(7):
        whole = assessed(table, 6, 0.5, 0.8, target)
        drawn = assessed(sample_of(table, 7), 6, 0.5, 0.8, target)
        assert (whole.datasets, drawn.datasets) == (0, 0)
        for name in ("union_mass_mean", "failure_probability_mean"):
            assert 7 * getattr(drawn, name) == pytest.approx(6 * getattr(whole, name), rel=1e-9)
        for name in ("union_mass_largest", "union_mass_supremum", "rise_limit", "fall_limit", "exceeding_limit"):
            assert getattr(drawn, name) == pytest.approx(getattr(whole, name), rel=1e-12)
        for name in ("prior", "nearest", "farthest", "centre", "posterior_limit", "rise_found", "fall_found"):
            assert getattr(drawn, name) == pytest.approx(getattr(whole, name), rel=1e-12)


def test_the_largest_t_on_a_line_is_the_same_with_and_without_replacement():
    table = random_people(12, 1, seed=5)
    for target in range(12):
        whole, drawn = (assessed(records, 8, 0.5, 0.8, target) for records in (table, sample_of(table, 12)))
        assert (whole.supremum, drawn.supremum) == ("exact", "exact")
        assert drawn.union_mass_supremum == whole.union_mass_supremum
        assert drawn.rise_limit >= whole.rise_limit
        assert drawn.fall_limit <= whole.fall_limit


def test_where_all_others_are_equal_the_reach_is_the_same():
    """One apart from eleven: of these the farthest is any, with and without replacement."""
    values = np.append(np.zeros(11), 7.0)[:, None]
    whole, drawn = (
        Limits(r, queries.linear("sum", r.columns, 8), 8) for r in (people(values), sample_of(people(values), 12))
    )
    for name, *arguments in (
        ("rise", 4.0, 0.01),
        ("fall", 4.0, 0.01),
        ("exceeding", 4.0, 1.5),
        ("posterior", 4.0, 0.01),
    ):
        assert getattr(drawn, name)(11, *arguments) == pytest.approx(getattr(whole, name)(11, *arguments), rel=1e-14)


@pytest.mark.parametrize("dimensions", [1, 2])
def test_many_others_are_like_infinitely_many(dimensions):
    table, sample, asked = random_people(9, dimensions, seed=3), 20, Asked(0.01, 1.4)
    crowd = exposed(sample_of(table, math.inf), sample, 0.9, 3, asked)
    assert (crowd["prior"] == 0).all()
    assert (crowd["posterior_limit"] == 0).all()
    assert (crowd["datasets"] == 0).all()
    names = ("union_mass_mean", "failure_probability_mean", "rise_found", "fall_found", "exceeding_found")
    for number, slack in ((10**6, 3e-2), (10**10, 3e-4), (10**14, 3e-6)):
        large = exposed(sample_of(table, number), sample, 0.9, 3, asked)
        for name in names:
            known = ~np.isnan(crowd[name]) & ~np.isnan(large[name])
            assert known.any()
            assert large[name][known] == pytest.approx(crowd[name][known], rel=slack, abs=1e-12)
        # Any draw may be the farthest record alone: this limit does not become that of infinitely many.
        assert (large["rise_limit"] > crowd["rise_limit"]).all()
    for limit, found in (("rise_limit", "rise_found"), ("exceeding_limit", "exceeding_found")):
        assert not (crowd[found] > crowd[limit] * (1 + 1e-12)).any()
    assert not (crowd["fall_found"] < crowd["fall_limit"] * (1 - 1e-12)).any()


def plain_ratios(table, sigma, target, others, noise):
    """Posterior over prior by Bayes' rule, the other candidates given by their rows for each noise."""
    others = np.broadcast_to(others, (len(noise), 3))
    candidates = table.values[np.column_stack([np.full(len(noise), target), others])]
    releases = table.values[target] + sigma * noise
    densities = norm.pdf((releases[:, None] - candidates) / sigma).prod(axis=2)
    return densities[:, 0] / densities.mean(axis=1)


def test_a_plain_simulation_of_population_and_release():
    """Six rows and three others of each target: a population and a release drawn at once."""
    table, epsilon, sigma, draws = random_people(6, 2, seed=8), 0.6, 0.7, 40_000
    sampled, generator = sample_of(table, 8), np.random.default_rng(5)
    bound = 1 / (0.25 + 0.75 * math.exp(-epsilon)), 1 / (0.25 + 0.75 * math.exp(epsilon))
    for target in (0, 4):
        found = assessed(sampled, 5, sigma, epsilon, target)
        assert found.datasets == 0
        others, noise = generator.integers(0, 6, (draws, 3)), generator.normal(size=(draws, 2))
        ratios = plain_ratios(table, sigma, target, others, noise)
        failed = (ratios > bound[0]) | (ratios < bound[1])
        error = failed.std() / math.sqrt(draws)
        assert failed.sum() > 200
        assert abs(failed.mean() - found.failure_probability_mean) < 4 * error
        # The worst of all draws: every other candidate at the farthest row.
        farthest = np.linalg.norm(table.values - table.values[target], axis=1).argmax()
        worst = plain_ratios(table, sigma, target, [farthest] * 3, generator.normal(size=(draws, 2)))
        above, least = (worst > found.rise_limit).mean(), 4 * math.sqrt(1e-3 / draws)
        assert found.rise_found == pytest.approx(found.rise_limit, rel=1e-9)
        assert abs(above - found.probability) < least


def test_the_mixture_of_infinitely_many_is_the_mean_over_the_rows():
    """Against quadrature of 1 / g on a line, the target's own row included."""
    table, target, sigma = random_people(8, 1, seed=4), 2, 0.5
    crowd = sample_of(table, math.inf)
    noise = np.linspace(-9, 9, 200_001)
    gaps = (table.values[target] - table.values)[:, 0] / sigma
    ratios = 1 / np.exp(-noise[:, None] * gaps - gaps**2 / 2).mean(axis=1)
    mass = norm.pdf(noise) * (noise[1] - noise[0])
    query = queries.linear("sum", table.columns, 5)
    sets = neighbour_sets.neighbour_sets(1, crowd, 5, target, 1)
    moved = movement(crowd, query, 5, sigma, target, sets, 0.02)
    assert mass[ratios > moved.rise_found].sum() == pytest.approx(0.02, rel=1e-3)
    assert mass[ratios < moved.fall_found].sum() == pytest.approx(0.02, rel=1e-3)
    found = assessed(crowd, 5, sigma, 0.4, target)
    outside = np.abs(np.log(ratios)) > 0.4
    assert found.failure_probability_mean == pytest.approx(mass[outside].sum(), rel=1e-3)
    assert found.union_mass_mean == found.union_mass_supremum


def test_the_work_does_not_grow_with_the_population():
    table = random_people(30, 2)
    for population in (10**6, 10**15, math.inf):
        sampled = sample_of(table, population)
        assert neighbour_sets.places_of_a_set(sampled, 100) == 30
        chosen, datasets = affordable(1, sampled, 100)
        assert len(chosen.places) == 30
        assert datasets == (1 if population == math.inf else 100)
    assert neighbour_sets.places_of_a_set(sample_of(table, 40), 35) == 5


@pytest.mark.parametrize(
    ("population", "said"),
    [
        (29, "population = 29 is below the 30 rows of the table"),
        (-math.inf, "population = -inf is below"),
        (30.5, "population = 30.5 is not a whole number"),
        (10**16, "at most 1000000000000000"),
    ],
)
def test_another_size_is_refused(population, said):
    with pytest.raises(DomainError, match=said):
        sample_of(random_people(30, 1), population)


def test_what_is_not_known_of_a_sample_is_refused():
    table = random_people(30, 1, weights=True)
    with pytest.raises(DomainError, match="weights are about the people of a whole population"):
        sample_of(table, 40)
    with pytest.raises(DomainError, match="one row is no sample of a population"):
        sample_of(people([[3.0]]), 40)
    table = sample_of(Records(table.columns, table.values), 40)
    with pytest.raises(DomainError, match="sample = 40 of population = 40 leaves no other candidate"):
        neighbour_sets.neighbour_sets(1, table, 40, 0, 1)
    query = queries.custom(lambda records: records.max(axis=0), 1.0)
    sets = neighbour_sets.neighbour_sets(1, table, 20, 0, 1)
    with pytest.raises(DomainError, match="is not linear"):
        exposure.assess(table, query, 20, 0.5, 1.0, 0, sets)
