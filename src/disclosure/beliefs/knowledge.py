"""Adversaries who know some of the other members, and people who enter the data together.

A dataset is a sample of m of n people, and the query is a sum. The adversary knows k of the members, 0 <= k < m, and asks
whether the target is another one. The worlds are the datasets that contain the known members, all equally likely. Given that
the target is in, the answer is the target's value plus that of m - k - 1 random others; given that not, the sum of m - k random
others; the known members' sum comes on top of both. With k = m - 1 this is the adversary of paper A.

The weights of the answers are exact for attributes that are 0 or 1 (`worlds_of_ones`) and for whole numbers
(`worlds_of_whole_numbers`); for others `sampled_answers` draws sets. People who enter together, such as a household, are one
record, whose value is their sum. Any other worlds are two mixtures of `mixtures.failure_probability` at once.

`less_informed` has what follows for the bounds (24).
"""

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = [
    "Atoms",
    "Worlds",
    "law_of_ones",
    "on_grid",
    "sampled_answers",
    "subset_sums",
    "worlds_of_ones",
    "worlds_of_whole_numbers",
]

# People. Up to here whole numbers are floats.
_MOST_PEOPLE = 2**53
# Natural logarithm. Weights below e^-745 are no floats.
_LOG_LEAST = 745.0
# Steps of a table of subset sums, people times sizes of sets times sums: about ten seconds.
_MOST_STEPS = 10**10
# Values that are shuffled at a time, so that memory stays bounded.
_BLOCK = 1 << 20

Atoms: TypeAlias = tuple[FloatArray, FloatArray]
"""Answers, increasing, and their weights, which sum to 1."""


class Worlds(NamedTuple):
    """What an adversary expects of the answer."""

    inside: Atoms
    """Given that the target is in the data."""
    outside: Atoms
    """Given that the target is not."""


def law_of_ones(people: int, ones: int, drawn: int) -> Atoms:
    """How many ones are among randomly drawn people: the hypergeometric distribution.

    Parameters
    ----------
    people : int
        Number of people, from 0 to 2^53.
    ones : int
        How many of them have a one, from 0 to ``people``.
    drawn : int
        How many are drawn, from 0 to ``people``.

    Returns
    -------
    Atoms
        Numbers of ones and their probabilities, which are all positive. Numbers whose probability is too small for a float are
        left out.

    Examples
    --------
    >>> law_of_ones(4, 2, 2)
    (array([0., 1., 2.]), array([0.1666..., 0.6666..., 0.1666...]))
    """
    people = checks.count("people", people, 0, _MOST_PEOPLE)
    ones, drawn = checks.count("ones", ones, 0, people), checks.count("drawn", drawn, 0, people)
    mode = (ones + 1) * (drawn + 1) // (people + 2)
    # Hoeffding's inequality, which holds for the draws as for the ones, and for what is left of both.
    reach = math.isqrt(int(min(drawn, people - drawn, ones, people - ones) * _LOG_LEAST / 2)) + 2
    lowest, highest = max(0, drawn - people + ones, mode - reach), min(ones, drawn, mode + reach)
    count = np.arange(lowest, highest + 1, dtype=float)
    lower = count[:-1]
    ratios = (ones - lower) * (drawn - lower) / ((lower + 1) * (people - ones - drawn + lower + 1))
    # From the mode upwards and downwards every factor is at most 1.
    place = mode - lowest
    weights = np.concatenate([np.cumprod(1 / ratios[:place][::-1])[::-1], [1.0], np.cumprod(ratios[place:])])
    kept = weights > 0
    return count[kept], weights[kept] / weights.sum()


