"""The command `disclosure translate`: published values, every way in, words, figure, and mistakes in one line."""

import json
import math

import numpy as np
import pytest
from scipy.stats import norm

from disclosure import cli
from disclosure.mechanisms import privacy
from disclosure.plots import style, trade_off

PUBLISHED = ["--epsilon", "1", "--delta", "1e-5", "--at-delta", "1e-6", "--false-positive-rate", "0.01"]


def run(capsys, *words):
    cli.main(["translate", *words])
    return capsys.readouterr().out


def answer(capsys, *words):
    return json.loads(run(capsys, *words, "--json"))


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("approximate", (3.730631634816, 0.1066176384521, 0.01978082795278, 0.03592570232742)),
        ("probabilistic", (4.444123306206, 0.08957947565891, 0.01780593316823, 0.02531615836176)),
    ],
)
def test_published_values_at_the_shell(capsys, definition, expected):
    found = answer(capsys, "--definition", definition, *PUBLISHED)
    names = "sigma", "advantage", "true_positive_rate", "rho"
    assert [found[name] for name in names] == pytest.approx(expected, rel=1e-12)
    assert found["mu"] * found["sigma"] == pytest.approx(1, rel=1e-15)
    # At the delta of the input the epsilon of the input comes back, and at a smaller one a larger epsilon.
    same = answer(capsys, "--definition", definition, "--epsilon", "1", "--delta", "1e-5")
    assert (same["at_delta"], found["at_delta"]) == (1e-5, 1e-6)
    assert same[f"epsilon_{definition}"] == pytest.approx(1, rel=1e-12)
    assert found[f"epsilon_{definition}"] > 1.05


def test_rho_at_the_shell(capsys):
    found = answer(capsys, "--rho", "0.15", "--at-delta", "0.01")
    assert found["sigma"] == pytest.approx(1.82574185835055, rel=1e-13)
    assert found["epsilon_probabilistic"] == pytest.approx(1.46056072528426, rel=1e-13)
    assert found["epsilon_approximate"] == pytest.approx(1.0382091592744, rel=1e-12)


@pytest.mark.parametrize(("releases", "expected"), [(2, 1.43729900841), (4, 2.09262611237), (12, 3.95404035784)])
def test_published_compositions_at_the_shell(capsys, releases, expected):
    words = ["--definition", "probabilistic", "--epsilon", "1", "--delta", "0.01"]
    one, many = answer(capsys, *words), answer(capsys, *words, "--releases", str(releases))
    assert many["epsilon_probabilistic"] == pytest.approx(expected, rel=2e-12)
    # The noise of each stays as it is; together they are one with less.
    assert many["sigma"] == one["sigma"]
    alone = answer(capsys, "--sigma", repr(one["sigma"] / math.sqrt(releases)), "--at-delta", "0.01")
    for name in ("mu", "rho", "advantage", "epsilon_approximate", "epsilon_probabilistic", "odds_increase_any"):
        assert many[name] == pytest.approx(alone[name], rel=1e-12)


def test_every_way_in_leads_to_the_same_answer(capsys):
    sensitivity = ["--sensitivity", "4", "--alpha", "3", "--at-delta", "1e-4", "--prior", "0.2"]
    first = answer(capsys, "--sigma", "5", *sensitivity)
    assert (first["mu"], first["rho"], first["renyi_epsilon"]) == pytest.approx((0.8, 0.32, 0.96), rel=1e-15)
    ways = [
        ["--mu", "0.8"],
        ["--rho", "0.32"],
        ["--renyi-epsilon", "0.96"],
        *(
            ["--definition", name, "--epsilon", repr(first[f"epsilon_{name}"]), "--delta", "1e-4"]
            for name in ("approximate", "probabilistic")
        ),
    ]
    for way in ways:
        other = answer(capsys, *way, *sensitivity)
        assert list(other) == list(first)
        for name, value in first.items():
            assert other[name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-12)), name


def test_odds_ratios_and_error_of_two_answers_by_their_densities(capsys):
    """Log odds in 400,000 releases between the ends and beyond the quantiles, and the half-width of the noise."""
    found = answer(capsys, "--mu", "0.8", "--at-delta", "0.02", "--prior", "0.2", "--confidence", "0.9")
    draws = 400_000
    noise = np.random.Generator(np.random.SFC64(3)).standard_normal(draws)
    factor = norm.pdf(noise) / norm.pdf(noise, 0.8)
    ratio = 1 / (0.2 + 0.8 / factor)
    for seen, ends, quantiles in ((factor, *(found[f"odds_{n}"] for n in ("bounds", "quantiles"))),) + (
        (ratio, *(found[f"ratio_{n}"] for n in ("bounds", "quantiles"))),
    ):
        limit = 4 * math.sqrt(0.02 / draws)
        assert np.mean((seen < ends[0]) | (seen > ends[1])) == pytest.approx(0.02, abs=limit)
        assert np.mean(seen < quantiles[0]) == pytest.approx(0.02, abs=limit)
        assert np.mean(seen > quantiles[1]) == pytest.approx(0.02, abs=limit)
    assert found["half_width"] == pytest.approx(found["sigma"] * norm.ppf(0.95), rel=1e-12)
    assert found["odds_increase_any"] > found["odds_quantiles"][1]


def test_quantiles_are_printed_in_order_for_a_delta_above_one_half(capsys):
    few, most = (run(capsys, "--mu", "0.8", "--at-delta", delta, "--prior", "0.2") for delta in ("0.02", "0.98"))
    for text in (few, most):
        quantiles = [line for line in text.splitlines() if ", quantiles" in line]
        assert len(quantiles) == 2
        assert all("below with probability 0.02, above with the same" in line for line in quantiles)
    assert [line for line in few.splitlines() if ", quantiles" in line] == [
        line for line in most.splitlines() if ", quantiles" in line
    ]


