"""Verdicts on the numbers and claims of paper A."""

import functools
import pathlib

import numpy as np
import pandas as pd
import pytest
import yaml

from disclosure.study import statistics
from disclosure.study.points import Point
from disclosure.workflow import sweeps
from disclosure.workflow.claims import computed, page, paper_a, scale, verdicts
from disclosure.workflow.claims.rows import Evidence
from disclosure.workflow.claims.studies import Study

ROOT = pathlib.Path(__file__).resolve().parents[4]
TABLE = pd.read_csv(ROOT / "resources/published.csv", dtype=str, keep_default_na=False)
PRINTED = TABLE.loc[TABLE["paper"] == "A"].set_index("id")["value"].to_dict()
NOTHING = Study({}, {}, {}, {})
# Places of the 40 points of a figure; T, T / F and the standard error of T there, much as in a run, and so that nearly all
# of the printed numbers come out.
PLACES = [0, 10, 20, 30, 34, 37, 38, 39]
KNOWN = {
    "figure1": (
        [0.01655, 0.01571, 0.01486, 0.01402, 0.01368, 0.01343, 0.01334, 0.01326],
        [71.8, 107, 140, 198, 230, 258, 268, 279],
        [6.22e-4, 5.9e-4, 5.6e-4, 5.4e-4, 5.3e-4, 5.2e-4, 5.18e-4, 5.16e-4],
    ),
    "figure2": (
        [0.0237, 0.0232, 0.0221, 0.0196, 0.0163, 0.0118, 0.0076, 0.00318],
        [652, 568, 488, 319, 167, 53.5, 12.1, 1],
        [6.7e-4, 6.9e-4, 7.1e-4, 7.44e-4, 7e-4, 6e-4, 5e-4, 2.96e-4],
    ),
    "figure3": (
        [0.0151, 0.1201, 0.305, 0.5862, 0.7547, 0.9234, 0.9718, 1],
        [129, 25.5, 11.8, 6.9, 5.9, 5.0, 4.1, 1],
        [5.6e-4, 3e-3, 4.2e-3, 4.33e-3, 4e-3, 2e-3, 1e-3, 0],
    ),
    "figure3_at_095": ([0.95], [5.24], [2e-3]),
}
VARIED = {"figure1": "epsilon", "figure2": "sample", "figure3": "delta", "figure3_at_095": "delta"}
REPLICATIONS = 60


@functools.cache
def computed_numbers():
    return computed.evaluate()


def base(sweep):
    """Columns like those of a run, from a few of its values."""
    x = np.array([getattr(point, VARIED[sweep]) for point in scale.POINTS[sweep]], dtype=float)
    t, ratio, e = (np.interp(np.arange(len(x)), PLACES[: len(values)], values) for values in KNOWN[sweep])
    return {"x": x, "t": t, "e": e, "f": t / ratio}


def evidence(changes=None, spread=0.003, numbers=None, **effort):
    """A made-up study whose columns a test can change, by sweep and column, and replications of it that scatter around it."""
    columns = {}
    for sweep in scale.POINTS:
        column = base(sweep)
        for key, change in (changes or {}).get(sweep, {}).items():
            column[key] = np.broadcast_to(change(column), column["x"].shape).astype(float)
        columns[sweep] = column
    generator = np.random.default_rng(7)
    centre = Study(
        scale.POINTS, *({sweep: column[key] for sweep, column in columns.items()} for key in ("t", "e", "f"))
    )

    def scattered(key):
        return {
            sweep: np.where(
                column[key] == 1,
                1.0,
                np.minimum(column[key] * (1 + spread * generator.standard_normal((REPLICATIONS, len(column["x"])))), 1),
            )
            for sweep, column in columns.items()
        }

    stack = Study(scale.POINTS, *(scattered(key) for key in ("t", "e", "f")))
    numbers = {**computed_numbers(), **(numbers or {})}
    return Evidence(centre, centre, stack, numbers, **{"datasets": 1_000, "releases": 1_000_000, **effort})


def rows(names, found):
    printed = names if isinstance(names, dict) else {name: PRINTED[name] for name in names}
    return paper_a.compare(printed, found).set_index("id")


def times(key, factor):
    return {key: lambda column: factor * column[key]}


def figure(number, **changes):
    return {"changes": {f"figure{number}": changes}}


def figures(key, change):
    return {"changes": {f"figure{number}": {key: change} for number in (1, 2, 3)}}


