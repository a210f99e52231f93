"""How much a release exposes each person of a table.

A dataset is a sample of m of the n people. The adversary knows all of its members but one, the target. The candidates are the
target and the n - m people outside, so each set of n - m of the other people is a possible set of neighbours. Everybody is a
target in turn, people who are alike once. Of a table that is a sample of its population the people outside have the records of
its rows, drawn with replacement (`neighbour_sets`).

How far belief in a target's presence moves comes first, and no epsilon is part of it: factors that are not exceeded in any
dataset (`limits`), and what some dataset comes to (`ratios`). The latter is computed for the person with the largest limit of
everybody, and for all whose limit is not below it: nobody else is more exposed. The union mass T and the failure probability
rho, of bounds that widen with epsilon, are computed over all sets, if few are different, or over sampled ones. The largest T
over all sets needs no sampling (`supremum`).
"""

import dataclasses
import math
from typing import NamedTuple

import numpy as np

from disclosure.beliefs import inclusion, regions
from disclosure.numerics import checks
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import Columns, FloatArray
from disclosure.people import ratios
from disclosure.people.asked import ASKED, Asked
from disclosure.people.gaps import merged, sampled_gaps
from disclosure.people.limits import Limit, Limits
from disclosure.people.neighbour_sets import NeighbourSets, Sets, neighbour_sets
from disclosure.people.priors import beliefs, smallest_prior
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.ratios import Movement
from disclosure.people.records import Records
from disclosure.people.supremum import Supremum, supremum_of
from disclosure.people.targets import Targets
from disclosure.study import statistics

__all__ = ["Everybody", "Exposure", "assess", "everybody", "exposures", "failure_probabilities", "movements"]

# Neighbours from which on equal ones are put together; a large table of rounded values has many of them.
_MANY = 5_000
# Relative margin by which a limit may be below what was found, by rounding alone.
_ROUNDING = 1e-9


class Exposure(NamedTuple):
    """What a release may reveal about one target.

    Attributes
    ----------
    person : int
        Row of the table, counted from 1.
    nearest, farthest, centre : float
        Euclidean distances to the nearest and the farthest of the others and to their mean, in units of the diagonal of the
        stated ranges.
    prior : float
        The target's smallest prior probability of inclusion over all sets of neighbours.
    probability, ratio : float
        What was asked (`Asked`).
    rise_found, rise_limit, fall_found, fall_limit, posterior_limit : float
        As of `Movement`, at that probability. The found ones are NaN for a person whose limit is below what was found for the
        person with the largest one; where others are drawn with replacement, whose limit over the draws is.
    exceeding_found, exceeding_limit : float
        Probability that the ratio exceeds the stated one, in the worst datasets that were looked at, and for every dataset.
    union_mass_mean, union_mass_se, union_mass_largest : float
        Union mass over the datasets: mean, its standard error, largest. Where all datasets are listed the mean is exact, and
        the standard error 0.
    union_mass_supremum : float
        The largest over all sets of neighbours, or a bound on it.
    supremum : str
        Which of the two: `Supremum.kind`.
    failure_probability_mean, failure_probability_se, failure_probability_largest : float
        Failure probability over the datasets.
    error : float
        Largest estimate of the numerical error of these probabilities.
    datasets : int
        How many were drawn; 0 where all were listed.
    """

    person: int
    nearest: float
    farthest: float
    centre: float
    prior: float
    probability: float
    ratio: float
    rise_found: float
    rise_limit: float
    fall_found: float
    fall_limit: float
    posterior_limit: float
    exceeding_found: float
    exceeding_limit: float
    union_mass_mean: float
    union_mass_se: float
    union_mass_largest: float
    union_mass_supremum: float
    supremum: str
    failure_probability_mean: float
    failure_probability_se: float
    failure_probability_largest: float
    error: float
    datasets: int


