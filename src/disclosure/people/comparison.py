"""How far belief rises against the error of a statistic, for datasets of several sizes.

Noise makes a statistic less accurate and its release less revealing, and so does a smaller dataset. The error that comes with
the dataset being a sample is the measure of what noise costs: less noise than that hardly makes the statistic better.

Belief rises by a factor of 1 over the prior at most, and a larger dataset has a larger prior. So factors of several sizes say
little beside each other, and belief itself after the release stands beside them.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks, errors
from disclosure.numerics.types import Columns, FloatArray
from disclosure.people import ratios
from disclosure.people.limits import Limits
from disclosure.people.neighbour_sets import neighbour_sets
from disclosure.people.priors import smallest_prior
from disclosure.people.queries import LinearQuery, linear
from disclosure.people.records import Records, check_sample

__all__ = ["Rise", "Statistic", "compare"]

# Noise over sampling error, and which of these is 1. Where there is no sampling error they are shares of the value.
_NOISE = np.append(np.geomspace(0.1, 1.0, 9), np.geomspace(1.0, 30.0, 25)[1:])
_EQUAL = 8
_WITHOUT_SAMPLING = 0.01


class Rise(NamedTuple):
    """How far belief rises with one size of the dataset and one noise, except with one probability.

    Attributes
    ----------
    sample : int
        Size m of the dataset.
    sigma : float
        The noise.
    relative_error, relative_sampling_error : float
        The noise, and the standard error of a statistic of a random sample without noise, as shares of the statistic's value.
    probability : float
    person_of_all : int
        Row of the person with the largest limit.
    prior : float
        That person's smallest prior; without weights everybody's. It is 0 in an infinite population.
    rise_limit : float
        What belief in nobody's presence rises beyond, in any dataset.
    rise_found : float
        What some dataset comes to for that person. It is computed where the noise is as large as the sampling error, and NaN
        elsewhere, or where it takes too long.
    posterior_limit : float
        What belief itself, in that person's presence, does not rise above in any dataset; without weights in nobody's.
    """

    sample: int
    sigma: float
    relative_error: float
    relative_sampling_error: float
    probability: float
    person_of_all: int
    prior: float
    rise_limit: float
    rise_found: float
    posterior_limit: float


class Statistic:
    """A statistic of datasets of one size, and its errors as shares of its value.

    Parameters
    ----------
    records : Records
    name : str
        Of the query: mean, sum or count.
    sample : int
        Size m of the dataset.

    Attributes
    ----------
    query : LinearQuery
    column : str
        Of several columns the one in which the same noise is the largest share of the value: what follows is about this one.
    value : float
        Absolute value of the statistic of all people, scaled to the dataset.
    sampling_error : float
        Standard error of the statistic of a random sample over `value`, without noise.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For the identity, which is no statistic, and where a mean is 0, of which no error is a share.
    """

    def __init__(self, records: Records, name: str, sample: int) -> None:
        check_sample(records.size, sample)
        if name == "identity":
            raise errors.DomainError("query = identity releases records and no statistic; take mean, sum or count")
        self.query: LinearQuery = linear(name, records.columns, sample)
        means = np.abs(records.values.mean(axis=0))
        place = int(means.argmin())
        self.column = records.columns[place].name
        if means[place] == 0:
            raise errors.DomainError(f"the mean of {self.column} is 0, so that no error is a share of it; leave it out")
        spread = float(records.values[:, place].std(ddof=1)) if len(records) > 1 else 0.0
        self.value = float(means[place]) * sample * self.query.factor
        self.sampling_error = spread / math.sqrt(sample) * math.sqrt(1 - sample / records.size) / float(means[place])

    def relative_errors(self) -> FloatArray:
        """Errors by noise, as shares of the value, from far below the sampling error to far above."""
        return _NOISE * (self.sampling_error or _WITHOUT_SAMPLING)


def compare(
    records: Records, name: str, samples: Sequence[int], probabilities: Sequence[float], seed: int = 0
) -> Columns:
    """Factors that belief in nobody's presence rises beyond, against the error of a statistic.

    Parameters
    ----------
    records : Records
    name : str
        Of the query: mean, sum or count.
    samples : sequence of int
        Sizes m of the dataset.
    probabilities : sequence of float
        Except with each of which belief does not rise further, in (0, 1/2].
    seed : int, optional
        Of datasets that are drawn, where the records are a sample of the population.

    Returns
    -------
    dict of str to ndarray
        The fields of `Rise`, for each size, error and probability.
    """
    for what, values in (("samples", samples), ("probability", probabilities)):
        if len(set(values)) < len(values) or not values:
            raise errors.DomainError(f"{what} = {', '.join(map(str, values))}; state at least one, and every one once")
    hint = "a factor that is mostly exceeded limits nothing"
    asked = [checks.number("probability", value, "(0, 0.5]", hint) for value in probabilities]
    rows = [row for sample in samples for row in _rows(records, Statistic(records, name, sample), sample, asked, seed)]
    return {name: np.array(column) for name, column in zip(Rise._fields, zip(*rows, strict=True), strict=True)}


def _rows(
    records: Records, statistic: Statistic, sample: int, probabilities: Sequence[float], seed: int
) -> Iterator[Rise]:
    limits = Limits(records, statistic.query, sample)
    for number, error in enumerate(statistic.relative_errors().tolist()):
        sigma = error * statistic.value
        for probability in probabilities:
            limit, found = limits.rise_of_all(sigma, probability), math.nan
            if number == _EQUAL:
                sets = neighbour_sets(seed, records, sample, limit.place, 1)
                moved = ratios.movement(records, statistic.query, sample, sigma, limit.place, sets, probability)
                found = moved.rise_found
            prior = smallest_prior(records, sample, limit.place)
            # The limit for everybody may be above that person's own.
            belief = min(1.0, max(prior * limit.value, limits.posterior(limit.place, sigma, probability)))
            yield Rise(
                sample,
                sigma,
                error,
                statistic.sampling_error,
                probability,
                records.row(limit.place),
                prior,
                limit.value,
                found,
                belief,
            )
