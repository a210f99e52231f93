"""How far the answers of a planned release are off: by their noise, and because a sample is not its population."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from disclosure.mechanisms import discrete_gaussian
from disclosure.numerics.types import FloatArray
from disclosure.people.records import Records
from disclosure.releases.plan import NoisyPart, ReleasePlan
from disclosure.releases.statistic import Statistic

__all__ = ["CONFIDENCE", "Accuracy", "accuracies"]

CONFIDENCE = 0.95
"""With which an answer is within the half width of the true one."""


@dataclass(frozen=True)
class Accuracy:
    """One number of a release, and how far off it is.

    Attributes
    ----------
    statistic, kind, entry, unit : str
    mechanism : str
        Name of its noise.
    sensitivity : float
        In l2, of all entries that have their noise in common with this one.
    scale : float
        Of the noise: sigma, or b.
    rho : float
        What these entries cost together.
    error : float
        Root mean square of the noise.
    half_width : float
        What the noise does not exceed with the probability `CONFIDENCE`.
    sampling_error : float
        Standard error of the answer as an estimate for the population, without noise: it depends on the people of the table.
        NaN without a table, for everybody's record, and for a function of one's own.
    """

    statistic: str
    kind: str
    entry: str
    unit: str
    mechanism: str
    sensitivity: float
    scale: float
    rho: float
    error: float
    half_width: float
    sampling_error: float


def accuracies(plan: ReleasePlan, parts: Sequence[NoisyPart], records: Records | None = None) -> tuple[Accuracy, ...]:
    """The accuracy of every number of a release.

    Parameters
    ----------
    plan : ReleasePlan
    parts : sequence of NoisyPart
    records : Records, optional
        With the columns that the statistics read.

    Returns
    -------
    tuple of Accuracy
    """
    found = []
    for planned in plan.statistics:
        statistic = planned.statistic
        sampling = iter(_sampling_errors(statistic, records, plan.sample).tolist())
        for part in parts:
            if part.statistic == statistic.name:
                found += [
                    Accuracy(
                        statistic=statistic.name,
                        kind=statistic.kind,
                        entry=label,
                        unit=statistic.unit,
                        mechanism=part.mechanism,
                        sensitivity=part.part.sensitivity,
                        scale=part.scale,
                        rho=part.rho,
                        error=part.error,
                        half_width=_half_width(part),
                        sampling_error=next(sampling),
                    )
                    for label in part.part.labels
                ]
    return tuple(found)


def _sampling_errors(statistic: Statistic, records: Records | None, sample: int) -> FloatArray:
    """Standard errors of sums over a random sample drawn without replacement."""
    if records is None or statistic.kind in ("identity", "function") or len(records) == 1:
        return np.full(statistic.entries, np.nan)
    places = [[column.name for column in records.columns].index(column.name) for column in statistic.columns]
    spread = statistic.features(records.values[:, places]).std(axis=0, ddof=1)
    return np.asarray(spread * math.sqrt(sample * (1 - sample / records.size)))


def _half_width(part: NoisyPart) -> float:
    tail = 1 - CONFIDENCE
    if part.mechanism == "laplace":
        return -part.scale * math.log(tail)
    if part.mechanism == "geometric":
        # P(|noise| > k) = 2 r^(k + 1) / (1 + r) with r = e^(-1 / b).
        ratio = math.exp(-1 / part.scale)
        return max(0.0, math.ceil(-part.scale * math.log(tail * (1 + ratio) / 2)) - 1.0)
    normal = -float(ndtri(tail / 2)) * part.scale
    if part.mechanism == "gaussian":
        return normal
    width = max(0, math.floor(normal) - 1)
    while discrete_gaussian.interval_mass(-width, width, part.scale) < CONFIDENCE:
        width += 1
    return float(width)
