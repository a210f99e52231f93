"""Any adversary who watches one noisy number: how much a release changes the odds of an event, exactly.

The adversary has worlds in mind, each with an answer. Given the event E (the target is in the data; the value lies in a
set) the answer is a mixture ``inside``, otherwise ``outside``. At a release t the ratio of the densities

    g(t) = f_outside(t) / f_inside(t)

settles the rest: the posterior odds of E are the prior odds over g, and its posterior-to-prior ratio is 1 / (p + (1 - p) g)
with p its prior probability. The releases with log g > lambda are those at which the signed sum of kernels f_outside -
e^lambda f_inside is positive. `zeros` finds them, by Descartes' rule; their probability is a sum of tails.
"""

import math
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disclosure.beliefs import noises, zeros
from disclosure.beliefs.kernels import FINEST, GaussianSum, LaplaceSum, precision
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate

__all__ = ["FailureIntervals", "Mixture", "failure_intervals", "failure_probability"]

# A uniform piece counts as the nodes of Gauss' rule on cells of this width, in units of the scale. So far out that no mass
# is left, 40 scales away, the kernel changes by a factor e^20 over a cell, and 16 nodes integrate that to the last digit.
_CELL = 0.5
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_MOST_CELLS = 1 << 15  # so that memory stays below a few hundred megabytes
# By how much, beside its terms, the sum over such nodes may be off: by the rounding of the rule's weights, and of the nodes in
# units of the scale. Twice what was seen 40 scales away.
_WEIGHTS_DOUBT, _NODES_DOUBT = 4e-15, 8 * np.finfo(float).eps
# Within these, numbers of 160 digits tell exponents apart.
_LARGEST_LEVEL, _LARGEST_SPREAD = 1e9, 1e30
# Coefficients that are smaller than what they are the difference of by this factor are 0.
_TIE = Decimal(10) ** (10 - FINEST)
_EPSILON = np.finfo(float).eps


class Mixture(NamedTuple):
    """Law of an answer over the worlds of a belief: atoms, and pieces over which it is spread uniformly.

    Parameters
    ----------
    answers : array_like, shape (n,)
        Answers of worlds, in any order, in (-inf, inf).
    weights : array_like, shape (n,)
        In [0, inf). The weights of atoms and pieces are divided by their sum.
    pieces : array_like, shape (m, 3)
        Of each piece the lower end, the upper end and the weight. Pieces may overlap.
    """

    answers: ArrayLike = ()
    weights: ArrayLike = ()
    pieces: ArrayLike = ()


class FailureIntervals(NamedTuple):
    """Releases at which log g leaves its thresholds.

    From left to right, disjoint, of shape (k, 2). They are open intervals, or for noise on the whole numbers the first and
    last of runs of these. Ends may be infinite.
    """

    below: NDArray[np.float64]  # log g < low
    above: NDArray[np.float64]  # log g > high


