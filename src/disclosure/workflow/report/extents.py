"""What the summary of a sweep shows, in sentences made of its own numbers."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disclosure.study import points
from disclosure.workflow import tables

__all__ = ["sentence"]

# For each quantity its columns and their words; the first column that has numbers at all points is used.
_UPPER_LIMIT = {"union_mass_mean": "T_bar", "union_mass_expected": "the expected upper limit"}
_FAILURE = {
    "failure_share_mean": "F_bar",
    "failure_probability_mean": "the failure probability of the sampled datasets",
    "failure_probability_expected": "the expected failure probability",
}
_PRIOR_FREE = {
    "failure_share_prior_free_mean": "F_bar",
    "failure_probability_prior_free_mean": "the failure probability",
    "failure_probability_prior_free_expected": "the expected failure probability",
}
_TABLE = (
    {"union_mass_supremum": "the largest upper limit"},
    {"failure_probability_largest": "the largest failure probability"},
    {"ratio_upper": "the upper bound of the ratio"},
    {"sigma": "the expected error of the release"},
)
_PARAMETERS = {"population": "n", "sample": "m", "epsilon": "epsilon", "delta": "delta"}


def sentence(summary: Mapping[str, ArrayLike]) -> str:
    """The quantities of a summary at both ends of its sweep, how far apart limit and failure probability are, and what a
    release does to a belief but for a stated probability.

    Parameters
    ----------
    summary : dict of str to ndarray
        Table of `disclosure.workflow.tables.SUMMARY` or ``EXPOSURE_SUMMARY``.

    Returns
    -------
    str
        Empty for a single point.

    Examples
    --------
    >>> point = {"population": [9, 9], "sample": [5, 5], "epsilon": [2.0, 1.0], "delta": [0.1, 0.1]}
    >>> sentence({**point, "union_mass_mean": [0.02, 0.01], "failure_share_mean": [1e-4, 1e-3]})
    'From epsilon = 1 to 2: T_bar from 0.01 to 0.02, F_bar from 0.001 to 0.0001, their ratio between 10 and 200.'
    """
    columns: tables.Table = {name: np.asarray(values) for name, values in summary.items()}
    parameter = points.varied(columns)
    if parameter is None:
        return ""
    order = np.argsort(columns[parameter], kind="stable")
    columns = {name: values[order] for name, values in columns.items()}
    quantities = _TABLE if "union_mass_supremum" in columns else (_UPPER_LIMIT, _FAILURE)
    shown = [column for words in quantities if (column := _column(columns, words))]
    parts = [f"{words} from {_ends(values)}" for words, values in shown]
    if quantities is not _TABLE and len(shown) == 2 and (shown[1][1] > 0).all():
        ratio = shown[0][1] / shown[1][1]
        parts.append(f"their ratio between {_number(ratio.min(), 3)} and {_number(ratio.max(), 3)}")
    if prior_free := _column(columns, _PRIOR_FREE):
        words, values = prior_free
        parts.append(f"{words} of the wider bounds (26) from {_ends(values)}")
    first, last = columns[parameter][[0, -1]]
    ends = f"From {_PARAMETERS[parameter]} = {_number(first)} to {_number(last)}"
    return f"{ends}: {', '.join(parts)}.{_quantiles(columns)}" if parts else ""


def _quantiles(summary: tables.Table) -> str:
    """How far a release moves the belief in the target but for a stated probability; empty for a summary that does not say."""
    if "ratio_probability" not in summary or np.isnan(summary["ratio_probability"]).any():
        return ""
    largest, mean, smallest = (
        _ends(summary[f"ratio_{name}"])
        for name in ("upper_quantile_largest", "upper_quantile_mean", "lower_quantile_smallest")
    )
    return (
        f" Except with probability {_number(summary['ratio_probability'][0])} a release multiplies the belief in the target "
        f"by no more than {largest} in any sampled dataset, {mean} on average over them. Except with the same probability it "
        f"multiplies it by no less than {smallest}."
    )


def _ends(values: NDArray[Any]) -> str:
    return f"{_number(values[0])} to {_number(values[-1])}"


def _column(summary: Mapping[str, NDArray[Any]], words: Mapping[str, str]) -> tuple[str, NDArray[Any]] | None:
    for name, text in words.items():
        if name in summary and not np.isnan(summary[name]).any():
            return text, summary[name]
    return None


def _number(value: Any, digits: int = 4) -> str:
    if isinstance(value, np.integer):
        return f"{value:,}"
    # Below a million as it is said, 1,430 rather than 1.43e+03.
    short = f"{value:.{digits}g}"
    return f"{float(short):,.0f}" if 1_000 <= abs(value) < 1_000_000 else short
