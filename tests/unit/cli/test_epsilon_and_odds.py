"""The epsilon that a profile allows, and odds under an epsilon, at the shell."""

import json
import math
import pathlib

import numpy as np
import pytest
import yaml
from scipy.special import ndtr

from disclosure.beliefs import profiles
from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROFILE = "{scale: linear, knots: [[0.1, 10], [1, 2], [2.5, 5]]}"


def run(capsys, *words):
    main(list(words))
    return capsys.readouterr().out


def test_epsilon_at_the_shell(capsys):
    answer = json.loads(run(capsys, "epsilon", "--profile", PROFILE, "--prior-odds", "800", "1", "--json"))
    assert answer["relation"] == "add/remove-one"
    found = [(row["prior_odds_ratio"], row["bound"], row["epsilon"]) for row in answer["answers"]]
    expected = [(800, 5, math.log(5) / 2), (1, 2, math.log(2) / 2), (1, 2, math.log(2) / 2)]
    assert np.allclose(found, expected, rtol=1e-14)
    assert [row["rounded_down"] for row in answer["answers"]] == [0.8, 0.34, 0.34]
    bounded = json.loads(run(capsys, "epsilon", "--profile", PROFILE, "--bounded", "--json"))
    assert bounded["relation"] == "replace-one"
    assert bounded["answers"][0]["epsilon"] == pytest.approx(math.log(2))
    text = run(capsys, "epsilon", "--profile", PROFILE, "--prior-odds", "800")
    assert "add/remove-one" in text
    assert "0.804719" in text


def test_a_page_of_the_profile(capsys, tmp_path):
    path = tmp_path / "profile.html"
    plain = run(capsys, "epsilon", "--profile", PROFILE)
    text = run(capsys, "epsilon", "--profile", PROFILE, "--page", str(path))
    assert text == f"{plain}written to {path}\n"
    assert f'<data value="{math.log(2) / 2}"' in path.read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["epsilon", "--mechanism", "gaussian", "--failure", "1e-3", "--page", str(path)])
    assert "--page belongs to --mechanism pure" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["epsilon", "--page", str(tmp_path)])
    assert "is a folder; name a file" in capsys.readouterr().err
    path.write_text(PROFILE, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["epsilon", "--profile", str(path), "--page", str(path)])
    assert "would replace the profile that is read" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == PROFILE


def test_without_a_profile_it_is_the_one_of_the_paper(capsys):
    assert run(capsys, "epsilon") == run(capsys, "epsilon", "--profile", PROFILE)
    assert yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["odds_risk_profile"] == {
        "scale": profiles.PUBLISHED.scale,
        "knots": [list(knot) for knot in profiles.PUBLISHED.knots],
    }


def test_normal_noise_that_keeps_a_profile(capsys):
    words = ["epsilon", "--mechanism", "gaussian", "--failure", "1e-3", "--profile", PROFILE]
    answer = json.loads(run(capsys, *words, "--prior-odds", "800", "--at-delta", "1e-5", "--json"))
    assert answer["relation"] == "replace-one"
    found = [answer[name] for name in ("sigma_informed", "sigma_any", "sigma_zcdp")]
    assert found == pytest.approx([4.6146, 4.9927, 5.4937], abs=5e-5)
    known, everybody = answer["answers"]
    assert {name: answer[name] for name in everybody} == everybody
    assert (known["prior_odds_ratio"], known["bound"]) == (800, 5)
    mu = 1 / answer["sigma_any"]
    assert answer["mu"] == pytest.approx(mu, rel=1e-12)
    assert answer["rho"] == pytest.approx(mu**2 / 2, rel=1e-12)
    # The definitions of the two privacies, at the epsilons of the answer: Balle and Wang's profile, and both tails of L.
    approximate, probabilistic = answer["epsilon_approximate"], answer["epsilon_probabilistic"]
    excess = ndtr(mu / 2 - approximate / mu) - math.exp(approximate) * ndtr(-mu / 2 - approximate / mu)
    assert excess == pytest.approx(1e-5, rel=1e-8)
    tails = ndtr(mu / 2 - probabilistic / mu) + ndtr(-mu / 2 - probabilistic / mu)
    assert tails == pytest.approx(1e-5, rel=1e-8)


def test_noise_is_printed_rounded_up(capsys):
    text = run(capsys, "epsilon", "--mechanism", "gaussian", "--failure", "1e-3", "--prior-odds", "800", "0.1")
    assert [line.split()[1:] for line in text.splitlines() if line.startswith(("known", "any"))] == [
        ["800", "5", "2.0702", "2.223", "2.437"],
        ["0.1", "10", "1.4881", "1.5904", "1.7392"],
        ["1", "2", "4.6146", "4.9927", "5.4937"],
    ]
    exact = json.loads(
        run(capsys, "epsilon", "--mechanism", "gaussian", "--failure", "1e-3", "--prior-odds", "800", "--json")
    )
    assert 2.22295 < exact["answers"][0]["sigma_any"] < 2.223


