"""The check of what is published sees a fault in each of the places that it holds against each other."""

import csv
import io

import pandas as pd
import pytest

from disclosure.workflow.claims.page import markdown
from tests import check_published
from tests.unit.workflow.jobs.made_up import PRINTED, Results, fill, published

SMALL = {"A.F1.mean_T": {"printed": "1.49e-2", "reproduced": "6.5831e-12", "expected": "-0.25", "verdict": "deviates"}}
README = """| number | printed | reproduced | verdict |
|---|---|---|---|
| `A.F1.mean_T` mean over the 40 epsilons of T_bar | 1.49e-2 | 6.583e-12 | deviates |
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder in which all is as it should be."""
    results = Results(tmp_path_factory.mktemp("published"))
    with pytest.MonkeyPatch.context() as monkeypatch:
        fill(results, sweeps=(), asked=(), **SMALL).article(monkeypatch)
    table = pd.read_csv(results.folder / check_published.TABLE, dtype={"printed": str}, keep_default_na=False)
    for name in ("reproduced", "low", "high", "expected"):
        table[name] = pd.to_numeric(table[name])
    quantities = {
        row["id"]: row["quantity"] for row in csv.DictReader(io.StringIO(PRINTED.read_text(encoding="utf-8")))
    }
    page = markdown(table, quantities, "Printed and reproduced")
    for name, text in ((check_published.PAGE, page), ("docs/published.md", page), ("README.md", README)):
        path = results.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return results.folder


def test_what_agrees_is_counted(made, capsys):
    assert not check_published.main(made)
    assert capsys.readouterr().out.startswith(
        f"{len(published())} rows: results/published.csv, docs/published.md, the article"
    )


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        ("README.md", "6.583e-12", "6.584e-12", ["README.md: A.F1.mean_T is not as in docs/published.md"]),
        ("README.md", "deviates", "agrees", ["README.md: A.F1.mean_T is not as in docs/published.md"]),
        ("README.md", "| `A", "A", ["README.md: has no table"]),
        (
            "docs/published.md",
            "6.583e-12",
            "6.593e-12",
            [
                "docs/published.md: is not results/published.md",
                "docs/published.md: A.F1.mean_T",
                "README.md: A.F1.mean_T",
            ],
        ),
        (
            "results/published.csv",
            "6.5831e-12",
            "6.5931e-12",
            ["docs/published.md: A.F1.mean_T", "article.pdf: carries another", "article.pdf: A.F1.mean_T is not as in"],
        ),
        ("results/article.pdf", None, None, ["results/article.pdf: not there; make paper"]),
    ],
)
def test_each_fault_is_seen(made, capsys, name, before, after, said):
    path = made / name
    whole = path.read_bytes()
    try:
        if before is None:
            path.unlink()
        else:
            assert before.encode() in whole
            path.write_bytes(whole.replace(before.encode(), after.encode()))
        assert check_published.main(made)
    finally:
        path.write_bytes(whole)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(said)
    assert all(words in line for words, line in zip(said, lines, strict=True)), lines