def failure_probability(
    inside: Mixture | tuple[ArrayLike, ArrayLike],
    outside: Mixture | tuple[ArrayLike, ArrayLike],
    truth: Mixture | tuple[ArrayLike, ArrayLike],
    *,
    noise: str = "gaussian",
    scale: float,
    low: float,
    high: float,
) -> Estimate:
    """Probability that log g leaves its thresholds, P(log g < low) + P(log g > high).

    Answers, weights, scale and thresholds are taken as exactly what their floats say. A release with log g equal to a
    threshold has not left it: where log g stands still, as it does beyond all answers of Laplace noise, ties are told from
    misses.

    Parameters
    ----------
    inside, outside, truth : Mixture or tuple
        Law of the answer given the event, given that it is not so, and in truth: a `Mixture`, or the pair (answers,
        weights) of one that has atoms only. Weights need not be normalised.
    noise : {"gaussian", "laplace", "geometric", "discrete_gaussian"}, optional
        The density is proportional to exp(-t^2 / (2 scale^2)) or exp(-|t| / scale), on the line, or in the order geometric and
        discrete Gaussian the probability to exp(-|k| / scale) and exp(-k^2 / (2 scale^2)), on the whole numbers.
    scale : float
        In (1e-200, 1e200), in units of the answers.
    low, high : float
        Thresholds of log g, low <= high; -inf and inf are never passed.

    Returns
    -------
    Estimate
        Floats. The relative error is below 1e-12 where the probability is above 1e-300, with two exceptions, which the
        error that is returned covers: sets of releases that are hardly wider than what floats can tell apart, and Gaussian
        noise on uniform pieces, where it is 1e-11 or so.

    Raises
    ------
    DomainError
        Outside these ranges; where answers are not whole numbers but the noise is; and where pieces are wider than 16,384
        scales.

    Notes ----- The work grows with the square of the number of changes of sign of f_outside - e^lambda f_inside, times the
    number of answers.

    Examples
    --------
    One world against two others:

    >>> probability = failure_probability(([0.0], [1.0]), ([-0.5, 0.25], [0.5, 0.5]), ([0.0], [1.0]), scale=1, low=-1, high=1)
    >>> float(probability.value)
    0.0002496951...

    A value that is below 0 or above 0, each evenly over a unit; the steward knows that it is 0.3:

    >>> below, above = Mixture(pieces=[(-1, 0, 1)]), Mixture(pieces=[(0, 1, 1)])
    >>> float(failure_probability(below, above, ([0.3], [1]), noise="laplace", scale=2, low=-0.4, high=0.4).value)
    0.76053...
    """
    problem = _Problem.of(inside, outside, truth, noise, scale)
    value = error = 0.0
    for intervals, doubtful in problem.failures(low, high):
        mass, rounding = problem.mass(intervals)
        value, error = value + mass, error + rounding + problem.mass(doubtful)[0]
    return Estimate(min(value, 1.0), error)


def failure_intervals(
    inside: Mixture | tuple[ArrayLike, ArrayLike],
    outside: Mixture | tuple[ArrayLike, ArrayLike],
    *,
    noise: str = "gaussian",
    scale: float,
    low: float,
    high: float,
) -> FailureIntervals:
    """Releases at which log g is below ``low``, and those at which it is above ``high``.

    Takes the arguments of `failure_probability`.

    Returns
    -------
    FailureIntervals

    Examples
    --------
    Whether a value is above 2 shows in the release alone by how large it is:

    >>> failure_intervals(([3, 4], [1, 1]), ([0, 1, 2], [1, 1, 1]), scale=1, low=-1, high=1)
    FailureIntervals(below=array([[2.897...,        inf]]), above=array([[      -inf, 1.681...]]))
    """
    problem = _Problem.of(inside, outside, inside, noise, scale)
    below, above = (
        [(left + problem.origin, right + problem.origin) for left, right in intervals]
        for intervals, _ in problem.failures(low, high)
    )
    return FailureIntervals(*(np.array(ends, dtype=float).reshape(-1, 2) for ends in (below, above)))


