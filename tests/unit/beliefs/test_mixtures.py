"""Two mixtures on a line: against values in 40 digits, against scans in 40 digits, simulations, and what is known otherwise."""

import itertools
import json
import math
import pathlib

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from disclosure.beliefs import inclusion, noises
from disclosure.beliefs.mixtures import failure_intervals, failure_probability
from disclosure.beliefs.worlds import Mixture
from disclosure.numerics.errors import DomainError

from . import plain

REFERENCES = json.loads((pathlib.Path(__file__).parents[2] / "data" / "beliefs.json").read_text(encoding="utf-8"))
ONE, TWO = ([0.0], [1.0]), ([-1.0, 1.0], [1.0, 1.0])
INFINITE = math.inf


def within_error(estimate, value, relative=1e-12):
    """Whether an estimate is off by no more than it says, and than the relative error that is promised."""
    return abs(estimate.value - value) <= min(estimate.error, relative * value)


@pytest.mark.parametrize("case", REFERENCES, ids=lambda case: f"{case['noise']}-{case['shape']}-{case['scale']}")
def test_reference_values_are_met(case):
    inside, outside, truth = (tuple(zip(*case[name], strict=True)) for name in ("inside", "outside", "truth"))
    settings = {name: case[name] for name in ("noise", "scale", "low", "high")}
    assert within_error(failure_probability(inside, outside, truth, **settings), float(case["value"]), 1e-14)


@pytest.mark.parametrize("seed", range(40))
def test_one_world_against_the_rest_is_the_failure_probability_of_inclusion(seed):
    generator = np.random.default_rng(seed)
    size, sigma, epsilon = generator.integers(1, 12), 10 ** generator.uniform(-1, 1), 10 ** generator.uniform(-1, 1)
    answers, weights = generator.random(size), generator.dirichlet(np.ones(size))
    target = answers[0] if seed % 3 == 0 else generator.random()
    world = ([target], [1.0])
    estimate = failure_probability(world, (answers, weights), world, scale=sigma, low=-epsilon, high=epsilon)
    expected = inclusion.failure_probability((target - answers)[:, None] / sigma, epsilon, weights=weights)
    assert abs(estimate.value - expected.value) <= 1e-12 * expected.value + 1e-300


