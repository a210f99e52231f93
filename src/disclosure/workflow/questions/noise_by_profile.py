"""Which Gaussian noise keeps an odds risk profile, except with a small probability."""

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from disclosure.beliefs.profiles import RiskProfile
from disclosure.mechanisms import odds_risk
from disclosure.numerics.types import FloatArray
from disclosure.workflow import sweeps

__all__ = ["COLUMNS", "rows"]

# What is known of the adversary, or of the noise, and the least noise for a bound B and a probability.
_NOISES = {"informed": odds_risk.sigma_informed, "any": odds_risk.sigma_any, "zcdp": odds_risk.sigma_zcdp}

# ``sigma`` is in units of the sensitivity to replacing one record. A tolerated increase of 1 needs infinite noise.
COLUMNS = {"adversary": str, "failure": float, "prior_odds_ratio": float, "bound": float, "sigma": float}


def rows(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The least noise for each adversary, each probability of failure and each prior odds ratio.

    Parameters
    ----------
    settings : dict
        ``failures`` and ``prior_odds`` of the question, and ``odds_risk_profile``.

    Returns
    -------
    dict of str to list or ndarray
    """
    profile = RiskProfile.from_data(settings["odds_risk_profile"])
    prior_odds = np.array(sweeps.parameter_values("prior_odds", settings["prior_odds"]))
    cases = list(itertools.product(_NOISES, settings["failures"]))
    bound = np.asarray(profile(prior_odds))
    return {
        "adversary": np.repeat([name for name, _ in cases], len(prior_odds)),
        "failure": np.repeat([failure for _, failure in cases], len(prior_odds)),
        "prior_odds_ratio": np.tile(prior_odds, len(cases)),
        "bound": np.tile(bound, len(cases)),
        "sigma": np.concatenate([_sigma(name, bound, failure) for name, failure in cases]),
    }


def _sigma(adversary: str, bound: FloatArray, failure: float) -> FloatArray:
    """The least noise by prior odds ratio, infinite where no increase is tolerated."""
    sigma = np.full(len(bound), np.inf)
    rises = bound > 1
    sigma[rises] = _NOISES[adversary](bound[rises], failure)
    return sigma
