"""How much a release exposes each person of a table.

A dataset is a sample of m of the n people. The adversary knows all of its members but one, the target. The candidates are the
target and the n - m people outside, so each set of n - m of the other people is a possible set of neighbours. Everybody is a
target in turn, people who are alike once. Of each target the union mass T and the failure probability rho are computed over
all sets, if few are different, or over sampled ones. The largest T over all sets needs no sampling (`supremum`).
"""

import math
from typing import NamedTuple

import numpy as np

from disclosure.beliefs import inclusion, regions
from disclosure.numerics import checks
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import Columns, FloatArray, IntArray
from disclosure.people.neighbour_sets import NeighbourSets, neighbour_sets
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records, runs
from disclosure.people.supremum import Supremum, gaps_of_differences, supremum_of
from disclosure.people.targets import Targets
from disclosure.study import statistics

__all__ = ["Exposure", "assess", "exposures", "failure_probabilities", "least_prior", "smallest_prior"]

# Neighbours from which on equal ones are put together; a large table of rounded values has many of them.
_MANY = 5_000


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

    Returns
    -------
    dict of str to ndarray, shape (t,)
        The attributes of `Exposure`, ``point``, and why each target was chosen and how many people are like it.
    """
    found = [
        assess(records, query, sample, sigma, epsilon, target, neighbour_sets(seed, records, sample, target, datasets))
        for target in targets.places.tolist()
    ]
    columns = zip(*found, strict=True) if found else ((),) * len(Exposure._fields)
    table = {name: np.asarray(column) for name, column in zip(Exposure._fields, columns, strict=True)}
    return table | {"point": np.full(len(found), point), "chosen": targets.chosen, "people": targets.people}


def assess(
    records: Records,
    query: Query,
    sample: int,
    sigma: float,
    epsilon: float,
    target: int,
    sets: NeighbourSets,
) -> Exposure:
    """Exposure of one person.

    Parameters
    ----------
    records : Records
    query : Query
    sample : int
        Size m of the dataset, 1 <= m < n.
    sigma : float
        Standard deviation of the noise in every entry of the answer, in its units, in (0, inf).
    epsilon : float
        Of the bounds (24) on the ratio, in [0, inf).
    target : int
        Place in the table, counted from 0.
    sets : NeighbourSets
        Those of the target that are looked at.

    Returns
    -------
    Exposure
    """
    sigma = checks.number("sigma", sigma, "(0, inf)", "without noise nothing is promised")
    mass, failure = _probabilities(records, query, sigma, epsilon, target, sets)
    supremum = supremum_of(records, query, sigma, epsilon, sample, target)
    if sets.probabilities is not None and supremum.kind != "exact":
        supremum = Supremum(Estimate(mass.value.max(), mass.error.max()), "exact")
    nearest, farthest, centre = _distances(records, target)
    mass_mean, mass_error = _mean(mass.value, sets.probabilities)
    failure_mean, failure_error = _mean(failure.value, sets.probabilities)
    return Exposure(
        person=records.row(target),
        nearest=nearest,
        farthest=farthest,
        centre=centre,
        prior=smallest_prior(records, sample, target),
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


def _probabilities(
    records: Records, query: Query, sigma: float, epsilon: float, target: int, sets: NeighbourSets
) -> tuple[Estimate[FloatArray], Estimate[FloatArray]]:
    """Union mass and failure probability for each of the sets, block by block."""
    mass, failure = [], []
    for block in sets.blocks():
        mass.append(regions.union_mass(_sampled_gaps(records, query, sigma, target, block), epsilon))
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
    sets: IntArray,
    bounds: inclusion.Bounds = "prior",
    many: int = _MANY,
) -> Estimate[FloatArray]:
    """Failure probability of a target for some sets of neighbours.

    Parameters
    ----------
    records, query, sigma, epsilon, target
        As in `assess`.
    sets : ndarray of int, shape (k, n - m)
        Places in the table.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24), or the wider (26), which fail less often the likelier the target is in the dataset.
    many : int, optional
        Number of neighbours from which on equal ones are put together, which changes the result by rounding only.

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    gaps = _sampled_gaps(records, query, sigma, target, sets)
    shares, priors = _beliefs(records, target, sets)
    if sets.shape[1] < many and (bounds == "prior" or records.weights is None):
        # One prior for all datasets: it is the same without weights, and does not matter for the bounds (24).
        return inclusion.failure_probability(gaps, epsilon, shares, priors[0], bounds)
    shares = np.full(sets.shape, 1 / sets.shape[1]) if shares is None else shares
    values, errors = [], []
    for own, weights, prior in zip(gaps, shares, priors, strict=True):
        distinct, together = _merged(own, weights)
        estimate = inclusion.failure_probability(distinct, epsilon, together, prior, bounds)
        values.append(estimate.value)
        errors.append(estimate.error)
    return Estimate(np.array(values), np.array(errors))


def _beliefs(records: Records, target: int, sets: IntArray) -> tuple[FloatArray | None, FloatArray]:
    """By dataset: shares of the neighbours in what is believed of all of them, None if equal, and the prior of the target."""
    if records.weights is None:
        return None, np.full(len(sets), 1 / (sets.shape[1] + 1))
    others, own = records.weights[sets], records.weights[target]
    return others / others.sum(axis=1, keepdims=True), own / (own + others.sum(axis=1))


def _merged(gaps: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distinct gaps, each with the shares of all neighbours that have it."""
    order, first = runs(gaps)
    together = np.bincount(np.cumsum(first) - 1, shares[order])
    return gaps[order][first], np.asarray(together, dtype=np.float64)


def _sampled_gaps(records: Records, query: Query, sigma: float, target: int, sets: IntArray) -> FloatArray:
    """Standardised gaps of a target for some sets of neighbours, shape (k, p, q)."""
    values, known = records.values, None
    if not isinstance(query, LinearQuery):
        member = np.ones((len(sets), len(values)), dtype=bool)
        member[:, target] = False
        np.put_along_axis(member, sets, False, axis=1)
        known = np.array([values[row] for row in member])
    differences = query.differences(values[target], values[sets], known)
    return gaps_of_differences(differences, sigma)


def least_prior(records: Records, sample: int) -> float:
    """The smallest `smallest_prior` of everybody: that of the person of the smallest weight."""
    return smallest_prior(records, sample, 0 if records.weights is None else int(np.argmin(records.weights)))


def smallest_prior(records: Records, sample: int, target: int) -> float:
    """A target's smallest prior probability over all sets of neighbours; 1 / (n - m + 1) for equally likely candidates.

    The bounds (24) are widest there.
    """
    neighbours = len(records) - sample
    if records.weights is None:
        return 1 / (neighbours + 1)
    others = np.delete(records.weights, target)
    heaviest = np.partition(others, len(others) - neighbours)[len(others) - neighbours :]
    own = records.weights[target]
    return float(own / (own + heaviest.sum()))


def _distances(records: Records, target: int) -> tuple[float, float, float]:
    """Of a target to the nearest, the farthest and the mean of the others, in units of the diagonal of the ranges."""
    diagonal = math.hypot(*(column.high - column.low for column in records.columns))
    others = np.delete(records.values, target, axis=0)
    distances = np.linalg.norm(records.values[target] - others, axis=1)
    centre = np.linalg.norm(records.values[target] - others.mean(axis=0))
    return float(distances.min()) / diagonal, float(distances.max()) / diagonal, float(centre) / diagonal
