"""Settings of the questions that both papers leave open, a model for each."""

from typing import Annotated, Self

from pydantic import model_validator

from disclosure.workflow.config.numbers import Count, InnerProbability, Positive, Positives, Probability
from disclosure.workflow.config.values import LARGEST, ListOf, Part, Within, said

__all__ = ["CaseControlNoises", "Mechanisms", "NoiseByProfile", "OpenQuestions"]


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


class Mechanisms(Part):
    """How far a release of the number of ones moves the posterior-to-prior ratio, mechanism by mechanism."""

    population: Count
    """Number n of people in the population, each with a 0 or a 1."""
    sample: Count
    """Number m of people in the dataset, below n."""
    ones: Count
    """Number of ones in the dataset, the target's among them; at most m."""
    ones_outside: Annotated[int, Within(f"[0, {LARGEST}]", whole=True)]
    """Number of ones among the n - m people outside."""
    errors: Positives
    """Root mean square errors of the release, in people."""
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

    noise_by_profile: NoiseByProfile | None
    """Which Gaussian noise keeps the odds risk profile, except with a small probability."""
    case_control_noises: CaseControlNoises | None
    """What kinds of noise do to the odds in the case-control study."""
    mechanisms: Mechanisms | None
    """How far a release of the number of ones moves the posterior-to-prior ratio, mechanism by mechanism."""
