"""Attribute inference from two numbers: against one number, a closed form for two records, and simulation."""

import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from disclosure.beliefs.attribute_plane import plane_changes, plane_quantiles
from disclosure.beliefs.attributes import odds_changes, odds_quantiles
from disclosure.numerics.errors import DomainError


def law(seed=0, size=25):
    generator = np.random.default_rng(seed)
    records = generator.multivariate_normal([0, 0], [[2.0, 1.2], [1.2, 1.0]], size)
    return records, generator.random(size) + 0.1


@pytest.mark.parametrize("scale", [0.5, 2.0, 10.0])
@pytest.mark.parametrize("interval", [False, True])
def test_a_second_column_that_says_nothing_changes_nothing(scale, interval):
    records, weights = law()
    records[:, 1] = 3.0
    values = records[:, 0]
    held = (values > 0.2) & (values < 1.0) if interval else values > 0.2
    inside, outside = ((values[part], weights[part]) for part in (held, ~held))
    truths = records[:6]
    found = plane_changes(records, weights, held, truths, scale=scale, factor=1.2)
    expected = odds_changes(inside, outside, truths[:, 0], scale=scale, factor=1.2)
    for estimate, value in zip(found, expected, strict=True):
        assert (np.abs(estimate.value - value) <= 10 * estimate.error + 1e-9).all()
        assert estimate.error.max() < 1e-5
    limits = plane_quantiles(records, weights, held, truths, scale=scale, probability=1e-3)
    factors = odds_quantiles(inside, outside, truths[:, 0], scale=scale, probability=1e-3)
    for estimate, value in zip(limits, factors, strict=True):
        assert (np.abs(estimate.value - value) <= 10 * estimate.error + 1e-7 * value).all()
        assert (estimate.error <= 2e-3 * value).all()


@pytest.mark.parametrize("records", [[[1.0, 2.0], [0.0, 0.0]], [[1.0, -3.0], [0.5, 4.0]]])
def test_two_records_are_a_test_between_two_normal_distributions(records):
    scale, factor, probability = 2.0, 1.7, 1e-3
    mu = math.dist(*records) / scale
    found = plane_changes(records, [1, 4], [True, False], records, scale=scale, factor=factor)
    rise = [ndtr(sign * mu / 2 - math.log(factor) / mu) for sign in (1, -1)]
    assert found.rise.value.tolist() == pytest.approx(rise, rel=1e-6)
    assert found.fall.value.tolist() == pytest.approx(rise[::-1], rel=1e-6)
    limits = plane_quantiles(records, [1, 4], [True, False], records[:1], scale=scale, probability=probability)
    assert limits.upper.value[0] == pytest.approx(math.exp(mu**2 / 2 - mu * ndtri(probability)), rel=1e-6)
    assert limits.lower.value[0] == pytest.approx(math.exp(mu**2 / 2 + mu * ndtri(probability)), rel=1e-6)


@pytest.mark.parametrize("interval", [False, True])
def test_a_simulation_agrees(interval):
    records, weights = law(4)
    held = np.abs(records[:, 0]) < 0.5 if interval else records[:, 0] > 0.3
    scale, draws, truth = 1.5, 200_000, records[3]
    found = plane_changes(records, weights, held, [truth], scale=scale, factor=1.5)
    limits = plane_quantiles(records, weights, held, [truth], scale=scale, probability=0.02)
    releases = truth + scale * np.random.default_rng(8).standard_normal((draws, 2))
    squares = sum((releases[:, [axis]] - records[:, axis]) ** 2 for axis in (0, 1))
    kernels = weights * np.exp(-squares / (2 * scale**2))
    factors = kernels[:, held].sum(axis=1) / kernels[:, ~held].sum(axis=1) * weights[~held].sum() / weights[held].sum()
    for share, expected in (
        ((factors > 1.5).mean(), found.rise.value[0]),
        ((factors < 1 / 1.5).mean(), found.fall.value[0]),
        ((factors > limits.upper.value[0]).mean(), 0.02),
        ((factors < limits.lower.value[0]).mean(), 0.02),
    ):
        assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / draws) + 1e-9


def test_a_second_column_that_tells_of_the_first_adds_to_what_is_known():
    records = np.array([[0.0, 0.0], [0.0, 0.2], [1.0, 3.0], [1.0, 3.2]])
    held = records[:, 0] > 0.5
    both = plane_changes(records, np.ones(4), held, records[2:3], scale=1.0, factor=2.0).rise.value[0]
    own = odds_changes(([1.0], [1]), ([0.0], [1]), [1.0], scale=1.0, factor=2.0).rise[0]
    assert both > 0.89 > 0.43 > own


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sensitive": [True, True]}, "all records or for none"),
        ({"sensitive": [True]}, "expected (n, 2), (n,) and (n,)"),
        ({"truths": [0.0, 0.0]}, "truths has shape (2,)"),
        ({"factor": 1.0}, "factor = 1.0"),
        ({"scale": 0.0}, "scale = 0.0"),
        ({"scale": 1e-6, "truths": [[0, 0], [1, 1]]}, "too small for two columns"),
        ({"weights": [0.0, 1.0]}, "weights = 0.0"),
    ],
)
def test_bad_input_is_refused_by_name(change, said):
    given = {"records": [[0, 0], [1, 1]], "weights": [1, 1], "sensitive": [False, True], "truths": [[0, 0]]}
    given = given | {"scale": 1.0, "factor": 2.0} | change
    with pytest.raises(DomainError) as refused:
        plane_changes(**given)
    assert said in str(refused.value)
