"""What the study reports about its runs: means, standard errors, variance components, a regression (paper A, section 6)."""

from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from disclosure.numerics import checks, errors

__all__ = [
    "Design",
    "Mean",
    "Regression",
    "VarianceComponents",
    "cheapest_design",
    "exact_variance_components",
    "failure_rate",
    "linear_regression",
    "mean",
    "published_standard_deviation",
    "variance_components",
]


class Design(NamedTuple):
    """Datasets N1, releases per dataset N2, and what they cost together."""

    datasets: int
    releases: int
    cost: float


class Mean(NamedTuple):
    """An estimate and its standard error, which is NaN for a single dataset."""

    value: float
    standard_error: float


class VarianceComponents(NamedTuple):
    """Variance of the failure probability between datasets, and mean variance of one release's failure within them."""

    between: float
    within: float


class Regression(NamedTuple):
    """Least squares line with the two-sided p-value of its slope."""

    slope: float
    intercept: float
    p_value: float


def mean(values):
    """Mean over datasets and its standard error: T_bar of paper A, whose printed standard deviations are these.

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


def failure_rate(failures, releases):
    """F_bar of paper A and its standard error, sqrt(Var(rho) / N1 + E[rho (1 - rho)] / (N1 N2)).

    Datasets are independent, so the spread of their failure rates estimates both terms together; releases of one dataset
    are not independent draws of the study's failure probability.

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


def variance_components(failures, releases):
    """Unbiased estimates of both variance components from counts.

    Parameters
    ----------
    failures : array_like of int, shape (k,)
        k >= 2.
    releases : int
        At least 2.

    Returns
    -------
    VarianceComponents
        ``between`` is Var(rho) and may be estimated below 0; ``within`` is E[rho (1 - rho)].

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


def exact_variance_components(probabilities):
    """The same from exact failure probabilities of the datasets, shape (k,); NaN between a single dataset."""
    probabilities = checks.within("probabilities", probabilities, "[0, 1]")
    if probabilities.ndim != 1 or not probabilities.size:
        raise errors.DomainError(f"probabilities has shape {probabilities.shape}; expected at least one for a dataset")
    between = float(probabilities.var(ddof=1)) if probabilities.size > 1 else float("nan")
    return VarianceComponents(between, float((probabilities * (1 - probabilities)).mean()))


def published_standard_deviation(rate, datasets, releases):
    """sqrt(F (1 - F)) / (N1 N2), which reproduces the standard deviations of F_bar that paper A prints.

    It is not the standard deviation of F_bar: N1 N2 should stand under the root, and even then the variance between
    datasets, nearly all of it, would be missing. `failure_rate` has the standard error.

    Examples
    --------
    >>> float(published_standard_deviation(1e-4, datasets=1_000, releases=1_000_000))
    9.99949...e-12
    """
    rate = checks.number("rate", rate, "[0, 1]")
    return np.sqrt(rate * (1 - rate)) / (checks.count("datasets", datasets, 1) * checks.count("releases", releases, 1))


def cheapest_design(between, within, mean, relative_error, dataset_cost, release_cost):
    """Numbers of datasets and of releases with which F_bar reaches a relative error at the least cost.

    The variance of F_bar is V_b / N1 + V_w / (N1 N2), the cost N1 (c_d + N2 c_r). Their product does not depend on N1, and
    is least at N2 = sqrt(V_w c_d / (V_b c_r)); N1 follows from the error.

    Parameters
    ----------
    between, within : float
        Variance components V_b = Var(rho) and V_w = E[rho (1 - rho)], in (0, inf) and [0, inf).
    mean : float
        E[rho], in (0, 1].
    relative_error : float
        Wanted standard error of F_bar over E[rho], in (0, inf).
    dataset_cost, release_cost : float
        Of one dataset without its releases, and of one release, in (0, inf) and any one unit.

    Returns
    -------
    Design

    Examples
    --------
    >>> cheapest_design(1e-7, 1e-4, 1e-4, relative_error=0.01, dataset_cost=5e-6, release_cost=4e-10)
    Design(datasets=128289, releases=3535, cost=0.8228...)
    """
    between = checks.number("between", between, "(0, inf)")
    within = checks.number("within", within, "[0, inf)")
    mean = checks.number("mean", mean, "(0, 1]")
    relative_error = checks.number("relative_error", relative_error, "(0, inf)")
    costs = [checks.number(name, cost, "(0, inf)") for name, cost in _costs(dataset_cost, release_cost)]
    best = np.sqrt(within * costs[0] / (between * costs[1]))
    # Whole numbers: the product is convex in N2, so the better of the two neighbours is the best.
    candidates = [
        _design(between, within, relative_error * mean, releases, *costs)
        for releases in sorted({max(1, int(np.floor(best))), max(1, int(np.ceil(best)))})
    ]
    return min(candidates, key=lambda design: design.cost)


def _costs(dataset_cost, release_cost):
    return ("dataset_cost", dataset_cost), ("release_cost", release_cost)


def _design(between, within, error, releases, dataset_cost, release_cost):
    datasets = max(2, int(np.ceil((between + within / releases) / error**2)))
    return Design(datasets, releases, datasets * (dataset_cost + releases * release_cost))


def linear_regression(x, y):
    """Ordinary least squares of y on x, with the t test of a zero slope.

    Parameters
    ----------
    x, y : array_like, shape (k,)
        k >= 3, x not constant.

    Returns
    -------
    Regression

    Examples
    --------
    >>> linear_regression([0, 1, 2, 3], [5.0, 3.1, 0.9, -1.0])
    Regression(slope=-2.0..., intercept=5.0..., p_value=0.00044...)
    """
    x, y = checks.within("x", x, "(-inf, inf)"), checks.within("y", y, "(-inf, inf)")
    if x.ndim != 1 or x.shape != y.shape or x.size < 3 or np.ptp(x) == 0:
        raise errors.DomainError(
            f"a regression needs three points or more at different x; got shapes {x.shape}, {y.shape}"
        )
    centred = x - x.mean()
    scale = float(centred @ centred)
    slope = float(centred @ (y - y.mean())) / scale
    intercept = float(y.mean() - slope * x.mean())
    freedom = x.size - 2
    residual = y - intercept - slope * x
    error = np.sqrt(float(residual @ residual) / freedom / scale)
    p_value = 2 * float(stdtr(freedom, -abs(slope) / error)) if error > 0 else float(slope == 0)
    return Regression(slope, intercept, p_value)


def _rates(failures, releases):
    releases = checks.count("releases", releases, 1)
    return checks.within("failures", failures, f"[0, {releases}]") / releases
