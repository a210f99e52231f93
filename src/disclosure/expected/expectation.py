"""Expected values over random datasets, without sampling any.

Attributes are drawn independently from a known density, so the neighbours are independent given the target's attribute a
and the noise z, or the release t = a + sigma z.

**Union mass.** E[T] = E_a E_z [1 - (1 - H(a, z))^(n - m)], H(a, z) the probability that the bad region of one neighbour
contains z: a neighbour b does so when |t - b| > sigma sqrt(z^2 + 2 epsilon) or |t - b| < sigma sqrt(z^2 - 2 epsilon). For
uniform attributes H is piecewise linear in a, and the integrand smooth in z between a few known points; for other
densities the integral runs over t and a.

**Failure probability.** E[rho] is the integral over releases of the mean over targets of the probability that the mean of
p = n - m independent terms lies beyond one of two thresholds: `mixtures`. With few neighbours the exact rho of a dataset, a
smooth function of its attributes, is integrated by a Gauss rule over each.

**Values with probabilities.** A finite population gives finitely many datasets, over which T and rho are summed: `finite`.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from disclosure.expected import attributes, finite, windows
from disclosure.mechanisms import gaussian
from disclosure.numerics import checks, errors, quadrature
from disclosure.numerics.estimate import Estimate
from disclosure.study.points import Point, check

__all__ = ["expected_failure_probability", "expected_union_mass"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_FAR = 40.0  # the normal density beyond is 0 in floating point
_UNIFORM_ERROR = 1e-10  # relative, of the integral in closed form for uniform attributes
_ROUNDING = 1e-11
_MANY = 1000
_MOST_NEIGHBOURS = 1e9  # times the rounding of a logarithm, the relative error of what is not likely
_LEAST_NOISE = 1e-3  # of the interval's length; windows follow terms over the logarithms that it makes, at growing cost
_SMALLEST = float(np.nextafter(0.0, 1.0))
_MOST_WORK = 40_000.0  # units of `quadrature.Work`: twenty seconds on a core of 2020
_SHARES = 300.0  # of neighbours in bad regions, worked out in one unit of work
_CAUTION = 2.0  # times what a rule over releases says of itself, which at a kink can be too little
_ROUGH = 1e-5  # relative error that the least effort can reach
_LEFT_OUT = 3e-9  # relative, of releases and of windows that are too small to matter
_GAUSS_ORDERS = (6, 8, 11, 16, 22, 31, 44, 62, 88)
_FEWEST_ORDERS = 4  # that are within reach, else it is not worth trying
_MOST_QUICK_DATASETS = 700_000
_MOST_DATASETS = 1_000_000
# In units of sigma beyond the ends of the interval.
_BEYOND = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 13.0, 17.0, 22.0, 30.0, 38.0])
_MOST_EVEN = 25.0  # half the number of panels of even length; with more there is little but more of the same
_PANEL = 14.0  # sigma, length of a panel over which the density of failing releases follows the noise
_MOST_PANELS = 80
_IGNORED = 20.0  # logarithm of how much larger the integrand is elsewhere
_EFFORTS = (
    windows.Effort(8, 9.0, 20.0),
    windows.Effort(10, 11.0, 35.0),
    windows.Effort(12, 13.0, 60.0),
    windows.Effort(16, 18.0, 120.0),
    windows.Effort(20, 22.0, 240.0),
    windows.Effort(24, 26.0, 480.0),
)
_SHARP = 0.07  # sigma below which terms have all orders of magnitude, whose mean hides nothing at high frequencies
_SHARP_EFFORTS = {True: 3, False: 2}  # numbers of the first efforts, for few neighbours and for more
_FEW = 5  # neighbours from which on a mean of sharp terms has lost its high frequencies at the lower effort
_ORDERS = (10, 16, 24, 36, 54)  # nodes on a panel of targets


def expected_union_mass(population, sample, epsilon, delta, density="uniform", rtol=1e-6, *, sigma=None):
    """Expected union mass, E[T], over datasets whose attributes are independent draws.

    Parameters
    ----------
    population, sample : int
        n and m, 1 <= m <= n. For n = m there is no neighbour and the answer is 0.
    epsilon : float
        In (0, inf).
    delta : float
        In (0, 1]; 1 is the noiseless limit, where T = 1 almost surely.
    density : str or tuple, optional
        Of the attributes:

        - ``"uniform"``, on [0, 1];
        - ``("beta", a, b)``, a, b in (0, inf), on [0, 1];
        - ``(function, low, high)``: the function maps an array of attributes to their density, which integrates to 1, is
          smooth inside (low, high), and at each end behaves like a power from -0.95 on of the distance. Points where
          it has a kink or a jump go between low and high, in order;
        - ``("discrete", values, probabilities)``: a finite list of distinct values. The two sums run over all counts of
          the values among the neighbours, at most 10^6 of them.
    rtol : float, optional
        Wanted relative error, in [1e-8, 0.1].
    sigma : float, optional
        Standard deviation of the noise, in [0, inf), in the units of the attributes; for the failure probability of more
        than one neighbour 0 or at least 0.001 of the length over which they spread. Calibrated to (epsilon, delta) by
        equation (30) if left out, with the length of the interval, or the range of the values, as sensitivity.

    Returns
    -------
    Estimate

    Raises
    ------
    DomainError
        Outside these ranges.
    ConvergenceError
        If the estimated error stays above ``rtol`` times the value, or would take too much work; if the answer is too small
        for floating point, but is not shown to be.

    Examples
    --------
    >>> round(expected_union_mass(100, 90, 1.0, 10**-1.1).value, 6)
    0.015...
    """
    setting = _setting(population, sample, epsilon, delta, density, rtol, sigma)
    if isinstance(setting.density, attributes.Discrete):
        return _over_values(setting, finite.expected_union_mass)
    return _trivial(setting) or _union_mass(setting)


def expected_failure_probability(population, sample, epsilon, delta, density="uniform", rtol=1e-6, *, sigma=None):
    """Expected failure probability, E[rho], over datasets whose attributes are independent draws.

    The bounds are (24), with the uniform prior over candidates. Takes the arguments of `expected_union_mass`, returns and
    raises the same.

    Notes
    -----
    With one neighbour the failure set is the bad region, so E[rho] = E[T]. Otherwise the error estimate adds what the rule
    over releases says of itself to the difference that a finer computation makes at every second release, which is about
    the error of the coarser one; the value is corrected by that difference.

    A point of uniform attributes takes one to five seconds, whatever n is up to 10^9 neighbours, for epsilon up to 100 and
    sigma from 0.07 of the interval on. Epsilon up to 10^4 or sigma down to 0.001 take up to about twenty; so does a density
    that is infinite at an end, which wants an rtol of 1e-4; narrow spikes are mostly out of reach. The work is counted, and
    `ConvergenceError` ends what would take more. Of an answer of 0 the error says that it is below the smallest float.

    Examples
    --------
    >>> round(expected_failure_probability(100, 90, 1.0, 10**-1.1).value, 9)
    0.000117112
    """
    setting = _setting(population, sample, epsilon, delta, density, rtol, sigma)
    if isinstance(setting.density, attributes.Discrete):
        return _over_values(setting, finite.expected_failure_probability)
    trivial = _trivial(setting)
    if trivial:
        return trivial
    if setting.neighbours == 1:
        return _union_mass(setting)
    checks.within(
        "population - sample", setting.neighbours, f"[0, {_MOST_NEIGHBOURS:g}]", "its rounding would show beyond"
    )
    checks.within(
        "sigma in units of the attributes' interval",
        setting.sigma,
        f"[{_LEAST_NOISE:g}, inf)",
        "sigma = 0 stands for none, and with so little all but neighbours next to the target tell everything",
    )
    return _over_datasets(setting) or _over_all_releases(setting)


class _Setting(NamedTuple):
    """Checked arguments; sigma in units of the density's interval, or of the values."""

    neighbours: int
    epsilon: float
    density: object
    sigma: float
    rtol: float


