"""Quantiles of the ratio by mechanism, against closed forms, enumeration and mixtures on a line."""

import math

import numpy as np
import pytest
from scipy import stats

from disclosure.beliefs.mixture_quantiles import mixture_ratio_quantiles
from disclosure.workflow.questions import mechanisms

SETTINGS = {
    "population": 16,
    "sample": 12,
    "ones": 5,
    "ones_outside": 1,
    "errors": [1.5, 3.0, 5.0],
    "probability": 0.01,
    "rate": 0.5,
    "releases": 40_000,
    "seed": 7,
}
PRIOR = 1 / 5
NOISES = ("gaussian", "laplace", "geometric", "discrete_gaussian")


@pytest.fixture(scope="module")
def table():
    return {name: np.asarray(values) for name, values in mechanisms.rows(SETTINGS).items()}


def row(table, name, error):
    (place,) = np.flatnonzero((table["mechanism"] == name) & (table["error"] == error))
    return {column: values[place] for column, values in table.items()}


def ratio(log_ratio):
    """R of three neighbours with a 0 in the target's place and one with a 1, from the log density ratio of 1 to 0."""
    return 1 / (PRIOR + (1 - PRIOR) * (0.75 * math.exp(-log_ratio) + 0.25))


def test_every_mechanism_has_a_row_for_each_error_that_it_can_have(table):
    assert list(table) == list(mechanisms.COLUMNS)
    cases = list(zip(table["mechanism"].tolist(), table["error"].tolist(), strict=True))
    assert len(set(cases)) == len(cases)
    expected = {(name, error) for name in (*mechanisms.SIMULATED, *NOISES) for error in (1.5, 3.0, 5.0)}
    # The sampling of half of five ones has the error 5^(1/2), and the exponential mechanism one of 15^(1/2) at epsilon = 0.
    assert set(cases) == expected - {("subsampled_gaussian", 1.5), ("exponential", 5.0)}
    exact = table["method"] == "exact"
    for side in ("lower", "upper"):
        assert (table[f"{side}_low"] <= table[side]).all()
        assert (table[side] <= table[f"{side}_high"]).all()
        assert np.array_equal(table[f"{side}_low"][exact], table[f"{side}_high"][exact])


@pytest.mark.parametrize("error", [1.5, 3.0])
def test_gaussian_noise_has_its_closed_form(table, error):
    found = row(table, "gaussian", error)
    far, half = stats.norm.isf(0.01) / error, 1 / (2 * error**2)
    assert found["upper"] == pytest.approx(ratio(far + half), rel=1e-12)
    assert found["lower"] == pytest.approx(ratio(-far + half), rel=1e-12)


@pytest.mark.parametrize("name", ["laplace", "geometric"])
@pytest.mark.parametrize("error", [1.5, 3.0])
def test_noise_of_pure_privacy_has_its_bound(table, name, error):
    found = row(table, name, error)
    assert (found["upper"], found["lower"]) == pytest.approx(
        (ratio(1 / found["scale"]), ratio(-1 / found["scale"])), rel=1e-12
    )


@pytest.mark.parametrize("error", [1.5, 3.0])
def test_randomised_response_has_two_ratios(table, error):
    found = row(table, "randomised_response", error)
    epsilon = found["scale"]
    true = 1 / (1 + math.exp(-epsilon))
    assert math.sqrt(12 * true * (1 - true)) / (2 * true - 1) == pytest.approx(error, rel=1e-12)
    assert (found["upper"], found["lower"]) == pytest.approx((ratio(epsilon), ratio(-epsilon)), rel=1e-12)


@pytest.mark.parametrize("error", [1.5, 3.0])
def test_the_exponential_mechanism_has_what_enumeration_finds(table, error):
    found = row(table, "exponential", error)
    sizes = np.exp(-found["scale"] / 2 * np.abs(np.arange(13) - np.array([[5], [4]])))
    mass, other = sizes / sizes.sum(axis=1, keepdims=True)
    assert math.sqrt(mass @ (np.arange(13) - 5) ** 2) == pytest.approx(error, rel=1e-9)
    ratios = np.array([ratio(loss) for loss in np.log(mass / other).round(10)])
    upper = min(r for r in ratios if mass[ratios > r].sum() <= 0.01)
    lower = max(r for r in ratios if mass[ratios < r].sum() <= 0.01)
    assert (found["upper"], found["lower"]) == pytest.approx((upper, lower), rel=1e-8)


def test_the_subsampled_gaussian_mechanism_has_the_quantiles_of_its_mixture(table):
    found = row(table, "subsampled_gaussian", 3.0)
    assert (found["scale"] / 0.5) ** 2 + 5 == pytest.approx(9, rel=1e-12)
    inside, fewer = (stats.binom.pmf(np.arange(6), ones, 0.5) for ones in (5, 4))
    lower, upper = mixture_ratio_quantiles(
        (np.arange(6), inside),
        (np.arange(6), 0.75 * fewer + 0.25 * inside),
        (np.arange(6), inside),
        scale=found["scale"],
        probability=0.01,
        prior=PRIOR,
    )
    for side, value in (("upper", upper), ("lower", lower)):
        # Four standard errors; an interval of 95% has 3.92 of them.
        width = found[f"{side}_high"] - found[f"{side}_low"]
        assert abs(found[side] - value) <= 4 / 3.92 * width
        assert 0 < width < 0.06


def test_neighbours_that_are_like_the_target_leave_the_ratio_at_one():
    found = mechanisms.rows({**SETTINGS, "ones_outside": 4, "errors": 3.0, "releases": 1000})
    for column in ("lower", "upper"):
        assert np.asarray(found[column]) == pytest.approx(1.0, abs=1e-12)


def test_other_releases_follow_from_another_seed(table):
    # One error alone has the releases that it has among others.
    again, other = (mechanisms.rows({**SETTINGS, "errors": 3.0, "seed": seed}) for seed in (7, 8))
    place = list(again["mechanism"]).index("subsampled_gaussian")
    assert again["upper"][place] == row(table, "subsampled_gaussian", 3.0)["upper"] != other["upper"][place]
