"""Paper A's adversary and one noisy number a person, for noise that is not Gaussian: union masses and failures, exactly.

The adversary knows everybody but one person. A dataset is the target's answer x and those of its p neighbours, x + d_j. With
the noise u the log density ratio is L_j(u) = log f(u) - log f(u - d_j), f the density of the noise or its probabilities, and
g(u) is the mean of the exp(-L_j(u)), as in `inclusion`.

*Laplace noise of scale b* (many datasets at once). For d > 0 the function exp(-L(u)) is e^(-d/b) up to u = 0, then e^((2u -
d)/b), and e^(d/b) from u = d on. For d < 0 it is the mirror image. So g does not fall from 0 to the right, nor from 0 to the
left: the releases with g below a level are an interval around 0, and those with g above a level lie outside of one. Between two
answers g = C + A e^(2u/b), which gives the end of the interval. Datasets for which rounding might matter go to `mixtures`.

*Noise on the whole numbers.* Datasets with the same differences d_j have the same probabilities, and attributes that are 0 or 1
leave few different ones. Each goes to `mixtures`.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from disclosure.beliefs import mixtures
from disclosure.beliefs.noises import Noise
from disclosure.mechanisms import discrete_gaussian, geometric
from disclosure.numerics import checks, errors
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["failure_intervals", "failure_probability", "union_mass"]

_EMPTY = (math.inf, -math.inf)
# Relative error of a failure probability beyond which a dataset goes to `mixtures`.
_PRECISION = 1e-12
# Roundings of a sum of p exponentials, beside one for each term.
_ROUNDINGS = 16
# Relative. Distances that are nearer than this to a product of two floats are compared with it exactly.
_NEAR = 4 * UNIT
_GOOD_NOISE: dict[str, Callable[[float, float, float], tuple[Fraction, Fraction] | None]] = {
    "geometric": geometric.good_noise,
    "discrete_gaussian": discrete_gaussian.good_noise,
}


def union_mass(target: ArrayLike, neighbours: ArrayLike, noise: Noise, epsilon: float) -> FloatArray:
    """Mass of the union of the bad regions, paper A's theoretical upper limit T, for noise that is not Gaussian.

    Parameters
    ----------
    target : array_like, shape (k, 1)
        The target's answer in each of k datasets.
    neighbours : array_like, shape (k, p, 1)
        Answers of the neighbours; whole numbers, as the target's, for noise on these.
    noise : Noise
        Laplace, geometric or discrete Gaussian.
    epsilon : float
        In (0, inf).

    Returns
    -------
    ndarray, shape (k,)

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    With the scale 1 / epsilon no release is bad, with less noise more than half of all are:

    >>> from disclosure.beliefs.noises import Laplace
    >>> union_mass([[0.0]], [[[1.0]]], Laplace(1.0), 1.0), union_mass([[0.0]], [[[1.0]]], Laplace(0.99), 1.0)
    (array([0.]), array([0.685...]))
    """
    differences, epsilon = _differences(target, neighbours, noise), _epsilon(epsilon)
    if noise.whole:
        return _for_each(lambda row: _bad_mass_whole(row, noise, epsilon), differences, ())
    return _bad_mass_laplace(differences, noise, epsilon)


def failure_probability(target: ArrayLike, neighbours: ArrayLike, noise: Noise, epsilon: float) -> FloatArray:
    """Probability that the posterior-to-prior ratio leaves its bounds (24); arguments as for `union_mass`.

    Returns
    -------
    ndarray, shape (k,)
        With a relative error of about 1e-12.
    """
    lower, upper = np.moveaxis(failure_intervals(target, neighbours, noise, epsilon), -1, 0)
    if noise.whole:
        lower, upper = np.ceil(lower), np.floor(upper)
    return np.asarray(noise.mass(lower, upper).sum(axis=-1))


def failure_intervals(target: ArrayLike, neighbours: ArrayLike, noise: Noise, epsilon: float) -> FloatArray:
    """Intervals of the noise in which the ratio leaves its bounds (24), from left to right; arguments as for `union_mass`.

    Returns
    -------
    ndarray, shape (k, 3, 2)
        Open and disjoint, in units of the answers; ``(inf, -inf)`` stands for an empty one. Of noise on the whole numbers the
        ends lie half way between two of these.
    """
    differences, epsilon = _differences(target, neighbours, noise), _epsilon(epsilon)
    if noise.whole:
        return _for_each(lambda row: _exact_intervals(row, noise, epsilon), differences, (3, 2))
    return _laplace_intervals(differences, noise, epsilon)


def _epsilon(epsilon: float) -> float:
    return checks.number("epsilon", epsilon, "(0, inf)")


def _differences(target: ArrayLike, neighbours: ArrayLike, noise: Noise) -> FloatArray:
    """d_j of the datasets, increasing, shape (k, p)."""
    own = checks.within("target", target, "(-inf, inf)")
    others = checks.within("neighbours", neighbours, "(-inf, inf)")
    if own.ndim != 2 or others.ndim != 3 or own.shape != (len(others), 1) or others.shape[2] != 1:
        raise errors.DomainError(
            f"target has shape {own.shape} and neighbours {others.shape}; expected (k, 1) and (k, p, 1)"
        )
    if noise.name == "gaussian":
        raise errors.DomainError("noise = 'gaussian' is computed by disclosure.beliefs.inclusion")
    if noise.whole and not all((answers == np.round(answers)).all() for answers in (own, others)):
        raise errors.DomainError(f"{noise.name} noise is for answers that are whole numbers; use other noise")
    return np.sort(others[:, :, 0] - own, axis=1)


def _for_each(function: Callable[[FloatArray], ArrayLike], rows: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """A function of one dataset's differences, evaluated once for equal datasets."""
    different, places = np.unique(rows, axis=0, return_inverse=True)
    values = np.array([function(row) for row in different], dtype=float)
    return np.asarray(values.reshape(len(different), *shape)[places.reshape(-1)])


