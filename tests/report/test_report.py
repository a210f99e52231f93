"""The report as a reader meets it: opened in a browser, every result shown, nothing missing, nobody asked for anything."""

import os
import pathlib
import re

import pytest
import yaml

REPORT = pathlib.Path(__file__).resolve().parents[2] / "report.html"
# Sweeps that .ci/run makes with other parameters than the published ones.
QUICK = yaml.safe_load((REPORT.parent / ".ci/report.yaml").read_text(encoding="utf-8"))
OTHERS = [name for group in QUICK.values() for name, entry in group.items() if entry]
LINK = "[...document.querySelectorAll('nav a')].find(link => link.textContent.trim() == {!r})"
SHOWN = """(() => {
  const side = element => getComputedStyle(element).textAlign;
  const box = element => element.getBoundingClientRect();
  return {
    title: document.title,
    caption: document.querySelector('.caption')?.textContent ?? '',
    finding: document.querySelector('p.finding')?.textContent ?? '',
    figures: [...document.querySelectorAll('svg')].map(svg => ({
      width: box(svg).width,
      drawn: [...svg.querySelectorAll('path, use')].filter(part => box(part).width > 0).length,
      words: [...svg.querySelectorAll('text')].map(text => text.textContent).join(' '),
    })),
    missing: [...document.images].filter(image => !image.naturalWidth).length,
    rows: [...document.querySelectorAll('tbody')].map(body => body.rows.length),
    headers: [...document.querySelectorAll('thead tr')].map(row => [...row.cells].map(cell => cell.textContent)),
    aligned: [...document.querySelectorAll('tbody tr:first-child td')].every(cell =>
      side(cell) == side(cell.closest('table').tHead.rows[0].cells[cell.cellIndex])),
    numbers: [...document.querySelectorAll('td')].filter(cell => side(cell) == 'right').length,
    wide: [...document.querySelectorAll('.scroll')].filter(box => box.scrollWidth > box.clientWidth).length,
    outside: document.documentElement.scrollWidth - innerWidth,
    text: document.body.innerText,
  };
})()"""
FRONT = """[...document.querySelectorAll('.prose main.result')].map(part => ({
  link: part.querySelector('h1 a').href,
  finding: part.querySelector('p.finding')?.textContent ?? '',
  caption: part.querySelector('.caption').textContent,
  figures: [...part.querySelectorAll('svg')].map(svg => svg.getBoundingClientRect().width),
}))"""


@pytest.fixture(scope="module")
def report(opened):
    """The report in a browser."""
    assert REPORT.exists(), "there is no report.html; make report"
    opened.open(REPORT.as_uri())
    opened.resize()
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
    assert results["claims"]["headers"][-1] == ["section", "claim", "evidence", "verdict"]
    assert results["claims"]["rows"][-1] > 40
    assert results["claims"]["text"].lower().count("not run with") <= 2
    for words in ("seed", "numpy", "simulate", "figure1.sample", "commit"):
        assert words in results["provenance"]["text"], words


def test_a_wide_table_scrolls_in_its_box_and_numbers_stand_below_their_names(results):
    for name, shown in results.items():
        assert shown["outside"] <= 0, name
        assert shown["aligned"], name
    assert results["figure1"]["wide"] == 1
    assert results["figure1"]["numbers"] > 100


def test_the_papers_facts_stand_beside_their_own_parameters_only(results):
    assert "0.007%" in results["figure3"]["finding"]
    for name in set(OTHERS) & set(results):
        neutral = results[name]["title"].endswith(f": {name}")
        assert neutral == (results[name]["finding"] == ""), name
        assert neutral or "CI" not in os.environ, name
        assert not neutral or "of magnitude" not in results[name]["text"], name
        assert re.search(r"\nFrom . = ", results[name]["text"]), name


def test_the_front_page_has_every_finding_and_figure(report, results):
    front(report)
    parts = report.run(FRONT)
    assert len(parts) == len(results)
    shown = {part["link"].partition("results/report/")[2].partition(".html")[0]: part for part in parts}
    assert set(shown) == set(results)
    for name, part in shown.items():
        assert part["finding"] == results[name]["finding"], name
        assert part["caption"] == results[name]["caption"], name
        assert len(part["figures"]) == len(results[name]["figures"]), name
        assert min(part["figures"], default=700) > 600, name
    assert report.run("document.querySelector('.prose').getBoundingClientRect().top") >= 0
    ids = report.run("[...document.querySelectorAll('.prose svg')].map(svg => svg.getAttribute('aria-labelledby'))")
    assert len(set(ids)) == len(ids)


def test_a_heading_of_the_front_page_opens_its_result(report):
    front(report)
    heading = report.run("document.querySelector('.prose main.result h1 a').textContent")
    report.run("document.querySelector('.prose main.result h1 a').click()")
    report.until(
        "Boolean(document.querySelector('iframe')) && document.querySelector('iframe').src == app.state.contentPath"
    )
    ((frame, _),) = report.wait(report.frames, "the result's frame")
    assert report.until("document.querySelector('h1')?.textContent", frame) == heading


def test_a_narrow_screen_shows_the_front_page_and_a_result(report):
    front(report)
    report.resize(420, 800)
    assert report.run("document.documentElement.scrollWidth") <= 420
    assert report.run("document.querySelector('.prose main.result').getBoundingClientRect().width") > 350
    report.run("document.querySelector('.prose main.result h1 a').click()")
    assert report.until("document.querySelector('iframe')?.getBoundingClientRect().width") > 380
    report.resize()


def front(report):
    report.run("app.setView({navbarMode: 'menu', content: 'rulegraph'})")
    report.until("Boolean(document.querySelector('.prose main.result'))")


def test_the_other_pages_open(report):
    for label in ("Statistics", "About", "Workflow"):
        report.run("app.setView({navbarMode: 'menu'})")
        click(report, label)
    report.until("Boolean(document.querySelector('.prose main.result'))")


@pytest.mark.usefixtures("results")
def test_nothing_went_wrong_and_nobody_was_asked(report):
    """Last in this file: what all the clicks before have caused."""
    assert report.complaints == []
    schemes = {address.partition(":")[0] for address in report.requests}
    assert schemes <= {"file", "data", "blob", "about"}
    assert REPORT.as_uri() in report.requests
