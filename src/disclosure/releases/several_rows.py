"""People with several rows of a table each, which are replaced together.

What a person adds to the answers is the sum of what the rows add. With these sums in place of the rows, everything that holds
for people with one row each holds for people with several.
"""

import collections
import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray
from disclosure.people.queries import Column
from disclosure.people.records import Records
from disclosure.releases.plan import Planned, ReleasePlan

__all__ = ["by_person"]


def by_person(plan: ReleasePlan, records: Records, names: Sequence[str]) -> tuple[ReleasePlan, Records]:
    """A plan about people, and what each of them adds to the answers.

    Parameters
    ----------
    plan : ReleasePlan
        With ``person``.
    records : Records
        With the columns that the statistics read, a row for each record; without weights.
    names : sequence of str
        Of the person of every row of the file, those that were left out included.

    Returns
    -------
    ReleasePlan
        The same release, with statistics of what each person adds.
    Records
        One for each person, in the order and under the number of the person's first row.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a person with more rows than the plan states, and for weights.
    """
    if plan.person is None:
        raise errors.DomainError("person is missing; name the column that tells whose each row is")
    if records.weights is not None:
        raise errors.DomainError("weights are of rows, and a person has several; leave out --weights")
    rows = np.arange(len(records)) if records.rows is None else records.rows
    own = [names[row] for row in rows.tolist()]
    most, number = collections.Counter(own).most_common(1)[0]
    if number > plan.person.rows:
        raise errors.DomainError(
            f"person.rows = {plan.person.rows} is less than the {number} rows with {plan.person.column} = {most}; state the "
            "most that a person can have, whatever the data are, or leave rows out"
        )
    first = {name: place for place, name in reversed(list(enumerate(own)))}
    order = {name: place for place, name in enumerate(sorted(first, key=first.__getitem__))}
    of = np.array([order[name] for name in own])
    places = {column.name: place for place, column in enumerate(records.columns)}
    statistics, added = list[Planned](), list[FloatArray]()
    columns = list[Column]()
    for planned in plan.statistics:
        statistic = planned.statistic
        rows_add = statistic.features(records.values[:, [places[column.name] for column in statistic.columns]])
        names_of = [f"{statistic.name}: {label}" for part in statistic.parts for label in part.labels]
        entries = tuple(Column(name, -math.inf, math.inf) for name in names_of)
        statistics.append(_of_sums(planned, entries))
        columns += entries
        added.append(np.column_stack([np.bincount(of, column) for column in rows_add.T]))
    firsts = np.array([first[name] for name in order])
    people = dataclasses.replace(
        records, columns=tuple(columns), values=np.column_stack(added), rows=np.asarray(rows[firsts])
    )
    return dataclasses.replace(plan, statistics=tuple(statistics)), people


def _of_sums(planned: Planned, columns: tuple[Column, ...]) -> Planned:
    return dataclasses.replace(
        planned, statistic=dataclasses.replace(planned.statistic, columns=columns, features=_itself)
    )


def _itself(records: FloatArray) -> FloatArray:
    return records