def _exact_intervals(differences: FloatArray, noise: Noise, epsilon: float) -> FloatArray:
    """Failure intervals of one dataset by `mixtures`."""
    intervals = np.tile(_EMPTY, (3, 1))
    if len(differences):
        own, others = ([0.0], [1.0]), (differences, np.ones(len(differences)))
        beyond = mixtures.failure_intervals(
            own, others, noise=noise.name, scale=noise.scale, low=-epsilon, high=epsilon
        )
        found = np.concatenate(beyond)
        found = found[np.argsort(found[:, 0])]
        intervals[: len(found)] = found + ([-0.5, 0.5] if noise.whole else [0.0, 0.0])
    return intervals


def _bad_mass_whole(differences: FloatArray, noise: Noise, epsilon: float) -> float:
    """Union mass of one dataset for noise on the whole numbers."""
    first, last = -math.inf, math.inf
    for difference in np.unique(np.abs(differences[differences != 0])).tolist():
        if good := _GOOD_NOISE[noise.name](noise.scale, epsilon, difference):
            begin, end = math.ceil(good[0]), math.floor(good[1])
            if difference in differences:
                first, last = max(first, begin), min(last, end)
            if -difference in differences:
                first, last = max(first, -end), min(last, -begin)
    if first > last:
        return 1.0
    return float(noise.mass(np.array([-math.inf, last + 1]), np.array([first - 1, math.inf])).sum())


def _bad_mass_laplace(differences: FloatArray, noise: Noise, epsilon: float) -> FloatArray:
    """Union masses for Laplace noise: outside of all intervals d / 2 +- epsilon b / 2 with |d| > epsilon b."""
    reach = epsilon * noise.scale
    bad = _exceeds(np.abs(differences), epsilon, noise.scale)
    first = np.where(bad, (differences - reach) / 2, -np.inf).max(axis=1, initial=-np.inf)
    last = np.where(bad, (differences + reach) / 2, np.inf).min(axis=1, initial=np.inf)
    masses = noise.mass(np.full_like(first, -np.inf), first) + noise.mass(last, np.full_like(last, np.inf))
    return np.where(first < last, masses, 1.0)


