"""Types of numbers that several settings have, and of parameters that take one value, a list of values or a range."""

from typing import Annotated

from disclosure.workflow.config.values import LARGEST, Range, Values, Within

__all__ = [
    "Count",
    "Counts",
    "HalfProbabilities",
    "InnerProbability",
    "Population",
    "Populations",
    "Positive",
    "Positives",
    "Probabilities",
    "Probability",
    "Seed",
]

Count = Annotated[int, Within(f"[1, {LARGEST}]", whole=True)]
Population = Annotated[int, Within(f"[2, {LARGEST}]", whole=True, infinite=True)]
# Seeds of 128 bits have room.
Seed = Annotated[int, Within("[0, 1e40]", whole=True)]
Positive = Annotated[float, Within("(0, inf)")]
Probability = Annotated[float, Within("(0, 1]")]
InnerProbability = Annotated[float, Within("(0, 1)")]
HalfProbability = Annotated[float, Within("(0, 0.5]")]


class CountRange(Range[Count]):
    """Whole numbers by their ends; those between are rounded."""


class PositiveRange(Range[Positive]):
    """Numbers above 0 by their ends."""


class ProbabilityRange(Range[Probability]):
    """Probabilities by their ends."""


class HalfProbabilityRange(Range[HalfProbability]):
    """Probabilities up to a half by their ends."""


Counts = Values[Count, CountRange]
Populations = Values[Population, CountRange]
Positives = Values[Positive, PositiveRange]
Probabilities = Values[Probability, ProbabilityRange]
HalfProbabilities = Values[HalfProbability, HalfProbabilityRange]
