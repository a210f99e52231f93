"""A table of people: by the commands, what they refuse, and as a sweep of the workflow."""

import csv
import itertools
import json
import math
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion
from disclosure.beliefs.less_informed import failure_limit
from disclosure.mechanisms import gaussian
from disclosure.workflow import tables
from tests.commands import main, prog
from tests.workflow.study import ROOT

DAVIS = str(ROOT / "resources/davis.csv")
HEIGHT, BOTH = ["height_cm:50:210"], ["height_cm:50:210", "weight_kg:35:170"]
GUARANTEE = ["--epsilon", "1", "--delta", "0.01"]
TOLERATED = ["--largest-ratio", "2", "--failure", "1e-3"]


def release(command, *options, table=DAVIS, columns=HEIGHT, sample=180, query="mean"):
    guarantee = GUARANTEE if command == "assess" else TOLERATED
    columns = ["--columns", *columns]
    return [command, str(table), *columns, "--sample", str(sample), "--query", query, *guarantee, *options]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_example_is_assessed(capsys):
    main(release("assess", "--targets", "12", "--datasets", "5", columns=BOTH))
    out = capsys.readouterr().out
    (summary,) = rows("exposure/summary.csv")
    people = rows("exposure/people.csv")
    assert len(people) == 12
    # The person whose height and weight are swapped, beside four others who stick out.
    assert [row["person"] for row in people if row["chosen"] == "farthest"].count("12") == 1
    assert summary["most_exposed"] == "12"
    assert summary["relation"] == "replace-one"
    assert summary["supremum"] == "exact"
    sigma = gaussian.calibrate(1.0, 0.01, math.hypot(160, 135) / 180, definition="probabilistic")
    assert float(summary["sigma"]) == pytest.approx(sigma, rel=1e-11)
    assert float(summary["sigma"]) >= sigma
    assert float(summary["prior"]) == pytest.approx(1 / 21)
    assert float(summary["ratio_upper"]) == pytest.approx(float(inclusion.ratio_bounds(1 / 21, 1.0).upper))
    assert float(summary["prior_free_upper"]) == pytest.approx(math.e)
    for words in (
        "200 people; height_cm (50 to 210), weight_kg (35 to 170)",
        "43 people share all values with somebody else",
        "released: the mean of 180 of them, with normal noise; one person moves it by at most 1.16302 (l2 sensitivity)",
        "protected: belief about presence, whether one person, the target, is in that sample; neighbours by replace-one; "
        "candidates: the target and 20 others",
        "12 people of 200 (13 with those who are like them), the 5 from whom somebody is farthest and a random sample of the "
        "others; 5 sampled datasets of each",
        "except with probability 0.001, belief in anybody's presence rises by no more than a factor 2.406, and falls by no "
        "more than 1/2.309",
        "found: a factor 2.4, and 1/2.303",
        "most exposed is row 12: belief from 0.04762 before to at most 0.1146 after",
        "belief in anybody's presence rises by more than a factor 2 with probability 0.0085 at most; found: 0.0083",
        "limits are for everybody in the table and every dataset; what was found is a lower bound: the worst of 12 people of",
        "Bounds that move with epsilon",
        "(estimated, with no standard error: somebody who was not looked at may carry it), a lower bound of the largest ",
        "exact supremum",
        "height_cm: 3.049, 1.8% of the expected value of 170, 11 times the sampling error of 0.28, 3.4 times the most that one",
    ):
        assert words in out
    for kind, start in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        assert pathlib.Path(f"exposure/people.{kind}").read_bytes().startswith(start)


@pytest.mark.usefixtures("without_figures")
def test_the_risk_rises_with_epsilon_though_wider_bounds_fail_less_often(capsys):
    """Row 12 of the example: identified for all practical purposes at epsilon = 10, where the bounds (24) hardly ever fail."""
    found = {}
    for epsilon in (1, 10):
        options = ["--epsilon", str(epsilon), "--targets", "2", "--datasets", "5", "--json"]
        main(release("assess", *options, "--probability", "1e-3", "1e-6", columns=BOTH))
        answer = json.loads(capsys.readouterr().out)
        (found[epsilon],) = answer["summary"]
        assert [row["probability"] for row in answer["ratios"]] == [1e-3, 1e-6]
        assert answer["ratios"][0]["rise_limit"] == found[epsilon]["rise_limit"] < answer["ratios"][1]["rise_limit"]
        written = rows("exposure/ratios.csv")
        assert [(row["person"], row["probability"]) for row in written].count(("12", "1e-06")) == 1
        assert len(written) == 4
    assert (found[1]["most_exposed"], found[10]["most_exposed"]) == (12, 12)
    assert found[1]["rise_found"] == pytest.approx(2.3997, abs=1e-4)
    assert found[1]["rise_limit"] == pytest.approx(2.4065, abs=1e-4)
    assert 20.85 < found[10]["rise_found"] < found[10]["rise_limit"] < 21
    assert found[10]["failure_probability_largest"] < found[1]["failure_probability_largest"] / 10
    assert found[1]["exceeding_limit"] < 0.01 < 0.5 < found[10]["exceeding_found"]