def subset_sums(values: ArrayLike, drawn: int) -> Atoms:
    """Sum of the values of randomly drawn people, for values that are whole numbers.

    Parameters
    ----------
    values : array_like, shape (n,)
        Whole numbers, one for each person.
    drawn : int
        How many are drawn, from 0 to n.

    Returns
    -------
    Atoms
        Sums and their probabilities, which are all positive, with a relative error of some n units in the last place.

    Raises
    ------
    DomainError
        For values that are not whole, and where the table of sums would be too large.

    Examples
    --------
    >>> subset_sums([0, 1, 5], 2)
    (array([1., 5., 6.]), array([0.3333..., 0.3333..., 0.3333...]))
    """
    whole = checks.within("values", values, f"(-{_MOST_PEOPLE}, {_MOST_PEOPLE})")
    if whole.ndim != 1 or (whole != np.round(whole)).any():
        raise errors.DomainError("values are not a list of whole numbers; for others take sampled_answers")
    people = len(whole)
    drawn = checks.count("drawn", drawn, 0, people)
    if not people:
        return np.zeros(1), np.ones(1)
    # Of the larger part of the people the sum is the total less that of the others.
    fewer = min(drawn, people - drawn)
    least = whole.min()
    step = math.gcd(*(whole - least).astype(np.int64).tolist()) or 1
    heights = ((whole - least) / step).astype(np.int64)
    span = int(np.sort(heights)[people - fewer :].sum())
    if people * (fewer + 1) * (span + 1) > _MOST_STEPS:
        raise errors.DomainError(
            f"values have a table of {people} x {fewer + 1} x {span + 1} sums; more than {_MOST_STEPS:.0e} are too many: "
            "take coarser values, or sampled_answers"
        )
    weights = _table_of_sums(heights.tolist(), fewer, span)
    kept = np.flatnonzero(weights)
    sums, weights = least * fewer + step * kept, weights[kept] / weights[kept].sum()
    return (sums, weights) if fewer == drawn else ((whole.sum() - sums)[::-1], weights[::-1])


def _table_of_sums(heights: list[int], drawn: int, span: int) -> FloatArray:
    """Probabilities of the sums 0 to ``span`` of ``drawn`` of the heights.

    The i-th person is in a random set of j of the first i people with probability j / i. All terms are positive.
    """
    table = np.zeros((drawn + 1, span + 1))
    table[0, 0] = 1.0
    sizes = np.arange(drawn + 1)[:, None]
    for people, height in enumerate(heights, start=1):
        grown = np.maximum(1 - sizes / people, 0.0) * table
        if height <= span:
            grown[1:, height:] += sizes[1:] / people * table[:-1, : span + 1 - height]
        table = grown
    return np.asarray(table[drawn])


def worlds_of_ones(
    population: int, sample: int, ones: int, known: int = 0, known_ones: int = 0, target: int = 1
) -> Worlds:
    """Worlds for an attribute that is 0 or 1.

    Parameters
    ----------
    population, sample : int
        n and m, 1 <= m < n <= 2^53.
    ones : int
        How many of the n people have a one.
    known : int, optional
        k, how many of the other members the adversary knows, from 0 to m - 1.
    known_ones : int, optional
        How many of these have a one.
    target : {0, 1}, optional
        The target's value.

    Returns
    -------
    Worlds

    Raises
    ------
    DomainError
        Outside these ranges, and where the ones or the zeros are fewer than those of the target and the known members.

    Examples
    --------
    >>> from disclosure.beliefs.mixtures import failure_probability
    >>> inside, outside = worlds_of_ones(20, 18, 10, known=16, known_ones=8)
    >>> float(failure_probability(inside, outside, inside, scale=1.81889766, low=-1, high=1).value)
    0.008250...
    """
    population = checks.count("population", population, 2, _MOST_PEOPLE)
    sample = checks.count("sample", sample, 1, population - 1)
    known = checks.count("known", known, 0, sample - 1)
    target = checks.count("target", target, 0, 1)
    ones = checks.count("ones", ones, target, population - 1 + target)
    least, most = max(0, known - (population - ones - (1 - target))), min(known, ones - target)
    known_ones = checks.count("known_ones", known_ones, least, most)
    others, left, drawn = population - known - 1, ones - known_ones - target, sample - known
    inside, outside = law_of_ones(others, left, drawn - 1), law_of_ones(others, left, drawn)
    return Worlds((inside[0] + known_ones + target, inside[1]), (outside[0] + known_ones, outside[1]))


