"""Numbers that are read off T and F over the points of a figure.

Columns are arrays of shape (points,): x the parameter that varies, t and f the values of T and F.
"""

from typing import NamedTuple

import numpy as np

from disclosure.numerics.types import FloatArray
from disclosure.study import statistics
from disclosure.workflow.claims import scale
from disclosure.workflow.claims.studies import Columns

__all__ = [
    "SEVERAL_NEIGHBOURS",
    "Line",
    "at_095",
    "coincide",
    "failure_of",
    "first_half",
    "knee",
    "late_share",
    "least_slack",
    "line",
    "longest_bar",
    "power",
    "printed_deviation",
    "ratio",
    "steeper",
    "subadditive",
]

# Neighbours from which on the subadditive limit is set against T.
SEVERAL_NEIGHBOURS = 10
# Relative difference at which T and F are said to coincide, the width of a line in the paper's figures.
_COINCIDE = 0.01


def printed_deviation(f: FloatArray) -> list[float]:
    """Standard deviation of each F by the paper's formula."""
    return [statistics.published_standard_deviation(rate, scale.DATASETS, scale.RELEASES) for rate in f.tolist()]


def failure_of(deviation: float) -> float:
    """The F of which a printed standard deviation is one: the smaller root of F (1 - F) = (N1 N2 deviation)^2."""
    square = (scale.DATASETS * scale.RELEASES * deviation) ** 2
    return float(2 * square / (1 + np.sqrt(1 - 4 * square)))


class Line(NamedTuple):
    """Slope of a least squares line, and the two-sided p-value of a slope of 0."""

    slope: float
    pvalue: float


def line(x: FloatArray, y: FloatArray) -> Line:
    """Least squares line of y on x."""
    from scipy.stats import linregress  # slow to import

    fitted = linregress(x, y)
    return Line(float(fitted.slope), float(fitted.pvalue))


def knee(x: FloatArray, y: FloatArray) -> float:
    """Where two lines that meet there fit y best, among the points."""

    def misfit(place: float) -> float:
        design = np.column_stack([np.ones_like(x), x, np.maximum(x - place, 0.0)])
        residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
        return float(residual @ residual)

    return float(min(x[2:-2].tolist(), key=misfit))


def steeper(x: FloatArray, y: FloatArray, split: float) -> float:
    """Slope of y beyond a split of x over its slope before."""
    return line(x[x >= split], y[x >= split]).slope / line(x[x <= split], y[x <= split]).slope


def coincide(x: FloatArray, t: FloatArray, f: FloatArray) -> float:
    """Smallest sample size from which on F is within 1% of T; n if they are apart at the last one, since both are 0 there."""
    apart = np.flatnonzero(np.abs(t - f) > _COINCIDE * t)
    return float(np.append(x, scale.POPULATION)[apart[-1] + 1] if apart.size else x[0])


def at_095(x: FloatArray) -> int:
    """Number of the point whose delta is next to 0.95."""
    return int(np.abs(x - 0.95).argmin())


def late_share(x: FloatArray, f: FloatArray) -> float:
    """Share of the rise of F that lies beyond the point next to 0.95."""
    return float((f[-1] - f[at_095(x)]) / (f[-1] - f[0]))


def first_half(x: FloatArray, t: FloatArray) -> float:
    """Share of the rise of T that lies in the first half of the range."""
    middle = np.abs(x - (x[0] + x[-1]) / 2).argmin()
    return float((t[middle] - t[0]) / (t[-1] - t[0]))


def ratio(t: FloatArray, f: FloatArray) -> FloatArray:
    """T / F, infinite where nothing failed."""
    return np.divide(t, f, out=np.full_like(t, np.inf), where=f > 0)


def subadditive(sample: FloatArray) -> FloatArray:
    """The subadditive limit (n - m) delta at sample sizes m."""
    return (scale.POPULATION - sample) * scale.DELTA


def least_slack(sample: FloatArray, t: FloatArray) -> float:
    """Smallest (n - m) delta / T, over sample sizes that leave several neighbours."""
    several = sample <= scale.POPULATION - SEVERAL_NEIGHBOURS
    return float((subadditive(sample) / t)[several].min())


def longest_bar(stack: Columns, curve: FloatArray) -> float:
    """Longest error bar of a curve, as a share of the height of a logarithmic axis that spans T and F of the figure.

    A bar is one standard deviation over the replications to either side of their mean.

    Parameters
    ----------
    stack : Columns
        Of all replications.
    curve : ndarray, shape (replications, points)
        T or F of these.
    """
    mean, deviation = curve.mean(axis=0), curve.std(axis=0, ddof=1)
    bars = np.log10((mean + deviation) / np.maximum(mean - deviation, np.finfo(float).tiny))
    return float(bars.max() / np.log10(stack.t.mean(axis=0).max() / stack.f.mean(axis=0).min()))


def power(values: FloatArray) -> float:
    """Power of 1 / epsilon with which a curve falls between its last two epsilons, a decade apart."""
    return float(np.log10(values[-2] / values[-1]))
