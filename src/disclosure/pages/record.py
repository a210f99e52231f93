"""A release for machines: mechanism, unit, relation, budget and accuracy, as ``release.schema.json`` describes them.

All of it follows from stated ranges and numbers of people, and nothing from what is in the table. So it may be published with
the release.
"""

import importlib.resources
import json
import math
from typing import Any

from scipy.special import ndtri

import disclosure
from disclosure.beliefs import ratio_limits
from disclosure.mechanisms import privacy
from disclosure.pages.shown import Range, Release, Statistic

__all__ = ["FORMAT", "record", "schema"]

FORMAT = "disclosure-release-1"
"""Names the version of the schema."""

# Deltas at which epsilon is told: usual ones, and no part of the release.
_DELTAS = (1e-5, 1e-6)
_CONFIDENCE = 0.95


def record(release: Release) -> dict[str, Any]:
    """The record of a release, ready for JSON."""
    return {
        "format": FORMAT,
        "software": {"name": "disclosure", "version": disclosure.__version__},
        "mechanism": "gaussian",
        "unit": "person",
        "relation": release.relation,
        "people": {"dataset": release.dataset, "population": _finite(release.population), "rows": release.rows},
        "statistics": [_statistic(statistic) for statistic in release.statistics],
        "budget": {
            "mu": release.mu,
            "rho": float(privacy.zcdp_rho(release.mu)),
            "approximate": _epsilons(privacy.approximate_epsilon, release.mu),
            "probabilistic": _epsilons(privacy.probabilistic_epsilon, release.mu),
        },
        "presence": [_presence(release.mu, probability) for probability in release.probabilities],
    }


def schema() -> dict[str, Any]:
    """The JSON schema of `record`."""
    text = importlib.resources.files("disclosure.pages").joinpath("release.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _statistic(statistic: Statistic) -> dict[str, Any]:
    return {
        "name": statistic.name,
        "query": statistic.query,
        "entry": statistic.entry,
        "unit": statistic.unit,
        "columns": [_column(column) for column in statistic.columns],
        "sigma": statistic.sigma,
        "accuracy": {
            "root_mean_square_error": statistic.sigma,
            "confidence": _CONFIDENCE,
            "half_width": float(statistic.sigma * -ndtri((1 - _CONFIDENCE) / 2)),
        },
    }


def _column(column: Range) -> dict[str, Any]:
    return {"name": column.name, **({"low": column.low, "high": column.high} if column.stated else {})}


def _epsilons(epsilon: Any, mu: float) -> list[dict[str, float]]:
    return [{"delta": delta, "epsilon": float(epsilon(delta, mu))} for delta in _DELTAS]


def _presence(mu: float, probability: float) -> dict[str, Any]:
    """The factor that the odds of anybody's presence rise by at most, whatever they were."""
    return {
        "probability": probability,
        "largest_odds_factor": _finite(float(ratio_limits.rise_limit(mu, probability, 0.0))),
    }


def _finite(value: float) -> float | str:
    """The same, with a word for infinity, which JSON has not."""
    return "inf" if value == math.inf else value
