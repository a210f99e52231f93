"""Densities of an attribute on an interval, with quadrature rules that carry them as a weight; and finite lists of values."""

import itertools
import math

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.special import betainc, betaincc, betaln, xlogy

from disclosure.numerics import checks, errors
from disclosure.numerics.quadrature import gauss, graded, partition

__all__ = ["Beta", "Density", "Discrete", "FromFunction", "Uniform", "as_density"]

_HINT = (
    'use "uniform", ("beta", a, b), (function, low, high), (function, low, breaks..., high), or for expected values '
    '("discrete", values, probabilities)'
)
_CONCENTRATED = "put breaks around places where it is concentrated"
_MASS_TOLERANCE = 1e-7
# Near its ends a density may rise like a power above -1, or have an infinite slope; in the 8th root of the distance to the
# end it is smooth enough.
_ROOT = 8
_STEEPEST = -0.95  # power of the distance to an end; steeper ones have their mass where floats have no attributes left
_GRADED = -0.5  # power from which on panels shrink towards the end, by a factor at which Gauss rules stay exact
_SHORTEST, _RATIO = 1e-4, 3.0
_LOWEST = 700.0  # logarithm of how much smaller a density may be than its largest value and still get panels
_SEEN = 65  # points on each piece between two breaks at which a density is looked at first
_STEP = 1.5  # of its logarithm, more than which is looked at again halfway
_HALVINGS = 40
_DEEP = 60.0  # logarithm below which panels may be longer, since only tilted laws look there
_FAR = 40  # standard deviations, beyond which a Beta density is not looked for
_INSIDE = 1e-13  # distance from an end at which a density stands for its value there
_CLOSE = 1e-4  # distance from an end within which a rule in a root of the distance follows the density
_SAME = 1e-9


class Density:
    """A probability density of an attribute, moved to the unit interval.

    Attributes
    ----------
    low, width : float
        Where the interval begins, and its length, in the units of the attribute.
    range : float
        Length of the interval that the caller states, which may go on where the density is 0.
    breaks : tuple of float
        Points of (0, 1) where the density is not smooth.
    symmetric : bool
        Whether it is the same seen from both ends.
    powers : tuple of float
        In (-1, 0], one for each end: like which power of the distance it rises towards infinity there; 0 if it does not.
    points, demand : ndarray
        A table of the density's share in the demand for panels (`quadrature.partition`).
    panels : ndarray
        Points at which panels must end: the breaks, and points that approach an end where the density rises steeply.
    """

    low, width, range, breaks, symmetric, powers = 0.0, 1.0, 1.0, (), False, (0.0, 0.0)

    def __init__(self):
        if min(self.powers) < _STEEPEST:
            raise errors.DomainError(
                f"density rises like the power {min(self.powers):.4g} of the distance to an end; expected values are worked "
                f"out for powers from {_STEEPEST} on: such a density is next to a list of values, "
                '("discrete", values, probabilities)'
            )
        self.points, self.demand = self._table()
        near = graded(0.0, _SHORTEST, 0.0, 0.1, _RATIO)
        steep = [near if self.powers[0] < _GRADED else [], 1 - near if self.powers[1] < _GRADED else []]
        self.panels = np.unique(np.concatenate([self.breaks, *steep]))

    def __call__(self, b, c):
        """Values at b in (0, 1), with c = 1 - b; the smaller of the two exact."""
        raise NotImplementedError

    def below(self, b):
        """Probability of an attribute below b, clipped to the interval."""
        raise NotImplementedError

    def above(self, b):
        """Probability of an attribute above b, clipped to the interval."""
        raise NotImplementedError

    def between(self, begin, end):
        """Probability of an attribute between two points, from the side where the difference is one of small numbers."""
        upper = begin + end > 1
        return np.where(upper, self.above(begin) - self.above(end), self.below(end) - self.below(begin))

    def rule(self, ends, order):
        """Nodes and weights for integrals over the density, from panels that cover part of the unit interval.

        Parameters
        ----------
        ends : ndarray, shape (k + 1,)
            Increasing, in [0, 1].
        order : int
            Nodes a panel.
        """
        b, weights = _panel_rule(ends, order)
        c = 1 - b
        if ends[0] == 0:
            distance, weight = self._near_end(order, 0)
            b[0], weights[0] = ends[1] * distance, ends[1] * weight
            c[0] = 1 - b[0]
        if ends[-1] == 1:
            distance, weight = self._near_end(order, 1)
            c[-1], weights[-1] = (1 - ends[-2]) * distance, (1 - ends[-2]) * weight
            b[-1] = 1 - c[-1]
        b, c = b.ravel(), c.ravel()
        return b, weights.ravel() * self(b, c)

    def _near_end(self, order, end):
        """Distances from an end and weights of a rule on a panel of length 1 there.

        The rule is Gauss's in a root of the distance in which the density's power becomes a whole one.
        """
        nodes, weights = gauss(order)
        rise = 1 + self.powers[end]
        root = max(_ROOT, math.ceil(_ROOT * rise) / rise)
        u = (nodes + 1) / 2
        return u**root, weights / 2 * root * u ** (root - 1)

    def gauss(self, order):
        """Nodes and weights of the Gauss rule with the density as its weight: exact for polynomials of degree 2 order - 1.

        From the eigenvectors of the Jacobi matrix (Golub and Welsch), which Lanczos's method finds on a fine composite rule.
        """
        b, mass = self.rule(self._panels(), order + 24)  # exact, but for the density, on every panel
        basis = np.zeros((order, b.size))
        diagonal, beside = np.empty(order), np.empty(order)
        vector = np.sqrt(mass / mass.sum())
        for k in range(order):
            basis[k] = vector
            vector = b * vector
            diagonal[k] = basis[k] @ vector
            for _ in range(2):  # rounding would let the basis lose its right angles
                vector = vector - (basis[: k + 1] @ vector) @ basis[: k + 1]
            beside[k] = np.linalg.norm(vector)
            vector = vector / beside[k]
        nodes, vectors = eigh_tridiagonal(diagonal, beside[:-1])
        return nodes, vectors[0] ** 2

    def _panels(self):
        """Panels that shrink towards the ends, so that the masses of small tails keep their relative accuracy."""
        near = np.geomspace(1e-12, 0.1, 24)
        return np.unique(np.concatenate([partition(self.points, self.demand, self.panels), near, 1 - near]))

    def _table(self):
        """Points, denser towards the ends, and how much the logarithm of the density has varied up to each."""
        points, log = _halved(lambda b: self(b, 1 - b), [0.0, *self.breaks, 1.0])
        steps = np.abs(np.diff(np.maximum(log, log.max() - _DEEP))) / 3
        steps += np.abs(np.diff(np.clip(log, log.max() - _LOWEST, log.max() - _DEEP))) / 10
        # Close to an end the rule's substitution takes over; counting the density's own rise there would waste panels.
        steps *= (points[1:] > 1e-4) & (points[:-1] < 1 - 1e-4)
        return points, 6 * points + np.concatenate([[0.0], np.cumsum(np.minimum(steps, 1.0))])


