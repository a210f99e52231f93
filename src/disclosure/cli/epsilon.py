"""The command `disclosure epsilon`: the largest epsilon, or the least normal noise, that keeps an odds risk profile."""

import argparse
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from disclosure.beliefs import profiles
from disclosure.beliefs.profiles import RiskProfile
from disclosure.mechanisms import odds_risk, privacy
from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE, REPLACE_ONE
from disclosure.numerics import checks, errors, rounding
from disclosure.pages import profile as pages
from disclosure.plots.formats import ENDINGS, format_of
from disclosure.workflow import tables
from disclosure.workflow.options import number, whole
from disclosure.workflow.profile_files import read_profile

_PURE, _GAUSSIAN = "pure", "gaussian"
# Delta of the epsilon that is named beside normal noise, where none is stated: a usual one, and no part of the answer.
_AT_DELTA = 1e-6
# Name of the adversary of whom nothing is known, not even the prior odds.
_ANY = "any"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", metavar="FILE", help="YAML with knots: [[P10, B], ...] and scale (default: that of the paper)"
    )
    parser.add_argument(
        "--prior-odds", nargs="+", type=number, default=[], metavar="P10", help="prior odds ratios of known adversaries"
    )
    parser.add_argument(
        "--mechanism",
        choices=(_PURE, _GAUSSIAN),
        default=_PURE,
        help="any of pure privacy (default), or normal noise, which has none and needs --failure",
    )
    pure = parser.add_argument_group("pure privacy")
    pure.add_argument(
        "--bounded", action="store_true", help="for replace-one neighbours instead of added or removed records"
    )
    pure.add_argument("--figure", metavar="FILE", help=f"epsilon over prior odds ratios; a name ending in {ENDINGS}")
    pure.add_argument("--decimals", type=whole, metavar="N", help="of the rounded epsilon (default 2)")
    pure.add_argument("--page", metavar="FILE", help="a page on which the profile's knots can be dragged, in HTML")
    normal = parser.add_argument_group("normal noise, for replace-one neighbours")
    normal.add_argument(
        "--failure", type=number, metavar="P", help="probability with which the odds may rise by more than the profile"
    )
    normal.add_argument(
        "--at-delta", type=number, metavar="D", help=f"delta of the epsilons in the answer (default {_AT_DELTA:g})"
    )
    parser.add_argument("--json", action="store_true", help="for machines")


# Options that say something about one of the two only.
_OWN = {_PURE: ("bounded", "decimals", "figure", "page"), _GAUSSIAN: ("failure", "at_delta")}


def run(arguments: argparse.Namespace) -> None:
    other = _GAUSSIAN if arguments.mechanism == _PURE else _PURE
    for name in _OWN[other]:
        if getattr(arguments, name) not in (None, False):
            raise errors.DomainError(
                f"--{name.replace('_', '-')} belongs to --mechanism {other}; leave one of the two out"
            )
    profile = read_profile(arguments.profile) if arguments.profile is not None else profiles.PUBLISHED
    print(*(_pure if arguments.mechanism == _PURE else _normal)(profile, arguments), sep="\n")


def _written(profile: RiskProfile, relation: str, arguments: argparse.Namespace) -> list[str]:
    """Write the page and the figure that were asked for; their names."""
    kind = None if arguments.figure is None else format_of(arguments.figure)
    made: dict[str, Callable[[], bytes]] = {
        "page": lambda: pages.page(profile, relation, arguments.prior_odds).encode(),
        "figure": lambda: _figure(profile, relation, arguments.prior_odds, str(kind)),
    }
    wanted = {name: path for name in made if (path := getattr(arguments, name)) is not None}
    for name, path in wanted.items():
        if arguments.profile is not None and os.path.realpath(path) == os.path.realpath(arguments.profile):
            raise errors.DomainError(f"{name} = {path!r} would replace the profile that is read; name another file")
        with tables.own(path) as file:
            file.write(made[name]())
    return list(wanted.values())


def _figure(profile: RiskProfile, relation: str, prior_odds: Sequence[float], kind: str) -> bytes:
    """The largest epsilon for each prior odds ratio, with the known adversaries marked."""
    from disclosure.plots import odds, style  # slow to import

    known = [odds.Adversary("", ratio) for ratio in prior_odds]
    return style.rendered(odds.epsilon_figure(profile, known, relation), kind)


