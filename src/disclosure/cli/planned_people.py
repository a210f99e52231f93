"""The people of a table that a plan is about, as the subcommands read them."""

import argparse

from disclosure.people.reading import read, read_texts
from disclosure.people.records import Records
from disclosure.releases.plan import ReleasePlan
from disclosure.releases.several_rows import by_person
from disclosure.releases.stack import columns_of
from disclosure.workflow.people_options import reading

__all__ = ["read_people"]


def read_people(plan: ReleasePlan, arguments: argparse.Namespace) -> tuple[ReleasePlan, Records]:
    """A plan and its people: those of the rows, or of several rows each where the plan names whose they are."""
    how = reading(arguments)
    records = read(arguments.table, columns_of(plan), how)
    if plan.person is None:
        return plan, records
    return by_person(plan, records, read_texts(arguments.table, plan.person.column, how))
