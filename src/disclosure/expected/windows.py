r"""How likely the mean of independent densities at a release lies beyond the failure thresholds, given the release.

At a release t = a + sigma z of a target with attribute a, the mixture g of `ratio` is the mean of p independent copies of
X(b) / X(a) with X(b) = exp(-(t - b)^2 / (2 sigma^2)), b a neighbour's attribute: the bounds fail when

    mean X > e^epsilon X(a)    or    mean X < e^-epsilon X(a).

Given t the mean s of the X does not depend on a. With Psi(s) the density of the release times the probability that the
target is one of those whose bounds fail at s, the density of releases that fail is E Psi(mean X): an integral over the law
of a mean of p independent bounded terms, of a function that is smooth but for a few known points.

**Tilts.** With M(theta) = E e^(theta X), K = log M, the tilted law has the density e^(theta (p s) - p K) times the law's own.
Its characteristic function is (M(theta + i w / p) / M(theta))^p, so for any theta

    E f(mean X) = e^(p K) / (2 pi) times the integral over w of (M(theta + i w / p) / M(theta))^p
                  times the integral over s of f(s) e^(-(p theta + i w) s),

which is accurate, relative to its size, for an f that looks only at values of s that are likely under the tilted law.

**Windows.** So Psi is cut into windows, by smooth steps that sum to 1, each a few standard deviations wide of the tilted law
that has its mean there, and no wider than its distance to the end of what the mean can reach; each is integrated with its own
tilt. All contributions are positive, and the sum keeps the relative accuracy of its largest. In a window, both the cut Psi
and the law are smooth on the window's scale, and the integrand over w falls off quickly; what algebraic tail few neighbours
leave is cut off smoothly, which does no harm as long as the points where Psi and where the law are not smooth keep apart, and
the integral over releases averages over those where they meet.

**Terms of all orders of magnitude.** With a large epsilon or little noise X runs over e^1000 and more. A target weighs as much
as its own X, so that far below its lower threshold Psi is the same for all s: there one window ends the row, and goes on
below the least mean, which on its scale may have a probability of its own. Where the two thresholds are too far apart for one
unit, each has a law of its own; that of the lower one has only terms that a mean below it can have, with the mass that is left.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import erfc

from disclosure.expected.attributes import Uniform
from disclosure.numerics import quadrature
from disclosure.numerics.normal import interval_mass

__all__ = ["Effort", "failure_density", "log_bound", "offsets"]

_GROWTH = 1.4  # of the tilts tried
_CHUNK = 30
_BISECTIONS = 12
_SPACING = 2.8  # of windows, in standard deviations of the tilted mean
_TINY = 1 / 16  # of the spacing
_APPROACH = 0.5  # of the way to the end of the range, at most, between two windows
_SHARPNESS = 4.0  # of a window's edges: its width in units of theirs
_EDGE = 5.5  # where erfc is nothing in double precision
# Logarithms of how much smaller than the largest a window may be: left out between the largest and the mean; joined to its
# neighbour on the other side; where that one ends.
_INWARD, _OUTWARD, _UNSEEN = 19.0, 11.0, 26.0
_ALIAS = -22.0  # logarithm of what the tilted law may have beyond a period
_DRAWN_IN = -0.7  # logarithm of how much less likely a window may be made than its own tilt makes it
_NEAR_END = 1e-4
# How far log X may lie below what a failure needs: less is 0 next to it, and what targets weigh there is less still.
_DEPTH = 60.0
_APART = 2.0  # logarithm of how far above the largest term that a failure can have the terms are cut off
# Logarithms of terms, over which a mean next to the smallest one can weigh more than all that a window is for.
_WIDE = 30.0
_SATURATED = 1e-9  # relative: by how much the share of failing targets grows no more below a mean
_FARTHEST_APART = 100.0  # epsilon up to which both thresholds, and the terms of both, are floats in one unit
_IMPOSSIBLE = -800.0
_LARGEST_EXPONENT = 700.0
_MANY = 10_000
_BLOCK = 256  # frequencies worked out before looking whether there is anything left
_NOTHING = 1e-12
_LEAST = 2.5  # frequencies, in units of an effort's reach
_FADING = 20.0  # logarithm of how much smaller than the largest a window is that would need no digit at all


_UNLIMITED = quadrature.Work()
_EXPONENTIALS = 5e4  # that take about as long as what is done once for a window, the unit of work
_PRODUCTS = 2e6  # of powers and weights, the same
_VALUES = 5e3  # of a density, the same


class Effort(NamedTuple):
    """How finely one release is worked out.

    Parameters
    ----------
    order : int
        Nodes on a panel.
    phase : float
        Radians by which an oscillating factor turns on a panel, at most.
    reach : float
        Largest frequency, in units of one over the distance between windows.
    """

    order: int
    phase: float
    reach: float


class _Release(NamedTuple):
    """A release and everything of the setting that its terms depend on."""

    t: float
    sigma: float
    epsilon: float
    sides: tuple  # 1 for failures of the upper threshold, -1 for those of the lower one
    nearest: float  # attribute at which the density at the release is largest
    unit: float  # logarithm of the unit of X, next to its value at the nearest attribute
    highest: float  # log X up to which terms are looked at: with a larger one nothing fails
    deepest: float  # log X that stands for all below
    lowest: float  # log X at the attribute farthest away
    centred: bool  # whether terms are X - 1, which keeps the accuracy where all X are close to 1

    @property
    def top(self):
        return 0.0 if self.centred else float(self.term(self.highest))

    @property
    def bottom(self):
        return float(self.term(self.lowest))

    @property
    def truncated(self):
        return self.highest < -self.unit

    def exact_log_term(self, b):
        return -(b - self.nearest) * (b + self.nearest - 2 * self.t) / (2 * self.sigma**2) - self.unit

    def log_term(self, b):
        """The same within what is looked at; above it no more than that it is above."""
        return np.clip(self.exact_log_term(b), self.lowest, self.highest + 1)

    def term(self, log):
        return np.expm1(log) if self.centred else np.exp(log)

    def log(self, term):
        with np.errstate(divide="ignore"):
            return np.log1p(term) if self.centred else np.log(term)

    def distance(self, log):
        """Distance from the release, in units of sigma, of the attributes with this log X; 0 if X is nowhere as large."""
        square = ((self.t - self.nearest) / self.sigma) ** 2 - 2 * (log + self.unit)
        return np.sqrt(np.maximum(square, 0.0))


class _Law(NamedTuple):
    """Law of one term given a release: a table of attributes and the demand for panels, and a rule for slow functions."""

    release: _Release
    density: object
    neighbours: int
    points: np.ndarray
    logs: np.ndarray  # log X at the points
    demand: np.ndarray
    terms: np.ndarray
    weights: np.ndarray
    mean: float
    log_mass: float  # logarithm of the probability of a term that is looked at at all
    work: quadrature.Work


class _Tilts(NamedTuple):
    """Increasing tilts theta, mean and standard deviation of one tilted term, and log E e^(theta (X - origin))."""

    theta: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    origin: np.ndarray
    moment: np.ndarray

    def some(self, chosen):
        return _Tilts(*(column[chosen] for column in self))

    def exponent(self, value):
        """K(theta) - theta s for one value s for each theta; times p, the logarithm of Chernoff's bound."""
        return self.moment - self.theta * (value - self.origin)


