"""Densities of an attribute, with quadrature rules that carry them as a weight: any density, the uniform and the Beta ones.

Each density is moved to the unit interval. Expected values integrate over it in two ways: by composite Gauss rules on
panels that follow the density and whatever else the integrand does (`Density.rule`), and by the one Gauss rule that is exact
for polynomials against the density (`Density.gauss`).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betaln, xlogy

from disclosure.expected import density_tables
from disclosure.numerics import errors
from disclosure.numerics.quadrature import gauss, graded, partition
from disclosure.numerics.types import FloatArray

__all__ = ["Beta", "Density", "Uniform"]

# Near an end of the interval a density may behave like a power of the distance, down to -0.95, or have an infinite slope. As a
# function of the root of this degree of the distance it is so smooth that the rule on the panel at the end is as accurate as on
# the other panels.
_ROOT = 8
# Least power of the distance to an end. Steeper densities have much of their mass closer to the end than floats can tell.
_STEEPEST = -0.95
# For powers below the first number, panels shrink towards the end, since a power is smooth only over a moderate ratio of
# distances: lengths of the interval of the shortest panel and of the distance at which they begin, and the ratio of two
# lengths.
_GRADED, _SHORTEST, _RATIO, _FARTHEST = -0.5, 1e-4, 3.0, 0.1
# Nodes that a panel of the composite rule has beyond the order of the Gauss rule that is made from it. The Gauss rule
# integrates polynomials times the density; with these nodes only the density itself leaves an error.
_MORE_NODES = 24
# Lengths of the interval: least and largest distance, from an end of the interval, of ends of that composite rule's panels, and
# the number of these ends.
_TOWARDS_END = 1e-12, 0.1, 24
# Panels that a density asks for over the interval, however smooth it is.
_EVEN_PANELS, _UNIFORM_PANELS = 6, 2
# Natural logarithms. A density asks for one more panel wherever its logarithm changes by `_LOG_GROWTH`. Where it is below e^-60
# of its largest value only tilted laws have mass, and `_DEEP_GROWTH` is enough.
_LOG_GROWTH, _DEEP, _DEEP_GROWTH = 3, 60.0, 10
# Standard deviations from the mean within which the interval of a Beta density is looked for.
_FAR = 40


class Density(ABC):
    """A probability density of an attribute, moved to the unit interval.

    Attributes
    ----------
    low, unit : float
        Where the interval begins, and its length, in the units of the attribute.
    sensitivity : float
        Length of the interval that the caller states, which may go on where the density is 0; in the units of the attribute.
    spread : float
        Largest distance of two attributes, in units of ``unit``.
    breaks : tuple of float
        Points of (0, 1) at which the density is not smooth.
    symmetric : bool
        Whether the density is the same seen from both ends.
    powers : tuple of float
        For each end, the power of the distance like which the density rises to infinity there, in (-1, 0); 0 if it does not.
    points, demand : ndarray, shape (k,)
        Points of [0, 1], and how many panels the density asks for between 0 and each of them (`quadrature.partition`).
    panel_ends : ndarray
        Points at which panels must end: the breaks, and points that approach an end where the density rises steeply.
    """

    low: float = 0.0
    unit: float = 1.0
    sensitivity: float = 1.0
    spread: float = 1.0
    breaks: tuple[float, ...] = ()
    symmetric: bool = False
    powers: tuple[float, float] = (0.0, 0.0)
    points: FloatArray
    demand: FloatArray
    panel_ends: FloatArray

    def __init__(self) -> None:
        if min(self.powers) < _STEEPEST:
            raise errors.DomainError(
                f"density rises like the power {min(self.powers):.4g} of the distance to an end; expected values are worked "
                f"out for powers from {_STEEPEST} on: such a density is next to a list of values, "
                '("discrete", values, probabilities)'
            )
        self.points, self.demand = self._table()
        near = graded(0.0, _SHORTEST, 0.0, _FARTHEST, _RATIO)
        steep = [ends for ends, power in zip((near, 1 - near), self.powers, strict=True) if power < _GRADED]
        self.panel_ends = np.unique(np.concatenate([self.breaks, *steep]))

    @abstractmethod
    def __call__(self, b: FloatArray, c: FloatArray) -> FloatArray:
        """Density at b in (0, 1), with c = 1 - b; whichever of b and c is smaller must be exact."""

    @abstractmethod
    def below(self, b: FloatArray) -> FloatArray:
        """Probability of an attribute below b, which is first moved into the interval."""

    @abstractmethod
    def above(self, b: FloatArray) -> FloatArray:
        """Probability of an attribute above b, which is first moved into the interval."""

    def between(self, begin: FloatArray, end: FloatArray) -> FloatArray:
        """Probability of an attribute between two points: a difference on the side where both terms are small."""
        upper = begin + end > 1
        return np.where(upper, self.above(begin) - self.above(end), self.below(end) - self.below(begin))

    def rule(self, ends: FloatArray, order: int) -> tuple[FloatArray, FloatArray]:
        """Nodes and weights for integrals over the density, from panels on part of the unit interval.

        Parameters
        ----------
        ends : ndarray, shape (k + 1,)
            Ends of the panels: increasing, in [0, 1].
        order : int
            Nodes a panel.

        Returns
        -------
        nodes, weights : ndarray, shape (k * order,)
            Panel by panel.
        """
        # The density is evaluated at the distances of a node from both ends of the interval. It may be infinite at an end, so
        # that the smaller distance has to have all its digits, and is not taken from the other one.
        from_low, weights = _panel_rule(ends, order)
        from_high = 1 - from_low
        touches_low, touches_high = ends[0] == 0, ends[-1] == 1
        if touches_low:
            length, (distances, shares) = ends[1], self._near_end(order, 0)
            from_low[0], weights[0] = length * distances, length * shares
            from_high[0] = 1 - from_low[0]
        if touches_high:
            length, (distances, shares) = 1 - ends[-2], self._near_end(order, 1)
            from_high[-1], weights[-1] = length * distances, length * shares
            from_low[-1] = 1 - from_high[-1]
        nodes = from_low.ravel()
        return nodes, weights.ravel() * self(nodes, from_high.ravel())

    def _near_end(self, order: int, end: int) -> tuple[FloatArray, FloatArray]:
        """Distances from an end, 0 or 1, and weights, of a rule on a panel of length 1 there.

        The rule is Gauss's in a root of the distance, chosen so that the density's power of it becomes a whole one.
        """
        nodes, weights = gauss(order)
        rise = 1 + self.powers[end]
        root = max(_ROOT, math.ceil(_ROOT * rise) / rise)
        u = (nodes + 1) / 2
        return u**root, weights / 2 * root * u ** (root - 1)

    def gauss(self, order: int) -> tuple[FloatArray, FloatArray]:
        """Nodes and weights of the Gauss rule with the density as its weight: exact for polynomials of degree 2 order - 1.

        They are eigenvalues, and squares of entries of eigenvectors, of the Jacobi matrix (Golub and Welsch 1969), which
        Lanczos's method finds from a fine composite rule.
        """
        from scipy.linalg import eigh_tridiagonal  # slow to import, and only sums over datasets need it

        b, mass = self.rule(self._fine_ends(), order + _MORE_NODES)
        basis = np.zeros((order, b.size))
        diagonal, beside = np.empty(order), np.empty(order)
        vector = np.sqrt(mass / mass.sum())
        for k in range(order):
            basis[k] = vector
            vector = b * vector
            diagonal[k] = basis[k] @ vector
            for _ in range(2):  # after one round rounding errors would leave the vectors of the basis not orthogonal
                vector = vector - (basis[: k + 1] @ vector) @ basis[: k + 1]
            beside[k] = np.linalg.norm(vector)
            vector = vector / beside[k]
        nodes, vectors = eigh_tridiagonal(diagonal, beside[:-1])
        return np.asarray(nodes, dtype=float), np.asarray(vectors[0] ** 2, dtype=float)

    def _fine_ends(self) -> FloatArray:
        """Ends of panels that shrink towards both ends of the interval: masses next to an end keep relative accuracy."""
        near = np.geomspace(*_TOWARDS_END)
        return np.unique(np.concatenate([partition(self.points, self.demand, self.panel_ends), near, 1 - near]))

    def _table(self) -> tuple[FloatArray, FloatArray]:
        """Points, denser towards the ends, and how many panels the density wants up to each."""
        points, log = density_tables.log_table(lambda b: self(b, 1 - b), [0.0, *self.breaks, 1.0])
        steps = np.abs(np.diff(np.maximum(log, log.max() - _DEEP))) / _LOG_GROWTH
        steps += np.abs(np.diff(np.clip(log, log.max() - density_tables.LOWEST, log.max() - _DEEP))) / _DEEP_GROWTH
        # Close to an end the rule in a root of the distance follows the density's own rise.
        steps *= (points[1:] > density_tables.CLOSE) & (points[:-1] < 1 - density_tables.CLOSE)
        return points, _EVEN_PANELS * points + np.concatenate([[0.0], np.cumsum(np.minimum(steps, 1.0))])


class Uniform(Density):
    """The uniform density on [0, 1]."""

    symmetric = True

    def __call__(self, b: FloatArray, c: FloatArray) -> FloatArray:
        return np.ones_like(b)

    def below(self, b: FloatArray) -> FloatArray:
        return np.clip(b, 0.0, 1.0)

    def above(self, b: FloatArray) -> FloatArray:
        return 1 - np.clip(b, 0.0, 1.0)

    def rule(self, ends: FloatArray, order: int) -> tuple[FloatArray, FloatArray]:
        """As `Density.rule`; a constant density needs no other rule at the ends."""
        b, weights = _panel_rule(ends, order)
        return b.ravel(), weights.ravel()

    def _table(self) -> tuple[FloatArray, FloatArray]:
        points = density_tables.evenly([0.0, 1.0])
        return points, _UNIFORM_PANELS * points


class Beta(Density):
    """The Beta density on [0, 1], on the part of the interval where it is positive in floating point.

    Parameters
    ----------
    a, b : float
        In (0, inf).
    """

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b, self.symmetric = a, b, a == b
        self.powers = min(a - 1, 0.0), min(b - 1, 0.0)
        mean, deviation = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
        places = np.clip(mean + deviation * np.linspace(-_FAR, _FAR, 2 * _FAR + 1), 0.0, 1.0)
        low, high = density_tables.support(*density_tables.log_table(lambda x: self._of(x, 1 - x), [0.0, 1.0], places))
        cut = min(low, 1 - high)
        self.low, self.high = (cut, 1 - cut) if self.symmetric else (low, high)
        self.unit = self.high - self.low
        super().__init__()

    def __call__(self, b: FloatArray, c: FloatArray) -> FloatArray:
        return self.unit * self._of(self.low + self.unit * b, (1 - self.high) + self.unit * c)

    def _of(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Density at x in the units of the attribute, y = 1 - x."""
        at_high = xlogy(self.b - 1, y) if self.b != 1 else 0.0
        return np.asarray(np.exp(xlogy(self.a - 1, x) + at_high - betaln(self.a, self.b)))

    def below(self, b: FloatArray) -> FloatArray:
        x = self.low + self.unit * np.clip(b, 0.0, 1.0)
        return _by_halves(x, betainc, (self.a, self.b, x), betaincc, (self.b, self.a, 1 - x))

    def above(self, b: FloatArray) -> FloatArray:
        x = self.low + self.unit * np.clip(b, 0.0, 1.0)
        return _by_halves(x, betaincc, (self.a, self.b, x), betainc, (self.b, self.a, 1 - x))


def _panel_rule(ends: FloatArray, order: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss rules on panels, one in a row.

    Unlike `quadrature.composite` it counts from the lower end of each panel, so that nodes next to 0 keep relative accuracy.
    """
    nodes, weights = gauss(order)
    low, width = ends[:-1, None], np.diff(ends)[:, None]
    return low + width * (nodes + 1) / 2, width / 2 * weights


def _by_halves(
    x: FloatArray,
    lower: np.ufunc,
    lower_arguments: Sequence[ArrayLike],
    upper: np.ufunc,
    upper_arguments: Sequence[ArrayLike],
) -> FloatArray:
    """One function of its arguments where x <= 1/2, another one where x is larger."""
    below: Any = np.broadcast_to(x <= 0.5, np.shape(x))
    values = np.empty(np.shape(x))
    lower(*lower_arguments, out=values, where=below)
    upper(*upper_arguments, out=values, where=~below)
    return values
