"""The article, from results made up for the purpose: what it says comes from them, and stays true whatever they are."""

import csv
import io
import pathlib
import re
import shutil

import pypdf
import pytest

from disclosure.workflow import questions, stages
from tests.unit.workflow.jobs.made_up import FIGURES, IDS, SWEEPS, VERDICTS, Results, fill

ROOT = pathlib.Path(__file__).resolve().parents[4]


def words(article):
    """The text of an article, its spaces and line ends alike."""
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(article)).pages).split())


def nodes(tree):
    """All nodes of the structure of a tagged document."""
    yield tree
    children = tree.get("/K", [])
    for child in children if isinstance(children, list) else [children]:
        child = child.get_object() if hasattr(child, "get_object") else child
        if isinstance(child, dict):
            yield from nodes(child)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Results with numbers in known places, and the article about them."""
    results = fill(
        Results(tmp_path_factory.mktemp("whole")),
        **{
            "A.abstract.orders": {"reproduced": "4321.5678", "verdict": "agrees"},
            "A.F1.orders": {"verdict": "deviates"},
            "A.limit": {"verdict": "agrees"},
            "B.eps_min": {"printed": "0.777"},
        },
    )
    with pytest.MonkeyPatch.context() as monkeypatch:
        article = results.article(monkeypatch)
    return results, article, words(article)


def test_a_number_in_the_text_is_the_one_in_the_file_of_its_name(whole):
    results, _, text = whole
    assert "upper limit. This comes out (printed 0.5; reproduced 4320; 0.5 to 0.5 in the replications)" in text
    assert "The printed budgets 0.5 and 0.777 " in text
    summary = (results.folder / "results/small_delta/summary.csv").read_text(encoding="utf-8")
    first, last = csv.DictReader(io.StringIO(summary))
    varied = [float(row["epsilon"]) for row in (first, last)]
    assert re.search(rf"Smaller .\. With . = 100, . = 90, . from {varied[0]:.3g} to {varied[1]:.3g} and . = 0.1 ", text)
    found = [float(row["failure_share_mean"]) for row in (first, last)]
    assert f"of releases that fail rises from {found[0]:.3g} to {found[1]:.3g}" in text
    assert f"Of {len(IDS)} printed numbers and claims" in text


def test_words_follow_from_verdicts(whole):
    text = whole[2]
    assert re.search(r"about two orders of magnitude apart at every \S+ does not come out", text)
    assert re.search(r"For attributes that are uniform, as in its study, this comes out", text)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_it_is_made_whatever_comes_out(tmp_path, monkeypatch, verdict):
    sweeps, asked = (SWEEPS, questions.QUESTIONS) if verdict == "agrees" else ((), ())
    text = words(fill(Results(tmp_path), verdict, sweeps, tuple(asked)).article(monkeypatch))
    outcomes = {
        "agrees": "comes out",
        "deviates": "does not come out",
        "explained": "comes out, but is not what it is said to be",
        "identity": "holds by definition",
        "open": "is not decided by this run",
    }
    (head,) = re.findall(
        r"claims (\d+) agree with this run, (\d+) deviate, (\d+) come .*? (\d+) hold by .* (\d+) are not dec", text
    )
    assert dict(zip(VERDICTS, map(int, head), strict=True)) == {**dict.fromkeys(VERDICTS, 0), verdict: len(IDS)}
    findings = text[text.index("Findings") : text.index("Past the limits")]
    assert set(re.findall(r"This (comes out, but is not what it is said to be|[a-z ]+?)(?: \(|\.)", findings)) == {
        outcomes[verdict]
    }
    assert ("This run leaves the paper's first figure out" in text.replace("’", "'")) == (not sweeps)
    assert ("this run has none of them" in text) == (not asked)


def test_every_number_leads_to_its_place(whole):
    """Links of the text lead to a row of one of the tables, which names file, row, column and rule."""
    results, article, text = whole
    reader = pypdf.PdfReader(io.BytesIO(article))
    for rule, names in results.made_by.items():
        for name in names:
            if name.endswith(".csv"):
                assert name in text.replace("/ ", "/"), name
                assert reader.attachments[name][0] == (results.folder / name).read_bytes()
        assert rule in text or rule == "figure"
    table = next(number for number, page in enumerate(reader.pages) if "Appendix: printed" in page.extract_text())
    links = [link for page in reader.pages for link in (item.get_object() for item in page.get("/Annots", []))]
    targets = [reader.get_page_number(link["/Dest"][0].get_object()) for link in links if "/Dest" in link]
    assert sum(target >= table for target in targets) > 200


def test_it_can_be_read_aloud(whole):
    reader = pypdf.PdfReader(io.BytesIO(whole[1]))
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_object().get_data()
    kinds = [(str(node.get("/S")), str(node.get("/Alt", ""))) for node in nodes(root["/StructTreeRoot"])]
    figures = [words for kind, words in kinds if kind == "/Figure"]
    assert {f"Title of {name}. Words on {name}." for name in FIGURES} == {
        words for words in figures if "Title" in words
    }
    assert all(words for kind, words in kinds if kind in ("/Figure", "/Formula"))
    assert {"/H1", "/H2", "/TH", "/Caption"} <= {kind for kind, _ in kinds}


def test_the_same_results_make_the_same_bytes(whole, tmp_path, monkeypatch):
    results, article, _ = whole
    copy = Results(tmp_path / "elsewhere")
    shutil.copytree(results.folder, copy.folder)
    copy.made_by = results.made_by
    assert copy.article(monkeypatch) == article
    assert "/CreationDate" not in pypdf.PdfReader(io.BytesIO(article)).metadata


@pytest.mark.parametrize("digits", [3, 4])
def test_numbers_are_rounded_as_elsewhere(tmp_path, monkeypatch, digits):
    numbers = [0.99996, 9.99996e-5, 1e-310, 0.00012345678, 999.96, 12345.678, 1.5e17, 0.5, -0.002, 7.0, 5e-324, 0.0]
    shown = "\n".join(f'#set-number(significant("{number!r}", {digits}))\n' for number in numbers)
    document = tmp_path / "article.typ"
    document.write_text(f'#import "values.typ": *\n#set document(title: "Numbers")\n{shown}', encoding="utf-8")
    results = Results(tmp_path / "study")
    text = words(fill(results, sweeps=(), asked=()).article(monkeypatch, [document]))
    found = [float(word.replace("−", "-").replace("⋅10", "e")) for word in text.split()]
    expected = [float(f"{number:.{digits}g}") for number in numbers]
    assert found == pytest.approx(expected, rel=1e-12, abs=0)


def test_what_cannot_be_typeset_is_said_in_one_line(tmp_path, monkeypatch, capsys):
    document = tmp_path / "article.typ"
    document.write_text('#import "values.typ": *\n#n(claim("A.nothing", "printed"))\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        fill(Results(tmp_path / "study"), sweeps=(), asked=()).article(monkeypatch, [document])
    said = capsys.readouterr().err
    assert re.search(r"article: values\.typ:\d+:\d+: cannot be typeset, cannot access fields on type none\n$", said)
    assert len(said.splitlines()) == 1
    results = Results(tmp_path / "other")
    results.folder.mkdir()
    results.made_by = {"answer": ["../study/results/published.csv"]}
    with pytest.raises(SystemExit):
        results.article(monkeypatch)
    assert "outside the working folder" in capsys.readouterr().err


def bare(text):
    """A template without what may hold digits: comments, lengths, years, and what the papers number."""
    patterns = (
        r"//.*",  # comments
        r'"(?:[^"\\\n]|\\.)*\.(?:typ|csv|json|yml)"',  # names of files
        r"\b(?:19|20)\d\d\b",  # years
        r"\((?:13|2[4-6]|3[0-2])\)",  # equations of the papers
        r"\b(?:section|Corollary|Theorem|equation) \d+\b",
        r'"[AB]\.[\w.]+"',  # ids of claims
        r'"figure\d"',  # sweeps
    )
    for pattern in patterns:
        text = re.sub(pattern, "", text)
    return text


def test_no_number_is_typed_into_the_text():
    """Lengths stand where it is laid out, arithmetic where numbers are read; formulas have their ones and twos."""
    text = bare((ROOT / "workflow/article/article.typ").read_text(encoding="utf-8"))
    text = re.sub(r"\$[^$]*\$", lambda formula: re.sub(r"\b[012]\b", "", formula[0]), text)
    text = re.sub(r"\b(?:digits|width): \d+%?|calc\.pow\(2\.0,|> 0 |\.len\(\) == 2 ", "", text)
    assert not re.findall(r".*\d.*", text)
    notation = bare((ROOT / "workflow/article/notation.typ").read_text(encoding="utf-8"))
    assert set(re.findall(r"\d+", notation)) <= {"1", "2", "10"}  # P_10 and R_10 are names
    for name in ("values.typ", "layout.typ"):
        code = bare((ROOT / f"workflow/article/{name}").read_text(encoding="utf-8"))
        code = re.sub(r'regex\("[^"]*"\)|"0"|"a4"|numbering: "[\d.]+"|"#[0-9a-f]{6}"', "", code)
        assert not [text for text in re.findall(r'"[^"\n]*"', code) if re.search(r"\d", text)], name


def test_the_stage_names_all_of_the_template():
    names = {path.relative_to(ROOT).as_posix() for path in (ROOT / "workflow/article").iterdir()}
    assert set(stages._TEMPLATE) == names
