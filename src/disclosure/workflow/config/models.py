"""The configuration as typed models: fields, defaults, ranges, descriptions, and what must hold between fields."""

import functools
import itertools
import math
import os
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from disclosure.beliefs import case_control, profiles
from disclosure.expected import law_names
from disclosure.mechanisms import names
from disclosure.numerics import checks, errors
from disclosure.people import cells, queries, table_files
from disclosure.people.asked import ASKED
from disclosure.people.effort import quick_datasets, quick_targets
from disclosure.people.reading import Reading
from disclosure.people.records import check_sample
from disclosure.study.methods import METHODS
from disclosure.study.points import PARAMETERS, Point
from disclosure.workflow import sweeps
from disclosure.workflow.config import people, work
from disclosure.workflow.config.numbers import (
    Count,
    Counts,
    HalfProbabilities,
    InnerProbability,
    Population,
    Populations,
    Positive,
    Positives,
    Probabilities,
    Seed,
)
from disclosure.workflow.config.questions import OpenQuestions
from disclosure.workflow.config.values import (
    LARGEST,
    Allowed,
    ListOf,
    Name,
    Named,
    OneOf,
    OrNull,
    Part,
    Within,
    refused,
    said,
)
from disclosure.workflow.plan import Plan

__all__ = ["CaseControl", "OddsRiskProfile", "Settings", "StudyDesign", "Sweep", "TableSweep"]

Knot = Annotated[list[Annotated[float, Within("(-inf, inf)")]], ListOf("a knot [P10, B]", 2, 2)]


class StudyDesign(Part):
    """For the cheapest numbers of datasets and releases."""

    relative_error: Positive
    """Wanted standard error of F over F."""
    seconds_per_dataset: Positive
    """Cost of one dataset, in seconds, as `make bench` measures it."""
    seconds_per_release: Positive
    """Cost of one release, in seconds, as `make bench` measures it."""


class OddsRiskProfile(Part):
    """How much a release may raise an adversary's odds at each prior odds ratio P10 (paper B)."""

    scale: Annotated[str, OneOf(("linear", "log"))] = "linear"
    """Whether the bound B is linear in P10 or in its logarithm between two knots."""
    knots: Annotated[list[Knot], ListOf("a list of at least one knot [P10, B]")]
    """Knots [P10, B], P10 increasing and B of at least 1; B is constant before the first and after the last."""

    @model_validator(mode="after")
    def _is_a_profile(self) -> Self:
        profiles.RiskProfile.from_data(self.model_dump())
        return self


class CaseControl(Part):
    """The case-control study of paper B."""

    participants: Annotated[int, Within(f"[3, {LARGEST}]", whole=True)]
    """How many people are in the study, an odd number: n cases, n controls and one more."""
    prevalence: InnerProbability
    """Share of cases in the population."""
    q0: Annotated[list[InnerProbability], ListOf("a list of probabilities", 0)]
    """Further adversaries, by their prior probability that somebody outside the study is a case."""
    epsilon: Annotated[float, Within("(0, 100]")]
    """Privacy loss of the release of the number of cases; a figure shows up to 100."""

    @model_validator(mode="after")
    def _is_a_study(self) -> Self:
        case_control.check(case_control.Study(self.participants, self.prevalence))
        return self


class _AnySweep(Part):
    """What every sweep has."""

    @classmethod
    def words(cls) -> str:
        return f"{super().words()}, or null to drop the sweep"

    @functools.cached_property
    def points(self) -> list[Point]:
        """The points, parameters that take several values together."""
        return sweeps.points(**self.model_dump(include=set(PARAMETERS)))

    @model_validator(mode="after")
    def _has_points(self) -> Self:
        assert self.points
        return self


def _expected(validated: dict[str, Any]) -> bool:
    """`true` for gaussian noise, otherwise `false`."""
    return bool(validated.get("mechanism") == "gaussian")


