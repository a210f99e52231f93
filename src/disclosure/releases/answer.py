"""The answer about a planned release: what it may reveal, how accurate it is, and who of a table is how exposed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from disclosure.numerics import errors
from disclosure.numerics.types import Columns
from disclosure.people.asked import ASKED, Asked
from disclosure.people.limits import Limits
from disclosure.people.queries import LinearQuery, Query
from disclosure.people.records import Records, check_sample, sample_of
from disclosure.people.summary import by_exposure
from disclosure.people.targets import Targets, affordable
from disclosure.releases.accuracy import Accuracy, accuracies
from disclosure.releases.budget import Budget
from disclosure.releases.joint import RangeLimits, joint_movements, range_limits
from disclosure.releases.plan import NoisyPart, ReleasePlan, budget_of, with_noise
from disclosure.releases.stack import stacked

__all__ = ["DELTA", "People", "ReleaseAnswer", "answered", "population_of"]

DELTA = 1e-6
"""At which epsilons are told unless another delta is asked for."""


@dataclass(frozen=True)
class People:
    """How far the whole release moves belief in the presence of people of a table; whoever sees it learns about them.

    Attributes
    ----------
    movements : dict of str to ndarray
        The columns of `disclosure.releases.joint.joint_movements`, from the most exposed person on.
    targets : Targets
        Who was looked at.
    datasets : int
        Sampled datasets of each, where the worst is not known.
    table : Records
        With the columns that the statistics read.
    stack : Records
    query : Query
        As of `disclosure.releases.stack.stacked`.
    """

    movements: Columns
    targets: Targets
    datasets: int
    table: Records
    stack: Records
    query: Query


@dataclass(frozen=True)
class ReleaseAnswer:
    """What is known of a planned release.

    Attributes
    ----------
    plan : ReleasePlan
    population : float
        n.
    parts : tuple of NoisyPart
    accuracy : tuple of Accuracy
        Of every number that is released, in order.
    other_split : tuple of Accuracy
        The same with the total split equally, if it is split by the weights of the errors; otherwise empty.
    budget : Budget
    limits : RangeLimits
        For every table with the stated ranges.
    people : People, optional
        None without a table.
    """

    plan: ReleasePlan
    population: float
    parts: tuple[NoisyPart, ...]
    accuracy: tuple[Accuracy, ...]
    other_split: tuple[Accuracy, ...]
    budget: Budget
    limits: RangeLimits
    people: People | None = None


def population_of(plan: ReleasePlan, records: Records | None) -> tuple[float, Records | None]:
    """How many people the population has, and the records as a part of it.

    A table with as many rows as the stated population is the population; with fewer it is a sample of it.
    """
    if records is None:
        if plan.population is None:
            raise errors.DomainError("population is missing; state it in the plan, or name a table")
        check_sample(plan.population, plan.sample)
        known = math.isfinite(plan.population)
        return int(plan.population) if known else math.inf, None
    if plan.population is not None and plan.population != len(records):
        records = sample_of(records, plan.population)
    check_sample(records.size, plan.sample, records.left_out)
    return records.size, records


def answered(
    plan: ReleasePlan,
    records: Records | None = None,
    asked: Asked = ASKED,
    delta: float = DELTA,
    targets: int | None = None,
    datasets: int | None = None,
    seed: int = 1,
) -> ReleaseAnswer:
    """What is known of a planned release, about a table or about every table with its ranges.

    Parameters
    ----------
    plan : ReleasePlan
    records : Records, optional
        With the columns of `disclosure.releases.stack.columns_of`.
    asked : Asked, optional
        What is asked of the ratio of belief in presence.
    delta : float, optional
        At which epsilons are told.
    targets, datasets : int, optional
        As of `disclosure.people.targets.affordable`.
    seed : int, optional

    Returns
    -------
    ReleaseAnswer
    """
    population, records = population_of(plan, records)
    parts = with_noise(plan, population)
    found = budget_of(plan, parts, population, delta)
    weighed = any(planned.weights is not None for planned in plan.statistics)
    equal = accuracies(plan, with_noise(plan, population, by_errors=False), records) if weighed else ()
    prior = plan.prior(population)
    # With weights the priors depend on the people, and what is safe to publish holds for every prior.
    known = 0.0 if records is not None and records.weights is not None else prior
    people = None if records is None else _people(plan, records, parts, found, asked, targets, datasets, seed)
    return ReleaseAnswer(
        plan,
        population,
        parts,
        accuracies(plan, parts, records),
        equal,
        found,
        range_limits(found, known, asked),
        people,
    )


def _people(
    plan: ReleasePlan,
    table: Records,
    parts: Sequence[NoisyPart],
    found: Budget,
    asked: Asked,
    number: int | None,
    datasets: int | None,
    seed: int,
) -> People:
    records, query = stacked(table, plan, parts)
    exposed = None
    if found.normal and isinstance(query, LinearQuery):
        exposed = Limits(records, query, plan.sample).rise_of_all(1.0, asked.probability).place
    chosen, datasets = affordable(seed, records, plan.sample, number, datasets, exposed=exposed)
    moved = joint_movements(records, query, parts, found, plan.sample, chosen, datasets, seed, asked)
    order = by_exposure(moved)
    return People({name: column[order] for name, column in moved.items()}, chosen, datasets, table, records, query)