class Everybody(NamedTuple):
    """What no dataset exceeds for anybody in the table, and what the person with the largest limit comes to.

    Attributes
    ----------
    asked : Asked
    person : int
        Row of the person with the largest limit of rising; 0 for a query that is not linear.
    rise, fall, exceeding : Limit or None
        `Limits.rise_of_all` and so on; None for a query that is not linear.
    least_rise, least_exceeding : float
        What was found for the person with the largest limit. Nobody with a lower limit is more exposed.
    """

    asked: Asked
    person: int
    rise: Limit | None
    fall: Limit | None
    exceeding: Limit | None
    least_rise: float
    least_exceeding: float

    def columns(self) -> dict[str, float]:
        """The limits under the names of the columns that have them in each row."""
        return {
            "person_of_all": self.person,
            "rise_limit_of_all": self.rise.value if self.rise else np.nan,
            "fall_limit_of_all": 1 / self.fall.value if self.fall else np.nan,
            "exceeding_limit_of_all": self.exceeding.value if self.exceeding else np.nan,
        }


def everybody(records: Records, query: Query, sample: int, sigma: float, asked: Asked, seed: int = 0) -> Everybody:
    """Limits for everybody in the table and every dataset.

    Takes the arguments of `exposures`; the seed is that of datasets which are drawn.
    """
    if not isinstance(query, LinearQuery):
        return Everybody(asked, 0, None, None, None, -np.inf, -np.inf)
    limits = Limits(records, query, sample)
    rise, exceeding = limits.rise_of_all(sigma, asked.probability), limits.exceeding_of_all(sigma, asked.ratio)
    places = [rise.place, exceeding.place]
    if records.population is not None:
        # Two people may have the same limit, each the farthest from the other. Draws are like the whole table.
        crowd = Limits(dataclasses.replace(records, population=math.inf), query, sample)
        places = [crowd.rise_of_all(sigma, asked.probability).place] * 2
    first, second = (
        (records, query, sample, sigma, place, neighbour_sets(seed, records, sample, place, 1)) for place in places
    )
    return Everybody(
        asked,
        records.row(rise.place),
        rise,
        limits.fall_of_all(sigma, asked.probability),
        exceeding,
        ratios.movement(*first, asked.probability).rise_found,
        ratios.exceeding(*second, asked.ratio),
    )


def exposures(
    records: Records,
    query: Query,
    sample: int,
    sigma: float,
    epsilon: float,
    targets: Targets,
    datasets: int,
    seed: int,
    point: int = 0,
    asked: Asked = ASKED,
) -> Columns:
    """Exposures of several targets as the columns of a table.

    Parameters
    ----------
    records, query, sample, sigma, epsilon
        As in `assess`.
    targets : Targets
    datasets : int
        Sets of neighbours that are drawn of each target, at least 1, unless so few are different that all are listed
        (`neighbour_sets`).
    seed : int
    point : int, optional
        Number of the setting, for a column of its own.
    asked : Asked, optional
        What is asked of the ratio.

    Returns
    -------
    dict of str to ndarray, shape (t,)
        The attributes of `Exposure`, ``point``, why each target was chosen and how many people are like it, and, the same in
        each row, the number of the table's ``rows`` and the limits for everybody in the table: ``rise_limit_of_all``,
        ``fall_limit_of_all``, ``exceeding_limit_of_all`` and ``person_of_all``, the row of the person with the largest.
    """
    of_all = everybody(records, query, sample, sigma, asked, seed)
    found = [
        assess(
            records,
            query,
            sample,
            sigma,
            epsilon,
            target,
            neighbour_sets(seed, records, sample, target, datasets),
            of_all,
        )
        for target in targets.places.tolist()
    ]
    columns = zip(*found, strict=True) if found else ((),) * len(Exposure._fields)
    table = {name: np.asarray(column) for name, column in zip(Exposure._fields, columns, strict=True)}
    return (
        table
        | {name: np.full(len(found), value) for name, value in of_all.columns().items()}
        | {name: np.full(len(found), value) for name, value in (("point", point), ("rows", len(records)))}
        | {"chosen": targets.chosen, "people": targets.people}
    )