class Sweep(_AnySweep):
    """A sweep over parameters of paper A."""

    population: Populations
    """Number n of people in the population; inf for expected values alone, where the adversary knows the people's law only."""
    sample: Counts
    """Number m of people in the dataset, at most n."""
    epsilon: Positives
    """Privacy loss epsilon."""
    delta: Probabilities
    """Probability delta that the privacy loss exceeds epsilon."""
    definition: Annotated[str, OneOf(sweeps.DEFINITIONS)] = "probabilistic"
    """Definition of privacy that epsilon and delta are about; an approximate one is converted by Corollary 1 of paper A."""
    delta_prime: InnerProbability | None = None
    """Probability delta' of the probabilistic privacy that an approximate one is converted to, above delta."""
    attributes: Annotated[str, OneOf(law_names.NAMES)] = "uniform"
    """Law of the people's attributes: uniform on [0, 1], or 0 and 1 alike."""
    mechanism: Annotated[str, OneOf(names.NAMES)] = "gaussian"
    """Noise of the release; noise on the whole numbers, geometric or discrete_gaussian, needs binary attributes."""
    upper_limit: bool = True
    """Whether T and the exact failure probability are computed over sampled datasets."""
    simulate: bool = True
    """Whether releases are drawn."""
    expect: bool = Field(default_factory=_expected)
    """Whether the expected values over all datasets are computed; gaussian noise only."""

    @property
    def sampled(self) -> list[str]:
        """Stages that draw datasets."""
        return [stage for stage in ("upper_limit", "simulate") if getattr(self, stage)]

    @model_validator(mode="after")
    def _has_a_guarantee(self) -> Self:
        for point in self.points:
            sweeps.guarantee(point, self.definition, self.delta_prime)
        return self

    @model_validator(mode="after")
    def _has_stages(self) -> Self:
        if not (self.sampled or self.expect):
            raise said(": upper_limit, simulate and expect are all false; allowed: at least one of them true")
        if self.expect and self.mechanism != "gaussian":
            words = f" = true; allowed: false, since expected values are known for gaussian noise only, not {self.mechanism}"
            raise said(words, ("expect",))
        return self

    @model_validator(mode="after")
    def _suits_its_noise(self) -> Self:
        if self.mechanism != "gaussian" and self.definition != "probabilistic":
            words = (
                f" = {self.definition}; allowed: probabilistic, since {self.mechanism} noise is calibrated to that only"
            )
            raise said(words, ("definition",))
        if self.mechanism in names.WHOLE and self.attributes != "binary":
            words = f" = {self.attributes}; allowed: binary, since {self.mechanism} noise is for answers that are whole numbers"
            raise said(words, ("attributes",))
        return self


def _quick_datasets(validated: dict[str, Any]) -> int:
    """As many as are quick, from 2 to 100, as for `disclosure assess`."""
    size = _size(validated)
    return quick_datasets(quick_targets(*size), *size[1:]) if size else 1


def _quick_targets(validated: dict[str, Any]) -> int:
    """Everybody, or as many as are quick, as for `disclosure assess`."""
    size = _size(validated)
    if not size or "datasets" not in validated:
        return 1
    datasets = validated["datasets"]
    return quick_targets(*size, None if datasets == _quick_datasets(validated) else datasets)


def _size(validated: dict[str, Any]) -> tuple[int, int, int] | None:
    """People of a table, most of them outside of a dataset, and columns; None if a setting that tells them was refused."""
    if not {"population", "sample", "columns"} <= set(validated):
        return None
    population, sample, rows = validated["population"], validated["sample"], validated.get("rows")
    sample = sample.model_dump() if isinstance(sample, Part) else sample
    try:
        # Samples as large as the population are refused later, and so are values that are none.
        neighbours = max(1.0, float(population) - min(sweeps.parameter_values("sample", sample)))
    except errors.DomainError:
        return None
    rows = rows or population
    if rows == sweeps.INFINITE:
        return None
    return rows, int(min(neighbours, rows)), len(validated["columns"])


