"""A release t, and the law of one neighbour's term X(b) = exp(-(t - b)^2 / (2 sigma^2)) given t.

With a large epsilon or little noise X runs over e^1000 and more. So terms are held by their logarithms, in a unit of their own:
"log X" is the natural logarithm of X in that unit. Terms are looked at only between two bounds, `Release.lowest` and
`Release.highest`; on terms outside of these no failure depends.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs.inclusion import Levels
from disclosure.expected.densities import Density
from disclosure.expected.given_release.settings import SETTINGS
from disclosure.numerics import quadrature
from disclosure.numerics.types import FloatArray

__all__ = ["LOWER", "UPPER", "Release", "TermLaw", "attained", "kinks_of_failing", "term_law", "term_laws", "variation"]

# The thresholds of the mean term: failures lie above the upper one and below the lower one.
UPPER, LOWER = 1, -1
Thresholds: TypeAlias = tuple[int, ...]


class Release(NamedTuple):
    """A release and everything of the setting that its terms depend on.

    Attributes
    ----------
    t, sigma : float
        The release and the noise, in units of the attributes' interval.
    levels : Levels
        Of log g: the bounds fail below the lower and above the upper one.
    thresholds : tuple of int
        Which of `UPPER` and `LOWER` are looked at.
    nearest : float
        The attribute in [0, 1] closest to the release; its term is the largest.
    unit : float
        Logarithm of the unit in which terms are held, over the nearest attribute's term.
    highest : float
        Largest log X that is looked at. With a neighbour of a larger one the bounds do not fail at these thresholds.
    lowest : float
        Log X at the attribute farthest away, or, if that is lower, a value that stands for all below it.
    centred : bool
        Whether terms are held as X - 1, which keeps all digits of their differences where all X are close to 1.
    """

    t: float
    sigma: float
    levels: Levels
    thresholds: Thresholds
    nearest: float
    unit: float
    highest: float
    lowest: float
    centred: bool

    @property
    def top(self) -> float:
        """Largest term that is looked at, as terms are held."""
        return 0.0 if self.centred else float(self.term(self.highest))

    @property
    def bottom(self) -> float:
        """Smallest term, as terms are held."""
        return float(self.term(self.lowest))

    @property
    def truncated(self) -> bool:
        """Whether there are terms above `highest`, which are left out."""
        return self.highest < -self.unit

    def exact_log_term(self, b: ArrayLike) -> FloatArray:
        """Log X of attributes b, of any shape."""
        b = np.asarray(b)
        return np.asarray(-(b - self.nearest) * (b + self.nearest - 2 * self.t) / (2 * self.sigma**2) - self.unit)

    def log_term(self, b: ArrayLike) -> FloatArray:
        """Log X of attributes b, cut at `lowest`; a value above `highest` only says that log X is above."""
        return np.clip(self.exact_log_term(b), self.lowest, self.highest + 1)

    def term(self, log: ArrayLike) -> FloatArray:
        """Terms, as they are held, from log X."""
        return np.expm1(log) if self.centred else np.exp(log)

    def log(self, term: ArrayLike) -> FloatArray:
        """Log X of terms as they are held; -inf of 0."""
        with np.errstate(divide="ignore"):
            return np.log1p(term) if self.centred else np.log(term)

    def distance(self, log: ArrayLike) -> FloatArray:
        """Distance from the release, in units of sigma, at which attributes have this log X; 0 if it is nowhere as large."""
        square = ((self.t - self.nearest) / self.sigma) ** 2 - 2 * (np.asarray(log) + self.unit)
        return np.sqrt(np.maximum(square, 0.0))


class TermLaw(NamedTuple):
    """Law of one neighbour's term given a release, on condition that the term is at most `Release.highest`.

    Attributes
    ----------
    release : Release
    density : Density
        Of the attributes.
    neighbours : int
        p.
    points, logs, demand : ndarray, shape (k,)
        A table over the interval: attributes, log X there, and how many panels the density asks for up to there.
    terms, weights : ndarray, shape (l,)
        Nodes and weights of a rule for expected values over one term; the weights sum to 1.
    mean : float
        Mean of the term.
    log_mass : float
        Logarithm of the probability of the condition.
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


def attained(levels: Levels) -> Thresholds:
    """The thresholds that a mean term can pass: no mean term is below a lower one of 0."""
    return (LOWER, UPPER) if levels.low > -np.inf else (UPPER,)


def term_laws(
    t: float, density: Density, neighbours: int, levels: Levels, sigma: float, work: quadrature.Work
) -> list[TermLaw]:
    """One law of terms for both thresholds, or one for each if they are too far apart for one unit.

    A law is left out if it has no term of positive probability: then no bounds fail at its thresholds.
    """
    thresholds = attained(levels)
    together = levels.high - levels.low <= 2 * SETTINGS.most_epsilon_of_one_law
    parts = [thresholds] if together else [(one,) for one in thresholds]
    laws = (term_law(t, density, neighbours, levels, sigma, part, work) for part in parts)
    return [law for law in laws if law is not None]


def term_law(
    t: float,
    density: Density,
    neighbours: int,
    levels: Levels,
    sigma: float,
    thresholds: Thresholds,
    work: quadrature.Work,
) -> TermLaw | None:
    """Law of one term given a release, for failures at some thresholds; None if no term in its bounds has any probability.

    Parameters
    ----------
    t : float
        The release, with the attributes' interval moved to [0, 1].
    density, neighbours, levels, sigma
        As in `density.failure_density`.
    thresholds : tuple of int
        `UPPER`, `LOWER` or both.
    work : Work
    """
    release = _release(t, neighbours, levels, sigma, thresholds)
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


def _release(t: float, neighbours: int, levels: Levels, sigma: float, thresholds: Thresholds) -> Release:
    """A release with the unit of its terms, and the bounds between which they are looked at."""
    nearest = min(max(t, 0.0), 1.0)
    unit, highest = 0.0, 0.0
    if UPPER not in thresholds:
        # The unit is the largest mean term that fails below: such a mean has no term above p. Terms are cut off a little
        # higher, since the cut makes the law of the mean term less smooth, and not where means fail.
        unit, highest = levels.low, float(min(-levels.low, np.log(neighbours) + SETTINGS.log_above_failing))
    deepest = -SETTINGS.deepest_log + (levels.low if thresholds == (LOWER, UPPER) else 0.0)
    release = Release(t, sigma, levels, thresholds, nearest, unit, highest, deepest, False)
    lowest = float(min(release.log_term(0.0), release.log_term(1.0)))
    return release._replace(lowest=lowest, centred=unit == 0 and lowest > SETTINGS.least_centred_log)


def kinks_of_failing(law: TermLaw) -> FloatArray:
    """Logarithms, in the unit of log X, of the mean terms at which Psi is not smooth; shape (k,).

    As the mean term grows, the attributes at which targets begin to fail move. Psi is not smooth where they pass the nearest
    attribute, an end of the interval, or a break of the density.
    """
    attributes = np.array([0.0, 1.0, law.release.nearest, *law.density.breaks])
    levels = [level for level in law.release.levels if level > -np.inf]
    return np.add.outer(levels, law.release.exact_log_term(attributes)).ravel()


def variation(values: FloatArray) -> FloatArray:
    """Total variation of a function up to each of the points at which it is known: the sum of absolute differences."""
    return np.concatenate([[0.0], np.cumsum(np.abs(values[1:] - values[:-1]))])