@pytest.mark.parametrize("decimals", ["0", "2", "50"])
def test_columns_stay_apart_however_many_decimals_are_asked_for(capsys, decimals):
    lines = run(capsys, "epsilon", "--prior-odds", "800", "0.1", "--decimals", decimals).splitlines()[1:]
    assert len({len(line) for line in lines if line.startswith(("adversary", "known", "any"))}) == 1
    assert all(len(line.split()) == 5 for line in lines if line.startswith(("known", "any")))


def test_odds_at_the_shell(capsys):
    words = ["odds", "--epsilon", "0.34", "--q", "0.5", "--q0", "0.00125"]
    answer = json.loads(run(capsys, *words, "--json"))
    assert answer["relation"] == "add/remove-one"
    assert answer["prior_odds_ratio"] == [799.0]
    factor = math.exp(0.68)
    assert answer["posterior_odds_ratio"] == pytest.approx([799 / factor, 799 * factor])
    assert answer["odds_included"] == pytest.approx([1 / factor, factor])
    assert "799" in run(capsys, *words)


def test_odds_for_replaced_records_rise_by_epsilon_once(capsys):
    # Randomised response of one bit: a record replaced changes its odds by e^epsilon, and that is attained.
    epsilon, q, q0 = 0.34, 0.5, 0.2
    kept = 1 / (1 + math.exp(-epsilon))
    included = q * kept / ((1 - q) * (1 - kept))
    answer = json.loads(
        run(capsys, "odds", "--epsilon", str(epsilon), "--q", str(q), "--q0", str(q0), "--bounded", "--json")
    )
    assert answer["relation"] == "replace-one"
    assert answer["odds_included"][1] == pytest.approx(included, rel=1e-12)
    assert answer["posterior_odds_ratio"][1] == pytest.approx(included / (q0 / (1 - q0)), rel=1e-12)
    assert answer["posterior_to_posterior_risk"][1] == pytest.approx(included / (1 + included) / q0, rel=1e-12)


def test_the_figure_of_epsilon_has_the_adversaries_and_the_relation(capsys, tmp_path):
    path = tmp_path / "epsilon.svg"
    text = run(capsys, "epsilon", "--prior-odds", "800", "0.05", "--bounded", "--figure", str(path))
    assert text.endswith(f"written to {path}\n")
    svg = path.read_text(encoding="utf-8")
    for words in ("(replace-one)", "800", "0.05", "0.6931"):
        assert words in svg
    assert json.loads(run(capsys, "epsilon", "--figure", str(path), "--json"))["relation"] == "add/remove-one"
    assert "(add/remove-one)" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["odds", "--epsilon", "0.34", "--q", "0", "--q0", "0.5"], "q = 0.0 is outside (0, 1)"),
        (["odds", "--epsilon", "nan", "--q", "0.5", "--q0", "0.5"], "--epsilon: 'nan' is not finite"),
        (["epsilon", "--profile", "nowhere.yaml"], "nowhere.yaml"),
        (["epsilon", "--profile", PROFILE, "--prior-odds", "-1"], "-1"),
        (["epsilon", "--profile", "{knots: [[1, 0.5]]}"], "0.5"),
        (["epsilon", "--mechanism", "gaussian"], "failure is missing; state by --failure"),
        (["epsilon", "--mechanism", "gaussian", "--failure", "1"], "failure = 1.0 is outside (0, 1)"),
        (["epsilon", "--mechanism", "gaussian", "--failure", "0.1", "--at-delta", "0"], "at_delta = 0.0 is outside"),
        (
            ["epsilon", "--mechanism", "gaussian", "--failure", "0.1", "--bounded"],
            "--bounded belongs to --mechanism pure",
        ),
        (["epsilon", "--mechanism", "gaussian", "--failure", "0.1", "--decimals", "3"], "--decimals belongs to"),
        (["epsilon", "--figure", "epsilon.gif"], "epsilon.gif"),
        (["epsilon", "--mechanism", "gaussian", "--failure", "0.1", "--figure", "a.png"], "--figure belongs to"),
        (["epsilon", "--failure", "0.1"], "--failure belongs to --mechanism gaussian"),
        (["epsilon", "--at-delta", "0.1"], "--at-delta belongs to --mechanism gaussian"),
        (["epsilon", "--mechanism", "gaussian", "--failure", "0.1", "--profile", "{knots: [[1, 1]]}"], "bound = 1.0"),
    ],
)
def test_a_mistake_at_the_shell_is_one_line(capsys, words, named):
    with pytest.raises(SystemExit) as caught:
        main(words)
    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert named in error.splitlines()[-1]
    assert "Traceback" not in error


def test_the_text_of_odds_says_of_what_each_ratio_is(capsys):
    text = run(capsys, "odds", "--epsilon", "1", "--q", "0.5", "--q0", "0.005")
    answer = json.loads(run(capsys, "odds", "--epsilon", "1", "--q", "0.5", "--q0", "0.005", "--json"))
    assert "P10 and R10 are odds in the data over odds outside of it" in text
    assert (
        "R1 is of probabilities: that the value is sensitive, after the release, in the data over outside of it" in text
    )
    odds, (outside,) = answer["odds_included"], answer["odds_excluded"]
    of_probabilities = [odd / (1 + odd) / (outside / (1 + outside)) for odd in odds]
    assert answer["posterior_to_posterior_risk"] == pytest.approx(of_probabilities)
