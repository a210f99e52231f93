"""Expected values in an infinite population: the limit of infinitely many neighbours, n - m to infinity.

An adversary who does not know the population has its law alone. Then the mixture g is its mean over the law of a neighbour's
attribute b, g(z) = E_b exp(-L_b(z)), and every attribute of positive density is some neighbour's. The sample size m stays
finite. It does not enter: by paper A's query a dataset and its neighbour differ in one attribute.

- The failure probability: given the release t, the mean term of `given_release` is its expectation. So the density of failing
  releases at t is Psi there, and its integral over t is E[rho].
- The union mass: the release lies in some neighbour's bad region unless it lies in a neighbour's good region for every
  attribute of the interval. For one target a that is an interval of the noise, in closed form.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from disclosure.beliefs import inclusion, regions
from disclosure.expected.attribute_laws import Discrete
from disclosure.expected.densities import Density
from disclosure.expected.given_release.failing_targets import failing
from disclosure.expected.given_release.terms import LOWER, UPPER, TermLaw, kinks_of_failing, term_law
from disclosure.expected.over_releases import crossings, first_panels
from disclosure.expected.setting import ROUNDING, Setting
from disclosure.numerics import errors, quadrature
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import FloatArray

__all__ = [
    "failure_probability",
    "failure_probability_over_values",
    "union_mass",
    "union_mass_of_target",
    "union_mass_over_values",
]

# Relative error of the mean term of a release, and so about that of the density of failing releases.
_MEAN_ERROR = 3e-9
# Panels of releases at most. The density of failing releases begins like a square root where a threshold is first passed, and
# there panels are halved many times.
_MOST_PANELS = 600
# Factor of the rule's own error estimate, which at such a point can be less than the error.
_CAUTION = 2.0
# Nodes on a panel of targets, from coarse to fine; the finer one checks the coarser.
_COARSE, _FINE = 12, 20
# Targets between which the good interval's length is looked at for a change of sign, on half of the interval.
_GRID = np.linspace(0.0, 0.5, 200)[1:]
# Lengths of the interval: shortest panel beside a kink of the union mass, and ratio of two neighbouring panels.
_SHORTEST, _RATIO = 1e-9, 3.0


def failure_probability(density: Density, setting: Setting) -> Estimate[float]:
    """E[rho] for a density, by quadrature over releases.

    Parameters
    ----------
    density : Density
        Of the attributes of target and neighbours.
    setting : Setting
        With infinitely many neighbours, and sigma > 0.
    """
    sigma, work = setting.sigma, setting.work()

    def law(t: float) -> TermLaw:
        # With both thresholds no term is cut off, and the number of neighbours enters nowhere.
        found = term_law(t, density, 1, setting.levels, sigma, (LOWER, UPPER), work)
        assert found is not None
        return found

    def distances_from_kinks(t: float) -> FloatArray:
        known = law(t)
        return np.asarray(known.release.log(known.mean) - kinks_of_failing(known))

    def density_at(releases: FloatArray) -> FloatArray:
        laws = [law(float(t)) for t in releases]
        return np.array([float(failing(known, np.array([known.mean]))[0]) for known in laws])

    ends, copies = first_panels(density, sigma)
    ends = np.union1d(ends, crossings(ends, distances_from_kinks))
    found = quadrature.adaptive(density_at, ends, setting.rtol / 4, _MOST_PANELS)
    error = _CAUTION * found.error + _MEAN_ERROR * found.value
    return setting.estimate(copies * found.value, copies * error)


def union_mass(density: Density, setting: Setting) -> Estimate[float]:
    """E[T] for a density, of the arguments of `failure_probability`, by quadrature over targets."""
    inside = density.points[(density.points > 0) & (density.points < 1)]
    if not np.all(density(inside, 1 - inside) > 0):
        raise errors.DomainError(
            "attributes has a density that is 0 somewhere between the ends of its interval; in an infinite population the "
            "union mass is worked out for densities that are positive there"
        )
    epsilon, sigma = setting.epsilon, setting.sigma
    kinks = _kinks_of_union_mass(epsilon, sigma)
    near = [quadrature.graded(kink, _SHORTEST, 0.0, 1.0, _RATIO) for kink in kinks]
    breaks = np.concatenate([*near, kinks, density.panel_ends])
    ends = quadrature.partition(density.points, density.demand, breaks)
    values = []
    for order in (_COARSE, _FINE):
        targets, weights = density.rule(ends, order)
        values.append(float(weights @ union_mass_of_target(targets, epsilon, sigma)))
    return setting.estimate(values[1], abs(values[1] - values[0]) + ROUNDING * values[1])


def failure_probability_over_values(law: Discrete, setting: Setting) -> Estimate[float]:
    """E[rho] for a finite list of values: the exact one of each target against all values, weighted by their probabilities."""
    return _over_values(
        law, setting, lambda gaps: inclusion.failure_probability(gaps, setting.epsilon, law.probabilities)
    )


def union_mass_over_values(law: Discrete, setting: Setting) -> Estimate[float]:
    """E[T] for a finite list of values: somebody has each of them."""
    return _over_values(law, setting, lambda gaps: regions.union_mass(gaps, setting.epsilon))


def _over_values(
    law: Discrete, setting: Setting, quantity: Callable[[FloatArray], Estimate[FloatArray]]
) -> Estimate[float]:
    if len(law.values) == 1:
        return Estimate(0.0, 0.0)
    gaps = regions.standardised_gaps(law.values[:, None], law.values[:, None], setting.sigma)
    found = quantity(gaps)
    value, error = (float(law.probabilities @ part) for part in found)
    return setting.estimate(value, error + ROUNDING * value)


def union_mass_of_target(target: FloatArray, epsilon: float, sigma: float) -> FloatArray:
    """T of one target if every attribute of [0, 1] is some neighbour's.

    A neighbour at the gap c = (a - b) / sigma > 0 is good while -epsilon / c - c / 2 <= z <= epsilon / c - c / 2. The upper
    end is least for the largest gap. The lower end is largest for the gap (2 epsilon)^(1/2), or for the largest gap if that is
    smaller. Gaps below 0 mirror this.

    Parameters
    ----------
    target : ndarray, shape (...)
        Attributes, in [0, 1].
    epsilon, sigma : float
        In (0, inf).

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> union_mass_of_target(np.array([0.0, 0.5]), 1.0, 1.8)
    array([0.08..., 0.00...])
    """
    with np.errstate(divide="ignore"):
        above, below = _good_end(target, 1 - target, epsilon, sigma), _good_end(1 - target, target, epsilon, sigma)
        return np.minimum(ndtr(-above) + ndtr(-below), 1.0)


def _good_end(before: FloatArray, behind: FloatArray, epsilon: float, sigma: float) -> FloatArray:
    """How far the noise may go up before some neighbour is bad: distances to the ends of the interval below and above."""
    largest, nearer = before / sigma, np.minimum(behind / sigma, np.sqrt(2 * epsilon))
    return np.asarray(np.minimum(epsilon / largest - largest / 2, epsilon / nearer + nearer / 2))


def _kinks_of_union_mass(epsilon: float, sigma: float) -> FloatArray:
    """Targets at which another neighbour begins to decide an end of the good interval, and the interval's ends."""
    steepest = np.sqrt(2 * epsilon) * sigma
    far = steepest * (np.sqrt(2.0) - 1)
    # Where epsilon / c - c / 2 = epsilon / d + d / 2 for gaps with c + d = 1 / sigma.
    half = 0.5 + 2 * epsilon * sigma**2
    near = 2 * epsilon * sigma**2 / (half + np.sqrt(half**2 - 2 * epsilon * sigma**2))
    empty = crossings(_GRID, lambda a: np.array([_good_length(a, epsilon, sigma)]))
    kinks = np.array([0.0, steepest, far, near, *empty])
    return np.unique(np.clip(np.concatenate([kinks, 1 - kinks]), 0.0, 1.0))


def _good_length(target: float, epsilon: float, sigma: float) -> float:
    """Length of the interval of noise at which no neighbour is bad; below 0 there is none."""
    ends = np.array([target, 1 - target])
    return float(_good_end(ends, ends[::-1], epsilon, sigma).sum())
