"""What is computed for claims of paper A that no study at its parameters decides.

Each claim has the numbers on which its verdict rests: expected values, exact probabilities of drawn datasets, or formulas of
the paper at the parameters in question. The verdicts themselves are in `paper_a`.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from disclosure.beliefs import inclusion, mixtures, regions
from disclosure.beliefs.knowledge import worlds_of_ones
from disclosure.beliefs.less_informed import failure_by_answer
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.expected.large_epsilon import failure_probability_at_large_epsilon
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import conversions, gaussian
from disclosure.numerics.types import FloatArray
from disclosure.study import datasets
from disclosure.study.points import Point
from disclosure.workflow.claims import scale

__all__ = ["EPSILONS", "NEIGHBOURS", "NOISES", "evaluate"]

# The point in the middle of the paper's study.
_POINT: Final = Point(100, 90, 1.0, scale.DELTA)
# Relative error of expected failure probabilities. The claims differ from their contraries by far more.
_RTOL: Final = 1e-3
# Of the datasets that are drawn here: their root seed, and how many at a point.
_SEED, _DATASETS = 1, 1000
# Neighbours n - m of a population of 1,000: at m = 0.1 n, and as many as at m = 10, 90 and 99 of the paper's population of 100.
NEIGHBOURS: Final = (900, 90, 10, 1)
# Epsilons far beyond those of Figure 1, a decade apart.
EPSILONS: Final = (1e2, 1e3, 1e4, 1e5)
# Sigmas with which delta tends to 1: 1 - delta is 3e-7 at the first, and below any float at the others.
NOISES: Final = (0.1, 0.01, 1e-3, 1e-4)
# A realistic setting in the words of section 6: epsilon moderate, n much larger than m, delta negligible.
_REALISTIC: Final = Point(1000, 100, 1.0, 1e-6)
# The prior of the target in Figure 1, and the epsilon at which a float cannot tell e^-epsilon from 0.
_PRIOR, _WIDEST = 1 / 11, 1e3


def evaluate() -> dict[str, FloatArray]:
    """The numbers behind each claim, by its id; about a second of work.

    Returns
    -------
    dict of str to ndarray
    """
    return {name: np.asarray(numbers(), dtype=float) for name, numbers in _NUMBERS.items()}


def _without_neighbours() -> list[float]:
    """Failure probability without neighbours, and the ratio (32) of the only candidate."""
    failure = inclusion.failure_probability(np.empty((0, 1)), _POINT.epsilon).value
    return [float(failure), float(inclusion.ratio([0.5], [[0.25]], 1.0))]


def _widest_bounds() -> list[float]:
    """The bounds (24) at an epsilon next to infinity, the upper one as a multiple of 1 / prior."""
    lower, upper = inclusion.ratio_bounds(_PRIOR, _WIDEST)
    return [float(lower), float(upper) * _PRIOR]


def _prior_free() -> list[float]:
    """Largest excess of the failure probability of (26) over that of (24), over datasets of five points.

    Then the means of both with one neighbour, m = 99.
    """
    excess, means = [], (math.nan, math.nan)
    for epsilon, sample in ((0.2, 90), (1.0, 10), (1.0, 90), (2.0, 90), (1.0, 99)):
        point = _POINT._replace(epsilon=epsilon, sample=sample)
        gaps = _drawn(point, gaussian.calibrate(epsilon, point.delta, definition="probabilistic"))
        prior = np.asarray(inclusion.failure_probability(gaps, epsilon).value)
        free = np.asarray(inclusion.failure_probability(gaps, epsilon, bounds="prior_free").value)
        excess.append(float((free - prior).max()))
        means = (float(free.mean()), float(prior.mean()))
    return [max(excess), *means]


def _drawn(point: Point, sigma: float) -> FloatArray:
    """Gaps of drawn datasets."""
    target, neighbours = datasets.draw(_SEED, point, 0, _DATASETS)
    return regions.standardised_gaps(target, neighbours, sigma)


def _at_left_end() -> list[float]:
    """Epsilon of Corollary 2 at delta = (1 + 10^-k) delta', for k = 3, 6, 9 and 12."""
    return [
        conversions.approximate_to_probabilistic(
            _POINT.epsilon, _POINT.delta, delta_prime=_POINT.delta * (1 + 10.0**-power)
        )[0]
        for power in (3, 6, 9, 12)
    ]


