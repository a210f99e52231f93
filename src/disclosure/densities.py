"""Densities of an attribute on an interval, with quadrature rules that carry them as a weight."""

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.special import betainc, betaincc, betaln, xlogy

from disclosure import domain
from disclosure.quadrature import gauss, partition

__all__ = ["Density", "as_density"]

_HINT = (
    'use "uniform", ("beta", a, b), (function, low, high), (function, low, breaks..., high), or for expected values '
    '("discrete", values, probabilities)'
)
_MASS_TOLERANCE = 1e-7
# Near its ends a density may rise like a power above -1, or have an infinite slope; in the 8th root of the distance to the
# end it is smooth enough.
_POWER = 8


class Density:
    """A probability density, moved to the unit interval.

    Parameters
    ----------
    function : callable
        From arrays b and 1 - b, both in (0, 1) and the smaller one exact, to values of the density.
    below, above : callable, optional
        Distribution function and its complement, from the same arguments; by quadrature if left out.
    low, width : float
        The interval's beginning and length, in the units of the attribute.
    breaks : tuple of float
        Points of (0, 1) where the density is not smooth.
    symmetric, smooth : bool
        Whether it is the same seen from both ends; whether it is smooth, with all its derivatives, up to the ends.

    Attributes
    ----------
    points, demand : ndarray
        A table of the density's share in the demand for panels (`quadrature.partition`).
    power : float
        In (-1, 0]: like which power of the distance to an end the density rises towards infinity there; 0 if it does not.
    """

    def __init__(self, function, below=None, above=None, low=0.0, width=1.0, breaks=(), symmetric=False, smooth=False):
        self.function, self.low, self.width = function, low, width
        self.breaks, self.symmetric, self.smooth = tuple(breaks), symmetric, smooth
        self._below, self._above = below, above
        self.points, self.demand = self._table()
        self.power = self._rise()
        if below is None:
            self._cumulate()

    def __call__(self, b, c):
        return self.function(b, c)

    def below(self, b):
        """Probability of an attribute below b, clipped to the interval."""
        b = np.clip(b, 0.0, 1.0)
        return self._below(b, 1 - b) if self._below else self._mass_below(b)

    def above(self, b):
        """Probability of an attribute above b, clipped to the interval."""
        b = np.clip(b, 0.0, 1.0)
        return self._above(b, 1 - b) if self._above else self._mass_above(b)

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
        nodes, weights = gauss(order)
        low, high = ends[:-1], ends[1:]
        b = low[:, None] + (high - low)[:, None] * (nodes + 1) / 2
        rule_weights = (high - low)[:, None] / 2 * weights * np.ones_like(b)
        c = 1 - b
        if not self.smooth:
            u, power_weights = (nodes + 1) / 2, weights / 2 * _POWER * ((nodes + 1) / 2) ** (_POWER - 1)
            if ends[0] == 0:
                b[0], rule_weights[0] = high[0] * u**_POWER, high[0] * power_weights
                c[0] = 1 - b[0]
            if ends[-1] == 1:
                c[-1], rule_weights[-1] = (1 - low[-1]) * u**_POWER, (1 - low[-1]) * power_weights
                b[-1] = 1 - c[-1]
        b, c = b.ravel(), c.ravel()
        return b, rule_weights.ravel() * self(b, c)

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
        return np.unique(np.concatenate([partition(self.points, self.demand, self.breaks), near, 1 - near]))

    def _table(self):
        """Points, denser towards the ends, and how much the logarithm of the density has varied up to each."""
        near = np.concatenate([[0.0], np.geomspace(1e-12, 1e-3, 40)])
        points = np.unique(np.concatenate([near, np.linspace(0, 1, 513), 1 - near, self.breaks]))
        inner = np.clip(points, 1e-13, 1 - 1e-13)
        if self.smooth:
            return points, 2 * points
        with np.errstate(divide="ignore"):
            log = np.log(np.maximum(self(inner, 1 - inner), 0.0))
        log = np.maximum(log, log.max() - 60)
        # Close to an end the rule's substitution takes over; counting the density's own rise there would waste panels.
        steps = np.minimum(np.abs(np.diff(log)) / 3, 1.0) * ((points[1:] > 1e-4) & (points[:-1] < 1 - 1e-4))
        return points, 6 * points + np.concatenate([[0.0], np.cumsum(steps)])

    def _rise(self):
        near = np.array([1e-7, 1e-5])
        with np.errstate(divide="ignore", invalid="ignore"):
            first, last = np.log([self(near, 1 - near), self(1 - near, near)]) @ [-1, 1] / np.log(near[1] / near[0])
        return max(float(np.nanmin([0.0, first, last])), -0.999)

    def _cumulate(self):
        ends = self._panels()
        _, weights = self.rule(ends, 24)
        masses = weights.reshape(len(ends) - 1, -1).sum(axis=1)
        if not (np.isfinite(masses).all() and np.all(masses >= 0) and abs(masses.sum() - 1) < _MASS_TOLERANCE):
            raise domain.DomainError(
                f"density has mass {float(masses.sum())!r} on its interval; expected 1, from values in [0, inf) "
                "smooth between the breaks given"
            )
        self._ends = ends
        self._cumulated = np.concatenate([[0.0], np.cumsum(masses)])
        self._remaining = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])

    # Masses on either side of points: those of whole panels, and a rule on the part of one.

    def _mass_below(self, b):
        panel = self._panel(b)
        return self._cumulated[panel] + self._part(self._ends[panel], b)

    def _mass_above(self, b):
        panel = self._panel(b) + 1
        return self._remaining[panel] + self._part(b, self._ends[panel])

    def _panel(self, b):
        return np.clip(np.searchsorted(self._ends, b, side="right") - 1, 0, len(self._ends) - 2)

    def _part(self, begin, end):
        nodes, weights = gauss(16)
        u = (nodes + 1) / 2
        length = np.expand_dims(end - begin, -1)
        b = np.expand_dims(begin, -1) + length * u
        c, rule_weights = 1 - b, length * weights / 2
        first, last = begin == 0, end == 1
        powers = weights / 2 * _POWER * u ** (_POWER - 1)
        b[first], rule_weights[first] = length[first] * u**_POWER, length[first] * powers
        c[last], rule_weights[last] = length[last] * u**_POWER, length[last] * powers
        c[first], b[last] = 1 - b[first], 1 - c[last]
        inside = (b > 0) & (c > 0)
        values = np.zeros_like(b)
        values[inside] = self(b[inside], c[inside])
        return (rule_weights * values).sum(axis=-1)