# For each number and claim a study that must be judged otherwise than the one above, whatever is said of that.
PLANTED = {
    "A.abstract.orders": figures("f", lambda column: column["f"] / 50),
    "A.abstract.worst_case": {"numbers": {"A.abstract.worst_case": np.array([8e-3, 1e-3])}},
    "A.S4.any_adversary": {"numbers": {"A.S4.any_adversary": np.array([0.07, 0.0794])}},
    "A.S4.prior_free": {"numbers": {"A.S4.prior_free": np.array([1e-9, 1.0, 1.0])}},
    "A.S4.left_end": {"numbers": {"A.S4.left_end": np.array([8.0, 9.0, 9.01, 9.0101])}},
    "A.S4.subadditive": figure(2, **times("t", 10)),
    "A.S5.neighbours": {"numbers": {"A.S5.neighbours": np.zeros(15)}},
    "A.F1.mean_T": figure(1, **times("t", 2)),
    "A.F1.mean_gap": figure(1, **times("t", 2)),
    "A.F1.level_T": figure(1, **times("t", 2)),
    "A.F1.slope": figure(1, t=lambda column: column["t"][::-1]),
    "A.F1.slope_p": {"spread": 0.04},
    "A.F1.sd_T.min": figure(1, **times("e", 2)),
    "A.F1.sd_T.max": figure(1, **times("e", 2)),
    "A.F1.sd_F.min": figure(1, **times("f", (5.82 / 6.89) ** 2)),
    "A.F1.sd_F.max": figure(1, **times("f", 4)),
    "A.F1.negligible_T": {"spread": 0.2},
    "A.F1.negligible_F": {"spread": 0.2},
    "A.F1.orders": figure(1, **times("f", 10)),
    "A.F1.constant_T": figure(1, t=lambda column: 1.5e-2 * np.linspace(1.5, 0.5, 40)),
    "A.F1.trend": figure(1, f=lambda column: column["f"][::-1]),
    "A.F1.limiting_interval": {"numbers": {"A.F1.limiting_interval": np.array([0.0, np.inf])}},
    "A.limit": {"numbers": {"A.limit": np.full(8, 1e-6)}},
    "A.F2.sd_T.min": figure(2, **times("e", 3)),
    "A.F2.sd_T.max": figure(2, **times("e", 3)),
    "A.F2.sd_F.min": figure(2, **times("f", 4)),
    "A.F2.sd_F.max": figure(2, **times("f", 4)),
    "A.F2.negligible_T": {"spread": 0.2},
    "A.F2.negligible_F": {"spread": 0.2},
    "A.F2.coincide": figure(2, f=lambda column: np.where(column["x"] == 99, column["t"] / 1000, column["f"])),
    "A.F2.gap": figure(2, f=lambda column: column["t"] / 2),
    "A.F2.knee": figure(2, t=lambda column: 0.03 - 1e-4 * column["x"] - 5e-4 * np.maximum(column["x"] - 70, 0)),
    "A.F2.steeper": figure(2, t=lambda column: 0.03 - 1e-4 * column["x"]),
    "A.F2.trend": figure(2, f=lambda column: column["f"][::-1]),
    "A.F2.m_equals_n": {"numbers": {"A.F2.m_equals_n": np.array([0.1, 1.0])}},
    "A.any_n": {"numbers": {"A.any_n": np.array([1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0])}},
    "A.any_n.course": {"numbers": {"A.any_n.course": np.array([0.12, 0.12])}},
    "A.F3.F_at_min_delta": figure(3, **times("f", 0.6)),
    "A.F3.F_at_095": figure(3, **times("f", 0.6)),
    "A.F3.F_at_095.exactly": {"changes": {"figure3_at_095": times("f", 0.6)}},
    "A.F3.F_at_1": figure(3, **times("f", 0.6)),
    "A.F3.sd_T.min": figure(3, e=lambda column: column["e"] + 1e-4),
    "A.F3.sd_T.max": figure(3, **times("e", 2)),
    "A.F3.sd_F.min": figure(3, **times("f", 7.12 / 11.7)),
    "A.F3.sd_F.max": figure(3, f=lambda column: np.minimum(column["f"], 0.1)),
    "A.F3.negligible_T": {"spread": 0.2},
    "A.F3.negligible_F": {"spread": 0.2},
    "A.F3.order": figure(3, f=lambda column: np.where(column["x"] < 0.5, 1.01, 0.5) * column["t"]),
    "A.F3.limit": {"numbers": {"A.F3.limit": np.array([0.0] * 4 + [0.35, 0.1, 0.05, 0.05])}},
    "A.F3.monotone": figure(3, f=lambda column: column["f"][::-1]),
    "A.F3.steady": figure(3, t=lambda column: np.linspace(0.1, 1, 40) ** 4),
    "A.F3.late_rise": figure(3, f=lambda column: np.linspace(1e-4, 1, 40)),
    "A.S6.variance": {"spread": 0.0},
    "A.S6.realistic": {"numbers": {"A.S6.realistic": np.array([1e-3, 1e-4])}},
    "A.S7.throughout": figures("f", lambda column: column["t"] / 100),
}
EVERY = [*PRINTED, "A.F3.F_at_095.exactly"]