def _setting(population, sample, epsilon, delta, density, rtol, sigma):
    check(Point(population, sample, epsilon, delta))
    rtol = float(checks.within("rtol", rtol, "[1e-8, 0.1]"))
    density = attributes.as_density(density)
    if sigma is None:
        sigma = (
            gaussian.calibrate(epsilon, delta, density.range, definition="probabilistic") if density.range > 0 else 0.0
        )
    sigma = checks.number("sigma", sigma, "[0, inf)") / density.width
    return _Setting(int(population) - int(sample), float(epsilon), density, sigma, rtol)


def _trivial(setting):
    """The answer that needs no integral, or None."""
    if setting.neighbours == 0:
        return Estimate(0.0, 0.0)
    if setting.sigma == 0:
        return Estimate(1.0, 0.0)
    return Estimate(0.0, _SMALLEST) if _log_bound(setting) < np.log(_SMALLEST) else None


def _log_bound(setting):
    """Logarithm of an upper bound of both expected values: neighbours times the mass (15) at the largest distance."""
    noise = setting.sigma if isinstance(setting.density, attributes.Density) else setting.sigma / setting.density.range
    near, far = -setting.epsilon * noise + 0.5 / noise, -setting.epsilon * noise - 0.5 / noise
    return np.log(setting.neighbours) + np.logaddexp(log_ndtr(near), log_ndtr(far))


