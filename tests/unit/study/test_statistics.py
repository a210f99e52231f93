"""Means and variance components against scipy, plain sums and the numbers that paper A prints."""

import numpy as np
import pytest
from scipy.stats import sem

from disclosure.numerics.errors import DomainError
from disclosure.study import statistics


def test_mean_and_standard_error():
    values = np.random.default_rng(1).random(50)
    value, error = statistics.mean(values)
    assert value == pytest.approx(values.sum() / 50, rel=1e-14)
    assert error == pytest.approx(sem(values), rel=1e-12)
    assert np.isnan(statistics.mean([0.5]).standard_error)


def test_failure_rate_is_the_mean_over_datasets():
    failures = np.array([0, 3, 10, 7])
    value, error = statistics.failure_rate(failures, 20)
    assert value == pytest.approx(0.25)
    assert error == pytest.approx(sem(failures / 20), rel=1e-12)


def test_variance_components_are_unbiased_and_add_up():
    """Over many studies with three known failure probabilities."""
    generator = np.random.default_rng(2)
    probabilities, datasets, releases, studies = np.array([0.02, 0.3, 0.7]), 30, 8, 1000
    drawn = probabilities[generator.integers(0, 3, (studies, datasets))]
    found = np.array([statistics.variance_components(f, releases) for f in generator.binomial(releases, drawn)])
    expected = probabilities.var(), (probabilities * (1 - probabilities)).mean()
    standard_error = found.std(axis=0) / np.sqrt(studies)
    assert (np.abs(found.mean(axis=0) - expected) < 4 * standard_error).all()
    between, within = found.T
    total = [statistics.failure_rate(f, releases).standard_error ** 2 for f in generator.binomial(releases, drawn)]
    # The variance of F_bar: Var(rho) / N1 + E[rho (1 - rho)] / (N1 N2).
    predicted = expected[0] / datasets + expected[1] / (datasets * releases)
    assert np.mean(total) == pytest.approx(predicted, abs=4 * np.std(total) / np.sqrt(studies))
    assert between.min() < expected[0] < between.max()
    assert within.min() < expected[1] < within.max()


def test_exact_variance_components_are_the_limit_of_many_releases():
    probabilities = np.array([0.0, 0.1, 0.4])
    exact = statistics.exact_variance_components(probabilities)
    counted = statistics.variance_components((probabilities * 10**9).astype(int), 10**9)
    assert counted.between == pytest.approx(exact.between, rel=1e-6)
    assert counted.within == pytest.approx(exact.within, rel=1e-6)


@pytest.mark.parametrize(("rate", "printed"), [(7.1e-5, 8.44e-12), (3.39e-5, 5.82e-12)])
def test_published_standard_deviations_have_no_root_over_the_releases(rate, printed):
    assert statistics.published_standard_deviation(rate, 1_000, 1_000_000) == pytest.approx(printed, rel=5e-3)


def test_estimators_refuse_what_lies_outside_their_domain():
    with pytest.raises(DomainError, match="failures = 21"):
        statistics.failure_rate([3, 21], 20)
    with pytest.raises(DomainError, match="two"):
        statistics.variance_components([3], 20)
    with pytest.raises(DomainError, match="releases = 1"):
        statistics.variance_components([0, 1], 1)
    with pytest.raises(DomainError, match="values = nan"):
        statistics.mean([0.1, np.nan])
    with pytest.raises(DomainError, match="probabilities has shape"):
        statistics.exact_variance_components([])
    with pytest.raises(DomainError, match="values has shape"):
        statistics.mean([])


def test_the_fewest_values_that_estimators_take():
    assert statistics.mean([0.25, 0.75]) == pytest.approx((0.5, 0.25), rel=1e-14)
    assert statistics.failure_rate([0, 1], 1) == pytest.approx((0.5, 0.5), rel=1e-14)
    assert statistics.variance_components([0, 2], 2) == (0.5, 0.0)
    assert statistics.exact_variance_components([0.0, 1.0]) == (0.5, 0.0)
    between, within = statistics.exact_variance_components([0.5])
    assert np.isnan(between)
    assert within == 0.25
    assert statistics.published_standard_deviation(0.5, 1, 1) == 0.5


@pytest.mark.parametrize(
    ("estimator", "right", "wrong"),
    [
        (statistics.failure_rate, {"failures": [0, 1], "releases": 1}, {"failures": [2], "releases": 0}),
        (statistics.exact_variance_components, {"probabilities": [0.5]}, {"probabilities": [1.5]}),
        (
            statistics.published_standard_deviation,
            {"rate": 0.5, "datasets": 1, "releases": 1},
            {"rate": 1.5, "datasets": 0, "releases": 0},
        ),
    ],
)
def test_each_argument_outside_its_domain_is_named(estimator, right, wrong):
    estimator(**right)
    for name, value in wrong.items():
        with pytest.raises(DomainError, match=rf"^{name} = "):
            estimator(**{**right, name: value})
