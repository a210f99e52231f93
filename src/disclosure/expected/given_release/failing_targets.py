"""Psi: the density of the release at t and of a failing target, as a function of the mean term.

A target is failing if the bounds of its ratio fail, given the mean term.
"""

import functools

import numpy as np

from disclosure.expected.densities import Density, Uniform
from disclosure.expected.given_release.settings import SETTINGS
from disclosure.expected.given_release.terms import LOWER, UPPER, TermLaw, variation
from disclosure.numerics import quadrature
from disclosure.numerics.normal import mass_between
from disclosure.numerics.types import FloatArray

__all__ = ["failing"]


def failing(law: TermLaw, means: FloatArray) -> FloatArray:
    """Psi at mean terms.

    log g is above its upper level for targets whose attribute is far enough from the release, and below its lower level for
    targets whose attribute is near enough.

    Parameters
    ----------
    law : TermLaw
    means : ndarray, shape (...)
        Mean terms, as the release holds terms.

    Returns
    -------
    ndarray, shape (...)
        Per unit of the release.
    """
    release = law.release
    log = release.log(means)
    far, near = np.full_like(log, np.inf), np.zeros_like(log)
    if UPPER in release.thresholds:
        far = release.distance(log - release.levels.high)
    if LOWER in release.thresholds:
        low = release.levels.low
        near = np.where(log + release.unit - low < 0, release.distance(log - low), 0.0)
    mass: FloatArray = _mass(law.density, law, far, near)
    return mass


@functools.singledispatch
def _mass(density: Density, law: TermLaw, far: FloatArray, near: FloatArray) -> FloatArray:
    """Integral, over targets at least ``far`` or at most ``near`` sigma from the release, of their density times the release's.

    It is added up from masses on small panels. The sums run from the ends of the interval inwards, and from the nearest
    attribute outwards, so that small masses are not differences of large ones.
    """
    release = law.release
    cuts = np.clip(release.t + release.sigma * np.stack([-far, far, -near, near]), 0.0, 1.0)
    cuts[2:] = np.where(near > 0, cuts[2:], release.nearest)
    logs = np.maximum(law.logs, -SETTINGS.largest_exponent)
    wanted = law.demand + variation(logs) / SETTINGS.log_per_panel
    ends = quadrature.partition(
        law.points, wanted, np.concatenate([cuts.ravel(), [release.nearest], density.panel_ends])
    )
    law.work.spend(SETTINGS.mass_order * len(ends) / SETTINGS.values_of_work)
    nodes, weights = density.rule(ends, SETTINGS.mass_order)
    normal = np.exp(-(((release.t - nodes) / release.sigma) ** 2) / 2) / (release.sigma * np.sqrt(2 * np.pi))
    masses = (weights * normal).reshape(len(ends) - 1, -1).sum(axis=1)
    middle = int(np.searchsorted(ends, release.nearest))
    from_start = np.concatenate([[0.0], np.cumsum(masses)])
    from_end = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])
    # Masses between the nearest attribute and each end of a panel.
    outwards = np.concatenate([np.cumsum(masses[:middle][::-1])[::-1], [0.0], np.cumsum(masses[middle:])])
    left, right, inner_left, inner_right = np.searchsorted(ends, cuts)
    return np.asarray(from_start[left] + from_end[right] + outwards[inner_left] + outwards[inner_right])


@_mass.register
def _uniform_mass(density: Uniform, law: TermLaw, far: FloatArray, near: FloatArray) -> FloatArray:
    """The same for uniform attributes, in closed form: the normal masses of three intervals."""
    release = law.release
    low, high = (release.t - 1) / release.sigma, release.t / release.sigma
    mass = np.zeros_like(far)
    for begin, end in ((far, high), (low, -far), (np.maximum(-near, low), np.minimum(near, high))):
        some = np.asarray(begin < end)
        if some.any():
            begin, end = np.broadcast_arrays(begin, end)
            mass[some] += mass_between(begin[some], end[some])
    return mass
