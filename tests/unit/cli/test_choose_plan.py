"""`disclosure choose` for a plan of several statistics, and by an odds risk profile."""

import json
import pathlib

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from disclosure.people.queries import Column
from disclosure.releases.answer import answered
from disclosure.releases.budget import Ratio
from disclosure.releases.choice import noise_for_plan
from disclosure.releases.plan import Planned, ReleasePlan
from disclosure.releases.statistic import additive
from tests.commands import main
from tests.unit.people.tables import DAVIS, random_people

SAMPLE, RATIO, FAILURE = 180, 2.0, 1e-3
PLAN = """
sample: 180
statistics:
  height: {kind: mean, columns: ["height_cm:50:210"], unit: cm, weight: 1}
  women: {kind: count, columns: [sex=F], weight: 0.01}
"""
PROFILE = "{knots: [[0.1, 10], [1, 2], [2.5, 5]]}"
ONE = ["--columns", "height_cm:50:210", "--query", "mean", "--sample", str(SAMPLE)]


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return str(path)


def json_of(capsys, words):
    main(["choose", str(DAVIS), *words, "--json"])
    return json.loads(capsys.readouterr().out)


def scales(numbers):
    return np.array([number["scale"] for number in numbers])


def test_the_noise_keeps_what_is_tolerated_and_less_would_not(capsys, plan):
    answer = json_of(capsys, ["--plan", plan, "--largest-ratio", "2", "--failure", "1e-3"])
    widths, prior = np.array([160 / SAMPLE, 1.0]), 1 / 21
    odds = np.log(RATIO * (1 - prior) / (1 - RATIO * prior))
    for split in answer["splits"]:
        mu = np.linalg.norm(widths / scales(split["from_ranges"]))
        # The worst table has all neighbours at the distance mu.
        assert ndtr(mu / 2 - odds / mu) == pytest.approx(FAILURE, rel=1e-9)
        people = split["depends_on_people"]
        assert scales(people["statistics"]) / scales(split["from_ranges"]) == pytest.approx(people["factor"], rel=1e-9)
        assert people["found"] <= people["largest"] <= FAILURE * (1 + 1e-9)
    shares, weights = answer["splits"]
    assert [split["split"] for split in answer["splits"]] == ["shares", "weights"]
    assert weights["weighted_error"] < shares["weighted_error"]
    assert shares["weighted_error"] == pytest.approx(
        np.array([1, 0.01]) @ scales(shares["from_ranges"]) ** 2, rel=1e-12
    )


def test_the_noise_for_the_people_is_the_least_that_a_release_may_have():
    people = random_people(16, 2)
    statistics = [additive(column.name, "sum", [column], 10) for column in people.columns]
    plan = ReleasePlan(10, tuple(map(Planned, statistics)))
    (noise,) = noise_for_plan(plan, people, Ratio(RATIO, FAILURE), 1e-6)
    for factor, keeps in ((1.0, True), (0.999, False)):
        stated = [
            Planned(s, scales=(a.scale * factor,)) for s, a in zip(statistics, noise.people_accuracy, strict=True)
        ]
        moved = answered(ReleasePlan(10, tuple(stated)), people).people.movements
        assert (moved["exceeding_limit"].max() <= FAILURE * (1 + 1e-9)) == keeps


def test_a_profile_decides_the_noise_of_a_query_and_of_a_plan(capsys, plan):
    one = json_of(capsys, [*ONE, "--profile", PROFILE, "--failure", "1e-3"])
    mu = ndtri(FAILURE) - ndtri(FAILURE / 2)
    assert (one["bound"], one["prior_odds_ratio"]) == (2, 1)
    assert one["sigma_from_ranges"] == pytest.approx(160 / SAMPLE / mu, rel=1e-9)
    several = json_of(capsys, ["--plan", plan, "--profile", PROFILE, "--failure", "1e-3"])
    for split in several["splits"]:
        assert split["mu"] == pytest.approx(mu, rel=1e-9)
        assert split["depends_on_people"]["statistics"] == []


