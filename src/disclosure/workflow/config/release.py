"""A planned release as a file has it: typed models, and the plan that they stand for."""

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from disclosure.beliefs import profiles
from disclosure.numerics.errors import DomainError
from disclosure.people.conditions import parse_condition
from disclosure.people.queries import parse_column
from disclosure.releases import budget, statistic
from disclosure.releases.plan import NOISES, Person, Planned, ReleasePlan
from disclosure.workflow.config.messages import ConfigError, refusal
from disclosure.workflow.config.models import OddsRiskProfile
from disclosure.workflow.config.numbers import Count, InnerProbability, Population, Positive
from disclosure.workflow.config.values import LIST, VALUE, Allowed, ListOf, OneOf, Part, Within, joined, refused, said
from disclosure.workflow.yaml_files import load_yaml, mapping

__all__ = ["BudgetSetting", "PersonSetting", "ReleaseFile", "StatisticSetting", "read_plan"]

KINDS = ("mean", "sum", "count", "table", "identity", "least_squares")
# Letters of the name of a statistic.
_LONGEST_NAME = 60
_DEFINITIONS = ("approximate", "probabilistic")
# What a budget may be stated as: the keys of each, all of which are needed.
_LANGUAGES: dict[tuple[str, ...], Callable[["BudgetSetting"], budget.Guarantee]] = {
    ("rho",): lambda own: budget.Rho(_known(own.rho)),
    ("mu",): lambda own: budget.Mu(_known(own.mu)),
    ("epsilon", "delta", "definition"): lambda own: budget.PrivacyLoss(
        _known(own.epsilon), _known(own.delta), own.definition or ""
    ),
    ("largest_ratio", "failure"): lambda own: budget.Ratio(_known(own.largest_ratio), _known(own.failure)),
    ("odds_risk_profile", "failure"): lambda own: budget.OddsIncrease(
        _smallest(own.odds_risk_profile), _known(own.failure)
    ),
}


def _known(value: float | None) -> float:
    assert value is not None
    return value


def _smallest(profile: OddsRiskProfile | None) -> float:
    assert profile is not None
    return profiles.epsilon_for_any_prior(profiles.RiskProfile.from_data(profile.model_dump())).bound


class BudgetSetting(Part):
    """What a release may reveal, or what an earlier one has, in one of the languages of privacy."""

    rho: Positive | None = None
    """Of zero-concentrated privacy (zCDP)."""
    mu: Positive | None = None
    """Of Gaussian differential privacy: sensitivity over sigma."""
    epsilon: Positive | None = None
    """Of approximate or of probabilistic privacy, with delta and definition."""
    delta: InnerProbability | None = None
    """Probability that goes with epsilon."""
    definition: Annotated[str, OneOf(_DEFINITIONS)] | None = None
    """Which privacy epsilon and delta are of."""
    largest_ratio: Annotated[float, Within("(1, inf)")] | None = None
    """The factor by which belief in anybody's presence may rise, with failure."""
    odds_risk_profile: OddsRiskProfile | None = None
    """How far any odds may rise, by the prior odds ratio, with failure."""
    failure: Annotated[float, Within("(0, 0.5]")] | None = None
    """Probability that largest_ratio or the profile is exceeded, at most."""

    @classmethod
    def words(cls) -> str:
        return f"the keys {_languages()}"

    @model_validator(mode="after")
    def _is_one_language(self) -> Self:
        given = {name for name, value in self if value is not None}
        if given not in [set(keys) for keys in _LANGUAGES]:
            raise said(f" has the keys {joined(sorted(given)) if given else 'of none'}; allowed: {_languages()}")
        return self

    def guarantee(self) -> budget.Guarantee:
        """The promise that it states."""
        given = {name for name, value in self if value is not None}
        return next(make(self) for keys, make in _LANGUAGES.items() if set(keys) == given)


def _languages() -> str:
    return joined([f"{first} with {joined(rest)}" if rest else first for first, *rest in _LANGUAGES], "or")


