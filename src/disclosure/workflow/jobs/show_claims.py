"""Every printed number and claim as a page of the report: where it stands, the evidence, a verdict."""

import argparse
from collections.abc import Mapping
from typing import Any

import pandas as pd

from disclosure.workflow import tables
from disclosure.workflow.claims import verdicts
from disclosure.workflow.options import add_caption, add_output
from disclosure.workflow.report import pages

_KINDS = {"section": "text", "claim": "text", "evidence": "text", "verdict": "verdict"}
_BRIEF_KINDS = {"claim": "text", "printed": "number", "reproduced or expected": "number", "verdict": "verdict"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("published", help="results/published.csv")
    parser.add_argument("--printed", required=True, metavar="FILE", help="table of the printed numbers")
    parser.add_argument("--title", required=True)
    add_caption(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        printed = verdicts.read(arguments.printed, ("id", "paper", "place", "quantity")).set_index("id")
        table = verdicts.read(arguments.published, verdicts.COLUMNS)
        table, reasons = verdicts.reasons_apart(table.assign(run=~table["note"].str.startswith(verdicts.NOT_RUN)))
        rows = [{**row, **_source(row["id"], printed)} for row in table.to_dict("records")]
        rows.sort(key=lambda row: row["section"])
        file.write(
            pages.page(
                arguments.title,
                arguments.caption,
                [
                    pages.Table(
                        "What does not simply agree",
                        list(_BRIEF_KINDS.items()),
                        [_brief(row) for row in rows if row["run"] and row["verdict"] not in ("agrees", "identity")],
                        front=True,
                    ),
                    pages.Table("All of them", list(_KINDS.items()), [_claim(row) for row in rows], layout="claims"),
                ],
                finding=" ".join([f"{len(rows)} numbers and claims: {verdicts.counts(table)}.", *reasons]),
            ).encode()
        )


def _source(name: str, printed: pd.DataFrame) -> dict[str, Any]:
    """Section and quantity of a row; a value reported beside another one has that one's name and a suffix."""
    source = printed.loc[name if name in printed.index else name.rpartition(".")[0]]
    return {
        "section": f"Paper {source['paper']}, {source['place'].removesuffix(' text')}",
        "quantity": source["quantity"],
    }


def _brief(row: Mapping[str, Any]) -> list[str]:
    found = row["reproduced"] or row["expected"]
    number = f"{float(found):.4g}" if found else ""
    return [f"{row['section']}: {row['quantity']}", row["printed"], number, row["verdict"]]


def _claim(row: Mapping[str, Any]) -> list[str]:
    """Section, claim, evidence and verdict of one row."""
    claim = row["quantity"] + (f": {row['printed']}" if row["printed"] else "")
    evidence = []
    if row["reproduced"] != "":
        evidence.append(f"reproduced {float(row['reproduced']):.4g}")
    if row["low"] != "":
        evidence.append(f"95% of replications {float(row['low']):.3g} to {float(row['high']):.3g}")
    if row["expected"] != "":
        evidence.append(f"expected {float(row['expected']):.4g}")
    return [row["section"], claim, "; ".join(filter(None, [*evidence, row["note"]])), row["verdict"]]
