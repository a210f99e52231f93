"""The logarithm of the factor by which a release changes the odds of an event, at many releases at once.

It is log f_inside(t) - log f_outside(t), that is -log g(t) of `mixtures`. Sums of kernels are scaled by their largest term; a
factor that does not depend on the answer cancels and is left out. Where the signs of `kernels` are exact, these values have an
absolute error of some 1e-14: enough to find where they pass a level, if it is passed at an angle.
"""

from typing import NamedTuple

import numpy as np

from disclosure.beliefs.noises import Noise
from disclosure.beliefs.piece_sums import nodes_on
from disclosure.beliefs.worlds import Law
from disclosure.numerics.ordered_sums import contracted
from disclosure.numerics.types import FloatArray

__all__ = ["LogOdds", "log_odds"]

# Terms of sums that are in memory at once: 32 MB.
_BLOCK = 1 << 22


class LogOdds(NamedTuple):
    """How the odds change along the line of releases.

    A position is (release - origin) / scale, in scales of the noise.
    """

    inside: Law
    outside: Law
    noise: Noise
    origin: float

    def __call__(self, positions: FloatArray) -> FloatArray:
        """Log of the posterior odds over the prior odds at positions of any shape."""
        return self._by_blocks(positions, slopes=False)

    def slopes(self, positions: FloatArray) -> FloatArray:
        """Derivatives by the position; for noise of Gaussian shape and laws without pieces (`log_odds`)."""
        return self._by_blocks(positions, slopes=True)

    def _by_blocks(self, positions: FloatArray, slopes: bool) -> FloatArray:
        flat, size = np.ravel(positions), max(len(law.answers) + len(law.pieces) for law in (self.inside, self.outside))
        rows = max(1, _BLOCK // size)
        parts = [np.empty(0)]
        for start in range(0, len(flat), rows):
            block = flat[start : start + rows]
            inside, outside = (self._of(law, block, slopes) for law in (self.inside, self.outside))
            parts.append(inside - outside)
        return np.concatenate(parts).reshape(np.shape(positions))

    def _of(self, law: Law, positions: FloatArray, slopes: bool) -> FloatArray:
        """Log of a law's density, up to what does not depend on the law, or its derivative."""
        places = (law.answers - self.origin) / self.noise.scale
        with np.errstate(divide="ignore"):
            logs = np.log(law.weights / (law.weights.sum() + law.pieces[:, 2].sum()))
        if not self.noise.exponential:
            exponents = positions[:, None] * places + (logs - places**2 / 2)
            return _mean(exponents, places) if slopes else _log_sum(exponents)
        atoms = logs - np.abs(positions[:, None] - places)
        return _log_sum(np.concatenate([atoms, self._of_pieces(law, positions)], axis=1))

    def _of_pieces(self, law: Law, positions: FloatArray) -> FloatArray:
        """Logs of the integrals of exp(-|t - x| / scale) over the pieces of a law, each with its weight."""
        left, right = ((law.pieces[:, :2] - self.origin) / self.noise.scale).T
        before, after = positions[:, None] - left, right - positions[:, None]
        outside = np.maximum(np.maximum(-before, -after), 0.0)
        within = outside == 0
        masses = np.where(
            within,
            -np.expm1(-np.where(within, before, 0.0)) - np.expm1(-np.where(within, after, 0.0)),
            -np.expm1(left - right),
        )
        shares = law.pieces[:, 2] / (law.weights.sum() + law.pieces[:, 2].sum()) / (right - left)
        return np.asarray(np.log(masses * shares) - outside)


def log_odds(inside: Law, outside: Law, noise: Noise, origin: float) -> LogOdds:
    """The function for two laws; under noise of Gaussian shape nodes of Gauss's rule stand for pieces.

    Parameters
    ----------
    inside, outside : Law
    noise : Noise
    origin : float
        Near the answers, in their units.

    Returns
    -------
    LogOdds
    """
    if not noise.exponential:
        inside, outside = (_with_nodes(law, noise.scale) for law in (inside, outside))
    return LogOdds(inside, outside, noise, origin)


def _with_nodes(law: Law, scale: float) -> Law:
    """A law in which nodes of Gauss's rule stand for pieces."""
    answers, weights = [law.answers], [law.weights]
    for lower, upper, weight in law.pieces.tolist():
        nodes, shares = nodes_on(lower, upper, scale)
        answers, weights = [*answers, nodes], [*weights, shares / (upper - lower) * weight]
    return Law(np.concatenate(answers), np.concatenate(weights), np.empty((0, 3)))


def _log_sum(exponents: FloatArray) -> FloatArray:
    largest = exponents.max(axis=1)
    return np.asarray(largest + np.log(np.exp(exponents - largest[:, None]).sum(axis=1)))


def _mean(exponents: FloatArray, places: FloatArray) -> FloatArray:
    terms = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return np.asarray(contracted("kn,n->k", terms, places) / terms.sum(axis=1))
