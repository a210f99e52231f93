"""Settings of the questions that both papers leave open, a model for each."""

import math
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ValidationInfo, model_validator

from disclosure.workflow import sweeps
from disclosure.workflow.config.numbers import InnerProbability, Positive, Positives, Probability
from disclosure.workflow.config.values import ListOf, Part, Range, Within, refused, said
from disclosure.workflow.incomes import incomes

__all__ = [
    "AttributeInference",
    "CaseControlNoises",
    "Households",
    "LessInformed",
    "Mechanisms",
    "NoiseByProfile",
    "OpenQuestions",
]

# People of a population for adversaries who know less: the time grows with the cube of it, to a minute.
_MOST_PEOPLE = 200
# Different datasets of households that are summed over: some seconds.
_MOST_DATASETS = 200_000


def _values(value: list[Any] | Range[Any] | float, name: str | None) -> list[float]:
    return sweeps.parameter_values(name or "", value.model_dump() if isinstance(value, Range) else value)


def _differ(value: list[Any] | Range[Any] | float, info: ValidationInfo) -> Any:
    values = _values(value, info.field_name)
    if len(set(values)) < len(values):
        raise refused("different values, each of them once", value=value)
    return value


def _are_several(value: list[Any] | Range[Any] | float, info: ValidationInfo) -> Any:
    """Of curves without marks nothing would be seen."""
    if len(_values(value, info.field_name)) == 1:
        raise refused("two different values at least", value=value)
    return value


def _once(value: list[Any]) -> list[Any]:
    if any(entry in value[:place] for place, entry in enumerate(value)):
        raise refused("each entry once", value=value)
    return value


# Values along the axis of a figure, and of one with curves that have no marks.
_Axis = Annotated[Positives, AfterValidator(_differ)]
_CurveAxis = Annotated[_Axis, AfterValidator(_are_several)]
# Each entry of a population; which numbers are allowed depends on the others.
_Number = Annotated[int, Within(f"[0, {_MOST_PEOPLE}]", whole=True)]
_Epsilon = Annotated[float, Within("(0, 100]")]
_Household = Annotated[int, Within("[1, 100]", whole=True)]


class NoiseByProfile(Part):
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""

    failures: Annotated[
        list[InnerProbability], ListOf("a list of one to four probabilities", most=4), AfterValidator(_once)
    ]
    """Probabilities with which the odds may rise by more than the profile tolerates."""
    prior_odds: _CurveAxis
    """Prior odds ratios P10, two at least."""


class CaseControlNoises(Part):
    """What kinds of noise do to the odds in the case-control study."""

    error: Positive
    """Root mean square error, in cases, at which R10 is shown over the release."""
    errors: _CurveAxis
    """Root mean square errors, in cases, at which quantiles of R10 are computed; two at least."""
    probability: InnerProbability
    """Probability of the releases that a quantile leaves out."""


class LessInformed(Part):
    """How often the bounds (24) fail for an adversary who knows some of the other members only."""

    populations: Annotated[
        list[Annotated[list[_Number], ListOf("a population [n, m, ones]", 3, 3)]],
        ListOf("a list of one or two populations [n, m, ones]", most=2),
        AfterValidator(_once),
    ]
    """Populations [n, m, ones]: n people, at most 200, some with a one and some with a zero; m, two or more, in the data."""
    epsilon: _Epsilon
    """Privacy loss epsilon."""
    delta: InnerProbability
    """Probability delta that the privacy loss exceeds epsilon."""

    @model_validator(mode="after")
    def _are_populations(self) -> Self:
        for place, (population, sample, ones) in enumerate(self.populations):
            # With one member nobody is there whom an adversary might know, and people who are all alike move no belief.
            if not 2 <= sample < population or not 1 <= ones < population:
                allowed = "n, m and ones with 2 <= m < n and 1 <= ones < n"
                raise refused(allowed, ("populations", place), value=[population, sample, ones])
        return self


class Households(Part):
    """What is left of the bounds (24) where the members of a household enter the data together."""

    population: Annotated[int, Within("[2, 1000]", whole=True)]
    """Number n of people."""
    sample: Annotated[int, Within("[1, 999]", whole=True)]
    """Number m of people in the data."""
    sizes: Annotated[list[_Household], ListOf("a list of sizes of households"), AfterValidator(_once)]
    """Numbers of members of a household; population and sample are multiples of each."""
    epsilon: _Epsilon
    """Privacy loss epsilon for one person."""
    delta: InnerProbability
    """Probability delta that the privacy loss of one person exceeds epsilon."""

    @model_validator(mode="after")
    def _are_households(self) -> Self:
        if self.sample >= self.population:
            raise refused(f"a whole number below population = {self.population}", ("sample",), value=self.sample)
        for place, size in enumerate(self.sizes):
            if self.population % size or self.sample % size:
                allowed = f"a divisor of population = {self.population} and of sample = {self.sample}"
                raise refused(allowed, ("sizes", place), value=size)
            outside = (self.population - self.sample) // size
            if (size + 1) * math.comb(outside + size, size) > _MOST_DATASETS:
                words = f" = {size} gives more than {_MOST_DATASETS} datasets; allowed: fewer people outside the sample"
                raise said(words, ("sizes", place))
        return self


