"""What the page of a release shows, made by whoever knows the release.

A release has one or several statistics, and the page lets its reader try other noise: `Point` after `Point`, each with the risk
at the same probabilities. Nothing is computed on the page; it shows the numbers that stand here.
"""

import dataclasses
import math

__all__ = ["Exposed", "Point", "Range", "Release", "Risk", "Statistic", "ValueRisk"]


@dataclasses.dataclass(frozen=True)
class Range:
    """A column of the table and the range that is stated for it; infinite where none is, as for categories and conditions."""

    name: str
    low: float = -math.inf
    high: float = math.inf

    @property
    def stated(self) -> bool:
        """Whether there is a range."""
        return math.isfinite(self.high - self.low)


@dataclasses.dataclass(frozen=True)
class Statistic:
    """One published number.

    Attributes
    ----------
    name : str
        Such as ``mean of height_cm``.
    query : str
        Its kind.
    columns : tuple of Range
        What it is computed from.
    sigma : float
        Standard deviation of its noise in this release, and the root mean square of its error.
    sampling_error : float
        Standard deviation that it has anyway, since only a sample is in the data; NaN where that says nothing.
    entry : str
        Which number it is of those of its kind: a column, the condition that is counted, a cell, a group.
    unit : str
        As stated; empty if it is not.
    part_of : str
        The planned statistic that it is one of the numbers of, such as a table of cells.
    value : float
        What it comes to, on average over all samples; NaN where that is not known.
    """

    name: str
    query: str
    columns: tuple[Range, ...]
    sigma: float
    sampling_error: float
    entry: str = ""
    unit: str = ""
    part_of: str = ""
    value: float = math.nan


@dataclasses.dataclass(frozen=True)
class Exposed:
    """A person of the table by row, how many are like this one, and the factor that belief rises by at most."""

    row: int
    people: int
    rise: float


@dataclasses.dataclass(frozen=True)
class Risk:
    """How far belief in presence moves at one noise, except with one probability.

    Attributes
    ----------
    probability : float
        How often more than what follows may happen.
    rise : float
        Factor that belief in anybody's presence does not rise beyond, in any dataset.
    found : float
        Factor that it comes to for somebody in some dataset; NaN where that was not computed.
    posterior : float
        Belief itself, in the most exposed person's presence, does not rise above it; NaN where it is 0 before and after.
    exposed : tuple of Exposed
        The most exposed people, in order.
    """

    probability: float
    rise: float
    found: float
    posterior: float
    exposed: tuple[Exposed, ...]


@dataclasses.dataclass(frozen=True)
class Point:
    """One choice of noise.

    Attributes
    ----------
    scale : float
        The noise of every statistic over that in this release.
    epsilon : float
        Of the guarantee that the page names, at this noise.
    risks : tuple of Risk
        One for each probability, the same ones at every point.
    mark : str
        What this noise is, if it is one of those that were asked for.
    """

    scale: float
    epsilon: float
    risks: tuple[Risk, ...]
    mark: str = ""


@dataclasses.dataclass(frozen=True)
class ValueRisk:
    """How the release changes the odds that somebody's value is a sensitive one.

    Attributes
    ----------
    condition : str
        Which values are sensitive.
    holders, people : int
        Of how many people that is true.
    factor : float
    change : float
        The largest probability, of all who were looked at, that the odds change by more than the factor.
    probability : float
    lower, upper : float
        Factors that the odds stay between, except with the probability.
    """

    condition: str
    holders: int
    people: int
    factor: float
    change: float
    probability: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Release:
    """A release, its risk and its error.

    Attributes
    ----------
    source : str
        Name of the table.
    dataset, population : float
        m and n; the population may be inf.
    relation : str
        Which datasets are neighbours.
    statistics : tuple of Statistic
    mu : float
        Sensitivity over noise of all statistics together, by the stated ranges alone.
    definition : str
        What ``Point.epsilon`` and ``delta`` are about.
    delta : float
    promise : str
        How the noise was chosen.
    headline : tuple of str
        What comes out, in sentences; the first is the answer.
    prior : float
        The smallest belief in somebody's presence before the release.
    weighted : bool
        Whether the table has weights, so that people are not equally likely before.
    probability : float
        The one that the page opens with.
    points : tuple of Point
        From little noise to much.
    chosen : int
        Which of them is the release.
    looked_at : str
        Among whom the most exposed people were looked for.
    files : tuple of (str, str)
        Names and contents of the files beside the page.
    values : tuple of ValueRisk
        For each sensitive condition that was asked about.
    rows : int
        Rows of the table that a person has at most, all of which are protected together.
    caveats : tuple of str
        Who is covered, and what was done to the table, in sentences without their full stops.
    """

    source: str
    dataset: int
    population: float
    relation: str
    statistics: tuple[Statistic, ...]
    mu: float
    definition: str
    delta: float
    promise: str
    headline: tuple[str, ...]
    prior: float
    weighted: bool
    probability: float
    points: tuple[Point, ...]
    chosen: int
    looked_at: str
    files: tuple[tuple[str, str], ...]
    values: tuple[ValueRisk, ...] = ()
    rows: int = 1
    caveats: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The statistics by name."""
        return ", ".join(dict.fromkeys(statistic.part_of or statistic.name for statistic in self.statistics))

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The stated ranges of all columns, each once."""
        columns = (column for statistic in self.statistics for column in statistic.columns if column.stated)
        return tuple(dict.fromkeys(columns))

    @property
    def unit(self) -> float:
        """The noise at scale 1, if all statistics have the same; noise is told as multiples of that of the release if not."""
        sigmas = {statistic.sigma for statistic in self.statistics}
        return sigmas.pop() if len(sigmas) == 1 else 1.0

    @property
    def probabilities(self) -> tuple[float, ...]:
        """Those of the risks at every point."""
        return tuple(risk.probability for risk in self.points[0].risks)