@pytest.mark.parametrize("name", EVERY)
def test_every_verdict_changes_with_a_wrong_study(name):
    printed = {name.removesuffix(".exactly"): PRINTED[name.removesuffix(".exactly")]}
    verdict = rows(printed, evidence()).loc[name, "verdict"]
    planted = rows(printed, evidence(**PLANTED[name])).loc[name, "verdict"]
    assert planted != verdict
    assert {planted, verdict} <= set(verdicts.VERDICTS) - {"open"}


def test_every_printed_number_and_claim_of_paper_a_has_a_row():
    assert set(PRINTED) == paper_a.IDS
    table = paper_a.compare(PRINTED, evidence())
    # One number has a value at another parameter beside it.
    assert set(table["id"]) - set(PRINTED) == {"A.F3.F_at_095.exactly"}
    text = page.markdown(table, {"A.F3.F_at_095": "F at 0.95"}, "Heading")
    assert text.count("\n| A.") == len(table)
    assert text.count("| F at 0.95 ") == 2
    assert set(table["same_as"].dropna()) - {""} <= set(PRINTED)


def test_a_number_agrees_within_the_range_and_half_a_unit_of_its_last_digit():
    scales = 5e-4 * (1 + 0.02 * np.linspace(-1, 1, 101))
    stack = Study(scale.POINTS, *({"figure1": np.tile(scales[:, None], (1, 40))} for _ in range(3)))
    found = evidence()._replace(replications=stack)
    row = rows({"A.F1.sd_T.min": "5.00e-4"}, found).iloc[0]
    assert (row.low, row.high) == pytest.approx((0.0005 * 0.981, 0.0005 * 1.019))
    for text, expected in (
        ("4.91e-4", "agrees"),
        ("4.89e-4", "deviates"),
        ("5.3e-4", "deviates"),
        ("5e-4", "agrees"),
    ):
        assert rows({"A.F1.sd_T.min": text}, found).iloc[0].verdict == expected, text


def test_a_flawed_number_is_explained_only_if_it_comes_out():
    found = evidence({"figure1": {"f": lambda column: 1e-4}})
    rate = statistics.published_standard_deviation(1e-4, 1_000, 1_000_000)
    assert rows({"A.F1.sd_F.max": f"{1.003 * rate:.3e}"}, found).iloc[0].verdict == "explained"
    assert rows({"A.F1.sd_F.max": f"{2 * rate:.2e}"}, found).iloc[0].verdict == "deviates"


def test_two_deviations_are_one_fact_if_one_number_follows_from_the_other():
    table = paper_a.compare(PRINTED, evidence())
    row = table.set_index("id").loc["A.F3.sd_F.min"]
    # 8.44e-12 is sqrt(F (1 - F)) / 10^9.
    assert "follows from F = 7.12e-05, which is printed as 7e-5" in row.note
    assert (row.verdict, row.same_as) == ("deviates", "A.F3.F_at_min_delta")
    assert pytest.approx(8.44e-3**2, rel=1e-3) == 7.12e-5 * (1 - 7.12e-5)
    other = paper_a.compare({**PRINTED, "A.F3.F_at_min_delta": "9e-5"}, evidence()).set_index("id")
    assert pd.isna(other.loc["A.F3.sd_F.min", "same_as"])
    assert pd.isna(table.set_index("id").loc["A.F1.sd_F.min", "same_as"])
    assert "follows from F = 3.39e-05" in table.set_index("id").loc["A.F1.sd_F.min", "note"]


def test_the_rounding_of_a_spread_of_0_is_that_of_one_value_in_a_thousand():
    ones = np.ones(1_000)
    ones[0] -= 2**-53
    exact = np.sqrt(((1 - ones) ** 2).sum() / 999 * (1 - 1 / 1_000)) / np.sqrt(1_000)
    assert exact == pytest.approx(2**-53 / 1_000, rel=1e-12)
    assert rows(["A.F3.sd_T.min"], evidence()).iloc[0].verdict == "explained"
    assert rows({"A.F3.sd_T.min": "2.22e-19"}, evidence()).iloc[0].verdict != "explained"