class _Windows(NamedTuple):
    """Windows, one for each tilt; the edges between them and their widths; the logarithm of a bound on each one's share."""

    tilts: _Tilts
    edges: np.ndarray
    widths: np.ndarray
    bounds: np.ndarray
    untilted: int
    saturated: int  # number of the last window from which downwards the share of failing targets is the same


def failure_density(t, density, neighbours, epsilon, sigma, effort, floor=-np.inf, work=_UNLIMITED):
    """Density of the release at t, times the probability that the bounds fail given it.

    Parameters
    ----------
    t : float
        A release, with the attribute's interval moved to [0, 1].
    density : densities.Density
        Of all attributes.
    neighbours : int
        p >= 1.
    epsilon, sigma : float
        In (0, inf); sigma in units of the interval.
    effort : Effort
    floor : float, optional
        Where `log_bound` is lower the answer is 0.
    work : quadrature.Work, optional

    Returns
    -------
    float
        Integrated over t, the expected failure probability.

    Raises
    ------
    ConvergenceError
        When the work is used up.
    """
    laws = _laws(t, density, neighbours, epsilon, sigma, work)
    return sum(_one_side(law, effort, floor) for law in laws if law is not None)


def _one_side(law, effort, floor):
    windows = _windows(law)
    if not windows.bounds.max() > floor:
        return 0.0
    first, last = _outermost(windows)
    return sum(
        _window(law, windows, number, number == first, number == last, effort)
        for number in range(first, last + 1)
        if windows.bounds[number] > windows.bounds.max() - _INWARD
    )