class _Problem(NamedTuple):
    """Checked mixtures and noise; positions are measured from an origin amid the truth."""

    inside: Mixture
    outside: Mixture
    truth: Mixture
    noise: str
    scale: float
    origin: float

    @classmethod
    def of(cls, inside, outside, truth, noise, scale):
        if noise not in noises.NOISES:
            raise errors.DomainError(f"noise = {noise!r} is none of {', '.join(map(repr, noises.NOISES))}")
        scale = checks.number("scale", scale, "(1e-200, 1e200)", "use other units")
        named = (("inside", inside), ("outside", outside), ("truth", truth))
        mixtures = [_checked(name, mixture, noise, scale) for name, mixture in named]
        ends = [np.concatenate([mixture.answers, mixture.pieces[:, :2].ravel()]) for mixture in mixtures]
        spread = max(np.abs(places).max() for places in ends) / scale
        if spread > _LARGEST_SPREAD:
            raise errors.DomainError(
                f"scale = {scale} is below the answers by a factor of more than {_LARGEST_SPREAD:g}"
            )
        middle = float(ends[-1].min() / 2 + ends[-1].max() / 2)
        return cls(*mixtures, noise, scale, float(round(middle)) if noise in noises.INTEGER_NOISES else middle)

    def failures(self, low, high):
        """Sets of positions below and above the thresholds, each with the intervals in which it is in doubt."""
        low, high = checks.number("low", low, "[-inf, inf)"), checks.number("high", high, "(-inf, inf]")
        for name, level in (("low", low), ("high", high)):
            if _LARGEST_LEVEL < abs(level) < math.inf:
                raise errors.DomainError(f"{name} = {level} is finite and beyond +-{_LARGEST_LEVEL:g}; use -inf or inf")
        if low > high:
            raise errors.DomainError(f"low = {low} is above high = {high}; swap them")
        for level, sign in ((low, -1), (high, 1)):
            yield self._failures(level, sign) if math.isfinite(level) else ([], [])

    def _failures(self, level, sign):
        kernel_sum = self._kernel_sum(level, sign)
        if kernel_sum is None:
            return [], []
        signs = zeros.find_signs(kernel_sum)
        if self.noise in noises.INTEGER_NOISES:
            return zeros.positive_integers(kernel_sum, signs), []
        return zeros.positive_intervals(signs), zeros.doubtful(kernel_sum, signs, self._tolerance(kernel_sum))

    def _tolerance(self, kernel_sum):
        """How far off the sum may be beside its terms, which are exact unless nodes stand for pieces."""
        pieces = len(self.inside.pieces) + len(self.outside.pieces)
        if not pieces or isinstance(kernel_sum, LaplaceSum):
            return 0.0
        return _WEIGHTS_DOUBT + _NODES_DOUBT * float(np.abs(kernel_sum.answers).max()) / self.scale

    def _kernel_sum(self, level, sign):
        """The sum f_outside - e^level f_inside, times a sign and a positive number; None if it is 0 everywhere."""
        atoms, cells = _differences(self.inside, self.outside, level, sign)
        if not atoms and not cells:
            return None
        if self.noise in ("laplace", "geometric"):
            knots = sorted({*atoms, *(end for cell in cells for end in cell)})
            coefficients = [atoms.get(knot, Decimal(0)) for knot in knots]
            # Answers cut cells in two.
            densities = [
                next(
                    (density for (lower, upper), density in cells.items() if lower <= left and right <= upper),
                    Decimal(0),
                )
                for left, right in pairwise(knots)
            ]
            return LaplaceSum(np.array(knots), self.origin, self.scale, coefficients, densities)
        answers, owners, factors = [np.array(list(atoms))], [np.arange(len(atoms))], [np.ones(len(atoms))]
        for place, cell in enumerate(cells, start=len(atoms)):
            nodes, weights = _nodes(*cell, self.scale)
            answers, factors = [*answers, nodes], [*factors, weights]
            owners = [*owners, np.full(len(nodes), place)]
        answers, owners, factors = (np.concatenate(parts) for parts in (answers, owners, factors))
        order = np.argsort(answers, kind="stable")
        coefficients = [*atoms.values(), *cells.values()]
        return GaussianSum(answers[order], self.origin, self.scale, coefficients, owners[order], factors[order])

    def mass(self, intervals):
        """Probability in truth of disjoint intervals of positions, and how far off rounding may leave it."""
        if not intervals:
            return 0.0, 0.0
        lower, upper = np.array(intervals, dtype=float).T
        answers, weights = self._true_atoms(np.concatenate([lower, upper]))
        places = (answers - self.origin)[:, None]
        masses = weights[:, None] * noises.NOISES[self.noise](lower - places, upper - places, self.scale)
        distances = np.maximum(np.maximum(lower - places, places - upper), 0.0) / self.scale
        # How fast a tail falls, times how far positions are rounded.
        falls = 1.0 if self.noise in ("laplace", "geometric") else 1 + distances
        doubts = _EPSILON * (16 + 4 * falls * (np.abs(places) / self.scale + distances))
        return float(masses.sum()), float((masses * doubts).sum())

    def _true_atoms(self, cuts):
        """Answers and normalised weights in truth. Pieces are cut where the intervals end: there tails are not smooth."""
        answers, weights = [self.truth.answers], [self.truth.weights]
        for lower, upper, weight in self.truth.pieces:
            inner = cuts[(cuts > lower - self.origin) & (cuts < upper - self.origin)] + self.origin
            ends = np.unique(np.concatenate([[lower, upper], inner]))
            for cell in pairwise(ends):
                nodes, shares = _nodes(*cell, self.scale)
                answers, weights = [*answers, nodes], [*weights, shares / (upper - lower) * weight]
        answers, weights = np.concatenate(answers), np.concatenate(weights)
        return answers, weights / (self.truth.weights.sum() + self.truth.pieces[:, 2].sum())


