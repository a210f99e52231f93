"""How far off a release is: its noise beside the value itself, and beside the error of having asked a sample only.

A sample of m of the n people has another mean than all of them. Over all samples its variance is S^2 (1 - m / n) / m, with S^2
the variance between people, of which n - 1 are free. Noise that is small beside this costs a statistician little.
"""

import math
from typing import NamedTuple

import numpy as np

from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records

__all__ = ["ReleaseError", "release_errors"]


class ReleaseError(NamedTuple):
    """The error of a release in one column, in the units of the answer.

    Attributes
    ----------
    column : str
    noise : float
        Standard deviation of the noise.
    value : float
        What the query answers, on average over all samples.
    spread : float
        Standard deviation of that over the samples; for ``identity``, of the records over the people.
    move : float
        The most that one person can move the answer.
    """

    column: str
    noise: float
    value: float
    spread: float
    move: float


def release_errors(records: Records, query: LinearQuery, sample: int, sigma: float) -> list[ReleaseError]:
    """The errors of a release, column by column.

    Parameters
    ----------
    records : Records
        Two people at least.
    query : LinearQuery
    sample : int
        Size m of the dataset.
    sigma : float
        Standard deviation of the noise.

    Returns
    -------
    list of ReleaseError
    """
    values, between = records.values.mean(axis=0), records.values.std(axis=0, ddof=1)
    if query.name != "identity":
        values = query.factor * sample * values
        between = query.factor * sample * between * math.sqrt((1 - sample / records.size) / sample)
    return [
        ReleaseError(column.name, sigma, value, spread, query.factor * (column.high - column.low))
        for column, value, spread in zip(records.columns, values.tolist(), np.asarray(between).tolist(), strict=True)
    ]
