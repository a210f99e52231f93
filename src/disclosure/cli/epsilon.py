"""The command `disclosure epsilon`: the largest epsilon that an odds risk profile allows."""

import argparse
import json

from disclosure.beliefs import profiles
from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE, REPLACE_ONE
from disclosure.numerics import rounding
from disclosure.workflow.options import number, whole
from disclosure.workflow.profile_files import read_profile


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", required=True, metavar="FILE", help="YAML with knots: [[P10, B], ...] and scale")
    parser.add_argument(
        "--prior-odds", nargs="+", type=number, default=[], metavar="P10", help="prior odds ratios of known adversaries"
    )
    parser.add_argument(
        "--bounded", action="store_true", help="for replace-one neighbours instead of added or removed records"
    )
    parser.add_argument("--decimals", type=whole, default=2, metavar="N", help="of the rounded epsilon (default 2)")
    parser.add_argument("--json", action="store_true", help="for machines")


def run(arguments: argparse.Namespace) -> None:
    profile = read_profile(arguments.profile)
    relation = REPLACE_ONE if arguments.bounded else ADD_REMOVE_ONE
    answers: list[tuple[str, profiles.Allowance | profiles.SmallestAllowance]] = [
        ("known", profiles.epsilon_for(profile, ratio, relation)) for ratio in arguments.prior_odds
    ]
    answers.append(("any", profiles.epsilon_for_any_prior(profile, relation)))
    rows = [
        {
            "adversary": name,
            "prior_odds_ratio": float(answer.prior_odds_ratio),
            "bound": float(answer.bound),
            "epsilon": float(answer.epsilon),
            "rounded_down": rounding.round_down(float(answer.epsilon), arguments.decimals),
        }
        for name, answer in answers
    ]
    if arguments.json:
        print(json.dumps({"relation": relation, "answers": rows}))
        return
    print(f"pure differential privacy, neighbours by {relation}")
    print(f"{'adversary':<10}{'P10':>12}{'B':>12}{'epsilon':>12}{'rounded down':>14}")
    for row in rows:
        numbers = f"{row['prior_odds_ratio']:>12.6g}{row['bound']:>12.6g}{row['epsilon']:>12.6f}"
        print(f"{row['adversary']:<10}{numbers}{row['rounded_down']:>14}")
