"""Psi as a sum of windows: Psi times factors in [0, 1] that sum to 1 at every mean term.

The factor of a window is 1 in its middle and falls to 0 over two smooth edges, each an error function. A window is integrated
under the tilt whose mean lies in it. The share of each window in the answer is positive, so that the sum keeps the relative
accuracy of the largest. A window is open on a side on which it has no edge: there it also stands for all windows beyond.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import erfc

from disclosure.expected.given_release.failing_targets import failing
from disclosure.expected.given_release.settings import SETTINGS
from disclosure.expected.given_release.terms import TermLaw
from disclosure.expected.given_release.tilts import Tilts, tilts_of_windows
from disclosure.numerics.types import FloatArray

__all__ = ["Window", "Windows", "seen_windows", "share", "windows_of"]


class Windows(NamedTuple):
    """All windows of one law, from small mean terms to large ones.

    Attributes
    ----------
    tilts : Tilts
        One for each of the k windows.
    edges, widths : ndarray, shape (k - 1,)
        Mean terms in the middle of the edge between two windows, and the width w of the edge erfc((s - middle) / w) / 2.
    bounds : ndarray, shape (k,)
        Logarithm of a bound, up to a factor of order 1, on each window's share of the density of failing releases.
    untilted : int
        Number of the window with the tilt 0, counted from 0.
    saturated : int
        Number of the last window such that Psi is constant on it and on all before; -1 if there is none.
    """

    tilts: Tilts
    edges: FloatArray
    widths: FloatArray
    bounds: FloatArray
    untilted: int
    saturated: int


class Window(NamedTuple):
    """One window to integrate.

    Attributes
    ----------
    number : int
        Place of the window in its `Windows`.
    open_below, open_above : bool
        Whether it has no lower, or no upper edge, and also stands for all windows below, or above.
    constant : bool
        Whether Psi is constant on the window and below; the window then goes on below the smallest mean term.
    """

    number: int
    open_below: bool
    open_above: bool
    constant: bool


def windows_of(law: TermLaw) -> Windows:
    """Windows of a law, with a bound on the share of each."""
    release = law.release
    tilts, untilted = tilts_of_windows(law)
    edges = (tilts.mean[1:] + tilts.mean[:-1]) / 2
    widths = np.diff(tilts.mean) / SETTINGS.sharpness
    if release.lowest < -SETTINGS.wide_log or release.truncated:
        widths = _nested(edges, widths, release.bottom, release.top)
    means, seen = _looked_at(law, tilts, edges, widths)
    masses = failing(law, means)
    with np.errstate(divide="ignore"):
        sizes = np.log(masses * seen)
    chernoff = np.interp(means, tilts.mean, law.neighbours * tilts.exponent(tilts.mean))
    saturated = _saturated(masses[:, :-1], masses[0, 0])
    return Windows(tilts, edges, widths, (sizes + chernoff).max(axis=1), untilted, saturated)


def _looked_at(law: TermLaw, tilts: Tilts, edges: FloatArray, widths: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean terms at which the largest contribution to each of the k windows is looked for, and the window's factors there.

    For each window they are the middles of its edges, steps of an edge's width outwards from there, and, last, the mean under
    its tilt.

    Returns
    -------
    means : ndarray, shape (k, l)
    factors : ndarray, shape (l,)
        The window's factors at these, up to a factor of 2.
    """
    release = law.release
    beyond = np.arange(0.0, SETTINGS.edge)
    before = np.concatenate([np.full((1, len(beyond)), release.bottom), edges[:, None] - beyond * widths[:, None]])
    after = np.concatenate([edges[:, None] + beyond * widths[:, None], np.full((1, len(beyond)), release.top)])
    means = np.clip(np.concatenate([before, after, tilts.mean[:, None]], axis=1), release.bottom, release.top)
    return means, np.concatenate([erfc(beyond), erfc(beyond), [1.0]])


def _saturated(masses: FloatArray, smallest: float) -> int:
    """Number of the last window such that on it and all before Psi is what it is for the smallest mean term; -1 if none is."""
    if not smallest > 0:
        return -1
    constant = np.abs(masses - smallest) <= SETTINGS.saturated * smallest
    return int(np.argmin(constant.all(axis=1))) - 1


def _nested(edges: FloatArray, widths: FloatArray, bottom: float, top: float) -> FloatArray:
    """Widths of edges, made smaller where an edge would begin before the edge below it does, or end after the edge above it
    does.

    A window is integrated only between the outer ends of its own two edges. If edges did not nest, the factors of the windows
    would not sum to 1.
    """
    begins = np.maximum(np.maximum.accumulate(edges - SETTINGS.edge * widths), bottom)
    widths = np.where(begins > edges - SETTINGS.edge * widths, (edges - begins) / SETTINGS.edge, widths)
    ends = np.minimum(np.minimum.accumulate((edges + SETTINGS.edge * widths)[::-1])[::-1], top)
    return np.where(ends < edges + SETTINGS.edge * widths, (ends - edges) / SETTINGS.edge, widths)


def seen_windows(windows: Windows) -> list[Window]:
    """The windows to integrate. The outermost are open where they stand for all windows beyond."""
    first, last = _outermost(windows)
    bounds, middle = windows.bounds, windows.untilted
    return [
        Window(
            number,
            open_below=number == first and number <= middle,
            open_above=number == last and number >= middle,
            constant=number == first and number <= windows.saturated,
        )
        for number in range(first, last + 1)
        if bounds[number] > bounds.max() - SETTINGS.inward_log
    ]


def _outermost(windows: Windows) -> tuple[int, int]:
    """Numbers of the first and the last window to be integrated.

    On the side away from the mean without tilt, a window may stand for all windows beyond. The law falls in that direction, and
    the tilt makes rounding weigh even less there. Towards the mean without tilt each window must have an edge: the law is
    larger there, and the tilt would multiply its rounding error.
    """
    bounds, middle = windows.bounds, windows.untilted
    seen = np.flatnonzero(bounds > bounds.max() - SETTINGS.inward_log)
    first, last = int(seen[0]), int(seen[-1])
    if first < middle:
        first = int(np.argmax(bounds[:middle] > bounds[:middle].max() - SETTINGS.outward_log))
    # Where Psi is the same for all smaller mean terms, one window stands for them all.
    first = max(first, min(windows.saturated, middle))
    if last > middle:
        reached = bounds[:middle:-1] > bounds[middle + 1 :].max() - SETTINGS.outward_log
        last = len(bounds) - 1 - int(np.argmax(reached))
    return first, last


def share(windows: Windows, window: Window, means: FloatArray) -> FloatArray:
    """The factor of a window at mean terms, in [0, 1]; over all windows the factors sum to 1."""
    number, seen = window.number, np.ones_like(means)
    if number > 0 and not window.open_below:
        seen -= erfc((means - windows.edges[number - 1]) / windows.widths[number - 1]) / 2
    if number < len(windows.edges) and not window.open_above:
        seen -= erfc((windows.edges[number] - means) / windows.widths[number]) / 2
    return seen