def _work(setting, what):
    return quadrature.Work(_MOST_WORK, _named(what, setting))


def _named(what, setting):
    return (
        f"{what} for {setting.neighbours} neighbours, epsilon = {setting.epsilon}, sigma = "
        f"{setting.sigma * setting.density.width} and rtol = {setting.rtol}"
    )


def _checked(value, error, setting, what):
    value, error = float(value), float(error)
    if value == 0:
        raise errors.ConvergenceError(
            f"{_named(what, setting)} is too small for floating point, but not so small that it is shown to be 0"
        )
    if not error <= setting.rtol * value:
        raise errors.ConvergenceError(
            f"{_named(what, setting)}: {value!r} has an estimated error of {error!r}, more than is wanted; a larger rtol may do"
        )
    return Estimate(value, error)


def _first_panels(setting):
    """Ends of panels of releases, on the left half if both halves are alike, and how often they count."""
    inner = np.linspace(0.0, 1.0, 2 * int(np.ceil(min(0.5 / setting.sigma, _MOST_EVEN))) + 1)
    beyond = setting.sigma * _BEYOND[1:]
    ends = np.concatenate([-beyond[::-1], inner, 1 + beyond])
    if 0.5 / setting.sigma > _MOST_EVEN:
        around = np.concatenate([-beyond[::-1], [0.0], beyond])
        breaks = np.concatenate([end + around for end in (0.0, 1.0, *setting.density.breaks)])
        ends = np.union1d(ends, breaks[(breaks > ends[0]) & (breaks < ends[-1])])
    return (ends[ends <= 0.5], 2.0) if setting.density.symmetric else (ends, 1.0)


def _over_datasets(setting):
    """E[rho] by Gauss rules over each attribute, or None if those that are within reach do not agree.

    The failure probability of a dataset varies smoothly with its attributes, but for a root where a good interval is about
    to vanish; Gauss's nodes stand for a finite population.
    """
    orders = [order for order in _GAUSS_ORDERS if finite.number(order, setting.neighbours) <= _MOST_QUICK_DATASETS]
    value, difference = np.inf, np.inf
    for order in orders if len(orders) >= _FEWEST_ORDERS else []:
        nodes, weights = setting.density.gauss(order)
        last, before = value, difference
        value = finite.expected_failure_probability(nodes, weights, setting.neighbours, setting.epsilon, setting.sigma)
        difference = abs(value - last)
        # One difference can be small by chance.
        error = max(difference, before / 10) + _ROUNDING * value
        if 0 < error <= setting.rtol * value:
            return Estimate(float(value), float(error))
    return None


def _over_all_releases(setting):
    """E[rho] at growing fineness, until a finer computation at every second release agrees."""
    what = "expected failure probability"
    arguments, work = (setting.density, setting.neighbours, setting.epsilon, setting.sigma), _work(setting, what)
    ends, copies = _first_panels(setting)
    ends, floor = _relevant(setting, ends, lambda t: windows.log_bound(t, *arguments, work))
    if floor == -np.inf:
        return _checked(0.0, 0.0, setting, what)
    if setting.neighbours >= _MANY:
        ends = np.union1d(ends, _crossings(ends, lambda t: windows.offsets(t, *arguments)))

    def failure_density(t, effort):
        return windows.failure_density(t, *arguments, effort, floor, work)

    first = _SHARP_EFFORTS[setting.neighbours < _FEW] if setting.sigma < _SHARP else setting.rtol < _ROUGH
    efforts = _EFFORTS[first:]
    value, error = _over_releases(failure_density, efforts, ends, setting.rtol)
    error += _LEFT_OUT * value
    return _checked(copies * value, copies * error, setting, what)


