"""Between approximate and probabilistic differential privacy (paper A, Theorems 1 and 2, Corollary 1).

These hold for every mechanism, while `privacy` is about normal noise and loses nothing on the way.
Throughout, ``epsilon`` and ``delta`` belong to the approximate definition, ``epsilon_prime`` and ``delta_prime`` to the
probabilistic one, as in Theorem 2 and Corollary 1. Corollary 2 of the paper swaps the primes.
"""

import math

from numpy.typing import ArrayLike

from disclosure.numerics import checks, errors

__all__ = ["approximate_to_probabilistic", "probabilistic_to_approximate"]


def approximate_to_probabilistic(
    epsilon: ArrayLike,
    delta: ArrayLike,
    *,
    epsilon_prime: ArrayLike | None = None,
    delta_prime: ArrayLike | None = None,
) -> tuple[float, float]:
    """Probabilistic guarantee that follows from an approximate one (paper A, Theorem 2 and Corollary 1).

    Parameters
    ----------
    epsilon : float
        In [0, inf).
    delta : float
        In [0, 1).
    epsilon_prime : float, optional
        In (epsilon, inf): Theorem 2 gives delta_prime = delta (1 + e^-epsilon_prime) / (1 - e^(epsilon - epsilon_prime)).
    delta_prime : float, optional
        In (delta, 1]: Corollary 1 gives epsilon_prime = log((delta_prime e^epsilon + delta) / (delta_prime - delta)).

    Returns
    -------
    epsilon_prime, delta_prime : float

    Raises
    ------
    DomainError
        Outside these ranges, and where Theorem 2's delta_prime would exceed 1 and promise nothing.
    TypeError
        Unless exactly one of ``epsilon_prime`` and ``delta_prime`` is given.

    Examples
    --------
    >>> approximate_to_probabilistic(1.0, 0.01, delta_prime=0.1)
    (1.141487..., 0.1)
    """
    epsilon, delta = checks.number("epsilon", epsilon, "[0, inf)"), checks.number("delta", delta, "[0, 1)")
    if epsilon_prime is None and delta_prime is not None:
        return _corollary_1(epsilon, delta, checks.number("delta_prime", delta_prime, f"({delta!r}, 1]"))
    if epsilon_prime is not None and delta_prime is None:
        return _theorem_2(epsilon, delta, checks.number("epsilon_prime", epsilon_prime, f"({epsilon!r}, inf)"))
    raise TypeError("give exactly one of epsilon_prime (Theorem 2) and delta_prime (Corollary 1)")


def _corollary_1(epsilon: float, delta: float, delta_prime: float) -> tuple[float, float]:
    # log((d' e^eps + d) / (d' - d)) with e^eps taken out, so that a large epsilon does not overflow.
    ratio = delta / delta_prime
    return epsilon + math.log1p(ratio * math.exp(-epsilon)) - math.log1p(-ratio), delta_prime


def _theorem_2(epsilon: float, delta: float, epsilon_prime: float) -> tuple[float, float]:
    delta_prime = delta * (1 + math.exp(-epsilon_prime)) / -math.expm1(epsilon - epsilon_prime)
    if delta_prime > 1:
        smallest, _ = _corollary_1(epsilon, delta, 1.0)
        raise errors.DomainError(
            f"epsilon_prime = {epsilon_prime!r} gives delta_prime = {delta_prime:.6g} > 1, which promises nothing; "
            f"take at least epsilon_prime = {smallest:.6g}"
        )
    return epsilon_prime, delta_prime


def probabilistic_to_approximate(epsilon: ArrayLike, delta: ArrayLike) -> tuple[float, float]:
    """Approximate guarantee that follows from a probabilistic one: the same pair (paper A, Theorem 1).

    Parameters
    ----------
    epsilon : float
        In [0, inf).
    delta : float
        In [0, 1].

    Returns
    -------
    epsilon, delta : float

    Examples
    --------
    >>> probabilistic_to_approximate(1.0, 0.01)
    (1.0, 0.01)
    """
    return checks.number("epsilon", epsilon, "[0, inf)"), checks.number("delta", delta, "[0, 1]")
