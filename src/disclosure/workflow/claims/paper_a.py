"""Every number and claim that paper A's section 6 prints, beside the reproduced one, with a verdict.

The rules of the verdicts are those of `disclosure.workflow.claims.verdicts`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from disclosure.beliefs import inclusion
from disclosure.numerics.types import FloatArray
from disclosure.study import statistics
from disclosure.study.points import Point
from disclosure.workflow.claims import scale
from disclosure.workflow.claims.verdicts import CLAIM_SHARE, COLUMNS, NOT_RUN, RANGE, half_unit, join

__all__ = ["IDS", "Study", "compare"]

BySweep: TypeAlias = Mapping[str, FloatArray]
# Of one sweep in one study: the parameter that varies, T_bar, its standard error, and F_bar, each at every point.
Arguments: TypeAlias = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
Measure: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], float]


@dataclass(frozen=True)
class Study:
    """One run of the study, or a stack of replications along the first axis, by sweep.

    Attributes
    ----------
    points : dict of str to list of Point
    upper_limit, upper_limit_error, failure : dict of str to ndarray, shape (..., points)
        T_bar, its standard error over the datasets, and F_bar.
    """

    points: Mapping[str, Sequence[Point]]
    upper_limit: BySweep
    upper_limit_error: BySweep
    failure: BySweep

    def arguments(self, sweep: str) -> Arguments:
        """The arguments of the functions that give the numbers and claims about a sweep."""
        x = np.array([getattr(point, _VARIED[sweep]) for point in self.points[sweep]], dtype=float)
        return x, self.upper_limit[sweep], self.upper_limit_error[sweep], self.failure[sweep]

    def each(self, sweep: str) -> list[Arguments]:
        """The `arguments` of each replication of a stack."""
        x, *columns = self.arguments(sweep)
        return [(x, t, e, f) for t, e, f in zip(*columns, strict=True)]


@dataclass(frozen=True)
class _Row:
    """A printed number or a claim.

    Attributes
    ----------
    sweep : str
    value : callable
        The number, or the one that shows the claim.
    note : str, or callable
        What is shown, as text or as a function of the same arguments.
    expected : bool
        Whether ``value`` has a meaning for expected values, which know no datasets.
    """

    sweep: str
    value: Measure
    note: str | Callable[[FloatArray, FloatArray, FloatArray, FloatArray], str] = ""
    expected: bool = True

    def noted(self, here: Arguments) -> str:
        """The note on one study."""
        return self.note if isinstance(self.note, str) else self.note(*here)


@dataclass(frozen=True)
class _Number(_Row):
    """A printed number.

    Attributes
    ----------
    flaw : str
        Why the number, although it comes out, is not what it is said to be.
    artefact : bool
        Whether it cannot come out.
    """

    flaw: str = ""
    artefact: bool = False

    def verdict(self, text: str, low: float, high: float) -> str:
        """The verdict on the printed text, from the ends of the range of the replications."""
        half = half_unit(text)
        meets = low - half <= float(text) <= high + half
        if self.artefact or (meets and self.flaw):
            return "explained"
        return "agrees" if meets else "deviates"


@dataclass(frozen=True, kw_only=True)
class _Claim(_Row):
    """A claim.

    Attributes
    ----------
    holds : callable
        Whether it holds in one study.
    """

    holds: Callable[[FloatArray, FloatArray, FloatArray, FloatArray], bool]

    def share(self, replications: Study) -> float:
        """Share of the replications in which it holds."""
        return float(np.mean([self.holds(*one) for one in replications.each(self.sweep)]))


def _verdict_on_claim(share: float) -> str:
    if share >= CLAIM_SHARE:
        return "agrees"
    return "deviates" if share <= 1 - CLAIM_SHARE else "open"


def _printed_deviation(failure: FloatArray) -> list[float]:
    return [statistics.published_standard_deviation(rate, scale.DATASETS, scale.RELEASES) for rate in failure.tolist()]


class _Line(NamedTuple):
    slope: float
    pvalue: float


def _line(x: FloatArray, y: FloatArray) -> _Line:
    """Least squares line of y on x, with the two-sided p-value of a slope of 0."""
    from scipy.stats import linregress  # slow to import

    line = linregress(x, y)
    return _Line(float(line.slope), float(line.pvalue))


def _knee(x: FloatArray, y: FloatArray) -> float:
    """Where two lines that meet there fit y best, among the points."""

    def misfit(knee: float) -> float:
        design = np.column_stack([np.ones_like(x), x, np.maximum(x - knee, 0.0)])
        residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
        return float(residual @ residual)

    return float(min(x[2:-2].tolist(), key=misfit))


def _coincide(x: FloatArray, upper_limit: FloatArray, failure: FloatArray) -> float:
    """Smallest parameter from which on F is within 1% of T."""
    apart = np.flatnonzero(np.abs(upper_limit - failure) > 0.01 * upper_limit)
    return float(x[min(apart[-1] + 1, len(x) - 1)] if apart.size else x[0])


_MISSING_ROOT = (
    "the printed numbers equal sqrt(F (1 - F)) / (N1 N2); N1 N2 belongs under the root, and the variance between datasets, "
    "nearly all of it, is left out (summary.csv has the standard error, failure_share_se)"
)
_ROUNDING = (
    "at delta = 1 every T is 1 and has no spread; 1.11e-19 is 2^-53 / 1000, the rounding error of a noise level that was "
    "small but not 0"
)
_BELOW_ONE = "over delta < 1; at delta = 1 the noiseless limit has none"

# Each takes x, T, se(T), F: arrays over the points of one sweep.
_ROWS: dict[str, _Number | _Claim] = {
    "A.F1.mean_T": _Number("figure1", lambda x, t, e, f: t.mean()),
    "A.F1.mean_gap": _Number("figure1", lambda x, t, e, f: (t - f).mean()),
    "A.F1.level_T": _Number("figure1", lambda x, t, e, f: np.median(t), note="median over the 40 epsilons"),
    "A.F1.slope": _Number("figure1", lambda x, t, e, f: _line(x, t).slope),
    "A.F1.slope_p": _Number("figure1", lambda x, t, e, f: _line(x, t).pvalue, expected=False),
    "A.F1.sd_T.min": _Number(
        "figure1", lambda x, t, e, f: e.min(), note="standard error over the datasets", expected=False
    ),
    "A.F1.sd_T.max": _Number(
        "figure1", lambda x, t, e, f: e.max(), note="standard error over the datasets", expected=False
    ),
    "A.F1.sd_F.min": _Number("figure1", lambda x, t, e, f: min(_printed_deviation(f)), flaw=_MISSING_ROOT),
    "A.F1.sd_F.max": _Number("figure1", lambda x, t, e, f: max(_printed_deviation(f)), flaw=_MISSING_ROOT),
    "A.F2.sd_T.min": _Number(
        "figure2", lambda x, t, e, f: e.min(), note="standard error over the datasets", expected=False
    ),
    "A.F2.sd_T.max": _Number(
        "figure2", lambda x, t, e, f: e.max(), note="standard error over the datasets", expected=False
    ),
    "A.F2.sd_F.min": _Number("figure2", lambda x, t, e, f: min(_printed_deviation(f)), flaw=_MISSING_ROOT),
    "A.F2.sd_F.max": _Number("figure2", lambda x, t, e, f: max(_printed_deviation(f)), flaw=_MISSING_ROOT),
    "A.F2.coincide": _Number("figure2", lambda x, t, e, f: _coincide(x, t, f), note="F within 1% of T from there on"),
    "A.F2.knee": _Claim(
        "figure2",
        holds=lambda x, t, e, f: _line(x[x >= 70], t[x >= 70]).slope < 2 * _line(x[x <= 70], t[x <= 70]).slope < 0,
        value=lambda x, t, e, f: _knee(x, t),
        note="shown: where two lines that meet fit T best; the claim: beyond m = 70 T falls more than twice as fast as before",
    ),
    "A.F3.F_at_min_delta": _Number("figure3", lambda x, t, e, f: f[0]),
    "A.F3.F_at_095": _Number(
        "figure3", lambda x, t, e, f: f[np.abs(x - 0.95).argmin()], note="0.95 is no grid point; at the nearest, 0.9528"
    ),
    "A.F3.F_at_095.exactly": _Number("figure3_at_095", lambda x, t, e, f: f[0], note="at delta = 0.95 itself"),
    "A.F3.F_at_1": _Number("figure3", lambda x, t, e, f: f[-1]),
    "A.F3.sd_T.min": _Number(
        "figure3",
        lambda x, t, e, f: e.min(),
        expected=False,
        note=lambda x, t, e, f: f"smallest over delta < 1: {e[x < 1].min():.3g}",
        flaw=_ROUNDING,
        artefact=True,
    ),
    "A.F3.sd_T.max": _Number(
        "figure3", lambda x, t, e, f: e.max(), note="standard error over the datasets", expected=False
    ),
    "A.F3.sd_F.min": _Number(
        "figure3", lambda x, t, e, f: min(_printed_deviation(f[x < 1])), flaw=_MISSING_ROOT, note=_BELOW_ONE
    ),
    "A.F3.sd_F.max": _Number("figure3", lambda x, t, e, f: max(_printed_deviation(f)), flaw=_MISSING_ROOT),
    "A.F1.orders": _Claim(
        "figure1",
        holds=lambda x, t, e, f: bool(np.all((t > 10**1.5 * f) & (t < 10**2.5 * f))),
        value=lambda x, t, e, f: t.prod() ** (1 / len(t)) / f.prod() ** (1 / len(f)) if f.all() else np.inf,
        note="shown: geometric mean of T / F; the claim: between 10^1.5 and 10^2.5 at every epsilon",
    ),
    "A.F1.trend": _Claim(
        "figure1",
        holds=lambda x, t, e, f: _line(x, t).slope < 0 and _line(x, f).slope < 0,
        value=lambda x, t, e, f: _line(x, f).slope,
        note="shown: slope of F; the claim: the slopes of T and F are negative",
    ),
    "A.F2.trend": _Claim(
        "figure2",
        holds=lambda x, t, e, f: _line(x, t).slope < 0 < _line(x, f).slope,
        value=lambda x, t, e, f: _line(x, f).slope,
        note="shown: slope of F; the claim: the slope of T is negative, that of F positive",
    ),
    "A.F2.m_equals_n": _Claim(
        "figure2",
        holds=lambda x, t, e, f: float(inclusion.failure_probability(np.empty((0, 1)), 1.0).value) == 0.0,
        value=lambda x, t, e, f: float(inclusion.failure_probability(np.empty((0, 1)), 1.0).value),
        note="shown: failure probability without neighbours",
    ),
    "A.F3.order": _Claim(
        "figure3",
        holds=lambda x, t, e, f: bool(np.all(t[x < 1] > f[x < 1])),
        value=lambda x, t, e, f: (t - f)[x < 1].min(),
        note="shown: smallest T - F over delta < 1; at delta = 1 both are 1",
    ),
    "A.F3.monotone": _Claim(
        "figure3",
        holds=lambda x, t, e, f: bool(np.all(np.diff(f) > 0)),
        value=lambda x, t, e, f: np.diff(f).min(),
        note="shown: smallest step of F from one delta to the next",
    ),
    "A.F3.late_rise": _Claim(
        "figure3",
        holds=lambda x, t, e, f: (f[-1] - f[np.abs(x - 0.95).argmin()]) > 0.5 * (f[-1] - f[0]),
        value=lambda x, t, e, f: (f[-1] - f[np.abs(x - 0.95).argmin()]) / (f[-1] - f[0]),
        note="shown: share of the rise of F beyond delta = 0.9528",
    ),
}
_OPEN = {
    "A.limit": "a conjecture; epsilon up to 2 does not decide it, docs/findings.md looks beyond",
    "A.any_n": "a hypothesis; n = 100 does not decide it, docs/findings.md looks beyond",
}
_VARIED = {"figure1": "epsilon", "figure2": "sample", "figure3": "delta", "figure3_at_095": "delta"}
# Values at another parameter than the printed ones, reported beside them.
_BESIDE = {"A.F3.F_at_095": "A.F3.F_at_095.exactly"}
# Ids of the printed numbers and claims that there is a rule for.
IDS = frozenset({*_ROWS, *_OPEN} - {*_BESIDE.values()})


def compare(
    printed: Mapping[str, str], study: Study, expected: Study, replications: Study, datasets: int, releases: int
) -> pd.DataFrame:
    """Set the printed numbers against a study and its replications.

    Parameters
    ----------
    printed : dict of str to str
        The printed numbers by their id, as text; empty for a claim without a number.
    study : Study
    expected : Study
        Its expected values; a sweep without them is left out.
    replications : Study
    datasets, releases : int
        Of the study; ``releases`` is 0 if none were drawn.

    Returns
    -------
    pandas.DataFrame
        With the columns `COLUMNS`.
    """
    at_scale = datasets == scale.DATASETS and releases in (0, scale.RELEASES)
    rows = [
        {"id": row_name, "printed": text, **_row(row_name, text, study, expected, replications, at_scale)}
        for name, text in printed.items()
        for row_name in filter(None, (name, _BESIDE.get(name)))
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(name: str, text: str, study: Study, expected: Study, replications: Study, at_scale: bool) -> dict[str, Any]:
    """The columns of one row beside its name and the printed text."""
    if name in _OPEN:
        return {"verdict": "open", "note": _OPEN[name]}
    rule = _ROWS[name]
    points = study.points.get(rule.sweep)
    if points is None or not _same_points(points, scale.POINTS[rule.sweep]):
        return {"verdict": "open", "note": f"{NOT_RUN} points of {rule.sweep}"}
    here = study.arguments(rule.sweep)
    note = rule.noted(here)
    row: dict[str, Any] = {"reproduced": float(rule.value(*here))}
    if rule.expected and rule.sweep in expected.points:
        row["expected"] = float(rule.value(*expected.arguments(rule.sweep)))
    values = [rule.value(*one) for one in replications.each(rule.sweep)]
    row["low"], row["high"] = (float(end) for end in np.quantile(values, RANGE))
    if not at_scale:
        return {**row, "verdict": "open", "note": join(f"{NOT_RUN} numbers of datasets and releases", note)}
    if isinstance(rule, _Claim):
        share = rule.share(replications)
        held = f"holds in {share:.1%} of the replications"
        return {**row, "verdict": _verdict_on_claim(share), "note": join(note, held)}
    return {**row, "verdict": rule.verdict(text, row["low"], row["high"]), "note": join(note, rule.flaw)}


def _same_points(points: Sequence[Point], published: Sequence[Point]) -> bool:
    # A configuration may compute the same points in another order of operations.
    return len(points) == len(published) and np.allclose(points, published, rtol=1e-12, atol=0)
