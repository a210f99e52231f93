"""Results made up for tests of the article: any rows that are wanted, the article's template and the tables that it names."""

import csv
import io
import itertools
import pathlib

from disclosure.workflow import questions, tables
from tests.commands import main

ROOT = pathlib.Path(__file__).resolve().parents[4]
TEMPLATE = sorted((ROOT / "workflow/article").glob("*.typ"))
PRINTED = ROOT / "resources/published.csv"
IDS = [row["id"] for row in csv.DictReader(io.StringIO(PRINTED.read_text(encoding="utf-8")))]
VERDICTS = ("agrees", "deviates", "explained", "identity", "open")
SWEEPS = ("figure1", "figure2", "figure3", "small_delta", "large_epsilon_binary", "population_at_a_sample")
FIGURES = ("figure1", "figure2", "figure3", "small_delta", "odds_risk_profile", "epsilon_by_prior_odds")
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="50">'
    "<title>Title of {0}</title><desc>Words on {0}</desc></svg>"
)


class Results:
    """A working folder with results in it."""

    def __init__(self, folder):
        self.folder = folder
        self.made_by = {}

    def table(self, rule, name, rows):
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        self.file(rule, name, text.getvalue())

    def file(self, rule, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.made_by.setdefault(rule, []).append(name)

    def article(self, monkeypatch, template=(ROOT / "workflow/article/article.typ",)):
        """Bytes of the article about them."""
        monkeypatch.chdir(self.folder)
        others = [*(path for path in TEMPLATE if path.name != "article.typ"), ROOT / "workflow/article/references.yml"]
        made_by = [word for rule, names in self.made_by.items() for word in ("--made-by", rule, *names)]
        command = ["article", *map(str, [*template, *others]), "--printed", str(PRINTED), *made_by]
        main([*command, "--output", "results/article.pdf"])
        return (self.folder / "results/article.pdf").read_bytes()


def published(verdict=None, **planted):
    """Rows of the comparison; with no verdict named each gets the next of all of them."""
    cells = dict.fromkeys(("printed", "reproduced", "low", "high"), "0.5")
    verdicts = itertools.cycle([verdict] if verdict else VERDICTS)
    return [
        {
            "id": name,
            **cells,
            "verdict": next(verdicts),
            "note": "",
            "expected": "",
            "same_as": "",
            **planted.get(name, {}),
        }
        for name in IDS
    ]


def rows(columns, keys, numbers):
    """Rows with these keys, and in all other columns numbers that are never the same."""
    return [
        {
            name: key[name] if name in key else "word" if kind is str else repr(next(numbers))
            for name, kind in columns.items()
        }
        for key in keys
    ]


def fill(results, verdict=None, sweeps=SWEEPS, asked=tuple(questions.QUESTIONS), **planted):
    """Results of a run, with any rows that are wanted."""
    numbers = (0.1 + count / 7919 for count in itertools.count())
    results.table("compare_published", "results/published.csv", published(verdict, **planted))
    adversaries = [{"adversary": name} for name in ("prevalence", "naive", "any")]
    results.table("adversaries", "results/case_control.csv", rows(tables.ADVERSARIES, adversaries, numbers))
    for sweep in sweeps:
        last = "inf" if sweep == "population_at_a_sample" else 100
        points = [
            {"sweep": sweep, "point": 0, "population": 100, "sample": 90, "delta": "0.1", "datasets": 0, "releases": 0},
            {
                "sweep": sweep,
                "point": 1,
                "population": last,
                "sample": 90,
                "delta": "0.1",
                "datasets": 0,
                "releases": 0,
            },
        ]
        results.table("aggregate", f"results/{sweep}/summary.csv", rows(tables.SUMMARY, points, numbers))
    keys = {
        "noise_by_profile": [{"adversary": name} for name in ("informed", "any", "zcdp")],
        "case_control_noises": [
            {"kind": "quantile", "adversary": "knows_others", "noise": noise} for noise in ("gaussian", "laplace")
        ],
        "attribute_inference": [{"guess": name} for name in ("half_line", "presence")],
        "mechanisms": [{"mechanism": name, "error": "5.5"} for name in ("gaussian", "exponential")],
    }
    for question in asked:
        same = {"failure": "0.25"} if question == "noise_by_profile" else {}
        found = [{**key, **same} for key in keys.get(question, [{}, {}])]
        name = f"results/open_questions/{question}.csv"
        results.table("answer", name, rows(questions.question(question).COLUMNS, found, numbers))
    for name in FIGURES:
        if name in sweeps or name not in SWEEPS:
            results.file("figure", f"figures/{name}.svg", SVG.format(name))
    return results
