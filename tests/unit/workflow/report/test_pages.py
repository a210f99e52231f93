"""What pages of the report are made of."""

import pytest

from disclosure.workflow.report import pages


@pytest.mark.parametrize(
    ("plain", "printed"),
    [
        ("T_bar / F_bar at delta = 10^-1.1", "T̄ / F̄ at δ = 10<sup>−1.1</sup>"),
        ("sqrt(F (1 - F)) / (N1 N2)", "√(F (1 − F)) / (N<sub>1</sub> N<sub>2</sub>)"),
        ("1.11e-19 is 2^-53 / 1000", "1.11·10<sup>−19</sup> is 2<sup>−53</sup> / 1000"),
        ("e^(2 x 0.805) = 5.0028 exceeds B = 5", "e<sup>2 × 0.805</sup> = 5.0028 exceeds B = 5"),
        ("8.52e-05 to 1e+03, -0.00139", "8.52·10<sup>−5</sup> to 10<sup>3</sup>, −0.00139"),
        ("a case-control study of 2n+1 people", "a case-control study of 2n+1 people"),
        ("<b>", "&lt;b&gt;"),
    ],
)
def test_formulas_are_typeset(plain, printed):
    assert pages.typeset(plain) == printed


def test_pages_ask_for_nothing():
    page = pages.page("title", "caption", [pages.table("table", ["a"], [["1"]])])
    for request in ("src=", "href=", "url(", "@import", "<script"):
        assert request not in page
