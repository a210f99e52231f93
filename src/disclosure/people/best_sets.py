"""The sets of neighbours that are farthest, and with weights the farthest ones of each weight.

With weights the prior over neighbours is in proportion to them, and the prior of the target the smaller, the heavier all
neighbours are together. The limits on the ratio rise in a weighted mean over the neighbours and fall in that prior, and no set
need have both the largest mean and the largest weight. `best_sets` divide all sets by their weight into a few classes. Each
has a limit on the mean of its sets, and two on their weight: a limit that holds for these in every class holds for every set.

A set is a point: its weight W = sum w_j, and its total V = sum w_j v_j. For each x the largest V + x W over all sets, M(x), is
found by taking the largest of the terms w_j (v_j + x). So the mean V / W of a set of the weight W is at most M(x) / W - x,
whatever x is. Good ones are the slopes of the convex hull of the points, from the lightest set over the one of the largest mean
to the heaviest: where the hull has a corner beyond a chord, that corner is found with the slope of the chord, and makes two
shorter ones.
"""

import itertools
from typing import NamedTuple

import numpy as np

from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["BestSets", "best_sets", "largest_mean"]

# Classes of sets by weight, and slopes that are tried at most.
_CLASSES, _SLOPES = 128, 24
# Relative rounding of sums of products, added pairwise.
_ROUNDING = 64 * UNIT


class BestSets(NamedTuple):
    """Classes of sets of neighbours, by their weight.

    Attributes
    ----------
    means : ndarray, shape (k,)
        What the weighted mean of no set of the class exceeds.
    lightest, heaviest : ndarray, shape (k,)
        Between which the sum of the weights of each set of the class is. Without weights there is one class, and a weight is
        the number of neighbours.
    """

    means: FloatArray
    lightest: FloatArray
    heaviest: FloatArray


def best_sets(values: FloatArray, weights: FloatArray | None, size: int, classes: int = _CLASSES) -> BestSets:
    """Classes of all sets of so many of some values.

    Parameters
    ----------
    values : ndarray, shape (k,)
        At least 0.
    weights : ndarray, shape (k,), or None
        Above 0; None for all alike.
    size : int
        From 1 to k.
    classes : int, optional
        How many, with weights.

    Returns
    -------
    BestSets

    Examples
    --------
    >>> sets = best_sets(np.array([4.0, 1.0, 0.0]), np.array([1.0, 2.0, 8.0]), 2)
    >>> round(float(sets.lightest[0]), 9), round(float(sets.heaviest[-1]), 9)
    (3.0, 10.0)
    >>> float(sets.means[0]), bool(sets.means[-1] < 0.4)
    (2.0, True)
    """
    mean, farthest = largest_mean(values, weights, size)
    if weights is None:
        return BestSets(*(np.array([value]) for value in (mean, float(size), float(size))))
    lightest, heaviest = (_largest(sign * weights, size) for sign in (-1.0, 1.0))
    least, most = weights[lightest].sum() * (1 - _ROUNDING), weights[heaviest].sum() * (1 + _ROUNDING)
    edges = np.maximum.accumulate(np.geomspace(least, most, classes + 1))  # rounding may turn equal ones round
    slopes, largest = _hull(values, weights, lightest, farthest, heaviest)
    # M(x) may be below 0 for lighter sets than that of the largest mean.
    means = (np.maximum(largest / edges[:-1, None], largest / edges[1:, None]) - slopes).min(axis=1, initial=mean)
    return BestSets(means, edges[:-1], edges[1:])


def _hull(values: FloatArray, weights: FloatArray, *corners: IntArray) -> tuple[FloatArray, FloatArray]:
    """Slopes x of the hull along some of its corners, from light to heavy, and M(x) for each, rounded up."""
    slopes, largest, size = list[float](), list[float](), len(corners[0])
    chords = list(itertools.pairwise(_point(values, weights, corner) for corner in corners))
    while chords and len(slopes) < _SLOPES:
        (weight, total), (other_weight, other_total) = begin, end = chords.pop(0)
        if other_weight <= weight * (1 + _ROUNDING):
            continue
        x = (total - other_total) / (other_weight - weight)
        corner = _point(values, weights, _largest(weights * (values + x), size))
        most, on_chord = corner[1] + x * corner[0], total + x * weight
        margin = _ROUNDING * (corner[1] + abs(x) * corner[0])
        slopes.append(x)
        largest.append(max(most, on_chord) + margin)
        if most > on_chord + margin:
            chords += [(begin, corner), (corner, end)]
    return np.array(slopes), np.array(largest)


def _point(values: FloatArray, weights: FloatArray, chosen: IntArray) -> tuple[float, float]:
    """Weight and total of a set."""
    return float(weights[chosen].sum()), float(weights[chosen] @ values[chosen])


def _largest(terms: FloatArray, size: int) -> IntArray:
    """Places of the largest terms."""
    return np.argpartition(terms, len(terms) - size)[len(terms) - size :]


def largest_mean(values: FloatArray, weights: FloatArray | None, size: int) -> tuple[float, IntArray]:
    """The largest weighted mean of so many of some values.

    Parameters
    ----------
    values, weights, size
        As those of `best_sets`.

    Returns
    -------
    mean : float
    places : ndarray of int, shape (size,)
        Of the values whose mean it is.

    Notes
    -----
    With weights w the mean of a set exceeds a level l if the sum of w (v - l) over it is above 0, and the best set for that is
    known for each l. With the mean of that set as the next level, the means rise until the set stays the same: Dinkelbach's
    method, which ends after a few steps as there are finitely many sets.
    """
    if weights is None:
        places = _largest(values, size)
        return float(values[places].mean()), places
    mean, places = -np.inf, np.arange(0)
    while True:
        chosen = _largest(weights * (values - (0.0 if mean == -np.inf else mean)), size)
        found = float(weights[chosen] @ values[chosen] / weights[chosen].sum())
        if found <= mean:
            return mean, places
        mean, places = found, chosen
