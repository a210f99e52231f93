"""`choose` for a plan of several statistics: the noise of each, and what the splits of the total come to."""

import argparse
import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from disclosure.cli import choose_profile
from disclosure.cli.choose_text import RATIO
from disclosure.cli.planned_people import read_people
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics import errors
from disclosure.releases.answer import DELTA
from disclosure.releases.budget import OddsIncrease, Ratio
from disclosure.releases.choice import PlanNoise, noise_for_plan

__all__ = ["run"]

_SPLITS = {
    "shares": "The total in shares, equal ones unless the plan states others",
    "weights": "The total split so that the sum of weight times squared noise is the least",
}


def run(arguments: argparse.Namespace) -> None:
    """Print the noise of a plan that keeps what is tolerated."""
    from disclosure.workflow.config.release import read_plan  # slow to import, as all models are

    for name in ("query", "columns", "sample", "population"):
        if getattr(arguments, name) is not None:
            raise errors.DomainError(f"{name} = {getattr(arguments, name)} belongs into the plan; leave out --{name}")
    plan = read_plan(arguments.plan)
    plan, records = read_people(plan, arguments)
    every_prior = arguments.prior_free or records.weights is not None
    tolerated = _tolerated(arguments, every_prior)
    found = noise_for_plan(plan, records, tolerated, DELTA)
    if arguments.json:
        print(json.dumps({"relation": REPLACE_ONE, "splits": [_for_json(noise) for noise in found]}))
        return
    print(*_about(tolerated, plan.prior(len(records))), sep="\n")
    for noise in found:
        print(*_lines(noise), sep="\n")


def _tolerated(arguments: argparse.Namespace, every_prior: bool) -> Ratio | OddsIncrease:
    if arguments.criterion != RATIO:
        raise errors.DomainError(
            f"criterion = {arguments.criterion} is for one query; a plan has --largest-ratio or --profile"
        )
    if arguments.profile is not None:
        return choose_profile.tolerated(arguments)
    if arguments.largest_ratio is None:
        raise errors.DomainError("largest-ratio is missing; state what is tolerated by --largest-ratio or by --profile")
    return Ratio(arguments.largest_ratio, arguments.failure, every_prior)


def _about(tolerated: Ratio | OddsIncrease, prior: float) -> Iterator[str]:
    if isinstance(tolerated, Ratio):
        at = "whatever the prior is" if tolerated.every_prior else f"at the prior {prior:.4g}"
        yield f"Noise with which belief in anybody's presence rises by more than a factor {tolerated.largest:g}, {at},"
    else:
        yield f"Noise with which odds of anything rise by more than a factor {tolerated.bound:g}, for every adversary,"
    yield f"with probability {tolerated.failure:g} at most, by all statistics together; neighbours by {REPLACE_ONE}."


def _for_json(noise: PlanNoise) -> dict[str, Any]:
    people = noise.people._asdict() if noise.people else {}
    return {
        "split": noise.split,
        "rho": noise.budget.rho,
        "mu": noise.budget.mu,
        "weighted_error": None if noise.weighted_error != noise.weighted_error else noise.weighted_error,
        "from_ranges": [_number(accuracy) for accuracy in noise.accuracy],
        "depends_on_people": {
            "factor": people.pop("sigma", None),
            **{name: None if value != value else value for name, value in people.items()},
            "statistics": [_number(accuracy) for accuracy in noise.people_accuracy],
        },
    }


def _number(accuracy: Any) -> dict[str, Any]:
    names = ("statistic", "entry", "unit", "scale", "rho")
    return {name: value for name, value in dataclasses.asdict(accuracy).items() if name in names}


def _lines(noise: PlanNoise) -> Iterator[str]:
    yield ""
    weighted = f"; that sum is {noise.weighted_error:.6g}" if noise.weighted_error == noise.weighted_error else ""
    yield f"{_SPLITS[noise.split]}{weighted}: rho = {noise.budget.rho:.6g}, mu = {noise.budget.mu:.6g}"
    names = [f"{accuracy.statistic}: {accuracy.entry}" for accuracy in noise.accuracy]
    width = max(map(len, names)) + 2
    yield f"  {'':<{width}}{'sigma, safe to publish':>24}{'sigma for these people':>24}"
    for place, (name, accuracy) in enumerate(zip(names, noise.accuracy, strict=True)):
        people = f"{noise.people_accuracy[place].scale:.6g}" if noise.people_accuracy else "-"
        unit = f"  {accuracy.unit}" if accuracy.unit else ""
        yield f"  {name:<{width}}{accuracy.scale:>24.6g}{people:>24}{unit}"
    if noise.people is None:
        return
    if not noise.people_accuracy:
        yield "  Nobody in the table differs from anybody: no noise is needed for these people."
        return
    yield (
        f"  The right column is {noise.people.sigma:.4g} times the left one. It depends on the people in the table: whoever "
        "learns it"
    )
    yield (
        f"  learns something about them. The limit is largest for row {noise.people.person}, where some dataset comes to "
        f"{_known(noise.people.found)}."
    )


def _known(probability: float) -> str:
    return "a number that takes too long" if probability != probability else f"the probability {probability:.4g}"
