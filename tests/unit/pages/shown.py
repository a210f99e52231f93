"""Releases for tests of pages."""

from disclosure.pages import table
from disclosure.people.queries import Column, linear
from disclosure.people.records import Records
from disclosure.people.targets import targets
from tests.unit.people.tables import people

NOISE = table.Noise(
    [table.Mark(2.0, "this release"), table.Mark(3.5, "the other")], table.Guarantee("probabilistic", 0.01), "As asked."
)


def release(records=None, sample=4, noise=NOISE, probabilities=(1e-3,), query="mean", **options):
    """What a page shows of seven people, or of others."""
    records = people([[1], [2], [2], [3], [5], [6], [9]]) if records is None else records
    query = linear(query, records.columns, sample)
    everybody = targets(0, records, len(records))
    return table.release("people.csv", records, query, sample, everybody, noise, probabilities, **options)


def named(*names):
    """Five people with columns of these names."""
    columns = tuple(Column(name, 0.0, 1.0) for name in names)
    values = [[0.1 * (place + 1) * (k + 1) / len(names) for k in range(len(names))] for place in range(5)]
    return Records(columns, people(values).values)
