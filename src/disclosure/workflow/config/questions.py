"""Settings of the questions that both papers leave open, a model for each."""

from typing import Annotated

from disclosure.workflow.config.numbers import InnerProbability, Positive, Positives
from disclosure.workflow.config.values import ListOf, Part

__all__ = ["CaseControlNoises", "NoiseByProfile", "OpenQuestions"]


class NoiseByProfile(Part):
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""

    failures: Annotated[list[InnerProbability], ListOf("a list of one to four probabilities", most=4)]
    """Probabilities with which the odds may rise by more than the profile tolerates."""
    prior_odds: Positives
    """Prior odds ratios P10."""


class CaseControlNoises(Part):
    """What kinds of noise do to the odds in the case-control study."""

    error: Positive
    """Root mean square error, in cases, at which R10 is shown over the release."""
    errors: Positives
    """Root mean square errors, in cases, at which quantiles of R10 are computed."""
    probability: InnerProbability
    """Probability of the releases that a quantile leaves out."""


class OpenQuestions(Part):
    """Questions that both papers leave open. Null leaves one out."""

    noise_by_profile: NoiseByProfile | None
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""
    case_control_noises: CaseControlNoises | None
    """What kinds of noise do to the odds in the case-control study."""
