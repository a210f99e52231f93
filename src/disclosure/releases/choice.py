"""How much noise a plan needs for what is tolerated: by the stated ranges alone, and for the people of a table.

The ranges and the numbers of people decide the total, and a split of it the noise of each statistic. For the people of a table
all noise may then be less by one factor: the smallest at which, and at every larger one, nobody in any dataset is exposed more
than is tolerated.
"""

import dataclasses
from dataclasses import dataclass

from disclosure.numerics import errors, rounding
from disclosure.people.choice import RatioNoise, sigma_for_ratio
from disclosure.people.records import Records
from disclosure.releases.accuracy import Accuracy, accuracies
from disclosure.releases.answer import population_of
from disclosure.releases.budget import Budget, Guarantee, Ratio
from disclosure.releases.plan import NoisyPart, ReleasePlan, budget_of, weighted_error, with_noise
from disclosure.releases.stack import stacked

__all__ = ["SPLITS", "PlanNoise", "noise_for_plan"]

SPLITS = ("shares", "weights")
"""How a total is split: by shares, equal ones unless stated, or so that the weighted sum of squared noise is the least."""


@dataclass(frozen=True)
class PlanNoise:
    """The noise of a plan by one split.

    Attributes
    ----------
    split : str
        One of `SPLITS`.
    accuracy : tuple of Accuracy
        With the noise that is enough for every table with the stated ranges, which is safe to publish.
    budget : Budget
        Of that noise.
    weighted_error : float
        The sum of weight times squared scale over all parts, with that noise; NaN where the plan has no weights.
    people : RatioNoise, optional
        For the people of the table; its ``sigma`` is the factor that all noise may be multiplied by. None where what is
        tolerated is not about presence.
    people_accuracy : tuple of Accuracy
        With that noise, which depends on the people; empty without it, or where no noise is needed.
    """

    split: str
    accuracy: tuple[Accuracy, ...]
    budget: Budget
    weighted_error: float
    people: RatioNoise | None
    people_accuracy: tuple[Accuracy, ...]


def noise_for_plan(
    plan: ReleasePlan, records: Records | None, tolerated: Guarantee, delta: float
) -> tuple[PlanNoise, ...]:
    """The noise of a plan that keeps what is tolerated, by every split that the plan has numbers for.

    Parameters
    ----------
    plan : ReleasePlan
        All of whose noise is open, and normal.
    records : Records, optional
        With the columns that the statistics read.
    tolerated : Guarantee
    delta : float
        At which epsilons are told.

    Returns
    -------
    tuple of PlanNoise
        By shares, and after it by weights if there are any.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For noise that is stated or not normal, for what was spent before, and for a table that is a sample of its population.
    """
    if stated := next((planned.statistic.name for planned in plan.statistics if planned.scales is not None), None):
        raise errors.DomainError(
            f"statistics.{stated} states its sigma; leave it out, as the noise of all is to be chosen"
        )
    if not plan.normal:
        raise errors.DomainError(
            "noise of some statistics is not gaussian; noise can be chosen for gaussian noise only"
        )
    if plan.spent:
        raise errors.DomainError(
            "spent is stated; noise is chosen for a release alone: state what is tolerated as its budget, and see the release"
        )
    population, whole = population_of(plan, records)
    if whole is not None and whole.population is not None:
        raise errors.DomainError(
            f"population = {population:.15g} is not the {len(whole):,} rows of the table; noise is chosen for a table that is "
            "the whole population"
        )
    total = dataclasses.replace(plan, total=tolerated)
    weighed = any(planned.weights is not None for planned in plan.statistics)
    return tuple(
        _noise(total, whole, tolerated, population, split, delta) for split in (SPLITS if weighed else SPLITS[:1])
    )


def _noise(
    plan: ReleasePlan, records: Records | None, tolerated: Guarantee, population: float, split: str, delta: float
) -> PlanNoise:
    parts = with_noise(plan, population, by_errors=split == "weights")
    found = budget_of(plan, parts, population, delta)
    weighted = weighted_error(plan, parts)
    if records is None or not isinstance(tolerated, Ratio):
        return PlanNoise(split, accuracies(plan, parts, records), found, weighted, None, ())
    stack, query = stacked(records, plan, parts)
    least = sigma_for_ratio(stack, query, plan.sample, tolerated.largest, tolerated.failure, tolerated.every_prior)
    smaller = tuple(_scaled(part, least.sigma) for part in parts) if least.sigma else ()
    return PlanNoise(
        split,
        accuracies(plan, parts, records),
        found,
        weighted,
        least,
        accuracies(plan, smaller, records) if smaller else (),
    )


def _scaled(part: NoisyPart, factor: float) -> NoisyPart:
    return dataclasses.replace(part, scale=rounding.round_up(part.scale * factor))
