"""Figures of an odds risk profile and of a case-control study."""

import argparse
from typing import TYPE_CHECKING

from disclosure.beliefs import case_control
from disclosure.beliefs.case_control import Study
from disclosure.beliefs.profiles import RiskProfile
from disclosure.numerics import checks
from disclosure.workflow import figures
from disclosure.workflow.options import add_design, number
from disclosure.workflow.profile_files import read_profile

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The adversaries of the study who are marked.
_WHO = {"prevalence": "knows the prevalence", "naive": "naive adversary"}


def _profile(profile: RiskProfile, study: Study, epsilon: float) -> "Figure":
    from disclosure.plots import odds

    return odds.profile_figure(profile)


def _epsilon(profile: RiskProfile, study: Study, epsilon: float) -> "Figure":
    from disclosure.plots import odds

    known = [row for row in case_control.adversaries(study, profile) if row.name in _WHO]
    return odds.epsilon_figure(profile, [odds.Adversary(_WHO[row.name], row.prior_odds_ratio) for row in known])


def _release(profile: RiskProfile, study: Study, epsilon: float) -> "Figure":
    from disclosure.plots import odds

    return odds.release_figure(study, epsilon)


# By the name of the file: from a risk profile, a case-control study and the epsilon of its release.
FIGURES = {"odds_risk_profile": _profile, "epsilon_by_prior_odds": _epsilon, "case_control_release": _release}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("figure", choices=FIGURES)
    add_design(parser)
    parser.add_argument("--epsilon", type=number, required=True, help="of the release")
    figures.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    figures.write(arguments.output, lambda: _figure(arguments))


def _figure(arguments: argparse.Namespace) -> "Figure":
    profile = read_profile(arguments.profile)
    epsilon = checks.number("epsilon", arguments.epsilon, "(0, 100]")
    study = case_control.check(Study(arguments.participants, arguments.prevalence))
    return FIGURES[arguments.figure](profile, study, epsilon)
