"""Figures of an odds risk profile and of a case-control study."""

import contextlib

from disclosure.beliefs import case_control
from disclosure.numerics import checks
from disclosure.plots.formats import ENDINGS, format_of
from disclosure.workflow import tables
from disclosure.workflow.options import add_design, number
from disclosure.workflow.profile_files import read_profile


def _profile(profile, design, epsilon):
    from disclosure.plots import odds

    return odds.profile_figure(profile)


def _epsilon(profile, design, epsilon):
    from disclosure.plots import odds

    return odds.epsilon_figure(profile, design)


def _release(profile, design, epsilon):
    from disclosure.plots import odds

    return odds.release_figure(design, epsilon)


# By the name of the file: from a risk profile, a case-control study and the epsilon of its release.
FIGURES = {"odds_risk_profile": _profile, "epsilon_by_prior_odds": _epsilon, "case_control_release": _release}


def arguments(parser):
    parser.add_argument("figure", choices=FIGURES)
    add_design(parser)
    parser.add_argument("--epsilon", type=number, required=True, help="of the release")
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help=f"names ending in {ENDINGS}")


def run(arguments):
    with contextlib.ExitStack() as stack:
        files = [(stack.enter_context(tables.own(path)), format_of(path)) for path in arguments.output]
        from disclosure.plots import style  # slow to import; the outputs are owned before

        profile = read_profile(arguments.profile)
        epsilon = checks.number("epsilon", arguments.epsilon, "(0, 100]")
        design = case_control.check(case_control.Study(arguments.participants, arguments.prevalence))
        figure = FIGURES[arguments.figure](profile, design, epsilon)
        for file, kind in files:
            file.write(style.rendered(figure, kind))
