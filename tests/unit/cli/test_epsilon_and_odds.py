"""The epsilon that a profile allows, and odds under an epsilon, at the shell."""

import json
import math

import numpy as np
import pytest

from tests.commands import main

PROFILE = "{scale: linear, knots: [[0, 10], [1, 2], [2.5, 5]]}"


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


def test_odds_at_the_shell(capsys):
    words = ["odds", "--epsilon", "0.34", "--q", "0.5", "--q0", "0.00125"]
    answer = json.loads(run(capsys, *words, "--json"))
    assert answer["relation"] == "add/remove-one"
    assert answer["prior_odds_ratio"] == [799.0]
    factor = math.exp(0.68)
    assert answer["posterior_odds_ratio"] == pytest.approx([799 / factor, 799 * factor])
    assert answer["odds_included"] == pytest.approx([1 / factor, factor])
    assert "799" in run(capsys, *words)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["odds", "--epsilon", "0.34", "--q", "0", "--q0", "0.5"], "q = 0.0 is outside (0, 1)"),
        (["odds", "--epsilon", "nan", "--q", "0.5", "--q0", "0.5"], "--epsilon: 'nan' is not finite"),
        (["epsilon", "--profile", "nowhere.yaml"], "nowhere.yaml"),
        (["epsilon", "--profile", PROFILE, "--prior-odds", "-1"], "-1"),
        (["epsilon", "--profile", "{knots: [[1, 0.5]]}"], "0.5"),
    ],
)
def test_a_mistake_at_the_shell_is_one_line(capsys, words, named):
    with pytest.raises(SystemExit) as caught:
        main(words)
    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert named in error.splitlines()[-1]
    assert "Traceback" not in error
