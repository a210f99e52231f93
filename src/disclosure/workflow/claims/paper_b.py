"""Every number that paper B's example prints, beside the reproduced one, with a verdict.

Nothing in it is random. A number agrees if it is within half a unit of the printed one's last digit; *explained* is one that
is not, because the paper rounds it the wrong way.
"""

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

import pandas as pd

from disclosure.beliefs import case_control, odds, profiles
from disclosure.numerics import rounding
from disclosure.workflow.claims.verdicts import COLUMNS, NOT_RUN, half_unit

__all__ = ["compare"]

# The reproduced number; half a unit of the printed number's last digit, or None if the printed text shows it; a note.
Reproduced: TypeAlias = tuple[float, float | None, str]
# Relative margin of the half unit, for the rounding of two or three operations.
_ROUNDING = 1e-12


def compare(printed: Mapping[str, str], profile: profiles.RiskProfile, study: case_control.Study) -> pd.DataFrame:
    """Set paper B's printed numbers against a risk profile and a case-control study.

    Parameters
    ----------
    printed : dict of str to str
    profile : disclosure.beliefs.profiles.RiskProfile
    study : disclosure.beliefs.case_control.Study

    Returns
    -------
    pandas.DataFrame
        With the columns `COLUMNS`.
    """
    rows = []
    for name, text in printed.items():
        value, half, note = _ROWS[name](profile, study)
        agrees = abs(float(value) - float(text)) <= (half or half_unit(text)) * (1 + _ROUNDING)
        verdict = "agrees" if agrees else "explained" if name in _FLAWED else "deviates"
        if study != _PUBLISHED_STUDY or not _published(profile):
            verdict, note = "open", f"{NOT_RUN} profile and study"
        rows.append({"id": name, "printed": text, "reproduced": float(value), "verdict": verdict, "note": note})
    return pd.DataFrame(rows, columns=COLUMNS)


def _overshoot(text: str, bound: float) -> str:
    return f"printed rounded up: e^(2 x {text}) = {math.exp(2 * float(text)):.5g} exceeds B = {bound:g}"


def _rounded(profile: profiles.RiskProfile, study: case_control.Study) -> Reproduced:
    least = profiles.epsilon_for_any_prior(profile)
    value = rounding.round_down(least.epsilon, 2)
    kept = f"{value:g} and 0.30 keep the profile" if value >= 0.3 else f"{value:g} keeps the profile"
    return (
        value,
        None,
        f"0.35 breaks the profile: e^(2 x 0.35) = {math.exp(0.7):.5g} exceeds B = {least.bound:g}; {kept}",
    )


_ROWS: dict[str, Callable[[profiles.RiskProfile, case_control.Study], Reproduced]] = {
    "B.eps_800": lambda profile, study: (
        float(profiles.epsilon_for(profile, 800).epsilon),
        None,
        _overshoot("0.805", float(profile(800))),
    ),
    "B.eps_1": lambda profile, study: (
        float(profiles.epsilon_for(profile, 1).epsilon),
        None,
        _overshoot("0.347", float(profile(1))),
    ),
    "B.eps_min": lambda profile, study: (
        profiles.epsilon_for_any_prior(profile).epsilon,
        None,
        _overshoot("0.347", profiles.epsilon_for_any_prior(profile).bound),
    ),
    "B.P10": lambda profile, study: (
        float(odds.prior_odds_ratio(0.5, study.prevalence)),
        5.0,
        "printed as approximately 800, to the tens",
    ),
    "B.n": lambda profile, study: (study.participants, None, ""),
    "B.B_800": lambda profile, study: (float(profile(800)), None, ""),
    "B.B_1": lambda profile, study: (float(profile(1)), None, ""),
    "B.q": lambda profile, study: (_prior_of_a_case(study), None, "summed over both compositions of the study"),
    "B.argmin": lambda profile, study: (profiles.epsilon_for_any_prior(profile).prior_odds_ratio, None, ""),
    "B.rounded": _rounded,
}
_FLAWED = {"B.rounded"}


def _published(profile: profiles.RiskProfile) -> bool:
    """Whether a profile has what the paper's words say of its own, whichever reading of equation (13) it is."""
    least = profiles.epsilon_for_any_prior(profile)
    return (float(profile(1)), float(profile(800)), least.bound, least.prior_odds_ratio) == (2, 5, 2, 1)


_PUBLISHED_STUDY = case_control.Study(1095, 0.00125)


def _prior_of_a_case(study: case_control.Study) -> float:
    """P(case | in the study), over the even chance that the last person is one."""
    half = (study.participants - 1) // 2
    return (half / study.participants + (half + 1) / study.participants) / 2