def log_bound(t, density, neighbours, epsilon, sigma, work=_UNLIMITED):
    """Logarithm of about the largest contribution to `failure_density`."""
    laws = _laws(t, density, neighbours, epsilon, sigma, work)
    return max(-np.inf if law is None else float(_windows(law).bounds.max()) for law in laws)


def offsets(t, density, neighbours, epsilon, sigma):
    """How far the mean term is from every one at which the share of failing targets is not smooth, and from 6 less and more.

    Between logarithms, in standard deviations of the mean term's. With many neighbours it hardly varies, and
    `failure_density` has a kink where a difference passes 0, rounded off over a few units.
    """
    law = _law(t, density, neighbours, epsilon, sigma, (-1, 1), _UNLIMITED)
    deviation = _deviation(law) / np.sqrt(neighbours) / (law.mean + law.release.centred)
    return np.add.outer((law.release.log(law.mean) - _levels(law)) / deviation, [-6.0, 0.0, 6.0]).ravel()


def _levels(law):
    """Logarithms of the mean terms at which a threshold passes an end of the targets' interval, its nearest, or a break."""
    attributes = np.array([0.0, 1.0, law.release.nearest, *law.density.breaks])
    return np.add.outer([-law.release.epsilon, law.release.epsilon], law.release.exact_log_term(attributes)).ravel()


def _deviation(law):
    return float(np.sqrt(law.weights @ (law.terms - law.mean) ** 2))


def _laws(t, density, neighbours, epsilon, sigma, work):
    """One law for failures at both thresholds, or one for each where the thresholds are too far apart; None if none fails."""
    sides = [(-1, 1)] if epsilon <= _FARTHEST_APART else [(-1,), (1,)]
    return [_law(t, density, neighbours, epsilon, sigma, side, work) for side in sides]


def _law(t, density, neighbours, epsilon, sigma, sides, work):
    nearest = min(max(t, 0.0), 1.0)
    # A mean below e^-epsilon has no term above p times that, and with no term at all below it nothing fails. Where terms
    # are cut off the law of the mean is not smooth: that is kept away from the mean at which failures end.
    unit, highest = (0.0, 0.0) if 1 in sides else (-epsilon, min(epsilon, np.log(neighbours) + _APART))
    deepest = -_DEPTH - (epsilon if sides == (-1, 1) else 0.0)
    release = _Release(t, sigma, epsilon, sides, nearest, unit, highest, deepest, deepest, False)
    lowest = float(min(release.log_term(0.0), release.log_term(1.0)))
    release = release._replace(lowest=lowest, centred=unit == 0 and lowest > -0.7)
    # Steep tilts see nothing but the attributes next to where X is largest or smallest.
    extremes = [quadrature.graded(b, 1e-8, 0.0, 1.0, 4.0) for b in sorted({0.0, 1.0, nearest})]
    around = t + sigma * np.linspace(-8, 8, 65)
    points = np.unique(np.concatenate([density.points, around[(around > 0) & (around < 1)], *extremes]))
    demand = np.interp(points, density.points, density.demand)
    logs = release.log_term(points)
    root = sigma * release.distance(release.highest)
    cuts = [t - root, t + root] if release.truncated else []
    breaks = np.concatenate([*extremes, density.panels, cuts])
    ends = quadrature.partition(points, demand + _variation(logs) / 2, breaks)
    work.spend(5 * len(ends) / _VALUES)
    nodes, weights = density.rule(ends, 5)
    logs_at_nodes, weights, log_mass = release.log_term(nodes), weights / weights.sum(), 0.0
    if release.truncated:
        seen = logs_at_nodes <= release.highest
        mass = weights[seen].sum()
        if not mass > 0:
            return None
        logs_at_nodes, weights, log_mass = logs_at_nodes[seen], weights[seen] / mass, float(np.log(mass))
    terms = release.term(logs_at_nodes)
    return _Law(
        release, density, neighbours, points, logs, demand, terms, weights, float(weights @ terms), log_mass, work
    )


