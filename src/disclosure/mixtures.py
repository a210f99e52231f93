"""How likely the mean of independent densities at a release lies beyond the failure thresholds, given the release.

At a release t = a + sigma z of a target with attribute a, the mixture g of `ratio` is the mean of p independent copies of
X(b) / X(a) with X(b) = exp(-(t - b)^2 / (2 sigma^2)), b a neighbour's attribute: the bounds fail when

    mean X > e^epsilon X(a)    or    mean X < e^-epsilon X(a).

Given t the mean of the X does not depend on a. So its distribution is worked out once for a release, and all targets share
it. With M(theta) = E e^(theta X), K = log M and any theta_0 > 0

    P(mean X > s) = 1 / (2 pi i) times the integral of exp(p (K(theta) - theta s)) / theta

along the vertical line through theta_0, and P(mean X < s) is minus the same with theta_0 < 0. At the saddle point, where
K'(theta_0) = s, the integrand on the line is a peak of height exp(p (K - theta_0 s)), the size of the probability: its
relative accuracy does not suffer however small it is. A line that misses the saddle point by a few standard deviations of
the tilted sum costs a few digits that double precision can spare, so a handful of lines serves all thresholds on a side;
and because the integrand's dependence on s is a factor, the mean over targets is taken inside the integral. That mean, and
the one over releases that the caller takes, smooth out what a truncated line leaves.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import erfc

from disclosure import quadrature

__all__ = ["Effort", "failure_density", "log_bound"]

_NEGLIGIBLE = 23.0  # logarithm of a ratio that no sum notices
_EXCESS = 4.0  # logarithm of the cancellation on a line that serves a threshold whose saddle point lies elsewhere
_GROWTH = 1.3  # of the tilts tried
_CHUNK = 48
_IMPOSSIBLE = -800.0
_LARGEST_EXPONENT = 700.0
_MANY = 10_000
_LONGEST = 4096


class Effort(NamedTuple):
    """How finely one release is worked out.

    Parameters
    ----------
    order : int
        Nodes on a panel of attributes.
    step : float
        Of the rule along a vertical line, in units of the smaller of the tilt and one over the tilted sum's standard
        deviation.
    phase : float
        Length of a line, at most: the angle by which its oscillation turns.
    cut : float
        Where to end a line earlier: the share of what its last quarter adds to the integral of the absolute value.
    """

    order: int
    step: float
    phase: float
    cut: float


class _Release(NamedTuple):
    """A release and everything of the setting that its terms depend on."""

    t: float
    sigma: float
    nearest: float  # attribute at which the density at the release is largest; X there is 1
    lowest: float  # log X at the attribute farthest away
    centred: bool  # whether terms are X - 1, which keeps the accuracy where all X are close to 1

    def log_term(self, b):
        return -(b - self.nearest) * (b + self.nearest - 2 * self.t) / (2 * self.sigma**2)

    def term(self, log):
        return np.expm1(log) if self.centred else np.exp(log)

    def attributes(self, log):
        """The at most two attributes in [0, 1] at which log X has a value, for an array of values."""
        square = (self.t - self.nearest) ** 2 - 2 * self.sigma**2 * np.asarray(log, dtype=float)
        root = np.sqrt(square[square >= 0])
        found = np.concatenate([self.t - root, self.t + root])
        return found[(found >= 0) & (found <= 1)]


class _Tilts(NamedTuple):
    """Tilts on one side: theta, the tilted mean of X and its distance from the end of X's range, K(theta) - theta mean."""

    theta: np.ndarray
    mean: np.ndarray
    distance: np.ndarray
    rate: np.ndarray

    def some(self, chosen):
        return _Tilts(*(column[chosen] for column in self))

    def exponent(self, threshold):
        """K(theta) - theta s for every theta and threshold."""
        return self.rate[:, None] - self.theta[:, None] * (np.atleast_1d(threshold) - self.mean[:, None])


class _Thresholds(NamedTuple):
    """Thresholds, with the signed weights of their tail probabilities in the mean over targets."""

    value: np.ndarray
    weight: np.ndarray


class _Setting(NamedTuple):
    """What the distribution of the mean X depends on, with a table of attributes and the density's demand for panels."""

    release: _Release
    density: object
    neighbours: int
    epsilon: float
    effort: Effort
    points: np.ndarray
    demand: np.ndarray


