"""Formats of files by their names."""

import pathlib

import pytest

from disclosure.numerics.errors import DomainError
from disclosure.plots import formats


def test_the_ending_of_a_name_is_the_format():
    assert [formats.format_of(f"folder.png/figure.{kind}") for kind in formats.FORMATS] == list(formats.FORMATS)
    assert formats.format_of(pathlib.Path("a.b.svg")) == "svg"
    assert formats.ENDINGS == ".pdf, .svg or .png"


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "svg", "figure.SVG"])
def test_other_endings_are_refused(name):
    with pytest.raises(DomainError, match=f"^{name}: a figure's name ends in .pdf, .svg or .png$"):
        formats.format_of(name)