def _variation(values):
    return np.concatenate([[0.0], np.cumsum(np.abs(np.diff(values)))])


def _tilts(law):
    """Tilts for windows, and the number of the one that is none."""
    deviation = _deviation(law)
    first = 0.4 / (np.sqrt(law.neighbours) * deviation)
    middle = _Tilts(*(np.array([value]) for value in (0.0, law.mean, deviation, law.mean, law.log_mass)))
    below, above = (
        _spaced(_family(law, middle, theta, end), law.neighbours, end)
        for theta, end in ((-first, law.release.bottom), (first, law.release.top))
    )
    parts = zip(below.some(slice(None, None, -1)), middle, above, strict=True)
    return _Tilts(*(np.concatenate(columns) for columns in parts)), len(below.theta)


def _family(law, middle, first, end):
    """Tilts that grow geometrically until the tilted mean is at the end of what X can reach, or never gets there."""
    near = _NEAR_END * min(abs(law.mean - end), abs(end) or np.inf)
    theta, family = first, middle
    while True:
        thetas = theta * _GROWTH ** np.arange(_CHUNK)
        more = _tilted(law, thetas, end)
        family = _Tilts(*(np.concatenate(column) for column in zip(family, more, strict=True)))
        rate = family.exponent(family.mean)[-1]
        if len(more.theta) < _CHUNK or law.neighbours * rate < _IMPOSSIBLE or abs(family.mean[-1] - end) < near:
            break
        theta = thetas[-1] * _GROWTH
    # With a rare and distant part of the law the mean jumps there, between two of them: look at what is between.
    for _ in range(_BISECTIONS):
        gaps = np.abs(np.diff(family.mean))
        allowed = np.maximum(_strides(family, law.neighbours, end)[:-1], 3 * np.concatenate([[0.0], gaps[:-1]]))
        wide = np.flatnonzero(gaps > allowed)
        if not wide.size:
            break
        more = _tilted(law, (family.theta[wide] + family.theta[wide + 1]) / 2, end)
        family = _Tilts(*(np.insert(column, wide + 1, new) for column, new in zip(family, more, strict=True)))
    return family


def _tilted(law, thetas, end):
    """What is known of tilts of one sign, up to the first that is too steep for what floats can tell."""
    law.work.spend(thetas.size * law.terms.size / _EXPONENTIALS)
    shifted = law.terms - end  # all of one sign, so that theta (X - end) <= 0 overflows nowhere
    tilted = np.exp(np.maximum(thetas[:, None] * shifted, -_LARGEST_EXPONENT)) * law.weights
    total = tilted.sum(axis=1)
    alive = total > 1e-280
    thetas, total, tilted = thetas[alive], total[alive], tilted[alive]
    mean, square = tilted @ shifted / total, tilted @ shifted**2 / total
    deviation = np.sqrt(np.maximum(square - mean**2, 1e-12 * square))
    moment, origin = np.log(total), np.full(len(thetas), end)
    small = np.abs(thetas) * np.abs(shifted).max() < 0.01
    if small.any():
        # Times p, the rounding of a logarithm of numbers close to 1 would matter.
        origin[small] = law.mean
        moment[small] = np.log1p(np.expm1(thetas[small, None] * (law.terms - law.mean)) @ law.weights)
    return _Tilts(thetas, mean + end, deviation, origin, moment + law.log_mass)


def _strides(tilts, neighbours, end):
    """How far the mean of the next window may be: a few deviations, and at most a part of the way to the end."""
    return np.minimum(_SPACING * tilts.deviation / np.sqrt(neighbours), _APPROACH * np.abs(tilts.mean - end))


