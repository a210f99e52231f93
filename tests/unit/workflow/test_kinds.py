"""Kinds of sweeps: what each makes its summary from, and what its commands are told."""

import pytest

from disclosure.workflow import kinds

POINT = {"population": 100, "sample": [90, 95], "epsilon": 1.0, "delta": 0.1}
STAGES = {"upper_limit": True, "simulate": True, "expect": True}
PEOPLE = {"table": "a.csv", "columns": ["a:0:1"], "query": "mean", "datasets": 7, "targets": 9, "clip": False}


def sweep(**entry):
    return kinds.sweep_of("mine", {**POINT, "attributes": "uniform", **entry}, {"datasets": 40})


@pytest.mark.parametrize(
    ("entry", "kind", "sources", "exact"),
    [
        (STAGES, kinds.SampledSweep, ("upper_limit", "simulate", "expect"), ("upper_limit", "expect")),
        ({**STAGES, "expect": False}, kinds.SampledSweep, ("upper_limit", "simulate"), ("upper_limit",)),
        ({**STAGES, "upper_limit": False, "expect": False}, kinds.SampledSweep, ("simulate",), ()),
        ({**STAGES, "upper_limit": False, "simulate": False}, kinds.ExpectedSweep, ("expect",), ("expect",)),
        (PEOPLE, kinds.PeopleSweep, ("expose",), ("expose",)),
    ],
    ids=["all", "no expected values", "releases alone", "expected values alone", "a table"],
)
def test_the_entry_of_a_sweep_says_its_kind_and_what_its_summary_is_made_from(entry, kind, sources, exact):
    found = sweep(**entry)
    assert type(found) is kind
    assert (found.sources(), found.sources("_exact")) == (sources, exact)


def test_commands_are_told_by_the_kind():
    sampled, expected, people = sweep(**STAGES), sweep(upper_limit=False, simulate=False, expect=True), sweep(**PEOPLE)
    assert [found.datasets for found in (sampled, expected, people)] == [40, 0, 7]
    assert [found.figure for found in (sampled, people)] == [
        ["--attributes", "uniform"],
        ["--people", "a.csv: mean of a"],
    ]
    assert (sampled.query, sampled.reading, sampled.targets) == ([], [], [])
    assert people.query == ["--query", "mean", "--columns", "a:0:1"]
    assert people.targets == ["--targets", "9"]
    assert people.reading == []
    assert sweep(**PEOPLE | {"weights": "w", "clip": True}).reading == ["--weights", "w", "--clip"]


def test_a_single_point_makes_no_figure():
    assert sweep(**STAGES).has_figure
    assert not sweep(**STAGES, sample=90).has_figure