class AttributeInference(Part):
    """How a released mean of incomes changes the odds of sensitive incomes, and those of presence."""

    people: Annotated[int, Within("[2, 2000]", whole=True)]
    """People of the population, whose incomes are log-normal at equally likely places."""
    median: Positive
    """Median income."""
    spread: Positive
    """Standard deviation of the logarithm of an income."""
    highest: Positive
    """Upper end of the range that is stated for incomes, from 0; higher ones are moved to it."""
    above: Positive
    """Sensitive incomes of the first kind, a half-line: from here on."""
    between: Annotated[list[Positive], ListOf("two incomes, in order", least=2, most=2)]
    """Sensitive incomes of the second kind, an interval: its ends."""
    tails: Annotated[list[Positive], ListOf("two incomes, in order", least=2, most=2)]
    """Sensitive incomes of the third kind: up to the first, and from the second on."""
    epsilon: _Axis
    """Of the guarantee (probabilistic privacy, one record replaced)."""
    delta: InnerProbability
    """Of the guarantee."""
    factor: Annotated[float, Within("(1, 1e100]")]
    """A change of the odds whose probability is computed."""
    probability: InnerProbability
    """Probability of exceeding the factors that are computed."""

    @model_validator(mode="after")
    def _are_in_order(self) -> Self:
        for name in ("between", "tails"):
            low, high = getattr(self, name)
            if low > high:
                raise refused("two incomes, in order", (name,), value=[low, high])
        return self

    @model_validator(mode="after")
    def _are_guesses(self) -> Self:
        """A guess that is true of nobody, or of everybody, is none: no release changes its odds."""
        values = incomes(self.people, self.median, self.spread, self.highest)
        sensitive = {
            "above": values >= self.above,
            "between": (values >= self.between[0]) & (values <= self.between[1]),
            "tails": (values <= self.tails[0]) | (values >= self.tails[1]),
        }
        for name, chosen in sensitive.items():
            if chosen.all() or not chosen.any():
                wrong = f" = {getattr(self, name)} is true of {'everybody' if chosen.all() else 'nobody'}"
                allowed = f"incomes of some people and not of others, who have {values[0]:.6g} to {values[-1]:.6g}"
                raise said(f"{wrong}; allowed: {allowed}", (name,))
        return self


class Mechanisms(Part):
    """How far a release of the number of ones moves the posterior-to-prior ratio, mechanism by mechanism."""

    population: Annotated[int, Within("[2, 1000]", whole=True)]
    """Number n of people in the population, each with a 0 or a 1."""
    sample: Annotated[int, Within("[1, 999]", whole=True)]
    """Number m of people in the dataset, below n."""
    ones: Annotated[int, Within("[1, 999]", whole=True)]
    """Number of ones in the dataset, the target's among them; at most m."""
    ones_outside: Annotated[int, Within("[0, 999]", whole=True)]
    """Number of ones among the n - m people outside."""
    errors: _CurveAxis
    """Root mean square errors of the release, in people; two at least."""
    probability: InnerProbability
    """Probability of the releases that a quantile leaves out."""
    rate: Probability
    """Probability that a record is kept by the subsampled Gaussian mechanism."""
    releases: Annotated[int, Within("[1000, 1000000]", whole=True)]
    """Number of releases that are drawn of each mechanism that is simulated, at each error."""

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.sample >= self.population:
            raise said(f" = {self.sample}; allowed: below population = {self.population}", ("sample",))
        if self.ones > self.sample:
            raise said(f" = {self.ones}; allowed: at most sample = {self.sample}", ("ones",))
        if self.ones_outside > self.population - self.sample:
            words = f" = {self.ones_outside}; allowed: at most population - sample = {self.population - self.sample}"
            raise said(words, ("ones_outside",))
        return self


class OpenQuestions(Part):
    """Questions that both papers leave open. Null leaves one out."""

    @classmethod
    def words(cls) -> str:
        return "settings or null under the name of a question"

    noise_by_profile: NoiseByProfile | None = None
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""
    case_control_noises: CaseControlNoises | None = None
    """What kinds of noise do to the odds in the case-control study."""
    less_informed: LessInformed | None = None
    """How often the bounds (24) fail for an adversary who knows some of the other members only."""
    households: Households | None = None
    """What is left of the bounds (24) where the members of a household enter the data together."""
    attribute_inference: AttributeInference | None = None
    """How a released mean of incomes changes the odds of sensitive incomes, and those of presence."""
    mechanisms: Mechanisms | None = None
    """How far a release of the number of ones moves the posterior-to-prior ratio, mechanism by mechanism."""
