"""The alternative text of figures says what a reader sees in them."""

import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure

from disclosure.plots.alternative import alternative_text
from disclosure.plots.style import rendered

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def figure():
    figure = Figure()
    axis = figure.subplots()
    axis.plot([1, 2, 3, 4], [float("nan"), 0.5, 0.125, 0.25], label=r"$\bar{T}$ & <limit>")
    axis.errorbar([1, 2], [1e-5, 2e-5], yerr=[1e-6, 1e-6], label=r"$E[\rho]$ ($\pm$1 s.e.)")
    axis.plot([1, 4], [1, 1])
    axis.set_xlabel(r"privacy budget $\varepsilon$")
    axis.set_ylabel("probability")
    axis.annotate("here", (1, 1))
    figure.suptitle("$n = 1{,}000$\ntwo lines")
    return figure


def test_it_names_axes_curves_and_marks(figure):
    title, text = alternative_text(figure)
    assert title == "Probability over privacy budget epsilon"
    assert text == (
        "n = 1,000, two lines. T bar & <limit>: from 0.5 at 2 to 0.25 at 4, lowest 0.125 at 3. "
        "E[rho] (±1 s.e.): from 1e-05 at 1 to 2e-05 at 2. Marked: here."
    )


def test_a_panel_with_the_same_curves_is_not_told_twice(figure):
    first, second = Figure().subplots(1, 2)
    for axis in (first, second):
        axis.plot([1, 2, 3], [1, 2, 3], label="curve")
        axis.set_xlabel("x")
        axis.set_ylabel("y")
    second.set_title("linear axis")
    text = alternative_text(first.figure)[1]
    assert text.count("Curve: from 1 at 1 to 3 at 3.") == 1
    assert text.endswith("Another panel, linear axis: the same.")


def test_an_svg_is_one_image_for_a_screen_reader(figure):
    root = ET.fromstring(rendered(figure, "svg"))
    title, text = alternative_text(figure)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == title
    assert root.find(f"{SVG}desc").text == text
    assert root.get("aria-labelledby") == root.find(f"{SVG}title").get("id")
    assert root.get("aria-describedby") == root.find(f"{SVG}desc").get("id")


@pytest.mark.parametrize(("kind", "words"), [("pdf", b"/Title"), ("png", b"Title\0Probability over")])
def test_other_files_carry_it_too(figure, kind, words):
    assert words in rendered(figure, kind)
