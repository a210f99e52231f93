"""Verdicts on the numbers and claims of paper A."""

import pathlib

import numpy as np
import pandas as pd
import pytest
import yaml

from disclosure.study import statistics
from disclosure.study.points import Point
from disclosure.workflow import sweeps
from disclosure.workflow.claims import page, paper_a, scale, verdicts

ROOT = pathlib.Path(__file__).resolve().parents[4]


NOTHING = paper_a.Study({}, {}, {}, {})


def study(**changes):
    """A made-up study at the published points whose columns a test can change."""
    columns = {}
    for sweep, points in scale.POINTS.items():
        x = np.linspace(0, 1, len(points))
        columns[sweep] = {"t": 0.015 - 0.001 * x, "e": 0.0005 + 0 * x, "f": 1e-4 * (1 + x), **changes.get(sweep, {})}
    return paper_a.Study(
        scale.POINTS,
        *({sweep: column[key] for sweep, column in columns.items()} for key in ("t", "e", "f")),
    )


def replications(centre, count=101, spread=0.02):
    """Copies of a study whose columns are scaled up and down."""
    scales = 1 + spread * np.linspace(-1, 1, count)[:, None]
    stacked = [
        {sweep: scales * values[None] for sweep, values in part.items()}
        for part in (centre.upper_limit, centre.upper_limit_error, centre.failure)
    ]
    return paper_a.Study(centre.points, *stacked)


def verdict(printed, centre=None, **scale):
    centre = study() if centre is None else centre
    effort = {"datasets": 1_000, "releases": 1_000_000, **scale}
    table = paper_a.compare(printed, centre, NOTHING, replications(centre), **effort)
    return table.set_index("id").loc[next(iter(printed))]


def test_a_number_agrees_within_the_range_and_half_a_unit_of_its_last_digit():
    row = verdict({"A.F1.sd_T.min": "5.00e-4"})
    assert (row.low, row.high) == pytest.approx((0.0005 * 0.981, 0.0005 * 1.019))
    for text, expected in (
        ("4.91e-4", "agrees"),
        ("4.89e-4", "deviates"),
        ("5.3e-4", "deviates"),
        ("5e-4", "agrees"),
    ):
        assert verdict({"A.F1.sd_T.min": text}).verdict == expected, text


def test_a_flawed_number_is_explained_only_if_it_comes_out():
    rate = statistics.published_standard_deviation(1e-4, 1_000, 1_000_000)
    assert verdict({"A.F1.sd_F.min": f"{rate:.2e}"}).verdict == "explained"
    assert verdict({"A.F1.sd_F.min": f"{2 * rate:.2e}"}).verdict == "deviates"


def test_expected_values_stand_beside_the_numbers_that_know_no_datasets():
    centre = study()
    expected = study(figure1={"t": np.full(40, 0.02), "f": np.full(40, 1e-4)})
    numbers = {"A.F1.mean_T": "1.49e-2", "A.F1.mean_gap": "1.48e-2", "A.F1.sd_T.min": "5e-4", "A.F1.slope_p": "1e-10"}
    table = paper_a.compare(numbers, centre, expected, replications(centre), 1_000, 1_000_000).set_index("id")
    assert table["expected"].tolist() == pytest.approx([0.02, 0.0199, np.nan, np.nan], nan_ok=True)
    assert table["reproduced"].notna().all()


def test_claims_are_judged_by_the_share_of_replications():
    rising = np.linspace(1e-4, 1.0, 40)
    assert verdict({"A.F3.monotone": ""}, study(figure3={"f": rising})).verdict == "agrees"
    assert verdict({"A.F3.monotone": ""}, study(figure3={"f": rising[::-1]})).verdict == "deviates"
    # T / F at the last epsilon is 10^2.5 in the middle replication: half of them keep the claim.
    edge = np.full(40, 0.015 / 10**2.4)
    edge[-1] = 0.014 / 10**2.5
    centre = study(figure1={"f": edge})
    many = replications(centre)
    wobbling = {**many.failure, "figure1": centre.failure["figure1"] * (1 + 0.01 * np.linspace(-1, 1, 101)[:, None])}
    steady = {**many.upper_limit, "figure1": np.tile(centre.upper_limit["figure1"], (101, 1))}
    table = paper_a.compare(
        {"A.F1.orders": "1e2"},
        centre,
        NOTHING,
        paper_a.Study(many.points, steady, many.upper_limit_error, wobbling),
        1_000,
        1_000_000,
    )
    assert table.verdict[0] == "open"


def test_a_study_with_other_parameters_is_not_judged():
    assert verdict({"A.F1.sd_T.min": "5.00e-4"}, datasets=500).verdict == "open"
    assert verdict({"A.F1.sd_T.min": "5.00e-4"}, releases=500).verdict == "open"
    assert verdict({"A.F1.sd_T.min": "5.00e-4"}, releases=0).verdict == "agrees"
    centre = study()
    other = paper_a.Study(
        {**centre.points, "figure1": [Point(100, 80, 1.0, 0.1)] * 40}, *list(vars(centre).values())[1:]
    )
    assert verdict({"A.F1.sd_T.min": "5.00e-4"}, other).verdict == "open"
    missing = paper_a.Study(
        {k: v for k, v in centre.points.items() if k != "figure1"}, *list(vars(centre).values())[1:]
    )
    row = paper_a.compare({"A.F1.sd_T.min": "5.00e-4"}, missing, NOTHING, replications(centre), 1_000, 1_000_000).iloc[
        0
    ]
    assert row.verdict == "open"
    assert row.note == "not run with the paper's points of figure1"


def test_every_printed_number_and_claim_of_paper_a_has_a_row():
    printed = pd.read_csv(ROOT / "resources/published.csv", dtype=str, keep_default_na=False)
    values = printed.loc[printed["paper"] == "A"].set_index("id")["value"].to_dict()
    assert set(values) == paper_a.IDS
    table = paper_a.compare(values, study(), NOTHING, replications(study()), 1_000, 1_000_000)
    # One number has a value at another parameter beside it.
    assert set(table["id"]) - set(values) == {"A.F3.F_at_095.exactly"}
    text = page.markdown(table, {"A.F3.F_at_095": "F at 0.95"}, "Heading")
    assert text.count("\n| A.") == len(table)
    assert text.count("| F at 0.95 ") == 2
    assert set(table["verdict"]) <= set(verdicts.VERDICTS)


def test_knee_and_coincidence_are_found_where_they_are():
    x = np.array([point.sample for point in scale.POINTS["figure2"]], dtype=float)
    knee, meets = x[26], x[31]
    bent = {"t": 1.0 - 0.001 * x - 0.01 * np.maximum(x - knee, 0)}
    assert verdict({"A.F2.knee": ""}, study(figure2=bent)).reproduced == knee
    failure = {"t": np.ones_like(x), "f": np.where(x >= meets, 1.0, 0.5)}
    assert verdict({"A.F2.coincide": "90"}, study(figure2=failure)).reproduced == meets


def test_the_scale_is_that_of_the_configuration():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    assert (settings["datasets"], settings["releases"]) == (scale.DATASETS, scale.RELEASES)
    for name, points in scale.POINTS.items():
        assert np.allclose(sweeps.sweep_points(settings["sweeps"][name]), points, rtol=1e-12, atol=0), name
