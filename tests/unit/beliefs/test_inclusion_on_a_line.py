"""Paper A's adversary and noise that is not Gaussian: against `mixtures`, against enumeration, and by plain integration."""

import itertools
import math

import numpy as np
import pytest

from disclosure.beliefs import mixtures
from disclosure.beliefs.inclusion import levels_of
from disclosure.beliefs.inclusion_on_a_line import (
    failure_intervals,
    failure_probability,
    ratio_quantiles,
    union_mass,
)
from disclosure.beliefs.mixture_quantiles import mixture_ratio_quantiles
from disclosure.beliefs.noises import NOISES, DiscreteGaussian, Gaussian, Geometric, Laplace
from disclosure.mechanisms import named
from disclosure.numerics.errors import DomainError


def drawn(seed, datasets, neighbours, whole):
    generator = np.random.default_rng(seed)
    if whole:
        return generator.integers(0, 4, (datasets, 1)) + 0.0, generator.integers(0, 4, (datasets, neighbours, 1)) + 0.0
    target, others = generator.random((datasets, 1)), generator.random((datasets, neighbours, 1))
    others[0], others[1, :2] = target[0], target[1]  # equal answers
    others[2] = target[2] + np.linspace(0.01, 1, neighbours)[:, None]  # all on one side
    return target, others


@pytest.mark.parametrize("noise", [Laplace(0.04), Laplace(0.2), Laplace(0.45), Geometric(0.9), DiscreteGaussian(1.7)])
@pytest.mark.parametrize("neighbours", [1, 4, 10])
@pytest.mark.parametrize(("epsilon", "bounds"), [(0.02, "prior"), (1.0, "prior"), (0.3, "prior_free")])
def test_failure_probabilities_are_those_of_one_world_against_the_rest(noise, neighbours, epsilon, bounds):
    target, others = drawn(neighbours, 12, neighbours, noise.whole)
    found = failure_probability(target, others, noise, epsilon, bounds)
    low, high = levels_of(bounds, epsilon, 1 / (neighbours + 1))
    for own, rest, value in zip(target, others[:, :, 0], found, strict=True):
        world = (own, [1.0])
        expected = mixtures.failure_probability(
            world, (rest, np.ones(neighbours)), world, noise=noise.name, scale=noise.scale, low=low, high=high
        )
        assert value == pytest.approx(expected.value, rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("name", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize("scale", [0.45, 1.0, 3.1])
def test_whole_numbers_can_be_enumerated(name, scale):
    target, others = drawn(3, 12, 3, whole=True)
    noise, numbers = NOISES[name](scale), np.arange(-150, 151)
    kernel = {
        "geometric": lambda k: -np.abs(k) / scale,
        "discrete_gaussian": lambda k: -(k**2) / (2 * scale**2),
    }[name]
    mass = np.exp(kernel(numbers))
    mass /= mass.sum()
    unions, failures = union_mass(target, others, noise, 1.0), failure_probability(target, others, noise, 1.0)
    for own, rest, union, failure in zip(target, others, unions, failures, strict=True):
        ratios = kernel(numbers) - kernel(numbers + own - rest)
        # Of the scale 1 and distances 1 the ratios are 1 and count as within.
        bad = (np.abs(ratios) > 1 + 1e-12).any(axis=0)
        failing = np.abs(np.logaddexp.reduce(-ratios, axis=0) - np.log(len(rest))) > 1 + 1e-12
        assert union == pytest.approx(mass[bad].sum(), rel=1e-11, abs=1e-15)
        assert failure == pytest.approx(mass[failing].sum(), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("scale", [0.1, 0.4, 0.8])
def test_union_masses_of_laplace_noise_are_what_a_fine_grid_finds(scale):
    target, others = drawn(3, 12, 3, whole=False)
    # Points of equal probability.
    u = (np.arange(200_000) + 0.5) / 200_000
    noise = np.where(u < 0.5, np.log(2 * u), -np.log(2 * (1 - u))) * scale
    for own, rest, union in zip(target, others, union_mass(target, others, Laplace(scale), 1.0), strict=True):
        ratios = (np.abs(noise + own - rest) - np.abs(noise)) / scale
        assert union == pytest.approx((np.abs(ratios) > 1 + 1e-12).any(axis=0).mean(), abs=2e-5)


@pytest.mark.parametrize("noise", [Laplace(0.2), Geometric(0.6), DiscreteGaussian(1.2)])
def test_intervals_are_disjoint_and_in_order(noise):
    target, others = drawn(8, 12, 4, noise.whole)
    for intervals in failure_intervals(target, others, noise, 1.0):
        found = intervals[intervals[:, 0] < intervals[:, 1]]
        assert (found[1:, 0] >= found[:-1, 1]).all()
        if noise.whole:
            assert (found[np.isfinite(found)] % 1 == 0.5).all()


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.7, 1.0, 2.7])
@pytest.mark.parametrize("name", ["laplace", "geometric"])
def test_noise_of_pure_privacy_never_fails(name, epsilon):
    noise = NOISES[name](named.calibrate(name, epsilon, 0.01))
    target, others = np.array([[0.0], [1.0]]), np.array([[[1.0], [0.0]], [[0.0], [0.0]]])
    assert union_mass(target, others, noise, epsilon).tolist() == [0.0, 0.0]
    assert failure_probability(target, others, noise, epsilon).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.7, 1.0, 2.7])