@pytest.mark.usefixtures("without_figures")
def test_a_table_may_be_a_sample_of_a_larger_population(capsys):
    found, said = {}, {}
    for population in ("1000000", "inf"):
        options = ["--population", population, "--targets", "3", "--datasets", "2"]
        main(release("assess", *options, "--sensitive", "height_cm >= 190", sample=1000, columns=BOTH))
        said[population] = capsys.readouterr().out
        main(release("assess", *options, "--json", sample=1000, columns=BOTH))
        (found[population],) = json.loads(capsys.readouterr().out)["summary"]
        (summary,) = rows("exposure/summary.csv")
        assert summary["population"] == population
        assert len(rows("exposure/people.csv")) == 3
    large, crowd = found["1000000"], found["inf"]
    assert (large["population"], crowd["population"]) == (1_000_000, "inf")
    assert (crowd["prior"], crowd["posterior_limit"]) == (0, 0)
    assert large["prior"] == pytest.approx(1 / 999_001, rel=1e-12)
    assert (crowd["ratio_lower"], crowd["ratio_upper"]) == pytest.approx((1 / math.e, math.e), rel=1e-12)
    assert large["rise_found"] == pytest.approx(crowd["rise_found"], rel=1e-3)
    assert crowd["rise_found"] < crowd["rise_limit"] < large["rise_limit"]
    for words in (
        "the table is a sample of a population of 1,000,000 people; other candidates drawn from its rows with replacement",
        "the mean of 1,000 of the population",
        "neighbours by replace-one; candidates: the target and 999,000 others",
        "what follows is about records that occur in the table",
        "even if all other candidates have the farthest of its rows",
        "over 2 draws of the other candidates of each",
        "2 draws of 999,000 other candidates from the rows, with replacement, of each",
    ):
        assert words in said["1000000"]
    for words in (
        "the table is a sample of an infinite population; the other candidates have its rows in their proportions",
        "candidates: the target and infinitely many others",
        "of infinitely many candidates belief in each is 0 before and after",
        "other candidates with the rows of the table in their proportions, exactly",
    ):
        assert words in said["inf"]


@pytest.mark.parametrize(
    ("options", "sample", "said"),
    [
        (["--population", "199"], 180, "population = 199 is below the 200 rows of the table"),
        (["--population", "300"], 300, "sample = 300 of population = 300 leaves no other candidate; allowed: 1 to 299"),
        (["--population", "inf", "--weights", "weight_kg"], 180, "leave out --weights, or --population"),
        (["--population", "infinity"], 180, "--population: 'infinity'"),
        (["--population", "200.5"], 180, "--population: '200.5'"),
    ],
)
def test_a_population_that_does_not_fit_is_refused(capsys, options, sample, said):
    with pytest.raises(SystemExit) as caught:
        main(release("assess", *options, sample=sample))
    out, error = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    assert said in error.splitlines()[-1]
    assert not pathlib.Path("exposure").exists()


@pytest.mark.usefixtures("without_figures")
def test_approximate_privacy_stands_beside_direct_calibration(capsys):
    main(release("assess", "--targets", "3", "--datasets", "2", "--approximate", "--failure", "0.25"))
    converted, direct, by_table, probabilistic = rows("exposure/summary.csv")
    out = capsys.readouterr().out
    for row in (converted, direct, by_table, probabilistic):
        assert f"{row['guarantee']}: epsilon = {float(row['epsilon']):.6g}" in out
    assert float(converted["delta"]) == 0.25
    assert "its bounds (25) fail with probability 0.25 at most, however many other candidates there are" in out
    assert float(converted["epsilon"]) == pytest.approx(math.log((0.25 * math.e + 0.01) / 0.24))
    assert float(direct["epsilon"]) < float(converted["epsilon"])
    # By the profile of the noise, and not by 20 times the mass of one bad region.
    mu = 160 / 180 / float(direct["sigma"])
    assert failure_limit(float(direct["epsilon"]), mu) == pytest.approx(0.25, rel=1e-9)
    mass = gaussian.bad_region_mass(float(direct["sigma"]), float(direct["epsilon"]), 160 / 180)
    assert float(direct["delta"]) == pytest.approx(float(mass))
    assert float(mass) > 0.25 / 20
    assert converted["sigma"] == direct["sigma"] == by_table["sigma"]
    # The tightest of all: T of the people who were looked at is what was stated.
    assert float(by_table["epsilon"]) < float(direct["epsilon"])
    assert float(by_table["union_mass_supremum"]) == pytest.approx(0.25, rel=1e-9)
    for row in (converted, direct):
        assert float(row["failure_probability_largest"]) < 0.25
    approximate = gaussian.calibrate(1.0, 0.01, 160 / 180, definition="approximate")
    assert float(converted["sigma"]) == pytest.approx(approximate, rel=1e-11)
    assert float(probabilistic["epsilon"]) == 1.0
    assert float(probabilistic["sigma"]) > float(converted["sigma"])


