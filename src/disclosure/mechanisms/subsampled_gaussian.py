"""The subsampled Gaussian mechanism: the number of ones among a Poisson sample of the data, with normal noise.

Each record is kept with the same probability, independently of the others (Poisson sampling; Mironov, Talwar and Zhang 2019).
What matters of a dataset of 0 and 1 is its number of ones. Of these a binomial number is kept, so that the density of a release
is a mixture of normal ones.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln, logsumexp, xlog1py, xlogy

from disclosure.mechanisms import additive
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = ["SubsampledGaussian"]

# Entries of releases times numbers of ones that are held at once: 8 MB.
_ELEMENTS = 1 << 20


@dataclass(frozen=True)
class SubsampledGaussian:
    """The number of ones that are kept, plus normal noise.

    Parameters
    ----------
    rate : float
        Probability that a record is kept, in (0, 1].
    sigma : float
        Standard deviation of the noise, in (0, inf), in people.
    """

    rate: float
    sigma: float

    def __post_init__(self) -> None:
        checks.number("rate", self.rate, "(0, 1]")
        checks.number("sigma", self.sigma, "(0, inf)")

    @classmethod
    def with_error(cls, error: float, rate: float, ones: int) -> "SubsampledGaussian":
        """The one whose release over ``rate``, an estimate of the number of ones, has a root mean square error.

        Its square is ones (1 - rate) / rate from the sampling and (sigma / rate)^2 from the noise.

        Parameters
        ----------
        error : float
            In people, above the error of the sampling alone.
        rate : float
            In (0, 1].
        ones : int
            Number of ones in the dataset, at least 0.

        Examples
        --------
        >>> SubsampledGaussian.with_error(5.0, 0.5, 9)
        SubsampledGaussian(rate=0.5, sigma=2.0)
        """
        rate, ones = checks.number("rate", rate, "(0, 1]"), checks.count("ones", ones, 0)
        least = math.sqrt(ones * (1 - rate) / rate)
        error = checks.number("error", error, f"({least!r}, inf)", "the sampling alone has as large an error")
        return cls(rate, rate * math.sqrt((error - least) * (error + least)))

    def kept(self, world: Any) -> FloatArray:
        """Log probabilities of keeping 0, 1, ..., k of the k ones of a dataset."""
        ones = checks.count("world", world, 0)
        kept = np.arange(ones + 1.0)
        choices = gammaln(ones + 1) - gammaln(kept + 1) - gammaln(ones - kept + 1)
        return np.asarray(choices + xlogy(kept, self.rate) + xlog1py(ones - kept, -self.rate))

    def draw(self, world: Any, generator: np.random.Generator, size: int) -> FloatArray:
        """Releases, shape (size,), of a dataset with ``world`` ones."""
        draws = additive.checked_generator(generator)
        kept = draws.binomial(checks.count("world", world, 0), self.rate, size)
        return np.asarray(kept + self.sigma * draws.standard_normal(size))

    def log_density(self, released: FloatArray, world: Any) -> FloatArray:
        """Log density of releases, shape (size,), but for a constant that is the same for all datasets."""
        if released.ndim != 1:
            raise errors.DomainError(f"released has shape {released.shape}; expected (size,)")
        logs = self.kept(world)
        step = max(1, _ELEMENTS // logs.size)
        parts = [
            logsumexp(
                logs - ((released[start : start + step, None] - np.arange(logs.size)) / self.sigma) ** 2 / 2, axis=1
            )
            for start in range(0, released.size, step)
        ]
        return np.concatenate(parts) if parts else np.empty(0)
