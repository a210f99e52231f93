"""The statistics of a planned release as one query: their answers stacked, each entry divided by its own scale.

What a record adds to the stack is a record of as many numbers, and the release is the sum of these records with noise of
scale 1 on each entry. So everything that is known of one query with several columns (`limits`, `ratios`, `exposure`) holds
for a plan. What was released before is taken at its worst: as one more entry, which moves by all that was spent whenever the
target is left out. That is right for normal noise; other noise with the same promise can reveal more.
"""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray
from disclosure.people.queries import Column, LinearQuery, Query
from disclosure.people.records import Records
from disclosure.releases.plan import NoisyPart, ReleasePlan
from disclosure.releases.statistic import Statistic

__all__ = ["columns_of", "stacked"]


def columns_of(plan: ReleasePlan) -> tuple[Column, ...]:
    """The columns of a table that a plan's statistics read, each once.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a column that two statistics read in different ways, or with different ranges.
    """
    found: dict[str, tuple[Column, str]] = {}
    for planned in plan.statistics:
        for column in planned.statistic.columns:
            known, name = found.get(column.name, (column, planned.statistic.name))
            if column != known and math.isfinite(column.low) and math.isfinite(known.low):
                raise errors.DomainError(
                    f"statistics.{planned.statistic.name}: the range of {column.name} is {column.low:g} to {column.high:g}, "
                    f"and {known.low:g} to {known.high:g} in statistics.{name}; state one"
                )
            if column.reads != known.reads:
                raise errors.DomainError(
                    f"statistics.{planned.statistic.name}: {column.name} is read as a {column.reads}, and as a {known.reads} "
                    f"in statistics.{name}; read it in one way"
                )
            found[column.name] = (column if math.isfinite(column.low) else known, name)
    return tuple(column for column, _ in found.values())


@dataclasses.dataclass(frozen=True)
class _Stack(LinearQuery):
    """The stacked answers of statistics that are sums over records, and what was spent before."""

    spent: float = 0.0

    def differences(self, target: FloatArray, neighbours: FloatArray, known: FloatArray | None = None) -> FloatArray:
        return _with_spent(target - neighbours, self.spent)


@dataclasses.dataclass(frozen=True)
class _AnyStack:
    """The stacked answers of statistics of which some are functions of one's own.

    Attributes
    ----------
    name, sensitivity, sensitivity_l1
        As of every `disclosure.people.queries.Query`.
    pieces : tuple of (Statistic, slice, float)
        Each statistic, its columns among those of the stacked records, and the scale of a function of one's own.
    spent : float
    """

    name: str
    sensitivity: float
    sensitivity_l1: float
    pieces: tuple[tuple[Statistic, slice, float], ...]
    spent: float

    def differences(self, target: FloatArray, neighbours: FloatArray, known: FloatArray | None = None) -> FloatArray:
        found = []
        for statistic, own, scale in self.pieces:
            if statistic.function is None:
                found.append(target[own] - neighbours[..., own])
            else:
                members = None if known is None else known[..., own]
                found.append(statistic.function.differences(target[own], neighbours[..., own], members) / scale)
        return _with_spent(np.concatenate(found, axis=-1), self.spent)


def _with_spent(differences: FloatArray, spent: float) -> FloatArray:
    if not spent:
        return differences
    return np.concatenate([differences, np.full((*differences.shape[:-1], 1), spent)], axis=-1)


def stacked(records: Records, plan: ReleasePlan, parts: Sequence[NoisyPart]) -> tuple[Records, Query]:
    """What each record adds to all answers, in units of their noise, and the query that releases the sum with noise of scale 1.

    Parameters
    ----------
    records : Records
        With the columns of `columns_of`.
    plan : ReleasePlan
    parts : sequence of NoisyPart

    Returns
    -------
    Records
        The same people.
    Query
    """
    places = {column.name: place for place, column in enumerate(records.columns)}
    columns, pieces, start = [], [], 0
    for planned in plan.statistics:
        statistic = planned.statistic
        scales = np.concatenate(
            [[part.scale] * len(part.part.labels) for part in parts if part.statistic == statistic.name]
        )
        own = statistic.features(records.values[:, [places[column.name] for column in statistic.columns]])
        columns.append(own if statistic.function else own / scales)
        pieces.append((statistic, slice(start, start + own.shape[1]), float(scales[0])))
        start += own.shape[1]
    values = np.ascontiguousarray(np.concatenate(columns, axis=1))
    names = tuple(Column(str(place), -math.inf, math.inf) for place in range(values.shape[1]))
    spent = math.sqrt(2 * plan.rho_spent(plan.prior(records.size)))
    mu = math.sqrt(2 * math.fsum(part.rho for part in parts) + spent**2)
    query: Query = (
        _AnyStack("release", mu, math.nan, tuple(pieces), spent)
        if any(planned.statistic.function for planned in plan.statistics)
        else _Stack("release", mu, math.nan, 1.0, spent)
    )
    return dataclasses.replace(records, columns=names, values=values), query
