"""Which epsilon, and how much noise, keeps the ratio of everybody in a table within what is tolerated.

Epsilon follows from the largest tolerated posterior-to-prior ratio, by the bounds (24) or (26). The noise is the smallest at
which a criterion holds, at it and at every larger sigma.

The union mass T can be searched by bisection for every criterion T <= a with a <= 1/2, in any dimension. Where T <= 1/2 the
good region, which is convex, contains the origin, since a convex set without the origin lies in a half space of mass 1/2. So
|c_j|^2 <= 2 epsilon for every gap c_j. From there on a larger sigma widens the good region of every pair,
-epsilon / |c| - |c| / 2 <= <z, c> / |c| <= epsilon / |c| - |c| / 2, on both sides: T falls.

The failure probability rho is not monotone in sigma. But rho <= T, so that every sigma at which T keeps the criterion is
settled, and below it a grid is walked down until the criterion breaks for the first time. The wider bounds (26) do not fail
more often than (24), and are searched in the same way.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from disclosure.beliefs import tolerated_ratio
from disclosure.mechanisms import conversions, gaussian, privacy
from disclosure.numerics import checks, errors, rounding
from disclosure.people import exposure, populations

__all__ = [
    "CRITERIA",
    "Choice",
    "convert",
    "epsilon_for_ratio",
    "smallest_epsilon_for",
    "smallest_sigma",
]

CRITERIA = ("union_mass", "failure_probability")

# The least float above 0, for the logarithm of a mass that underflows.
_LEAST = 5e-324
# Ratio of neighbouring sigma on the grid that guards the failure probability, and where the walk down gives up.
_STEP = 0.97
_SMALLEST = 1e-3
_TOLERANCE = 1e-6


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
        Whether `largest` is attained by some set of neighbours, and exceeded by none; only not exceeded by any; or the largest
        over sampled sets.
    """

    epsilon: float
    sigma: float
    largest: float
    person: int
    kind: str


def epsilon_for_ratio(largest_ratio, prior=None):
    """The epsilon at which an upper bound on the posterior-to-prior ratio is what is tolerated.

    Parameters
    ----------
    largest_ratio : float
        In (1, inf), and below 1 / prior: a posterior is at most 1, so that no release can exceed a larger ratio.
    prior : float, optional
        The target's prior probability, for the bound (24); the prior-free bound (26) without it.

    Returns
    -------
    float
        log(r (1 - prior) / (1 - r prior)), or log r; the bound at it never exceeds ``largest_ratio``.

    Examples
    --------
    >>> epsilon_for_ratio(2.0)
    0.693147...
    >>> epsilon_for_ratio(2.0, prior=1 / 21)
    0.744440...
    """
    largest_ratio = checks.number(
        "largest_ratio", largest_ratio, "(1, inf)", "a ratio of 1 allows no release to change any belief"
    )
    if prior is not None:
        prior = checks.number("prior", prior, "(0, 1)")
        if largest_ratio * prior >= 1:
            raise errors.DomainError(
                f"largest_ratio = {largest_ratio:g} is no constraint at the prior {prior:g}, for a posterior is at most 1; "
                f"allowed: above 1 and below {1 / prior:g}"
            )
    return float(tolerated_ratio.epsilon_for_ratio(largest_ratio, prior).epsilon)


def convert(epsilon, delta, failure, neighbours):
    """Probabilistic privacy from an approximate one, with the tightest bounds at a stated failure probability.

    By Corollary 1 epsilon_prime falls in delta_prime. The bounds (25) fail with probability at most p delta_prime over p
    neighbours (paper A, section 4), so the largest delta_prime that the stated probability leaves room for is failure / p.

    Parameters
    ----------
    epsilon, delta : float
        Of approximate privacy.
    failure : float
        Stated failure probability of the bounds, in (p delta, 1).
    neighbours : int
        p = n - m.

    Returns
    -------
    epsilon_prime, delta_prime : float

    Examples
    --------
    >>> convert(1.0, 1e-5, 1e-3, 20)
    (1.29413..., 5e-05)
    """
    delta = checks.number("delta", delta, "[0, 1)")
    failure = checks.number("failure", failure, "(0, 1)")
    if failure <= neighbours * delta:
        raise errors.DomainError(
            f"failure = {failure:g} is not above {neighbours} neighbours times delta = {delta:g}, so that Corollary 1 gives no "
            f"bounds; state a failure above {neighbours * delta:g} or a delta below {failure / neighbours:g}"
        )
    return conversions.approximate_to_probabilistic(epsilon, delta, delta_prime=failure / neighbours)


