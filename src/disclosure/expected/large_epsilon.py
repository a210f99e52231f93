r"""The expected failure probability for uniform attributes where epsilon is large: the leading term, in closed form.

The attributes are uniform on [0, 1], and sigma is calibrated to (epsilon, delta) at the sensitivity 1. Then, for a fixed
number p = n - m of neighbours, as epsilon grows,

    E[rho] ~ 2 / (p + 1) E[(Z - k)_+^(p + 1)] (2 epsilon)^(-(p + 1) / 2),    k = -Phi^-1(delta),

with Z standard normal. The relative error is of the order of epsilon^(-1/2).

Derivation. By calibration Phi(1 / (2 sigma) - epsilon sigma) = delta but for a term that vanishes, so 1 / (2 sigma) -
epsilon sigma = -k and sigma ~ (2 epsilon)^(-1/2). Let the target's attribute be a, and let a neighbour's attribute be
1 - v. Their distance is d = 1 - a - v, and the release has the noise z. The log density ratio L = d^2 / (2 sigma^2) -
z d / sigma is above epsilon if z < d / (2 sigma) - epsilon sigma / d. With a and v of the order of sigma the right side is
-k - (a + v) (1 / (2 sigma) + epsilon sigma) + O(sigma), and the factor of a + v is (2 epsilon)^(1/2) (1 + O(sigma)). In
the limit only the largest term e^(-L) of g counts, since L changes by 2 epsilon on the unit of v. So the ratio is
above its upper bound if a + max v < (-z - k)_+ (2 epsilon)^(-1/2). The volume of the (a, v_1, ..., v_p) with
a + max v < y is y^(p + 1) / (p + 1). The same holds with both ends of [0, 1] exchanged, hence the factor 2. A ratio below
its lower bound takes a release on the other side of a neighbour, at a distance of (2 epsilon)^(1/2) sigma or more from the
target: its probability is less than p e^(-epsilon), which vanishes faster than any power of epsilon.
"""

import math

import numpy as np
from scipy.special import ndtri

from disclosure.numerics import checks, errors, quadrature

__all__ = ["failure_probability_at_large_epsilon"]

# Widths of the peak of y^s phi(k + y), on either side of it, beyond which less than e^-40 of the integral is left for s >= 2.
_REACH = 45
# Nodes of Gauss's rule on a panel as long as that width. Its error is below rounding.
_ORDER = 20


def failure_probability_at_large_epsilon(neighbours: int, epsilon: float, delta: float) -> float:
    """Leading term of E[rho] for uniform attributes and large epsilon, with the noise calibrated to (epsilon, delta).

    It answers paper A's question, in section 6, whether the failure probability has a positive limit as epsilon grows: for
    uniform attributes it falls like epsilon^(-(n - m + 1) / 2).

    Parameters
    ----------
    neighbours : int
        n - m >= 1.
    epsilon : float
        In (0, inf). Relative to E[rho] the error is of the order of epsilon^(-1/2), with a factor that grows with n - m.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    DomainError
        Outside these ranges.
    ConvergenceError
        If the number is too small for floating point.

    See Also
    --------
    disclosure.expected_failure_probability : E[rho] for any epsilon.

    Examples
    --------
    >>> failure_probability_at_large_epsilon(2, 1600.0, 10**-1.1)
    1.155...e-07
    """
    neighbours = checks.count("neighbours", neighbours, 1)
    epsilon = checks.number("epsilon", epsilon, "(0, inf)")
    delta = checks.number("delta", delta, "(0, 1)")
    power = neighbours + 1
    log = math.log(2 / power) + _log_moment(-float(ndtri(delta)), power) - power / 2 * math.log(2 * epsilon)
    if log < math.log(np.finfo(float).tiny):
        raise errors.ConvergenceError(
            f"the failure probability at a large epsilon is e^{log:.6g} for {neighbours} neighbours and epsilon = {epsilon}, "
            "too small for floating point; take fewer neighbours or a smaller epsilon"
        )
    return math.exp(log)


def _log_moment(k: float, power: int) -> float:
    """Logarithm of E[(Z - k)_+^power], the integral over y > 0 of y^power phi(k + y)."""
    peak = (math.hypot(k, 2 * math.sqrt(power)) - k) / 2
    width = 1 / math.sqrt(1 + power / peak**2)
    low, high = max(peak - _REACH * width, 0.0), peak + _REACH * width
    nodes, weights = quadrature.composite(np.linspace(low, high, math.ceil((high - low) / width) + 1), _ORDER)
    logs = power * np.log(nodes / peak) - (nodes - peak) * (nodes + peak + 2 * k) / 2
    at_peak = power * math.log(peak) - (k + peak) ** 2 / 2 - math.log(2 * math.pi) / 2
    return at_peak + math.log(weights @ np.exp(logs))
