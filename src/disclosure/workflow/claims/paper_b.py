"""Every number that paper B's example prints, beside the reproduced one, with a verdict.

Nothing in it is random. A number agrees if it is within half a unit of the printed one's last digit. What the configuration
puts in by hand, and what is so for every study, is an *identity*: it is checked, but tells nothing about the paper.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from disclosure.beliefs import case_control, odds, profiles
from disclosure.numerics import rounding
from disclosure.workflow.claims.verdicts import COLUMNS, NOT_RUN, half_unit

__all__ = ["IDS", "Example", "compare", "example"]

# Relative margin for the rounding of two or three operations.
_ROUNDING = 1e-12
# Prior odds ratios at which the smallest epsilon is looked for: 10^-4 to 10^4, a hundredth of a decade apart.
_PRIORS = np.logspace(-4, 4, 801)
# The paper prints P10 as approximately 800, to the tens, and may round epsilon for convenience, in steps of 0.05.
_TENS, _STEP = 5.0, 0.05


class Example(NamedTuple):
    """The numbers of the case-control study of section 4, under one reading of equation (13).

    ``of_paper`` tells whether the study is the paper's, and the profile one that has the bounds 2 and 5 of section 4.
    """

    of_paper: bool
    participants: float
    bound_tenth: float
    """B at the prior odds ratio 0.1."""
    bound_1: float
    bound_10: float
    bound_800: float
    epsilon_1: float
    """Largest epsilon at the prior odds ratio 1."""
    epsilon_800: float
    epsilon_least: float
    """Smallest of them over prior odds ratios from 10^-4 to 10^4."""
    argmin: float
    """Prior odds ratio at which it is reached."""
    epsilon_min: float
    """Smallest of them over all prior odds ratios, from the knots."""
    bound_min: float
    """B there."""
    prevalence_odds: float
    """Prior odds ratio of the adversary who knows the prevalence."""
    naive_odds: float
    """Prior odds ratio of the adversary for whom a case is as likely as not."""
    prior_of_a_case: float
    """P(case | in the study)."""
    given_away: float
    """Probability that the design gives away the status of the last person, to who knows all others'."""


def example(profile: profiles.RiskProfile, study: case_control.Study) -> Example:
    """The numbers of the example for a profile and a study.

    Parameters
    ----------
    profile : disclosure.beliefs.profiles.RiskProfile
    study : disclosure.beliefs.case_control.Study

    Returns
    -------
    Example
    """
    bounds = [float(profile(place)) for place in (0.1, 1, 10, 800)]
    epsilons = np.asarray(profiles.epsilon_for(profile, _PRIORS).epsilon)
    least = profiles.epsilon_for_any_prior(profile)
    others = case_control.cases_among_others(study.participants, 1)
    certain = np.asarray(case_control.probability_of_case(study.participants, others.cases)) == 1
    return Example(
        of_paper=study == _STUDY and (bounds[1], bounds[3]) == (2, 5),
        participants=study.participants,
        bound_tenth=bounds[0],
        bound_1=bounds[1],
        bound_10=bounds[2],
        bound_800=bounds[3],
        epsilon_1=float(profiles.epsilon_for(profile, 1).epsilon),
        epsilon_800=float(profiles.epsilon_for(profile, 800).epsilon),
        epsilon_least=float(epsilons.min()),
        argmin=float(_PRIORS[epsilons.argmin()]),
        epsilon_min=least.epsilon,
        bound_min=least.bound,
        prevalence_odds=float(odds.prior_odds_ratio(0.5, study.prevalence)),
        naive_odds=float(odds.prior_odds_ratio(0.5, 0.5)),
        prior_of_a_case=_prior_of_a_case(study),
        given_away=float(others.probability[certain].sum()),
    )


_STUDY = case_control.Study(1095, 0.00125)


def _prior_of_a_case(study: case_control.Study) -> float:
    """P(case | in the study), over the even chance that the last person is one."""
    half = (study.participants - 1) // 2
    return (half / study.participants + (half + 1) / study.participants) / 2


@dataclass(frozen=True)
class _Number:
    """A printed number.

    Attributes
    ----------
    value : callable
        The reproduced number.
    note : callable, optional
        From the printed text and the example.
    half : float, optional
        How far the printed number may be off; half a unit of its last digit by default.
    identity : bool, optional
        Whether it is put in by hand, or the same for every study; then it has to come out exactly.
    """

    value: Callable[[Example], float]
    note: Callable[[str, Example], str] = lambda text, numbers: ""
    half: float | None = None
    identity: bool = False

    def verdict(self, text: str, numbers: Example) -> str:
        """The verdict on the printed text."""
        half = half_unit(text) if self.half is None else self.half
        near = _ROUNDING * abs(float(text)) if self.identity else half * (1 + _ROUNDING)
        if abs(self.value(numbers) - float(text)) > near:
            return "deviates"
        return "identity" if self.identity else "agrees"