def test_the_answers_in_words(capsys, plan):
    main(["choose", str(DAVIS), "--plan", plan, "--largest-ratio", "2", "--failure", "1e-3"])
    out = capsys.readouterr().out
    assert "rises by more than a factor 2, at the prior 0.04762," in out
    assert "times the left one. It depends on the people in the table" in out
    main(["choose", str(DAVIS), "--plan", plan, "--profile", PROFILE, "--failure", "1e-3"])
    assert "odds of anything rise by more than a factor 2, for every adversary" in capsys.readouterr().out
    main(["choose", str(DAVIS), *ONE, "--profile", PROFILE, "--failure", "1e-3"])
    assert "is safe to publish: only the stated ranges and the profile decide it." in capsys.readouterr().out


def test_people_who_are_all_alike_need_no_noise():
    people = random_people(6, 1)
    people.values[:] = 0.5
    plan = ReleasePlan(3, (Planned(additive("s", "sum", [Column("a", 0.0, 1.0)], 3)),))
    (noise,) = noise_for_plan(plan, people, Ratio(RATIO, FAILURE), 1e-6)
    assert (noise.people.sigma, noise.people_accuracy) == (0.0, ())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--largest-ratio", "2"], "query is missing; state it by --query, or a plan"),
        ([*ONE[:2], "--plan", "PLAN", "--largest-ratio", "2"], "belongs into the plan; leave out --columns"),
        ([*ONE], "largest-ratio is missing"),
        (["--plan", "PLAN"], "largest-ratio is missing"),
        ([*ONE, "--largest-ratio", "2", "--profile", PROFILE], "--profile and --largest-ratio are both given"),
        ([*ONE, "--prior-free", "--profile", PROFILE], "--prior-free is for --largest-ratio"),
        (
            ["--plan", "PLAN", "--largest-ratio", "2", "--criterion", "union_mass"],
            "criterion = union_mass is for one query",
        ),
        (["--plan", "PLAN", "--largest-ratio", "30"], "largest_ratio = 30 is no constraint"),
        (["--plan", "SPENT", "--largest-ratio", "2"], "spent is stated"),
        (["--plan", "STATED", "--largest-ratio", "2"], "statistics.women states its sigma"),
        (["--plan", "LAPLACE", "--largest-ratio", "2"], "noise of some statistics is not gaussian"),
        (["--plan", "LARGER", "--largest-ratio", "2"], "population = 5000 is not the 200 rows"),
        (
            ["--plan", "PLAN", "--largest-ratio", "2", "--output", "exposure"],
            "the answer of --plan has not; leave out --output",
        ),
        (
            ["--profile", "profile.yaml", "--output", ""],
            "output = '' is for the page, which the answer of --profile has not",
        ),
    ],
)
def test_what_cannot_be_chosen_is_said_in_one_line(capsys, tmp_path, words, said):
    texts = {
        "PLAN": PLAN,
        "SPENT": PLAN + "spent: {rho: 0.1}\n",
        "STATED": PLAN.replace("[sex=F], weight: 0.01", "[sex=F], sigma: 3"),
        "LAPLACE": PLAN.replace("[sex=F], weight: 0.01", "[sex=F], weight: 0.01, noise: laplace"),
        "LARGER": PLAN + "population: 5000\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    words = [str(tmp_path / word) if word in texts else word for word in words]
    with pytest.raises(SystemExit) as stopped:
        main(["choose", str(DAVIS), *words, "--failure", "1e-3"])
    message = capsys.readouterr().err
    assert stopped.value.code == 2
    assert said in message
    assert message.count("\n") == 1


def test_the_plan_file_of_the_example_can_be_chosen_for(capsys):
    root = pathlib.Path(__file__).resolve().parents[3]
    answer = json_of(
        capsys, ["--plan", str(root / "resources/release.yaml"), "--largest-ratio", "2", "--failure", "1e-3"]
    )
    assert len(answer["splits"][0]["from_ranges"]) == 11
