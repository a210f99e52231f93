"""Adversaries of a case-control study, and the epsilon that a risk profile allows against each."""

import argparse

from disclosure.beliefs import case_control
from disclosure.numerics import rounding
from disclosure.workflow import tables
from disclosure.workflow.options import add_design, add_output, number
from disclosure.workflow.profile_files import read_profile


def arguments(parser: argparse.ArgumentParser) -> None:
    add_design(parser)
    parser.add_argument("--q0", type=number, nargs="*", default=[], help="further adversaries, by their q0")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        profile = read_profile(arguments.profile)
        design = case_control.Study(arguments.participants, arguments.prevalence)
        rows = case_control.adversaries(design, profile, arguments.q0)
        table = {
            "adversary": [row.name for row in rows],
            **{
                name: [getattr(row, name) for row in rows]
                for name in ("q", "q0", "prior_odds_ratio", "bound", "epsilon")
            },
            "epsilon_rounded_down": [rounding.round_down(row.epsilon, 2) for row in rows],
            "relation": [row.relation for row in rows],
        }
        tables.write(file, tables.ADVERSARIES, table)
