"""For one window: its ends, the tilt with which it is integrated, and the frequencies that are summed.

docs/method.md derives the period; the names here are those of the text.
"""

from typing import NamedTuple

import numpy as np

from disclosure.expected.given_release.settings import SETTINGS, Effort
from disclosure.expected.given_release.terms import TermLaw
from disclosure.expected.given_release.windows import Window, Windows

__all__ = ["Span", "span_of"]


class Span(NamedTuple):
    """Where and how finely a window is integrated.

    Attributes
    ----------
    low, high : float
        Mean terms between which it is looked at.
    theta : float
        The tilt, per unit of X.
    step : float
        Between two frequencies, per unit of X.
    summands : int
        Number of frequencies, from 0 on.
    """

    low: float
    high: float
    theta: float
    step: float
    summands: int

    @property
    def last_frequency(self) -> float:
        """The frequency at which the sum ends."""
        return self.summands * self.step


def span_of(law: TermLaw, windows: Windows, window: Window, effort: Effort) -> Span:
    """Ends, tilt and frequencies of a window."""
    number = window.number
    low, high = _ends(law, windows, window)
    theta, period = _tilt_and_period(law, windows, number, low, high)
    gaps = SETTINGS.sharpness * windows.widths[max(number - 1, 0) : number + 1]
    step = 2 * np.pi / period
    # A share that is small next to others needs fewer digits.
    digits = max(1 + (windows.bounds[number] - windows.bounds.max()) / SETTINGS.fading_log, SETTINGS.least_digits)
    summands = int(np.ceil(digits * effort.reach * max(1 / (gaps.min() * step), SETTINGS.least_frequencies)))
    return Span(low, high, theta, step, summands)


def _ends(law: TermLaw, windows: Windows, window: Window) -> tuple[float, float]:
    """Mean terms between which a window is looked at.

    They are the ends of its edges. A window that stands for all that follow goes on to where these would no longer be seen.
    """
    number, release, means = window.number, law.release, windows.tilts.mean
    low, high = release.bottom, release.top
    unseen = windows.bounds < windows.bounds.max() - SETTINGS.unseen_log
    if number < len(windows.edges):
        high = windows.edges[number] + SETTINGS.edge * windows.widths[number]
        if window.open_above:
            high = min(means[number + 1 :][unseen[number + 1 :]], default=release.top)
    high = float(min(high, release.top))
    if window.constant:
        # On the scale of such a window the smallest mean may have a probability of its own: the window goes on as far below it.
        return release.bottom - (high - release.bottom), high
    if number > 0:
        low = windows.edges[number - 1] - SETTINGS.edge * windows.widths[number - 1]
        if window.open_below:
            low = max(means[:number][unseen[:number]], default=release.bottom)
    return float(max(low, release.bottom)), high


def _tilt_and_period(law: TermLaw, windows: Windows, number: int, low: float, high: float) -> tuple[float, float]:
    """The tilt that needs the shortest period, and that period.

    A sum over frequencies at steps of 2 pi / period sees the tilted law and its copies at multiples of the period: no copy
    may reach into the window. A tilt that is not the window's own can draw in the tail of a law that has terms of all orders
    of magnitude; it makes the window less likely, which costs digits, and few of these are allowed.
    """
    release, tilts, neighbours = law.release, windows.tilts, law.neighbours
    theta, level = tilts.theta, tilts.moment + tilts.theta * tilts.origin  # K(theta)
    at_centre = neighbours * tilts.exponent(tilts.mean[number])
    losses = at_centre[number] - at_centre
    tried = np.flatnonzero(losses >= SETTINGS.most_drawn_in_log)
    # Under each tilt tried, the mean term beyond which Chernoff's bound with each other tilt leaves next to nothing.
    with np.errstate(divide="ignore", invalid="ignore"):
        left = (SETTINGS.alias_log + losses[tried, None]) / neighbours
        rare = (level - level[tried, None] - left) / (theta - theta[tried, None])
    before = np.arange(len(theta)) < tried[:, None]
    after = np.arange(len(theta)) > tried[:, None]
    begin = np.maximum(np.where(before, rare, -np.inf).max(axis=1), release.bottom)
    end = np.minimum(np.where(after, rare, np.inf).min(axis=1), release.top)
    least = np.maximum(np.maximum(end, high) - low, high - np.minimum(begin, low))
    periods = SETTINGS.period_margin * least
    shortest = np.flatnonzero(periods == periods.min())
    chosen = shortest[np.argmin(theta[tried[shortest]])]
    return float(theta[tried[chosen]]), float(periods[chosen])
