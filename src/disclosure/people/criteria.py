"""Criteria that a release keeps for everybody in a table, and the smallest noise or epsilon at which each is kept.

`UnionMass` holds the largest union mass T against what is tolerated. A criterion T <= a with a <= 1/2 can be searched by
bisection, in any dimension: where T <= 1/2 the good region, which is convex, contains the origin, since a convex set without
the origin lies in a half space of mass 1/2. So |c_j|^2 <= 2 epsilon for every gap c_j. From there on a larger sigma widens the
good region of every pair, -epsilon / |c| - |c| / 2 <= <z, c> / |c| <= epsilon / |c| - |c| / 2, on both sides: T falls.

`FailureProbability` does the same for the failure probability rho, which is not monotone in sigma. But rho <= T, so that every
sigma at which T keeps the criterion is settled. Below it a grid is walked down until the criterion breaks for the first time.
The wider bounds (26) do not fail more often than (24), and are searched in the same way.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import brentq

from disclosure.beliefs import inclusion
from disclosure.numerics import errors, rounding
from disclosure.people.exposure import failure_probabilities
from disclosure.people.neighbour_sets import NeighbourSets
from disclosure.people.queries import Query
from disclosure.people.records import Records
from disclosure.people.supremum import Supremum, supremum_of

__all__ = ["CRITERIA", "STEP", "Choice", "FailureProbability", "UnionMass"]

CRITERIA = ("union_mass", "failure_probability")

# The least float above 0, for the logarithm of a mass that underflows.
_LEAST = 5e-324
# Absolute error of the logarithm of a root.
_ROOT_ERROR = 1e-13
# Relative distance of the upper end of a bracket above a sigma at which the criterion is known to hold.
_ABOVE = 1e-9
# The grid of sigma on which the failure probability is looked at: ratio of each sigma to the one before; the smallest sigma
# over the one where T settles the question; and the relative error of the sigma at which the criterion breaks.
STEP = 0.97
_SMALLEST = 1e-3
_TOLERANCE = 1e-6

# From the variable that is searched to sigma and epsilon; and from a mass and a distance to the variable at which the bad
# region of two answers so far apart has this mass.
_Setting: TypeAlias = Callable[[float], tuple[float, float]]
_Calibrated: TypeAlias = Callable[[float, float], float]


class Choice(NamedTuple):
    """Epsilon and noise that keep a criterion, one given and the other the smallest.

    Attributes
    ----------
    epsilon, sigma : float
    largest : float
        What the criterion is about: the largest over people, not above what is tolerated.
    person : int
        Whose it is: row of the table, counted from 1.
    kind : {"exact", "bound", "sampled"}
        ``exact`` if some set of neighbours attains `largest` and none exceeds it, ``bound`` if none exceeds it, ``sampled`` if
        it is the largest over sampled sets.
    """

    epsilon: float
    sigma: float
    largest: float
    person: int
    kind: str


class UnionMass(NamedTuple):
    """The criterion that the largest union mass of all targets over all sets of neighbours is not above ``failure``.

    Attributes
    ----------
    records : Records
    query : Query
    sample : int
        Size m of the dataset.
    failure : float
        In (0, 1/2].
    """

    records: Records
    query: Query
    sample: int
    failure: float

    def smallest(self, targets: Sequence[int], setting: _Setting, calibrated: _Calibrated) -> tuple[float, int | None]:
        """The smallest value of a variable in which T falls, noise or epsilon: the largest of the targets' own.

        Parameters
        ----------
        targets : sequence of int
            Places in the table.
        setting : callable
            From the variable to sigma and epsilon.
        calibrated : callable
            From a mass and a distance to the variable at which the bad region of answers so far apart has this mass.

        Returns
        -------
        smallest : float
            0 where nobody differs from any target.
        binding : int or None
            The target that asks for it.
        """
        smallest, binding = 0.0, None
        reach = {target: self._reach(target) for target in targets}
        for target in sorted(targets, key=lambda target: -reach[target]):
            if reach[target] > 0 and (binding is None or self.excess(target, *setting(smallest)) > 0):
                smallest, binding = self._own(target, reach[target], smallest, setting, calibrated), target
        return smallest, binding

    def choice(self, sigma: float, epsilon: float, targets: Sequence[int], binding: int | None) -> Choice:
        """What is chosen for a binding target; without one nobody differs from anybody, and T is 0."""
        if binding is None:
            return Choice(epsilon, sigma, 0.0, self.records.row(targets[0]), "exact")
        supremum = self._supremum(binding, sigma, epsilon)
        return Choice(epsilon, sigma, float(supremum.mass.value), self.records.row(binding), supremum.kind)

    def excess(self, target: int, sigma: float, epsilon: float) -> float:
        """Logarithm of T of a target, its numerical error added, over what is tolerated."""
        mass = self._supremum(target, sigma, epsilon).mass
        return math.log(max(mass.value + mass.error, _LEAST)) - math.log(self.failure)

    def _own(self, target: int, reach: float, known: float, setting: _Setting, calibrated: _Calibrated) -> float:
        """The smallest value of the variable for one target; it is known to be above ``known``.

        The bracket of the search follows from this: T is at least the mass of the farthest neighbour's bad region, and at most
        that mass times the number of neighbours.
        """

        def excess(variable: float) -> float:
            return self.excess(target, *setting(variable))

        low = calibrated(self.failure, reach)
        if excess(low) <= 0:
            return low
        high = calibrated(self.failure / len(self.records.of_others(target)), reach) * (1 + _ABOVE)
        ends = math.log(max(low, known)), math.log(high)
        root = brentq(lambda log: excess(math.exp(log)), *ends, xtol=_ROOT_ERROR)
        return float(rounding.to_private_side(lambda variable: excess(float(variable)), math.exp(root)))

    def _supremum(self, target: int, sigma: float, epsilon: float) -> Supremum:
        return supremum_of(self.records, self.query, sigma, epsilon, self.sample, target)

    def _reach(self, target: int) -> float:
        """Largest distance of the answers of the target's neighbours."""
        differences = self.query.differences(self.records.values[target], self.records.values)
        return float(np.linalg.norm(differences, axis=1).max())


