"""Settings of the questions that both papers leave open, a model for each."""

from typing import Annotated

from disclosure.workflow.config.numbers import InnerProbability, Positives
from disclosure.workflow.config.values import ListOf, Part

__all__ = ["NoiseByProfile", "OpenQuestions"]


class NoiseByProfile(Part):
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""

    failures: Annotated[list[InnerProbability], ListOf("a list of one to four probabilities", most=4)]
    """Probabilities with which the odds may rise by more than the profile tolerates."""
    prior_odds: Positives
    """Prior odds ratios P10."""


class OpenQuestions(Part):
    """Questions that both papers leave open. Null leaves one out."""

    noise_by_profile: NoiseByProfile | None
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""
