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

from disclosure.beliefs import mixture_quantiles, mixtures
from disclosure.beliefs.inclusion import Bounds, Levels, levels_of
from disclosure.beliefs.noises import Laplace, Noise
from disclosure.beliefs.quantiles import RatioQuantiles
from disclosure.mechanisms import discrete_gaussian, geometric
from disclosure.numerics import checks, errors
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["failure_intervals", "failure_probability", "ratio_quantiles", "union_mass"]

_EMPTY = (math.inf, -math.inf)
# Relative error of a failure probability beyond which a dataset goes to `mixtures`.
_PRECISION = 1e-12
# Roundings of a sum of p exponentials, beside one for each term.
_ROUNDINGS = 16
# Halvings of a bracket of a level after which it is as wide as the distance of two floats near its ends.
_MOST_HALVINGS = 64
# Natural logarithm. Noise that is rarer than the probability of a quantile by e^40 does not matter to the quantile.
_NEGLIGIBLE = 40.0
# Largest noise up to which the whole numbers are enumerated for a quantile.
_MOST_NUMBERS = 20_000
# Relative difference of levels of log g that are one, apart by rounding.
_SAME_LEVEL = 1e-13
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


def failure_probability(
    target: ArrayLike, neighbours: ArrayLike, noise: Noise, epsilon: float, bounds: Bounds = "prior"
) -> FloatArray:
    """Probability that the posterior-to-prior ratio leaves its bounds.

    Parameters
    ----------
    target, neighbours, noise, epsilon
        As for `union_mass`.
    bounds : {"prior", "prior_free"}, optional
        The bounds (24), or the wider (26) with all candidates alike, 1 / (p + 1).

    Returns
    -------
    ndarray, shape (k,)
        With a relative error of about 1e-12.
    """
    lower, upper = np.moveaxis(failure_intervals(target, neighbours, noise, epsilon, bounds), -1, 0)
    if noise.whole:
        lower, upper = np.ceil(lower), np.floor(upper)
    return np.asarray(noise.mass(lower, upper).sum(axis=-1))


def failure_intervals(
    target: ArrayLike, neighbours: ArrayLike, noise: Noise, epsilon: float, bounds: Bounds = "prior"
) -> FloatArray:
    """Intervals of the noise in which the ratio leaves its bounds, from left to right; arguments as for `failure_probability`.

    Returns
    -------
    ndarray, shape (k, 3, 2)
        Open and disjoint, in units of the answers; ``(inf, -inf)`` stands for an empty one. Of noise on the whole numbers the
        ends lie half way between two of these.
    """
    differences, epsilon = _differences(target, neighbours, noise), _epsilon(epsilon)
    levels = levels_of(bounds, epsilon, 1 / (differences.shape[1] + 1))
    if noise.whole:
        return _for_each(lambda row: _exact_intervals(row, noise, levels), differences, (3, 2))
    # Where no |d_j| exceeds epsilon b, no L_j leaves +-epsilon, and nothing fails.
    rows = np.flatnonzero(_exceeds(np.abs(differences), epsilon, noise.scale).any(axis=1))
    intervals = np.tile(_EMPTY, (len(differences), 3, 1))
    if len(rows):
        intervals[rows] = _laplace_intervals(differences[rows], noise, levels)
    return intervals