def _over_releases(function, efforts, ends, rtol):
    """Integral over releases at growing effort, until a finer computation at every second release agrees."""
    function = functools.cache(function)

    def integrand(effort):
        return lambda releases: np.array([function(float(t), effort) for t in releases])

    for effort, finer in itertools.pairwise(efforts):
        found = quadrature.adaptive(integrand(effort), ends, rtol / 4, max(_MOST_PANELS, 2 * len(ends)))
        ends = found.ends
        correction = quadrature.every_second(integrand(finer), ends) - quadrature.every_second(integrand(effort), ends)
        error = _CAUTION * found.error + abs(correction) + _ROUNDING * found.value
        if error <= rtol * found.value:
            break
    return found.value + correction, error


def _crossings(ends, function):
    """Where components of a function change their sign, to one change a component and panel."""
    values = np.array([function(t) for t in ends])
    return [
        brentq(lambda t, k=k: function(t)[k], ends[i], ends[i + 1], xtol=1e-12)
        for i, k in np.argwhere(values[1:] * values[:-1] < 0)
    ]


def _relevant(setting, ends, log_bound):
    """Panels on which a bound is not negligible next to its largest value, and what is negligible."""
    probes = np.sort(np.concatenate([ends, (ends[1:] + ends[:-1]) / 2]))
    bounds = np.array([log_bound(t) for t in probes])
    floor = bounds.max() - _IGNORED
    if floor == -np.inf:
        return ends, floor
    seen = np.flatnonzero(bounds > floor)
    kept = slice(max(seen[0] - 1, 0), seen[-1] + 2)
    probes, clipped = probes[kept], np.maximum(bounds[kept], floor)
    demand = np.abs(np.diff(clipped)) / 20 + _lengths(setting, probes)
    return quadrature.partition(probes, np.concatenate([[0.0], np.cumsum(demand)])), floor


def _lengths(setting, probes):
    """Lengths between releases in units of a panel's: some sigma, and far from all ends what the density asks for."""
    density, longest = setting.density, _PANEL * setting.sigma
    ends = np.array([0.0, 1.0, *density.breaks])
    middle = (probes[1:] + probes[:-1]) / 2
    away = np.maximum(np.abs(middle[:, None] - ends).min(axis=1) / longest, 1.0)
    own = np.diff(np.interp(probes, density.points, density.demand))
    return np.diff(probes) / longest * np.minimum(1.0, 1 / away + own * longest / np.diff(probes))


def _union_mass(setting):
    """E[T]: in closed form over the targets for uniform attributes, by quadrature over releases and targets otherwise."""
    if isinstance(setting.density, attributes.Uniform):
        value = _uniform_union_mass(setting.epsilon, setting.sigma, setting.neighbours)
        return _checked(value, _UNIFORM_ERROR * value, setting, "expected union mass")
    return _union_mass_by_quadrature(setting)


def _union_mass_by_quadrature(setting):
    ends, copies = _first_panels(setting)
    kinks = _release_kinks(2 * setting.epsilon * setting.sigma**2, [0.0, 1.0, *setting.density.breaks])
    # Many neighbours sharpen what happens at a kink, over lengths that depend on slopes: panels beside it of all sizes.
    shortest = 5 / (setting.neighbours + 50)
    kinks = np.concatenate([quadrature.graded(kink, shortest, kink - 1, kink + 1, 8.0) for kink in kinks])
    ends = np.unique(np.concatenate([ends, kinks[(kinks > ends[0]) & (kinks < ends[-1])]]))

    work = _work(setting, "expected union mass")
    value, error = _over_releases(lambda t, order: _union_density(t, setting, order, work), _ORDERS, ends, setting.rtol)
    return _checked(copies * value, copies * error, setting, "expected union mass")