def _texts(values: Any) -> Any:
    """Categories, of which numbers are texts as well; what YAML takes for a truth value is refused."""
    if isinstance(values, list):
        for value in values:
            if isinstance(value, bool):
                raise said(f": {value} is what YAML makes of yes, no, on and off; write the category in quotes")
        return [str(value) if isinstance(value, int | float) else value for value in values]
    return values


class Cuts(Part):
    """Classes of a column of numbers."""

    cuts: Annotated[list[Annotated[float, Within("(-inf, inf)")]], ListOf("a list of at least one number, rising")]
    """Where a class ends and the next begins; a number that is a cut belongs to the next."""


def _kind_of_classes(value: object) -> str:
    return "cuts" if isinstance(value, dict | Cuts) else LIST


_Classes = Annotated[
    Annotated[
        list[Annotated[str, Allowed("a category of the column")]],
        ListOf("a list of categories, or cuts: [NUMBER, ...]"),
        BeforeValidator(_texts),
        Tag(LIST),
    ]
    | Annotated[Cuts, Tag("cuts")],
    Discriminator(_kind_of_classes),
]
_OneOrEach = Annotated[
    Annotated[Positive, Tag(VALUE)] | Annotated[list[Positive], ListOf(), Tag(LIST)],
    Discriminator(lambda value: LIST if isinstance(value, list) else VALUE),
]


@dataclasses.dataclass(frozen=True)
class _ByName:
    """What stands under each of the names of a mapping, of which there is one at least, in words."""

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "minProperties": 1}

    def _check(self, value: Any) -> Any:
        if not isinstance(value, dict) or not value:
            raise refused(self.words, value=value)
        for name in value:
            if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
                raise said(f": not a name; allowed: a text of 1 to {_LONGEST_NAME} letters", (name,))
        return value


_ByColumn = Annotated[dict[str, _Classes], _ByName("columns by name, each with a list of categories or with cuts")]


class StatisticSetting(Part):
    """One statistic of a planned release."""

    kind: Annotated[str, OneOf(KINDS)]
    """What is released; table is how many people are in each of some exclusive cells, a histogram for one column."""
    columns: (
        Annotated[
            list[Annotated[str, Allowed("a column of the table and its range, NAME:LOW:HIGH")]],
            ListOf("a list of at least one NAME:LOW:HIGH"),
        ]
        | None
    ) = None
    """Columns and stated ranges, NAME:LOW:HIGH; NAME for yes and no, NAME=CATEGORY for one category."""
    where: Annotated[str, Allowed("a condition, like age >= 18")] | None = None
    """What a count counts, in place of columns: age >= 18, age in 3..5, age >= 18 and age < 25."""
    cells: _ByColumn | None = None
    """The columns of a table, each with categories or cuts; its cells are all combinations."""
    response: Annotated[str, Allowed("a column of the table and its range, NAME:LOW:HIGH")] | None = None
    """What a least squares fit predicts from the columns."""
    by: _ByColumn | None = None
    """Groups, in each of which a sum or a count is released."""
    unit: Annotated[str, Allowed("the name of a unit")] | None = None
    """Unit of the answer, for readers."""
    noise: Annotated[str, OneOf(NOISES)] = NOISES[0]
    """Noise of each entry; that on whole numbers, discrete_gaussian and geometric, is for counts and tables."""
    sigma: _OneOrEach | None = None
    """Scale of the noise: its standard deviation, or b of laplace and geometric noise; for all columns, or one for each."""
    share: Positive | None = None
    """Share in what stated noise leaves of the budget, up to a factor; 1 by default."""
    weight: _OneOrEach | None = None
    """Weight of its squared noise, in place of shares: the budget is split so that the weighted sum is the least."""

    @model_validator(mode="after")
    def _is_a_statistic(self) -> Self:
        allowed = {"table": {"cells"}, "count": {"columns", "where"}, "least_squares": {"columns", "response"}}
        own = allowed.get(self.kind, {"columns"})
        for name in ("columns", "where", "cells", "response"):
            if getattr(self, name) is not None and name not in own:
                raise said(f": a {self.kind} has none; allowed: {joined(sorted(own), 'or')}", (name,))
        needed = own - {"columns"} if self.kind == "count" and self.where else own - {"where"}
        for name in sorted(needed):
            if getattr(self, name) is None:
                raise said(f" is missing; a {self.kind} needs it", (name,))
        if self.where and self.columns:
            raise said(": columns are stated as well; leave one of them out", ("where",))
        stated = [name for name in ("sigma", "share", "weight") if getattr(self, name) is not None]
        if len(stated) > 1:
            raise said(f": {stated[0]} is stated as well; leave one of them out", (stated[1],))
        return self

    def planned(self, name: str, sample: int) -> Planned:
        """The statistic, with what is planned for its noise."""
        found = self._statistic(name, sample)
        if self.by is not None:
            found = statistic.grouped(found, statistic.crossed(_classes(self.by)))
        return Planned(found, self.noise, _each(self.sigma), self.share or 1.0, _each(self.weight))

    def _statistic(self, name: str, sample: int) -> statistic.Statistic:
        unit = self.unit or ""
        if self.kind == "table":
            return statistic.table(name, _classes(self.cells or {}), unit)
        if self.where is not None:
            return statistic.count(name, parse_condition(self.where, "where"), unit)
        columns = [parse_column(text) for text in self.columns or ()]
        if self.kind == "least_squares":
            return statistic.least_squares(name, columns, parse_column(self.response or ""), unit)
        return statistic.additive(name, self.kind, columns, sample, unit)


