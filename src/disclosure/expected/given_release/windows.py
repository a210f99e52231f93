"""Psi cut into windows by smooth edges: together they see every mean term once.

Each window has the tilt whose mean lies in it. All their shares of the answer are positive, and the sum keeps the relative
accuracy of its largest.
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
        Mean terms at which one window passes into the next, and over what length.
    bounds : ndarray, shape (k,)
        Logarithm of a bound on each window's share of the density of failing releases, up to a factor of order 1.
    untilted : int
        Number of the window with tilt 0.
    saturated : int
        Number of the last window such that on it and all before the share of failing targets is constant; -1 if there is none.
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
        Of the window in its `Windows`.
    open_below, open_above : bool
        Whether it also stands for all windows below, or above.
    constant : bool
        Whether the share of failing targets is constant from the window down; it then goes on below the smallest mean.
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
    """Mean terms at which the largest contribution to each window is looked for, shape (k, l), and how much it sees of each.

    They are its edges, steps of an edge's width beyond these, and, last, the mean under its tilt.
    """
    release = law.release
    beyond = np.arange(0.0, SETTINGS.edge)
    before = np.concatenate([np.full((1, len(beyond)), release.bottom), edges[:, None] - beyond * widths[:, None]])
    after = np.concatenate([edges[:, None] + beyond * widths[:, None], np.full((1, len(beyond)), release.top)])
    means = np.clip(np.concatenate([before, after, tilts.mean[:, None]], axis=1), release.bottom, release.top)
    return means, np.concatenate([erfc(beyond), erfc(beyond), [1.0]])


def _saturated(masses: FloatArray, smallest: float) -> int:
    """Number of the last window such that on it and all before Psi is as for the smallest mean; -1 if there is none."""
    if not smallest > 0:
        return -1
    constant = np.abs(masses - smallest) <= SETTINGS.saturated * smallest
    return int(np.argmin(constant.all(axis=1))) - 1


def _nested(edges: FloatArray, widths: FloatArray, bottom: float, top: float) -> FloatArray:
    """Widths of edges, made less where an edge would begin before the one below it, or end after the one above it.

    Each window is looked at only between the ends of its own edges: without this the shares of all would not sum to 1.
    """
    begins = np.maximum(np.maximum.accumulate(edges - SETTINGS.edge * widths), bottom)
    widths = np.where(begins > edges - SETTINGS.edge * widths, (edges - begins) / SETTINGS.edge, widths)
    ends = np.minimum(np.minimum.accumulate((edges + SETTINGS.edge * widths)[::-1])[::-1], top)
    return np.where(ends < edges + SETTINGS.edge * widths, (ends - edges) / SETTINGS.edge, widths)


def seen_windows(windows: Windows) -> list[Window]:
    """The windows that matter, the outermost of them open where they stand for all that follow."""
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

    On the side away from the mean without tilt a window may stand for all that follow: what lies there is less and less, and
    the tilt makes it weigh less still. Towards that mean each window must end, or the rounding error of the law, which is
    larger there, would be multiplied.
    """
    bounds, middle = windows.bounds, windows.untilted
    seen = np.flatnonzero(bounds > bounds.max() - SETTINGS.inward_log)
    first, last = int(seen[0]), int(seen[-1])
    if first < middle:
        first = int(np.argmax(bounds[:middle] > bounds[:middle].max() - SETTINGS.outward_log))
    # Where the share of failing targets is the same for all smaller means, one window sees them all.
    first = max(first, min(windows.saturated, middle))
    if last > middle:
        reached = bounds[:middle:-1] > bounds[middle + 1 :].max() - SETTINGS.outward_log
        last = len(bounds) - 1 - int(np.argmax(reached))
    return first, last


def share(windows: Windows, window: Window, means: FloatArray) -> FloatArray:
    """How much a window sees of each mean term, in [0, 1]; over all windows it sums to 1."""
    number, seen = window.number, np.ones_like(means)
    if number > 0 and not window.open_below:
        seen -= erfc((means - windows.edges[number - 1]) / windows.widths[number - 1]) / 2
    if number < len(windows.edges) and not window.open_above:
        seen -= erfc((windows.edges[number] - means) / windows.widths[number]) / 2
    return seen