def test_a_guarantee_for_added_records_is_turned_into_one_for_replaced_ones(capsys):
    added = answer(capsys, "--rho", "0.15", "--relation", "add/remove-one")
    replaced = answer(capsys, "--rho", "0.6", "--sensitivity", "2")
    assert added["relation"] == replaced["relation"] == "replace-one"
    for name in set(added) - {"relation", "odds_bounds", "odds_quantiles"}:
        assert added[name] == pytest.approx(replaced[name], rel=1e-12), name
    assert "twice as far" in run(capsys, "--rho", "0.15", "--relation", "add/remove-one")


def test_what_a_float_cannot_hold_is_null_for_machines_and_said_in_words(capsys):
    found = answer(capsys, "--mu", "40")
    assert found["odds_increase_any"] is None
    assert found["odds_bounds"][1] is None
    assert "over 1.8e308" in run(capsys, "--mu", "40")


def test_the_words_name_quantities_probabilities_and_the_unit(capsys):
    text = run(capsys, "--definition", "approximate", *PUBLISHED, "--prior", "0.1", "--releases", "3")
    for words in (
        "given: epsilon = 1, delta = 1e-5, definition = approximate",
        "one record replaced by another",
        "3 such releases",
        "3.73063",
        "at delta = 1e-06",
        "at a false positive rate of 0.01",
        "prior probability of the true record is 0.1",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 128
    assert "normal noise that just keeps it" not in run(capsys, "--sigma", "2")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "nothing is given to translate; give one of --sigma, --mu, --rho, --epsilon"),
        (["--alpha", "2"], "nothing is given"),
        (["--sigma", "1", "--mu", "1"], "--sigma and --mu are both given"),
        (["--sigma", "1", "--delta", "0.1"], "--delta = 0.1 belongs to an epsilon"),
        (["--mu", "1", "--definition", "approximate"], "--definition = approximate belongs"),
        (["--epsilon", "1"], "delta is missing"),
        (["--epsilon", "1", "--delta", "0.1"], "definition is missing"),
        (["--epsilon", "1", "--delta", "0.1", "--definition", "pure"], "definition = 'pure' is none of"),
        (["--epsilon", "0", "--delta", "0.1", "--definition", "probabilistic"], "epsilon = 0.0 is outside (0, inf)"),
        (["--epsilon", "1", "--delta", "1", "--definition", "approximate"], "delta = 1.0 is outside (0, 1)"),
        (["--renyi-epsilon", "1"], "alpha is missing"),
        (["--renyi-epsilon", "1", "--alpha", "1"], "alpha = 1.0 is outside (1, inf)"),
        (["--sigma", "much"], "sigma = 'much' is no number"),
        (["--sigma", "0"], "sigma = 0.0 is outside (0, inf)"),
        (["--mu", "nan"], "mu = 'nan' is not finite"),
        (["--mu", "1e-9", "--sensitivity", "1e300"], "sigma = inf is outside"),
        (["--mu", "1e200"], "mu = 1e+200 is too large or too small"),
        (["--mu", "1", "--at-delta", "2"], "at_delta = 2.0 is outside (0, 1)"),
        (["--mu", "1", "--false-positive-rate", "1"], "false_positive_rate = 1.0"),
        (["--mu", "1", "--prior", "0"], "prior = 0.0"),
        (["--mu", "1", "--confidence", "95"], "confidence = 95.0 is outside (0, 1)"),
        (["--mu", "1", "--releases", "1.5"], "releases = 1.5 is not a whole number"),
        (["--mu", "1", "--sensitivity", "-1"], "sensitivity = -1.0"),
        (["--mu", "1", "--relation", "bounded"], "relation = 'bounded' is none of replace-one, add/remove-one"),
        (["--mu", "1", "--figure", "curve.jpg"], "curve.jpg: a figure's name ends in"),
    ],
)
def test_a_mistake_is_one_line(capsys, words, named):
    with pytest.raises(SystemExit) as caught:
        cli.main(["translate", *words])
    assert caught.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert named in line


@pytest.mark.parametrize(("kind", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_trade_off_curve_is_written(tmp_path, capsys, kind, start):
    path = tmp_path / f"curve.{kind}"
    assert str(path) in run(capsys, "--mu", "1", "--figure", str(path))
    written = path.read_bytes()
    assert written.startswith(start)
    assert len(written) > 5_000
    if kind == "svg":
        assert written == style.rendered(trade_off.trade_off_figure(1.0, 0.01), kind)


def test_the_figure_says_and_draws_the_best_tests():
    figure = trade_off.trade_off_figure(1.0, 0.05)
    svg = style.rendered(figure, "svg").decode()
    caught = norm.sf(norm.isf(0.05) - 1)
    for words in ("mu = 1", "false negative rate", f"largest advantage {2 * norm.cdf(0.5) - 1:.4g}", f"{caught:.4g}"):
        assert words in svg
    rate, missed = figure.axes[0].lines[1].get_data()
    assert (rate[0], missed[0], rate[-1], missed[-1]) == (0, 1, 1, 0)
    inner = slice(1, -1)
    assert missed[inner] == pytest.approx(norm.cdf(norm.isf(rate[inner]) - 1), rel=1e-9)
    assert "Largest advantage 0.3829: 0.309 at 0.3085." in svg


@pytest.mark.parametrize("mu", [1e-8, 40.0])
def test_the_figure_is_drawn_at_the_ends_of_the_range(mu):
    assert len(style.rendered(trade_off.trade_off_figure(mu, 0.01), "svg")) > 5_000
    assert privacy.advantage(mu) <= 1
