"""What the exposures of people come to: one row of a summary for each setting of epsilon, delta and noise."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from disclosure.beliefs import inclusion
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics.types import Columns, FloatArray, IntArray
from disclosure.people.targets import SAMPLED

__all__ = ["DECIMALS", "PROBABILISTIC", "Setting", "Summary", "by_exposure", "columns", "summarise"]

# The guarantee that epsilon and delta are about, unless told otherwise.
PROBABILISTIC = "probabilistic"
DECIMALS = 9
"""Of a ratio, up to which people count as equal: beyond them is rounding."""


class Setting(NamedTuple):
    """A point of a sweep over a table of people, and its noise.

    Attributes
    ----------
    point : int
        Number of the point, counted from 0.
    population, sample : int
        n and m; the population may be inf.
    epsilon, delta : float
        Of the guarantee.
    sigma : float
        Standard deviation of the noise, in the units of the answer.
    """

    point: int
    population: float
    sample: int
    epsilon: float
    delta: float
    sigma: float


class Summary(NamedTuple):
    """The exposures of all people who were looked at, at one setting.

    Attributes
    ----------
    point, population, sample, epsilon, delta, sigma
        As of `Setting`.
    guarantee : str
        What epsilon and delta are about.
    relation : str
        Which datasets are neighbours.
    targets : int
        How many people were looked at: those who are like a target are.
    datasets : int
        How many sets of neighbours were drawn, of the target of which most were; 0 where all were listed of all targets.
    prior : float
        The smallest prior probability of inclusion of a target.
    probability, ratio : float
        What was asked of the ratio (`disclosure.people.asked.Asked`).
    rise_found, fall_found : float
        Except with the probability belief in the presence of a person who was looked at does not rise by more, and not fall
        below, in the worst datasets: the largest and the smallest that were found.
    rise_limit, fall_limit : float
        The same for everybody in the table and every dataset.
    posterior_limit : float
        Except with the probability belief in the most exposed person's presence does not rise above it.
    exceeding_found, exceeding_limit : float
        Probability that the ratio exceeds the stated one: the largest that was found, and a limit for everybody and every
        dataset.
    person_of_all : int
        Row of the person of everybody in the table with the largest limit; 0 for a query that is not linear.
    most_exposed : int
        Row of the person who is the first by `by_exposure`.
    nearest, farthest, centre : float
        Distances of that person, as of `disclosure.people.exposure.Exposure`.
    ratio_lower, ratio_upper : float
        The bounds (24) at that prior.
    prior_free_lower, prior_free_upper : float
        The bounds (26).
    union_mass_mean, union_mass_se, union_mass_largest : float
        Union mass over people and datasets: mean, its standard error, largest.
    union_mass_supremum : float
        The largest over all people who were looked at and all datasets, or a bound on it.
    supremum : str
        Which of the two: `disclosure.people.supremum.Supremum.kind`.
    failure_probability_mean, failure_probability_se, failure_probability_largest : float
        Failure probability over people and datasets.
    error : float
        Largest estimate of the numerical error of these probabilities.
    """

    point: int
    population: float
    sample: int
    epsilon: float
    delta: float
    sigma: float
    guarantee: str
    relation: str
    targets: int
    datasets: int
    prior: float
    probability: float
    rise_found: float
    rise_limit: float
    fall_found: float
    fall_limit: float
    posterior_limit: float
    ratio: float
    exceeding_found: float
    exceeding_limit: float
    person_of_all: int
    most_exposed: int
    nearest: float
    farthest: float
    centre: float
    ratio_lower: float
    ratio_upper: float
    prior_free_lower: float
    prior_free_upper: float
    union_mass_mean: float
    union_mass_se: float
    union_mass_largest: float
    union_mass_supremum: float
    supremum: str
    failure_probability_mean: float
    failure_probability_se: float
    failure_probability_largest: float
    error: float


def by_exposure(people: Columns) -> IntArray:
    """Order of exposed people from the most exposed: by how far belief rises, found or else limited.

    No epsilon is part of it: failure probabilities of bounds that widen with epsilon fall where the risk rises. They decide
    among people who are equal, up to rounding, at their worst datasets; and then the row of the table.
    """
    found, limit = (
        np.round(np.where(np.isnan(people[name]), 0.0, people[name]), DECIMALS) for name in ("rise_found", "rise_limit")
    )
    # A release with no epsilon of its own has no bounds that fail.
    failing = [-people["failure_probability_mean"]] if "failure_probability_mean" in people else []
    return np.lexsort((people["person"], *failing, -limit, -found))


def summarise(setting: Setting, people: Columns, guarantee: str = PROBABILISTIC) -> Summary:
    """Summary of one setting over the people who were looked at.

    Parameters
    ----------
    setting : Setting
    people : dict of str to ndarray
        The columns of `disclosure.people.exposure.exposures`, a row for each target.
    guarantee : str, optional
        What epsilon and delta are about.

    Returns
    -------
    Summary
    """
    prior = float(people["prior"].min())
    bounds, prior_free = inclusion.ratio_bounds(prior, setting.epsilon), inclusion.prior_free_bounds(setting.epsilon)
    largest, exposed = int(people["union_mass_supremum"].argmax()), int(by_exposure(people)[0])
    first = {name: people[name][0] for name in ("probability", "ratio", "person_of_all")}
    of_all = {name: float(people[f"{name}_limit_of_all"][0]) for name in ("rise", "fall", "exceeding")}
    in_table = int(people["rows"][0])
    mass_mean, mass_error = _over_people("union_mass", people, in_table)
    failure_mean, failure_error = _over_people("failure_probability", people, in_table)
    return Summary(
        *setting,
        guarantee=guarantee,
        relation=REPLACE_ONE,
        targets=int(people["people"].sum()),
        datasets=int(people["datasets"].max()),
        prior=prior,
        probability=float(first["probability"]),
        rise_found=_largest(people["rise_found"]),
        fall_found=-_largest(-people["fall_found"]),
        posterior_limit=float(people["posterior_limit"][exposed]),
        ratio=float(first["ratio"]),
        exceeding_found=_largest(people["exceeding_found"]),
        rise_limit=of_all["rise"],
        fall_limit=of_all["fall"],
        exceeding_limit=of_all["exceeding"],
        person_of_all=int(first["person_of_all"]),
        most_exposed=int(people["person"][exposed]),
        nearest=float(people["nearest"][exposed]),
        farthest=float(people["farthest"][exposed]),
        centre=float(people["centre"][exposed]),
        ratio_lower=float(bounds.lower),
        ratio_upper=float(bounds.upper),
        prior_free_lower=float(prior_free.lower),
        prior_free_upper=float(prior_free.upper),
        union_mass_mean=mass_mean,
        union_mass_se=mass_error,
        union_mass_largest=float(people["union_mass_largest"].max()),
        union_mass_supremum=float(people["union_mass_supremum"][largest]),
        supremum=str(people["supremum"][largest]),
        failure_probability_mean=failure_mean,
        failure_probability_se=failure_error,
        failure_probability_largest=float(people["failure_probability_largest"].max()),
        error=float(people["error"].max()),
    )


def columns(rows: Sequence[Summary]) -> dict[str, list[Any]]:
    """Summaries as the columns of a table."""
    return {name: [getattr(row, name) for row in rows] for name in Summary._fields}


def _largest(values: FloatArray) -> float:
    """The largest of those that are known; NaN if none is."""
    known = values[~np.isnan(values)]
    return float(known.max()) if known.size else np.nan


def _over_people(name: str, people: Columns, population: int) -> tuple[float, float]:
    """Mean over people and datasets, and its standard error.

    Every case counts as often as it has people. With everybody looked at the standard error is that of the datasets. Else
    the cases that were sampled stand for all who were not looked at. Exposure differs by orders of magnitude between people, so
    that the mean may be carried by somebody who was not looked at. The others tell nothing of such a person, and there is no
    standard error.
    """
    counts, means = people["people"], people[f"{name}_mean"]
    looked = counts.sum()
    if looked == population:
        mean = (counts * means).sum() / population
        error = np.sqrt(((counts * people[f"{name}_se"]) ** 2).sum()) / population
    else:
        sampled = people["chosen"] == SAMPLED
        others = population - counts[~sampled].sum()
        mean = (counts * means)[~sampled].sum() + others * np.average(means[sampled], weights=counts[sampled])
        mean, error = mean / population, np.nan
    return float(mean), float(error)
