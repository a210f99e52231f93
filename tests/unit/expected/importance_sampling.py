"""The expected failure probability for a large epsilon by importance sampling, an independent check in plain numpy.

A ratio is above its upper bound if the mean over neighbours of e^(-L) is below e^-epsilon. Then no neighbour has a term
above p e^-epsilon, so each lies within one of two pieces of [0, 1], at its ends. Neighbours are drawn there, target and
noise from cells about as often as they matter, and each draw counts by the ratio of the two laws. Ratios below the lower
bound, of probability p e^-epsilon at most, are left out.
"""

import numpy as np
from scipy.special import betaincinv, betaln, logsumexp, xlog1py, xlogy
from scipy.stats import beta

# Of the cells: places at which their weight is looked at, in units of the cell.
_PLACES = [(u, v) for u in (0.05, 0.5, 0.95) for v in (0.05, 0.5, 0.95)]
# Share of the draws that is spread evenly over the cells, so that none is missed.
_EVEN = 1e-3


def expected_failure_probability(neighbours, epsilon, sigma, draws, seed, shape=(1.0, 1.0)):
    """E[rho] for Beta attributes, the uniform ones if ``shape`` is left out, and its standard error."""
    rng = np.random.default_rng(seed)
    near_end = np.concatenate([[0.0], np.geomspace(1e-6, 0.5, 60)])
    targets, noise = np.unique(np.concatenate([near_end, 1 - near_end])), np.linspace(-20.0, 20.0, 501)
    width, height = np.diff(targets)[:, None], np.diff(noise)

    def ends(a, z):
        """Probabilities of the two pieces, and the release."""
        t = a + sigma * z
        root = np.sqrt(np.maximum((t - a) ** 2 + 2 * sigma**2 * (epsilon - np.log(neighbours)), 0.0))
        return beta.cdf(t - root, *shape), beta.sf(t + root, *shape), t

    def log_weight(a, z):
        """Of target, noise and the pieces that hold all neighbours."""
        left, right, _ = ends(a, z)
        log_density = xlogy(shape[0] - 1, a) + xlog1py(shape[1] - 1, -a) - betaln(*shape)
        with np.errstate(divide="ignore"):
            return log_density - z**2 / 2 - np.log(2 * np.pi) / 2 + neighbours * np.log(left + right)

    logs = logsumexp([log_weight(targets[:-1, None] + u * width, noise[:-1] + v * height) for u, v in _PLACES], axis=0)
    cells = np.exp(logs - logs.max()) * width * height
    cells = (1 - _EVEN) * cells / cells.sum() + _EVEN / cells.size
    chosen = rng.choice(cells.size, draws, p=cells.ravel())
    row, column = np.unravel_index(chosen, cells.shape)
    a = targets[row] + rng.random(draws) * width[row, 0]
    z = noise[column] + rng.random(draws) * height[column]
    log_drawn = np.log((cells / (width * height)).ravel()[chosen])

    left, right, t = ends(a, z)
    u = rng.random((draws, neighbours)) * (left + right)[:, None]
    from_right = betaincinv(*shape[::-1], np.clip(u - left[:, None], 0.0, 1.0))
    b = np.where(u > left[:, None], 1 - from_right, betaincinv(*shape, np.minimum(u, left[:, None])))
    log_ratios = ((t[:, None] - b) ** 2 - (t - a)[:, None] ** 2) / (2 * sigma**2)
    fails = logsumexp(-log_ratios, axis=1) - np.log(neighbours) < -epsilon
    counted = np.where(fails, log_weight(a, z) - log_drawn, -np.inf)
    shares = np.exp(counted - counted.max())
    return np.array([shares.mean(), shares.std() / np.sqrt(draws)]) * np.exp(counted.max())