def ratio_quantiles(target: ArrayLike, neighbours: ArrayLike, noise: Noise, probability: float) -> RatioQuantiles:
    """Quantiles of the ratio, as `mixture_quantiles` defines them, with all candidates alike.

    Parameters
    ----------
    target, neighbours, noise
        As for `union_mass`.
    probability : float
        Of exceeding each, in (0, 1).

    Returns
    -------
    RatioQuantiles
        Arrays of shape (k,), with a relative error of about 1e-12. The ratio is 1 without neighbours.

    Examples
    --------
    >>> from disclosure.beliefs.noises import Laplace
    >>> ratio_quantiles([[0.0]], [[[1.0], [0.0]]], Laplace(1.0), 0.001)
    RatioQuantiles(lower=array([0.6358...]), upper=array([1.2669...]))
    """
    differences, probability = (
        _differences(target, neighbours, noise),
        checks.number("probability", probability, "(0, 1)"),
    )
    if not differences.shape[1]:
        return RatioQuantiles(np.ones(len(differences)), np.ones(len(differences)))
    if noise.whole:
        levels = _for_each(lambda row: _whole_levels(row, noise, probability), differences, (2,))
    else:
        levels = _laplace_levels(differences / noise.scale, probability)
    prior = 1 / (differences.shape[1] + 1)
    low, high = np.moveaxis(levels, -1, 0)
    with np.errstate(over="ignore"):
        return RatioQuantiles(1 / (prior + (1 - prior) * np.exp(high)), 1 / (prior + (1 - prior) * np.exp(low)))


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


def _exact_intervals(differences: FloatArray, noise: Noise, levels: Levels) -> FloatArray:
    """Failure intervals of one dataset by `mixtures`."""
    intervals = np.tile(_EMPTY, (3, 1))
    if len(differences):
        own, others = ([0.0], [1.0]), (differences, np.ones(len(differences)))
        beyond = mixtures.failure_intervals(own, others, noise=noise.name, scale=noise.scale, **levels._asdict())
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
    # A product that is rounded to another float than the distance lies on the same side of it as before.
    beyond[distances == reach] = Fraction(reach) > Fraction(epsilon) * Fraction(scale)
    return beyond


def _laplace_intervals(differences: FloatArray, noise: Noise, levels: Levels) -> FloatArray:
    """Failure intervals of many datasets for Laplace noise."""
    scaled = differences / noise.scale
    sides = -scaled[:, ::-1], scaled
    (far_left, near_left, near_right, far_right), doubts = zip(
        *(_end(sides[side], levels[level]) for side, level in ((0, 1), (0, 0), (1, 0), (1, 1))), strict=True
    )
    infinite = np.full_like(far_left, np.inf)
    ends = [-infinite, -far_left, -near_left, near_right, far_right, infinite]
    found = np.stack(ends, axis=-1).reshape(-1, 3, 2)
    intervals = np.where((found[..., 0] < found[..., 1])[..., None], found * noise.scale, _EMPTY)
    masses = noise.mass(*np.moveaxis(intervals, -1, 0)).sum(axis=-1)
    for row in np.flatnonzero(np.sum(doubts, axis=0) > _PRECISION * masses):
        intervals[row] = _exact_intervals(differences[row], noise, levels)
    return intervals


def _laplace_levels(scaled: FloatArray, probability: float) -> FloatArray:
    """Levels that log g is below, and above, with the probability at most, for Laplace noise; shape (k, 2).

    Bisection, of all datasets at once, between the least and the largest log density ratio that there may be.
    """
    noise, sides = Laplace(1.0), (-scaled[:, ::-1], scaled)
    largest = np.abs(scaled).max(axis=1)
    found = []
    for beyond in (False, True):
        low, high = -largest, largest.copy()
        for _ in range(_MOST_HALVINGS):
            middle = (low + high) / 2
            left, right = (_end(side, middle)[0] for side in sides)
            within = noise.mass(-left, right)
            outside = noise.mass(np.full_like(left, -np.inf), -left) + noise.mass(right, np.full_like(right, np.inf))
            # The largest level with P(log g < level) at most the probability, or the smallest with P(log g > level) at most it.
            rising = outside > probability if beyond else within <= probability
            low, high = np.where(rising, middle, low), np.where(rising, high, middle)
        found.append(high if beyond else low)
    return np.stack(found, axis=-1)