class Uniform(Density):
    """The uniform density on [0, 1]."""

    symmetric = True

    def __call__(self, b, c):
        return np.ones_like(b)

    def below(self, b):
        return np.clip(b, 0.0, 1.0)

    def above(self, b):
        return 1 - np.clip(b, 0.0, 1.0)

    def rule(self, ends, order):
        b, weights = _panel_rule(ends, order)
        return b.ravel(), weights.ravel()

    def _table(self):
        points = _first_points([0.0, 1.0])
        return points, 2 * points


class Beta(Density):
    """The Beta density on [0, 1], without the parts where it is 0 in floating point.

    Parameters
    ----------
    a, b : float
        In (0, inf).
    """

    def __init__(self, a, b):
        self.a, self.b, self.symmetric = a, b, a == b
        self.powers = min(a - 1, 0.0), min(b - 1, 0.0)
        mean, deviation = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
        places = np.clip(mean + deviation * np.linspace(-_FAR, _FAR, 2 * _FAR + 1), 0.0, 1.0)
        points, log = _halved(lambda x: self._of(x, 1 - x), [0.0, 1.0], places)
        low, high = _support(points, log)
        cut = min(low, 1 - high)
        self.low, self.high = (cut, 1 - cut) if self.symmetric else (low, high)
        self.width = self.high - self.low
        super().__init__()

    def __call__(self, b, c):
        return self.width * self._of(self.low + self.width * b, (1 - self.high) + self.width * c)

    def _of(self, x, y):
        return np.exp(xlogy(self.a - 1, x) + (xlogy(self.b - 1, y) if self.b != 1 else 0.0) - betaln(self.a, self.b))

    def below(self, b):
        x = self.low + self.width * np.clip(b, 0.0, 1.0)
        return _by_halves(x, betainc, (self.a, self.b, x), betaincc, (self.b, self.a, 1 - x))

    def above(self, b):
        x = self.low + self.width * np.clip(b, 0.0, 1.0)
        return _by_halves(x, betaincc, (self.a, self.b, x), betainc, (self.b, self.a, 1 - x))


