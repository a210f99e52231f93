"""The mechanisms by their names, and the noise that probabilistic privacy asks for from each."""

from types import ModuleType

from disclosure.mechanisms import discrete_gaussian, gaussian, geometric, laplace
from disclosure.numerics import errors

__all__ = ["MECHANISMS", "WHOLE", "calibrate"]

MECHANISMS: dict[str, ModuleType] = {
    "gaussian": gaussian,
    "laplace": laplace,
    "geometric": geometric,
    "discrete_gaussian": discrete_gaussian,
}
"""Each has ``release`` and ``log_density_ratio``."""

WHOLE = ("geometric", "discrete_gaussian")
"""Those whose noise is whole numbers, for answers that are whole numbers."""


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