def _spaced(family, neighbours, end):
    """Tilts of windows out of a family, the first left out."""
    chosen, position, last = [], 0, len(family.theta) - 1
    remaining, strides = np.abs(family.mean - end), _strides(family, neighbours, end)
    while position < last:
        distance, stride = remaining[position], strides[position]
        position = max(position + 1, int(np.searchsorted(-remaining, stride - distance, side="right")) - 1)
        # Next to a step that is too long, a tiny one: its edge would need as tiny a step of everything.
        if position < last and distance - remaining[position] < _TINY * stride:
            position += 1
        # Next to nothing may be left for the last one.
        if position < last or distance - remaining[position] > stride / 3:
            chosen.append(position)
    return family.some(chosen)


def _windows(law):
    release = law.release
    tilts, untilted = _tilts(law)
    edges = (tilts.mean[1:] + tilts.mean[:-1]) / 2
    widths = np.diff(tilts.mean) / _SHARPNESS
    if release.lowest < -_WIDE or release.truncated:
        widths = _nested(edges, widths, release.bottom, release.top)
    # The largest contribution to each window is looked for at its centre, its edges, and a little beyond these.
    beyond = np.arange(0.0, _EDGE)
    before = np.concatenate([np.full((1, len(beyond)), release.bottom), edges[:, None] - beyond * widths[:, None]])
    after = np.concatenate([edges[:, None] + beyond * widths[:, None], np.full((1, len(beyond)), release.top)])
    means = np.clip(np.concatenate([before, after, tilts.mean[:, None]], axis=1), release.bottom, release.top)
    share = np.concatenate([erfc(beyond), erfc(beyond), [1.0]])
    failing = _failing(law, means)
    with np.errstate(divide="ignore"):
        sizes = np.log(failing * share)
    chernoff = np.interp(means, tilts.mean, law.neighbours * tilts.exponent(tilts.mean))
    constant = np.abs(failing - failing[0, 0]) <= _SATURATED * failing[0, 0]
    saturated = int(np.argmin(constant[:, : 2 * len(beyond)].all(axis=1))) - 1 if failing[0, 0] > 0 else -1
    return _Windows(tilts, edges, widths, (sizes + chernoff).max(axis=1), untilted, saturated)


def _nested(edges, widths, bottom, top):
    """Widths of edges, made less where an edge would begin before the one below it, or end after the one above it.

    There the shares of all windows would not sum to 1, since each is looked at only between the ends of its own edges.
    """
    begins = np.maximum(np.maximum.accumulate(edges - _EDGE * widths), bottom)
    widths = np.where(begins > edges - _EDGE * widths, (edges - begins) / _EDGE, widths)
    ends = np.minimum(np.minimum.accumulate((edges + _EDGE * widths)[::-1])[::-1], top)
    return np.where(ends < edges + _EDGE * widths, (ends - edges) / _EDGE, widths)


def _outermost(windows):
    """Numbers of the first and the last window to be integrated.

    On the side away from the mean they stand for all that follow: what lies there is less and less, and the tilt makes it
    weigh less still. Towards the mean a window must end, lest rounding of the larger law there be multiplied.
    """
    bounds, middle = windows.bounds, windows.untilted
    seen = np.flatnonzero(bounds > bounds.max() - _INWARD)
    first, last = int(seen[0]), int(seen[-1])
    if first < middle:
        first = int(np.argmax(bounds[:middle] > bounds[:middle].max() - _OUTWARD))
    # Where the share of failing targets is the same for all smaller means, one window sees them all.
    first = max(first, min(windows.saturated, middle))
    if last > middle:
        last = len(bounds) - 1 - int(np.argmax(bounds[:middle:-1] > bounds[middle + 1 :].max() - _OUTWARD))
    return first, last


def _failing(law, means):
    """Density of the release times the probability that the target is one whose bounds fail, given the mean term."""
    release = law.release
    log = release.log(means)
    far, near = release.distance(log - release.epsilon), release.distance(log + release.epsilon)
    near = np.where((log + release.unit + release.epsilon < 0) & (-1 in release.sides), near, 0.0)
    far = far if 1 in release.sides else np.full_like(far, np.inf)
    if not isinstance(law.density, Uniform):
        return _failing_by_quadrature(law, far, near)
    low, high = (release.t - 1) / release.sigma, release.t / release.sigma
    mass = np.zeros_like(means)
    for begin, end in ((far, high), (low, -far), (np.maximum(-near, low), np.minimum(near, high))):
        some = begin < end
        if some.any():
            begin, end = np.broadcast_arrays(begin, end)
            mass[some] += interval_mass(begin[some], end[some])
    return mass


