"""`choose` by an odds risk profile: noise with which no adversary's odds of anything rise further, but for a probability."""

import argparse
import json
from collections.abc import Iterator
from typing import Any

from disclosure.beliefs import profiles
from disclosure.mechanisms import odds_risk, privacy
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics import checks, errors, rounding
from disclosure.people.description import utility
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records
from disclosure.releases.budget import OddsIncrease
from disclosure.workflow.profile_files import read_profile

__all__ = ["answer", "tolerated"]


def tolerated(arguments: argparse.Namespace) -> OddsIncrease:
    """What the profile and ``--failure`` tolerate: the smallest bound decides, as any prior odds may be somebody's."""
    if arguments.largest_ratio is not None:
        raise errors.DomainError("--profile and --largest-ratio are both given; leave one of them out")
    if arguments.prior_free:
        raise errors.DomainError("--prior-free is for --largest-ratio; a profile is for every prior anyway")
    smallest = profiles.epsilon_for_any_prior(read_profile(arguments.profile))
    return OddsIncrease(smallest.bound, checks.number("failure", arguments.failure, "(0, 0.5]"))


def answer(arguments: argparse.Namespace, records: Records, query: LinearQuery) -> Iterator[str]:
    """Lines, or one of JSON, that say which noise a profile allows for one query."""
    asked = tolerated(arguments)
    smallest = profiles.epsilon_for_any_prior(read_profile(arguments.profile))
    sigma = rounding.round_up(float(odds_risk.sigma_any(asked.bound, asked.failure, query.sensitivity)))
    mu = query.sensitivity / sigma
    found: dict[str, Any] = {
        "relation": REPLACE_ONE,
        "criterion": "odds_risk_profile",
        "prior_odds_ratio": smallest.prior_odds_ratio,
        "bound": asked.bound,
        "failure": asked.failure,
        "sigma_from_ranges": sigma,
        "mu": mu,
        "rho": float(privacy.zcdp_rho(mu)),
    }
    if arguments.json:
        yield json.dumps(found)
        return
    yield f"sigma = {sigma:.12g} is safe to publish: only the stated ranges and the profile decide it."
    yield f"  Neighbours by {REPLACE_ONE}. For every table with these ranges and every adversary, the odds of any set of"
    yield f"  values of one person rise by more than a factor {asked.bound:g} with probability {asked.failure:g} at most, at"
    yield f"  this noise and at every larger one; the profile is smallest at P10 = {smallest.prior_odds_ratio:g}."
    yield f"  It costs rho = {found['rho']:.6g} of zero-concentrated privacy, mu = {mu:.6g}."
    yield from (f"  {line}" for line in utility(records, query, arguments.sample, sigma))