def _classes(settings: dict[str, list[str] | Cuts]) -> list[statistic.Classes]:
    return [
        statistic.cut(column, classes.cuts) if isinstance(classes, Cuts) else statistic.categories(column, classes)
        for column, classes in settings.items()
    ]


def _each(value: float | list[float] | None) -> tuple[float, ...] | None:
    return None if value is None else tuple(value) if isinstance(value, list) else (value,)


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def _nothing() -> list[BudgetSetting]:
    """Nothing."""
    return []


class PersonSetting(Part):
    """People with several rows of a table each."""

    column: Annotated[str, Allowed("the name of a column")]
    """Column that tells whose a row is."""
    rows: Count
    """Rows of a person at most, whatever the data are."""


class ReleaseFile(Part):
    """A planned release, as of a file release.yaml."""

    sample: Count
    """Number m of people in the dataset."""
    population: Population | None = None
    """Number n of people in the population, or inf; a table with fewer rows is a sample of it. Needed without a table."""
    budget: BudgetSetting | None = None
    """What the release may reveal, everything that was spent before included; needed unless all noise is stated."""
    spent: Annotated[list[BudgetSetting], ListOf("a budget, or a list of them"), BeforeValidator(_listed)] = Field(
        default_factory=_nothing
    )
    """What was released about the same people before: budgets in the same words, taken for normal noise."""
    person: PersonSetting | None = None
    """Where a person may have several rows, replaced together: sample and population are then numbers of people."""
    statistics: Annotated[
        dict[str, StatisticSetting],
        _ByName("at least one statistic by its name, like mean_age: {kind: mean, columns: [age:0:120]}"),
    ]
    """The statistics by their names."""

    def plan(self) -> ReleasePlan:
        """The plan that it states."""
        # Infinity is kept as a text, which JSON has as well.
        population = self.population if self.population is None else float(self.population)
        statistics = (setting.planned(name, self.sample) for name, setting in self.statistics.items())
        if self.person is not None:
            rows = self.person.rows
            statistics = (
                dataclasses.replace(planned, statistic=statistic.of_people(planned.statistic, rows))
                for planned in statistics
            )
        return ReleasePlan(
            self.sample,
            tuple(statistics),
            population,
            self.budget.guarantee() if self.budget else None,
            tuple(spent.guarantee() for spent in self.spent),
            Person(self.person.column, self.person.rows) if self.person else None,
        )


def read_plan(path: str) -> ReleasePlan:
    """The plan of a file, or a `ConfigError` or `DomainError` in one line that says what to change."""
    try:
        return ReleaseFile.model_validate(mapping(load_yaml(path), path, ReleaseFile.words())).plan()
    except ValidationError as caught:
        raise ConfigError(f"{path}: {refusal(caught.errors(include_url=False))}") from None
    except DomainError as error:
        raise error if str(error).startswith(str(path)) else DomainError(f"{path}: {error}") from None
