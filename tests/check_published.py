"""Hold against each other what is published: README.md, docs/published.md, the article and results/published.csv.

`make paper` makes the results first. What disagrees is printed, a line for each; the exit code tells whether anything does.
"""

import csv
import io
import pathlib
import re
import sys

import pypdf

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE, PAGE, ARTICLE = "results/published.csv", "results/published.md", "results/article.pdf"
# Digits to which the page, README.md and the article print a number of each column.
DIGITS = {"reproduced": 4, "low": 3, "high": 3, "expected": 4}


def main(root=ROOT):
    missing = [name for name in (TABLE, PAGE, ARTICLE) if not (root / name).exists()]
    if missing:
        print(f"{', '.join(missing)}: not there; make paper")
        return True
    table = (root / TABLE).read_bytes()
    rows = list(csv.DictReader(io.StringIO(table.decode())))
    page = (root / "docs/published.md").read_text(encoding="utf-8")
    headline = headline_rows((root / "README.md").read_text(encoding="utf-8"))
    faults = [
        *([] if page == (root / PAGE).read_text(encoding="utf-8") else [f"docs/published.md: is not {PAGE}; copy it"]),
        *page_faults(rows, page),
        *headline_faults(page, headline),
        *article_faults(rows, table, (root / ARTICLE).read_bytes()),
    ]
    print(
        "\n".join(faults)
        or f"{len(rows)} rows: {TABLE}, docs/published.md, the article, and {len(headline)} of them in README.md"
    )
    return bool(faults)


def page_faults(rows, page):
    """What the table of the page has and the results do not, or the other way round."""
    shown = {name: cells for name, _what, *cells in table_rows(page, 7)}
    for row in rows:
        low, high = rounded(row, "low"), rounded(row, "high")
        span = f"{low} to {high}" if low else ""
        expected = [row["printed"], rounded(row, "reproduced"), span, rounded(row, "expected"), row["verdict"]]
        if shown.pop(row["id"], None) != expected:
            yield f"docs/published.md: {row['id']} is not as in {TABLE}: {expected}"
    yield from (f"docs/published.md: {name} is not in {TABLE}" for name in shown)


def headline_faults(page, headline):
    """What the README's table says otherwise than the page."""
    shown = {
        name: (what, printed, reproduced, verdict)
        for name, what, printed, reproduced, *_, verdict in table_rows(page, 7)
    }
    for name, *cells in headline:
        if tuple(cells) != shown.get(name):
            yield f"README.md: {name} is not as in docs/published.md: {shown.get(name)}"
    if not headline:
        yield "README.md: has no table of printed and reproduced numbers"


def article_faults(rows, table, article):
    """What the article's table says otherwise than the results, and whether it carries the same ones."""
    reader = pypdf.PdfReader(io.BytesIO(article))
    if reader.attachments.get(TABLE) != [table]:
        yield f"{ARTICLE}: carries another {TABLE}; make article"
    lines = article_lines(reader, [row["id"] for row in rows])
    for row in rows:
        span = f"{rounded(row, 'low')} to {rounded(row, 'high')}" if row["low"] else ""
        cells = (row["printed"], rounded(row, "reproduced"), span, rounded(row, "expected"), row["verdict"])
        expected = " ".join(filter(None, cells)).split()
        shown = lines.get(row["id"], [])[-len(expected) :]
        if len(shown) < len(expected) or not all(map(same, shown, expected)):
            yield f"{ARTICLE}: {row['id']} is not as in {TABLE}: {' '.join(expected)}"


def article_lines(reader, names):
    """Words of the article's table, by the id at the beginning of each line; words after an id up to the next one.

    Numbers are in the form of the results: the article sets 5.22e-10 as a product with a power of ten.
    """
    # The last line of a page is its number, and the head of the table stands on each page.
    pages = [page.extract_text().rpartition("\n")[0].replace(HEAD, "") for page in reader.pages]
    text = " ".join(pages).rpartition("Appendix: where")[0]
    words = re.sub(r"⋅10(?=−?\d)", "e", text).replace("−", "-").split()
    places = [place for place, word in enumerate(words) if word in names]
    return {words[place]: words[place + 1 : end] for place, end in zip(places, [*places[1:], None], strict=True)}


# The head of the article's table.
HEAD = "id what is printed printed reproduced replications expected verdict"


def same(shown, expected):
    """Whether two cells have the same word or the same number."""
    try:
        return float(shown.replace(",", "")) == float(expected)
    except ValueError:
        return shown == expected


def rounded(row, column):
    """A cell as the page prints it."""
    text = row[column]
    return f"{float(text):.{DIGITS[column]}g}" if text and column in DIGITS else text


def headline_rows(readme):
    """Rows of the README's table: the id, then what it is about and the other cells."""
    return [
        [*row[0].removeprefix("`").split("` ", 1), *row[1:]] for row in table_rows(readme, 4) if row[0].startswith("`")
    ]


def table_rows(page, columns):
    """Rows of the tables of a page in Markdown that have so many columns, without their heads."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:1] == "|"]
    found = [row for row in cells if len(row) == columns and not set("".join(row)) <= set("-")]
    return found[1:]


if __name__ == "__main__":
    sys.exit(main())