def _exists(table: str, info: ValidationInfo) -> str:
    folders = (info.context or {}).get("folders", ())
    if folders and people.located(table, folders) is None:
        raise refused(
            f"the name of a CSV file; there is none in {' or '.join(map(os.path.abspath, folders))}", value=table
        )
    return table


class TableSweep(_AnySweep):
    """A sweep over a table of people."""

    table: Annotated[
        str, Allowed("the name of a CSV file, in the working folder or beside the Snakefile"), AfterValidator(_exists)
    ]
    """CSV or Parquet file, a row for each person, looked for in the working folder and then beside the Snakefile."""
    columns: Annotated[
        list[Annotated[str, Allowed("a column of the table and its range, NAME:LOW:HIGH")]],
        ListOf("a list of at least one NAME:LOW:HIGH"),
    ]
    """Columns: NAME:LOW:HIGH with the range that is possible, never that of the data; NAME for yes and no; NAME=CATEGORY."""
    query: Annotated[str, OneOf(queries.LINEAR)]
    """What is released: the mean, the sum, everybody's record, or the number of ones."""
    weights: Annotated[str, Allowed("the name of a column of positive numbers")] | None = None
    """Column of the adversary's prior over people, up to a factor."""
    clip: bool = False
    """Whether values outside their range are moved to its nearer end."""
    missing: Annotated[str, OneOf(cells.MISSING)] = cells.MISSING[0]
    """Whether missing values are refused, drop their people, or are a category of their own."""
    separator: Annotated[str, OneOf(tuple(table_files.SEPARATORS))] | None = None
    """What separates the cells of the table; found out by default."""
    decimal: Annotated[str, OneOf(tuple(table_files.DECIMALS))] | None = None
    """Decimal sign of the table's numbers; found out by default."""
    encoding: Annotated[str, Allowed("the name of an encoding, such as utf-8 or cp1252")] | None = None
    """Encoding of the table; found out by default."""
    population: Population
    """Number n of people in the population; the rows of the table, without those whom `missing: drop` leaves out, unless `rows`
    are stated; inf for infinitely many."""
    rows: Annotated[int, Within(f"[2, {LARGEST}]", whole=True)] | None = None
    """Rows of the table if it is a sample of the population only: other candidates are drawn from them with replacement."""
    sample: Counts
    """Number m of people in the dataset, below n."""
    epsilon: Positives
    """Privacy loss epsilon."""
    delta: Probabilities
    """Probability delta that the privacy loss exceeds epsilon, below 1."""
    datasets: Count = Field(default_factory=_quick_datasets)
    """Number of sampled datasets of each person who is looked at."""
    targets: Count = Field(default_factory=_quick_targets)
    """Number of people who are looked at, at most n."""
    probability: HalfProbabilities = ASKED.probability
    """Except with which belief in a person's presence stays within the factors that are told; each of several has its rows."""
    ratio: Annotated[float, Within("(1, inf)")] = ASKED.ratio
    """Posterior over prior whose probability of being exceeded is told."""
    targets_per_job: Count = 1000
    """Number of people whom one job looks at; changes no result."""

    @property
    def _counted(self) -> str:
        """The setting that has the number of the table's rows."""
        return "population" if self.rows is None else "rows"

    @property
    def _rows(self) -> float:
        return self.points[0].population if self.rows is None else self.rows

    @model_validator(mode="after")
    def _can_be_released(self) -> Self:
        columns = [queries.parse_column(text) for text in self.columns]
        for point in self.points:
            check_sample(point.population, point.sample)
            queries.linear(self.query, columns, point.sample)
            checks.within("delta", point.delta, "(0, 1)", "at 1 nothing is promised and no noise is added")
        if not math.isfinite(self._rows) or self._rows > self.points[0].population:
            raise errors.DomainError(
                f"population = {self.population} and rows = {self.rows}; allowed: rows, the number of the table's rows, if it "
                "is a sample of the population only, and then no more than the population has"
            )
        if self.rows is not None and self.weights is not None:
            raise errors.DomainError("weights are about the people of a whole population; leave out weights, or rows")
        if self.targets > self._rows:
            raise errors.DomainError(f"targets = {self.targets} is more than {self._counted} = {self._rows}")
        sweeps.distinct("probability", sweeps.parameter_values("probability", self.model_dump()["probability"]))
        return self

    @model_validator(mode="after")
    def _is_of_the_table(self, info: ValidationInfo) -> Self:
        path = people.located(self.table, (info.context or {}).get("folders", ()))
        if path is None:
            return self
        columns = [queries.parse_column(text) for text in self.columns]
        stated_columns = {"columns": [column.source for column in columns]}
        if self.weights:
            stated_columns["weights"] = [self.weights]
        stated = table_files.Stated(self.separator, self.decimal, self.encoding)
        header = people.header(path, [name for wanted in stated_columns.values() for name in wanted], stated)
        for key, wanted in stated_columns.items():
            if missing := [name for name in wanted if name not in header]:
                raise said(f": {missing[0]} is not a column of {path}; allowed: {', '.join(header)}", (key,))
        reading = Reading(self.weights, self.clip, self.missing, stated)
        found = people.number(path, columns, reading, binary=self.query == "count")
        if found is not None and found != self._rows:
            counted = "people without missing values in" if self.missing == "drop" else "rows of"
            raise refused(f"{found}, the number of {counted} {path}", (self._counted,), value=self._rows)
        return self


