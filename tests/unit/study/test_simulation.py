"""Both methods of counting failures against each other, on the same noise."""

import itertools

import numpy as np
import pytest

from disclosure.beliefs import inclusion, inclusion_on_a_line
from disclosure.beliefs.noises import noise_named
from disclosure.numerics.errors import DomainError
from disclosure.study import literal, simulation, streams, threshold
from disclosure.study.methods import METHODS
from tests.unit.study.cases import POINTS, cases


@pytest.mark.parametrize("point", POINTS)
def test_on_the_same_u_both_methods_flag_the_same_releases(point):
    *_, gaps = cases(point)
    bits = np.random.Generator(np.random.SFC64(1)).bit_generator.random_raw(20_000)
    z = threshold.noise(bits)
    flagged = 0
    for bounds in inclusion.BOUNDS:
        for case, intervals in zip(gaps, inclusion.failure_intervals(gaps, point.epsilon, bounds=bounds), strict=True):
            failing = literal.flags(z, case[:, 0], point.epsilon, bounds)
            assert np.array_equal(failing, threshold.flags(bits, intervals))
            flagged += failing.sum()
    assert flagged > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("point", POINTS)
def test_further_bounds_are_counted_on_the_same_releases(point, method):
    """The counts of (24) are what they are alone, and (26), being wider, fails at some of these releases only."""
    target, neighbours, sigma, _ = cases(point)

    def counts(bounds):
        generators = [streams.releases(3, point, number) for number in range(len(target))]
        return simulation.simulate(target, neighbours, sigma, point.epsilon, 5_000, generators, method, bounds)

    prior, prior_free = counts(("prior", "prior_free"))
    assert np.array_equal(counts(("prior",)), [prior])
    assert (prior_free <= prior).all()
    assert prior_free.sum() < prior.sum()


def test_no_neighbours_and_no_noise():
    generators = [np.random.Generator(np.random.SFC64(seed)) for seed in (1, 2)]
    nobody = np.empty((2, 0, 1))
    for method in METHODS:
        assert simulation.simulate([[0.5], [0.1]], nobody, 1.0, 1.0, 100, generators, method).tolist() == [[0, 0]] * 2
        neighbours = [[[0.1], [0.2], [0.3]], [[0.1], [0.1], [0.3]]]
        counts = simulation.simulate([[0.5], [0.1]], neighbours, 0.0, 1.0, 100, generators, method)
        # g is 0, and the ratio the number of candidates, 4; with two equal neighbours g is 2/3, and the ratio 4/3.
        assert counts.tolist() == [[100, 0]] * 2


# Scales at which releases fail often, and as many releases as a few tenths of a second draw.
@pytest.mark.parametrize(
    ("mechanism", "scale"), [("laplace", 0.3), ("laplace", 0.05), ("geometric", 0.55), ("discrete_gaussian", 1.0)]
)
@pytest.mark.parametrize(("method", "releases"), [("threshold", 4_000_000), ("literal", 20_000)])
def test_counts_of_other_noise_have_the_exact_probabilities(mechanism, scale, method, releases):
    draws = np.random.default_rng(4)
    if mechanism == "laplace":
        target, neighbours = draws.random((6, 1)), draws.random((6, 5, 1))
    else:
        target, neighbours = draws.integers(0, 2, (6, 1)) + 0.0, draws.integers(0, 2, (6, 5, 1)) + 0.0
    generators = [np.random.Generator(np.random.SFC64(seed)) for seed in range(6)]
    both = simulation.simulate(target, neighbours, scale, 0.5, releases, generators, method, mechanism=mechanism)
    for counts, bounds in zip(both, inclusion.BOUNDS, strict=True):
        probability = inclusion_on_a_line.failure_probability(
            target, neighbours, noise_named(mechanism, scale), 0.5, bounds
        )
        error = np.sqrt(releases * probability * (1 - probability))
        assert (error > 0).sum() >= 3
        # Four standard errors in 96 counts: once in 150 seeds.
        assert (np.abs(counts - releases * probability) <= 4 * error + 1e-9).all()


def test_no_noise_of_another_kind_is_no_noise():
    neighbours = [[[0.0], [1.0], [1.0]], [[0.0], [0.0], [1.0]]]
    for mechanism, method in itertools.product(("laplace", "geometric"), METHODS):
        generators = [np.random.Generator(np.random.SFC64(seed)) for seed in (1, 2)]
        counts = simulation.simulate(
            [[0.0], [0.0]], neighbours, 0.0, 1.0, 100, generators, method, ["prior"], mechanism
        )
        assert counts.tolist() == [[100, 0]]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"releases": 0}, "releases = 0"),
        ({"releases": 1.5}, "releases = 1.5"),
        ({"method": "binomial"}, "method = 'binomial'"),
        ({"mechanism": "normal"}, "mechanism = 'normal' is none of gaussian, laplace, geometric, discrete_gaussian"),
        ({"mechanism": "geometric"}, "geometric noise is for answers that are whole numbers"),
        ({"generators": []}, "there are 0 generators"),
        ({"target": [[0.5, 0.2]], "neighbours": [[[0.1, 0.3]]]}, r"target has shape \(1, 2\)"),
    ],
)
def test_simulation_refuses_what_lies_outside_its_domain(options, named):
    arguments = {
        "target": [[0.5]],
        "neighbours": [[[0.1]]],
        "releases": 10,
        "method": "threshold",
        "generators": [np.random.default_rng(1)],
        **options,
    }
    with pytest.raises(DomainError, match=named):
        simulation.simulate(sigma=1.0, epsilon=1.0, **arguments)
