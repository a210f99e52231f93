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
        "failure_share_prior_free_mean": np.full(3, np.nan),
    }
    summary |= {
        "union_mass_mean": np.array([0.003, 0.0254, 0.02]),
        "failure_probability_mean": np.array([0.003, 1e-5, 2e-5]),
        "failure_probability_prior_free_mean": np.array([2e-5, 9e-6, 1e-5]),
        "ratio_probability": np.full(3, 0.001),
        "ratio_lower_quantile_smallest": np.array([0.5, 0.3, 0.1]),
        "ratio_upper_quantile_mean": np.array([1.5, 1.25, 1.4]),
        "ratio_upper_quantile_largest": np.array([2.5, 1.75, 4.0]),
    }
    assert extents.sentence(summary) == (
        "From m = 10 to 999,999: T_bar from 0.0254 to 0.003, the failure probability of the sampled datasets from 1e-05 to "
        "0.003, their ratio between 1 and 2,540, the failure probability of the wider bounds (26) from 9e-06 to 2e-05. Except "
        "with probability 0.001 a release multiplies the belief in the target by no more than 1.75 to 2.5 in any sampled "
        "dataset, 1.25 to 1.5 on average over them. Except with the same probability it multiplies it by no less than 0.3 to "
        "0.5."
    )
    # A sweep of expected values alone has no datasets to take quantiles of.
    summary["ratio_probability"] = np.full(3, np.nan)
    assert extents.sentence(summary).endswith("(26) from 9e-06 to 2e-05.")
    summary["failure_probability_mean"][1] = 0.0
    assert "their ratio" not in extents.sentence(summary)
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
