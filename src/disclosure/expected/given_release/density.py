"""The density of failing releases, those at which the bounds (24) or (26) of paper A fail, at one release."""

import numpy as np

from disclosure.beliefs.inclusion import Levels
from disclosure.expected.densities import Density
from disclosure.expected.given_release.settings import SETTINGS, Effort
from disclosure.expected.given_release.terms import TermLaw, attained, kinks_of_failing, term_law, term_laws
from disclosure.expected.given_release.window_mass import window_mass
from disclosure.expected.given_release.windows import seen_windows, windows_of
from disclosure.numerics.quadrature import Work
from disclosure.numerics.types import FloatArray

__all__ = ["distances_from_kinks", "failure_density", "log_bound"]


def failure_density(
    t: float,
    density: Density,
    neighbours: int,
    levels: Levels,
    sigma: float,
    effort: Effort,
    floor: float = -np.inf,
    work: Work | None = None,
) -> float:
    """Density of the release at t, times the probability that the bounds fail given the release.

    Parameters
    ----------
    t : float
        A release, with the attribute's interval moved to [0, 1].
    density : Density
        Of the attributes of target and neighbours.
    neighbours : int
        p >= 1.
    levels : Levels
        Of log g, between which the bounds hold: ``low <= 0 <= high``; the first may be -inf.
    sigma : float
        In (0, inf), in units of the interval.
    effort : Effort
    floor : float, optional
        Natural logarithm. If `log_bound` is at most this, 0 is returned.
    work : Work, optional
        Counts the evaluations.

    Returns
    -------
    float
        Per unit of t. Its integral over t is the expected failure probability.

    Raises
    ------
    ConvergenceError
        When the work is used up.
    """
    laws = term_laws(t, density, neighbours, levels, sigma, work or Work())
    return float(sum(_of_law(law, effort, floor) for law in laws))


def _of_law(law: TermLaw, effort: Effort, floor: float) -> float:
    windows = windows_of(law)
    if not windows.bounds.max() > floor:
        return 0.0
    return sum(window_mass(law, windows, window, effort) for window in seen_windows(windows))


def log_bound(
    t: float, density: Density, neighbours: int, levels: Levels, sigma: float, work: Work | None = None
) -> float:
    """Natural logarithm of about the largest contribution to `failure_density`, of the same arguments; -inf of none."""
    laws = term_laws(t, density, neighbours, levels, sigma, work or Work())
    return max((float(windows_of(law).bounds.max()) for law in laws), default=-np.inf)


def distances_from_kinks(t: float, density: Density, neighbours: int, levels: Levels, sigma: float) -> FloatArray:
    """Signed distances, on a logarithmic scale, of the expected mean term from each kink of Psi and from two points around it.

    With many neighbours the mean term hardly varies. So `failure_density`, as a function of t, has a kink where such a distance
    passes 0, rounded over a few standard deviations of the mean term. The two points enclose the rounded part.

    Returns
    -------
    ndarray, shape (3 k,)
        For each of the k kinks, from 6 deviations below it, from the kink, and from 6 above; in standard deviations of the
        logarithm of the mean term.
    """
    law = term_law(t, density, neighbours, levels, sigma, attained(levels), Work())
    assert law is not None  # with the upper threshold no term is left out
    deviation = law.deviation / np.sqrt(neighbours) / (law.mean + law.release.centred)
    distances = (law.release.log(law.mean) - kinks_of_failing(law)) / deviation
    return np.asarray(np.add.outer(distances, [-SETTINGS.bend, 0.0, SETTINGS.bend])).ravel()
