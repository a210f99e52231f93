"""For one window: its ends, the tilt under which it is integrated, and the frequencies over which is summed.

docs/method.md, "Expected failure probability", derives these: its "span" is from `Span.low` to `Span.high`, its step h is
`Span.step`, and its alpha and beta are ``begin`` and ``end`` here.
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
        Mean terms between which it is integrated.
    theta : float
        The tilt, in one over the unit of X.
    step : float
        Distance of two frequencies, in radians per unit of X.
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
    # A window whose share is small beside the largest needs fewer digits of its own, hence fewer frequencies.
    digits = max(1 + (windows.bounds[number] - windows.bounds.max()) / SETTINGS.fading_log, SETTINGS.least_digits)
    summands = int(np.ceil(digits * effort.reach * max(1 / (gaps.min() * step), SETTINGS.least_frequencies)))
    return Span(low, high, theta, step, summands)


def _ends(law: TermLaw, windows: Windows, window: Window) -> tuple[float, float]:
    """Mean terms between which a window is integrated: the outer ends of its edges.

    An open window goes on to where further windows would be below `unseen_log`.
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
        # On this scale nearly all mass may lie at the smallest mean term, like an atom. So the window goes on below it, as far
        # as it reaches above, instead of ending there.
        return release.bottom - (high - release.bottom), high
    if number > 0:
        low = windows.edges[number - 1] - SETTINGS.edge * windows.widths[number - 1]
        if window.open_below:
            low = max(means[:number][unseen[:number]], default=release.bottom)
    return float(max(low, release.bottom)), high


def _tilt_and_period(law: TermLaw, windows: Windows, number: int, low: float, high: float) -> tuple[float, float]:
    """The tilt that needs the shortest period, and that period, in units of X.

    A sum over frequencies in steps of 2 pi / period is the integral over the tilted law and all of its copies, moved by
    multiples of the period. So the period must be so long that no copy reaches into the window. If the law has terms of all
    orders of magnitude, another tilt than the window's own may give it a shorter tail, and allow a shorter period. Under that
    tilt the window is less likely, which costs digits; `most_drawn_in_log` says how many may be lost.
    """
    release, tilts, neighbours = law.release, windows.tilts, law.neighbours
    theta, level = tilts.theta, tilts.moment + tilts.theta * tilts.origin  # K(theta)
    at_centre = neighbours * tilts.exponent(tilts.mean[number])
    losses = at_centre[number] - at_centre
    tried = np.flatnonzero(losses >= SETTINGS.most_drawn_in_log)
    # For each tilt tried (rows) and each other tilt (columns): the mean term beyond which, by Chernoff's bound, the tilted law
    # has no more than the share e^alias_log.
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
