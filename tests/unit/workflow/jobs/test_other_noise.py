"""A sweep with noise that is not Gaussian, made by the commands, against `mixtures`; and what is refused."""

import numpy as np
import pytest

from disclosure.beliefs import inclusion
from disclosure.beliefs.mixture_quantiles import mixture_ratio_quantiles
from disclosure.beliefs.mixtures import failure_probability
from disclosure.mechanisms import named
from disclosure.numerics import rounding
from disclosure.study import datasets
from disclosure.workflow import sweeps, tables
from tests.commands import main

POINT = ["--population", "12", "--sample", "9", "--epsilon", "0.6", "--delta", "0.75"]
DATASETS, RELEASES = 6, 4000
DRAWN = ["--seed", "7", "--stop", str(DATASETS)]


@pytest.mark.parametrize(
    ("mechanism", "attributes"),
    [("laplace", "uniform"), ("laplace", "binary"), ("geometric", "binary"), ("discrete_gaussian", "binary")],
)
def test_a_sweep_has_the_probabilities_of_its_noise(tmp_path, monkeypatch, mechanism, attributes):
    monkeypatch.chdir(tmp_path)
    law = ["--attributes", attributes]
    main(["calibrate", *POINT, "--mechanism", mechanism, "--output", "calibration.csv"])
    ((point, sigma, name),) = sweeps.calibrated_points("calibration.csv")
    assert (name, sigma) == (mechanism, rounding.round_up(named.calibrate(mechanism, 0.6, 0.75)))
    main(["upper_limit", "calibration.csv", *law, "--ratio-probability", "0.05", *DRAWN, "--output", "upper.csv"])
    shards = tables.Shards(["upper.csv"], tables.UPPER_LIMIT, DATASETS, 1)
    exact = {name: np.array(list(shards[name])) for name in tables.UPPER_LIMIT if name not in ("point", "dataset")}
    target, neighbours = datasets.draw(7, point, 0, DATASETS, attributes=attributes)
    for row, (own, others) in enumerate(zip(target, neighbours[:, :, 0], strict=True)):
        laws = {"inside": (own, [1]), "outside": (others, np.ones(3)), "truth": (own, [1])}
        laws |= {"noise": mechanism, "scale": sigma}
        ratios = mixture_ratio_quantiles(**laws, probability=0.05, prior=1 / 4)
        found = exact["ratio_lower_quantile"][0, row], exact["ratio_upper_quantile"][0, row]
        assert found == pytest.approx(ratios, rel=1e-11)
        for bounds, column in zip(inclusion.BOUNDS, ("", "_prior_free"), strict=True):
            low, high = inclusion.levels_of(bounds, 0.6, 1 / 4)
            value = failure_probability(**laws, low=low, high=high).value
            assert exact[f"failure_probability{column}"][0, row] == pytest.approx(value, rel=1e-11)
    for method in ("threshold", "literal"):
        drawn = ["--point", "0", "--method", method, "--releases", str(RELEASES), *DRAWN]
        main(["simulate", "calibration.csv", *law, *drawn, "--output", "simulate.csv"])
        (counts,) = tables.Shards(["simulate.csv"], tables.SIMULATION, DATASETS, 1)["failures"]
        probability = exact["failure_probability"]
        error = np.sqrt(RELEASES * probability * (1 - probability))
        assert (np.abs(counts - RELEASES * probability) <= 4 * error + 1e-6).all()
    main(["replicate", "calibration.csv", *law, "--datasets", "4", "--seed", "7", "--stop", "1", "--output", "r.csv"])
    again = tables.read("r.csv", tables.REPLICATION)
    assert 0 <= again["failure_probability_mean"][0] <= again["union_mass_mean"][0] <= 1
    main(
        ["aggregate", "calibration.csv", "--datasets", str(DATASETS), "--upper-limit", "upper.csv", "--output", "s.csv"]
    )
    assert tables.read("s.csv", tables.SUMMARY)["mechanism"].tolist() == [mechanism]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["expect", "calibration.csv"], "mechanism = 'geometric': expected values are known for gaussian noise only"),
        (
            ["upper_limit", "calibration.csv", "--ratio-probability", "0.05", *DRAWN],
            "geometric noise is for answers that are whole numbers; use other noise",
        ),
        (
            ["calibrate", *POINT, "--mechanism", "laplace", "--definition", "approximate", "--delta-prime", "0.8"],
            "mechanism = 'laplace' and definition = 'approximate': noise that is not gaussian is calibrated to",
        ),
        (
            ["calibrate", *POINT, "--mechanism", "geometric", "--query", "sum", "--columns", "age:0:9"],
            "sensitivity = 9.0 and mechanism = 'geometric': noise on the whole numbers is calibrated for answers that are",
        ),
    ],
)
def test_what_has_no_answer_is_refused_in_one_line(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    main(["calibrate", *POINT, "--mechanism", "geometric", "--output", "calibration.csv"])
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main([*words, "--output", "output.csv"])
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
