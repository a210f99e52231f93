"""What is left of the bounds (24) where the members of a household enter the data together."""

import math
from collections.abc import Mapping
from typing import Any

from disclosure.beliefs.knowledge import worlds_of_ones
from disclosure.beliefs.less_informed import failure_limit
from disclosure.beliefs.mixtures import failure_probability
from disclosure.expected.attribute_laws import Discrete
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.mechanisms import gaussian, privacy

__all__ = ["COLUMNS", "rows"]

# A row for each number ``members`` of a household. The noise ``sigma`` is calibrated for one person. `failure_largest` is that
# of two households, one of ones and one of zeros, of which one is in the data. The others are expected values over datasets
# whose attributes are 0 or 1 at even odds: in all members of a household ``alike`` or in each independently (``mixed``), for
# an adversary who knows all other households in the data (``informed``) or none. ``epsilon_left`` is the epsilon at which
# the bounds fail with the stated delta at most, and no adversary's failure probability is above ``limit``.
COLUMNS = {
    "members": int,
    "households": int,
    "drawn": int,
    "sigma": float,
    "failure_largest": float,
    "failure_alike_informed": float,
    "failure_mixed_informed": float,
    "failure_alike_uninformed": float,
    "epsilon_left": float,
    "limit": float,
}


def rows(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Failure probabilities, and the epsilon that is left, for households of each size.

    Parameters
    ----------
    settings : dict
        ``population`` and ``sample`` in people, ``sizes`` of households, ``epsilon`` and ``delta``.

    Returns
    -------
    dict of str to list
    """
    epsilon, delta = settings["epsilon"], settings["delta"]
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    lines = []
    for members in settings["sizes"]:
        households, drawn = settings["population"] // members, settings["sample"] // members
        laws = (Discrete([0.0, members], [0.5, 0.5]), Discrete(range(members + 1), _coins(members)))
        informed = [
            expected_failure_probability(households, drawn, epsilon, delta, law, sigma=sigma).value for law in laws
        ]
        lines.append(
            (
                members,
                households,
                drawn,
                sigma,
                float(gaussian.bad_region_mass(sigma, epsilon, members)),
                *informed,
                _uninformed(households, drawn, epsilon, sigma / members),
                float(privacy.probabilistic_epsilon(delta, members / sigma)),
                failure_limit(epsilon, members / sigma),
            )
        )
    return dict(zip(COLUMNS, map(list, zip(*lines, strict=True)), strict=True))


def _coins(number: int) -> list[float]:
    """Probabilities of 0, 1, ... heads of so many fair coins."""
    return [math.comb(number, heads) / 2**number for heads in range(number + 1)]


def _uninformed(households: int, drawn: int, epsilon: float, sigma: float) -> float:
    """Expected failure probability of who knows no member, with one value, 0 or 1 at even odds, for each household."""
    total = 0.0
    # A target with a zero has the same expected value: zeros and ones may change places.
    for others, weight in enumerate(_coins(households - 1)):
        worlds = worlds_of_ones(households, drawn, 1 + others)
        failure = failure_probability(*worlds, worlds.inside, scale=sigma, low=-epsilon, high=epsilon)
        total += weight * failure.value
    return total
