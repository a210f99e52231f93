"""Sweeps, shards, tables, digests of sources, the configuration's schema, and the comparison with printed numbers."""

import io
import pathlib

import numpy as np
import pandas as pd
import pytest
import yaml

from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError
from disclosure.study import statistics
from disclosure.study.points import Point
from disclosure.workflow import config, sources, sweeps, tables
from disclosure.workflow.claims import paper_a
from disclosure.workflow.plan import PRINTED_SWEEPS

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_published_sweeps_have_the_papers_points():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    points = {name: sweeps.sweep_points(entry) for name, entry in settings["sweeps"].items()}
    assert [len(points[name]) for name in ("figure1", "figure2", "figure3")] == [40, 40, 40]
    assert points["figure1"][0] == Point(100, 90, 0.2, 10**-1.1)
    assert points["figure1"][-1].epsilon == 2.0
    assert [points["figure2"][k].sample for k in (0, 1, -1)] == [10, 12, 99]
    assert points["figure3"][-1].delta == 1.0
    assert points["figure3"][37].delta == pytest.approx(0.9528, abs=5e-5)
    assert (settings["datasets"], settings["releases"]) == (1_000, 1_000_000)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((100, 90, [1.0, 2.0], [0.1, 0.2, 0.3]), "epsilon 2 values and delta 3 values"),
        ((100, 90, {"start": 1.0, "stop": 2.0, "points": 3, "spacing": "cubic"}, 0.1), "spacing = 'cubic'"),
        ((100, 90, {"start": 0.0, "stop": 2.0, "points": 3, "spacing": "log"}, 0.1), "no logarithm"),
        ((100, 90, {"start": 1.0, "stop": 2.0, "points": 3, "step": 1}, 0.1), "no range"),
        ((100, 90, {"start": 2.0, "stop": 1.0, "points": 3}, 0.1), "epsilon.start = 2.0 is larger"),
        ((100, 90, {"start": 1.0, "stop": 2.0}, 0.1), "no range"),
        ((100, {"start": 1, "stop": 3, "points": 9}, 1.0, 0.1), "all different"),
        ((100, 90.5, 1.0, 0.1), "sample = 90.5"),
        ((100, 90, "1.0", 0.1), "epsilon = '1.0' is not a number"),
        ((100, 90, [], 0.1), "at least one"),
        ((10, {"start": 5, "stop": 11, "points": 3}, 1.0, 0.1), "sample = 11 is larger than population = 10"),
    ],
)
def test_sweeps_refuse_what_is_no_sweep(arguments, named):
    with pytest.raises(DomainError, match=named):
        sweeps.points(*arguments)


def test_parameters_vary_together_and_by_equal_ratios():
    size = {"start": 10, "stop": 1000, "points": 3, "spacing": "log"}
    found = sweeps.points(size, [9, 90, 900], 1.0, 0.1)
    assert [(point.population, point.sample) for point in found] == [(10, 9), (100, 90), (1000, 900)]
    deltas = [
        point.delta
        for point in sweeps.points(100, 90, 1.0, {"start": 1e-12, "stop": 0.1, "points": 12, "spacing": "log"})
    ]
    assert np.allclose(np.diff(np.log10(deltas)), 1.0)
    assert (deltas[0], deltas[-1]) == (1e-12, 0.1)


@pytest.mark.parametrize(("total", "per_job"), [(1000, 1000), (1000, 300), (7, 2), (5, 100), (5, 0)])
def test_shards_cover_everything_once(total, per_job):
    ranges = [sweeps.shard_range(shard, total, per_job) for shard in range(sweeps.shards(total, per_job))]
    assert [unit for first, beyond in ranges for unit in range(first, beyond)] == list(range(total))


def test_sigma_is_rounded_up():
    for sigma in (1.818897663380472, 8784.127512002115, 1e-7 / 3, 0.1):
        rounded = sweeps.round_up(sigma)
        assert sigma <= rounded <= sigma * (1 + 1e-11)
        assert len(f"{rounded:.15g}".replace(".", "").strip("0").split("e")[0]) <= 12
    assert sweeps.round_up(0.0) == 0.0
    sigma = sweeps.round_up(gaussian.calibrate(1.0, 0.3, definition="probabilistic"))
    assert gaussian.bad_region_mass(sigma, 1.0, 1.0) <= 0.3


def test_tables_give_back_what_was_written(tmp_path):
    table = {"point": [0, 1], "dataset": [5, 6], "union_mass": [1 / 3, 1e-300], "failure_probability": [np.nan, 0.1]}
    with tables.own(tmp_path / "new" / "table.csv") as file:
        tables.write(file, tables.UPPER_LIMIT, table)
    found = tables.read(tmp_path / "new" / "table.csv", tables.UPPER_LIMIT, rows=2)
    for name, values in table.items():
        assert np.array_equal(found[name], values, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "is empty; expected a header with"),
        ("point,dataset\n", "has the columns"),
        ("point,dataset,releases,failures\n0,0,10,1\n", "has 1 rows; expected 2"),
        ("point,dataset,releases,failures\n0,0,10,1\n0,1,10\n", "line 3 has 3 cells; expected 4"),
        ("point,dataset,releases,failures\n0,0,10,1\n0,1,10,x\n", "invalid literal"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path, text, named):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(tables.TableError, match=named):
        tables.read(path, tables.SIMULATION, rows=2)