def _failing_by_quadrature(law, far, near):
    """Masses of the targets at least ``far`` and at most ``near`` from the release, each a sum of masses on small intervals."""
    release = law.release
    cuts = np.clip(release.t + release.sigma * np.stack([-far, far, -near, near]), 0.0, 1.0)
    cuts[2:] = np.where(near > 0, cuts[2:], release.nearest)
    wanted = law.demand + _variation(np.maximum(law.logs, -_LARGEST_EXPONENT)) / 2
    ends = quadrature.partition(
        law.points, wanted, np.concatenate([cuts.ravel(), [release.nearest], law.density.panels])
    )
    law.work.spend(8 * len(ends) / _VALUES)
    nodes, weights = law.density.rule(ends, 8)
    normal = np.exp(-(((release.t - nodes) / release.sigma) ** 2) / 2) / (release.sigma * np.sqrt(2 * np.pi))
    masses = (weights * normal).reshape(len(ends) - 1, -1).sum(axis=1)
    middle = int(np.searchsorted(ends, release.nearest))
    from_start = np.concatenate([[0.0], np.cumsum(masses)])
    from_end = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])
    outwards = np.concatenate(
        [np.cumsum(masses[:middle][::-1])[::-1], [0.0], np.cumsum(masses[middle:])]
    )  # between the nearest attribute and each end of a panel
    left, right, inner_left, inner_right = np.searchsorted(ends, cuts)
    return from_start[left] + from_end[right] + outwards[inner_left] + outwards[inner_right]


def _window(law, windows, number, first, last, effort):
    """One window's share of the density of releases that fail."""
    theta, low, high, step, count = _line(law, windows, number, first, last, effort)
    law.work.spend(1 + count * effort.order * _panels(low, high, count * step, effort) / _PRODUCTS)
    neighbours = law.neighbours
    terms, weights = _terms(law, theta, count, step, low, high, effort)
    tilted = theta * (terms - terms[np.argmax(theta * terms)])
    tilted = weights * np.exp(tilted)
    tilted /= tilted.sum()
    mean = float(tilted @ terms)
    means, rule = _means(law, windows, number, low, high, count * step, effort)
    rule *= _share(windows, number, first, last, means)
    if first and number <= windows.saturated:
        # Below the smallest mean there is, to end smoothly.
        width = (law.release.bottom - low) / (2 * _EDGE)
        rule *= erfc(((low + law.release.bottom) / 2 - means) / width) / 2
    exponents = neighbours * (_moment(theta * (terms - mean), weights) - theta * (means - mean))
    values = (
        rule * _failing(law, np.maximum(means, law.release.bottom)) * np.exp(np.minimum(exponents, _LARGEST_EXPONENT))
    )
    return step / np.pi * _spectral_sum(terms - mean, tilted, means - mean, values, neighbours, step, count)


def _share(windows, number, first, last, means):
    """What a window sees of each mean; over all windows it sums to 1."""
    share = np.ones_like(means)
    if number > 0 and not (first and number <= windows.untilted):
        share -= erfc((means - windows.edges[number - 1]) / windows.widths[number - 1]) / 2
    if number < len(windows.edges) and not (last and number >= windows.untilted):
        share -= erfc((windows.edges[number] - means) / windows.widths[number]) / 2
    return share


def _line(law, windows, number, first, last, effort):
    """Tilt and ends of a window, step and number of the frequencies at which the law and the window are multiplied."""
    low, high = _span(law, windows, number, first, last)
    theta, period = _period(law, windows, number, low, high)
    gaps = _SHARPNESS * windows.widths[max(number - 1, 0) : number + 1]
    step = 2 * np.pi / period
    # A share that is small next to others needs fewer digits.
    digits = max(1 + (windows.bounds[number] - windows.bounds.max()) / _FADING, 0.4)
    return theta, low, high, step, int(np.ceil(digits * effort.reach * max(1 / (gaps.min() * step), _LEAST)))


