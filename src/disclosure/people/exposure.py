"""Who in a table of real people is exposed by a release, and how much.

A dataset is a sample of m of the n people. The adversary knows all of its members but one, the target. The candidates are
the target and the n - m people outside, so each of the C(n - 1, m - 1) sets of n - m of the other people is a possible set of
neighbours. Everybody is a target in turn, people who are alike once. Of each the union mass T and the failure probability
rho are computed over all sets, if few are different, or over sampled ones, and the largest T over all sets, which needs no
sampling:

- T never falls when a neighbour is added, so the union over all n - 1 others bounds T of every set.
- The good region of the noise is a polytope, whose faces belong to a few of the others. A set that has these few attains the
  bound, and it is the exact supremum if they are not more than n - m. In one dimension they are at most two.
"""

import math
from typing import NamedTuple

import numpy as np

from disclosure.beliefs import inclusion, regions
from disclosure.numerics import checks
from disclosure.numerics.estimate import Estimate
from disclosure.people import populations
from disclosure.study import statistics

__all__ = [
    "Exposure",
    "Supremum",
    "assess",
    "determining_neighbours",
    "failure_probabilities",
    "largest_union_mass",
    "least_prior",
    "smallest_prior",
    "supremum_of",
]

# From so many neighbours on equal ones are put together, of whom a large table of rounded values has many.
_MANY = 5_000
# A hull's size grows with the power of half its dimension.
_LARGEST_RANK = 4


class Supremum(NamedTuple):
    """Largest union mass over all sets of neighbours.

    Attributes
    ----------
    mass : Estimate
    kind : {"exact", "bound", "none"}
        Whether some set attains it, or it only is not exceeded, or nothing is known without sampling.
    """

    mass: Estimate
    kind: str


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


def assess(population, query, sample, sigma, epsilon, target, datasets, seed):
    """Exposure of one person.

    Parameters
    ----------
    population : disclosure.people.populations.Population
    query : disclosure.people.queries.Query
    sample : int
        Size m of the dataset, 1 <= m < n.
    sigma : float
        Standard deviation of the noise in every entry of the answer, in its units, in (0, inf).
    epsilon : float
        Of the bounds (24) on the ratio, in [0, inf).
    target : int
        Place in the table, counted from 0.
    datasets : int
        Sets of neighbours that are drawn, at least 1, unless so few are different that all are listed
        (`populations.neighbour_sets`).
    seed : int

    Returns
    -------
    Exposure
    """
    sets = populations.neighbour_sets(seed, population, sample, target, datasets)
    sigma = checks.number("sigma", sigma, "(0, inf)", "without noise nothing is promised")
    mass, failure = [], []
    for block in sets.blocks():
        mass.append(regions.union_mass(_sampled_gaps(population, query, sigma, target, block), epsilon))
        failure.append(failure_probabilities(population, query, sigma, epsilon, target, block))
    mass, failure = (Estimate(*map(np.concatenate, zip(*parts, strict=True))) for parts in (mass, failure))
    supremum = supremum_of(population, query, sigma, epsilon, sample, target)
    if sets.probabilities is not None and supremum.kind != "exact":
        supremum = Supremum(Estimate(mass.value.max(), mass.error.max()), "exact")
    return Exposure(
        target + 1,
        *_distances(population, target),
        smallest_prior(population, sample, target),
        *(*_mean(mass.value, sets.probabilities), float(mass.value.max())),
        *(float(supremum.mass.value), supremum.kind),
        *(*_mean(failure.value, sets.probabilities), float(failure.value.max())),
        float(np.nanmax([mass.error.max(), failure.error.max(), supremum.mass.error])),
        0 if sets.probabilities is not None else sets.number,
    )


def _mean(values, probabilities):
    """Mean over datasets and its standard error, which is 0 over all of them."""
    return statistics.mean(values) if probabilities is None else (float(probabilities @ values), 0.0)