def _release_kinks(spread, points):
    """Releases at which kinks in the target's attribute, where (t - a)^2 = (t - b)^2 +- spread, meet each other or an end."""
    points = np.asarray(points)
    kinks = [points + root for root in (-np.sqrt(spread), np.sqrt(spread))]
    for first, second in itertools.combinations(points, 2):
        kinks.append((first + second + np.arange(-2, 3) * spread / (second - first)) / 2)
    return np.concatenate(kinks)


def _union_density(t, setting, order, work):
    """Density of the release at t, times the probability that it lies in the union of the bad regions."""
    density, sigma, spread = setting.density, setting.sigma, 2 * setting.epsilon * setting.sigma**2
    squares = np.array([(t - b) ** 2 for b in (0.0, 1.0, *density.breaks)])
    squares = np.concatenate([squares - spread, squares + spread, [spread, 0.0]])
    roots = np.sqrt(squares[squares >= 0])
    kinks = np.concatenate([t - roots, t + roots, [0.0, 1.0]])
    kinks = np.unique(kinks[(kinks >= 0) & (kinks <= 1)])
    # With many neighbours the integrand rises from 0 to 1 within an attribute or two of a kink; with a density that is
    # infinite at an end it rises there like a power below 1 of the distance, of which Gauss rules miss this much.
    shortest = min(0.02 / setting.neighbours, 256 * 1e-8 ** (1 / (2 + min(density.powers))))
    breaks = [quadrature.graded(kink, shortest, 0.0, 1.0, 4.0) for kink in kinks]
    # A power of the distance to an end, too, is smooth only between points whose distances have a moderate ratio.
    inner = kinks[1:-1]
    breaks += [quadrature.graded(end, abs(inner - end).min(initial=0.1), 0.0, 1.0, 8.0) for end in (0.0, 1.0)]
    log_normal = -(((t - density.points) / sigma) ** 2) / 2
    clipped = np.maximum(log_normal, log_normal.max() - 40)
    demand = density.demand + np.concatenate([[0.0], np.cumsum(np.abs(np.diff(clipped)))]) / 3
    a, weights = density.rule(
        quadrature.partition(density.points, demand, np.concatenate([*breaks, kinks, density.panels])), order
    )
    work.spend(a.size / _SHARES)
    squared = (t - a) ** 2
    outer, inner = np.sqrt(squared + spread), np.sqrt(np.maximum(squared - spread, 0.0))
    share = density.below(t - outer) + density.above(t + outer) + density.between(t - inner, t + inner)
    normal = np.exp(-squared / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    return float(weights @ (normal * _one_minus_power(share, setting.neighbours)))


def _over_values(setting, expected):
    """Exact sum over all datasets of a finite population."""
    values, probabilities = setting.density.values, setting.density.probabilities
    neighbours, kinds = setting.neighbours, len(values)
    if neighbours == 0:
        return Estimate(0.0, 0.0)
    datasets = finite.number(kinds, neighbours)
    if datasets > _MOST_DATASETS:
        raise errors.DomainError(
            f"density has {kinds} values, which {neighbours} neighbours can share in {datasets:.3g} ways; at most "
            f"{_MOST_DATASETS} can be summed: take fewer values, or a density"
        )
    if kinds > 1 and setting.sigma > 0 and _log_bound(setting) < np.log(_SMALLEST):
        return Estimate(0.0, _SMALLEST)
    total = expected(values, probabilities, neighbours, setting.epsilon, setting.sigma)
    if total == 0 and kinds > 1:
        return _checked(total, 0.0, setting, "expected value")
    return Estimate(total, max(_ROUNDING, 1e-15 * neighbours) * total)


def _uniform_union_mass(epsilon, sigma, neighbours):
    z, weights = _noise_nodes(epsilon, sigma)
    inner = _mean_over_target(z, epsilon, sigma, neighbours)
    # Mirroring a, b and z leaves everything as it is, so the positive half of the noise counts twice.
    return float(2 * np.sum(weights * np.exp(-(z**2) / 2) * inner) / np.sqrt(2 * np.pi))


def _noise_nodes(epsilon, sigma):
    """Quadrature nodes and weights on (0, inf) for functions smooth between the points where H changes its form."""
    spread = 2 * epsilon * sigma**2
    # Where the ends of a piece meet the ends of the attributes' interval, and where they meet each other.
    kinks = [np.sqrt(2 * epsilon), abs(spread - 1) / (2 * sigma), (spread + 1) / (2 * sigma)]
    kinks += [np.sqrt(max((outer / sigma) ** 2 - 2 * epsilon, 0.0)) for outer in (0.5, 0.5 + spread)]
    ends = np.unique([0.0, *(kink for kink in kinks if kink < _FAR), _FAR])
    nodes, weights = [], []
    for begin, end in itertools.pairwise(ends):
        # Square root singularities sit at the ends; panels that shrink towards both resolve them, and the tail as well.
        middle = (begin + end) / 2
        graded = (middle - begin) * 0.5 ** np.arange(0, 40)
        panels = np.concatenate(([begin], begin + graded[::-1], end - graded[1:], [end]))
        for low, high in itertools.pairwise(panels):
            for part_low, part_high in _split(low, high):
                half = (part_high - part_low) / 2
                nodes.append((part_low + part_high) / 2 + half * _NODES)
                weights.append(half * _WEIGHTS)
    return np.concatenate(nodes), np.concatenate(weights)


def _split(low, high):
    """Panels no longer than 1, so that the normal density is resolved."""
    ends = np.linspace(low, high, int(np.ceil(high - low)) + 1)
    return itertools.pairwise(ends)


def _mean_over_target(z, epsilon, sigma, neighbours):
    """E_a [1 - (1 - H(a, z))^p] for each z > 0, a uniform on [0, 1]."""
    outer = sigma * np.sqrt(z**2 + 2 * epsilon)
    with np.errstate(invalid="ignore"):
        inner = np.where(z**2 > 2 * epsilon, sigma * np.sqrt(np.abs(z**2 - 2 * epsilon)), np.nan)
    shift = sigma * z
    # How far below a, and how far above it, bad neighbours begin, without cancellation:
    # sigma (sqrt(z^2 + 2 epsilon) - z) and sigma (z - sqrt(z^2 - 2 epsilon)).
    below = 2 * epsilon * sigma / (z + outer / sigma)
    inner_low = 2 * epsilon * sigma / (z + inner / sigma)

    kinks = np.column_stack([below, 1 - shift - outer, 1 - inner_low, 1 - shift - inner])
    ends = np.sort(np.clip(np.nan_to_num(kinks, nan=0.0), 0.0, 1.0), axis=1)
    ends = np.column_stack([np.zeros_like(z), ends, np.ones_like(z)])

    def bad_share(a):
        share = np.clip(a - below[:, None], 0, 1) + np.clip(1 - (a + (shift + outer)[:, None]), 0, 1)
        low, high = a + inner_low[:, None], a + (shift + inner)[:, None]
        middle = np.minimum(high, 1) - np.minimum(low, 1)
        return share + np.where(np.isnan(middle), 0.0, middle)

    total = np.zeros_like(z)
    for begin, end in zip(ends[:, :-1].T, ends[:, 1:].T, strict=True):
        # H is continuous, and linear on the piece.
        first, last = bad_share(np.column_stack([begin, end])).T
        total += (end - begin) * _mean_over_linear(first, last, neighbours)
    return total


def _mean_over_linear(first, last, neighbours):
    """Mean of 1 - (1 - h)^p over h between two values."""
    first, last = np.minimum(first, last), np.maximum(first, last)
    width = last - first
    steep = neighbours * width > 2
    result = np.empty_like(first)
    flat = ~steep
    h = (first[flat] + last[flat])[:, None] / 2 + width[flat][:, None] / 2 * _NODES
    result[flat] = _one_minus_power(h, neighbours) @ _WEIGHTS / 2
    # The antiderivative h + (1 - h)^(p + 1) / (p + 1); the width is large enough that the difference does not cancel.
    antiderivative = [h[steep] - _one_minus_power(h[steep], neighbours + 1) / (neighbours + 1) for h in (first, last)]
    result[steep] = (antiderivative[1] - antiderivative[0]) / width[steep]
    return result


def _one_minus_power(h, power):
    with np.errstate(divide="ignore"):
        return -np.expm1(power * np.log1p(-np.minimum(h, 1.0)))
