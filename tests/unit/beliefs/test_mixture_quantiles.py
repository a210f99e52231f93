"""Quantiles for any adversary on a line: against enumeration, closed forms, and the fast way for Gaussian noise."""

import math

import numpy as np
import pytest

from disclosure.beliefs.mixture_quantiles import level_quantiles, mixture_ratio_quantiles
from disclosure.beliefs.mixtures import failure_probability
from disclosure.beliefs.quantiles import ratio_quantiles
from disclosure.beliefs.worlds import Mixture
from disclosure.numerics.errors import DomainError

ONE, OTHER = ([0.0], [1.0]), ([1.0], [1.0])


@pytest.mark.parametrize("seed", range(6))
def test_gaussian_noise_and_one_world_have_the_quantiles_of_the_fast_way(seed):
    generator = np.random.default_rng(seed)
    size = int(generator.integers(1, 9))
    gaps, weights = generator.normal(size=size) * 10 ** generator.uniform(-1.5, 0.5), generator.dirichlet(np.ones(size))
    prior = generator.uniform(0.01, 0.9)
    for probability in (1e-9, 1e-3, 0.2, 0.7):
        fast = ratio_quantiles(gaps, probability, weights, prior)
        lower, upper = mixture_ratio_quantiles(
            ONE, (-gaps, weights), ONE, scale=1.0, probability=probability, prior=prior
        )
        assert lower == pytest.approx(float(fast.lower), rel=1e-11)
        assert upper == pytest.approx(float(fast.upper), rel=1e-11)


def enumerated(inside, outside, truth, noise, scale, probability):
    """Quantiles of log g by their definition, from every whole number that matters."""
    numbers = np.arange(-400, 440)

    def density(law):
        distances = numbers[:, None] - np.asarray(law[0])
        exponent = -np.abs(distances) / scale if noise == "geometric" else -(distances**2) / (2 * scale**2)
        return np.exp(exponent) @ (np.asarray(law[1]) / np.sum(law[1]))

    with np.errstate(divide="ignore", invalid="ignore"):
        log_g = np.log(density(outside)) - np.log(density(inside))
    mass = density(truth)
    mass, log_g = mass[mass > 0] / mass.sum(), log_g[mass > 0]
    # Levels that differ by rounding only are one atom.
    atoms = np.unique(log_g.round(11))
    low = max(level for level in atoms if mass[log_g < level - 1e-10].sum() <= probability)
    high = min(level for level in atoms if mass[log_g > level + 1e-10].sum() <= probability)
    return low, high


@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize("seed", range(4))
def test_noise_on_whole_numbers_has_the_quantiles_that_enumeration_finds(noise, seed):
    generator = np.random.default_rng(seed)
    laws = [(generator.integers(0, 5, 4).astype(float), generator.random(4) + 0.1) for _ in range(3)]
    scale = generator.uniform(1.0, 5.0)
    for probability in (1e-6, 1e-3, 0.05, 0.4, 0.9):
        expected = enumerated(*laws, noise, scale, probability)
        found = level_quantiles(*laws, noise=noise, scale=scale, probability=probability)
        assert found.low == pytest.approx(expected[0], abs=1e-9)
        assert found.high == pytest.approx(expected[1], abs=1e-9)


@pytest.mark.parametrize("scale", [0.4, 2.0])
@pytest.mark.parametrize("probability", [1e-3, 0.1, 0.3, 0.499, 0.501, 0.6, 0.9, 0.999])
def test_laplace_noise_and_one_neighbour_have_quantiles_in_closed_form(scale, probability):
    # Right of the answer 0 by u, -log g is 1 / b up to u = 0, falls to -1 / b at u = 1, and stays; P(noise > u) = e^(-u/b) / 2.
    last = 1 / scale
    low = -last if probability < 0.5 else min(-last - 2 * math.log(2 * (1 - probability)), last)
    high = max(-last, -last - 2 * math.log(2 * probability)) if probability >= math.exp(-last) / 2 else last
    found = level_quantiles(ONE, OTHER, ONE, noise="laplace", scale=scale, probability=probability)
    assert found.low == pytest.approx(low, rel=1e-13, abs=1e-13)
    assert found.high == pytest.approx(high, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "geometric", "discrete_gaussian"])
def test_at_the_quantiles_no_more_than_the_probability_lies_beyond_and_just_within_more_does(noise):
    inside, outside, truth = ([0, 3], [1, 2]), ([1, 4, 5], [1, 1, 3]), ([3, 4], [1, 2])
    laws = {"inside": inside, "outside": outside, "truth": truth, "noise": noise, "scale": 2.5}
    for probability in (1e-4, 0.1):
        low, high = level_quantiles(**laws, probability=probability)
        assert failure_probability(**laws, low=low, high=math.inf).value <= probability
        assert failure_probability(**laws, low=-math.inf, high=high).value <= probability
        assert failure_probability(**laws, low=low + 1e-13, high=math.inf).value > probability
        assert failure_probability(**laws, low=-math.inf, high=high - 1e-13).value > probability


def test_a_half_line_of_a_piece_has_the_quantile_of_its_one_zero():
    # The posterior odds of a value below 0 fall in the release, so that the quantile lies at the normal quantile.
    below, above = Mixture(pieces=[(-1, 0, 1)]), Mixture(pieces=[(0, 1, 1)])
    low, _ = level_quantiles(below, above, ([0.25], [1]), scale=0.5, probability=1e-3)
    z = (0.25 - 3.090232306167813 * 0.5) / 0.5

    def mass(left, right):
        return (math.erf(right / math.sqrt(2)) - math.erf(left / math.sqrt(2))) / 2

    assert low == pytest.approx(math.log(mass(z - 2, z) / mass(z, z + 2)), rel=1e-10)


def test_where_nothing_is_learned_the_ratio_is_one():
    assert mixture_ratio_quantiles(ONE, ONE, OTHER, scale=1.0, probability=0.1, prior=0.3) == pytest.approx((1.0, 1.0))
    assert mixture_ratio_quantiles(ONE, OTHER, ONE, scale=0.1, probability=0.1, prior=1.0) == (1.0, 1.0)


def test_where_everything_is_learned_the_ratio_is_at_its_limits():
    settings = {"scale": 1e-3, "probability": 0.1, "prior": 0.25}
    assert mixture_ratio_quantiles(ONE, OTHER, ONE, **settings) == (4.0, 4.0)
    assert mixture_ratio_quantiles(ONE, OTHER, OTHER, **settings) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"probability": 0.0}, "probability = 0"),
        ({"probability": 1.0}, "probability = 1"),
        ({"prior": 0.0}, "prior = 0"),
        ({"scale": -1.0}, "scale = -1"),
        ({"noise": "normal"}, "noise = 'normal' is none of"),
    ],
)
def test_what_is_no_question_is_refused_by_name(changed, words):
    with pytest.raises(DomainError, match=words):
        mixture_ratio_quantiles(ONE, OTHER, ONE, **({"scale": 1.0, "probability": 0.1, "prior": 0.5} | changed))
