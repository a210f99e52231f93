"""Languages of privacy for normal noise, and the way from each to the others.

Everything that normal noise of standard deviation sigma promises about two datasets depends on mu = Delta / sigma,
the largest distance of their answers in standard deviations: to tell them apart is to tell a normal variable with
mean 0 from one with mean mu. So every definition of privacy is a function of mu, and a translation goes through mu.

In all of it two datasets are neighbours by replacing one record, unless a name says otherwise, and a guarantee is
taken for that of normal noise which just keeps it. Another mechanism with the same guarantee in one language promises
something else in the others. Answers have a relative error below 1e-12, or what the last place of an argument makes
of it where that is more (an epsilon near 0, a delta near 1).
"""

import numpy as np
from scipy.special import erf, log_ndtr, ndtr, ndtri, ndtri_exp

from disclosure.numerics import checks
from disclosure.numerics.normal import interval_mass
from disclosure.numerics.roots import root_between
from disclosure.numerics.tails import mills, mills_drop

__all__ = [
    "advantage",
    "approximate_epsilon",
    "compose",
    "false_negative_rate",
    "mu_from_add_remove",
    "mu_from_renyi",
    "mu_from_zcdp",
    "privacy_profile",
    "probabilistic_epsilon",
    "renyi_epsilon",
    "true_positive_rate",
    "zcdp_rho",
]


def privacy_profile(epsilon, mu):
    """Smallest delta of approximate privacy at an epsilon (Balle and Wang 2018, Theorem 8).

    With a = mu/2 - epsilon/mu it is Phi(a) - e^epsilon Phi(a - mu), where e^epsilon Phi(a - mu) = phi(a) m(mu - a)
    with Mills' ratio m. For probabilistic privacy it is `disclosure.mechanisms.gaussian.bad_region_mass`.

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    mu : array_like
        In (0, inf), broadcast against ``epsilon``.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(privacy_profile(1.0, 1.0))
    0.12693...
    """
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    mu = _mu(mu)
    return np.exp(_log_profile(epsilon / mu, mu))


def approximate_epsilon(delta, mu):
    """Smallest epsilon of approximate privacy at a delta: where the privacy profile falls to it, from the private side.

    Parameters
    ----------
    delta : array_like
        In (0, 1).
    mu : array_like
        In (0, inf), broadcast against ``delta``.

    Returns
    -------
    ndarray
        0 where the advantage, which is the profile at 0, does not exceed delta.

    Examples
    --------
    >>> float(approximate_epsilon(0.01, 0.15**0.5 * 2**0.5))
    1.03820...
    """
    delta, mu = np.broadcast_arrays(checks.within("delta", delta, "(0, 1)"), _mu(mu))
    positive = _approximate_excess(0.0, delta, mu) > 0
    epsilon = np.zeros(mu.shape)
    epsilon[positive] = _smallest_epsilon(_approximate_excess, delta[positive], mu[positive], 0.0)
    return epsilon


def probabilistic_epsilon(delta, mu):
    """Smallest epsilon of probabilistic privacy at a delta: where the mass (15) of paper A falls to it.

    Parameters
    ----------
    delta : array_like
        In (0, 1).
    mu : array_like
        In (0, inf), broadcast against ``delta``.

    Returns
    -------
    ndarray
        Positive, from the private side.

    Examples
    --------
    >>> float(probabilistic_epsilon(0.01, 0.15**0.5 * 2**0.5))
    1.46056...
    """
    delta, mu = np.broadcast_arrays(checks.within("delta", delta, "(0, 1)"), _mu(mu))
    # The good region, of the length 2 t, has at most 2 t phi(0) = 1 - delta of mass; half of that t is too low.
    return _smallest_epsilon(_probabilistic_excess, delta, mu, (1 - delta) * np.sqrt(np.pi / 8))


def zcdp_rho(mu):
    """Parameter rho of zero-concentrated privacy, mu^2 / 2 (Bun and Steinke 2016, Proposition 1.6); mu in (0, inf)."""
    return _mu(mu) ** 2 / 2


def mu_from_zcdp(rho):
    """The mu of normal noise whose zero-concentrated privacy has the parameter rho, in (0, inf)."""
    return np.sqrt(2 * checks.within("rho", rho, "(0, inf)"))


def renyi_epsilon(alpha, mu):
    """Renyi privacy of order alpha, alpha mu^2 / 2 (Mironov 2017, Proposition 7); alpha in (1, inf), mu in (0, inf)."""
    return checks.within("alpha", alpha, "(1, inf)") * zcdp_rho(mu)