def _checked(name, mixture, noise, scale):
    """The mixture as arrays, without what has no weight."""
    try:
        answers, weights, pieces = Mixture(*mixture)
    except TypeError:
        raise errors.DomainError(f"{name} is neither a Mixture nor a pair of answers and weights") from None
    answers = checks.within(f"{name}: answers", answers, "(-inf, inf)")
    weights = checks.within(f"{name}: weights", weights, "[0, inf)")
    if answers.ndim != 1 or answers.shape != weights.shape:
        raise errors.DomainError(
            f"{name}: answers have shape {answers.shape} and weights {weights.shape}; expected (n,) of both"
        )
    pieces = checks.within(f"{name}: pieces", pieces, "(-inf, inf)")
    pieces = pieces.reshape(-1, 3) if pieces.size == 0 else pieces
    if pieces.ndim != 2 or pieces.shape[1] != 3:
        raise errors.DomainError(
            f"{name}: pieces have shape {pieces.shape}; expected (m, 3): lower end, upper end, weight"
        )
    checks.within(f"{name}: weights of pieces", pieces[:, 2], "[0, inf)")
    if not (pieces[:, 0] < pieces[:, 1]).all():
        raise errors.DomainError(
            f"{name}: a piece does not end above where it begins; a single answer belongs to the atoms"
        )
    if noise in noises.INTEGER_NOISES and (pieces.size or (answers != np.round(answers)).any()):
        raise errors.DomainError(
            f"{name}: {noise} noise is for answers that are whole numbers, without pieces; use other noise"
        )
    answers, weights, pieces = answers[weights > 0], weights[weights > 0], pieces[pieces[:, 2] > 0]
    if not len(answers) and not len(pieces):
        raise errors.DomainError(f"{name} has no weight; give one answer of positive weight at least")
    if (pieces[:, 1] - pieces[:, 0]).sum() / scale > _MOST_CELLS * _CELL:
        raise errors.DomainError(f"{name}: pieces are wider than {_MOST_CELLS * _CELL:.0f} scales; narrow them")
    return Mixture(answers, weights, pieces)


def _differences(inside, outside, level, sign):
    """Atoms, and cells of constant density, of ``sign`` times outside minus e^level times inside, where these are not 0."""
    with precision():
        factor = Decimal(level).exp()
        sizes = [
            sum(map(Decimal, map(float, [*mixture.weights, *mixture.pieces[:, 2]]))) for mixture in (inside, outside)
        ]
        parts = (outside, sign * sizes[0]), (inside, -sign * factor * sizes[1])
        atoms: dict[float, list[Decimal]] = {}
        pieces = []
        for mixture, share in parts:
            for answer, weight in zip(mixture.answers.tolist(), mixture.weights.tolist(), strict=True):
                atoms.setdefault(answer + 0.0, []).append(share * Decimal(weight))
            for lower, upper, weight in mixture.pieces.tolist():
                pieces.append((lower, upper, share * Decimal(weight) / (Decimal(upper) - Decimal(lower))))
        ends = sorted({end for piece in pieces for end in piece[:2]})
        cells = {
            (left, right): [density for lower, upper, density in pieces if lower <= left and right <= upper]
            for left, right in pairwise(ends)
        }
        return [
            {key: total for key, terms in sums.items() if abs(total := sum(terms)) > _TIE * sum(map(abs, terms))}
            for sums in (atoms, cells)
        ]


def _nodes(lower, upper, scale):
    """Points and weights of Gauss' rule on cells of an interval, whose integral of 1 is the interval's length."""
    cells = math.ceil((upper - lower) / (_CELL * scale))
    ends = np.linspace(lower, upper, cells + 1)
    half = np.diff(ends) / 2
    points = (ends[:-1] + half)[:, None] + half[:, None] * _NODES
    return points.ravel(), (half[:, None] * _WEIGHTS).ravel()
