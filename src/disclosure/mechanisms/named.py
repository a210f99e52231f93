"""The mechanisms by their names, and the noise that probabilistic privacy asks for from each."""

import math
from types import ModuleType

import numpy as np

from disclosure.mechanisms import discrete_gaussian, gaussian, geometric, laplace
from disclosure.mechanisms.names import NAMES
from disclosure.numerics import checks, errors

__all__ = ["MECHANISMS", "calibrate", "scale_with_error"]

MECHANISMS: dict[str, ModuleType] = dict(zip(NAMES, (gaussian, laplace, geometric, discrete_gaussian), strict=True))
"""Each has ``release`` and ``log_density_ratio``."""

# Error of discrete Gaussian noise from which on its standard deviation is its scale, to the last digit.
_NORMAL = 3.0
# Relative error of a scale that is found as a root.
_PRECISION = 1e-14


def calibrate(mechanism: str, epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """Smallest scale at which the log density ratio of neighbours exceeds +-epsilon with probability delta at most.

    Parameters
    ----------
    mechanism : str
        A name in `MECHANISMS`.
    epsilon : float
        In (0, inf).
    delta : float
        In (0, 1]. At 1 nothing is promised and the answer is 0, the noiseless release.
    sensitivity : float, optional
        Largest distance of two neighbours' answers, in (0, inf); noise on the whole numbers allows 1 only.

    Returns
    -------
    float
        Standard deviation of Gaussian noise, scale of Laplace noise, and what has their place for the two on the whole numbers;
        from the private side.

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    >>> [round(calibrate(name, 1.0, 0.01), 4) for name in MECHANISMS]
    [2.6213, 1.0, 1.0, 2.5495]
    """
    if mechanism not in MECHANISMS:
        raise errors.DomainError(f"mechanism = {mechanism!r} is none of {', '.join(MECHANISMS)}")
    if mechanism == "gaussian":
        return gaussian.calibrate(epsilon, delta, sensitivity, definition="probabilistic")
    if mechanism == "laplace":
        return laplace.calibrate_probabilistic(epsilon, delta, sensitivity)
    if sensitivity != 1:
        raise errors.DomainError(
            f"sensitivity = {sensitivity} and mechanism = {mechanism!r}: noise on the whole numbers is calibrated for answers "
            "that are one apart; use gaussian or laplace"
        )
    if mechanism == "discrete_gaussian":
        return discrete_gaussian.calibrate(epsilon, delta)
    # Answers that are one apart have the log density ratio +-1 / scale at every release.
    scale = geometric.calibrate(epsilon)
    return 0.0 if delta == 1 else scale


def scale_with_error(mechanism: str, error: float) -> float:
    """The scale at which a mechanism's noise has a root mean square error.

    Parameters
    ----------
    mechanism : str
        A name in `MECHANISMS`.
    error : float
        In (0, inf), in units of the answers.

    Returns
    -------
    float

    Examples
    --------
    >>> [round(scale_with_error(name, 1.0), 4) for name in MECHANISMS]
    [1.0, 0.7071, 0.7593, 1.0]
    """
    if mechanism not in MECHANISMS:
        raise errors.DomainError(f"mechanism = {mechanism!r} is none of {', '.join(MECHANISMS)}")
    error = checks.number("error", error, "(0, inf)")
    if mechanism == "gaussian":
        return error
    if mechanism == "laplace":
        return error / math.sqrt(2)
    if mechanism == "geometric":
        # With q = e^(-1 / scale) the variance is v = 2 q / (1 - q)^2, hence q = v / (v + 1 + (2 v + 1)^(1/2)).
        variance = error**2
        return -1 / math.log(variance / (variance + 1 + math.sqrt(2 * variance + 1)))
    # The variance is scale^2, but for a share of 8 pi^2 scale^2 e^(-2 pi^2 scale^2) (Poisson's summation formula).
    return error if error >= _NORMAL else _discrete_gaussian_scale(error)


def _discrete_gaussian_scale(error: float) -> float:
    from scipy.optimize import brentq  # slow to import

    def excess(scale: float) -> float:
        reach = np.arange(1.0, math.ceil(40 * scale) + 1)
        mass = np.exp(-((reach / scale) ** 2) / 2)
        return float(math.sqrt(2 * (mass @ reach**2) / (1 + 2 * mass.sum())) / error - 1)

    # The variance is below scale^2, and for a small scale about 2 e^(-1 / (2 scale^2)).
    high = error + 1.0
    if excess(high) < 0:
        raise errors.ConvergenceError(f"no discrete Gaussian noise with the error {error:g} was found")
    return float(brentq(excess, 1e-2 * min(error, 1.0), high, xtol=_PRECISION, rtol=_PRECISION))