@pytest.mark.usefixtures("without_figures")
def test_approximate_privacy_has_bounds_for_infinitely_many_candidates(capsys):
    options = ("--population", "inf", "--approximate", "--failure", "0.25", "--targets", "2", "--json")
    main(release("assess", *options))
    found = json.loads(capsys.readouterr().out)["summary"]
    assert [row["population"] for row in found] == ["inf"] * 4
    assert found[0]["delta"] == 0.25
    assert found[0]["failure_probability_largest"] < 0.25


def test_noise_is_chosen_for_a_sample_of_a_population(capsys):
    """Between the noise for the table as the population and for a thousand times as many it grows, and says what it is for."""
    noise = {}
    for population in (None, "300", "1000000", "inf"):
        options = () if population is None else ("--population", population)
        main(release("choose", "--json", *options))
        noise[population] = json.loads(capsys.readouterr().out)
    assert noise[None]["sigma_from_ranges"] < noise["300"]["sigma_from_ranges"] < noise["inf"]["sigma_from_ranges"]
    assert noise["inf"]["prior"] == 0
    for answer in noise.values():
        assert 0 < answer["found"] <= answer["largest"] <= 1e-3
    # The root mean square distance to all rows, and of every finite population that to the farthest row.
    heights = np.array([float(line["height_cm"]) for line in rows(DAVIS)]) / 180
    distances = np.abs(heights[:, None] - heights)
    reaches = {"inf": np.sqrt((distances**2).mean(axis=1)).max(), "1000000": distances.max()}
    for population, reach in reaches.items():
        prior = noise[population]["prior"]
        exponent = math.log(2 * (1 - prior) / (1 - 2 * prior))
        s = reach / noise[population]["sigma"]
        assert norm.cdf(s / 2 - exponent / s) == pytest.approx(1e-3, rel=1e-6)
    main(release("choose", "--population", "inf"))
    out = capsys.readouterr().out
    assert "in every dataset, the other candidates having its rows in their proportions, at this noise" in out
    assert "whatever the prior is" in out
    main(release("choose", "--population", "inf", "--criterion", "failure_probability"))
    assert "by the limit (1 + e^-epsilon) Phi(a), however large n is" in capsys.readouterr().out
    refused(
        capsys,
        release("choose", "--population", "inf", "--criterion", "union_mass"),
        ["population = inf has infinitely many neighbours", "state a number"],
    )


@pytest.mark.parametrize(("delta", "warned"), [("0.49", False), ("0.99", True)])
@pytest.mark.usefixtures("without_figures")
def test_a_guarantee_near_a_delta_of_1_gets_a_warning(capsys, delta, warned):
    options = ("--epsilon", "0.1", "--delta", delta, "--targets", "2", "--datasets", "1")
    main(release("assess", *options))
    out = capsys.readouterr().out
    assert out.count(f"warning: delta = {delta} promises next to nothing by the stated ranges") == warned


def test_noise_for_people_near_each_other_keeps_next_to_nothing_by_wide_ranges(capsys):
    """Of the noise from the people that is said once, and not of the noise from the ranges."""
    main(release("choose", columns=["height_cm:0:30000"]))
    safe, depending = capsys.readouterr().out.split("depends on the people")
    assert "promises next to nothing" not in safe
    assert depending.count("promises next to nothing by the stated ranges") == 1


