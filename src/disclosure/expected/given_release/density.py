"""The density of releases at which the bounds fail, at one release."""

import numpy as np

from disclosure.expected.densities import Density
from disclosure.expected.given_release.settings import SETTINGS, Effort
from disclosure.expected.given_release.terms import LOWER, UPPER, TermLaw, kinks_of_failing, term_law, term_laws
from disclosure.expected.given_release.window_mass import window_mass
from disclosure.expected.given_release.windows import seen_windows, windows_of
from disclosure.numerics.quadrature import Work
from disclosure.numerics.types import FloatArray

__all__ = ["distances_from_kinks", "failure_density", "log_bound"]


def failure_density(
    t: float,
    density: Density,
    neighbours: int,
    epsilon: float,
    sigma: float,
    effort: Effort,
    floor: float = -np.inf,
    work: Work | None = None,
) -> float:
    """Density of the release at t, times the probability that the bounds fail given it.

    Parameters
    ----------
    t : float
        A release, with the attribute's interval moved to [0, 1].
    density : Density
        Of all attributes.
    neighbours : int
        p >= 1.
    epsilon, sigma : float
        In (0, inf); sigma in units of the interval.
    effort : Effort
    floor : float, optional
        Where `log_bound` is at most this, the answer is 0.
    work : Work, optional

    Returns
    -------
    float
        Integrated over t, the expected failure probability.

    Raises
    ------
    ConvergenceError
        When the work is used up.
    """
    laws = term_laws(t, density, neighbours, epsilon, sigma, work or Work())
    return float(sum(_of_law(law, effort, floor) for law in laws))


def _of_law(law: TermLaw, effort: Effort, floor: float) -> float:
    windows = windows_of(law)
    if not windows.bounds.max() > floor:
        return 0.0
    return sum(window_mass(law, windows, window, effort) for window in seen_windows(windows))


def log_bound(
    t: float, density: Density, neighbours: int, epsilon: float, sigma: float, work: Work | None = None
) -> float:
    """Natural logarithm of about the largest contribution to `failure_density`, of the same arguments; -inf of none."""
    laws = term_laws(t, density, neighbours, epsilon, sigma, work or Work())
    return max((float(windows_of(law).bounds.max()) for law in laws), default=-np.inf)


def distances_from_kinks(t: float, density: Density, neighbours: int, epsilon: float, sigma: float) -> FloatArray:
    """Signed distances of the mean's logarithm from each kink of the share of failing targets, and from points about it.

    With many neighbours the mean term hardly varies, and `failure_density`, as a function of t, has a kink where a distance
    passes 0. It is rounded over a few deviations, between the points.

    Returns
    -------
    ndarray, shape (3 k,)
        For each of the k kinks, from 6 deviations below it, from the kink, and from 6 above; in standard deviations of the
        logarithm of the mean term.
    """
    law = term_law(t, density, neighbours, epsilon, sigma, (LOWER, UPPER), Work())
    assert law is not None  # with both thresholds no term is left out
    deviation = law.deviation / np.sqrt(neighbours) / (law.mean + law.release.centred)
    distances = (law.release.log(law.mean) - kinks_of_failing(law)) / deviation
    return np.asarray(np.add.outer(distances, [-SETTINGS.bend, 0.0, SETTINGS.bend])).ravel()
