"""Attribute inference from one number: against the general engine, enumeration, simulation, dense scans and closed forms."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from disclosure.beliefs import mixtures
from disclosure.beliefs.attributes import odds_changes, odds_quantiles
from disclosure.beliefs.mixture_quantiles import level_quantiles
from disclosure.beliefs.value_sets import ValueInterval, contains, split
from disclosure.beliefs.worlds import Mixture
from disclosure.numerics.errors import DomainError

NOISES = {"gaussian": 2.3, "laplace": 1.7, "geometric": 1.9, "discrete_gaussian": 2.2}
ABOVE, BELOW = (ValueInterval(8, math.inf),), (ValueInterval(-math.inf, 2),)
INTERVAL, PAIR = (ValueInterval(3, 6),), (ValueInterval(2, 3), ValueInterval(7, 7))
PROBABILITIES = (1e-9, 1e-3, 0.2, 0.5, 0.7, 0.999)


def table(seed=0):
    """Values from 0 to 10, all of them there, and their weights."""
    generator = np.random.default_rng(seed)
    return np.arange(11.0), generator.random(11) + 0.05


def beyond(inside, outside, truth, noise, scale, low=-math.inf, high=math.inf):
    """P(odds change by a factor below e^low, or above e^high), by the general engine."""
    law = {"noise": noise, "scale": scale, "low": -high, "high": -low}
    return mixtures.failure_probability(inside, outside, ([truth], [1.0]), **law).value


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("values", [ABOVE, BELOW], ids=["above", "below"])
@pytest.mark.parametrize("factor", [1.01, 1.3, 2.0, 20.0])
def test_a_half_line_has_the_probabilities_of_the_engine(noise, values, factor):
    inside, outside = split(table(), values)
    truths = np.array([0.0, 2.0, 5.0, 10.0])
    found = odds_changes(inside, outside, truths, noise=noise, scale=NOISES[noise], factor=factor)
    level = float(np.log(factor))
    for place, truth in enumerate(truths.tolist()):
        rise = beyond(inside, outside, truth, noise, NOISES[noise], high=level)
        fall = beyond(inside, outside, truth, noise, NOISES[noise], low=-level)
        assert found.rise[place] == pytest.approx(rise, rel=1e-12)
        assert found.fall[place] == pytest.approx(fall, rel=1e-12)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("values", [INTERVAL, PAIR], ids=["interval", "pair"])
def test_other_sets_have_the_probabilities_of_the_engine(noise, values):
    inside, outside = split(table(1), values)
    found = odds_changes(inside, outside, [1.0, 7.0], noise=noise, scale=NOISES[noise], factor=1.3)
    level = float(np.log(1.3))
    for place, truth in enumerate((1.0, 7.0)):
        assert found.rise[place] == pytest.approx(
            beyond(inside, outside, truth, noise, NOISES[noise], high=level), rel=1e-12
        )
        assert found.fall[place] == pytest.approx(
            beyond(inside, outside, truth, noise, NOISES[noise], low=-level), rel=1e-12
        )


def assert_quantiles(found, inside, outside, truths, noise, scale, probability, margin):
    """A little beyond each factor the probability is at most the stated one, and a little before it is at least that."""
    for lower, upper, truth in zip(np.log(found.lower), np.log(found.upper), truths, strict=True):
        for step, compare in ((margin, np.less_equal), (-margin, np.greater_equal)):
            rise = beyond(inside, outside, truth, noise, scale, high=upper + step)
            fall = beyond(inside, outside, truth, noise, scale, low=lower - step)
            slack = 1 + math.copysign(1e-7, step)
            assert compare(rise, probability * slack)
            assert compare(fall, probability * slack)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("values", [ABOVE, BELOW], ids=["above", "below"])
def test_quantiles_of_a_half_line_are_what_they_say(noise, values):
    inside, outside = split(table(2), values)
    for probability in PROBABILITIES:
        found = odds_quantiles(
            inside, outside, [0.0, 5.0, 9.0], noise=noise, scale=NOISES[noise], probability=probability
        )
        assert_quantiles(found, inside, outside, (0.0, 5.0, 9.0), noise, NOISES[noise], probability, 1e-11)


@pytest.mark.parametrize("values", [INTERVAL, PAIR], ids=["interval", "pair"])
@pytest.mark.parametrize("scale", [0.4, 1.0, 4.0])
def test_quantiles_of_other_sets_are_what_they_say(values, scale):
    inside, outside = split(table(3), values)
    for probability in PROBABILITIES[::2]:
        found = odds_quantiles(inside, outside, [1.0, 4.5, 7.0], scale=scale, probability=probability)
        assert_quantiles(found, inside, outside, (1.0, 4.5, 7.0), "gaussian", scale, probability, 1e-9)


@pytest.mark.parametrize("values", [ABOVE, INTERVAL], ids=["half-line", "interval"])
def test_quantiles_of_a_uniform_prior_are_what_they_say(values):
    inside, outside = split(Mixture(pieces=[(0, 10, 1)]), values)
    found = odds_quantiles(inside, outside, [4.5], scale=3.0, probability=1e-3)
    assert_quantiles(found, inside, outside, (4.5,), "gaussian", 3.0, 1e-3, 1e-9)


def test_gaussian_noise_has_the_quantiles_of_the_general_way():
    inside, outside = split(table(7), PAIR)
    found = odds_quantiles(inside, outside, [4.0], scale=2.0, probability=0.01)
    levels = level_quantiles(inside, outside, ([4.0], [1.0]), scale=2.0, probability=0.01)
    assert found.upper[0] == pytest.approx(math.exp(-levels.low), rel=1e-11)
    assert found.lower[0] == pytest.approx(math.exp(-levels.high), rel=1e-11)


@pytest.mark.parametrize("values", [ABOVE, INTERVAL], ids=["half-line", "interval"])
def test_quantiles_under_laplace_noise_are_what_they_say(values):
    inside, outside = split(table(8), values)
    found = odds_quantiles(inside, outside, [4.0], noise="laplace", scale=2.0, probability=0.01)
    assert_quantiles(found, inside, outside, (4.0,), "laplace", 2.0, 0.01, 1e-9)


@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize("values", [ABOVE, BELOW, PAIR], ids=["above", "below", "pair"])
@pytest.mark.parametrize("probability", PROBABILITIES[1::2])
def test_quantiles_on_whole_numbers_are_those_of_an_enumeration(noise, values, probability):
    answers, weights = table(4)
    scale, releases = NOISES[noise], np.arange(-200, 211)
    distances = np.abs(releases[:, None] - answers)
    kernels = np.exp(-distances / scale) if noise == "geometric" else np.exp(-((distances / scale) ** 2) / 2)
    held = contains(values, answers)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = (kernels[:, held] @ weights[held] / weights[held].sum()) / (
            kernels[:, ~held] @ weights[~held] / weights[~held].sum()
        )
    masses = kernels[:, 5] / kernels[:, 5].sum()
    factors, masses = factors[masses > 0], masses[masses > 0]
    candidates = np.unique(factors)
    upper = next(r for r in candidates if masses[factors > r * (1 + 1e-9)].sum() <= probability)
    lower = next(r for r in candidates[::-1] if masses[factors < r * (1 - 1e-9)].sum() <= probability)
    found = odds_quantiles(*split((answers, weights), values), [5.0], noise=noise, scale=scale, probability=probability)
    assert (found.lower[0], found.upper[0]) == (pytest.approx(lower, rel=1e-8), pytest.approx(upper, rel=1e-8))


@pytest.mark.parametrize("noise", NOISES)
def test_the_odds_of_a_half_line_rise_along_the_whole_line_and_those_of_an_interval_turn_once(noise):
    answers, weights = table(5)
    scale = NOISES[noise]
    releases = np.arange(-15, 26, 1.0 if noise in ("geometric", "discrete_gaussian") else 0.01)
    distances = np.abs(releases[:, None] - answers) / scale
    kernels = np.exp(-distances) if noise in ("laplace", "geometric") else np.exp(-(distances**2) / 2)

    def log_factors(values):
        held = contains(values, answers)
        return np.log(kernels[:, held] @ weights[held]) - np.log(kernels[:, ~held] @ weights[~held])

    assert (np.diff(log_factors(ABOVE)) > -1e-12).all()
    assert (np.diff(log_factors(BELOW)) < 1e-12).all()
    steps = np.sign(np.diff(log_factors(INTERVAL)).round(12))
    assert [sign for sign, _ in itertools.groupby(steps[steps != 0].tolist())] == [1, -1]


def test_two_values_are_a_test_between_two_normal_distributions():
    scale, factor, probability = 1.7, 2.5, 1e-4
    found = odds_changes(([1.0], [3.0]), ([0.0], [5.0]), [0.0, 1.0], scale=scale, factor=factor)
    mu = 1 / scale
    rise = [ndtr(-mu / 2 - math.log(factor) / mu), ndtr(mu / 2 - math.log(factor) / mu)]
    assert found.rise.tolist() == pytest.approx(rise, rel=1e-13)
    assert found.fall.tolist() == pytest.approx(rise[::-1], rel=1e-13)
    factors = odds_quantiles(([1.0], [3.0]), ([0.0], [5.0]), [1.0], scale=scale, probability=probability)
    assert factors.upper[0] == pytest.approx(math.exp(mu**2 / 2 - mu * ndtri(probability)), rel=1e-13)
    assert factors.lower[0] == pytest.approx(math.exp(mu**2 / 2 + mu * ndtri(probability)), rel=1e-13)


def test_under_laplace_noise_odds_change_by_no_more_than_the_farthest_values_allow():
    inside, outside = split(table(), ABOVE)
    limit = odds_quantiles(inside, outside, [10.0], noise="laplace", scale=2.0, probability=1e-12).upper[0]
    # Beyond all values the factor is the same for every release, and half of the releases of the largest value lie there.
    often = odds_quantiles(inside, outside, [10.0], noise="laplace", scale=2.0, probability=0.49).upper[0]
    assert often == pytest.approx(limit, rel=1e-13)
    below = odds_changes(inside, outside, [10.0], noise="laplace", scale=2.0, factor=limit * (1 - 1e-9))
    at = odds_changes(inside, outside, [10.0], noise="laplace", scale=2.0, factor=limit)
    assert (below.rise[0], at.rise[0]) == (pytest.approx(0.5, rel=1e-6), 0.0)


@pytest.mark.parametrize("scale", np.linspace(0.1, 7.0, 24).tolist())
def test_a_change_by_just_the_factor_does_not_count_whatever_rounding_says(scale):
    # With a second value inside, the limit is a sum of two kernels. Its rounding has either sign.
    apart = scale * np.array([math.log(2.0) - 0.3, math.log(2.0) + math.log(2 - math.exp(-0.3))])
    pair = (0.3 + apart, [1.0, 1.0]), ([0.3], [1.0])
    found = odds_changes(*pair, [0.3, 0.3 + scale], noise="laplace", scale=scale, factor=2.0)
    assert found.rise.tolist() == [0.0, 0.0]
    # Log h is (2 t - 2) / scale^2, and the level is that at t = 3.
    whole = odds_changes(
        ([2.0], [1]), ([0.0], [1]), [0.0], noise="discrete_gaussian", scale=scale, factor=math.exp(4 / scale**2)
    )
    kernels = np.exp(-(np.arange(-100, 101.0) ** 2) / (2 * scale**2))
    assert whole.rise[0] == pytest.approx(kernels[104:].sum() / kernels.sum(), rel=1e-12)


def test_a_simulation_agrees():
    generator = np.random.default_rng(11)
    answers, scale, draws = generator.lognormal(0, 0.6, 20), 1.5, 200_000
    for values in ((ValueInterval(1.5, math.inf),), (ValueInterval(0.8, 1.4),)):
        held = contains(values, answers)
        inside, outside = split((answers, np.ones(20)), values)
        truth = float(answers[7])
        found = odds_changes(inside, outside, [truth], scale=scale, factor=1.1)
        limits = odds_quantiles(inside, outside, [truth], scale=scale, probability=0.01)
        releases = truth + scale * generator.standard_normal(draws)
        kernels = np.exp(-((releases[:, None] - answers) ** 2) / (2 * scale**2))
        factors = kernels[:, held].mean(axis=1) / kernels[:, ~held].mean(axis=1)
        for share, expected in (
            ((factors > 1.1).mean(), found.rise[0]),
            ((factors < 1 / 1.1).mean(), found.fall[0]),
            ((factors > limits.upper[0]).mean(), 0.01),
            ((factors < limits.lower[0]).mean(), 0.01),
        ):
            assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / draws) + 1e-9


@pytest.mark.parametrize(
    "values", [(ValueInterval(1.2, math.inf),), (ValueInterval(0.5, 1.5),)], ids=["half-line", "interval"]
)
def test_a_large_table_is_computed_as_by_the_engine(values):
    answers = np.random.default_rng(3).lognormal(0, 0.8, 2000)
    inside, outside = split((answers, np.ones(2000)), values)
    truth, scale = float(answers.max()), 0.2 * float(np.ptp(answers))
    found = odds_changes(inside, outside, [truth], scale=scale, factor=1.5)
    level = math.log(1.5)
    for value, expected in (
        (found.rise[0], beyond(inside, outside, truth, "gaussian", scale, high=level)),
        (found.fall[0], beyond(inside, outside, truth, "gaussian", scale, low=-level)),
    ):
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_changing_the_unit_of_the_values_changes_nothing():
    answers, weights = table(6)
    found = [
        odds_quantiles(
            *split((unit * answers + shift, weights), [ValueInterval(3 * unit + shift, 6 * unit + shift)]),
            unit * answers + shift,
            scale=2.0 * unit,
            probability=1e-3,
        )
        for unit, shift in ((1.0, 0.0), (4096.0, 2.0**20))
    ]
    np.testing.assert_allclose(found[1].lower, found[0].lower, rtol=1e-12)
    np.testing.assert_allclose(found[1].upper, found[0].upper, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"factor": 1.0}, "factor = 1.0 is outside (1, 1e300]"),
        ({"truths": []}, "truths has shape (0,)"),
        ({"truths": [0.5], "noise": "geometric"}, "truths are not all whole numbers"),
        ({"scale": 0.0}, "scale = 0.0"),
        ({"inside": ([1.0], [0.0])}, "inside has no weight"),
        ({"noise": "cauchy"}, "noise = 'cauchy'"),
    ],
)
def test_bad_input_is_refused_by_name(change, said):
    given = {"inside": ([1.0], [1.0]), "outside": ([0.0], [1.0]), "truths": [0.0], "scale": 1.0, "factor": 2.0} | change
    with pytest.raises(DomainError) as refused:
        odds_changes(given.pop("inside"), given.pop("outside"), given.pop("truths"), **given)
    assert said in str(refused.value)


def test_a_probability_of_one_is_refused():
    with pytest.raises(DomainError, match=r"probability = 1\.0"):
        odds_quantiles(*split(table(), ABOVE), [0.0], scale=1.0, probability=1.0)
