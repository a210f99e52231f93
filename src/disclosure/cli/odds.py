"""The command `disclosure odds`: what an epsilon lets an adversary's odds become."""

import argparse
import json
import math
import sys

from disclosure.beliefs import odds
from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE, REPLACE_ONE
from disclosure.numerics import errors
from disclosure.workflow.options import number


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--epsilon", type=number, required=True)
    parser.add_argument(
        "--q", type=number, required=True, help="prior probability given that the person is in the data"
    )
    parser.add_argument("--q0", type=number, required=True, help="the same given that the person is not")
    parser.add_argument(
        "--bounded", action="store_true", help="for replace-one neighbours instead of added or removed records"
    )
    parser.add_argument("--json", action="store_true", help="for machines")


def run(arguments: argparse.Namespace) -> None:
    epsilon, q, q0 = arguments.epsilon, arguments.q, arguments.q0
    prior = odds.prior_odds_ratio(q, q0)
    relation = REPLACE_ONE if arguments.bounded else ADD_REMOVE_ONE
    # Odds may rise by e^(2 epsilon), or by e^epsilon. They must stay finite, for JSON has no infinity.
    room = math.log(sys.float_info.max) - max(0.0, math.log(prior), math.log(q / (1 - q)))
    largest = math.floor(room / (1 if arguments.bounded else 2))
    if epsilon > largest:
        raise errors.DomainError(
            f"epsilon = {epsilon:g} makes odds too large for a number; state one of at most {largest}"
        )
    ratio = odds.odds_ratio_bounds(epsilon, prior, relation)
    included = odds.odds_bounds(epsilon, q, q0, relation)
    risk = odds.posterior_to_posterior_bounds(epsilon, q, q0, relation)
    rows = {
        "prior_odds_ratio": [float(prior)],
        "posterior_odds_ratio": [float(ratio.lower), float(ratio.upper)],
        "odds_excluded": [float(included.excluded)],
        "odds_included": [float(included.lower), float(included.upper)],
        "posterior_to_posterior_risk": [float(risk.lower), float(risk.upper)],
    }
    if arguments.json:
        print(json.dumps({"relation": ratio.relation, **rows}))
        return
    print(f"pure differential privacy with epsilon = {epsilon:g}, neighbours by {ratio.relation}")
    print(
        "odds are those that the person's value is sensitive; P10 and R10 are odds in the data over odds outside of it;"
    )
    print("R1 is of probabilities: that the value is sensitive, after the release, in the data over outside of it")
    labels = {
        "prior_odds_ratio": "prior odds ratio (P10)",
        "posterior_odds_ratio": "posterior odds ratio (R10)",
        "odds_excluded": "odds of somebody who is not in the data",
        "odds_included": "posterior odds of somebody who is",
        "posterior_to_posterior_risk": "posterior-to-posterior risk (R1)",
    }
    for name, values in rows.items():
        print(f"{labels[name]:<42}" + " to ".join(f"{value:.6g}" for value in values))