def _exceeds(distances: FloatArray, epsilon: float, scale: float) -> BoolArray:
    """Whether distances exceed epsilon times the scale, the floats taken as exact."""
    reach = epsilon * scale
    beyond = distances > reach
    near = np.abs(distances - reach) <= _NEAR * reach
    exact = Fraction(epsilon) * Fraction(scale)
    for distance in np.unique(distances[near]).tolist():
        beyond[distances == distance] = Fraction(distance) > exact
    return beyond


def _laplace_intervals(differences: FloatArray, noise: Noise, epsilon: float) -> FloatArray:
    """Failure intervals of many datasets for Laplace noise."""
    intervals = np.tile(_EMPTY, (len(differences), 3, 1))
    # Where no |d_j| exceeds epsilon b, no L_j leaves +-epsilon, and nothing fails.
    rows = np.flatnonzero(_exceeds(np.abs(differences), epsilon, noise.scale).any(axis=1))
    if not len(rows):
        return intervals
    scaled = differences[rows] / noise.scale
    right, left = scaled, -scaled[:, ::-1]
    ends, doubts = zip(*(_end(side, level) for side in (left, right) for level in (epsilon, -epsilon)), strict=True)
    far_left, near_left, near_right, far_right = ends[0], ends[1], ends[3], ends[2]
    found = np.stack(
        [np.full_like(far_left, -np.inf), -far_left, -near_left, near_right, far_right, np.full_like(far_left, np.inf)],
        axis=-1,
    ).reshape(-1, 3, 2)
    intervals[rows] = np.where((found[..., 0] < found[..., 1])[..., None], found * noise.scale, _EMPTY)
    masses = noise.mass(*np.moveaxis(intervals[rows], -1, 0)).sum(axis=-1)
    for row in rows[np.sum(doubts, axis=0) > _PRECISION * masses]:
        intervals[row] = _exact_intervals(differences[row], noise, epsilon)
    return intervals


def _end(differences: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Where log g exceeds a level on the right of 0, in scales; inf where it never does.

    Parameters
    ----------
    differences : ndarray, shape (k, p)
        d_j / b, increasing.
    level : float

    Returns
    -------
    end, doubt : ndarray, shape (k,)
        At least 0; and how much mass of the noise rounding may move across the end, infinite if the set may be another one.
    """
    neighbours = differences.shape[1]
    threshold = neighbours * math.exp(level)
    knots = np.maximum(differences, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        # In the cell after i knots p g(u) = passed_i + ahead_i e^(2u): terms that stay constant, and terms that grow.
        passed = np.cumsum(np.exp(differences), axis=1)
        growing = np.exp(-np.abs(differences))
        ahead = np.concatenate([np.cumsum(growing[:, :0:-1], axis=1)[:, ::-1], np.zeros((len(differences), 1))], axis=1)
        at_knots = passed + np.where(ahead > 0, ahead * np.exp(2 * knots), 0.0)
    within = at_knots <= threshold
    cell = within.sum(axis=1)
    rows, last = np.arange(len(differences)), cell == neighbours
    before = np.where(cell > 0, passed[rows, cell - 1], 0.0)
    slopes = np.where(cell > 0, ahead[rows, cell - 1], growing.sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.log((threshold - before) / slopes) / 2
        moved = UNIT * (neighbours + _ROUNDINGS) * (threshold / (threshold - before) + np.abs(crossing))
        doubt = moved * np.exp(-np.maximum(crossing, 0.0))
    end = np.where(last, np.inf, np.maximum(crossing, 0.0))
    settled = last | (crossing < -moved)  # clearly on the side of infinity, or of 0
    touched: BoolArray = np.abs(passed[:, -1] - threshold) <= UNIT * (neighbours + _ROUNDINGS) * threshold
    return end, np.where(touched, np.inf, np.where(settled, 0.0, doubt))