class FromFunction(Density):
    """A density that is given as a function, without the outer parts where it is 0.

    Parameters
    ----------
    function : callable
        From an array of attributes to their density.
    ends : ndarray, shape (k,)
        Increasing; between the two outer ones are points where the density is not smooth.
    """

    def __init__(self, function, ends):
        if not np.all(np.diff(ends) > 0):
            raise errors.DomainError(f"ends of the density = {ends.tolist()} do not increase; {_HINT}")
        self.function, self.low, self.high = function, float(ends[0]), float(ends[-1])
        self.range = self.width = self.high - self.low
        breaks = (ends - self.low) / self.width
        points, log = _halved(lambda b: self(b, 1 - b), breaks)
        if not np.any(log > -np.inf):
            raise errors.DomainError(f"density has mass 0.0 wherever it was looked at; {_CONCENTRATED}")
        begin, end = (_snapped(place, breaks) for place in _support(points, log))
        self.low, self.high = self.low + self.width * begin, self.high - self.width * (1 - end)
        self.breaks = tuple((breaks[(breaks > begin) & (breaks < end)] - begin) / (end - begin))
        self.width = self.high - self.low
        self.powers = tuple(self._rise(lambda d, e=e: self(*((d, 1 - d)[:: 1 - 2 * e]))) for e in (0, 1))
        super().__init__()
        self._cumulate()

    def __call__(self, b, c):
        attributes = np.where(b <= c, self.low + self.width * b, self.high - self.width * c)
        inside = np.clip(attributes, np.nextafter(self.low, self.high), np.nextafter(self.high, self.low))
        values = np.asarray(self.function(inside), dtype=float)
        if values.shape != inside.shape or not np.all(values >= 0):
            raise errors.DomainError(
                f"the function of the density gives shape {values.shape}, least value {float(np.min(values))!r}, for "
                f"attributes of shape {inside.shape}; expected as many values in [0, inf)"
            )
        return self.width * values

    def below(self, b):
        b = np.clip(b, 0.0, 1.0)
        panel = self._panel(b)
        return self._cumulated[panel] + self._part(self._ends[panel], b)

    def above(self, b):
        b = np.clip(b, 0.0, 1.0)
        panel = self._panel(b) + 1
        return self._remaining[panel] + self._part(b, self._ends[panel])

    @staticmethod
    def _rise(function):
        near = np.array([1e-7, 1e-5])
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = np.log(function(near))
            slope = (second - first) / np.log(near[1] / near[0])
        return max(float(np.nanmin([0.0, slope])), -1 + 1e-9)

    # Masses on either side of points: those of whole panels, and a rule on the part of one.

    def _cumulate(self):
        ends = self._panels()
        _, weights = self.rule(ends, 24)
        masses = weights.reshape(len(ends) - 1, -1).sum(axis=1)
        if not (np.isfinite(masses).all() and np.all(masses >= 0) and abs(masses.sum() - 1) < _MASS_TOLERANCE):
            raise errors.DomainError(
                f"density has mass {float(masses.sum())!r} on its interval; expected 1, from values in [0, inf) "
                f"smooth between the breaks given: {_CONCENTRATED}"
            )
        self._ends = ends
        self._cumulated = np.concatenate([[0.0], np.cumsum(masses)])
        self._remaining = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])

    def _panel(self, b):
        return np.clip(np.searchsorted(self._ends, b, side="right") - 1, 0, len(self._ends) - 2)

    def _part(self, begin, end):
        nodes, weights = gauss(16)
        u = (nodes + 1) / 2
        length = np.expand_dims(end - begin, -1)
        b = np.expand_dims(begin, -1) + length * u
        c, rule_weights = 1 - b, length * weights / 2
        first, last = begin == 0, end == 1
        distance, weight = self._near_end(16, 0)
        b[first], rule_weights[first] = length[first] * distance, length[first] * weight
        distance, weight = self._near_end(16, 1)
        c[last], rule_weights[last] = length[last] * distance, length[last] * weight
        c[first], b[last] = 1 - b[first], 1 - c[last]
        inside = (b > 0) & (c > 0)
        values = np.zeros_like(b)
        values[inside] = self(b[inside], c[inside])
        return (rule_weights * values).sum(axis=-1)