def _span(law, windows, number, first, last):
    """Ends of a window."""
    release, tilts = law.release, windows.tilts
    low, high = release.bottom, release.top
    unseen = windows.bounds < windows.bounds.max() - _UNSEEN
    if number < len(windows.edges):
        high = windows.edges[number] + _EDGE * windows.widths[number]
        if last and number >= windows.untilted:
            high = min(tilts.mean[number + 1 :][unseen[number + 1 :]], default=release.top)
    high = min(high, release.top)
    if first and number <= windows.saturated:
        # On the scale of such a window the smallest mean may have a probability of its own: the window goes on below it.
        return release.bottom - (high - release.bottom), high
    if number > 0:
        low = windows.edges[number - 1] - _EDGE * windows.widths[number - 1]
        if first and number <= windows.untilted:
            low = max(tilts.mean[:number][unseen[:number]], default=release.bottom)
    return max(low, release.bottom), high


def _period(law, windows, number, low, high):
    """The tilt that needs the shortest period, and that period.

    Frequencies a step apart see the law and its copies at the distance of a period: no copy may reach into the window. A
    tilt that is not the window's own can draw in the tail of a law that has all orders of magnitude, at the price of digits.
    """
    release, tilts, neighbours = law.release, windows.tilts, law.neighbours
    theta, level = tilts.theta, tilts.moment + tilts.theta * tilts.origin  # Chernoff's exponents are level - theta s
    at_centre = neighbours * tilts.exponent(tilts.mean[number])
    losses = at_centre[number] - at_centre
    tried = np.flatnonzero(losses >= _DRAWN_IN)
    with np.errstate(divide="ignore", invalid="ignore"):
        rare = (level - level[tried, None] - (_ALIAS + losses[tried, None]) / neighbours) / (theta - theta[tried, None])
    before = np.arange(len(theta)) < tried[:, None]
    after = np.arange(len(theta)) > tried[:, None]
    begin = np.maximum(np.where(before, rare, -np.inf).max(axis=1), release.bottom)
    end = np.minimum(np.where(after, rare, np.inf).min(axis=1), release.top)
    periods = 1.02 * np.maximum(np.maximum(end, high) - low, high - np.minimum(begin, low))
    shortest = np.flatnonzero(periods == periods.min())
    chosen = shortest[np.argmin(theta[tried[shortest]])]
    period, theta = float(periods[chosen]), float(theta[tried[chosen]])
    return theta, period


def _terms(law, theta, count, step, low, high, effort):
    """Terms and their probabilities, fine enough for tilts theta + i w / p with w up to a frequency.

    If the mean of p terms lies between ``low`` and ``high``, no term is farther from either end of the range than p times
    that; the others are left out.
    """
    release, neighbours, frequency = law.release, law.neighbours, count * step
    low = max(release.top - neighbours * (release.top - low), release.bottom)
    high = min(release.bottom + neighbours * (high - release.bottom), release.top)
    least = max(low, high - 36 / theta) if theta > 0 else low
    most = min(high, low - 36 / theta) if theta < 0 else high
    active = np.clip(release.term(law.logs), least, most)
    wanted = law.demand + _variation(active) * (frequency / neighbours / effort.phase + abs(theta) / 5)
    if not release.centred:
        wanted = wanted + _variation(np.clip(law.logs, release.log(least) - 3, release.log(most))) / 3
    cuts = np.array([release.log(term) for term in (low, high) if release.bottom < term < release.top])
    roots = release.sigma * release.distance(cuts)
    breaks = np.concatenate([release.t - roots, release.t + roots, [release.nearest], law.density.panels])
    law.work.spend(count * effort.order * wanted[-1] / _PRODUCTS)
    nodes, weights = law.density.rule(quadrature.partition(law.points, wanted, breaks), effort.order)
    terms = release.term(release.log_term(nodes))
    kept = ((terms >= low) | (low == release.bottom)) & (terms <= high)
    return terms[kept], weights[kept] / weights.sum()


def _panels(low, high, frequency, effort):
    """Number of panels on which a factor of a frequency turns by no more than an effort's phase."""
    return int(np.ceil(frequency * (high - low) / effort.phase)) + 2


