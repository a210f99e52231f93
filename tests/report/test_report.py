"""The report as a reader meets it: opened in a browser, every result shown, nothing missing, nobody asked for anything."""

import pathlib

import pytest

REPORT = pathlib.Path(__file__).resolve().parents[2] / "report.html"
LINK = "[...document.querySelectorAll('nav a')].find(link => link.textContent.trim() == {!r})"
SHOWN = """(() => {
  const box = element => element.getBoundingClientRect();
  return {
    title: document.title,
    caption: document.querySelector('p.caption')?.textContent ?? '',
    figures: [...document.querySelectorAll('svg')].map(svg => ({
      width: box(svg).width,
      drawn: [...svg.querySelectorAll('path, use')].filter(part => box(part).width > 0).length,
      words: [...svg.querySelectorAll('text')].map(text => text.textContent).join(' '),
    })),
    missing: [...document.images].filter(image => !image.naturalWidth).length,
    rows: [...document.querySelectorAll('tbody')].map(body => body.rows.length),
    header: [...document.querySelectorAll('thead th')].map(cell => cell.textContent),
    text: document.body.innerText,
  };
})()"""


@pytest.fixture(scope="module")
def report(opened):
    """The report in a browser."""
    assert REPORT.exists(), "there is no report.html; make report"
    opened.open(REPORT.as_uri())
    return opened


@pytest.fixture(scope="module")
def results(report):
    """What each result shows, by its name, opened one after the other as the menu has them."""
    return {pathlib.Path(path).stem: shown for path, shown in walk(report)}


def walk(report):
    categories = report.run("categories")
    for category in sorted(categories):
        for section in sorted(categories[category]):
            report.run("app.setView({navbarMode: 'menu'})")
            click(report, category)
            if len(categories[category]) > 1:
                click(report, section)
            count = len(categories[category][section])
            report.until(f"document.querySelectorAll('nav tbody tr').length == {count}")
            for place in range(count):
                yield show(report, place)


def click(report, label):
    report.until(f"Boolean({LINK.format(label)})")
    report.run(f"{LINK.format(label)}.click()")


def show(report, place):
    """Open the result at a place of the list."""
    report.run(f"document.querySelectorAll('nav tbody tr')[{place}].querySelector('a').click()")
    address = report.until("document.querySelector('iframe')?.src == app.state.contentPath && app.state.contentPath")
    report.wait(lambda: [url for _, url in report.frames()] == [address], "the result's frame")
    ((frame, _),) = report.frames()
    report.until("document.readyState == 'complete'", frame)
    return report.run("app.state.resultPath"), {**report.run(SHOWN, frame), "images": report.images(frame)}


def test_every_result_is_there_with_a_caption(report, results):
    assert {"claims", "provenance", "figure1", "figure2", "figure3", "odds_risk_profile", "case_control"} <= set(
        results
    )
    assert set(results) == {pathlib.Path(path).stem for path in report.run("Object.keys(results)")}
    for name, shown in results.items():
        assert len(shown["caption"]) > 100, name
        assert shown["title"], name
        assert shown["figures"] or shown["rows"], name
        assert min(shown["rows"], default=1) > 0, name
        assert shown["missing"] == 0, name


def test_every_figure_is_drawn_and_its_text_is_text(results):
    drawn = {name: shown["figures"] for name, shown in results.items() if shown["figures"]}
    assert {"figure1", "figure2", "figure3", "odds_risk_profile", "epsilon_by_prior_odds"} <= set(drawn)
    for name, figures in drawn.items():
        assert len(figures) == 1, name
        assert figures[0]["width"] > 300, name
        assert figures[0]["drawn"] > 10, name
        assert len(figures[0]["words"]) > 50, name


def test_every_figure_has_an_alternative_text(results):
    for name, shown in results.items():
        assert len(shown["images"]) == len(shown["figures"]), name
        for title, description in shown["images"]:
            assert " over " in title, name
            assert len(description) > 100, name


def test_claims_and_provenance_can_be_read(results):
    assert results["claims"]["header"] == ["section", "claim", "evidence", "verdict"]
    assert results["claims"]["rows"][0] > 40
    for words in ("seed", "numpy", "simulate", "figure1.sample", "commit"):
        assert words in results["provenance"]["text"], words


def test_the_other_pages_open(report):
    for label in ("Statistics", "About", "Workflow"):
        report.run("app.setView({navbarMode: 'menu'})")
        click(report, label)
    report.until("document.querySelectorAll('.prose a').length >= 4")
    report.run("document.querySelector('.prose a').click()")
    report.until("app.state.category == Object.keys(categories).sort()[0]")


@pytest.mark.usefixtures("results")
def test_nothing_went_wrong_and_nobody_was_asked(report):
    """Last in this file: what all the clicks before have caused."""
    assert report.complaints == []
    schemes = {address.partition(":")[0] for address in report.requests}
    assert schemes <= {"file", "data", "blob", "about"}
    assert REPORT.as_uri() in report.requests