S = TypeVar("S")


def _kept(entries: dict[str, S | None]) -> dict[str, S]:
    return {name: entry for name, entry in entries.items() if entry is not None}


_Group = Annotated[
    dict[Name, Annotated[S, OrNull()]],
    Named("sweeps by name, with null under the name of one to drop it"),
    AfterValidator(_kept),
]


class Settings(Part):
    """All settings of a run."""

    seed: Seed
    """Root of all random numbers."""
    datasets: Count
    """Number N1 of sampled datasets of each point."""
    releases: Count
    """Number N2 of noisy releases of each dataset."""
    ratio_probability: InnerProbability
    """Probability with which the posterior-to-prior ratio of a dataset is beyond its quantile, on either side."""
    method: Annotated[str, OneOf(METHODS)]
    """How releases are classified: against the failure set's ends, or by the ratio (32) of each."""
    releases_per_job: Count
    """Number of releases that one job draws, at least those of one dataset; changes no result."""
    datasets_per_job: Count
    """Number of datasets whose exact probabilities one job computes; changes no result."""
    points_per_job: Count
    """Number of points whose expected values one job computes; changes no result."""
    replications: Annotated[int, Within(f"[2, {LARGEST}]", whole=True)]
    """Number of independent replications of the whole study, for the ranges beside the printed numbers."""
    replications_per_job: Count
    """Number of replications that one job computes; changes no result."""
    verify_releases: Count
    """Number of literal releases of each dataset that the target `verify` sets against the exact probabilities."""
    study_design: StudyDesign
    """For the cheapest numbers of datasets and releases."""
    odds_risk_profile: OddsRiskProfile
    """How much a release may raise an adversary's odds at each prior odds ratio."""
    case_control: CaseControl
    """The case-control study of paper B."""
    sweeps: _Group[Sweep]
    """Sweeps of paper A, by name; null drops one."""
    beyond: _Group[Sweep]
    """Sweeps past the papers' limits, by name; null drops one."""
    tables: _Group[TableSweep]
    """Sweeps over tables of people, by name; null drops one."""
    open_questions: OpenQuestions
    """Questions that both papers leave open, by name; null drops one."""

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if not self.sweeps:
            raise said(": every one is dropped; allowed: at least one sweep", ("sweeps",))
        for group, other in itertools.combinations(sweeps.GROUPS, 2):
            if twice := sorted(set(getattr(self, group)) & set(getattr(self, other))):
                raise said(f": a sweep of this name stands under {group}; allowed: another name", (other, twice[0]))
        work.check(Plan(self.as_dict()))
        return self
