"""What a page says of its table, in the numbers of the run."""

import numpy as np

from disclosure.workflow import tables
from disclosure.workflow.report import extents


def test_a_page_says_in_numbers_what_its_table_shows():
    summary = {name: np.full(3, 1.0) for name in tables.SUMMARY}
    summary |= {
        "population": np.full(3, 10**6),
        "sample": np.array([999_999, 10, 500_000]),
        "failure_share_mean": np.full(3, np.nan),
    }
    summary |= {
        "union_mass_mean": np.array([0.003, 0.0254, 0.02]),
        "failure_probability_mean": np.array([0.003, 1e-5, 2e-5]),
    }
    assert extents.sentence(summary) == (
        "From m = 10 to 999,999: T_bar from 0.0254 to 0.003, the failure probability of the sampled datasets from 1e-05 to "
        "0.003, their ratio between 1 and 2,540."
    )
    summary["failure_probability_mean"][1] = 0.0
    assert "ratio" not in extents.sentence(summary)
    people = {
        name: np.full(2, 1.0)
        for name in tables.PEOPLE_SUMMARY
        if name not in ("sweep", "guarantee", "relation", "supremum")
    }
    people |= {
        "epsilon": np.array([0.5, 1.0]),
        "failure_probability_largest": np.array([0.01, 0.02]),
        "sigma": np.array([6.0, 3.0]),
    }
    assert extents.sentence(people) == (
        "From epsilon = 0.5 to 1: the largest upper limit from 1 to 1, the largest failure probability from 0.01 to 0.02, the "
        "upper bound of the ratio from 1 to 1, the expected error of the release from 6 to 3."
    )
    assert extents.sentence({name: values[:1] for name, values in summary.items()}) == ""