class _Rounded(_Number):
    """A budget that the paper rounds for convenience.

    It agrees if it is the rounded budget and keeps the profile, is explained if it is and breaks it, and deviates otherwise.
    """

    def verdict(self, text: str, numbers: Example) -> str:
        steps = numbers.epsilon_min / _STEP
        if not any(math.isclose(float(text), side * _STEP) for side in (math.floor(steps), math.ceil(steps))):
            return "deviates"
        return "agrees" if math.exp(2 * float(text)) <= numbers.bound_min else "explained"


def _overshoot(bound: Callable[[Example], float]) -> Callable[[str, Example], str]:
    """A note on a budget that is rounded up."""

    def note(text: str, numbers: Example) -> str:
        reached = math.exp(2 * float(text))
        over = f"printed rounded up: e^(2 x {text}) = {reached:.5g} exceeds B = {bound(numbers):g}"
        return over if reached > bound(numbers) else ""

    return note


def _kept(text: str, numbers: Example) -> str:
    reached, bound = math.exp(2 * float(text)), numbers.bound_min
    if reached > bound:
        return f"{text} breaks the profile: e^(2 x {text}) = {reached:.5g} exceeds B = {bound:g}"
    return f"{text} keeps the profile: e^(2 x {text}) = {reached:.5g} is below B = {bound:g}"


def _given(text: str, numbers: Example) -> str:
    return "put in by hand: config.yaml has it, or a profile that is made to have it"


_ROWS: dict[str, _Number] = {
    "B.eps_800": _Number(lambda numbers: numbers.epsilon_800, _overshoot(lambda numbers: numbers.bound_800)),
    "B.eps_1": _Number(lambda numbers: numbers.epsilon_1, _overshoot(lambda numbers: numbers.bound_1)),
    "B.eps_min": _Number(lambda numbers: numbers.epsilon_min, _overshoot(lambda numbers: numbers.bound_min)),
    "B.P10": _Number(
        lambda numbers: numbers.prevalence_odds,
        lambda text, numbers: "printed as approximately 800, to the tens",
        half=_TENS,
    ),
    "B.P10_naive": _Number(
        lambda numbers: numbers.naive_odds, lambda text, numbers: "the same odds with and without", identity=True
    ),
    "B.n": _Number(lambda numbers: numbers.participants, _given, identity=True),
    "B.B_tenth": _Number(
        lambda numbers: numbers.bound_tenth,
        lambda text, numbers: (
            "the profile is a reading of equation (13), which the text at hand lacks, with the knot (0.1, 10); the line from "
            "(0, 10) to (1, 2) has 9.2 there"
        ),
        identity=True,
    ),
    "B.B_1": _Number(lambda numbers: numbers.bound_1, _given, identity=True),
    "B.B_10": _Number(lambda numbers: numbers.bound_10, _given, identity=True),
    "B.B_800": _Number(lambda numbers: numbers.bound_800, _given, identity=True),
    "B.q": _Number(
        lambda numbers: numbers.prior_of_a_case,
        lambda text, numbers: "summed over both compositions of the study; one half for every 2n + 1",
        identity=True,
    ),
    "B.argmin": _Number(
        lambda numbers: numbers.argmin,
        lambda text, numbers: (
            f"searched from 10^-4 to 10^4; epsilon is {numbers.epsilon_least:.4g} there, {numbers.epsilon_min:.4g} by knots"
        ),
    ),
    "B.rounded": _Rounded(lambda numbers: rounding.round_down(numbers.epsilon_min, 2), _kept),
    "B.rounded_down": _Rounded(lambda numbers: rounding.round_down(numbers.epsilon_min, 2), _kept),
    "B.not_certain": _Number(
        lambda numbers: numbers.given_away,
        lambda text, numbers: (
            "shown: probability that the design alone gives away a participant's status to who knows all others', n / (2n + 1);"
            " it is 0 only for the person who was drawn last"
        ),
        half=0.0,
    ),
}
# Ids of the printed numbers that there is a rule for.
IDS = frozenset(_ROWS)


def compare(printed: Mapping[str, str], numbers: Example) -> pd.DataFrame:
    """Set paper B's printed numbers against those of an example.

    Parameters
    ----------
    printed : dict of str to str
    numbers : Example

    Returns
    -------
    pandas.DataFrame
        With the columns `COLUMNS`.
    """
    rows = []
    for name, text in printed.items():
        row = _ROWS[name]
        verdict, note = row.verdict(text, numbers), row.note(text, numbers)
        if not numbers.of_paper:
            verdict, note = "open", f"{NOT_RUN} profile and study"
        rows.append({"id": name, "printed": text, "reproduced": row.value(numbers), "verdict": verdict, "note": note})
    return pd.DataFrame(rows, columns=COLUMNS)