def test_shards_are_put_together_whatever_their_order(tmp_path):
    rows = [(point, dataset, 10, point + dataset) for dataset in range(4) for point in range(2)]
    for name, part in (("a", rows[6:]), ("b", rows[:6])):
        with tables.own(tmp_path / name) as file:
            tables.write(file, tables.SIMULATION, dict(zip(tables.SIMULATION, zip(*part, strict=True), strict=True)))
    found = tables.read_shards([tmp_path / "a", tmp_path / "b"], tables.SIMULATION, datasets=4, points=2)
    assert found["failures"].tolist() == [[0, 1, 2, 3], [1, 2, 3, 4]]
    for paths in ([tmp_path / "a"], [tmp_path / "a", tmp_path / "b", tmp_path / "b"]):
        with pytest.raises(tables.TableError, match="expected each of 4 datasets"):
            tables.read_shards(paths, tables.SIMULATION, datasets=4, points=2)


def test_columns_are_checked_when_writing():
    with pytest.raises(tables.TableError, match="expected"):
        tables.write(io.BytesIO(), tables.SIMULATION, {"point": [0]})


def test_digests_follow_the_imports_and_ignore_words(tmp_path, monkeypatch):
    package = tmp_path / "disclosure"
    (package / "jobs").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "jobs/__init__.py": "",
        "jobs/job.py": "from disclosure import middle\n\n\ndef run():\n    return middle.answer()\n",
        "middle.py": "import numpy\n\nfrom disclosure.deep import number\n\n\ndef answer():\n    return number\n",
        "deep.py": "number = 1\n",
        "plot.py": "colour = 1\n",
    }
    for name, text in files.items():
        (package / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(sources, "_ROOT", package)

    def digest(**changes):
        for name, text in changes.items():
            (package / f"{name}.py").write_text(text, encoding="utf-8")
        sources._parsed.cache_clear()
        return sources.digest("jobs.job")

    before = digest()
    monkeypatch.setattr(sources, "_version", lambda package: "another")
    assert digest() != before
    monkeypatch.undo()
    monkeypatch.setattr(sources, "_ROOT", package)
    assert digest(plot="colour = 2\n") == before
    assert digest(deep='"""A docstring."""\n# a comment\nnumber    = 1\n') == before
    assert digest(deep="number = 2\n") != before
    assert digest(deep="number = 1\n") == before
    sources._parsed.cache_clear()


def test_the_digest_of_a_job_covers_the_modules_that_it_computes_with(monkeypatch):
    opened = []
    parsed = sources._parsed.__wrapped__
    monkeypatch.setattr(sources, "_parsed", lambda name: (opened.append(name), parsed(name))[1])
    sources.digest("workflow.jobs.simulate")
    assert {
        "study.simulation",
        "beliefs.inclusion",
        "gaussian_measure.rays",
        "numerics.normal",
        "study.streams",
        "workflow.tables",
    } <= set(opened)
    assert not {name for name in opened if name.startswith(("plots", "mechanisms.gaussian", "cli"))}


def test_names_that_are_no_text_are_refused_and_whole_floats_taken():
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    with pytest.raises(config.ConfigError, match=r"sweeps\.1: not a name"):
        config.check({**settings, "sweeps": {1: None}})
    study = {**settings["case_control"], "participants": 1095.0}
    checked = config.check({**settings, "releases": 1.0e6, "case_control": study})
    assert repr((checked["releases"], checked["case_control"]["participants"])) == "(1000000, 1095)"


NOTHING = paper_a.Study({}, {}, {}, {})


def study(**changes):
    """A made-up study at the published points whose columns a test can change."""
    columns = {}
    for sweep, points in paper_a._PUBLISHED_POINTS.items():
        x = np.linspace(0, 1, len(points))
        columns[sweep] = {"t": 0.015 - 0.001 * x, "e": 0.0005 + 0 * x, "f": 1e-4 * (1 + x), **changes.get(sweep, {})}
    return paper_a.Study(
        paper_a._PUBLISHED_POINTS,
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
    names = set(printed.loc[printed["paper"] == "A", "id"])
    assert names == (set(paper_a._ROWS) | set(paper_a._OPEN)) - set(paper_a._BESIDE.values())
    table = paper_a.compare(
        printed.loc[printed["paper"] == "A"].set_index("id")["value"].to_dict(),
        study(),
        NOTHING,
        replications(study()),
        1_000,
        1_000_000,
    )
    assert len(table) == len(names) + len(paper_a._BESIDE)
    page = paper_a.markdown(table, {"A.F3.F_at_095": "F at 0.95"}, "Heading")
    assert page.count("\n| A.") == len(table)
    assert page.count("| F at 0.95 ") == 2
    assert set(table["verdict"]) <= set(paper_a.VERDICTS)


def test_knee_and_coincidence_are_found_where_they_are():
    x = np.arange(10.0, 100.0, 2.0)
    assert paper_a._knee(x, 1.0 - 0.001 * x - 0.01 * np.maximum(x - 70, 0)) == 70.0
    failure = np.where(x >= 80, 1.0, 0.5)
    assert paper_a._coincide(x, np.ones_like(x), failure) == 80.0


def test_printed_numbers_are_of_the_sweeps_that_are_replicated():
    assert tuple(paper_a._PUBLISHED_POINTS) == PRINTED_SWEEPS