def movements(
    records: Records,
    query: Query,
    sample: int,
    sigma: float,
    targets: Targets,
    datasets: int,
    seed: int,
    point: int = 0,
    asked: Asked = ASKED,
) -> Columns:
    """How far belief in the presence of several targets moves: the part of `exposures` that depends on the probability asked.

    Takes the arguments of `exposures` without epsilon, and returns those of its columns.
    """
    of_all = everybody(records, query, sample, sigma, asked, seed)
    found = [
        _movement(
            records, query, sample, sigma, target, neighbour_sets(seed, records, sample, target, datasets), of_all
        )
        for target in targets.places.tolist()
    ]
    columns = zip(*found, strict=True) if found else ((),) * len(Movement._fields)
    same = {"point": point, "probability": asked.probability, **of_all.columns()}
    return (
        {name: np.asarray(column) for name, column in zip(Movement._fields, columns, strict=True)}
        | {name: np.full(len(found), value) for name, value in same.items()}
        | {"person": records.row_numbers(targets.places)}
    )


def assess(
    records: Records,
    query: Query,
    sample: int,
    sigma: float,
    epsilon: float,
    target: int,
    sets: NeighbourSets,
    of_all: Everybody | None = None,
) -> Exposure:
    """Exposure of one person.

    Parameters
    ----------
    records : Records
    query : Query
    sample : int
        Size m of the dataset, 1 <= m < n, n the people of the population.
    sigma : float
        Standard deviation of the noise in every entry of the answer, in its units, in (0, inf).
    epsilon : float
        Of the bounds (24) on the ratio, in [0, inf).
    target : int
        Place in the table, counted from 0.
    sets : NeighbourSets
        Those of the target that are looked at.
    of_all : Everybody, optional
        What is asked of the ratio, and what was found for the person with the largest limit. By default `ASKED`, and
        everything is computed.

    Returns
    -------
    Exposure
    """
    sigma = checks.number("sigma", sigma, "(0, inf)", "without noise nothing is promised")
    of_all = of_all or Everybody(ASKED, 0, None, None, None, -np.inf, -np.inf)
    mass, failure = _probabilities(records, query, sigma, epsilon, target, sets)
    supremum = supremum_of(records, query, sigma, epsilon, sample, target)
    if sets.probabilities is not None and supremum.kind != "exact":
        supremum = Supremum(Estimate(mass.value.max(), mass.error.max()), "exact")
    nearest, farthest, centre = _distances(records, target)
    mass_mean, mass_error = _mean(mass.value, sets.probabilities)
    failure_mean, failure_error = _mean(failure.value, sets.probabilities)
    movement = _movement(records, query, sample, sigma, target, sets, of_all)
    exceeding, exceeding_limit = _exceeding(records, query, sample, sigma, target, sets, of_all)
    return Exposure(
        person=records.row(target),
        nearest=nearest,
        farthest=farthest,
        centre=centre,
        prior=smallest_prior(records, sample, target),
        probability=of_all.asked.probability,
        ratio=of_all.asked.ratio,
        **movement._asdict(),
        exceeding_found=exceeding,
        exceeding_limit=exceeding_limit,
        union_mass_mean=mass_mean,
        union_mass_se=mass_error,
        union_mass_largest=float(mass.value.max()),
        union_mass_supremum=float(supremum.mass.value),
        supremum=supremum.kind,
        failure_probability_mean=failure_mean,
        failure_probability_se=failure_error,
        failure_probability_largest=float(failure.value.max()),
        error=float(np.nanmax([mass.error.max(), failure.error.max(), supremum.mass.error])),
        datasets=0 if sets.probabilities is not None else sets.number,
    )


def _movement(
    records: Records, query: Query, sample: int, sigma: float, target: int, sets: NeighbourSets, of_all: Everybody
) -> Movement:
    """How far belief in a target's presence moves, what is found only where it may be above that of `Everybody`."""
    probability = of_all.asked.probability
    if isinstance(query, LinearQuery):
        limited = ratios.limited(Limits(records, query, sample), sigma, target, probability)
        limit = limited.rise_limit
        if records.population is not None:
            limit = ratios.largest_limits(records, query, sample, sigma, target, sets, of_all.asked)[0]
        if not limit >= of_all.least_rise * (1 - _ROUNDING):
            return limited
    return ratios.movement(records, query, sample, sigma, target, sets, probability)