class Discrete:
    """A finite list of distinct values with their probabilities.

    Parameters
    ----------
    values, probabilities : array_like, shape (k,)
        The probabilities in (0, 1], with sum 1.
    """

    def __init__(self, values, probabilities):
        values = checks.within("values", values, "(-inf, inf)")
        probabilities = checks.within("probabilities", probabilities, "(0, 1]", "leave out values without probability")
        distinct = values.ndim == 1 and len(np.unique(values)) == values.size > 0
        if not distinct or values.shape != probabilities.shape:
            raise errors.DomainError(
                f"values has shape {values.shape} and probabilities {probabilities.shape}; expected as many distinct values"
            )
        if abs(probabilities.sum() - 1) > 1e-9:
            raise errors.DomainError(f"probabilities sums to {float(probabilities.sum())!r}; a distribution sums to 1")
        self.values, self.probabilities = values, probabilities / probabilities.sum()
        self.range, self.width = float(np.ptp(values)), 1.0


def as_density(density):
    """Density from what a caller may write for it, or raise `DomainError`.

    Parameters
    ----------
    density : str or tuple or Density or Discrete
        ``"uniform"`` on [0, 1]; ``("beta", a, b)``, a, b in (0, inf); ``("discrete", values, probabilities)``; or
        ``(function, low, high)`` with a function from an array of attributes to their density, smooth inside (low, high)
        and with a power of the distance from -0.95 on at each end. Points between low and high where it has a kink or
        a jump go between them.
    """
    if isinstance(density, Density | Discrete):
        return density
    if isinstance(density, str) and density == "uniform":
        return Uniform()
    kind, *rest = density if isinstance(density, tuple) and density else (None,)
    if isinstance(kind, str) and kind == "beta" and len(rest) == 2:
        a, b = (checks.number(f"beta parameter {n}", v, "(0, inf)") for n, v in zip("ab", rest, strict=True))
        return Uniform() if a == b == 1 else Beta(a, b)
    if isinstance(kind, str) and kind == "discrete" and len(rest) == 2:
        return Discrete(*rest)
    if callable(kind) and len(rest) >= 2:
        return FromFunction(kind, checks.within("ends of the density", rest, "(-inf, inf)"))
    raise errors.DomainError(f"density = {density!r} is not understood; {_HINT}")


def _panel_rule(ends, order):
    """Nodes and weights of Gauss rules on panels, one in a row."""
    nodes, weights = gauss(order)
    low, width = ends[:-1, None], np.diff(ends)[:, None]
    return low + width * (nodes + 1) / 2, width / 2 * weights


def _first_points(breaks, more=()):
    near = np.concatenate([[0.0], np.geomspace(1e-12, 1e-3, 40)])
    pieces = [np.linspace(*piece, _SEEN) for piece in itertools.pairwise(breaks)] if len(breaks) > 2 else []
    return np.unique(np.concatenate([near, np.linspace(0, 1, 513), 1 - near, *pieces, breaks, more]))


def _halved(function, breaks, more=()):
    """Points that see every change of a function's logarithm down to where it is next to nothing, and the logarithm there."""

    def logs(points):
        with np.errstate(divide="ignore"):
            return np.log(function(np.clip(points, _INSIDE, 1 - _INSIDE)))

    points = _first_points(breaks, more)
    log = logs(points)
    for _ in range(_HALVINGS):
        seen = np.maximum(log, log.max() - _LOWEST) if log.max() > -np.inf else np.zeros_like(log)
        middle = (points[1:] + points[:-1]) / 2
        wide = (np.abs(np.diff(seen)) > _STEP) & (middle > _CLOSE) & (middle < 1 - _CLOSE)
        wide &= (middle > points[:-1]) & (middle < points[1:])
        if not wide.any():
            break
        points, log = (
            np.insert(old, np.flatnonzero(wide) + 1, new)
            for old, new in ((points, middle[wide]), (log, logs(middle[wide])))
        )
    return points, log


def _support(points, log):
    """Where a function begins to be positive, and where it ends."""
    positive = np.flatnonzero(log > -np.inf)
    return float(points[max(positive[0] - 1, 0)]), float(points[min(positive[-1] + 1, len(points) - 1)])


def _snapped(place, breaks):
    """The break next to a place, if they are as good as the same."""
    nearest = breaks[np.argmin(np.abs(breaks - place))]
    return float(nearest if abs(nearest - place) < _SAME else place)


def _by_halves(x, lower, its, upper, other):
    """One function of arguments up to x = 1/2, another one above."""
    below = np.broadcast_to(x <= 0.5, np.shape(x))
    values = np.empty(np.shape(x))
    lower(*its, out=values, where=below)
    upper(*other, out=values, where=~below)
    return values