def test_calibrated_noise_has_delta_for_answers_one_apart(epsilon):
    for name, delta in (("discrete_gaussian", 0.08), ("laplace", 0.99)):
        noise = NOISES[name](named.calibrate(name, epsilon, delta))
        mass = float(union_mass([[0.0]], [[[1.0]]], noise, epsilon)[0])
        assert mass <= delta
        assert mass > (0.98 if name == "laplace" else 0.001)


def test_with_one_neighbour_the_failure_probability_is_the_union_mass():
    for noise in (Laplace(0.2), Geometric(0.6), DiscreteGaussian(1.2)):
        target, others = drawn(8, 12, 1, noise.whole)
        others[2] = target[2] + 1
        found = failure_probability(target, others, noise, 1.0)
        assert found == pytest.approx(union_mass(target, others, noise, 1.0), rel=1e-11)


@pytest.mark.parametrize(
    ("noise", "neighbours"),
    [
        *itertools.product((Laplace(0.04), Laplace(0.45), Geometric(0.9), DiscreteGaussian(1.7)), (1, 4)),
        (Geometric(3000.0), 1),  # too many whole numbers to enumerate
    ],
)
@pytest.mark.parametrize("probability", [1e-9, 1e-3, 0.6])
def test_quantiles_are_those_of_one_world_against_the_rest(noise, neighbours, probability):
    target, others = drawn(neighbours, 4, neighbours, noise.whole)
    found = ratio_quantiles(target, others, noise, probability)
    for own, rest, *values in zip(target, others[:, :, 0], *found, strict=True):
        world = (own, [1.0])
        expected = mixture_ratio_quantiles(
            world,
            (rest, np.ones(neighbours)),
            world,
            noise=noise.name,
            scale=noise.scale,
            probability=probability,
            prior=1 / (neighbours + 1),
        )
        assert values == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("scale", [0.7, 1.7, 6.0])
def test_a_quantile_moves_by_one_atom_where_the_tail_is_the_probability(scale):
    # With a neighbour at 1 log g = (2 k - 1) / (2 scale^2) rises in the noise k.
    noise = DiscreteGaussian(scale)
    tail = float(noise.mass(np.array(4.0), np.array(math.inf)))
    for last, factor in ((3, 1 + 1e-11), (4, 1 - 1e-11)):
        lower, _ = ratio_quantiles([[0.0]], [[[1.0]]], noise, tail * factor)
        assert 2 / float(lower[0]) - 1 == pytest.approx(math.exp((2 * last - 1) / (2 * scale**2)), rel=1e-12)


def test_without_neighbours_nothing_fails():
    for noise in (Laplace(0.2), Geometric(0.6)):
        nobody = [[0.0], [1.0]], np.empty((2, 0, 1))
        assert union_mass(*nobody, noise, 1.0).tolist() == [0.0, 0.0]
        assert failure_probability(*nobody, noise, 1.0).tolist() == [0.0, 0.0]
        assert [side.tolist() for side in ratio_quantiles(*nobody, noise, 0.1)] == [[1.0, 1.0]] * 2


def test_a_plateau_near_the_bound_is_compared_exactly():
    # Beyond both answers g = e^(1/b), and the bound e^epsilon is within rounding of it.
    noise = Laplace(1 / 0.7)
    epsilon = 1 / noise.scale
    near = [math.nextafter(epsilon, 0), epsilon, math.nextafter(epsilon, 9)]
    found = [float(failure_probability([[0.0]], [[[1.0], [1.0], [1.0]]], noise, e)[0]) for e in near]
    exact = [
        mixtures.failure_probability(
            ([0.0], [1]), ([1.0], [1]), ([0.0], [1]), noise="laplace", scale=noise.scale, low=-e, high=e
        ).value
        for e in near
    ]
    assert found == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[0.0]], [[[1.0]]], Gaussian(1.0), 1.0), "noise = 'gaussian' is computed by disclosure.beliefs.inclusion"),
        (([[0.5]], [[[1.0]]], Geometric(1.0), 1.0), "geometric noise is for answers that are whole numbers"),
        (([0.5], [[[1.0]]], Laplace(1.0), 1.0), r"target has shape \(1,\) and neighbours \(1, 1, 1\)"),
        (([[0.5]], [[[1.0]]], Laplace(1.0), 0.0), "epsilon = 0"),
    ],
)
def test_what_is_no_question_is_refused_by_name(arguments, words):
    for function in (union_mass, failure_probability, failure_intervals):
        with pytest.raises(DomainError, match=words):
            function(*arguments)