def _neighbours() -> list[float]:
    """Numbers of datasets with x^- and without i, less n - m + 1, for all populations of up to 6; the listed definition."""
    return [
        sum(set(range(1, sample)) < set(dataset) for dataset in itertools.combinations(range(1, population), sample))
        - (population - sample + 1)
        for population in range(2, 7)
        for sample in range(1, population)
    ]


def _knowing_less() -> list[float]:
    """Failure probabilities for who knows 17 and who knows 16 members of 18, both 8 ones, with ten ones among 20 people.

    The target has a one.
    """
    epsilon, sigma = _POINT.epsilon, _noise()
    failures = []
    for known in (17, 16):
        inside, outside = worlds_of_ones(20, 18, 10, known, known_ones=8)
        found = mixtures.failure_probability(inside, outside, inside, scale=sigma, low=-epsilon, high=epsilon)
        failures.append(float(found.value))
    return failures


def _beyond_upper_limit() -> list[float]:
    """Failure probability for who knows 88 members, 48 of the 50 ones among them, and T of the same dataset.

    The dataset of 90 of 100 people has all ones, one of them the target's. All ten neighbours have a zero in its place.
    """
    epsilon, sigma = _POINT.epsilon, _noise()
    worlds = worlds_of_ones(100, 90, 50, known=88, known_ones=48)
    by_answer = failure_by_answer(worlds, scale=sigma, low=-epsilon, high=epsilon)
    gaps = np.full((10, 1), 1 / sigma)
    return [float(by_answer[worlds.inside[0] == 50].item()), float(regions.union_mass(gaps, epsilon).value)]


def _noise() -> float:
    """Sigma at the point in the middle of the study."""
    return gaussian.calibrate(_POINT.epsilon, _POINT.delta, definition="probabilistic")


def _far_epsilons() -> list[float]:
    """E[T] at each of `EPSILONS`, then the leading term of E[F]."""
    neighbours = _POINT.drawn_neighbours
    return [expected_union_mass(*_POINT._replace(epsilon=epsilon)).value for epsilon in EPSILONS] + [
        failure_probability_at_large_epsilon(neighbours, epsilon, _POINT.delta) for epsilon in EPSILONS
    ]


def _over_neighbours() -> list[float]:
    """E[T] at each of `NEIGHBOURS`, then E[F]."""
    points = [Point(1000, 1000 - number, _POINT.epsilon, _POINT.delta) for number in NEIGHBOURS]
    return [expected_union_mass(*point).value for point in points] + [
        expected_failure_probability(*point, rtol=_RTOL).value for point in points
    ]


def _course() -> list[float]:
    """By which share E[T] falls from m = 0.1 n to 0.7 n, at n = 100 and at n = 1,000."""
    falls = []
    for population in (100, 1000):
        first, last = (
            expected_union_mass(population, sample, _POINT.epsilon, _POINT.delta).value
            for sample in (population // 10, population * 7 // 10)
        )
        falls.append(1 - last / first)
    return falls


def _towards_one() -> list[float]:
    """1 less the mean T of drawn datasets at each of `NOISES`, then 1 less the mean failure probability."""
    gaps = [_drawn(_POINT, sigma) for sigma in NOISES]
    return [1 - float(np.mean(regions.union_mass(gap, _POINT.epsilon).value)) for gap in gaps] + [
        1 - float(np.mean(inclusion.failure_probability(gap, _POINT.epsilon).value)) for gap in gaps
    ]


def _realistic() -> list[float]:
    """E[T] and E[F] in a realistic setting."""
    return [
        expected_union_mass(*_REALISTIC).value,
        expected_failure_probability(*_REALISTIC, rtol=_RTOL).value,
    ]


_NUMBERS: Mapping[str, Callable[[], list[float]]] = {
    "A.abstract.worst_case": _knowing_less,
    "A.S4.any_adversary": _beyond_upper_limit,
    "A.S4.prior_free": _prior_free,
    "A.S4.left_end": _at_left_end,
    "A.S5.neighbours": _neighbours,
    "A.F1.limiting_interval": _widest_bounds,
    "A.limit": _far_epsilons,
    "A.F2.m_equals_n": _without_neighbours,
    "A.any_n": _over_neighbours,
    "A.any_n.course": _course,
    "A.F3.limit": _towards_one,
    "A.S6.realistic": _realistic,
}