# Each: inside, outside, truth, noise, scale, low, high, and what the scan needs.
ALTERNATING = np.arange(22) * 0.75
HOSTILE = {
    "ties between answers": (
        ([0, 1, 1, 2], [1, 2, 1, 3]),
        ([0, 1, 2, 2], [2, 1, 1, 1]),
        ([1], [1]),
        "gaussian",
        0.8,
        -0.4,
        0.3,
        {},
    ),
    "coinciding answers with equal weights": (
        ([0, 1, 2], [1, 1, 1]),
        ([0, 1.5, 2], [1, 1, 1]),
        ([0, 3], [1, 1]),
        "gaussian",
        0.5,
        -0.1,
        0.2,
        {},
    ),
    "one atom each": (ONE, ([0.3], [1]), ([0.1], [1]), "gaussian", 0.25, -0.7, 1.1, {}),
    "signs that alternate twenty times": (
        (ALTERNATING[::2], np.ones(11)),
        (ALTERNATING[1::2], np.ones(11)),
        (ALTERNATING[::2], np.ones(11)),
        "gaussian",
        0.4,
        -0.1,
        0.1,
        {"points": 120},
    ),
    "signs that alternate and all but cancel": (
        (ALTERNATING[:12:2] / 4, np.ones(6)),
        (ALTERNATING[1:12:2] / 4, np.ones(6)),
        ONE,
        "gaussian",
        1.0,
        -1e-3,
        2e-3,
        {"points": 300, "digits": 60},
    ),
    "answers that are far apart": (
        ([0, 2000.0], [1, 1]),
        ([1000.0, 2001.0], [1, 1]),
        ([2000.0], [1]),
        "gaussian",
        1.0,
        -0.5,
        0.5,
        {"points": 1000},
    ),
    "weights of 1e-12": (
        ([0, 1, 2], [1, 1e-12, 1e-9]),
        ([0.5, 1.5, -1], [1e-12, 1, 1e-6]),
        ([0], [1]),
        "gaussian",
        0.3,
        -1.0,
        1.0,
        {"reach": 20},
    ),
    "a threshold just below the limit of log g": (
        ONE,
        ([0, 1], [0.25, 0.75]),
        ONE,
        "gaussian",
        1.0,
        math.nextafter(math.log(0.25), 0),
        INFINITE,
        {"reach": 45},
    ),
    "a threshold that is hardly passed": (ONE, TWO, ONE, "gaussian", 1.0, -0.5 + 1e-13, INFINITE, {}),
    "a rare failure": (ONE, ([1.0, 0.0], [1, 1]), ONE, "gaussian", 1.0, -INFINITE, 34.0, {"reach": 45}),
    "two rare failures": (ONE, ([0.2, -0.1], [3, 1]), ONE, "laplace", 0.0015, -INFINITE, 125.0, {"points": 60}),
    "Laplace noise on many answers": (
        ([0, 0.3, 0.4, 0.9], [1, 2, 1, 1]),
        ([0.1, 0.4, 0.5, 0.8], [1, 1, 3, 1]),
        ([0.3], [1]),
        "laplace",
        0.1,
        -0.8,
        0.8,
        {"points": 60},
    ),
    "geometric noise": (
        ([0, 3, 9], [1, 2, 1]),
        ([1, 4, 5, 8], [1, 1, 3, 1]),
        ([3, 4], [1, 2]),
        "geometric",
        2.5,
        -0.3,
        0.4,
        {"reach": 90},
    ),
    "discrete Gaussian noise": (
        ([0, 3, 9], [1, 2, 1]),
        ([1, 4, 5, 8], [1, 1, 3, 1]),
        ([3, 4], [1, 2]),
        "discrete_gaussian",
        2.5,
        -0.3,
        0.4,
        {"reach": 15},
    ),
    "a rare failure of discrete Gaussian noise": (
        ([0], [1]),
        ([2], [1]),
        ([0], [1]),
        "discrete_gaussian",
        1.5,
        -INFINITE,
        30.0,
        {"reach": 40},
    ),
    "a half-line and uniform pieces": (
        Mixture(pieces=[(0, 1, 1)]),
        Mixture(pieces=[(1, 3, 1)]),
        ([0.25], [1]),
        "gaussian",
        0.4,
        -1.5,
        1.5,
        {},
    ),
    "pieces that overlap, with atoms in them": (
        Mixture([0.5, 0.8], [1, 0.5], [(0, 1, 1), (0.5, 2, 1)]),
        Mixture([0.7], [0.2], [(0.25, 1.5, 1)]),
        Mixture([0.1], [1], [(0, 2, 1)]),
        "gaussian",
        0.3,
        -0.3,
        0.3,
        {"points": 100},
    ),
    "Laplace noise, pieces that overlap, with atoms in them": (
        Mixture([0.5, 0.8], [1, 0.5], [(0, 1, 1), (0.5, 2, 1)]),
        Mixture([0.7], [0.2], [(0.25, 1.5, 1)]),
        Mixture([0.1], [1], [(0, 2, 1)]),
        "laplace",
        0.3,
        -0.3,
        0.3,
        {"points": 60},
    ),
    "two zeros within one cell": (
        Mixture(pieces=[(-3, 3, 1)]),
        Mixture(pieces=[(-0.5, 0.5, 1)]),
        ([0.2], [1]),
        "laplace",
        0.5,
        -INFINITE,
        1.0,
        {"points": 40},
    ),
    "Laplace noise and the same density on a part of the range": (
        Mixture(pieces=[(0, 1, 1), (1, 2, 3)]),
        Mixture(pieces=[(0, 1, 1), (1, 3, 3)]),
        ([1.2], [1]),
        "laplace",
        0.5,
        -0.2,
        0.2,
        {"points": 60},
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_scans_in_forty_digits_find_the_same(name):
    inside, outside, truth, noise, scale, low, high, scan = HOSTILE[name]
    settings = {"noise": noise, "scale": scale, "low": low, "high": high}
    value = plain.failure_probability(inside, outside, truth, **settings, **{"points": 200} | scan)
    assert value > 0
    assert within_error(failure_probability(inside, outside, truth, **settings), value)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(150))
def test_scans_in_forty_digits_find_the_same_at_random(seed):
    generator = np.random.default_rng(seed)
    noise = list(noises.NOISES)[seed % 4]
    integer = noises.NOISES[noise](1.0).whole

    def mixture():
        size = generator.integers(1, 6)
        answers = (
            generator.choice([0, 0.25, 0.5, 0.75, 1.0], size) if generator.random() < 0.4 else generator.random(size)
        )
        answers = answers * generator.choice([0.3, 1, 4, 20])
        weights = (
            10.0 ** -generator.integers(0, 13, size) if generator.random() < 0.3 else generator.random(size) + 0.01
        )
        if integer:
            return Mixture(np.round(answers * 6), weights)
        starts = generator.integers(0, 5, 2) / 4
        pieces = [(start, start + generator.choice([0.25, 0.5, 3]), generator.random() + 0.1) for start in starts]
        return Mixture(answers, weights, pieces if generator.random() < 0.4 else ())

    inside, outside, truth = mixture(), mixture(), mixture()
    low, high = sorted(generator.normal(size=2) * generator.choice([0.3, 2]))
    settings = {
        "noise": noise,
        "scale": float(generator.choice([0.3, 1, 2.5])) * (4 if integer else 1),
        "low": low,
        "high": high,
    }
    reach = 90 if noise == "geometric" else 14
    value = plain.failure_probability(inside, outside, truth, **settings, reach=reach, points=300)
    estimate = failure_probability(inside, outside, truth, **settings)
    # The scan leaves out what lies beyond its reach.
    assert abs(estimate.value - value) <= estimate.error + mpf("1e-38")
    assert estimate.error <= 1e-12 * estimate.value


def uniform_laws(seed):
    """Laws inside, outside and in truth, with uniform pieces in some of them, and a threshold of log g."""
    generator = np.random.default_rng(seed)
    width = 10 ** generator.uniform(-1, 2)
    start = 3e5 * (seed % 3 == 0)

    def law(pieces, atoms):
        ends = start + np.sort(generator.uniform(0, width, 2 * pieces)).reshape(-1, 2)
        answers = start + generator.uniform(0, width, atoms)
        return Mixture(answers, generator.random(atoms), np.column_stack([ends, generator.uniform(0.1, 1, pieces)]))

    kinds = [((1, 0), (2, 0), (0, 1)), ((0, 2), (1, 0), (2, 0)), ((1, 1), (1, 0), (1, 1)), ((2, 0), (0, 1), (1, 0))]
    return [law(*kind) for kind in kinds[seed % 4]], 10 ** generator.uniform(-0.3, 1.3) * width / 2


# Seeds whose probabilities are 0.5 down to 1e-241, with each kind of laws among them.
@pytest.mark.parametrize("seed", [1, 6, 7, 11, 13, 24, 34, 44, 45, 49])
def test_uniform_pieces_under_gaussian_noise_are_right_to_twelve_digits(seed):
    laws, level = uniform_laws(seed)
    settings = {"scale": 1.0, "low": -level, "high": level}
    value = plain.failure_probability(*laws, noise="gaussian", **settings, reach=40.0, points=250)
    estimate = failure_probability(*laws, **settings)
    assert within_error(estimate, value)
    assert estimate.error < 3e-12 * estimate.value


def test_far_from_all_pieces_zeros_are_still_found():
    # At t the piece up to 1.125 weighs e^(t / 8) against the one up to 1, so log g is near 0 at about 200 again.
    inside, outside = Mixture(pieces=[(0, 1, 1)]), Mixture(pieces=[(-1, 0, 1), (1, 1.125, math.exp(-200 / 8))])
    settings = {"scale": 1.0, "low": 1.0, "high": INFINITE}
    estimate = failure_probability(inside, outside, ([200.0], [1]), **settings)
    value = plain.failure_probability(
        inside, outside, ([200.0], [1]), noise="gaussian", **settings, reach=40.0, points=300, digits=60
    )
    assert 1e-14 < value < 1e-13
    assert within_error(estimate, value)


@pytest.mark.parametrize("level", [1e7, -1e7, 1e9, -1e9])
def test_the_farthest_thresholds_are_a_matter_of_digits_alone(level):
    # log g = t - 1 / 2 with one world each.
    below, above = failure_intervals(ONE, ([1.0], [1.0]), scale=1.0, low=level, high=level)
    assert below[0, 1] == above[0, 0] == level + 0.5


def test_equal_mixtures_never_leave_thresholds_around_zero():
    for noise, (low, high) in itertools.product(noises.NOISES, [(0, 0), (-0.1, 0.2), (-INFINITE, 0)]):
        mixture = ([3, 1, 1], [0.5, 0.25, 0.25])
        other = ([1, 3, 3], [2, 1, 1])
        assert failure_probability(mixture, other, ONE, noise=noise, scale=2.0, low=low, high=high) == (0.0, 0.0)


def test_equal_mixtures_always_leave_thresholds_that_exclude_zero():
    for noise, (low, high) in itertools.product(noises.NOISES, [(0.1, 0.2), (-0.2, -0.1)]):
        assert failure_probability(TWO, TWO, TWO, noise=noise, scale=2.0, low=low, high=high).value == 1.0


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_a_tie_on_half_the_line_is_told_from_a_miss(noise):
    # Beyond both answers log g = +-1 / scale, which is a float here: 0.5.
    other = ([1.0], [1.0])
    tie = failure_probability(ONE, other, ONE, noise=noise, scale=2.0, low=-0.5, high=0.5)
    assert tie.value == 0.0
    assert tie.error < 1e-15
    missed = failure_probability(ONE, other, ONE, noise=noise, scale=2.0, low=math.nextafter(-0.5, 0), high=0.5)
    # From 0 down, where the release is farther from the other answer by 1.
    assert missed.value == pytest.approx(0.5 if noise == "laplace" else 1 / (1 + math.exp(-0.5)), rel=1e-14)


def test_calibrated_laplace_noise_keeps_every_ratio():
    for epsilon in (0.1, 0.3, 0.7, 1.0, 3.0):
        scale = (
            float(1 / mpf(epsilon))
            if mpf(float(1 / mpf(epsilon))) * mpf(epsilon) >= 1
            else math.nextafter(1 / epsilon, 9e9)
        )
        others = (np.linspace(0, 1, 6), np.arange(1, 7))
        assert (
            failure_probability(ONE, others, ONE, noise="laplace", scale=scale, low=-epsilon, high=epsilon).value == 0.0
        )


def test_a_threshold_that_is_only_touched_is_not_passed():
    estimate = failure_probability(ONE, TWO, ONE, scale=1.0, low=-0.5, high=INFINITE)
    assert estimate.value == 0.0
    assert estimate.error < 1e-25


@pytest.mark.parametrize("passed", [1e-15, 1e-13, 1e-10])
@pytest.mark.parametrize("shift", [0.0, 0.3, -7.0])
def test_the_error_covers_thresholds_that_are_hardly_passed(shift, passed):
    inside, outside = ([shift], [1]), ([shift - 1, shift + 1], [1, 1])
    low = -0.5 + passed
    estimate = failure_probability(inside, outside, ONE, scale=1.0, low=low, high=INFINITE)
    with mpmath.workdps(60):
        # log g = log((e^((b - a)(t - (a + b) / 2)) + e^((c - a)(t - (a + c) / 2))) / 2): the answers' own floats count.
        a, b, c = mpf(shift), mpf(shift - 1), mpf(shift + 1)

        def log_g(t):
            return mpmath.log((mpmath.exp((b - a) * (t - (a + b) / 2)) + mpmath.exp((c - a) * (t - (a + c) / 2))) / 2)

        least = mpmath.findroot(lambda t: mpmath.diff(log_g, t), a)
        if log_g(least) >= low:
            value = mpf(0)
        else:
            width = 2 * mpmath.sqrt(2 * (low - log_g(least))) + mpf("1e-12")
            ends = [
                mpmath.findroot(
                    lambda t: log_g(t) - low, (least, least + side * width), solver="anderson", verify=False
                )
                for side in (-1, 1)
            ]
            value = (mpmath.erfc(ends[0] / mpmath.sqrt(2)) - mpmath.erfc(ends[1] / mpmath.sqrt(2))) / 2
    assert abs(estimate.value - value) <= estimate.error
    assert estimate.error < 1e-15  # and it is not so large that it says nothing


def test_a_half_line_is_judged_by_one_point_and_an_interval_by_two():
    generator = np.random.default_rng(3)
    values = np.sort(generator.random(12))
    weights = generator.random(12)
    for level, scale in itertools.product((-2.0, -0.1, 0.4), (0.1, 0.5)):
        for inside in (values > 0.6, (values > 0.3) & (values < 0.7)):
            mixtures = [(values[chosen], weights[chosen]) for chosen in (inside, ~inside)]
            below, above = failure_intervals(*mixtures, scale=scale, low=level, high=level)
            ends = np.concatenate([below, above])
            assert np.isfinite(ends).sum() in ((2,) if inside[-1] else (0, 4))
            assert len(below) <= 1


def test_there_are_no_more_ends_than_changes_of_sign():
    generator = np.random.default_rng(4)
    for _ in range(12):
        answers, weights = generator.random(16), generator.random(16)
        inside, outside = (answers[:8], weights[:8]), (answers[8:], weights[8:])
        level = generator.normal() / 3
        _, above = failure_intervals(inside, outside, scale=0.08, low=-INFINITE, high=level)
        signs = np.sign(
            np.concatenate([-weights[:8] / weights[:8].sum() * np.exp(level), weights[8:] / weights[8:].sum()])
        )
        changes = np.count_nonzero(np.diff(signs[np.argsort(answers)]))
        assert np.isfinite(above).sum() <= changes
        assert (changes - np.isfinite(above).sum()) % 2 == 0


@pytest.mark.parametrize("noise", noises.NOISES)
def test_releases_in_the_intervals_are_those_that_fail(noise):
    inside, outside = ([0, 4, 7], [1, 2, 1]), ([1, 5], [1, 1])
    below, above = failure_intervals(inside, outside, noise=noise, scale=1.5, low=-0.2, high=0.3)
    kernel = plain.KERNELS[noise]
    releases = np.arange(-6, 14) if noises.NOISES[noise](1.5).whole else np.linspace(-6, 14, 201)
    for t in releases:
        given = [
            sum(w * kernel((mpf(float(t)) - x) / mpf(1.5)) for x, w in zip(*law, strict=True)) / sum(law[1])
            for law in (outside, inside)
        ]
        log_g = mpmath.log(given[0] / given[1])
        for intervals, fails in ((below, log_g < -0.2), (above, log_g > 0.3)):
            assert any(left <= t <= right for left, right in intervals) == fails


def test_mirrored_problems_have_the_same_probability():
    generator = np.random.default_rng(5)
    for noise in noises.NOISES:
        answers = [generator.integers(0, 20, 4) for _ in range(3)]
        laws = [(places, generator.random(4)) for places in answers]
        mirrored = [(-places, weights) for places, weights in laws]
        settings = {"noise": noise, "scale": 3.0}
        value = failure_probability(*laws, **settings, low=-0.2, high=0.1).value
        assert failure_probability(*mirrored, **settings, low=-0.2, high=0.1).value == pytest.approx(value, rel=1e-13)
        inside, outside, truth = laws
        assert failure_probability(outside, inside, truth, **settings, low=-0.1, high=0.2).value == pytest.approx(
            value, rel=1e-13
        )


def test_the_order_of_worlds_and_splitting_them_makes_no_difference():
    outside = ([1.0, -0.5, 2.0], [0.2, 0.3, 0.5])
    split = ([2.0, 1.0, -0.5, 2.0, 9.0], [0.25, 0.2, 0.3, 0.25, 0.0])
    settings = {"scale": 0.7, "low": -0.5, "high": 0.5}
    assert failure_probability(ONE, outside, ONE, **settings) == failure_probability(ONE, split, ONE, **settings)


def test_a_narrow_piece_is_like_an_atom_and_many_atoms_like_a_piece():
    settings = {"scale": 0.5, "low": -0.5, "high": 0.5}
    for noise in ("gaussian", "laplace"):
        atom = failure_probability(ONE, ([0.75], [1]), ONE, noise=noise, **settings).value
        piece = Mixture(pieces=[(0.75 - 1e-6, 0.75 + 1e-6, 1)])
        assert failure_probability(ONE, piece, ONE, noise=noise, **settings).value == pytest.approx(atom, rel=1e-10)
        grid = (np.arange(400) + 0.5) / 400
        atoms = failure_probability(ONE, (grid, np.ones(400)), ONE, noise=noise, **settings).value
        piece = Mixture(pieces=[(0, 1, 1)])
        assert failure_probability(ONE, piece, ONE, noise=noise, **settings).value == pytest.approx(atoms, rel=1e-5)


def test_wide_pieces_are_as_good_as_unbounded():
    # Below 0 or above 0, evenly over far more than the noise reaches: g(t) = P(noise < t) / P(noise > t).
    below, above = Mixture(pieces=[(-3000, 0, 1)]), Mixture(pieces=[(0, 3000, 1)])
    estimate = failure_probability(below, above, ONE, scale=1.0, low=-INFINITE, high=2.0)
    point = mpmath.findroot(lambda t: mpmath.log(mpmath.ncdf(t) / mpmath.ncdf(-t)) - 2, 1.2)
    assert within_error(estimate, float(mpmath.ncdf(-point)))


def draws(law, noise, scale, generator, size):
    answers, weights = law
    places = generator.choice(answers, size, p=np.array(weights) / np.sum(weights))
    if noise == "gaussian":
        return places + scale * generator.standard_normal(size)
    q = -math.expm1(-1 / scale)
    return places + generator.geometric(q, size) - generator.geometric(q, size)


@pytest.mark.parametrize("noise", ["gaussian", "geometric"])
def test_simulated_releases_fail_as_often(noise):
    inside, outside, truth = ([0, 4, 7], [1, 2, 1]), ([1, 5], [1, 1]), ([4, 5], [2, 1])
    size, scale = 400_000, 2.0
    releases = draws(truth, noise, scale, np.random.default_rng(6), size)
    power = 2 if noise == "gaussian" else 1
    densities = [
        sum(w * np.exp(-(np.abs((releases - x) / scale) ** power) / power) for x, w in zip(*law, strict=True))
        / sum(law[1])
        for law in (outside, inside)
    ]
    log_g = np.log(densities[0] / densities[1])
    share = np.mean((log_g < -0.3) | (log_g > 0.4))
    value = failure_probability(inside, outside, truth, noise=noise, scale=scale, low=-0.3, high=0.4).value
    assert 0.05 < value < 0.95
    assert abs(share - value) < 4 * math.sqrt(value * (1 - value) / size)


def test_a_set_that_ends_beyond_all_noise_is_found():
    # The answers differ by so little that log g leaves 1e-3 at about t = 1e-3 scale^2 / 1e-12 only.
    below, above = failure_intervals(ONE, ([1e-12], [1]), scale=1.0, low=-1e-3, high=1e-3)
    assert below[0, 1] == pytest.approx(-1e9, rel=1e-9)
    assert above[0, 0] == pytest.approx(1e9, rel=1e-9)
    assert failure_probability(ONE, ([1e-12], [1]), ONE, scale=1.0, low=-1e-3, high=1e-3) == (0.0, 0.0)


def test_noise_that_is_tiny_or_huge_gives_the_limits():
    for noise in ("gaussian", "laplace"):
        for scale, value in ((1e-20, 1.0), (1e-3, 1.0), (1e50, 0.0), (1e150, 0.0)):
            assert failure_probability(ONE, TWO, ONE, noise=noise, scale=scale, low=-0.1, high=0.1).value == value


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (
            (([0.5], [1]), TWO, ONE),
            {"noise": "geometric"},
            "inside: geometric noise is for answers that are whole numbers",
        ),
        ((ONE, Mixture(pieces=[(0, 1, 1)]), ONE), {"noise": "discrete_gaussian"}, "outside: discrete_gaussian noise"),
        ((ONE, TWO, ONE), {"noise": "uniform"}, "noise = 'uniform' is none of 'gaussian'"),
        ((ONE, TWO, ONE), {"scale": 0.0}, "scale = 0.0 is outside"),
        ((ONE, TWO, ONE), {"low": 1.0, "high": 0.0}, "low = 1.0 is above high = 0.0"),
        ((ONE, TWO, ONE), {"low": math.nan}, "low = nan is outside"),
        ((ONE, TWO, ONE), {"high": 1e12}, "high = 1000000000000.0 is finite and beyond"),
        ((ONE, ([1e40], [1]), ONE), {}, "scale = 1.0 is below the answers"),
        ((ONE, TWO, ([0.0], [-1.0])), {}, "truth: weights = -1.0 is outside"),
        ((ONE, ([0.0, 1.0], [0.0, 0.0]), ONE), {}, "outside has no weight"),
        ((ONE, ([0.0, 1.0], [1.0]), ONE), {}, "outside: answers have shape"),
        ((ONE, ([math.inf], [1.0]), ONE), {}, "outside: answers = inf"),
        ((ONE, Mixture(pieces=[(1, 1, 1)]), ONE), {}, "outside: a piece does not end above where it begins"),
        ((ONE, Mixture(pieces=[(1, 2)]), ONE), {}, "outside: pieces have shape"),
        ((ONE, Mixture(pieces=[(0, 1e9, 1)]), ONE), {}, "outside: pieces are wider"),
        ((ONE, 5, ONE), {}, "outside is neither a Mixture nor a pair"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, settings, message):
    with pytest.raises(DomainError, match=f"^{message}"):
        failure_probability(*arguments, **{"scale": 1.0, "low": -1.0, "high": 1.0} | settings)