def _means(law, windows, number, low, high, frequency, effort):
    """Nodes and weights for integrals over the mean term, with a break wherever the share of failing targets is not smooth."""
    release = law.release
    kinks = release.term(np.minimum(_levels(law), 1.0))
    ends = [np.linspace(low, high, _panels(low, high, frequency, effort) + 1), kinks]
    # Where the attributes that fail begin at the release itself, their number grows like a root.
    root = release.term(
        min(((release.t - release.nearest) / release.sigma) ** 2 / 2 - release.epsilon - release.unit, 1.0)
    )
    gap = np.diff(windows.tilts.mean)[max(number - 1, 0) : number + 1].min()
    if low - gap < root < high + gap:
        shrinking = gap / 2 * 0.25 ** np.arange(8)
        ends += [root - shrinking, [root], root + shrinking]
    ends = np.unique(np.clip(np.concatenate(ends), low, high))
    nodes, weights = quadrature.gauss(effort.order)
    half = np.diff(ends)[:, None] / 2
    return ((ends[1:, None] + ends[:-1, None]) / 2 + half * nodes).ravel(), (half * weights).ravel()


def _moment(exponents, weights):
    """Logarithm of a mean of exponentials, exact also where all exponents are next to 0."""
    largest = exponents.max()
    if largest < 1:
        return np.log1p(weights @ np.expm1(exponents) + (weights.sum() - 1))
    return largest + np.log(weights @ np.exp(exponents - largest))


def _spectral_sum(terms, tilted, means, values, neighbours, step, most):
    """Sum over frequencies of the law's characteristic function times the window's transform."""
    parts, start = [], 0
    while start < most:
        frequencies = np.arange(start, min(max(_BLOCK, 2 * start), most))
        law = _characteristic(terms, tilted, step / neighbours, frequencies, neighbours)
        parts.append(law * _fourier(-step * means, values, frequencies))
        sizes = np.abs(parts[-1])
        if start == 0:
            largest = sizes.max()
        start += len(frequencies)
        if sizes[-(len(sizes) // 4) :].max() < _NOTHING * largest:
            taper = np.ones(start)
            break
    else:
        taper = _taper(start)
    taper[0] = 0.5
    return float(taper @ np.concatenate(parts).real)


def _taper(count):
    """A smooth window that falls from 1 to 0 along a line, narrow enough to be flat at both ends in double precision."""
    return erfc((np.arange(count) / count - 0.52) / 0.11) / 2


def _characteristic(centred, tilted, step, multiples, neighbours):
    """Characteristic function of the sum of p independent centred terms, at consecutive multiples of a step."""
    if neighbours > _MANY:
        # Its p-th power would multiply the rounding errors of numbers close to 1 by p.
        angles = step * multiples[:, None] * centred
        real, imaginary = -2 * np.sin(angles / 2) ** 2 @ tilted, np.sin(angles) @ tilted
    else:
        values = _fourier(step * centred, tilted, multiples)
        real, imaginary = values.real - 1, values.imag
    # log(1 + w) with its small real part exact: it is multiplied by p.
    with np.errstate(divide="ignore"):
        size = np.log1p(np.maximum(2 * real + real**2 + imaginary**2, -1.0)) / 2
    return np.exp(neighbours * (np.maximum(size, _IMPOSSIBLE) + 1j * np.arctan2(imaginary, 1 + real)))


def _fourier(angles, weights, multiples):
    """Sums of weights times e^(i k angle) for consecutive k, as a product of two small matrices."""
    inner = int(2 ** np.ceil(np.log2(len(multiples)) / 2))
    outer = -(-len(multiples) // inner)
    fine, stride = _powers(np.exp(1j * angles), inner)
    coarse, _ = _powers(stride, outer)
    coarse *= weights * np.exp(1j * multiples[0] * angles) if multiples[0] else weights
    return (coarse @ fine.T).ravel()[: len(multiples)]


def _powers(base, count):
    """Powers 0, ..., count - 1 of each base and the next power of 2, by doubling.

    Cheaper than as many exponentials, and off by a few roundings.
    """
    powers = np.empty((count, base.size), dtype=complex)
    powers[0] = 1.0
    known, factor = 1, base
    while known < count:
        new = min(known, count - known)
        np.multiply(powers[:new], factor, out=powers[known : known + new])
        known, factor = known + new, factor * factor
    return powers, factor
