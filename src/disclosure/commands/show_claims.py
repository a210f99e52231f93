"""Every printed number and claim as a page of the report: where it stands, the evidence, a verdict."""

from disclosure.commands.options import add_caption, add_output
from disclosure.pipeline import pages, published, tables

_HEADER = ["section", "claim", "evidence", "verdict"]


def arguments(parser):
    parser.add_argument("published", help="results/published.csv")
    parser.add_argument("--printed", required=True, metavar="FILE", help="table of the printed numbers")
    add_caption(parser)
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        printed = published.read(arguments.printed, ("id", "paper", "place", "quantity")).set_index("id")
        table = published.read(arguments.published, published.COLUMNS)
        claims = sorted((_claim(row, printed) for row in table.to_dict("records")), key=lambda claim: claim[0])
        counts = [f"{sum(claim[3] == verdict for claim in claims)} {verdict}" for verdict in published.VERDICTS]
        file.write(
            pages.page(
                "Claims and printed numbers",
                arguments.caption,
                pages.table(
                    ", ".join(counts), _HEADER, claims, lambda name, text: text if name == "verdict" else "text"
                ),
            ).encode()
        )


def _claim(row, printed):
    """Section, claim, evidence and verdict of one row."""
    # A value reported beside another one has that one's name and a suffix.
    source = printed.loc[row["id"] if row["id"] in printed.index else row["id"].rpartition(".")[0]]
    section = f"Paper {source['paper']}, {source['place'].removesuffix(' text')}"
    claim = source["quantity"] + (f": {row['printed']}" if row["printed"] else "")
    evidence = []
    if row["reproduced"] != "":
        evidence.append(f"reproduced {float(row['reproduced']):.4g}")
    if row["low"] != "":
        evidence.append(f"95% of replications {float(row['low']):.3g} to {float(row['high']):.3g}")
    if row["expected"] != "":
        evidence.append(f"expected {float(row['expected']):.4g}")
    return [section, claim, "; ".join(filter(None, [*evidence, row["note"]])), row["verdict"]]
