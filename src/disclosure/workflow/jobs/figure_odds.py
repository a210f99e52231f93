"""Figures of an odds risk profile and of a case-control study."""

import contextlib

from disclosure.beliefs import case_control
from disclosure.numerics import checks
from disclosure.plots.kinds import ENDINGS, kind_of
from disclosure.workflow import tables
from disclosure.workflow.options import add_design, number
from disclosure.workflow.plan import ODDS_FIGURES
from disclosure.workflow.profile_files import read_profile


def arguments(parser):
    parser.add_argument("figure", choices=ODDS_FIGURES)
    add_design(parser)
    parser.add_argument("--epsilon", type=number, required=True, help="of the release")
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help=f"names ending in {ENDINGS}")


def run(arguments):
    with contextlib.ExitStack() as stack:
        files = [(stack.enter_context(tables.own(path)), kind_of(path)) for path in arguments.output]
        from disclosure.plots import (
            odds,  # slow to import; the outputs are owned before
            style,  # slow to import; the outputs are owned before
        )

        profile = read_profile(arguments.profile)
        epsilon = checks.number("epsilon", arguments.epsilon, "(0, 100]")
        design = case_control.check(case_control.Design(arguments.participants, arguments.prevalence))
        figure = {
            "odds_risk_profile": lambda: odds.profile_figure(profile),
            "epsilon_by_prior_odds": lambda: odds.epsilon_figure(profile, design),
            "case_control_release": lambda: odds.release_figure(design, epsilon),
        }[arguments.figure]()
        for file, kind in files:
            file.write(style.rendered(figure, kind))