def _pure(profile: RiskProfile, arguments: argparse.Namespace) -> list[str]:
    """The largest epsilon against each adversary, as the lines of the answer."""
    decimals = 2 if arguments.decimals is None else arguments.decimals
    relation = REPLACE_ONE if arguments.bounded else ADD_REMOVE_ONE
    answers: list[tuple[str, profiles.Allowance | profiles.SmallestAllowance]] = [
        ("known", profiles.epsilon_for(profile, ratio, relation)) for ratio in arguments.prior_odds
    ]
    answers.append((_ANY, profiles.epsilon_for_any_prior(profile, relation)))
    files = _written(profile, relation, arguments)
    rows = [
        {
            "adversary": name,
            "prior_odds_ratio": float(answer.prior_odds_ratio),
            "bound": float(answer.bound),
            "epsilon": float(answer.epsilon),
            "rounded_down": rounding.round_down(float(answer.epsilon), decimals),
        }
        for name, answer in answers
    ]
    if arguments.json:
        return [json.dumps({"relation": relation, "answers": rows})]
    lines = [
        f"pure differential privacy, neighbours by {relation}",
        "P10: the adversary's odds that a value is sensitive if the person is in the data, over those if not, before the",
        "release; B: the factor by which the profile lets that ratio rise; epsilon: the largest that keeps to it",
    ]
    # As wide as the longest number: rounding to many decimals leaves all of a float's digits.
    width = max(len("rounded down"), *(len(str(row["rounded_down"])) for row in rows))
    lines.append(f"{'adversary':<10}{'P10':>12}{'B':>12}{'epsilon':>12}  {'rounded down':>{width}}")
    for row in rows:
        numbers = f"{row['prior_odds_ratio']:>12.6g}{row['bound']:>12.6g}{row['epsilon']:>12.6f}"
        lines.append(f"{row['adversary']:<10}{numbers}  {row['rounded_down']:>{width}}")
    if files:
        lines.append(f"written to {', '.join(files)}")
    return lines


def _normal(profile: RiskProfile, arguments: argparse.Namespace) -> list[str]:
    """The least normal noise against each adversary, as the lines of the answer."""
    if arguments.failure is None:
        raise errors.DomainError(
            "failure is missing; state by --failure how often the odds may rise further, like 1e-3"
        )
    failure = checks.number("failure", arguments.failure, "(0, 1)")
    delta = checks.number("at_delta", _AT_DELTA if arguments.at_delta is None else arguments.at_delta, "(0, 1)")
    least = profiles.epsilon_for_any_prior(profile)
    known = [(ratio, float(profiles.epsilon_for(profile, ratio).bound)) for ratio in arguments.prior_odds]
    rows = [
        {"adversary": name, **_noise(ratio, bound, failure, delta)}
        for name, (ratio, bound) in [
            *(("known", place) for place in known),
            (_ANY, (least.prior_odds_ratio, least.bound)),
        ]
    ]
    if arguments.json:
        about = {"relation": REPLACE_ONE, "failure": failure, "at_delta": delta}
        return [json.dumps({**about, **rows[-1], "answers": rows})]
    return [*_about(failure), *_table(rows), *_guarantees(rows[-1], delta)]


def _noise(ratio: float, bound: float, failure: float, delta: float) -> dict[str, float]:
    """The least noise for one bound B, and what the noise that is safe against every adversary keeps."""
    sigma = {
        name: float(noise(bound, failure))
        for name, noise in (
            ("sigma_any", odds_risk.sigma_any),
            ("sigma_informed", odds_risk.sigma_informed),
            ("sigma_zcdp", odds_risk.sigma_zcdp),
        )
    }
    mu = 1 / sigma["sigma_any"]
    return {
        "prior_odds_ratio": float(ratio),
        "bound": float(bound),
        **sigma,
        "mu": mu,
        "rho": float(privacy.zcdp_rho(mu)),
        "epsilon_approximate": float(privacy.approximate_epsilon(delta, mu)),
        "epsilon_probabilistic": float(privacy.probabilistic_epsilon(delta, mu)),
    }


def _about(failure: float) -> list[str]:
    return [
        f"normal noise, neighbours by {REPLACE_ONE}: the least standard deviation, in units of the sensitivity, with which",
        f"the odds rise by more than the factor B with probability {failure:g} at most, for an adversary who knows everybody",
        "else, for every adversary, and for every adversary if no more is known of the noise than its zero-concentrated",
        "privacy (zCDP); P10 is the adversary's prior odds ratio",
    ]


def _table(rows: Sequence[dict[str, Any]]) -> list[str]:
    columns = ("P10", "B", "knows others", "every", "by zCDP")
    lines = [f"{'adversary':<10}" + "".join(f"{name:>14}" for name in columns)]
    for row in rows:
        odds = f"{row['prior_odds_ratio']:>14.6g}{row['bound']:>14.6g}"
        noises = "".join(f"{_up(row[f'sigma_{name}']):>14}" for name in ("informed", "any", "zcdp"))
        lines.append(f"{row['adversary']:<10}{odds}{noises}")
    return lines


def _guarantees(row: dict[str, Any], delta: float) -> list[str]:
    return [
        f"noise of {_up(row['sigma_any'])}, safe against every adversary and any prior odds, keeps mu = {row['mu']:.6g}, "
        f"rho = {row['rho']:.6g} of zCDP,",
        f"and at delta = {delta:g} approximate privacy with epsilon = {row['epsilon_approximate']:.6g}, probabilistic with "
        f"{row['epsilon_probabilistic']:.6g}",
    ]


def _up(sigma: float) -> str:
    """Five digits, rounded up: less noise would break the profile."""
    return f"{rounding.round_up(sigma, 5):.5g}"
