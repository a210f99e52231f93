"""Four kinds of noise on the number of cases, against closed forms and sums."""

import numpy as np
import pytest
from scipy.special import ndtri

from disclosure.workflow.questions import case_control_noises

SETTINGS = {"error": 2.0, "errors": [1.0, 3.0], "probability": 0.01, "case_control": {"participants": 11}}
NOISES = ("gaussian", "laplace", "geometric", "discrete_gaussian")


@pytest.fixture(scope="module")
def table():
    return {name: np.asarray(values) for name, values in case_control_noises.rows(SETTINGS).items()}


def part(table, **values):
    chosen = np.all([table[name] == value for name, value in values.items()], axis=0)
    return {name: column[chosen] for name, column in table.items()}


@pytest.mark.parametrize("noise", NOISES)
def test_over_the_release_the_odds_change_by_the_ratio_of_the_densities(table, noise):
    rows = part(table, kind="release", noise=noise, adversary="knows_others")
    released, scale = rows["released"], rows["scale"][0]
    power = 1 if noise in ("laplace", "geometric") else 2
    log_densities = [-((np.abs(released - answer) / scale) ** power) / power for answer in (0, 1)]
    assert np.log(rows["upper"]) == pytest.approx(log_densities[1] - log_densities[0], rel=1e-9, abs=1e-12)
    assert rows["lower"].tolist() == rows["upper"].tolist()
    # Of the design only: mixtures of the two, of 11 people 5 or 6 of them cases.
    design = part(table, kind="release", noise=noise, adversary="knows_design")
    case, control = (np.exp(log_densities[0]) * a + np.exp(log_densities[1]) * (11 - a) for a in (5, 6))
    assert design["upper"] == pytest.approx(case / control, rel=1e-9)


def test_quantiles_of_gaussian_noise_have_a_closed_form(table):
    rows = part(table, kind="quantile", noise="gaussian", adversary="knows_others")
    mu = 1 / rows["error"]
    assert rows["upper"] == pytest.approx(np.exp(mu**2 / 2 - mu * ndtri(0.01)), rel=1e-12)
    assert rows["lower"] == pytest.approx(np.exp(mu**2 / 2 + mu * ndtri(0.01)), rel=1e-12)


def test_quantiles_of_exponential_noise_are_its_bounds(table):
    for noise in ("laplace", "geometric"):
        rows = part(table, kind="quantile", noise=noise, adversary="knows_others")
        assert rows["upper"] == pytest.approx(np.exp(1 / rows["scale"]), rel=1e-12)
        assert rows["lower"] == pytest.approx(np.exp(-1 / rows["scale"]), rel=1e-12)


def test_quantiles_on_whole_numbers_are_those_of_a_sum(table):
    rows = part(table, kind="quantile", noise="discrete_gaussian", adversary="knows_design")
    for scale, lower, upper in zip(rows["scale"], rows["lower"], rows["upper"], strict=True):
        released = np.arange(-30.0, 31.0)
        mass = [np.exp(-(((released - answer) / scale) ** 2) / 2) for answer in (0, 1)]
        case, control = ((a * mass[0] + (11 - a) * mass[1]) / mass[0].sum() / 11 for a in (5, 6))
        ratio = case / control  # rises with the release
        above = np.cumsum(case[::-1])[::-1] - case
        assert upper == pytest.approx(ratio[above <= 0.01].min(), rel=1e-9)
        assert lower == pytest.approx(ratio[np.cumsum(case) - case <= 0.01].max(), rel=1e-9)
