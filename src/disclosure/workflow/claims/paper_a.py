"""Every number and claim that paper A prints about its study, beside the reproduced one, with a verdict.

`rows` has the kinds of rows and what gives each its verdict, `computed` what is computed for the claims that no study decides.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from disclosure.numerics.types import FloatArray
from disclosure.workflow.claims import computed, measures, scale
from disclosure.workflow.claims.rows import Claim, Computed, Evidence, Number, Row, Spread
from disclosure.workflow.claims.verdicts import COLUMNS

__all__ = ["IDS", "compare"]

# The figures of which all points are looked at together.
_ALL = ("figure1", "figure2", "figure3")
# How far "approximately m = 70" may be off: half a unit of its only digit that is not 0.
_APPROXIMATELY = 5
# Powers of ten that "about two orders of magnitude" lies between, and that "several" is at least.
_ABOUT_TWO, _SEVERAL = (1.5, 2.5), 3
# How far T may be from the level at which it is said to be visibly constant, as a share of the level.
_VISIBLY = 0.25
# Least ratio of T and F that is a substantial gap, and that is any to speak of.
_SUBSTANTIAL, _ANY = 10, 2
# Longest error bar that is negligible, as a share of the height of the axis: the size of a marker in our own figures.
_NEGLIGIBLE = 0.03
# Share of the rise of T that a steady one has in either half of the range, at least.
_STEADY = 0.25
# Least ratio of the subadditive limit and T that is a significant one.
_FAR_ABOVE = 10
# Power of 1 / epsilon below which a curve is said to have a positive limit.
_LEVEL = 0.05
# Least share of a fall at n = 100 that is left at n = 1,000 if the course of a curve is the same for any n.
_SAME_COURSE = 0.5
# Distance from 1 within which T and F must come for a limit of 1.
_NEXT_TO_ONE = 1e-3
# How much Corollary 2's epsilon may grow at last, from one distance to the left end to a thousandth of it, if it has a limit.
_CONVERGED = 1e-3


def _negligible(sweep: str, curve: str) -> Spread:
    """The claim that the standard deviations of T or F are negligible on the scale of a figure."""
    wrong = "" if curve == "T" else "; the printed ones lack a square root and the spread between datasets"
    return Spread(
        sweeps=(sweep,),
        value=lambda stack: measures.longest_bar(stack, stack.t if curve == "T" else stack.f),
        holds=lambda bar: bar < _NEGLIGIBLE,
        note=f"shown: longest error bar of {curve}, one standard deviation over the replications to either side, as a share of "
        f"the height of a logarithmic axis; the claim: below {_NEGLIGIBLE}, the size of a marker{wrong}",
        same_as="A.F1.negligible_F" if curve == "F" and sweep != "figure1" else "",
    )


_MISSING_ROOT = (
    "the printed numbers equal sqrt(F (1 - F)) / (N1 N2); N1 N2 belongs under the root, and the variance between datasets, "
    "nearly all of it, is left out (summary.csv has the standard error, failure_share_se)"
)
_ROUNDING = (
    "at delta = 1 every T is 1 and has no spread; 1.11e-19 is 2^-53 / 1000, the standard error if one T of 1,000 is rounded "
    "down by 2^-53: the authors' noise level was small but not 0"
)
# Standard error of 999 ones and one number that is 2^-53 smaller.
_ARTEFACT = 2**-53 / scale.DATASETS
_BELOW_ONE = "over delta < 1; at delta = 1 the noiseless limit has none"
_OF_DATASETS = "standard error over the datasets"


def _deviation(sweep: str, extreme: str, note: str = "") -> Number:
    """A printed smallest or largest standard deviation of F."""
    pick = {"min": min, "max": max}[extreme]
    below_one = sweep == "figure3" and extreme == "min"
    return Number(
        (sweep,),
        lambda x, t, e, f: pick(measures.printed_deviation(f[x < 1] if below_one else f)),
        flaw=_MISSING_ROOT,
        note=_BELOW_ONE if below_one else note,
        other=lambda deviation: (_SMALLEST_F.get(sweep, ""), measures.failure_of(deviation)),
    )


# The number under which the F with the smallest standard deviation is itself printed.
_SMALLEST_F = {"figure3": "A.F3.F_at_min_delta"}


def _spread_of_t(sweep: str, extreme: str) -> Number:
    """A printed smallest or largest standard deviation of T."""
    pick = {"min": np.min, "max": np.max}[extreme]
    return Number((sweep,), lambda x, t, e, f: pick(e), note=_OF_DATASETS, expected=False)


# Each takes x, T, se(T), F: arrays over the points of one sweep, or of all three figures.
_ROWS: dict[str, Row] = {
    "A.abstract.orders": Claim(
        _ALL,
        holds=lambda x, t, e, f: bool(np.any(t >= 10**_SEVERAL * f)),
        value=lambda x, t, e, f: measures.ratio(t, f).max(),
        note="shown: largest T / F in the three figures; the claim: at least 10^3 at some point, since the text tells several "
        "orders from two",
    ),
    "A.abstract.worst_case": Computed(
        holds=lambda v: v[1] <= v[0],
        value=lambda v: v[1] / v[0],
        note=lambda v: (
            f"shown: failure probability of who knows 16 members over that of who knows 17; n = 20, m = 18, ten ones, 8 of "
            f"them known, the target a one, epsilon = 1: {v[0]:.5g} with 17 known and {v[1]:.5g} with 16; on average over "
            "datasets all-but-one is the strongest (docs/findings.md)"
        ),
    ),
    "A.S4.any_adversary": Computed(
        holds=lambda v: v[0] <= v[1],
        value=lambda v: v[0],
        note=lambda v: (
            f"shown: failure probability of who knows 88 members, 48 of the 50 ones among them; n = 100, m = 90, epsilon = 1, "
            f"the dataset has all ones and the upper limit {v[1]:.4g}; the bounds hold where they hold in every world that the "
            "adversary has in mind, and fail with probability (1 + e^-epsilon) Phi(a) = 0.191 at most (docs/method.md)"
        ),
    ),
    "A.S4.prior_free": Computed(
        holds=lambda v: v[0] <= 0,
        value=lambda v: v[1] / v[2],
        note="the interval (26) contains (24), so that a ratio beyond (26) is beyond (24); shown: failure probability of (26) "
        "over that of (24) at m = 99, means of 1,000 datasets",
        identity=True,
    ),
    "A.S4.left_end": Computed(
        holds=lambda v: v[-1] - v[-2] < _CONVERGED,
        value=lambda v: v[-1],
        note="shown: Corollary 2's epsilon for epsilon' = 1 at delta = (1 + 10^-12) delta'; it grows by log 1,000 for each "
        "thousandth of the distance to delta', and at delta' it is infinite",
    ),
    "A.S4.subadditive": Claim(
        ("figure2",),
        holds=lambda x, t, e, f: bool(
            np.any(measures.subadditive(x) >= 1) and measures.least_slack(x, t) >= _FAR_ABOVE
        ),
        value=lambda x, t, e, f: measures.least_slack(x, t),
        note=f"shown: smallest (n - m) delta / T in Figure 2 with {measures.SEVERAL_NEIGHBOURS} neighbours or more; the claim: "
        f"{_FAR_ABOVE} or more, and (n - m) delta at least 1 somewhere, as it is from 13 neighbours on; at Figure 1 it is 0.79",
    ),
    "A.S5.neighbours": Computed(
        holds=lambda v: bool(np.all(v == 0)),
        value=lambda v: v.max(),
        note="shown: neighbours counted less n - m + 1, in every population of up to 6; there are n - m, as section 4 says: "
        "n - m + 1 counts the target as well",
    ),
    "A.F1.mean_T": Number(("figure1",), lambda x, t, e, f: t.mean()),
    "A.F1.mean_gap": Number(("figure1",), lambda x, t, e, f: (t - f).mean()),
    "A.F1.level_T": Number(("figure1",), lambda x, t, e, f: np.median(t), note="median over the 40 epsilons"),
    "A.F1.slope": Number(("figure1",), lambda x, t, e, f: measures.line(x, t).slope),
    "A.F1.slope_p": Number(("figure1",), lambda x, t, e, f: measures.line(x, t).pvalue, expected=False),
    "A.F1.sd_T.min": _spread_of_t("figure1", "min"),
    "A.F1.sd_T.max": _spread_of_t("figure1", "max"),
    "A.F1.sd_F.min": _deviation("figure1", "min"),
    "A.F1.sd_F.max": _deviation("figure1", "max"),
    "A.F1.negligible_T": _negligible("figure1", "T"),
    "A.F1.negligible_F": _negligible("figure1", "F"),
    "A.F1.orders": Claim(
        ("figure1",),
        holds=lambda x, t, e, f: bool(np.all((t > 10 ** _ABOUT_TWO[0] * f) & (t < 10 ** _ABOUT_TWO[1] * f))),
        value=lambda x, t, e, f: t.prod() ** (1 / len(t)) / f.prod() ** (1 / len(f)) if f.all() else np.inf,
        note="shown: geometric mean of T / F; the claim: between 10^1.5 and 10^2.5 at every epsilon",
    ),
    "A.F1.constant_T": Claim(
        ("figure1",),
        holds=lambda x, t, e, f: bool(np.abs(t / 1.5e-2 - 1).max() < _VISIBLY and f[0] > _ANY * f[-1]),
        value=lambda x, t, e, f: np.abs(t / 1.5e-2 - 1).max(),
        note=f"shown: largest distance of T from 1.5e-2, as a share of it; the claim: below {_VISIBLY}, while F falls by a "
        f"factor of {_ANY} or more",
    ),
    "A.F1.trend": Claim(
        ("figure1",),
        holds=lambda x, t, e, f: measures.line(x, t).slope < 0 and measures.line(x, f).slope < 0,
        value=lambda x, t, e, f: measures.line(x, f).slope,
        note="shown: slope of F; the claim: the slopes of T and F are negative",
    ),
    "A.F1.limiting_interval": Computed(
        holds=lambda v: v[0] == 0 and v[1] == 1,
        value=lambda v: v[1] * 11,
        note="shown: upper bound (24) at epsilon = 1,000 and the prior 1/11",
        identity=True,
    ),
    "A.limit": Computed(
        holds=lambda v: measures.power(_upper(v)) < _LEVEL,
        value=lambda v: _failure(v)[-1],
        note=lambda v: (
            f"for the study's uniform attributes: E[F] is at most E[T], {_upper(v)[0]:.3g} at epsilon = 100 and "
            f"{_upper(v)[-1]:.3g} at 100,000, which falls like the power {-measures.power(_upper(v)):.2f} of epsilon, so that "
            f"both tend to 0; the claim: a power above -{_LEVEL}; E[F] itself falls like the power -(n - m + 1) / 2 = "
            f"{-measures.power(_failure(v)):.2g} (shown: its leading term at 100,000); for attributes 0 or 1 the limit "
            "is 2^-(n - m) delta (docs/findings.md)"
        ),
    ),
    "A.F2.sd_T.min": _spread_of_t("figure2", "min"),
    "A.F2.sd_T.max": _spread_of_t("figure2", "max"),
    "A.F2.sd_F.min": _deviation("figure2", "min"),
    "A.F2.sd_F.max": _deviation("figure2", "max"),
    "A.F2.negligible_T": _negligible("figure2", "T"),
    "A.F2.negligible_F": _negligible("figure2", "F"),
    "A.F2.coincide": Number(
        ("figure2",), lambda x, t, e, f: measures.coincide(x, t, f), note="F within 1% of T from there on"
    ),
    "A.F2.gap": Claim(
        ("figure2",),
        holds=lambda x, t, e, f: bool(np.mean(measures.ratio(t, f) > _SUBSTANTIAL) > 1 / 2),
        value=lambda x, t, e, f: float(np.mean(measures.ratio(t, f) > _SUBSTANTIAL)),
        note=f"shown: share of the sample sizes at which T is more than {_SUBSTANTIAL} times F; the claim: more than half",
    ),
    "A.F2.knee": Number(
        ("figure2",),
        lambda x, t, e, f: measures.knee(x, t),
        half=_APPROXIMATELY,
        note=lambda x, t, e, f: (
            "shown: where two lines that meet fit T best; the curve bends all the way, and beyond m = 30, 50, 70 and 90 T "
            f"falls {', '.join(f'{measures.steeper(x, t, split):.2g}' for split in (30, 50, 70, 90))} times as fast as before"
        ),
    ),
    "A.F2.steeper": Claim(
        ("figure2",),
        holds=lambda x, t, e, f: (
            measures.line(x[x >= 70], t[x >= 70]).slope < 2 * measures.line(x[x <= 70], t[x <= 70]).slope < 0
        ),
        value=lambda x, t, e, f: measures.steeper(x, t, 70),
        note="shown: slope of T beyond m = 70 over the slope before; the claim: 2 or more, and T falls before as well",
    ),
    "A.F2.trend": Claim(
        ("figure2",),
        holds=lambda x, t, e, f: measures.line(x, t).slope < 0 < measures.line(x, f).slope,
        value=lambda x, t, e, f: measures.line(x, f).slope,
        note="shown: slope of F; the claim: the slope of T is negative, that of F positive",
    ),
    "A.F2.m_equals_n": Computed(
        holds=lambda v: v[0] == 0 and v[1] == 1,
        value=lambda v: v[0],
        note="shown: failure probability without neighbours; the ratio (32) of the only candidate is 1",
        identity=True,
    ),
    "A.any_n": Computed(
        holds=lambda v: bool(np.all(np.diff(_upper(v)) < 0) and np.all(np.diff(_failure(v)) > 0)),
        value=lambda v: _upper(v)[0],
        note=lambda v: (
            "the directions: E[T] and E[F] depend on n and m through n - m alone, and with "
            f"{', '.join(map(str, computed.NEIGHBOURS))} neighbours E[T] is {', '.join(f'{t:.4g}' for t in _upper(v))} (shown: "
            f"the first) and E[F] {', '.join(f'{f:.3g}' for f in _failure(v))}"
        ),
    ),
    "A.any_n.course": Computed(
        holds=lambda v: v[1] >= _SAME_COURSE * v[0],
        value=lambda v: v[1],
        note=lambda v: (
            f"from m = 0.1 n to 0.7 n E[T] falls by {v[0]:.1%} at n = 100 and by {v[1]:.1%} at n = 1,000 (shown): the fall "
            f"lies in the last hundred people, whatever n; the claim: at least {_SAME_COURSE} of the fall at n = 100"
        ),
    ),
    "A.F3.F_at_min_delta": Number(("figure3",), lambda x, t, e, f: f[0]),
    "A.F3.F_at_095": Number(
        ("figure3",),
        lambda x, t, e, f: f[measures.at_095(x)],
        note="0.95 is no grid point; at the nearest, 0.9528",
    ),
    "A.F3.F_at_095.exactly": Number(("figure3_at_095",), lambda x, t, e, f: f[0], note="at delta = 0.95 itself"),
    "A.F3.F_at_1": Number(("figure3",), lambda x, t, e, f: f[-1]),
    "A.F3.sd_T.min": Number(
        ("figure3",),
        lambda x, t, e, f: e.min(),
        expected=False,
        note=lambda x, t, e, f: f"smallest over delta < 1: {e[x < 1].min():.3g}",
        flaw=_ROUNDING,
        artefact=_ARTEFACT,
    ),
    "A.F3.sd_T.max": _spread_of_t("figure3", "max"),
    "A.F3.sd_F.min": _deviation("figure3", "min"),
    "A.F3.sd_F.max": _deviation("figure3", "max"),
    "A.F3.negligible_T": _negligible("figure3", "T"),
    "A.F3.negligible_F": _negligible("figure3", "F"),
    "A.F3.order": Claim(
        ("figure3",),
        holds=lambda x, t, e, f: bool(np.all(t[x < 1] > f[x < 1])),
        value=lambda x, t, e, f: (t - f)[x < 1].min(),
        note="shown: smallest T - F over delta < 1; at delta = 1 both are 1",
    ),
    "A.F3.limit": Computed(
        holds=lambda v: _reaches_one(_upper(v)) and _reaches_one(_failure(v)),
        value=lambda v: 1 - _failure(v)[0],
        note=lambda v: (
            f"1 - F is {', '.join(f'{gap:.2g}' for gap in _failure(v))} at sigma = "
            f"{', '.join(f'{sigma:g}' for sigma in computed.NOISES)}; delta = 1 is sigma = 0, but F comes close to 1 only "
            "next to it: at the first of these, delta = 1 - 3e-7, it is still at the value shown (means of 1,000 datasets)"
        ),
    ),
    "A.F3.monotone": Claim(
        ("figure3",),
        holds=lambda x, t, e, f: bool(np.all(np.diff(f) > 0)),
        value=lambda x, t, e, f: np.diff(f).min(),
        note="shown: smallest step of F from one delta to the next",
    ),
    "A.F3.steady": Claim(
        ("figure3",),
        holds=lambda x, t, e, f: bool(np.all(np.diff(t) > 0) and _STEADY <= measures.first_half(x, t) <= 1 - _STEADY),
        value=lambda x, t, e, f: measures.first_half(x, t),
        note=f"shown: share of the rise of T in the first half; the claim: {_STEADY} to {1 - _STEADY}, no step down",
    ),
    "A.F3.late_rise": Claim(
        ("figure3",),
        holds=lambda x, t, e, f: measures.late_share(x, f) > 0.5,
        value=lambda x, t, e, f: measures.late_share(x, f),
        note="shown: share of the rise of F beyond delta = 0.9528",
    ),
    "A.S6.variance": Spread(
        sweeps=("figure1",),
        value=lambda stack: float((stack.f.std(axis=0, ddof=1) / stack.f.mean(axis=0)).min()),
        holds=lambda share: share > 0,
        note="shown: smallest standard deviation of F over the replications in Figure 1, as a share of F; these draw datasets "
        "and no releases, so that no number of releases would make it smaller",
    ),
    "A.S6.realistic": Computed(
        holds=lambda v: v[0] >= 10**_SEVERAL * v[1],
        value=lambda v: v[0] / v[1],
        note=lambda v: (
            f"shown: E[T] / E[F] at n = 1,000, m = 100, epsilon = 1, delta = 10^-6: {v[0]:.3g} over {v[1]:.3g}; the claim: "
            "at least 10^3"
        ),
    ),
    "A.S7.throughout": Claim(
        _ALL,
        holds=lambda x, t, e, f: bool(np.all(t > _ANY * f)),
        value=lambda x, t, e, f: measures.ratio(t, f).min(),
        note=f"shown: smallest T / F in the three figures; the claim: above {_ANY} at every point; at m = 99 and delta = 1 T "
        "and F coincide, as the text on Figures 2 and 3 says",
    ),
}
# Values at another parameter than the printed ones, reported beside them.
_BESIDE = {"A.F3.F_at_095": "A.F3.F_at_095.exactly"}
# Ids of the printed numbers and claims that there is a rule for.
IDS = frozenset({*_ROWS} - {*_BESIDE.values()})


def _upper(numbers: FloatArray) -> FloatArray:
    """The first half of the numbers of a claim, about T."""
    return numbers[: len(numbers) // 2]


def _failure(numbers: FloatArray) -> FloatArray:
    """The second half of the numbers of a claim, about F."""
    return numbers[len(numbers) // 2 :]


def _reaches_one(gaps: FloatArray) -> bool:
    """Whether distances from 1 fall, and end next to 0."""
    return bool(np.all(np.diff(gaps) <= 0) and gaps[-1] < _NEXT_TO_ONE)


def compare(printed: Mapping[str, str], evidence: Evidence) -> pd.DataFrame:
    """Set the printed numbers against a study, its replications, and what is computed beside it.

    Parameters
    ----------
    printed : dict of str to str
        The printed numbers by their id, as text; empty for a claim without a number.
    evidence : disclosure.workflow.claims.rows.Evidence

    Returns
    -------
    pandas.DataFrame
        With the columns `COLUMNS`.
    """
    rows = [
        {"id": row_name, "printed": text, **_ROWS[row_name].cells(row_name, printed, evidence)}
        for name, text in printed.items()
        for row_name in filter(None, (name, _BESIDE.get(name)))
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