def smallest_epsilon_for(population, query, sample, sigma, failure, targets):
    """The smallest epsilon whose bounds a given noise keeps for all targets, but for a tolerated union mass.

    Takes the arguments of `smallest_sigma`, with sigma in (0, inf) in place of epsilon.

    Returns
    -------
    Choice
        Its bounds (24) are the tightest whose largest union mass over people and datasets is not above ``failure``.
    """
    sigma = checks.number("sigma", sigma, "(0, inf)")
    criterion = _checked(population, query, sample, failure)
    epsilon, binding = criterion.smallest(
        targets,
        lambda epsilon: (sigma, epsilon),
        lambda mass, reach: float(privacy.probabilistic_epsilon(mass, rounding.quotient_up(reach, sigma))),
    )
    return criterion.choice(sigma, epsilon, targets, binding)


def smallest_sigma(
    population, query, sample, epsilon, failure, targets, criterion="union_mass", datasets=20, seed=0, bounds="prior"
):
    """The smallest noise at which a criterion holds for all targets, at it and at every larger sigma.

    Parameters
    ----------
    population : disclosure.people.populations.Population
    query : disclosure.people.queries.Query
        Linear: for other queries the union over all sets of neighbours is not known.
    sample : int
        Size m of the dataset, 1 <= m < n.
    epsilon : float
        In (0, inf).
    failure : float
        What the criterion must not exceed, in [1e-300, 1/2].
    targets : sequence of int
        Places in the table, counted from 0.
    criterion : {"union_mass", "failure_probability"}, optional
        The largest union mass over all sets of neighbours, with its numerical error added, or the largest failure probability
        over ``datasets`` sampled ones, or over all if few are different. The latter holds at every sigma of a grid with steps
        of 3% up to where the former holds, and from there on for certain. It needs everybody among the targets, of people who
        are alike one: what it is of somebody else is not known.
    datasets : int, optional
    seed : int, optional
    bounds : {"prior", "prior_free"}, optional
        Of which bounds the failure probability is: (24) or (26). The union mass limits both.

    Returns
    -------
    Choice
        Its sigma is 0 where nobody differs from the target, since then no noise is needed.
    """
    epsilon = checks.number("epsilon", epsilon, "(0, inf)", "no noise level can be calibrated to epsilon = 0")
    if criterion not in CRITERIA:
        raise errors.DomainError(f"criterion = {criterion!r} is none of {', '.join(CRITERIA)}")
    union_mass = _checked(population, query, sample, failure)
    if criterion == "failure_probability":
        _everybody(population, targets)
    sigma, binding = union_mass.smallest(
        targets,
        lambda sigma: (sigma, epsilon),
        lambda mass, reach: gaussian.calibrate(epsilon, mass, reach, definition="probabilistic"),
    )
    if criterion == "union_mass" or sigma == 0:
        return union_mass.choice(sigma, epsilon, targets, binding)
    sets = {target: populations.neighbour_sets(seed, population, sample, target, datasets) for target in targets}
    return _Guarded(union_mass, epsilon, sets, bounds).smallest(sigma)


def _everybody(population, targets):
    cases = population.cases
    missing = len(cases.first) - len(np.unique(cases.of[np.asarray(targets)]))
    if missing:
        raise errors.DomainError(
            f"criterion = failure_probability needs everybody, and {missing:,} of {len(cases.first):,} different people are no "
            f"targets; take --targets {len(cases.first)}, or --criterion union_mass"
        )


def _checked(population, query, sample, failure):
    populations.check_sample(len(population.values), sample)
    hint = "a criterion that mostly fails is none, and smaller probabilities have too few digits in floating point"
    failure = checks.number("failure", failure, "[1e-300, 0.5]", hint)
    if query.factor is None:
        raise errors.DomainError(
            f"query {query.name} is not linear; noise can be chosen for a mean, sum, identity or count"
        )
    return _UnionMass(population, query, sample, failure)


