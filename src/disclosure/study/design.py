"""How many datasets and releases a wanted accuracy of the study costs."""

from typing import NamedTuple

import numpy as np

from disclosure.numerics import checks

__all__ = ["Allocation", "cheapest_allocation"]


class Allocation(NamedTuple):
    """Numbers of datasets and of releases, and what they cost together.

    Attributes
    ----------
    datasets : int
        N1.
    releases : int
        N2, per dataset.
    cost : float
        N1 (c_d + N2 c_r), in the unit of the costs c_d of a dataset and c_r of a release.
    """

    datasets: int
    releases: int
    cost: float


def cheapest_allocation(
    between: float, within: float, mean: float, relative_error: float, dataset_cost: float, release_cost: float
) -> Allocation:
    """Numbers of datasets and of releases with which F_bar reaches a relative error at the least cost.

    The variance of F_bar is V_b / N1 + V_w / (N1 N2), and the cost N1 (c_d + N2 c_r). The product of the two does not depend
    on N1, and is least at N2 = sqrt(V_w c_d / (V_b c_r)). Then N1 follows from the wanted error.

    Parameters
    ----------
    between, within : float
        Variance components V_b = Var(rho), in (0, inf), and V_w = E[rho (1 - rho)], in [0, inf).
    mean : float
        E[rho], in (0, 1].
    relative_error : float
        Wanted standard error of F_bar over E[rho], in (0, inf).
    dataset_cost, release_cost : float
        Costs c_d of one dataset without its releases and c_r of one release, in (0, inf) and any one unit.

    Returns
    -------
    Allocation
        With at least two datasets, which a standard error needs.

    Examples
    --------
    >>> cheapest_allocation(1e-7, 1e-4, 1e-4, relative_error=0.01, dataset_cost=5e-6, release_cost=4e-10)
    Allocation(datasets=128289, releases=3535, cost=0.8228...)
    """
    between = checks.number("between", between, "(0, inf)")
    within = checks.number("within", within, "[0, inf)")
    error = checks.number("relative_error", relative_error, "(0, inf)") * checks.number("mean", mean, "(0, 1]")
    dataset_cost = checks.number("dataset_cost", dataset_cost, "(0, inf)")
    release_cost = checks.number("release_cost", release_cost, "(0, inf)")

    def allocation(releases: int) -> Allocation:
        datasets = max(2, int(np.ceil((between + within / releases) / error**2)))
        return Allocation(datasets, releases, datasets * (dataset_cost + releases * release_cost))

    best = np.sqrt(within * dataset_cost / (between * release_cost))
    # The product is convex in N2, so that the better of the two whole numbers beside its minimum is the best.
    candidates = {max(1, int(np.floor(best))), max(1, int(np.ceil(best)))}
    return min(map(allocation, sorted(candidates)), key=lambda found: found.cost)
