"""Formulas of the pages as elements of MathML."""

import pathlib
import runpy
import xml.etree.ElementTree as ET

import markdown
import pytest

MATHML = runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "docs/tools/mathml.py"))


def html(text):
    return markdown.markdown(text, extensions=[MATHML["Formulas"](), "tables"])


def shown(formula):
    return ET.tostring(MATHML["mathml"](formula, "inline"), encoding="unicode")


def test_inline_and_displayed_formulas():
    assert '<p>Let <math display="inline">' in html("Let $x_1$ be")
    assert 'display="block"' in html("$$x\n= y$$")
    assert html("$$x\n= y$$").count("<math") == 1


def test_markdown_is_not_looked_for_in_a_formula():
    made = html(r"$a_1 * b_2 * c_3$ and $\lbrace x < y \rbrace$ and $x <y$ and $z> w$")
    assert made.count("<math") == 4
    assert "<em>" not in made
    assert "&amp;" not in made


@pytest.mark.parametrize("text", ["costs $5 and $6", "`$x$`", r"\$x$", "    $x$", "$ x$", "$x $"])
def test_other_dollars_stay(text):
    assert "<math" not in html(text)
    assert "$" in html(text)


def test_a_formula_in_a_table_stays_in_its_cell():
    assert html("| a | b |\n|---|---|\n| $x_1$ | $y$ |").count("</math>\n</td>") == 2


@pytest.mark.parametrize("formula", [r"\nonsense{x}", r"x \unknown y"])
def test_what_cannot_be_shown_is_refused(formula):
    with pytest.raises(ValueError, match="cannot be shown as MathML"):
        MATHML["mathml"](formula, "inline")


@pytest.mark.parametrize(
    ("formula", "letter"), [(r"\mathbb R", "ℝ"), (r"\mathbb E", "𝔼"), (r"\mathcal A", "𝒜"), (r"\mathcal L", "ℒ")]
)
def test_letters_of_other_alphabets(formula, letter):
    assert f">{letter}<" in shown(formula)


def test_a_big_bracket_is_a_sign():
    assert "⟨" in shown(r"\Big\langle x \Big\rangle")


@pytest.mark.parametrize(
    ("formula", "spaces"),
    [
        (r"\log g", ("0", "0.1667em")),
        (r"\log(g)", ("0", "0")),
        (r"2 \log g", ("0.1667em", "0.1667em")),
        (r"= \log g", ("0", "0.1667em")),
        (r"\max_j c_j", ("0", "0.1667em")),
        (r"\mathrm{Var}(x)", ("0", "0")),
    ],
)
def test_space_around_the_name_of_a_function(formula, spaces):
    (name,) = [part for part in MATHML["mathml"](formula, "inline").iter() if len(part.text or "") > 1]
    assert (name.get("lspace"), name.get("rspace")) == spaces


def test_a_prime_is_raised_once():
    assert "<msup>" not in shown("h'")
    assert "<msub><mi>s</mi><mi>j</mi></msub><mo" in shown("s_j'")
    assert "<msup>" in shown("h^2")
