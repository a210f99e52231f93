"""Failure probabilities in 40 digits the plain way: log g from its definition, looked at on a fine grid, and tails added up."""

import functools
from itertools import pairwise

import mpmath
from mpmath import mp, mpf

from disclosure.beliefs.worlds import Mixture

KERNELS = {
    "gaussian": lambda t: mp.exp(-(t**2) / 2),
    "discrete_gaussian": lambda t: mp.exp(-(t**2) / 2),
    "laplace": lambda t: mp.exp(-abs(t)),
    "geometric": lambda t: mp.exp(-abs(t)),
}


def failure_probability(inside, outside, truth, *, noise, scale, low, high, reach=12.0, points=600, digits=40):
    """P(log g < low) + P(log g > high), as far as it lies within so many scales of all answers."""
    with mp.workdps(digits):
        scale = mpf(scale)
        inside, outside, truth = (_exact(mixture, scale) for mixture in (inside, outside, truth))
        levels = [(mpf(low), -1), (mpf(high), 1)]
        ends = [
            place
            for law in (inside, outside, truth)
            for place in (*law[0], *(end for piece in law[2] for end in piece[:2]))
        ]
        # Without symmetry no two points of the grid have the same height by chance.
        left, right = min(ends) - reach, max(ends) + reach * mpf("1.01")
        if noise in ("geometric", "discrete_gaussian"):
            numbers = range(int(mp.ceil(left * scale)), int(mp.floor(right * scale)) + 1)
            return _sum_over_integers(inside, outside, truth, levels, KERNELS[noise], scale, numbers)
        grid = sorted({*mpmath.linspace(left, right, points), *(ends if noise == "laplace" else ())})

        @functools.cache
        def log_g(t):
            return mp.log(_density(outside, noise, t)) - mp.log(_density(inside, noise, t))

        total = mpf(0)
        for level, sign in levels:
            if mp.isfinite(level):
                total += _mass_beyond(log_g, truth, level, sign, noise, grid)
        return total


def _exact(mixture, scale):
    """Atoms, their weights and pieces, in units of the scale."""
    answers, weights, pieces = Mixture(*mixture)
    total = mp.fsum([mpf(float(weight)) for weight in weights] + [mpf(float(piece[2])) for piece in pieces])
    return (
        [mpf(float(answer)) / scale for answer in answers],
        [mpf(float(weight)) / total for weight in weights],
        [
            (mpf(float(piece[0])) / scale, mpf(float(piece[1])) / scale, mpf(float(piece[2])) / total)
            for piece in pieces
        ],
    )


def _density(law, noise, t):
    kernel = KERNELS[noise]
    atoms = mp.fsum(weight * kernel(t - answer) for answer, weight in zip(law[0], law[1], strict=True))
    constant = mp.sqrt(2 * mp.pi) if noise == "gaussian" else 2
    return atoms + mp.fsum(
        constant * weight * _mass(noise, lower - t, upper - t) / (upper - lower) for lower, upper, weight in law[2]
    )


def _mass(noise, lower, upper):
    """P(lower < noise < upper) as a difference of tails, on the side where these are small."""
    if lower + upper > 0:
        lower, upper = -upper, -lower
    if noise == "gaussian":
        return (mp.erfc(-upper / mp.sqrt(2)) - mp.erfc(-lower / mp.sqrt(2))) / 2
    return mp.fsum(sign * (mp.exp(t) / 2 if t < 0 else 1 - mp.exp(-t) / 2) for t, sign in ((upper, 1), (lower, -1)))


