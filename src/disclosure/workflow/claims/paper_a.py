"""Every number and claim that paper A's section 6 prints, beside the reproduced one, with a verdict.

The distribution of the failure probability over datasets is heavy-tailed, and minima, maxima and p-values have no simple
standard error. So the ranges come from independent replications of the whole study, and so do the verdicts. These rules were
fixed before the first comparison, with one exception, the knee of Figure 2 (docs/findings.md):

- A number *agrees* if the printed one, give or take half a unit of its last digit, meets the range that holds the middle
  95% of the replications; otherwise it *deviates*. Of 20 numbers that are all right, one is expected to deviate.
- A claim *agrees* if it holds in at least 95% of the replications, *deviates* if it holds in at most 5%, and is *open* in
  between, where chance decides.
- *explained*: the printed number comes out, but it is not what the paper says it is, or cannot come out of the study as
  described; the note has the reason.
- *open*: nothing here decides it, or the study was not run with the paper's parameters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pandas as pd

from disclosure.beliefs import inclusion
from disclosure.study import statistics
from disclosure.workflow.claims import scale
from disclosure.workflow.tables import TableError

__all__ = ["COLUMNS", "NOT_RUN", "VERDICTS", "Study", "compare", "counts", "half_unit", "join", "markdown", "read"]
__all__ += ["reasons_apart"]

COLUMNS = ("id", "printed", "reproduced", "low", "high", "verdict", "note", "expected")
VERDICTS = ("agrees", "deviates", "explained", "open")
LEGEND = (
    "*reproduced* is this run of the study; *95% range* the middle 95% of independent replications of it; *expected* the",
    "value without any sampling. The verdict compares the printed number, give or take half a unit of its last digit, with",
    "the range. A reproduced number is one more draw, and may lie outside the range as the printed one may.",
    "",
    "- *agrees*: the printed number meets the range; a claim holds in at least 95% of the replications.",
    "- *deviates*: it does not; a claim holds in at most 5%. Of 20 numbers that are all right, one is expected to deviate.",
    "- *explained*: it comes out, but is not what the paper says it is, or it cannot come out as described; the note says why.",
    "- *open*: nothing here decides it, chance decides it, or the run has other parameters than the paper.",
)
NOT_RUN = "not run with the paper's"  # how a note begins that says why a run decides nothing
RANGE = (0.025, 0.975)
CLAIM_SHARE = 0.95


def read(path, columns):
    """Read a table of printed or reproduced numbers as text, its empty cells as empty strings.

    Raises
    ------
    TableError
        If the file is no table, or has not all of these columns.
    """
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise TableError(
            f"{path}: cannot be read as a table ({error}); expected the columns {', '.join(columns)}"
        ) from None
    if not set(columns) <= set(table.columns):
        raise TableError(f"{path}: has the columns {list(table.columns)}; needs {', '.join(columns)}")
    return table


@dataclass(frozen=True)
class Study:
    """One run of the study, or a stack of replications along the first axis.

    ``upper_limit``, ``upper_limit_error`` and ``failure`` hold T_bar, its standard error and F_bar of each sweep, shape
    (..., points); ``points`` the sweeps' parameters.
    """

    points: dict
    upper_limit: dict
    upper_limit_error: dict
    failure: dict


@dataclass(frozen=True)
class _Number:
    """A printed number, as a function of the sweep's x, T, se(T) and F in one study.

    ``expected`` tells whether the function has a meaning for expected values, which know no datasets. ``flaw`` says why the
    printed number, although it comes out, is not what it is said to be; with ``artefact`` it cannot come out.
    """

    sweep: str
    value: Callable
    note: str | Callable = ""
    expected: bool = True
    flaw: str = ""
    artefact: bool = False


@dataclass(frozen=True)
class _Claim:
    """A claim, as functions of the same: whether it holds, and the number that shows it."""

    sweep: str
    holds: Callable
    value: Callable
    note: str
    expected = True


def _printed_deviation(failure):
    return [statistics.published_standard_deviation(rate, scale.DATASETS, scale.RELEASES) for rate in failure.tolist()]


def _line(x, y):
    """Least squares line of y on x, with the two-sided p-value of a slope of 0."""
    from scipy.stats import linregress  # slow to import

    return linregress(x, y)


def _knee(x, y):
    """Where two lines that meet there fit y best, among the points."""

    def misfit(knee):
        design = np.column_stack([np.ones_like(x), x, np.maximum(x - knee, 0.0)])
        residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
        return residual @ residual

    return min(x[2:-2].tolist(), key=misfit)


def _coincide(x, upper_limit, failure):
    """Smallest parameter from which on F is within 1% of T."""
    apart = np.flatnonzero(np.abs(upper_limit - failure) > 0.01 * upper_limit)
    return x[min(apart[-1] + 1, len(x) - 1)] if apart.size else x[0]


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
_ROWS = {
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
        lambda x, t, e, f: _line(x[x >= 70], t[x >= 70]).slope < 2 * _line(x[x <= 70], t[x <= 70]).slope < 0,
        lambda x, t, e, f: _knee(x, t),
        "shown: where two lines that meet fit T best; the claim: beyond m = 70 T falls more than twice as fast as before",
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
        lambda x, t, e, f: bool(np.all((t > 10**1.5 * f) & (t < 10**2.5 * f))),
        lambda x, t, e, f: t.prod() ** (1 / len(t)) / f.prod() ** (1 / len(f)) if f.all() else np.inf,
        "shown: geometric mean of T / F; the claim: between 10^1.5 and 10^2.5 at every epsilon",
    ),
    "A.F1.trend": _Claim(
        "figure1",
        lambda x, t, e, f: _line(x, t).slope < 0 and _line(x, f).slope < 0,
        lambda x, t, e, f: _line(x, f).slope,
        "shown: slope of F; the claim: the slopes of T and F are negative",
    ),
    "A.F2.trend": _Claim(
        "figure2",
        lambda x, t, e, f: _line(x, t).slope < 0 < _line(x, f).slope,
        lambda x, t, e, f: _line(x, f).slope,
        "shown: slope of F; the claim: the slope of T is negative, that of F positive",
    ),
    "A.F2.m_equals_n": _Claim(
        "figure2",
        lambda x, t, e, f: float(inclusion.failure_probability(np.empty((0, 1)), 1.0).value) == 0.0,
        lambda x, t, e, f: float(inclusion.failure_probability(np.empty((0, 1)), 1.0).value),
        "shown: failure probability without neighbours",
    ),
    "A.F3.order": _Claim(
        "figure3",
        lambda x, t, e, f: bool(np.all(t[x < 1] > f[x < 1])),
        lambda x, t, e, f: (t - f)[x < 1].min(),
        "shown: smallest T - F over delta < 1; at delta = 1 both are 1",
    ),
    "A.F3.monotone": _Claim(
        "figure3",
        lambda x, t, e, f: bool(np.all(np.diff(f) > 0)),
        lambda x, t, e, f: np.diff(f).min(),
        "shown: smallest step of F from one delta to the next",
    ),
    "A.F3.late_rise": _Claim(
        "figure3",
        lambda x, t, e, f: (f[-1] - f[np.abs(x - 0.95).argmin()]) > 0.5 * (f[-1] - f[0]),
        lambda x, t, e, f: (f[-1] - f[np.abs(x - 0.95).argmin()]) / (f[-1] - f[0]),
        "shown: share of the rise of F beyond delta = 0.9528",
    ),
}
_OPEN = {
    "A.limit": "a conjecture; epsilon up to 2 does not decide it, docs/findings.md looks beyond",
    "A.any_n": "a hypothesis; n = 100 does not decide it, docs/findings.md looks beyond",
}
_VARIED = {"figure1": "epsilon", "figure2": "sample", "figure3": "delta", "figure3_at_095": "delta"}
# Values at another parameter than the printed ones, reported beside them.
_BESIDE = {"A.F3.F_at_095": "A.F3.F_at_095.exactly"}


def compare(printed, study, expected, replications, datasets, releases):
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
    rows = []
    for name, text in printed.items():
        for row_name in filter(None, (name, _BESIDE.get(name))):
            rows.append(
                {"id": row_name, "printed": text, **_row(row_name, text, study, expected, replications, at_scale)}
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(name, text, study, expected, replications, at_scale):
    if name in _OPEN:
        return {"verdict": "open", "note": _OPEN[name]}
    rule = _ROWS[name]
    points = study.points.get(rule.sweep)
    if points is None or not _same_points(points, scale.POINTS[rule.sweep]):
        return {"verdict": "open", "note": f"{NOT_RUN} points of {rule.sweep}"}
    here = _arguments(study, rule.sweep)
    note = rule.note(*here) if callable(rule.note) else rule.note
    row = {"reproduced": float(rule.value(*here))}
    if rule.expected and rule.sweep in expected.points:
        row["expected"] = float(rule.value(*_arguments(expected, rule.sweep)))
    values = [rule.value(*one) for one in _each(replications, rule.sweep)]
    row["low"], row["high"] = (float(end) for end in np.quantile(values, RANGE))
    if not at_scale:
        return {
            **row,
            "verdict": "open",
            "note": join(f"{NOT_RUN} numbers of datasets and releases", note),
        }
    if isinstance(rule, _Claim):
        share = float(np.mean([rule.holds(*one) for one in _each(replications, rule.sweep)]))
        verdict = "agrees" if share >= CLAIM_SHARE else "deviates" if share <= 1 - CLAIM_SHARE else "open"
        return {**row, "verdict": verdict, "note": join(note, f"holds in {share:.1%} of the replications")}
    half = half_unit(text)
    meets = row["low"] - half <= float(text) <= row["high"] + half
    verdict = "explained" if rule.artefact or (meets and rule.flaw) else "agrees" if meets else "deviates"
    return {**row, "verdict": verdict, "note": join(note, rule.flaw)}


def half_unit(text):
    """Half a unit of the last printed digit.

    >>> half_unit("1.49e-2"), half_unit("99")
    (5e-05, 0.5)
    """
    return float(f"0.5e{Decimal(text).as_tuple().exponent}")


def _arguments(study, sweep):
    x = np.array([getattr(point, _VARIED[sweep]) for point in study.points[sweep]], dtype=float)
    return x, study.upper_limit[sweep], study.upper_limit_error[sweep], study.failure[sweep]


def _each(replications, sweep):
    x, *columns = _arguments(replications, sweep)
    return [(x, *rows) for rows in zip(*columns, strict=True)]


def _same_points(points, published):
    return len(points) == len(published) and np.allclose(points, published, rtol=1e-12, atol=0)


def join(*notes):
    """Notes on one row, those that are not empty."""
    return "; ".join(filter(None, notes))


def counts(table):
    """How many rows of a comparison have each verdict, in words."""
    found = table["verdict"].value_counts()
    return "; ".join(f"{found[verdict]} {verdict}" for verdict in VERDICTS if verdict in found)


def reasons_apart(table):
    """The comparison without the reasons why a run decides nothing in its notes, and each of these once.

    Returns
    -------
    table : pandas.DataFrame
    reasons : list of str
        Sentences; empty for a run with the papers' parameters.
    """
    split = table["note"].str.extract(rf"^({NOT_RUN} [^;]*)?(?:; )?(.*)$", expand=True)
    reasons = split[0].dropna().value_counts(sort=False)
    sentences = [f"{reason[0].upper()}{reason[1:]}: {count} open." for reason, count in reasons.items()]
    return table.assign(note=split[1]), sentences


def markdown(table, quantities, heading):
    """The comparison as a page: what the verdicts mean, a table, and the notes below it.

    Parameters
    ----------
    table : pandas.DataFrame
        With the columns `COLUMNS`.
    quantities : dict of str to str
        What the rows are about, by their id.
    heading : str

    Returns
    -------
    str
    """
    table, reasons = reasons_apart(table)
    lines = [f"# {heading}", "", *LEGEND, "", *(line for reason in reasons for line in (f"**{reason}**", ""))]
    cells = [["id", "what", "printed", "reproduced", "95% range", "expected", "verdict"]]
    for row in table.itertuples():
        span = "" if pd.isna(row.low) else f"{row.low:.3g} to {row.high:.3g}"
        reproduced, expected = ("" if pd.isna(value) else f"{value:.4g}" for value in (row.reproduced, row.expected))
        what = quantities.get(row.id, quantities.get(row.id.rpartition(".")[0], ""))
        cells.append([row.id, what, row.printed, reproduced, span, expected, row.verdict])
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    padded = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    lines += [padded[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *padded[1:], ""]
    lines += [f"{counts(table)}.", ""]
    notes = table[table["note"] != ""].groupby("note", sort=False)["id"].agg(", ".join)
    lines += [f"- {ids}: {note}." for note, ids in notes.items()]
    return "\n".join(lines) + "\n"
