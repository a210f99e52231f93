"""A release, and the law of one neighbour's term X(b) = exp(-(t - b)^2 / (2 sigma^2)) given it.

With a large epsilon or little noise X runs over e^1000 and more. Terms are held in a unit of their own, by their logarithms
("log X" is the natural logarithm of X in that unit), and between bounds that hold all terms a failure can depend on.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.expected.densities import Density
from disclosure.expected.given_release.settings import SETTINGS
from disclosure.numerics import quadrature
from disclosure.numerics.types import FloatArray

__all__ = ["LOWER", "UPPER", "Release", "TermLaw", "kinks_of_failing", "term_law", "term_laws", "variation"]

# The thresholds of the mean term: failures lie above the upper one and below the lower one.
UPPER, LOWER = 1, -1
Thresholds: TypeAlias = tuple[int, ...]


class Release(NamedTuple):
    """A release and everything of the setting that its terms depend on.

    Attributes
    ----------
    t, sigma : float
        The release and the noise, in units of the attributes' interval.
    epsilon : float
    thresholds : tuple of int
        Which of `UPPER` and `LOWER` are looked at.
    nearest : float
        The attribute closest to the release, whose term is the largest.
    unit : float
        Logarithm of the unit in which terms are held, as a multiple of the nearest attribute's term.
    highest : float
        Log X up to which terms are looked at: with a larger one nothing fails.
    lowest : float
        Log X at the attribute farthest away, or a value so low that it stands for all below.
    centred : bool
        Whether terms are held as X - 1, which keeps the accuracy where all X are close to 1.
    """

    t: float
    sigma: float
    epsilon: float
    thresholds: Thresholds
    nearest: float
    unit: float
    highest: float
    lowest: float
    centred: bool

    @property
    def top(self) -> float:
        """Largest term there is in the unit, as it is held."""
        return 0.0 if self.centred else float(self.term(self.highest))

    @property
    def bottom(self) -> float:
        """Smallest term there is, as it is held."""
        return float(self.term(self.lowest))

    @property
    def truncated(self) -> bool:
        """Whether there are terms larger than those that are looked at."""
        return self.highest < -self.unit

    def exact_log_term(self, b: ArrayLike) -> FloatArray:
        """Log X of attributes."""
        b = np.asarray(b)
        return np.asarray(-(b - self.nearest) * (b + self.nearest - 2 * self.t) / (2 * self.sigma**2) - self.unit)

    def log_term(self, b: ArrayLike) -> FloatArray:
        """Log X of attributes between the lowest and the highest; above that no more than that it is above."""
        return np.clip(self.exact_log_term(b), self.lowest, self.highest + 1)

    def term(self, log: ArrayLike) -> FloatArray:
        """Terms, as they are held, from log X."""
        return np.expm1(log) if self.centred else np.exp(log)

    def log(self, term: ArrayLike) -> FloatArray:
        """Log X of terms as they are held; -inf of 0."""
        with np.errstate(divide="ignore"):
            return np.log1p(term) if self.centred else np.log(term)

    def distance(self, log: ArrayLike) -> FloatArray:
        """Distance from the release, in units of sigma, of the attributes with this log X; 0 if X is nowhere as large."""
        square = ((self.t - self.nearest) / self.sigma) ** 2 - 2 * (np.asarray(log) + self.unit)
        return np.sqrt(np.maximum(square, 0.0))


class TermLaw(NamedTuple):
    """Law of one term given a release, among the terms that are looked at.

    Attributes
    ----------
    release : Release
    density : Density
        Of the attributes.
    neighbours : int
        p.
    points, logs, demand : ndarray, shape (k,)
        A table: attributes, log X there, and how many panels the density wants up to there.
    terms, weights : ndarray, shape (l,)
        A rule for means over one term.
    mean : float
        Mean of a term.
    log_mass : float
        Logarithm of the probability of a term that is looked at.
    work : Work
        Counts the evaluations.
    """

    release: Release
    density: Density
    neighbours: int
    points: FloatArray
    logs: FloatArray
    demand: FloatArray
    terms: FloatArray
    weights: FloatArray
    mean: float
    log_mass: float
    work: quadrature.Work

    @property
    def deviation(self) -> float:
        """Standard deviation of a term."""
        return float(np.sqrt(self.weights @ (self.terms - self.mean) ** 2))


def term_laws(
    t: float, density: Density, neighbours: int, epsilon: float, sigma: float, work: quadrature.Work
) -> list[TermLaw]:
    """One law for failures at both thresholds; or one for each, where the thresholds are too far apart for one unit.

    A law is left out if no term that is looked at has any probability: then no release fails.
    """
    together = epsilon <= SETTINGS.most_epsilon_of_one_law
    thresholds: list[Thresholds] = [(LOWER, UPPER)] if together else [(LOWER,), (UPPER,)]
    laws = (term_law(t, density, neighbours, epsilon, sigma, some, work) for some in thresholds)
    return [law for law in laws if law is not None]


def term_law(
    t: float,
    density: Density,
    neighbours: int,
    epsilon: float,
    sigma: float,
    thresholds: Thresholds,
    work: quadrature.Work,
) -> TermLaw | None:
    """Law of one term given a release, for failures at some thresholds; None if none of the terms has any probability.

    Parameters
    ----------
    t : float
        The release, with the attributes' interval moved to [0, 1].
    density, neighbours, epsilon, sigma
        As in `density.failure_density`.
    thresholds : tuple of int
        `UPPER`, `LOWER` or both.
    work : Work
    """
    release = _release(t, neighbours, epsilon, sigma, thresholds)
    extremes = [
        quadrature.graded(b, SETTINGS.extremes_shortest, 0.0, 1.0, SETTINGS.extremes_ratio)
        for b in sorted({0.0, 1.0, release.nearest})
    ]
    around = t + sigma * np.linspace(-SETTINGS.noise_reach, SETTINGS.noise_reach, SETTINGS.noise_points)
    points = np.unique(np.concatenate([density.points, around[(around > 0) & (around < 1)], *extremes]))
    demand = np.interp(points, density.points, density.demand)
    logs = release.log_term(points)
    root = sigma * float(release.distance(release.highest))
    cuts = [t - root, t + root] if release.truncated else []
    breaks = np.concatenate([*extremes, density.panel_ends, cuts])
    ends = quadrature.partition(points, demand + variation(logs) / SETTINGS.log_per_panel, breaks)
    work.spend(SETTINGS.moment_order * len(ends) / SETTINGS.values_of_work)
    nodes, weights = density.rule(ends, SETTINGS.moment_order)
    logs_at_nodes, weights, log_mass = release.log_term(nodes), weights / weights.sum(), 0.0
    if release.truncated:
        seen = logs_at_nodes <= release.highest
        mass = weights[seen].sum()
        if not mass > 0:
            return None
        logs_at_nodes, weights, log_mass = logs_at_nodes[seen], weights[seen] / mass, float(np.log(mass))
    terms = release.term(logs_at_nodes)
    mean = float(weights @ terms)
    return TermLaw(release, density, neighbours, points, logs, demand, terms, weights, mean, log_mass, work)


def _release(t: float, neighbours: int, epsilon: float, sigma: float, thresholds: Thresholds) -> Release:
    """A release with the unit of its terms, and the bounds between which they are looked at."""
    nearest = min(max(t, 0.0), 1.0)
    unit, highest = 0.0, 0.0
    if UPPER not in thresholds:
        # A mean below e^-epsilon has no term above p times that. Where terms are cut off the law of the mean is not smooth:
        # the cut is kept away from the largest mean that fails.
        unit, highest = -epsilon, float(min(epsilon, np.log(neighbours) + SETTINGS.log_above_failing))
    deepest = -SETTINGS.deepest_log - (epsilon if thresholds == (LOWER, UPPER) else 0.0)
    release = Release(t, sigma, epsilon, thresholds, nearest, unit, highest, deepest, False)
    lowest = float(min(release.log_term(0.0), release.log_term(1.0)))
    return release._replace(lowest=lowest, centred=unit == 0 and lowest > SETTINGS.least_centred_log)


def kinks_of_failing(law: TermLaw) -> FloatArray:
    """Log X of the mean terms at which the share of failing targets is not smooth, shape (k,).

    At these a threshold passes the nearest attribute, an end of the interval, or a break of the density.
    """
    attributes = np.array([0.0, 1.0, law.release.nearest, *law.density.breaks])
    return np.add.outer([-law.release.epsilon, law.release.epsilon], law.release.exact_log_term(attributes)).ravel()


def variation(values: FloatArray) -> FloatArray:
    """How much a function has changed up to each of the points at which it is known: the sum of absolute differences."""
    return np.concatenate([[0.0], np.cumsum(np.abs(np.diff(values)))])
