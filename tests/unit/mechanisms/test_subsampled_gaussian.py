"""The subsampled Gaussian mechanism: releases against the mixture that their density is, and the error of the estimate."""

import math

import numpy as np
import pytest
from scipy import stats

from disclosure.mechanisms.subsampled_gaussian import SubsampledGaussian
from disclosure.numerics.errors import DomainError


@pytest.mark.parametrize(("rate", "ones"), [(0.3, 6), (1.0, 4), (0.5, 0)])
def test_density_and_releases_are_those_of_the_mixture(rate, ones):
    mechanism = SubsampledGaussian(rate, 0.6)
    kept = np.arange(ones + 1)
    shares = stats.binom.pmf(kept, ones, rate)
    points = np.linspace(-3, 9, 50)
    density = stats.norm.pdf(points[:, None], kept, 0.6) @ shares
    constant = -math.log(0.6 * math.sqrt(2 * math.pi))
    assert mechanism.log_density(points, ones) + constant == pytest.approx(np.log(density), rel=1e-10, abs=1e-10)
    released = mechanism.draw(ones, np.random.default_rng(3), 20_000)
    assert stats.kstest(released, lambda t: stats.norm.cdf(t[:, None], kept, 0.6) @ shares).pvalue > 1e-3


@pytest.mark.parametrize("error", [7.0, 20.0])
def test_the_estimate_has_the_error_that_is_asked_for(error):
    mechanism = SubsampledGaussian.with_error(error, 0.5, 45)
    released = mechanism.draw(45, np.random.default_rng(3), 40_000)
    assert np.sqrt(((released / 0.5 - 45) ** 2).mean()) == pytest.approx(error, rel=0.03)


def test_long_series_of_releases_are_taken_in_parts():
    mechanism, released = SubsampledGaussian(0.5, 1.0), np.linspace(0, 99, 30_000)
    whole = mechanism.log_density(released, 99)
    assert whole[::1000].tolist() == mechanism.log_density(released[::1000], 99).tolist()


def test_an_error_below_that_of_the_sampling_is_refused():
    with pytest.raises(DomainError, match=r"error = 6.0 is outside \(6\.7.*, inf\); the sampling alone"):
        SubsampledGaussian.with_error(6.0, 0.5, 45)
    with pytest.raises(DomainError, match="rate = 0"):
        SubsampledGaussian(0.0, 1.0)
