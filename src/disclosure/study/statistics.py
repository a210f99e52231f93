"""What the study reports about its datasets: means, standard errors and variance components (paper A, section 6).

In the formulas rho is the failure probability of a dataset, N1 the number of datasets and N2 the number of releases of each.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = [
    "Mean",
    "VarianceComponents",
    "exact_variance_components",
    "failure_rate",
    "mean",
    "published_standard_deviation",
    "variance_components",
]


class Mean(NamedTuple):
    """An estimate and its standard error, which is NaN for a single dataset."""

    value: float
    standard_error: float


class VarianceComponents(NamedTuple):
    """The two parts of the variance of a release's failure.

    Attributes
    ----------
    between : float
        Var(rho), the variance of the failure probability between datasets.
    within : float
        E[rho (1 - rho)], the mean variance of one release's failure within a dataset.
    """

    between: float
    within: float


def mean(values: ArrayLike) -> Mean:
    """Mean over datasets and its standard error.

    Of union masses this is T_bar of paper A. The standard deviations that the paper prints beside T_bar are these standard
    errors.

    Parameters
    ----------
    values : array_like, shape (k,)
        One value for each dataset, k >= 1.

    Returns
    -------
    Mean

    Examples
    --------
    >>> mean([1.0, 2.0, 3.0])
    Mean(value=2.0, standard_error=0.577...)
    """
    values = checks.within("values", values, "(-inf, inf)")
    if values.ndim != 1 or not values.size:
        raise errors.DomainError(f"values has shape {values.shape}; expected at least one value for a dataset")
    spread = values.std(ddof=1) / np.sqrt(values.size) if values.size > 1 else np.nan
    return Mean(float(values.mean()), float(spread))


def failure_rate(failures: ArrayLike, releases: int) -> Mean:
    """F_bar of paper A and its standard error, sqrt(Var(rho) / N1 + E[rho (1 - rho)] / (N1 N2)).

    Datasets are independent, so that the spread of their failure rates estimates both terms together. The N1 N2 releases are
    not all independent: those of one dataset share its failure probability.

    Parameters
    ----------
    failures : array_like of int, shape (k,)
        Failing releases of each dataset.
    releases : int
        Releases per dataset, N2.

    Returns
    -------
    Mean

    Examples
    --------
    >>> failure_rate([0, 2, 1], releases=1000)
    Mean(value=0.001, standard_error=0.000577...)
    """
    return mean(_rates(failures, releases))


def variance_components(failures: ArrayLike, releases: int) -> VarianceComponents:
    """Unbiased estimates of both variance components from counts of failing releases.

    Parameters
    ----------
    failures : array_like of int, shape (k,)
        Failing releases of each dataset, k >= 2.
    releases : int
        Releases per dataset, at least 2.

    Returns
    -------
    VarianceComponents
        The estimate of ``between`` may be below 0.

    Examples
    --------
    >>> variance_components([100, 300], releases=1000)
    VarianceComponents(between=0.019849..., within=0.150150...)
    """
    rates = _rates(failures, checks.count("releases", releases, 2))
    if rates.size < 2:
        raise errors.DomainError("failures has one dataset; the variance between datasets needs two")
    within = float((rates * (1 - rates)).mean()) * releases / (releases - 1)
    return VarianceComponents(float(rates.var(ddof=1)) - within / releases, within)


def exact_variance_components(probabilities: ArrayLike) -> VarianceComponents:
    """Estimates of both variance components from the exact failure probabilities of datasets.

    Parameters
    ----------
    probabilities : array_like, shape (k,)
        k >= 1, in [0, 1].

    Returns
    -------
    VarianceComponents
        ``between`` is NaN for a single dataset.
    """
    probabilities = checks.within("probabilities", probabilities, "[0, 1]")
    if probabilities.ndim != 1 or not probabilities.size:
        raise errors.DomainError(f"probabilities has shape {probabilities.shape}; expected at least one for a dataset")
    between = float(probabilities.var(ddof=1)) if probabilities.size > 1 else float("nan")
    return VarianceComponents(between, float((probabilities * (1 - probabilities)).mean()))


def published_standard_deviation(rate: float, datasets: int, releases: int) -> float:
    """sqrt(F (1 - F)) / (N1 N2), which reproduces the standard deviations of F_bar that paper A prints.

    It is not the standard deviation of F_bar: N1 N2 should stand under the root, and even then the variance between
    datasets, nearly all of it, would be missing. `failure_rate` has the standard error.

    Examples
    --------
    >>> published_standard_deviation(1e-4, datasets=1_000, releases=1_000_000)
    9.99949...e-12
    """
    rate = checks.number("rate", rate, "[0, 1]")
    runs = checks.count("datasets", datasets, 1) * checks.count("releases", releases, 1)
    return math.sqrt(rate * (1 - rate)) / runs


def _rates(failures: ArrayLike, releases: int) -> FloatArray:
    """Share of failing releases of each dataset."""
    releases = checks.count("releases", releases, 1)
    return checks.within("failures", failures, f"[0, {releases}]") / releases
