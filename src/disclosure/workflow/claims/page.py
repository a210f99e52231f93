"""The comparison of printed and reproduced numbers as a page in Markdown."""

from collections.abc import Mapping

import pandas as pd

from disclosure.workflow.claims.verdicts import counts, one_fact, reasons_apart

__all__ = ["markdown"]

LEGEND = (
    "*reproduced* is this run of the study; *95% range* the middle 95% of independent replications of it; *expected* the",
    "value without any sampling. The verdict compares the printed number, give or take half a unit of its last digit, with",
    "the range. A reproduced number is one more draw, and may lie outside the range as the printed one may.",
    "",
    "- *agrees*: the printed number meets the range; a claim holds in 95% of the replications or of expected values.",
    "- *deviates*: it does not; a claim holds in at most 5%. Of 20 numbers that are all right, one is expected to deviate.",
    "- *explained*: it comes out, but is not what the paper says it is, or it cannot come out as described; the note says why.",
    "- *open*: nothing here decides it, or the run has other parameters than the paper.",
    "- *identity*: it holds by definition or is put in by hand; it is checked, but no run of the study could tell against it.",
)


def markdown(table: pd.DataFrame, quantities: Mapping[str, str], heading: str) -> str:
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
    for row in table.to_dict("records"):
        span = "" if pd.isna(row["low"]) else f"{row['low']:.3g} to {row['high']:.3g}"
        reproduced, expected = (
            "" if pd.isna(value) else f"{value:.4g}" for value in (row["reproduced"], row["expected"])
        )
        what = quantities.get(row["id"], quantities.get(row["id"].rpartition(".")[0], ""))
        cells.append([row["id"], what, row["printed"], reproduced, span, expected, row["verdict"]])
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    padded = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    lines += [padded[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *padded[1:], ""]
    lines += [f"{counts(table)}.", ""]
    lines += [f"- {', '.join([name, *ids])}: one fact." for name, ids in one_fact(table).items()]
    notes = table[table["note"] != ""].groupby("note", sort=False)["id"].agg(", ".join)
    lines += [f"- {ids}: {note}." for note, ids in notes.items()]
    return "\n".join(lines) + "\n"
