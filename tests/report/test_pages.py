"""Pages of the report opened by themselves, on the screen of a phone."""

import pathlib

import pytest

PAGES = pathlib.Path(__file__).resolve().parents[2] / "results/report"
SHOWN = """({
  width: innerWidth,
  whole: document.documentElement.scrollWidth,
  title: document.querySelector('h1').getBoundingClientRect().width,
  boxes: [...document.querySelectorAll('.scroll, figure')].map(box => [box.scrollWidth > box.clientWidth, box.clientWidth]),
})"""


@pytest.mark.parametrize("name", ["figure1", "study_design", "claims", "provenance", "case_control"])
def test_a_page_by_itself_fits_a_narrow_screen(opened, name):
    assert (PAGES / f"{name}.html").exists(), "there is no such page; make report"
    opened.open((PAGES / f"{name}.html").as_uri())
    opened.resize(420, 800)
    shown = opened.run(SHOWN)
    # A phone lays a page without a viewport out for a wide screen, and shrinks one that sticks out.
    assert shown["width"] == shown["whole"] == 420
    assert shown["title"] > 350
    assert all(350 < width < 420 for _, width in shown["boxes"])
    scrolling = [scrolls for scrolls, _ in shown["boxes"]]
    if name == "provenance":
        assert not scrolling[0]  # hashes are broken into lines
    if name in ("figure1", "study_design", "claims"):
        assert scrolling[-1]
