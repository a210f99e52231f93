"""Kinds of files by their names."""

import pathlib

import pytest

from disclosure.numerics.errors import DomainError
from disclosure.plots import kinds


def test_the_ending_of_a_name_is_the_kind():
    assert [kinds.kind_of(f"folder.png/figure.{kind}") for kind in kinds.KINDS] == list(kinds.KINDS)
    assert kinds.kind_of(pathlib.Path("a.b.svg")) == "svg"
    assert kinds.ENDINGS == ".pdf, .svg or .png"


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "svg", "figure.SVG"])
def test_other_endings_are_refused(name):
    with pytest.raises(DomainError, match=f"^{name}: a figure's name ends in .pdf, .svg or .png$"):
        kinds.kind_of(name)
