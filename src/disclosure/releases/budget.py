"""What a whole release may reveal, stated in any language, and what it keeps in all of them.

Every language comes to one number, rho of zero-concentrated privacy, which adds up over statistics with independent noise.
For normal noise on all of them rho = mu^2 / 2, mu the sensitivity over sigma, and every translation through mu is exact.
Other noise is known by its rho alone: pure privacy with epsilon has rho = epsilon^2 / 2 at most, the discrete Gaussian that
of normal noise. From rho follow bounds on the privacy loss L, P(L > t) <= e^(-(t - rho)^2 / (4 rho)), which are safe and not
tight.
"""

import math
from dataclasses import dataclass
from typing import Protocol

from disclosure.beliefs import ratio_limits
from disclosure.mechanisms import gaussian, odds_risk, privacy
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics import checks, errors

__all__ = ["Budget", "Guarantee", "Mu", "OddsIncrease", "PrivacyLoss", "Ratio", "Rho", "budget"]


class Guarantee(Protocol):
    """What is promised of a whole release."""

    def rho(self, normal: bool, prior: float) -> float:
        """The largest rho that keeps it.

        Parameters
        ----------
        normal : bool
            Whether all noise is normal.
        prior : float
            Of a target's presence, for promises about that.
        """


@dataclass(frozen=True)
class Rho:
    """Zero-concentrated privacy; rho in (0, inf)."""

    value: float

    def rho(self, normal: bool, prior: float) -> float:
        return checks.number("rho", self.value, "(0, inf)")


@dataclass(frozen=True)
class Mu:
    """Gaussian differential privacy; mu in (0, inf)."""

    value: float

    def rho(self, normal: bool, prior: float) -> float:
        if not normal:
            raise errors.DomainError(
                f"mu = {self.value:g} is a promise of normal noise, and some of the noise is not; state rho, or take gaussian "
                "noise for all statistics"
            )
        return float(privacy.zcdp_rho(self.value))


@dataclass(frozen=True)
class PrivacyLoss:
    """(epsilon, delta) of approximate or of probabilistic privacy."""

    epsilon: float
    delta: float
    definition: str

    def rho(self, normal: bool, prior: float) -> float:
        sigma = gaussian.calibrate(self.epsilon, self.delta, definition=self.definition)
        checks.number("delta", self.delta, "(0, 1)", "at 1 nothing is promised")
        if normal:
            return float(privacy.zcdp_rho(1 / sigma))
        # Probabilistic privacy is about both tails of the loss.
        rarity = -math.log(self.delta / 2 if self.definition == "probabilistic" else self.delta)
        return (self.epsilon / (math.sqrt(self.epsilon + rarity) + math.sqrt(rarity))) ** 2


@dataclass(frozen=True)
class Ratio:
    """Belief in anybody's presence rises by more than a factor with a stated probability at most, for every table.

    At the prior of candidates who are equally likely, or with ``every_prior`` whatever it is.
    """

    largest: float
    failure: float
    every_prior: bool = False

    def rho(self, normal: bool, prior: float) -> float:
        prior = 0.0 if self.every_prior else prior
        largest = checks.number("largest_ratio", self.largest, "(1, inf)", "every release raises some belief")
        failure = checks.number("failure", self.failure, "(0, 0.5]")
        if largest * prior >= 1:
            raise errors.DomainError(
                f"largest_ratio = {largest:g} is no constraint at the prior {prior:.3g}, for a posterior is at most 1; "
                f"allowed: above 1 and below {1 / prior:.6g}"
            )
        if normal:
            return float(ratio_limits.reach_for(largest, failure, prior)) ** 2 / 2
        odds = largest * (1 - prior) / (1 - largest * prior)
        return float(privacy.zcdp_rho(1 / odds_risk.sigma_zcdp(odds, failure)))


@dataclass(frozen=True)
class OddsIncrease:
    """Odds rise by more than a factor with a stated probability at most, for every adversary and every set of values.

    The factor is the smallest bound of an odds risk profile.
    """

    bound: float
    failure: float

    def rho(self, normal: bool, prior: float) -> float:
        sigma = (odds_risk.sigma_any if normal else odds_risk.sigma_zcdp)(self.bound, self.failure)
        return float(privacy.zcdp_rho(1 / sigma))


@dataclass(frozen=True)
class Budget:
    """What a release keeps, in every language; for one record replaced by another.

    Attributes
    ----------
    relation : str
    normal : bool
        Whether all noise is normal: the numbers are then exact, otherwise bounds by rho.
    rho : float
        Of all statistics and of what was spent before.
    spent : float
        The part of rho that was spent before.
    mu : float
        NaN unless the noise is normal.
    delta : float
        Of the two epsilons.
    epsilon_approximate, epsilon_probabilistic : float
    epsilon_pure : float
        Of pure privacy; infinite unless all noise is Laplace or geometric.
    advantage : float
        Largest true positive rate less false positive rate of any test between two neighbours.
    """

    relation: str
    normal: bool
    rho: float
    spent: float
    mu: float
    delta: float
    epsilon_approximate: float
    epsilon_probabilistic: float
    epsilon_pure: float
    advantage: float


def budget(rho: float, spent: float, delta: float, normal: bool, epsilon_pure: float = math.inf) -> Budget:
    """What rho comes to in the other languages.

    Parameters
    ----------
    rho : float
        Of everything, in (0, inf).
    spent : float
    delta : float
        At which the epsilons are told, in (0, 1).
    normal : bool
    epsilon_pure : float, optional

    Returns
    -------
    Budget

    Examples
    --------
    >>> found = budget(0.15, 0.0, 0.01, normal=True)
    >>> found.epsilon_approximate, found.epsilon_probabilistic
    (1.03820..., 1.46056...)
    """
    delta = checks.number("delta", delta, "(0, 1)")
    if normal:
        mu = float(privacy.mu_from_zcdp(rho))
        approximate = float(privacy.approximate_epsilon(delta, mu))
        probabilistic = float(privacy.probabilistic_epsilon(delta, mu))
        return Budget(
            REPLACE_ONE,
            True,
            rho,
            spent,
            mu,
            delta,
            approximate,
            probabilistic,
            epsilon_pure,
            float(privacy.advantage(mu)),
        )
    approximate, probabilistic = (rho + 2 * math.sqrt(rho * math.log(1 / tail)) for tail in (delta, delta / 2))
    # By Pinsker's inequality, since Kullback and Leibler's divergence is at most rho; and by pure privacy.
    advantage = min(1.0, math.sqrt(rho / 2), math.tanh(epsilon_pure / 2))
    return Budget(
        REPLACE_ONE,
        False,
        rho,
        spent,
        math.nan,
        delta,
        min(approximate, epsilon_pure),
        min(probabilistic, epsilon_pure),
        epsilon_pure,
        advantage,
    )