def _whole_levels(differences: FloatArray, noise: Noise, probability: float) -> FloatArray:
    """The same two levels of one dataset for noise on the whole numbers, by enumeration, shape (2,)."""
    rarity = _NEGLIGIBLE - math.log(probability)
    reach = noise.scale * (rarity if noise.exponential else math.sqrt(2 * rarity)) + float(np.abs(differences).max())
    if reach > _MOST_NUMBERS:
        own, others = ([0.0], [1.0]), (differences, np.ones(len(differences)))
        return np.array(
            mixture_quantiles.level_quantiles(
                own, others, own, noise=noise.name, scale=noise.scale, probability=probability
            )
        )
    numbers = np.arange(-math.ceil(reach), math.ceil(reach) + 1.0)
    answers, counts = np.unique(differences, return_counts=True)
    power = 1 if noise.exponential else 2
    exponents = np.abs(numbers / noise.scale) ** power - np.abs((numbers - answers[:, None]) / noise.scale) ** power
    log_g = np.logaddexp.reduce(exponents / power + np.log(counts / counts.sum())[:, None], axis=0)
    order = np.argsort(log_g, kind="stable")
    log_g, masses = log_g[order], noise.mass(numbers, numbers)[order]
    # Levels that differ by rounding are one. Levels are tried from the outside in, with what lies beyond them.
    starts = np.concatenate([[0], 1 + np.flatnonzero(np.diff(log_g) > _SAME_LEVEL * np.maximum(1, np.abs(log_g[1:])))])
    below = np.concatenate([[0.0], np.cumsum(masses)])[starts]
    ends = np.append(starts[1:], len(log_g)) - 1
    above = np.concatenate([[0.0], np.cumsum(masses[::-1])])[len(log_g) - 1 - ends]
    low = log_g[starts[np.flatnonzero(below <= probability)[-1]]]
    high = log_g[ends[np.flatnonzero(above <= probability)[0]]]
    return np.array([low, high])


def _end(differences: FloatArray, level: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Where log g exceeds a level on the right of 0, in scales; inf where it never does.

    Parameters
    ----------
    differences : ndarray, shape (k, p)
        d_j / b, increasing.
    level : float, or ndarray of shape (k,)

    Returns
    -------
    end, doubt : ndarray, shape (k,)
        At least 0; and how much mass of the noise rounding may move across the end, infinite if the set may be another one.
    """
    neighbours = differences.shape[1]
    threshold = neighbours * np.exp(np.broadcast_to(np.asarray(level, dtype=float), len(differences)))
    knots = np.maximum(differences, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        # In the cell after i knots p g(u) = passed_i + ahead_i e^(2u): terms that stay constant, and terms that grow.
        passed = np.cumsum(np.exp(differences), axis=1)
        growing = np.exp(-np.abs(differences))
        ahead = np.concatenate([np.cumsum(growing[:, :0:-1], axis=1)[:, ::-1], np.zeros((len(differences), 1))], axis=1)
        at_knots = passed + np.where(ahead > 0, ahead * np.exp(2 * knots), 0.0)
    within = at_knots <= threshold[:, None]
    cell = within.sum(axis=1)
    rows, last = np.arange(len(differences)), cell == neighbours
    before = np.where(cell > 0, passed[rows, cell - 1], 0.0)
    slopes = np.where(cell > 0, ahead[rows, cell - 1], growing.sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.log((threshold - before) / slopes) / 2
        moved = UNIT * (neighbours + _ROUNDINGS) * (threshold / (threshold - before) + np.abs(crossing))
        doubt = moved * np.exp(-np.maximum(crossing, 0.0))
    end = np.where(last, np.inf, np.maximum(crossing, 0.0))
    settled = last | (crossing < -moved) | (threshold == 0)  # clearly on the side of infinity, or of 0
    touched: BoolArray = np.abs(passed[:, -1] - threshold) <= UNIT * (neighbours + _ROUNDINGS) * threshold
    return end, np.where(touched, np.inf, np.where(settled, 0.0, doubt))