def failure_probabilities(population, query, sigma, epsilon, target, sets, bounds="prior"):
    """Failure probability of a target for some sets of neighbours.

    Parameters
    ----------
    population, query, sigma, epsilon, target
        As in `assess`.
    sets : ndarray of int, shape (k, n - m)
        Places in the table.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24), or the wider (26), which fail less often the likelier the target is in the dataset.

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    gaps = _sampled_gaps(population, query, sigma, target, sets)
    shares, priors = _beliefs(population, target, sets)
    if sets.shape[1] < _MANY and (bounds == "prior" or population.weights is None):
        return inclusion.failure_probability(gaps, epsilon, shares, priors[0], bounds)
    shares = np.full(sets.shape, 1 / sets.shape[1]) if shares is None else shares
    cases = zip(gaps, shares, priors, strict=True)
    found = [inclusion.failure_probability(*_case(case, epsilon), bounds) for case in cases]
    return Estimate(*map(np.array, zip(*found, strict=True)))


def _case(case, epsilon):
    """Arguments of `ratio.failure_probability` for one dataset, equal neighbours put together."""
    gaps, shares, prior = case
    distinct, together = _merged(gaps, shares)
    return distinct, epsilon, together, prior


def _beliefs(population, target, sets):
    """Shares of the neighbours in what is believed of all of them, None if equal, and the prior of the target, by dataset."""
    if population.weights is None:
        return None, np.full(len(sets), 1 / (sets.shape[1] + 1))
    others, own = population.weights[sets], population.weights[target]
    return others / others.sum(axis=1, keepdims=True), own / (own + others.sum(axis=1))


def _merged(gaps, shares):
    """Distinct gaps, each with the shares of all neighbours that have it."""
    order = np.lexsort(gaps.T)
    ordered = gaps[order]
    first = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    return ordered[first], np.bincount(np.cumsum(first) - 1, shares[order])


def _sampled_gaps(population, query, sigma, target, sets):
    """Standardised gaps of a target for some sets of neighbours, shape (k, p, q)."""
    records, known = population.values, None
    if query.factor is None:
        member = np.ones((len(sets), len(records)), dtype=bool)
        member[:, target] = False
        np.put_along_axis(member, sets, False, axis=1)
        known = np.array([records[row] for row in member])
    return _gaps(query.differences(records[target], records[sets], known), sigma)


def supremum_of(population, query, sigma, epsilon, sample, target):
    """`largest_union_mass` of a target; of kind "none" for a query that is not linear."""
    if query.factor is None:
        return Supremum(Estimate(np.nan, np.nan), "none")
    others = np.delete(population.values, target, axis=0)
    gaps = _gaps(query.differences(population.values[target], others), sigma)
    return largest_union_mass(gaps, epsilon, len(population.values) - sample)


def largest_union_mass(gaps, epsilon, neighbours):
    """Largest union mass over all sets of so many neighbours.

    Parameters
    ----------
    gaps : array_like, shape (k, q)
        Finite standardised gaps to all k people who may be neighbours.
    epsilon : float
        In (0, inf).
    neighbours : int
        p, from 1 to k.

    Returns
    -------
    Supremum
        Of kind "bound", the mass of the union over all k, where more than p of them have a part in it, where that was not
        looked into (a rank above 4), and where the good region does not contain the origin, so that the mass is above 1/2.

    Examples
    --------
    >>> largest_union_mass([[0.5], [0.1], [-0.25], [0.2]], 1.0, 2)
    Supremum(mass=Estimate(value=0.0522836..., error=...), kind='exact')
    """
    gaps = checks.within("gaps", gaps, "(-inf, inf)")
    if neighbours == 1:
        # The mass of one bad region grows with the distance.
        farthest = np.linalg.norm(gaps, axis=1).argmax()
        return Supremum(_mass(gaps[[farthest]], epsilon), "exact")
    reduced = _reduced(gaps)
    if reduced.shape[1] <= 1:
        return Supremum(_mass(gaps, epsilon), "exact")
    needed = determining_neighbours(reduced, epsilon)
    if needed is None:
        return Supremum(_mass(gaps, epsilon), "bound" if len(gaps) > neighbours else "exact")
    return Supremum(_mass(gaps[needed], epsilon), "exact" if len(needed) <= neighbours else "bound")


def determining_neighbours(gaps, epsilon):
    """Places of the neighbours whose bad regions have a part in the boundary of the union of all.

    The good region is the polytope of all z with <z, y> <= 1 for the points y = c / (epsilon - |c|^2 / 2) and
    y = -c / (epsilon + |c|^2 / 2) of every gap c. With the origin inside, its faces belong to the vertices of the convex hull
    of these points.

    Parameters
    ----------
    gaps : ndarray, shape (k, q)
        Finite, spanning all q >= 2 dimensions.
    epsilon : float

    Returns
    -------
    ndarray of int, or None
        None where this was not found out: if some |c|^2 >= 2 epsilon, which leaves the origin outside, and if q > 4.
    """
    from scipy.spatial import ConvexHull  # slow to import, and one dimension needs none

    squares = (gaps**2).sum(axis=1)
    if squares.max() >= 2 * epsilon * (1 - 1e-9) or gaps.shape[1] > _LARGEST_RANK:
        return None
    polar = [gaps / (epsilon - squares / 2)[:, None], -gaps / (epsilon + squares / 2)[:, None]]
    return np.unique(ConvexHull(np.concatenate(polar)).vertices % len(gaps))


def _reduced(gaps):
    """The gaps in coordinates of the space that they span."""
    _, spread, axes = np.linalg.svd(gaps, full_matrices=False)
    return gaps @ axes[spread > 1e-12 * spread[0]].T


def least_prior(population, sample):
    """The smallest `smallest_prior` of everybody: that of the person of the smallest weight."""
    return smallest_prior(population, sample, 0 if population.weights is None else int(np.argmin(population.weights)))


def smallest_prior(population, sample, target):
    """A target's smallest prior probability over all sets of neighbours; 1 / (n - m + 1) for equally likely candidates.

    The bounds (24) are widest there.
    """
    neighbours = len(population.values) - sample
    if population.weights is None:
        return 1 / (neighbours + 1)
    others = np.delete(population.weights, target)
    heaviest = np.partition(others, len(others) - neighbours)[len(others) - neighbours :]
    own = population.weights[target]
    return float(own / (own + heaviest.sum()))


def _gaps(differences, sigma):
    return regions.standardised_gaps(np.zeros(differences.shape[-1]), -differences, sigma)


def _mass(gaps, epsilon):
    mass = regions.union_mass(gaps, epsilon)
    return Estimate(float(mass.value), float(mass.error))


def _distances(population, target):
    """Of a target to the nearest, the farthest and the mean of the others, in units of the diagonal of the ranges."""
    diagonal = math.hypot(*(column.high - column.low for column in population.columns))
    records = np.delete(population.values, target, axis=0)
    distances = np.linalg.norm(population.values[target] - records, axis=1)
    centre = np.linalg.norm(population.values[target] - records.mean(axis=0))
    return tuple(float(value) / diagonal for value in (distances.min(), distances.max(), centre))