def _exceeding(
    records: Records, query: Query, sample: int, sigma: float, target: int, sets: NeighbourSets, of_all: Everybody
) -> tuple[float, float]:
    """Probability of the stated ratio, found only where it may be above that of `Everybody`, and its limit."""
    ratio, limit = of_all.asked.ratio, np.nan
    if isinstance(query, LinearQuery):
        limit = Limits(records, query, sample).exceeding(target, sigma, ratio)
        known = limit
        if records.population is not None:
            known = ratios.largest_limits(records, query, sample, sigma, target, sets, of_all.asked)[1]
        if not known >= of_all.least_exceeding * (1 - _ROUNDING):
            return np.nan, limit
    return ratios.exceeding(records, query, sample, sigma, target, sets, ratio), limit


def _probabilities(
    records: Records, query: Query, sigma: float, epsilon: float, target: int, sets: NeighbourSets
) -> tuple[Estimate[FloatArray], Estimate[FloatArray]]:
    """Union mass and failure probability for each of the sets, block by block."""
    mass, failure = [], []
    for block in sets.blocks():
        mass.append(regions.union_mass(sampled_gaps(records, query, sigma, target, block.places), epsilon))
        failure.append(failure_probabilities(records, query, sigma, epsilon, target, block))
    return _joined(mass), _joined(failure)


def _joined(parts: list[Estimate[FloatArray]]) -> Estimate[FloatArray]:
    values, errors = zip(*parts, strict=True)
    return Estimate(np.concatenate(values), np.concatenate(errors))


def _mean(values: FloatArray, probabilities: FloatArray | None) -> tuple[float, float]:
    """Mean over datasets and its standard error, which is 0 over all of them."""
    return statistics.mean(values) if probabilities is None else (float(probabilities @ values), 0.0)


def failure_probabilities(
    records: Records,
    query: Query,
    sigma: float,
    epsilon: float,
    target: int,
    sets: Sets,
    bounds: inclusion.Bounds = "prior",
    many: int = _MANY,
) -> Estimate[FloatArray]:
    """Failure probability of a target for some sets of neighbours.

    Parameters
    ----------
    records, query, sigma, epsilon, target
        As in `assess`.
    sets : Sets
        k sets.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24), or the wider (26), which fail less often the likelier the target is in the dataset.
    many : int, optional
        Number of neighbours from which on equal ones are put together, which changes the result by rounding only.

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    gaps = sampled_gaps(records, query, sigma, target, sets.places)
    shares, priors = beliefs(records, target, sets)
    if gaps.shape[1] < many and (bounds == "prior" or records.weights is None):
        # One prior for all datasets: it is the same without weights, and does not matter for the bounds (24).
        return inclusion.failure_probability(gaps, epsilon, shares, priors[0], bounds)
    shares = np.full(gaps.shape[:2], 1 / gaps.shape[1]) if shares is None else shares
    values, errors = [], []
    for own, weights, prior in zip(gaps, shares, priors, strict=True):
        distinct, together = merged(own, weights)
        estimate = inclusion.failure_probability(distinct, epsilon, together, prior, bounds)
        values.append(estimate.value)
        errors.append(estimate.error)
    return Estimate(np.array(values), np.array(errors))


def _distances(records: Records, target: int) -> tuple[float, float, float]:
    """Of a target to the nearest, the farthest and the mean of the others, in units of the diagonal of the ranges."""
    diagonal = math.hypot(*(column.high - column.low for column in records.columns))
    others = np.delete(records.values, target, axis=0)
    distances = np.linalg.norm(records.values[target] - others, axis=1)
    centre = np.linalg.norm(records.values[target] - others.mean(axis=0))
    return float(distances.min()) / diagonal, float(distances.max()) / diagonal, float(centre) / diagonal
