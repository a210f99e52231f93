"""How much a released mean income changes the odds that somebody's income lies in a set, and that somebody is in the data."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from disclosure.beliefs import inclusion, quantiles
from disclosure.beliefs.attributes import odds_changes, odds_quantiles
from disclosure.beliefs.value_sets import ValueInterval, split
from disclosure.mechanisms import gaussian
from disclosure.numerics.types import FloatArray
from disclosure.workflow import sweeps
from disclosure.workflow.incomes import incomes

__all__ = ["COLUMNS", "rows"]

# A prior probability of presence so small that the posterior-to-prior ratio is the ratio of the odds, in every digit.
_SMALLEST_PRIOR = 1e-300

# The odds are those of ``guess``: an income in a set, or presence. The largest and the mean are over the people of the
# population; the factors are the least and the largest of anybody.
COLUMNS = {
    "guess": str,
    **dict.fromkeys(("epsilon", "sigma", "factor", "probability"), float),
    **dict.fromkeys(("change_probability_mean", "change_probability_largest"), float),
    **dict.fromkeys(("odds_factor_lower", "odds_factor_upper"), float),
}


class _Risks(NamedTuple):
    """Risks of all people of the population, each an array of shape (n,)."""

    change: FloatArray
    lower: FloatArray
    upper: FloatArray


def rows(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Risks of each guess at each epsilon.

    Parameters
    ----------
    settings : dict
        Those of the question.

    Returns
    -------
    dict of str to list
    """
    values = incomes(*(settings[name] for name in ("people", "median", "spread", "highest")))
    table: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for epsilon in sweeps.parameter_values("epsilon", settings["epsilon"]):
        # In units of an income: the mean moves by a share of 1 / m of it, and so does the sensitivity.
        sigma = gaussian.calibrate(epsilon, settings["delta"], settings["highest"], definition="probabilistic")
        for guess, risks in _guesses(values, settings, sigma).items():
            summary = {
                "guess": guess,
                "epsilon": epsilon,
                "sigma": sigma,
                "factor": settings["factor"],
                "probability": settings["probability"],
                "change_probability_mean": float(risks.change.mean()),
                "change_probability_largest": float(risks.change.max()),
                "odds_factor_lower": float(risks.lower.min()),
                "odds_factor_upper": float(risks.upper.max()),
            }
            for name, column in table.items():
                column.append(summary[name])
    return table


def _guesses(values: FloatArray, settings: Mapping[str, Any], sigma: float) -> dict[str, _Risks]:
    low, high = settings["tails"]
    sets = {
        "half_line": [ValueInterval(settings["above"], math.inf)],
        "interval": [ValueInterval(*settings["between"])],
        "tails": [ValueInterval(-math.inf, low), ValueInterval(high, math.inf)],
    }
    factor, probability = settings["factor"], settings["probability"]
    found = {name: _of_a_set(values, chosen, sigma, factor, probability) for name, chosen in sets.items()}
    return found | {"presence": _of_presence(values, sigma, factor, probability)}


def _of_a_set(
    values: FloatArray, chosen: list[ValueInterval], sigma: float, factor: float, probability: float
) -> _Risks:
    """Of an adversary who knows everybody else, and thinks of the target's income as of anybody's."""
    inside, outside = split((values, np.ones(len(values))), chosen)
    changes = odds_changes(inside, outside, values, scale=sigma, factor=factor)
    factors = odds_quantiles(inside, outside, values, scale=sigma, probability=probability)
    return _Risks(changes.rise + changes.fall, factors.lower, factors.upper)


def _of_presence(values: FloatArray, sigma: float, factor: float, probability: float) -> _Risks:
    """Of an adversary who knows everybody else and the target's income, and asks whether the target is in the data.

    If not, somebody of the same population is there instead.
    """
    gaps = (values[:, None, None] - values[:, None]) / sigma
    change = inclusion.failure_probability(gaps, math.log(factor)).value
    ratios = quantiles.ratio_quantiles(gaps, probability, prior=_SMALLEST_PRIOR)
    return _Risks(change, ratios.lower, ratios.upper)