def mu_from_renyi(alpha, epsilon):
    """The mu of normal noise with a given Renyi epsilon, in (0, inf), of order alpha, in (1, inf)."""
    epsilon = checks.within("Renyi epsilon", epsilon, "(0, inf)")
    return mu_from_zcdp(epsilon / checks.within("alpha", alpha, "(1, inf)"))


def mu_from_add_remove(mu):
    """The mu of replacing a record, from that of adding or removing one: doubled, and rho with it times 4.

    To replace a record is to remove one and add another, so the answers move by twice as much at most. A statistic can
    say less (a count moves by 1 in either way), and then its sensitivity to replacing is what to start from.
    """
    return 2 * _mu(mu)


def compose(mus, axis=-1):
    """The mu of releases with independent noise taken together, the root of the sum of squares.

    Parameters
    ----------
    mus : array_like
        In [0, inf), one for each release along ``axis``; k equal ones are one with mu times the root of k.
    axis : int, optional

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(compose([3.0, 4.0]))
    5.0
    """
    mus = checks.within("mu", mus, "[0, inf)")
    return np.hypot.reduce(mus, axis=axis)


def advantage(mu):
    """Largest true positive rate less false positive rate of any test between two neighbours, 2 Phi(mu/2) - 1.

    It is their total variation distance, and the privacy profile at 0.
    """
    return erf(_mu(mu) / np.sqrt(8))


def true_positive_rate(false_positive_rate, mu):
    """Largest true positive rate of any test between two neighbours, at a false positive rate.

    Parameters
    ----------
    false_positive_rate : array_like
        In [0, 1].
    mu : array_like
        In (0, inf).

    Returns
    -------
    ndarray
        Phi(Phi^-1(false_positive_rate) + mu), by the lemma of Neyman and Pearson.

    Examples
    --------
    >>> float(true_positive_rate(0.01, 1.0))
    0.0923...
    """
    rate = checks.within("false_positive_rate", false_positive_rate, "[0, 1]")
    return ndtr(ndtri(rate) + _mu(mu))


def false_negative_rate(false_positive_rate, mu):
    """The trade-off function of normal noise, the smallest false negative rate of any test (Dong, Roth and Su 2022).

    It is 1 less `true_positive_rate`, without cancellation; arguments as there.
    """
    rate = checks.within("false_positive_rate", false_positive_rate, "[0, 1]")
    return ndtr(-ndtri(rate) - _mu(mu))


def _mu(mu):
    return checks.within("mu", mu, "(0, inf)")


def _smallest_epsilon(excess, delta, mu, low):
    """Where ``excess`` falls to 0 in the slope epsilon / mu above ``low``, moved up as far as rounding has put it too low."""
    # Both masses are at most 2 Phi(mu/2 - slope): half of delta at the upper end. With a large mu the rounding of mu/2 decides.
    high = mu / 2 * (1 + 4 * np.finfo(float).eps) - ndtri_exp(np.log(delta) - np.log(4))
    epsilon, step = mu * root_between(excess, low, high, delta, mu), np.finfo(float).eps
    while np.any(too_low := excess(epsilon / mu, delta, mu) > 0):
        epsilon, step = np.where(too_low, epsilon * (1 + step), epsilon), 2 * step
    return epsilon


def _probabilistic_excess(slope, delta, mu):
    """Log of the mass (15) over delta, up to 1/2; above, of 1 - delta over the mass of the good region."""
    near, far = mu / 2 - slope, -mu / 2 - slope
    with np.errstate(divide="ignore"):
        good = np.log(interval_mass(far, -near))
    return np.where(delta <= 0.5, np.logaddexp(log_ndtr(near), log_ndtr(far)) - np.log(delta), np.log1p(-delta) - good)


def _approximate_excess(slope, delta, mu):
    """Log of the privacy profile over delta."""
    return _log_profile(slope, mu) - np.log(delta)


def _log_profile(slope, mu):
    """Log of the privacy profile at epsilon = slope mu."""
    a = mu / 2 - slope
    with np.errstate(divide="ignore", invalid="ignore"):
        # phi(a) (m(-a) - m(mu - a)) = Phi(a) times the share by which Mills' ratio drops.
        lower = log_ndtr(a) + np.log(mills_drop(np.maximum(-a, 0.0), mu))
        # (Phi(a) - Phi(a - mu)) - (1 - e^-epsilon) e^epsilon Phi(a - mu), of which the second is at most a third.
        beyond = np.exp(_log_density(a)) * mills(mu / 2 + slope)
        upper = np.log(interval_mass(-mu / 2 - slope, a) + np.expm1(-slope * mu) * beyond)
    return np.where(a > 0, upper, lower)


def _log_density(x):
    return -(x**2) / 2 - np.log(2 * np.pi) / 2
