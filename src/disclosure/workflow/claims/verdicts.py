"""Verdicts on printed numbers and claims, and the table in which they stand.

The distribution of the failure probability over datasets is heavy-tailed, and minima, maxima and p-values have no simple
standard error. So the ranges come from independent replications of the whole study, and so do the verdicts:

- A number *agrees* if the printed one, give or take half a unit of its last digit, meets the range that holds the middle
  95% of the replications; otherwise it *deviates*. Of 20 numbers that are all right, one is expected to deviate.
- A claim about a study *agrees* if it holds in at least 95% of the replications, and *deviates* if it holds in at most 5%. In
  between chance decides about one study, and the expected values decide about the claim. A claim about a limit or about other
  parameters is decided by what is computed for it.
- *explained*: the printed number comes out, but it is not what the paper says it is, or cannot come out of the study as
  described; the note has the reason.
- *open*: nothing here decides it, or the study was not run with the paper's parameters.
- *identity*: it holds by definition, or is put in by hand, so that only a mistake could contradict it. It is checked all the
  same, and deviates if it fails.

Where one printed number follows from another one, or one mistake is behind several claims, ``same_as`` names the row that
tells the same fact; deviations are counted as rows and as facts.
"""

import os
from collections.abc import Sequence
from decimal import Decimal

import pandas as pd

from disclosure.workflow.tables import TableError

__all__ = [
    "CLAIM_SHARE",
    "COLUMNS",
    "NOT_RUN",
    "RANGE",
    "VERDICTS",
    "counts",
    "half_unit",
    "join",
    "one_fact",
    "read",
    "reasons_apart",
]

COLUMNS = ("id", "printed", "reproduced", "low", "high", "verdict", "note", "expected", "same_as")
VERDICTS = ("agrees", "deviates", "explained", "open", "identity")
# Beginning of a note that says why a run decides nothing.
NOT_RUN = "not run with the paper's"
# Quantiles between which the middle 95% of the replications lie.
RANGE = (0.025, 0.975)
# Least share of the replications in which a claim must hold to agree.
CLAIM_SHARE = 0.95


def read(path: str | os.PathLike[str], columns: Sequence[str]) -> pd.DataFrame:
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


def half_unit(text: str) -> float:
    """Half a unit of the last printed digit.

    Examples
    --------
    >>> half_unit("1.49e-2"), half_unit("99")
    (5e-05, 0.5)
    """
    return float(f"0.5e{Decimal(text).as_tuple().exponent}")


def join(*notes: str) -> str:
    """Notes on one row, those that are not empty."""
    return "; ".join(filter(None, notes))


def counts(table: pd.DataFrame) -> str:
    """How many rows of a comparison have each verdict, in words, and how many facts the deviations are."""
    found = table["verdict"].value_counts()
    parts = {verdict: f"{found[verdict]} {verdict}" for verdict in VERDICTS if verdict in found}
    deviating = int(found.get("deviates", 0))
    facts = deviating - sum(len(ids) for ids in one_fact(table).values())
    if facts < deviating:
        parts["deviates"] += f", which are {facts} facts"
    if identities := parts.pop("identity", ""):
        parts[""] = f"apart from these {identities.replace('identity', 'by identity')}"
    return "; ".join(parts.values())


def one_fact(table: pd.DataFrame) -> dict[str, list[str]]:
    """Ids of rows that deviate for the same reason as another one that deviates, by the id of that one."""
    deviating = table[table["verdict"] == "deviates"]
    same = deviating[deviating["same_as"].isin(deviating["id"])]
    return {str(name): group["id"].tolist() for name, group in same.groupby("same_as", sort=False)}


def reasons_apart(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The comparison without the reasons why a run decides nothing in its notes, and each of these once.

    Returns
    -------
    table : pandas.DataFrame
    reasons : list of str
        Sentences; empty for a run with the papers' parameters.
    """
    split = table["note"].str.extract(rf"^({NOT_RUN} [^;]*)?(?:; )?(.*)$", expand=True)
    reasons = split[0].dropna().value_counts(sort=False)
    sentences = [
        f"{reason[0].upper()}{reason[1:]}: {count} open."
        for reason, count in zip(map(str, reasons.index), reasons.tolist(), strict=True)
    ]
    return table.assign(note=split[1]), sentences