def _mass_beyond(log_g, truth, level, sign, noise, grid):
    def height(t):
        return sign * (log_g(t) - level)

    points = [(t, height(t)) for t in grid]
    # A hump between three points may cross the level unseen.
    for (left, at_left), (_, at_middle), (right, at_right) in zip(points, points[1:], points[2:], strict=False):
        hump = abs(at_middle) * (1 + mpf("1e-15")) < min(abs(at_left), abs(at_right))
        if hump and at_left * at_middle > 0 and at_middle * at_right > 0:
            t = _nearest_to_axis(height, left, right, mp.sign(at_middle))
            if height(t) * at_middle < 0:
                points.append((t, height(t)))
    points.sort()
    ends, inside_set = [mp.ninf], points[0][1] > 0
    started = inside_set
    for (left, at_left), (right, at_right) in pairwise(points):
        if (at_left > 0) != (at_right > 0):
            ends.append(_root(height, left, right, at_left > 0))
    ends.append(mp.inf)
    chosen = [pair for place, pair in enumerate(pairwise(ends)) if started == (place % 2 == 0)]
    return mp.fsum(_true_mass(truth, noise, *pair) for pair in chosen)


def _nearest_to_axis(height, left, right, sign):
    """A point across the axis, or where a hump of this sign comes nearest to it, to 1e-14 of the points' distance."""
    ratio = (mp.sqrt(5) - 1) / 2
    first, second = right - ratio * (right - left), left + ratio * (right - left)
    at_first, at_second = sign * height(first), sign * height(second)
    for _ in range(66):
        if min(at_first, at_second) < 0:
            break
        if at_first < at_second:
            right, second, at_second = second, first, at_first
            first = right - ratio * (right - left)
            at_first = sign * height(first)
        else:
            left, first, at_first = first, second, at_second
            second = left + ratio * (right - left)
            at_second = sign * height(second)
    return first if at_first < at_second else second


def _root(height, left, right, positive):
    """Where a height changes its sign, to all digits but four: by Anderson and Bjorck, or by halves where that fails."""
    t = mpmath.findroot(height, (left, right), solver="anderson", tol=mpf(10) ** (-2 * mp.dps), verify=False)
    doubt = mpf(10) ** (4 - mp.dps) * max(1, abs(t))
    if left <= t <= right and height(t - doubt) * height(t + doubt) < 0:
        return t
    for _ in range(mp.prec):
        middle = (left + right) / 2
        if (height(middle) > 0) == positive:
            left = middle
        else:
            right = middle
    return (left + right) / 2


def _true_mass(truth, noise, lower, upper):
    atoms = mp.fsum(
        weight * _mass(noise, lower - answer, upper - answer) for answer, weight in zip(*truth[:2], strict=True)
    )
    for first, last, weight in truth[2]:
        atoms += weight / (last - first) * _mass_of_piece(noise, first, last, lower, upper)
    return atoms


def _mass_of_piece(noise, first, last, lower, upper):
    """Integral of P(lower < x + noise < upper) over x from first to last."""
    if (lower, upper) == (mp.ninf, mp.inf):
        return last - first
    if noise != "gaussian":
        cuts = sorted({first, last, *(end for end in (lower, upper) if first < end < last)})
        return mp.quad(lambda x: _mass(noise, lower - x, upper - x), cuts)
    # The integral of the normal distribution function is z Phi(z) + phi(z). Its four values cancel far out, where a tail at
    # 40 is 10^-350.
    with mp.workdps(mp.dps + 800):

        def integral(z):
            return mpf(0) if z == mp.ninf else z * mp.ncdf(z) + mp.npdf(z)

        # An interval to infinity is mirrored into one from minus infinity.
        if upper == mp.inf:
            first, last, lower, upper = -last, -first, mp.ninf, -lower
        values = [integral(end - answer) for end in (upper, lower) for answer in (first, last)]
        return values[0] - values[1] - values[2] + values[3]


def _sum_over_integers(inside, outside, truth, levels, kernel, scale, numbers):
    # Over as many whole numbers that everything left out is below 1e-50 of it.
    total = mp.fsum(kernel(k / scale) for k in range(-int(120 * scale) - 2, int(120 * scale) + 3))
    probability = mpf(0)
    for number in numbers:
        t = number / scale
        densities = [
            mp.fsum(weight * kernel(t - answer) for answer, weight in zip(*law[:2], strict=True))
            for law in (outside, inside, truth)
        ]
        log_g = mp.log(densities[0]) - mp.log(densities[1])
        probability += densities[2] / total * sum(sign * (log_g - level) > 0 for level, sign in levels)
    return probability