def worlds_of_whole_numbers(target: float, others: ArrayLike, drawn: int, known_sum: float = 0.0) -> Worlds:
    """Worlds for values that are whole numbers.

    Parameters
    ----------
    target : float
        The target's value, a whole number.
    others : array_like, shape (n - k - 1,)
        Values of the people who are neither the target nor known to be members, whole numbers.
    drawn : int
        m - k, how many members are not known, from 1 to n - k - 1.
    known_sum : float, optional
        Sum of the known members' values.

    Returns
    -------
    Worlds

    Examples
    --------
    Two households of two people, one with ones and one with zeros, of which one is in the data:

    >>> worlds_of_whole_numbers(2, [0], drawn=1)
    Worlds(inside=(array([2.]), array([1.])), outside=(array([0.]), array([1.])))
    """
    own, others, drawn, known_sum = _checked(target, others, drawn, known_sum)
    inside, outside = subset_sums(others, drawn - 1), subset_sums(others, drawn)
    return Worlds((inside[0] + own + known_sum, inside[1]), (outside[0] + known_sum, outside[1]))


def sampled_answers(
    target: float, others: ArrayLike, drawn: int, sets: int, generator: np.random.Generator, known_sum: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Answers for any values, from random sets of the others.

    Parameters
    ----------
    target, others, drawn, known_sum
        As for `worlds_of_whole_numbers`; the values are any numbers.
    sets : int
        How many sets are drawn, at least 1.
    generator : numpy.random.Generator

    Returns
    -------
    tuple of ndarray, of shapes (sets, drawn) and (sets,)
        Equally likely answers given that the target is in, in the place of each of a set's people, and given that it is not.
    """
    own, others, drawn, known_sum = _checked(target, others, drawn, known_sum)
    sets = checks.count("sets", sets, 1)
    inside, outside = np.empty((sets, drawn)), np.empty(sets)
    size = max(1, _BLOCK // len(others))
    for first in range(0, sets, size):
        block = slice(first, min(first + size, sets))
        chosen = generator.permuted(np.tile(others, (block.stop - first, 1)), axis=1)[:, :drawn]
        outside[block] = chosen.sum(axis=1)
        inside[block] = outside[block, None] - chosen + own
    return inside + known_sum, outside + known_sum


def on_grid(answers: ArrayLike, spacing: float) -> Atoms:
    """Equally likely answers as atoms on multiples of a spacing: each on the two next to it, in shares that keep its mean.

    Parameters
    ----------
    answers : array_like
        Of any shape.
    spacing : float
        In (0, inf), in units of the answers. A thirtieth of normal noise changes the density of a release by less than a
        thousandth within three standard deviations of an answer.

    Returns
    -------
    Atoms

    Examples
    --------
    >>> on_grid([0.5, 0.75], 0.5)
    (array([0.5, 1. ]), array([0.75, 0.25]))
    """
    places = checks.within("answers", answers, "(-inf, inf)").ravel() / checks.number("spacing", spacing, "(0, inf)")
    below = np.floor(places)
    share = places - below
    index = (below - below.min()).astype(np.int64)
    size = int(index.max()) + 2
    weights = np.bincount(index, 1 - share, size) + np.bincount(index + 1, share, size)
    kept = np.flatnonzero(weights)
    return (below.min() + kept) * spacing, weights[kept] / len(places)


def _checked(target: float, others: ArrayLike, drawn: int, known_sum: float) -> tuple[float, FloatArray, int, float]:
    values = checks.within("others", others, "(-inf, inf)")
    if values.ndim != 1 or not len(values):
        raise errors.DomainError(f"others has shape {values.shape}; expected (n,) with n >= 1, a value for each person")
    drawn = checks.count("drawn", drawn, 1, len(values))
    return (
        checks.number("target", target, "(-inf, inf)"),
        values,
        drawn,
        checks.number("known_sum", known_sum, "(-inf, inf)"),
    )