class _UnionMass(NamedTuple):
    """The criterion that the largest union mass of all targets over all sets of neighbours is not above ``failure``."""

    population: object
    query: object
    sample: int
    failure: float

    def smallest(self, targets, at, calibrated):
        """The smallest of a variable in which T falls, and the target that asks for it: the largest of the targets' own.

        Parameters
        ----------
        targets : sequence of int
        at : callable
            From the variable to sigma and epsilon.
        calibrated : callable
            From a mass and a distance to the variable at which the bad region of answers so far apart has this mass.
        """
        smallest, binding = 0.0, None
        reach = {target: self._reach(target) for target in targets}
        for target in sorted(targets, key=lambda target: -reach[target]):
            if reach[target] > 0 and (binding is None or self.excess(target, *at(smallest)) > 0):
                smallest, binding = (
                    self._own(target, smallest, at, lambda mass, t=target: calibrated(mass, reach[t])),
                    target,
                )
        return smallest, binding

    def choice(self, sigma, epsilon, targets, binding):
        """What is chosen for a binding target; without one nobody differs from anybody, and T is 0."""
        if binding is None:
            return Choice(epsilon, sigma, 0.0, int(targets[0]) + 1, "exact")
        supremum = self._supremum(binding, sigma, epsilon)
        return Choice(epsilon, sigma, float(supremum.mass.value), int(binding) + 1, supremum.kind)

    def excess(self, target, sigma, epsilon):
        """Logarithm of T, its numerical error added, over what is tolerated."""
        mass = self._supremum(target, sigma, epsilon).mass
        return math.log(max(mass.value + mass.error, _LEAST)) - math.log(self.failure)

    def _own(self, target, known, at, calibrated):
        """The smallest of one target, which is above a known one.

        A bracket: T is not below the mass of the farthest neighbour's bad region, nor above that times their number.
        """

        def excess(variable):
            return self.excess(target, *at(variable))

        low = calibrated(self.failure)
        if excess(low) <= 0:
            return low
        high = calibrated(self.failure / (len(self.population.values) - 1)) * (1 + 1e-9)
        ends = math.log(max(low, known)), math.log(high)
        root = math.exp(brentq(lambda log: excess(math.exp(log)), *ends, xtol=1e-13))
        return float(rounding.to_private_side(lambda variable: excess(float(variable)), root))

    def _supremum(self, target, sigma, epsilon):
        return exposure.supremum_of(self.population, self.query, sigma, epsilon, self.sample, target)

    def _reach(self, target):
        """Largest distance of the answers of the target's neighbours."""
        differences = self.query.differences(self.population.values[target], self.population.values)
        return float(np.linalg.norm(differences, axis=1).max())


class _Guarded(NamedTuple):
    """The criterion that the largest failure probability over sets of neighbours is not above ``failure``."""

    union_mass: _UnionMass
    epsilon: float
    sets: dict  # of each target
    bounds: str

    def smallest(self, settled):
        """Down from a sigma at which T has settled the question, until the criterion breaks for the first time."""
        holds, broken = settled, settled * _STEP
        while self._exceeding(broken) is None:
            holds, broken = broken, broken * _STEP
            if broken < _SMALLEST * settled:
                raise errors.DomainError(
                    f"failure = {self.union_mass.failure:g} is kept by every sigma down to {broken:g}; take a smaller "
                    "failure or ratio"
                )
        while holds > broken * (1 + _TOLERANCE):
            middle = math.sqrt(holds * broken)
            exceeding = self._exceeding(middle)
            holds, broken = (middle, broken) if exceeding is None else (holds, middle)
        largest = {target: self._failure_probability(target, holds) for target in self.sets}
        person = max(largest, key=largest.get)
        kind = "sampled" if any(sets.probabilities is None for sets in self.sets.values()) else "exact"
        return Choice(self.epsilon, holds, largest[person], int(person) + 1, kind)

    def _exceeding(self, sigma):
        """A target whose failure probability is above the criterion, if any; not above T, it need not be looked at."""
        return next(
            (
                target
                for target in self.sets
                if self.union_mass.excess(target, sigma, self.epsilon) > 0
                and self._failure_probability(target, sigma) > self.union_mass.failure
            ),
            None,
        )

    def _failure_probability(self, target, sigma):
        """The largest over the sets of neighbours, the numerical error added."""
        population, query = self.union_mass.population, self.union_mass.query
        found = (
            exposure.failure_probabilities(population, query, sigma, self.epsilon, target, block, self.bounds)
            for block in self.sets[target].blocks()
        )
        return max(float((estimate.value + estimate.error).max()) for estimate in found)