def test_sizes_of_a_dataset_are_compared(capsys):
    options = ["compare", str(DAVIS), "--query", "mean", "--columns", *HEIGHT, "--samples", "100", "180"]
    main([*options, "--probability", "1e-2", "1e-3"])
    out = capsys.readouterr().out
    assert "at noise as large as the sampling error of the mean of height_cm" in out
    assert "released: the mean of 100 or 180 of them" in out
    ranges, depending = out.split("All that follows depends on the people in the table")
    assert "180 people: one person moves it by at most" in ranges
    assert "candidates: the target and 20 others" in ranges
    # The smaller dataset has the larger factors and the smaller belief: the priors are 1/101 and 1/21.
    assert "from 0.009901 before to " in depending
    assert "from 0.04762 before to " in depending
    assert (
        "written to comparison, and confidential as well: comparison.csv, comparison.pdf, comparison.svg, comparison.png"
        in out
    )
    table = tables.read("comparison/comparison.csv", tables.COMPARISON)
    assert {path.name for path in pathlib.Path("comparison").iterdir()} == {
        ".disclosure",
        "comparison.csv",
        "comparison.pdf",
        "comparison.svg",
        "comparison.png",
    }
    main([*options, "--probability", "1e-3", "--population", "inf", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["column"] == "height_cm"
    assert len(answer["rises"]) == len(table["sample"]) / 2
    for words, changed in (
        (["query = identity"], ["--query", "identity"]),
        (["sample = 200"], ["--samples", "200"]),
        (["output = ''"], ["--output", ""]),
    ):
        refused(capsys, [*options, *changed], words)


def test_noise_is_chosen(capsys):
    main(release("choose", columns=BOTH))
    out = capsys.readouterr().out
    safe, depending = (out.index(words) for words in ("is safe to publish", "depends on the people in the table"))
    assert safe < depending
    for words in (
        "noise (sigma) = 5.00916786786 is safe to publish",
        "For every table with these ranges, belief in anybody's presence rises by more than a factor 2, at the prior 0.04762",
        "noise (sigma) = 3.85779081588 depends on the people in the table: whoever learns it learns something about them",
        "with probability 0.001 at most, in every dataset, at this noise and at every larger one",
        "The limit is largest for row 12; some dataset comes to 0.000964489, and the worst lies between the two.",
        "It keeps (0.74444, 0.0146)-probabilistic privacy (epsilon, delta) by the stated ranges alone; at this epsilon the "
        "bound (24) on the ratio is 2.",
    ):
        assert words in out, words
    main(release("choose", "--json", columns=BOTH))
    answer = json.loads(capsys.readouterr().out)
    assert (answer["relation"], answer["criterion"], answer["kind"]) == ("replace-one", "ratio", "bound")
    assert 0.95e-3 < answer["found"] < answer["largest"] <= 1e-3
    # Two records a full range apart, and one normal number between them.
    epsilon = math.log(2 * (20 / 21) / (1 - 2 / 21))
    gap = math.hypot(160, 135) / 180 / answer["sigma_from_ranges"]
    assert norm.cdf(gap / 2 - epsilon / gap) == pytest.approx(1e-3, rel=1e-9)
    assert answer["epsilon"] == pytest.approx(epsilon)
    for noise, delta in (("sigma", "delta"), ("sigma_from_ranges", "delta_from_ranges")):
        mass = gaussian.bad_region_mass(answer[noise], epsilon, math.hypot(160, 135) / 180)
        assert answer[delta] == pytest.approx(float(mass), rel=1e-9)
    assert set(answer["depends_on_people"]) == {"sigma", "delta", "largest", "found", "kind", "row"}
    # The page offers both, and at the noise that is enough for these people the limit is what is tolerated.
    limits = {float(row["sigma"]): row for row in rows("exposure/points.csv") if float(row["probability"]) == 1e-3}
    assert float(limits[answer["sigma"]]["rise_limit_of_all"]) == pytest.approx(2.0, rel=1e-9)
    assert float(limits[answer["sigma_from_ranges"]]["rise_limit_of_all"]) < 2
    record = json.loads(pathlib.Path("exposure/release.json").read_text(encoding="utf-8"))
    assert {statistic["sigma"] for statistic in record["statistics"]} == {answer["sigma_from_ranges"]}
    assert str(answer["sigma"]) not in json.dumps(record)
    assert "rises by more than a factor 2" in pathlib.Path("exposure/index.html").read_text(encoding="utf-8")
    main(release("choose", "--json", "--prior-free"))
    without = json.loads(capsys.readouterr().out)
    assert without["epsilon"] == pytest.approx(math.log(2))
    assert without["every_prior"]


def test_the_noise_of_people_who_are_all_alike_does_not_drop_the_line_about_the_ranges(capsys):
    pathlib.Path("alike.csv").write_text("a\n" + "0.5\n" * 9, encoding="utf-8")
    for criterion in ("ratio", "union_mass", "failure_probability"):
        main(release("choose", "--criterion", criterion, table="alike.csv", columns=["a:0:1"], sample=5))
        out = capsys.readouterr().out
        assert "is safe to publish" in out
        assert "noise (sigma) = 0 depends on the people in the table" in out
        assert out.count("by the stated ranges alone") == 1
        assert "By the stated ranges alone it promises nothing" in out


def test_the_bounds_are_criteria_on_request(capsys):
    main(release("choose", "--criterion", "union_mass", columns=BOTH))
    out = capsys.readouterr().out
    assert (
        "the upper limit (T) of the probability that the bounds (24) on the ratio fail is at most 0.001 for everybody"
        in out
    )
    assert "for row 12 (exact supremum over all datasets)" in out
    assert "noise (sigma) = 6.36195224404 is safe to publish" in out
    assert "by the limit (n - m) delta" in out


def test_the_failure_probability_is_guarded_on_request(capsys):
    options = ("--criterion", "failure_probability", "--datasets", "3")
    main(release("choose", *options))
    out = capsys.readouterr().out
    assert (
        "the probability (rho) that the bounds (24) on the ratio fail is at most 0.001 in the sampled datasets for everybody"
        in out
    )
    assert "3 sampled datasets of each; not monotone in sigma: looked at in steps of 3%" in out
    assert "largest of the sampled datasets" in out
    main(release("choose", *options, "--prior-free"))
    assert "that the bounds (26) on the ratio fail is at most 0.001" in capsys.readouterr().out


def test_what_is_guarded_are_the_bounds_that_are_named(capsys):
    """At one epsilon (26) needs less noise than (24), and each fails as often as is tolerated at its own noise."""
    heights = [150.0, 163.0, 171.0, 176.0, 195.0]
    pathlib.Path("few.csv").write_text("\n".join(["height_cm", *map(str, heights)]) + "\n", encoding="utf-8")
    command = ["choose", "few.csv", "--columns", *HEIGHT, "--sample", "3", "--query", "mean", "--json"]
    command += ["--criterion", "failure_probability", "--failure", "0.05"]
    # At the prior 1/3 the upper bound (24) is 3/2 where the upper bound (26) is 2.
    answers = {}
    for bounds, options in (
        ("prior", ["--largest-ratio", "1.5"]),
        ("prior_free", ["--largest-ratio", "2", "--prior-free"]),
    ):
        main([*command, *options])
        answers[bounds] = answer = json.loads(capsys.readouterr().out)
        assert answer["epsilon"] == pytest.approx(math.log(2))
        largest = max(
            inclusion.failure_probability(
                [[(own - other) / 3 / answer["sigma"]] for other in others], math.log(2), bounds=bounds
            ).value
            for own in heights
            for others in itertools.combinations([height for height in heights if height != own], 2)
        )
        assert answer["largest"] == pytest.approx(float(largest), rel=1e-9)
        assert answer["largest"] == pytest.approx(0.05, rel=1e-3)
    assert answers["prior_free"]["sigma"] < 0.9 * answers["prior"]["sigma"]


def test_a_failure_probability_of_some_people_is_not_recommended(capsys):
    """200 people have 43 different heights."""
    options = ("--criterion", "failure_probability", "--targets", "8", "--datasets", "3")
    parts = ["35 of 43 different people are no targets", "take --targets 43, or --criterion ratio"]
    refused(capsys, release("choose", *options), parts)
    refused(capsys, release("choose", "--criterion", "union_mass", *options[2:]), parts)


@pytest.mark.usefixtures("without_figures")
def test_the_one_who_differs_is_the_most_exposed_however_many_are_alike(capsys):
    pathlib.Path("visits.csv").write_text("visits\n" + "0\n" * 29 + "77\n", encoding="utf-8")
    guarantee = ["--epsilon", "1", "--delta", "0.05", "--targets", "6"]
    main(["assess", "visits.csv", "--columns", "visits:0:100", "--sample", "20", "--query", "mean", *guarantee])
    out = capsys.readouterr().out
    (summary,) = rows("exposure/summary.csv")
    assert summary["most_exposed"] == "30"
    assert float(summary["failure_probability_largest"]) == pytest.approx(
        gaussian.bad_region_mass(float(summary["sigma"]), 1.0, 77 / 20)
    )
    assert float(summary["union_mass_mean"]) == pytest.approx(
        (1 + 29 * 10 / 29) / 30 * float(summary["union_mass_largest"])
    )
    assert (summary["targets"], summary["datasets"], summary["union_mass_se"]) == ("30", "0", "0.0")
    assert [(row["person"], row["people"]) for row in rows("exposure/people.csv")] == [("1", "29"), ("30", "1")]
    assert "everybody; all 20,030,010 datasets of each" in out
    assert "  and 28 like it" in out
    assert "(exact), largest 0.00999" in out


@pytest.mark.usefixtures("without_figures")
def test_among_people_with_the_same_worst_dataset_the_rest_of_the_datasets_decides(capsys):
    """Rows 1 and 4 are each other's worst neighbours."""
    pathlib.Path("four.csv").write_text("a,b\n1,2\n2,4\n4,8\n7,14\n", encoding="utf-8")
    main(release("assess", "--json", table="four.csv", columns=["a:0:10", "b:0:20"], sample=3))
    (summary,) = json.loads(capsys.readouterr().out)["summary"]
    assert summary["most_exposed"] == 4
    assert summary["rise_found"] == pytest.approx(summary["rise_limit"], rel=1e-9)


@pytest.mark.usefixtures("without_figures")
def test_the_smallest_prior_is_that_of_everybody(capsys):
    generator = np.random.default_rng(3)
    lines = [
        f"{value:.6f},{weight:.6f}"
        for value, weight in zip(generator.random(400), 1 + generator.random(400), strict=True)
    ]
    lines[250] = "0.5,0.01"
    pathlib.Path("weighted.csv").write_text("a,w\n" + "\n".join(lines) + "\n", encoding="utf-8")
    weights = np.array([float(line.split(",")[1]) for line in lines])
    prior = 0.01 / (0.01 + np.sort(weights)[-20:].sum())
    options = {"table": "weighted.csv", "columns": ["a:0:1"], "sample": 380}
    main(release("assess", "--weights", "w", "--targets", "6", "--datasets", "2", **options))
    assert (
        "6 people of 400, the one of the smallest weight, the 2 from whom somebody is farthest"
        in capsys.readouterr().out
    )
    assert float(rows("exposure/summary.csv")[0]["prior"]) == pytest.approx(prior, rel=1e-12)
    main(release("choose", "--weights", "w", "--targets", "6", "--json", **options))
    assert json.loads(capsys.readouterr().out)["prior"] == pytest.approx(prior, rel=1e-12)


def test_weights_make_priors(capsys):
    text = pathlib.Path(DAVIS).read_text(encoding="utf-8").replace("person,", "belief,")
    pathlib.Path("weighted.csv").write_text(text, encoding="utf-8")
    main(release("choose", "--weights", "belief", "--json", table="weighted.csv"))
    # The first person's against the 20 heaviest.
    assert json.loads(capsys.readouterr().out)["prior"] == pytest.approx(1 / (1 + sum(range(181, 201))))


@pytest.mark.usefixtures("without_figures")
def test_a_large_table_samples_its_targets_and_says_so(capsys):
    generator = np.random.default_rng(1)
    lines = [f"{value:.9f}" for value in generator.random(12_000)]
    pathlib.Path("large.csv").write_text("a\n" + "\n".join(lines) + "\n", encoding="utf-8")
    main(release("assess", table="large.csv", columns=["a:0:1"], sample=500))
    out = capsys.readouterr().out
    assert "6 people of 12,000, the 3 from whom somebody is farthest and a random sample of the others" in out
    assert len(rows("exposure/people.csv")) == 6


TABLE = "id,a,b,w\n" + "".join(f"{k},{k / 10},{k % 2},1\n" for k in range(1, 9))

# Of each: what is done to the table, the options that differ, and what the line must have.
REFUSED = {
    "no such file": (None, {"table": "missing.csv"}, ["missing.csv", "No such file"]),
    "no such column": (TABLE, {"columns": ["c:0:1"]}, ["c is not a column", "id, a, b, w"]),
    "text": (TABLE.replace("3,0.3", "3,tall"), {}, ["row 3 (line 4): a is 'tall'", "correct these cells"]),
    "empty": (TABLE.replace("3,0.3", "3,"), {}, ["row 3 (line 4): a is empty"]),
    "outside": (TABLE.replace("3,0.3", "3,7"), {}, ["a is outside 0 to 1", "row 3 (line 4): 7", "--clip"]),
    "wrong way round": (TABLE, {"columns": ["a:1:0"]}, ["range of a = 1 to 0", "allowed: low < high"]),
    "no range": (TABLE, {"columns": ["a"]}, ["column 'a' has no range", "LOW:HIGH"]),
    "twice": (TABLE, {"columns": ["a:0:1", "a:0:1"]}, ["columns names a twice"]),
    "sample": (TABLE, {"sample": 8}, ["sample = 8", "population = 8", "1 to 7"]),
    "larger sample": (TABLE, {"sample": 9}, ["sample = 9", "population = 8"]),
    "no sample": (TABLE, {"sample": 0}, ["sample = 0", "at least 1"]),
    "query": (TABLE, {"query": "median"}, ["query = 'median'", "mean, sum, identity, count"]),
    "count of no binary column": (TABLE, {"query": "count"}, ["a is neither 0 nor 1 in row 1 (line 2): 0.1"]),
    "count of another range": (TABLE, {"query": "count", "columns": ["b:0:2"]}, ["range of b = 0 to 2", "0 to 1"]),
    "header alone": ("id,a,b,w\n", {}, ["has no rows"]),
    "cut row": (TABLE + "9,0.9", {}, ["row 9 (line 10) has 2 cells", "the header has 4"]),
    "bytes": ("\0\udcff", {}, ["has bytes of 0", "--encoding"]),
    "weights": (TABLE.replace("0.3,1,1", "0.3,1,0"), {"options": ["--weights", "w"]}, ["w is not above 0", "row 3"]),
    "no weights": (TABLE, {"options": ["--weights", "v"]}, ["v is not a column"]),
    "targets": (TABLE, {"options": ["--targets", "0"]}, ["targets = 0"]),
    "datasets": (TABLE, {"options": ["--datasets", "0"]}, ["datasets = 0"]),
    "seed": (TABLE, {"options": ["--seed", "-1"]}, ["seed = -1"]),
}
ASSESS = {
    "epsilon": (["--epsilon", "0"], ["epsilon = 0.0", "(0, inf)"]),
    "delta": (["--delta", "0"], ["delta = 0.0", "(0, 1]"]),
    "ratio": (["--ratio", "1"], ["ratio = 1.0", "(1, inf)"]),
    "probability": (["--probability", "1e-3", "0.7"], ["probability = 0.7", "(0, 0.5]"]),
    "no noise": (["--delta", "1"], ["sigma = 0.0", "promises nothing"]),
    "failure": (["--approximate"], ["failure is missing", "--approximate"]),
    "no room": (["--approximate", "--failure", "1e-3"], ["failure = 0.001", "delta = 0.01", "state a larger failure"]),
}
CHOOSE = {
    "ratio 1": (["--largest-ratio", "1"], ["largest_ratio = 1.0", "(1, inf)"]),
    "no constraint": (["--largest-ratio", "5"], ["largest_ratio = 5 is no constraint", "prior 0.25", "below 4"]),
    "failure": (["--failure", "0.7"], ["failure = 0.7", "[1e-300, 0.5]"]),
}


def refused(capsys, arguments, parts):
    """One line on standard error, exit code 2, and no new file."""
    capsys.readouterr()
    before = sorted(pathlib.Path().iterdir())
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"{prog(arguments[0])} {arguments[0]}: ")
    assert error.count("\n") == 1
    assert [part for part in parts if part not in error] == [], error
    assert sorted(pathlib.Path().iterdir()) == before


@pytest.mark.parametrize("command", ["assess", "choose"])
@pytest.mark.parametrize("case", REFUSED)
def test_a_mistake_ends_with_one_line(capsys, command, case):
    content, options, parts = REFUSED[case]
    if content is not None:
        pathlib.Path("people.csv").write_bytes(content.encode("utf-8", "surrogateescape"))
    options = {"table": "people.csv", "columns": ["a:0:1"], "sample": 5, **options}
    refused(capsys, release(command, *options.pop("options", ()), **options), parts)


@pytest.mark.parametrize(
    ("command", "case"), [("assess", case) for case in ASSESS] + [("choose", case) for case in CHOOSE]
)
def test_a_promise_that_cannot_be_kept_is_refused(capsys, command, case):
    pathlib.Path("people.csv").write_text(TABLE, encoding="utf-8")
    options, parts = (ASSESS if command == "assess" else CHOOSE)[case]
    refused(capsys, release(command, *options, table="people.csv", columns=["a:0:1"], sample=5), parts)


def test_person_12_is_outside_140_to_210_unless_clipped(capsys):
    columns = ["height_cm:140:210"]
    refused(capsys, release("assess", columns=columns), ["height_cm is outside 140 to 210 in row 12 (line 13): 57"])
    main(release("choose", "--clip", columns=columns))
    assert "1 value moved to the nearer end" in capsys.readouterr().out


def test_one_other_candidate_is_said_to_be_one(capsys):
    main(release("choose", "--largest-ratio", "1.5", sample=199))
    assert "candidates: the target and 1 other, so that the bounds fail as often as" in capsys.readouterr().out


def test_the_installed_command_refuses_without_a_traceback(tmp_path):
    command = pathlib.Path(sys.executable).with_name("disclosure")
    run = subprocess.run([command, *release("assess", sample=200)], cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert (
        run.stderr
        == "disclosure assess: sample = 200 of population = 200 leaves no other candidate; allowed: 1 to 199\n"
    )


def test_a_count_of_a_binary_column_is_assessed_without_a_warning(tmp_path):
    table = tmp_path / "binary.csv"
    table.write_text("member\n" + "0\n1\n1\n" * 10, encoding="utf-8")
    main(release("assess", "--datasets", "3", table=table, columns=["member:0:1"], sample=20, query="count"))
    assert [row["people"] for row in rows("exposure/people.csv")] == ["10", "20"]


def test_a_cell_that_only_python_takes_for_a_number_is_refused(capsys):
    pathlib.Path("people.csv").write_text(TABLE.replace("3,0.3", "3,0_1.0"), encoding="utf-8")
    parts = ["row 3 (line 4): a is '0_1.0' (has an underscore)"]
    refused(capsys, release("assess", table="people.csv", columns=["a:0:1"], sample=5), parts)


SWEEP = {
    "columns": HEIGHT,
    "epsilon": [0.5, 1.0],
    "datasets": 3,
    "targets": 12,
    "targets_per_job": 7,
    "probability": [1e-3, 1e-6],
}


def test_a_table_is_a_sweep(study):
    table = study.folder.with_name("people.csv")
    table.write_text(pathlib.Path(DAVIS).read_text(encoding="utf-8"), encoding="utf-8")
    of_a_sample = {"population": "inf", "rows": 200, "sample": 180, "query": "mean", "delta": 0.01}
    sampled = {**SWEEP, **of_a_sample, "epsilon": 1.0, "targets": 2, "datasets": 1, "probability": 0.01}
    study.configure(tables={"davis": {**SWEEP, "table": str(table)}, "sampled": {**sampled, "table": str(table)}})
    study.run("steward")
    summary = tables.read(study.folder / "results/sampled/summary.csv", tables.PEOPLE_SUMMARY, rows=1)
    assert summary["population"].tolist() == [math.inf]
    main(release("assess", "--targets", "2", "--seed", "20260830", "--probability", "0.01", "--population", "inf"))
    by_hand = tables.read("exposure/summary.csv", tables.EXPOSURE_SUMMARY, rows=1)
    for name in tables.EXPOSURE_SUMMARY:
        assert repr(summary[name][0]) == repr(by_hand[name][0]), name
    folder = study.folder / "results/davis"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.csv")}
    shards = {f"exposure/{point:03d}/{shard}.csv" for point in (0, 1) for shard in (0, 1)}
    assert found == {"calibration.csv", "summary.csv", *shards}
    assert {path.name for path in (study.folder / "figures").iterdir()} == {"davis.pdf", "davis.svg", "davis.png"}
    # By hand the same comes out.
    summary = tables.read(folder / "summary.csv", tables.PEOPLE_SUMMARY, rows=4)
    assert summary["probability"].tolist() == [1e-3, 1e-6] * 2
    for row, probability in ((2, "1e-3"), (3, "1e-6")):
        main(
            release("assess", "--targets", "12", "--datasets", "3", "--seed", "20260830", "--probability", probability)
        )
        by_hand = tables.read("exposure/summary.csv", tables.EXPOSURE_SUMMARY, rows=1)
        for name in tables.EXPOSURE_SUMMARY:
            assert name == "point" or repr(summary[name][row]) == repr(by_hand[name][0]), name
    assert "except with probability 1e-06" in (study.folder / "figures/davis.svg").read_text(encoding="utf-8")
    # Other shards give the same bytes, and a changed table makes stale what was made from it.
    before = (folder / "summary.csv").read_bytes()
    (folder / "summary.csv").unlink()
    study.configure(tables={"davis": {**SWEEP, "table": str(table), "targets_per_job": 100}})
    study.run("steward", cores=1)
    assert (folder / "summary.csv").read_bytes() == before
    table.write_text(table.read_text(encoding="utf-8").replace("12,F,57,166", "12,F,166,57"), encoding="utf-8")
    assert study.planned("steward") == {"expose": 2, "aggregate": 1, "figure": 1}


def test_a_wrong_value_is_told_before_the_run_with_its_row(study):
    study.configure(tables={"davis": {**SWEEP, "columns": ["height_cm:140:210"], "epsilon": 1.0, "targets": 7}})
    run = study.attempt("results/davis/summary.csv")
    assert run.returncode != 0
    assert "config: tables.davis: " in run.stderr
    assert "height_cm is outside 140 to 210 in row 12 (line 13): 57" in run.stderr


def test_shards_that_are_not_whole_are_refused(capsys):
    points = ["--population", "200", "--sample", "180", "--epsilon", "1", "--delta", "0.01"]
    main(["calibrate", *points, "--query", "mean", "--columns", *HEIGHT, "--output", "calibration.csv"])
    expose = [
        "expose",
        "calibration.csv",
        DAVIS,
        "--query",
        "mean",
        "--columns",
        *HEIGHT,
        "--point",
        "0",
        "--seed",
        "1",
    ]
    expose += ["--targets", "9", "--datasets", "2"]
    main([*expose, "--stop", "5", "--output", "first.csv"])
    main([*expose, "--start", "5", "--stop", "9", "--output", "second.csv"])
    aggregate = ["aggregate", "calibration.csv", "--datasets", "2", "--targets", "9", "--output", "summary.csv"]
    refused(capsys, [*aggregate, "--exposure", "first.csv"], ["hold 5 rows of point 0", "each of 9 people once"])
    refused(capsys, [*aggregate, "--exposure", "first.csv", "first.csv"], ["hold 10 rows of point 0"])
    main([*aggregate, "--exposure", "second.csv", "first.csv"])
    assert rows("summary.csv")[0]["most_exposed"] == "12"
    # The 200 people have 43 different heights: a shard beyond these is empty, and nobody is missing.
    everybody = [*expose, "--targets", "200"]
    for name, start, stop in (("a", 0, 20), ("b", 20, 100), ("c", 100, 200)):
        main([*everybody, "--start", str(start), "--stop", str(stop), "--output", f"{name}.csv"])
    assert [len(rows(f"{name}.csv")) for name in "abc"] == [20, 23, 0]
    aggregate[aggregate.index("9")] = "200"
    main([*aggregate, "--exposure", "a.csv", "b.csv", "c.csv"])
    assert (rows("summary.csv")[0]["targets"], rows("summary.csv")[0]["most_exposed"]) == ("200", "12")
    refused(
        capsys, [*aggregate, "--exposure", "a.csv", "c.csv"], ["hold 20 rows of point 0", "each of 200 people once"]
    )


def test_a_table_of_another_size_is_refused(capsys):
    points = ["--population", "199", "--sample", "180", "--epsilon", "1", "--delta", "0.01"]
    main(["calibrate", *points, "--query", "mean", "--columns", *HEIGHT, "--output", "calibration.csv"])
    expose = ["expose", "calibration.csv", DAVIS, "--query", "mean", "--columns", *HEIGHT, "--point", "0"]
    work = ["--targets", "9", "--datasets", "2", "--seed", "1", "--stop", "9", "--output", "exposure.csv"]
    refused(capsys, [*expose, *work], ["davis.csv: has 200 rows; the sweep's population = 199"])
    refused(capsys, [*expose[:-1], "1", *work], ["point = 1 is none of the sweep's points 0 to 0"])


@pytest.mark.parametrize(
    ("command", "name"),
    [("assess", "people.csv"), ("assess", "summary.csv"), ("assess", "points.csv"), ("choose", "points.csv")],
)
def test_the_table_is_never_written_over(tmp_path, capsys, command, name):
    table = pathlib.Path(DAVIS).read_bytes()
    (tmp_path / name).write_bytes(table)
    for output in (".", str(tmp_path)):
        refused(
            capsys, release(command, "--output", output, table=name), [f"would replace the table that is read, {name}"]
        )
    refused(capsys, release(command, "--output", ""), ["output = ''", ". is the current one"])
    refused(capsys, release(command, "--output", name), ["is a file", "name a folder"])
    assert (tmp_path / name).read_bytes() == table