class FailureProbability(NamedTuple):
    """The criterion that the largest failure probability over sets of neighbours is not above what is tolerated.

    Attributes
    ----------
    union_mass : UnionMass
        The criterion for T, with the same tolerance.
    epsilon : float
        Of the bounds.
    sets : dict of int to NeighbourSets
        Of each target.
    bounds : {"prior", "prior_free"}
        The bounds (24) or (26).
    """

    union_mass: UnionMass
    epsilon: float
    sets: Mapping[int, NeighbourSets]
    bounds: inclusion.Bounds

    def smallest(self, settled: float) -> Choice:
        """The smallest sigma: from one at which T has settled the question down, until the criterion first breaks."""
        holds, broken = settled, settled * STEP
        while self._exceeding(broken) is None:
            holds, broken = broken, broken * STEP
            if broken < _SMALLEST * settled:
                raise errors.DomainError(
                    f"failure = {self.union_mass.failure:g} is kept by every sigma down to {broken:g}; take a smaller "
                    "failure or ratio"
                )
        while holds > broken * (1 + _TOLERANCE):
            middle = math.sqrt(holds * broken)
            exceeding = self._exceeding(middle)
            holds, broken = (middle, broken) if exceeding is None else (holds, middle)
        largest = {target: self._largest(target, holds) for target in self.sets}
        person = max(largest, key=largest.__getitem__)
        kind = "sampled" if any(sets.probabilities is None for sets in self.sets.values()) else "exact"
        return Choice(self.epsilon, holds, largest[person], self.union_mass.records.row(person), kind)

    def _exceeding(self, sigma: float) -> int | None:
        """A target whose failure probability is above what is tolerated, or None. T, never below it, is tested first."""
        return next(
            (
                target
                for target in self.sets
                if self.union_mass.excess(target, sigma, self.epsilon) > 0
                and self._largest(target, sigma) > self.union_mass.failure
            ),
            None,
        )

    def _largest(self, target: int, sigma: float) -> float:
        """The largest failure probability of a target over its sets of neighbours, the numerical error added."""
        records, query = self.union_mass.records, self.union_mass.query
        found = (
            failure_probabilities(records, query, sigma, self.epsilon, target, block, self.bounds)
            for block in self.sets[target].blocks()
        )
        return max(float((estimate.value + estimate.error).max()) for estimate in found)
