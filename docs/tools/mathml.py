"""Formulas of Markdown pages, $...$ and $$...$$ as GitHub reads them, turned into MathML when the site is built."""

import re
import unicodedata
import xml.etree.ElementTree as ET

from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

__all__ = ["Formulas", "mathml"]

# As on GitHub: no space just inside the dollars, no letter or digit right after them.
_INLINE = r"(?<![\\$])\$(?![\s$])([^$]*[^$\s\\])\$(?![\w$])"
_DISPLAYED = r"(?<![\\$])\$\$([^$]+)\$\$"
# Above the escapes of Markdown (180), which would eat the backslashes of a formula; below `code` (190), which has none.
_PRIORITY = 185
# The converter takes a letter or a sign after \Big, not a command, and sets upright words as names of functions only.
_REWRITTEN = {
    r"\\([Bb]igg?)\s*\\langle": r"\\\1⟨",
    r"\\([Bb]igg?)\s*\\rangle": r"\\\1⟩",
    r"\\mathrm\b": r"\\operatorname",
}
# Browsers know no other value of `mathvariant` than `normal`: Unicode has these letters.
_ALPHABETS = {"double-struck": "DOUBLE-STRUCK", "script": "SCRIPT"}
_SCRIPTS = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
_THIN_SPACE = "0.1667em"  # as TeX sets it between a function and what it is of


def mathml(formula: str, display: str) -> ET.Element:
    """A formula in TeX as an element of MathML; ``display`` is ``inline`` or ``block``.

    Raises
    ------
    ValueError
        For a command of TeX that the converter does not know; it would stand in the page as it is.
    """
    for command, other in _REWRITTEN.items():
        formula = re.sub(command, other, formula)
    element = ET.fromstring(convert(formula, display=display))
    if unknown := re.search(r"\\[A-Za-z]+", "".join(element.itertext())):
        raise ValueError(f"{unknown[0]} cannot be shown as MathML; say it otherwise: {formula}")
    _improve(element)
    return element


class _Formula(InlineProcessor):
    def __init__(self, pattern: str, markdown: Markdown, display: str) -> None:
        super().__init__(pattern, markdown)
        self.display = display

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[ET.Element, int, int]:  # noqa: N802 - its name
        # What Markdown has read already stands behind marks, which `unescape` takes back.
        return mathml(self.unescape(m[1]), self.display), m.start(), m.end()


def _improve(element: ET.Element) -> None:
    """Mend what browsers do not show as TeX does: other alphabets, primes, spaces around bars and names of functions."""
    for part in element.iter():
        part.tag = part.tag.rpartition("}")[2]  # HTML wants names without a namespace
        part.text = AtomicString(part.text) if part.text else None  # Markdown is not to look for emphasis in it
        if (alphabet := part.attrib.pop("mathvariant", None)) in _ALPHABETS:
            part.text = AtomicString(unicodedata.lookup(_letter(_ALPHABETS[alphabet], part.text or "")))
        if part.tag == "mo" and part.text == "|":
            part.attrib.update(lspace="0", rspace="0")
    for part in element.iter():
        _lower_prime(part)
        children = list(part)
        for before, child, after in zip([None, *children], children, [*children[1:], None], strict=False):
            core = child[0] if child.tag in _SCRIPTS else child
            if core.tag in ("mi", "mo") and len(core.text or "") > 1 and (core.text or "").isalpha():
                core.tag = "mo"
                core.attrib.update(lspace=_space(before), rspace=_space(after))


def _lower_prime(script: ET.Element) -> None:
    """A prime is a raised sign by itself; as a superscript most fonts would raise it twice."""
    if script.tag in ("msup", "msubsup") and re.fullmatch("[′″]", "".join(script[-1].itertext())):
        *base, prime = script
        sign = ET.Element("mo", lspace="0", rspace="0")
        sign.text = AtomicString("".join(prime.itertext()))
        if script.tag == "msubsup":
            indexed = ET.Element("msub")
            indexed.extend(base)
            base = [indexed]
        script.clear()
        script.tag = "mrow"
        script.extend([*base, sign])


def _letter(alphabet: str, letter: str) -> str:
    """The name of a letter in Unicode, which has some of each alphabet apart from the others."""
    name = f"{alphabet} CAPITAL {letter}"
    try:
        unicodedata.lookup(name)
    except KeyError:
        name = f"MATHEMATICAL {name}"
    return name


def _space(neighbour: ET.Element | None) -> str:
    """Space between the name of a function and its neighbour: none beside a sign, such as an opening bracket."""
    sign = neighbour is None or (neighbour.tag == "mo" and neighbour.text != "|")
    return "0" if sign else _THIN_SPACE


class Formulas(Extension):
    """Extension of Python-Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's name
        md.inlinePatterns.register(_Formula(_DISPLAYED, md, "block"), "displayed_formula", _PRIORITY + 1)
        md.inlinePatterns.register(_Formula(_INLINE, md, "inline"), "inline_formula", _PRIORITY)
