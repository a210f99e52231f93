"""The article of a run of the workflow that is not the papers': it says what it has and judges nothing."""

import io

import pypdf


def test_the_article_of_another_study_is_made_and_true(reference):
    article = reference.files()["results/article.pdf"]
    reader = pypdf.PdfReader(io.BytesIO(article))
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split())
    assert "The first figure (Figure 1) has" in text
    assert "6 datasets are drawn at each point and 1000 releases of each." in text
    assert "This run leaves the paper’s second figure out." in text
    assert "at every 𝜀 is not decided by this run" in text
    assert "Smaller 𝛿. This run does not compute it." in text
    assert "this run has one of them" in text
    # Of paper A only what no study decides has a verdict.
    assert "The observed failure rate is several orders of magnitude below the upper limit. This is not decided" in text
    assert {name: content for name, (content,) in reader.attachments.items()}.items() <= reference.files().items()