def as_density(density):
    """Density from what a caller may write for it, or raise `DomainError`.

    Parameters
    ----------
    density : str or tuple or Density
        ``"uniform"`` on [0, 1]; ``("beta", a, b)``, a, b in (0, inf); or ``(function, low, high)`` with a function from an
        array of attributes to their density, smooth inside (low, high) and with a power above -1 of the distance at each
        end at worst. Points between low and high where it has a kink or a jump go between them.
    """
    if isinstance(density, Density):
        return density
    if isinstance(density, str) and density == "uniform":
        return Density(lambda b, c: np.ones_like(b), lambda b, c: b, lambda b, c: c, symmetric=True, smooth=True)
    if isinstance(density, tuple) and len(density) == 3 and isinstance(density[0], str) and density[0] == "beta":
        return _beta(
            *(
                float(domain.within(f"beta parameter {n}", v, "(0, inf)"))
                for n, v in zip("ab", density[1:], strict=True)
            )
        )
    if isinstance(density, tuple) and len(density) >= 3 and callable(density[0]):
        return _from_function(density[0], domain.within("ends of the density", density[1:], "(-inf, inf)"))
    raise domain.DomainError(f"density = {density!r} is not understood; {_HINT}")


def _beta(a, b):
    def function(x, y):
        return np.exp(xlogy(a - 1, x) + (xlogy(b - 1, y) if b != 1 else 0.0) - betaln(a, b))

    return Density(
        function,
        lambda x, y: _by_halves(x, betainc, (a, b, x), betaincc, (b, a, y)),
        lambda x, y: _by_halves(x, betaincc, (a, b, x), betainc, (b, a, y)),
        symmetric=a == b,
        smooth=a == 1 and b == 1,
    )


def _by_halves(x, lower, its, upper, other):
    """One function of arguments up to x = 1/2, another one above."""
    below = np.broadcast_to(x <= 0.5, np.shape(x))
    values = np.empty(np.shape(x))
    lower(*its, out=values, where=below)
    upper(*other, out=values, where=~below)
    return values


def _from_function(function, ends):
    if not np.all(np.diff(ends) > 0):
        raise domain.DomainError(f"ends of the density = {ends.tolist()} do not increase; {_HINT}")
    low, high = float(ends[0]), float(ends[-1])
    width = high - low

    def on_unit_interval(b, c):
        attributes = np.where(b <= c, low + width * b, high - width * c)
        inside = np.clip(attributes, np.nextafter(low, high), np.nextafter(high, low))
        values = np.asarray(function(inside), dtype=float)
        if values.shape != inside.shape or not np.all(values >= 0):
            raise domain.DomainError(
                f"the function of the density gives shape {values.shape}, least value {float(np.min(values))!r}, for "
                f"attributes of shape {inside.shape}; expected as many values in [0, inf)"
            )
        return width * values

    return Density(on_unit_interval, low=low, width=width, breaks=(ends[1:-1] - low) / width)