class _Tails(NamedTuple):
    """Mean and standard deviation of one X, and the families of positive and of negative tilts."""

    mean: float
    deviation: float
    above: _Tilts
    below: _Tilts


class _Targets(NamedTuple):
    """Table of attributes of the target; for each threshold, high and low, the logarithm of a bound on what it adds."""

    table: np.ndarray
    sizes: tuple
    largest: float


def failure_density(t, density, neighbours, epsilon, sigma, effort, floor=-np.inf):
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

    Returns
    -------
    float
        Integrated over t, the expected failure probability.
    """
    setting = _setting(t, density, neighbours, epsilon, sigma, effort)
    tails = _tails(setting)
    targets = _targets(setting, tails)
    log_density = _log_density(setting.release)
    if not targets.largest + log_density > floor:
        return 0.0
    total, above, below = _thresholds(setting, tails, targets)
    for thresholds, family in ((above, tails.above), (below, tails.below)):
        if thresholds.value.size:
            total += _tail_sum(setting, thresholds, family, targets.largest)
    return total * np.exp(log_density)


def log_bound(t, density, neighbours, epsilon, sigma):
    """Logarithm of about the largest value, over targets, of what `failure_density` is the integral of."""
    setting = _setting(t, density, neighbours, epsilon, sigma, None)
    return _targets(setting, _tails(setting)).largest + _log_density(setting.release)


def _log_density(release):
    distance = (release.t - release.nearest) / release.sigma
    return -(distance**2) / 2 - np.log(release.sigma * np.sqrt(2 * np.pi))


def _setting(t, density, neighbours, epsilon, sigma, effort):
    nearest = min(max(t, 0.0), 1.0)
    release = _Release(t, sigma, nearest, 0.0, False)
    lowest = float(min(release.log_term(0.0), release.log_term(1.0)))
    release = release._replace(lowest=lowest, centred=lowest > -0.7)
    around = t + sigma * np.linspace(-8, 8, 65)
    points = np.unique(np.concatenate([density.points, around[(around > 0) & (around < 1)]]))
    demand = np.interp(points, density.points, density.demand)
    return _Setting(release, density, neighbours, epsilon, effort, points, demand)


def _variation(values):
    return np.concatenate([[0.0], np.cumsum(np.abs(np.diff(values)))])


def _tails(setting):
    release, density = setting.release, setting.density
    log = release.log_term(setting.points)
    # Steep tilts see nothing but the attributes next to where X is largest or smallest.
    extremes = [quadrature.graded(b, 1e-8, 0.0, 1.0, 4.0) for b in sorted({0.0, 1.0, release.nearest})]
    breaks = np.concatenate([*extremes, density.breaks])
    ends = quadrature.partition(setting.points, setting.demand + _variation(log) / 2, breaks)
    nodes, weights = density.rule(ends, 8)
    term = release.term(release.log_term(nodes))
    weights = weights / weights.sum()
    mean = float(weights @ term)
    deviation = float(np.sqrt(weights @ (term - mean) ** 2))
    first = 1 / (np.sqrt(setting.neighbours) * deviation)
    highest, lowest = release.term(np.array([0.0, release.lowest]))
    return _Tails(
        mean,
        deviation,
        _family(term, weights, first, float(highest), setting.neighbours),
        _family(term, weights, -first, float(lowest), setting.neighbours),
    )


def _family(term, weights, first, end, neighbours):
    """Tilts that grow geometrically until the tilted mean is at the end of what X can reach, or never gets there."""
    parts = []
    shifted = term - end  # all of one sign, so that theta (X - end) <= 0 overflows nowhere
    for start in range(0, 40 * _CHUNK, _CHUNK):
        theta = first * _GROWTH ** np.arange(start, start + _CHUNK)
        tilted = np.exp(np.maximum(theta[:, None] * shifted, -_LARGEST_EXPONENT)) * weights
        total = tilted.sum(axis=1)
        alive = total > 1e-280
        theta, total = theta[alive], total[alive]
        mean = tilted[alive] @ shifted / total
        rate = np.log(total) - theta * mean
        parts.append((theta, mean + end, np.abs(mean), rate))
        if not alive.all() or neighbours * rate[-1] < _IMPOSSIBLE or abs(mean[-1]) < 1e-8 * abs(end or 1.0):
            break
    return _Tilts(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _bound(value, tails, neighbours):
    """Logarithm of a bound on the probability of the tail that begins at a threshold and does not contain the mean."""
    above, below, mean = tails.above, tails.below, tails.mean
    rate = np.interp(value, np.append(mean, above.mean), np.append(0.0, above.rate), right=-np.inf)
    other = np.interp(value, np.append(below.mean[::-1], mean), np.append(below.rate[::-1], 0.0), left=-np.inf)
    return neighbours * np.where(value >= mean, rate, other)


def _targets(setting, tails):
    release, density, epsilon = setting.release, setting.density, setting.epsilon
    table = np.unique(np.concatenate([setting.points, _breaks(setting, tails)]))
    log = release.log_term(table)
    inner = np.clip(table, 1e-13, 1 - 1e-13)
    with np.errstate(divide="ignore"):
        base = log + np.log(density(inner, 1 - inner))
    sizes = []
    for sign in (1, -1):
        value = _threshold(release, log, sign * epsilon)
        beyond = value >= tails.mean if sign > 0 else value < tails.mean
        size = base + np.where(beyond, _bound(value, tails, setting.neighbours), 0.0)
        size[(log + epsilon >= 0) if sign > 0 else (log - epsilon <= release.lowest)] = -np.inf
        sizes.append(size)
    return _Targets(table, tuple(sizes), float(max(size.max() for size in sizes)))


def _thresholds(setting, tails, targets):
    """Thresholds of all targets that matter.

    Returns
    -------
    constant : float
        Weight of the targets for which failure is certain, or taken as 1 minus the other tail.
    above, below : _Thresholds
        On either side of the mean.
    """
    release, epsilon = setting.release, setting.epsilon
    own = np.interp(targets.table, setting.points, setting.demand)
    edges = np.append(_breaks(setting, tails), setting.density.breaks)
    constant, columns = 0.0, ([], [])
    for sign, size in zip((1, -1), targets.sizes, strict=True):
        clipped = np.maximum(size, targets.largest - _NEGLIGIBLE)
        ends = quadrature.partition(targets.table, own + _variation(clipped) / 3, edges)
        a, weights = setting.density.rule(ends, setting.effort.order)
        logs = release.log_term(a)
        possible = (logs + epsilon < 0) if sign > 0 else (logs - epsilon > release.lowest)
        possible &= np.interp(a, targets.table, clipped) > targets.largest - _NEGLIGIBLE
        logs, weights = logs[possible], weights[possible] * np.exp(logs[possible])
        value = _threshold(release, logs, sign * epsilon)
        # Some X at least is always above its smallest value.
        sure = (logs + epsilon <= release.lowest) if sign > 0 else np.zeros(logs.shape, dtype=bool)
        upper = value >= tails.mean
        other = ~sure & (~upper if sign > 0 else upper)
        constant += weights[sure | other].sum()
        weights = np.where(other, -weights, weights)
        for column, side in zip(columns, (upper, ~upper), strict=True):
            column.append((value[side & ~sure], weights[side & ~sure]))
    above, below = (_Thresholds(*(np.concatenate(c) for c in zip(*column, strict=True))) for column in columns)
    return constant, above, below


def _threshold(release, log, shift):
    return release.term(np.minimum(log + shift, _LARGEST_EXPONENT))


def _breaks(setting, tails):
    """Ends of panels of targets: where a threshold crosses the mean, at the ends, and where small sums are not smooth."""
    release, mean = setting.release, tails.mean
    level = np.log1p(mean) if release.centred else np.log(mean)
    thickness = tails.deviation / (np.sqrt(setting.neighbours) * (1 + mean if release.centred else mean))
    shifts = np.array([-setting.epsilon, setting.epsilon])
    found = []
    for point in (*release.attributes(level + shifts), 0.0, 1.0, *([release.t] if 0 < release.t < 1 else [])):
        slope = max(abs(release.t - point) / release.sigma**2, 1e-300)
        shortest = min(thickness / slope, release.sigma * np.sqrt(2 * thickness), 0.5)
        found.append(quadrature.graded(point, max(shortest / 2, 1e-13), 0.0, 1.0))
    found.append(release.attributes(np.add.outer(np.array([0.0, release.lowest]), shifts).ravel()))
    if setting.neighbours <= 4:
        found.append(release.attributes(np.add.outer(_singular(setting), shifts).ravel()))
    return np.unique(np.concatenate(found))


def _singular(setting):
    """Logarithms of the means of p points at which the distribution of X is not smooth."""
    release = setting.release
    attributes = np.array([0.0, 1.0, release.nearest, *setting.density.breaks])
    single = np.unique(release.term(release.log_term(attributes)))
    sums = single
    for _ in range(setting.neighbours - 1):
        sums = np.unique(np.add.outer(sums, single))
    means = sums / setting.neighbours
    return np.log1p(means) if release.centred else np.log(means)


def _tail_sum(setting, thresholds, tilts, largest):
    """Weighted sum of the probabilities of the tails beyond thresholds, all on one side of the mean."""
    end = setting.release.term(0.0 if tilts.theta[0] > 0 else setting.release.lowest)
    distance = np.abs(thresholds.value - end)
    chosen = _choose(tilts, setting.neighbours, thresholds.value, distance.min())
    candidates = tilts.some(chosen)
    exponents = setting.neighbours * candidates.exponent(thresholds.value)
    near = candidates.distance[:, None] <= 2 * distance
    near[-1] = True
    exponents[~near] = np.inf
    serving, exponents = np.argmin(exponents, axis=0), exponents.min(axis=0)
    with np.errstate(divide="ignore"):
        sizes = np.log(np.abs(thresholds.weight)) + np.minimum(exponents, 0.0)
    total = 0.0
    for number, index in enumerate(chosen):
        served = serving == number
        if np.any(served):
            some = _Thresholds(thresholds.value[served], thresholds.weight[served])
            share = min(1.0, np.exp(max(sizes[served].max() - sizes.max(), -_NEGLIGIBLE)))
            total += _line(setting, some, tilts.theta[index], share)
    return total


def _choose(tilts, neighbours, thresholds, shortest):
    """Indices of a few tilts such that each threshold has one at which its integrand is not much above the saddle's.

    Where X ranges over many orders of magnitude that alone would let one line serve many of them, and it would have to be
    as long as the smallest threshold asks. So the tilted mean's distance from the end of X's range must be near the
    threshold's as well.
    """
    rising = tilts.theta[0] > 0
    passed = tilts.mean >= thresholds.max() if rising else tilts.mean <= thresholds.min()
    last = int(np.argmax(passed | (tilts.distance < shortest))) if passed.any() else len(passed) - 1
    chosen, current = [0], 0
    moment = tilts.rate + tilts.theta * tilts.mean
    while current < last:
        following = np.arange(current + 1, last + 1)
        meeting = (moment[following] - moment[current]) / (tilts.theta[following] - tilts.theta[current])
        between = tilts.some(slice(current, last + 1)).exponent(meeting)
        excess = neighbours * (between[0] - between.min(axis=0))
        fine = np.flatnonzero((excess <= _EXCESS) & (tilts.distance[following] >= tilts.distance[current] / 4))
        current = int(following[fine[-1]]) if fine.size else current + 1
        chosen.append(current)
    return chosen


def _line(setting, thresholds, theta, share):
    """Weighted sum of tail probabilities by the trapezoidal rule along the vertical line through theta.

    ``share``, in (0, 1], says how large the sum is next to those on other lines: a small one needs fewer digits.
    """
    neighbours, effort = setting.neighbours, setting.effort
    count = 32 if neighbours > 12 else 64
    term, weights = _terms(setting, theta, 0.0)
    mean, _, tilted = _tilt(term, weights, theta)
    deviation = float(np.sqrt(tilted @ (term - mean) ** 2))
    step = effort.step * min(abs(theta), 1 / (np.sqrt(neighbours) * deviation))
    # A smooth end of the line does its work if the terms at the end of X's range have turned often enough until there.
    end = setting.release.term(0.0 if theta > 0 else setting.release.lowest)
    turn = neighbours * np.abs(thresholds.value - end).min() * step
    phase = effort.phase * np.sqrt(max(0.1, 1 + np.log(share) / 16)) * (1 if neighbours > 4 else 3)
    longest = min(max(phase / turn, 2 * count), _LONGEST)
    while True:
        term, weights = _terms(setting, theta, step * count)
        mean, moment, tilted = _tilt(term, weights, theta)
        logs = _characteristic(term - mean, tilted, step, count, neighbours)
        sizes = np.exp(neighbours * logs.real) / np.hypot(theta, step * np.arange(count))
        enough = sizes[-count // 4 :].sum() * share < effort.cut * sizes.sum()
        if enough or 1.5 * count > longest:
            break
        count *= 2
    taper = np.ones(count) if enough else _taper(count)
    taper[0] = 0.5
    scaled = thresholds.weight * np.exp(neighbours * (moment - theta * (thresholds.value - mean)))
    means = _fourier(-neighbours * step * (thresholds.value - mean), scaled, count)
    values = np.exp(neighbours * logs) * means / (theta + 1j * step * np.arange(count))
    return np.sign(theta) * step / np.pi * float((taper * values.real).sum())


def _taper(count):
    """A smooth window that falls from 1 to 0 along a line, narrow enough to be flat at both ends in double precision.

    Cutting the line off smoothly averages the tail probability over thresholds next to each other; it is analytic in the
    threshold but at a few points, and its average over targets more so.
    """
    return erfc((np.arange(count) / count - 0.52) / 0.11) / 2


def _terms(setting, theta, height):
    """Terms X of a neighbour with their probabilities, fine enough for tilts up to ``height`` above theta."""
    release = setting.release
    log = release.log_term(setting.points)
    term = release.term(log)
    span = 20.0 / abs(theta)
    active = np.maximum(term, term.max() - span) if theta > 0 else np.minimum(term, term.min() + span)
    rate = abs(theta) + height
    flat = np.log(1e-9 / rate) if not release.centred else -np.inf
    smooth = np.maximum(log, min(flat, 0.0))
    if theta < 0 and not release.centred:
        smooth = np.minimum(smooth, max(np.log(max(active.max(), 1e-300)), flat))
    wanted = setting.demand + _variation(active) * (height / 7 + abs(theta) / 5) + _variation(smooth) / 2.5
    ends = quadrature.partition(setting.points, wanted, setting.density.breaks)
    nodes, weights = setting.density.rule(ends, setting.effort.order)
    return release.term(release.log_term(nodes)), weights / weights.sum()


def _tilt(term, weights, theta):
    """Mean of the tilted X, log E e^(theta (X - mean)), and the tilted probabilities."""
    exponents = theta * term
    tilted = weights * np.exp(exponents - exponents.max())
    tilted /= tilted.sum()
    mean = float(tilted @ term)
    centred = theta * (term - mean)
    largest = centred.max()
    moment = (
        np.log1p(weights @ np.expm1(centred)) if largest < 1 else largest + np.log(weights @ np.exp(centred - largest))
    )
    return mean, float(moment), tilted


def _characteristic(centred, tilted, step, count, neighbours):
    """Logarithm of the characteristic function of a centred variable, at the multiples of a step."""
    if neighbours > _MANY:
        # Its p-th power would multiply the rounding errors of numbers close to 1 by p.
        angles = step * np.arange(count)[:, None] * centred
        real, imaginary = -2 * np.sin(angles / 2) ** 2 @ tilted, np.sin(angles) @ tilted
    else:
        values = _fourier(step * centred, tilted, count)
        real, imaginary = values.real - 1, values.imag
    # log(1 + w) with its small real part exact: it is multiplied by p.
    with np.errstate(divide="ignore"):
        size = np.log1p(np.maximum(2 * real + real**2 + imaginary**2, -1.0)) / 2
    return np.maximum(size, _IMPOSSIBLE) + 1j * np.arctan2(imaginary, 1 + real)


def _fourier(angles, weights, count):
    """Sums of weights times e^(i k angle) for k = 0, ..., count - 1, as a product of two small matrices."""
    inner = int(2 ** np.ceil(np.log2(count) / 2))
    outer = -(-count // inner)
    fine = _powers(np.exp(1j * angles), inner)
    coarse = _powers(np.exp(1j * inner * angles), outer) * weights
    return (coarse @ fine.T).ravel()[:count]


def _powers(base, count):
    """Powers 0, ..., count - 1 of each base, by doubling: cheaper than as many exponentials, and off by a few roundings."""
    powers = np.empty((count, base.size), dtype=complex)
    powers[0] = 1.0
    known, factor = 1, base
    while known < count:
        new = min(known, count - known)
        np.multiply(powers[:new], factor, out=powers[known : known + new])
        known, factor = known + new, factor * factor
    return powers
