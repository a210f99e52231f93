"""One window's share of the density of failing releases: an integral over frequencies and mean terms."""

import numpy as np
from scipy.special import erfc

from disclosure.expected.given_release.failing_targets import failing
from disclosure.expected.given_release.settings import SETTINGS, Effort
from disclosure.expected.given_release.spans import Span, span_of
from disclosure.expected.given_release.spectral_sum import spectral_sum
from disclosure.expected.given_release.terms import TermLaw, kinks_of_failing, variation
from disclosure.expected.given_release.windows import Window, Windows, share
from disclosure.numerics import quadrature
from disclosure.numerics.types import FloatArray

__all__ = ["window_mass"]


def window_mass(law: TermLaw, windows: Windows, window: Window, effort: Effort) -> float:
    """One window's share of the density of failing releases."""
    span = span_of(law, windows, window, effort)
    panels = _panels(span.low, span.high, span.last_frequency, effort)
    law.work.spend(1 + span.summands * effort.order * panels / SETTINGS.products_of_work)
    neighbours, theta, bottom = law.neighbours, span.theta, law.release.bottom
    terms, weights = _terms(law, span, effort)
    tilted = theta * (terms - terms[np.argmax(theta * terms)])
    tilted = weights * np.exp(tilted)
    tilted /= tilted.sum()
    mean = float(tilted @ terms)
    means, rule = _means(law, windows, window, span, effort)
    rule *= share(windows, window, means)
    if window.constant:
        # A smooth lower edge, half way between the window's end and the smallest mean term.
        width = (bottom - span.low) / (2 * SETTINGS.edge)
        rule *= erfc(((span.low + bottom) / 2 - means) / width) / 2
    exponents = neighbours * (_log_mean_exp(theta * (terms - mean), weights) - theta * (means - mean))
    likely = np.exp(np.minimum(exponents, SETTINGS.largest_exponent))
    values = rule * failing(law, np.maximum(means, bottom)) * likely
    return (
        span.step
        / np.pi
        * spectral_sum(terms - mean, tilted, means - mean, values, neighbours, span.step, span.summands)
    )


def _terms(law: TermLaw, span: Span, effort: Effort) -> tuple[FloatArray, FloatArray]:
    """Terms and their probabilities, on panels fine enough for the window's tilt and all of its frequencies.

    Terms that no mean in the span can have are left out: if a mean of p terms is at distance d from the smallest term, no
    single term is farther than p d from it, and the same holds for the largest term.
    """
    release, neighbours, theta = law.release, law.neighbours, span.theta
    low = max(release.top - neighbours * (release.top - span.low), release.bottom)
    high = min(release.bottom + neighbours * (span.high - release.bottom), release.top)
    least = max(low, high - SETTINGS.tilted_depth / theta) if theta > 0 else low
    most = min(high, low - SETTINGS.tilted_depth / theta) if theta < 0 else high
    active = np.clip(release.term(law.logs), least, most)
    turns = span.last_frequency / neighbours / effort.phase
    wanted = law.demand + variation(active) * (turns + abs(theta) / SETTINGS.tilt_per_panel)
    if not release.centred:
        logs = np.clip(law.logs, release.log(least) - SETTINGS.active_log_per_panel, release.log(most))
        wanted = wanted + variation(logs) / SETTINGS.active_log_per_panel
    cuts = np.array([release.log(term) for term in (low, high) if release.bottom < term < release.top])
    roots = release.sigma * release.distance(cuts)
    breaks = np.concatenate([release.t - roots, release.t + roots, [release.nearest], law.density.panel_ends])
    law.work.spend(span.summands * effort.order * wanted[-1] / SETTINGS.products_of_work)
    nodes, weights = law.density.rule(quadrature.partition(law.points, wanted, breaks), effort.order)
    terms = release.term(release.log_term(nodes))
    kept = ((terms >= low) | (low == release.bottom)) & (terms <= high)
    return terms[kept], weights[kept] / weights.sum()


def _panels(low: float, high: float, frequency: float, effort: Effort) -> int:
    """Number of panels on each of which the factor e^(i w s) of the frequency w turns by at most the effort's phase."""
    return int(np.ceil(frequency * (high - low) / effort.phase)) + SETTINGS.more_panels


def _means(law: TermLaw, windows: Windows, window: Window, span: Span, effort: Effort) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for integrals over the mean term in the span, with a break wherever Psi is not smooth."""
    release, low, high = law.release, span.low, span.high
    kinks = release.term(np.minimum(kinks_of_failing(law), 1.0))
    ends = [np.linspace(low, high, _panels(low, high, span.last_frequency, effort) + 1), kinks]
    # Below the lower threshold of a target at the release itself, the distance within which targets fail grows like a square
    # root.
    log_root = ((release.t - release.nearest) / release.sigma) ** 2 / 2 + release.levels.low - release.unit
    root = release.term(min(log_root, 1.0))
    gap = np.diff(windows.tilts.mean)[max(window.number - 1, 0) : window.number + 1].min()
    if low - gap < root < high + gap:
        shrinking = gap * SETTINGS.root_first * SETTINGS.root_ratio ** np.arange(SETTINGS.root_steps)
        ends += [root - shrinking, np.array([root]), root + shrinking]
    return quadrature.composite(np.unique(np.clip(np.concatenate(ends), low, high)), effort.order)


def _log_mean_exp(exponents: FloatArray, weights: FloatArray) -> float:
    """Logarithm of a weighted mean of exponentials, accurate relative to itself also if all exponents are next to 0."""
    largest = exponents.max()
    if largest < 1:
        return float(np.log1p(weights @ np.expm1(exponents) + (weights.sum() - 1)))
    return float(largest + np.log(weights @ np.exp(exponents - largest)))
