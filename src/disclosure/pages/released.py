"""What a release publishes, in words for those who decide: from stated ranges and the plan, and nothing from the people."""

from typing import NamedTuple

from disclosure.pages.shown import Release, Statistic
from disclosure.pages.words import number

__all__ = ["Released", "released"]

# Entries of a statistic that are named one by one.
_NAMED = 8
_KINDS = {
    "mean": "mean of {}",
    "sum": "sum of {}",
    "identity": "everybody's record: {}",
    "least_squares": "sums for a least squares fit, of columns scaled to −1 to 1: {}",
}


class Released(NamedTuple):
    """Numbers of one statistic with noise of one scale: its name, what they are, their unit, and the noise of each."""

    name: str
    what: str
    unit: str
    sigma: float


def released(release: Release) -> list[Released]:
    """What is released, a row for each statistic and each noise that its numbers have."""
    alike: dict[tuple[str, float], list[Statistic]] = {}
    for statistic in release.statistics:
        alike.setdefault((statistic.part_of or statistic.name, statistic.sigma), []).append(statistic)
    return [
        Released(name, _what(numbers, release.rows), numbers[0].unit, sigma) for (name, sigma), numbers in alike.items()
    ]


def _what(numbers: list[Statistic], rows: int) -> str:
    """The kind of some numbers, which they are, and the ranges that decide about their noise."""
    entries = [statistic.entry for statistic in numbers]
    listed = "; ".join(entries[:_NAMED]) + (f"; and {len(entries) - _NAMED:,} more" if len(entries) > _NAMED else "")
    columns = dict.fromkeys(column for statistic in numbers for column in statistic.columns)
    ranges = [
        f"{'' if entries == [column.name] else column.name + ' '}from {number(column.low)} to {number(column.high)}"
        for column in columns
        if column.stated
    ]
    who = "people" if rows == 1 else "rows"
    counted = f"{who} in each of {len(entries):,} cells: {{}}" if numbers[0].query == "table" else f"{who} with {{}}"
    what = _KINDS.get(numbers[0].query, counted).format(listed)
    return f"{what} ({', '.join(ranges)})" if ranges else what