def test_expected_values_stand_beside_the_numbers_that_know_no_datasets():
    names = ["A.F1.mean_T", "A.F1.mean_gap", "A.F1.sd_T.min", "A.F1.slope_p"]
    found = evidence()
    expected = evidence({"figure1": {"t": lambda column: 0.02, "f": lambda column: 1e-4}}).study
    table = rows(names, found._replace(expected=expected))
    assert table["expected"].tolist() == pytest.approx([0.02, 0.0199, np.nan, np.nan], nan_ok=True)
    assert table["reproduced"].notna().all()


def test_claims_are_judged_by_the_share_of_replications():
    rising = {"figure3": {"f": lambda column: np.linspace(1e-4, 1.0, 40)}}
    falling = {"figure3": {"f": lambda column: np.linspace(1.0, 1e-4, 40)}}
    assert rows(["A.F3.monotone"], evidence(rising, spread=1e-4)).iloc[0].verdict == "agrees"
    assert rows(["A.F3.monotone"], evidence(falling)).iloc[0].verdict == "deviates"


def test_expected_values_decide_where_chance_would():
    # T / F at the last epsilon scatters around 10^2.5, so that about half of the replications keep the claim.
    edge = {"figure1": {"f": lambda column: column["t"] / np.where(column["x"] < 2, 100, 10**2.5)}}
    found = evidence(edge)
    for factor, verdict, said in ((1.01, "agrees", "holds of"), (0.99, "deviates", "does not hold of")):
        failure = {**found.expected.failure, "figure1": found.expected.failure["figure1"] * factor}
        expected = Study(found.expected.points, found.expected.upper_limit, found.expected.upper_limit_error, failure)
        row = rows(["A.F1.orders"], found._replace(expected=expected)).iloc[0]
        assert row.verdict == verdict
        assert f"{said} the expected values, which decide; holds in " in row.note
    assert rows(["A.F1.orders"], found._replace(expected=NOTHING)).iloc[0].verdict == "open"


def test_a_study_with_other_parameters_is_not_judged():
    assert rows(["A.F1.sd_T.max", "A.F1.negligible_F"], evidence(datasets=500)).verdict.tolist() == ["open"] * 2
    assert rows(["A.F1.sd_T.max"], evidence(releases=500)).iloc[0].verdict == "open"
    assert rows(["A.F1.sd_T.max"], evidence(releases=0)).iloc[0].verdict == "agrees"
    found = evidence()
    others = {**scale.POINTS, "figure1": [Point(100, 80, 1.0, 0.1)] * 40}
    missing = {name: points for name, points in scale.POINTS.items() if name != "figure1"}
    for points in (others, missing):
        study = Study(points, found.study.upper_limit, found.study.upper_limit_error, found.study.failure)
        table = rows(["A.F1.sd_T.max", "A.S7.throughout", "A.F1.negligible_T"], found._replace(study=study))
        assert table.verdict.tolist() == ["open"] * 3
        assert table.note.tolist() == ["not run with the paper's points of figure1"] * 3


def test_knee_and_coincidence_are_found_where_they_are():
    x = base("figure2")["x"]
    knee, meets = x[26], x[31]
    bent = {"figure2": {"t": lambda column: 1.0 - 0.001 * x - 0.01 * np.maximum(x - knee, 0)}}
    assert rows(["A.F2.knee"], evidence(bent)).iloc[0].reproduced == knee
    failure = {"figure2": {"t": lambda column: 1.0, "f": lambda column: np.where(x >= meets, 1.0, 0.5)}}
    assert rows(["A.F2.coincide"], evidence(failure)).iloc[0].reproduced == meets


def test_an_error_bar_is_measured_on_a_logarithmic_axis():
    # T = 1 and F = 0.01: the axis is two decades high. Two replications at 0.9 and 1.1 of the mean.
    found = evidence({"figure1": {"t": lambda column: 1.0, "f": lambda column: 0.01}})
    pair = Study(
        scale.POINTS,
        *({"figure1": np.outer([0.9, 1.1], np.full(40, value))} for value in (1.0, 0.001, 0.01)),
    )
    row = rows(["A.F1.negligible_F"], found._replace(replications=pair)).iloc[0]
    deviation = 0.2 / np.sqrt(2)
    assert row.reproduced == pytest.approx(np.log10((1 + deviation) / (1 - deviation)) / 2)


def test_the_scale_is_that_of_the_configuration():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    assert (settings["datasets"], settings["releases"]) == (scale.DATASETS, scale.RELEASES)
    for name, points in scale.POINTS.items():
        assert np.allclose(sweeps.sweep_points(settings["sweeps"][name]), points, rtol=1e-12, atol=0), name
