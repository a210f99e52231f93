"""The page of a release without a browser: what it says, that names are text, and that it asks for nothing."""

import dataclasses
import html.parser
import math
import re

import numpy as np
import pytest

from disclosure.pages.release import page
from disclosure.pages.shown import ValueRisk
from disclosure.pages.table import Mark
from tests.unit.pages.shown import NOISE, named, release
from tests.unit.people.tables import people

HOSTILE = "<script>alert(1)</script>\"'&{{ 7 * 7 }}"


class Parsed(html.parser.HTMLParser):
    """Tags, attributes, the text outside of scripts and styles, and the numbers."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.numbers, self.ids = [], [], "", [], []
        self._raw = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        self.ids += [value for name, value in attributes if name == "id"]
        self._raw += tag in ("script", "style")
        if tag == "data":
            self.numbers.append(dict(attributes)["value"])

    def handle_endtag(self, tag):
        self._raw -= tag in ("script", "style")

    def handle_data(self, data):
        self.text += "" if self._raw else data


def parsed(**options):
    return Parsed(page(release(**options)))


def test_the_page_states_what_is_asked_for():
    shown = release()
    found = Parsed(page(shown))
    text = " ".join(found.text.split())
    for sentence in shown.headline:
        assert sentence in text
    for part in (
        "What is released, and what is protected",
        "The people most exposed Confidential",
        "How it was computed",
    ):
        assert part in text
    assert "one more is not. That one is the person's, or that of any of the 3 people" in text
    numbers = set(found.numbers)
    for point in shown.points:
        for risk in point.risks:
            assert {str(risk.rise), str(risk.posterior), *(str(person.rise) for person in risk.exposed)} <= numbers


def test_the_page_opens_at_the_release():
    shown = release(found={(2.0, 1e-3): 1.75})
    text = " ".join(Parsed(page(shown)).text.split())
    rise = f"{shown.points[shown.chosen].risks[2].rise:.4g}"
    assert "With noise of 2 (this release), belief in anybody's presence rises by no more than" in text
    assert f"a factor {rise}, except with probability 1 in 1,000" in text
    assert "Some dataset comes to 1.75" in text


def test_names_are_text_and_nothing_else():
    found = Parsed(page(release(named(HOSTILE), sample=3)))
    assert found.tags.count("script") == 1
    assert f"mean of {HOSTILE}" in found.text
    assert "49" not in found.text.split(HOSTILE)[0]
    marks = [Mark(2.0, HOSTILE)]
    assert (
        Parsed(page(release(noise=NOISE._replace(marks=marks, promise=HOSTILE)))).tags
        == parsed(noise=NOISE._replace(marks=[Mark(2.0, "x")])).tags
    )


def test_the_page_names_no_address():
    text = page(release())
    assert not re.findall(r"(?:https?:)?//[a-z]|url\(|@import|<link(?! rel=\"icon\" href=\"data:,\")", text)
    assert "default-src 'none'" in text


def test_the_same_release_has_the_same_bytes():
    assert page(release()) == page(release())


def test_ids_are_there_once_and_labels_have_their_fields():
    found = parsed()
    assert len(found.ids) == len(set(found.ids))
    for name in ("for", "aria-labelledby"):
        for value in (value for key, value in found.attributes if key == name):
            assert set(value.split()) <= set(found.ids)


def test_values_stand_on_the_page_where_they_were_asked_about():
    value = ValueRisk("income >= <100>", 3, 7, 2.0, 1e-15, 1e-3, 0.25, math.inf)
    text = " ".join(parsed(values=[value]).text.split())
    assert "whether income >= <100> is true of a person" in text
    assert "with probability below 1e-12 at most" in text
    assert "1/4 and ∞, except with probability 0.001" in text
    assert "sensitive" not in parsed().text


@pytest.mark.parametrize(
    "options",
    [
        {"records": people([[3]] * 5), "sample": 3},
        {"noise": NOISE._replace(marks=[Mark(1e-3, "hardly any")])},
        {"query": "identity"},
        {"probabilities": (1e-300,)},
        {"probabilities": (0.5,)},
    ],
)
def test_extreme_releases_have_pages(options):
    text = parsed(**options).text
    assert not re.search(r"\bnan\b|\bNone\b|\bUndefined\b", text)


def test_the_page_says_who_is_covered_and_what_was_done_to_the_table():
    records = dataclasses.replace(
        people([[1], [2], [2], [3], [5], [6], [9]]), population=50, clipped=2, missing=1, rows=np.arange(7)
    )
    text = " ".join(parsed(records=records, rows=3).text.split())
    for sentence in (
        "The table is a sample of a population of 50 people; other candidates drawn from its rows with replacement.",
        "People with others are covered by the stated ranges alone.",
        "A person has up to 3 rows of the table, which are replaced together.",
        "1 row with missing values left out: nothing here is about them.",
        "2 values moved to the nearer end of their range; the release has to do the same.",
    ):
        assert sentence[1:] in text
    assert "replaced together" not in parsed().text


def test_large_numbers_have_no_exponent():
    text = parsed(noise=NOISE._replace(marks=[Mark(2.6214e9, "much")])).text
    assert "2.621 × 10⁹" in text
    assert not re.search(r"\de[+-]?\d", text)


def test_the_page_does_not_say_one_people():
    text = " ".join(parsed(sample=6).text.split())
    assert "or that of the one person left out" in text


def test_several_statistics_with_own_noise_are_told_as_multiples():
    shown = release(named("a", "b"), sample=3)
    first, second = shown.statistics
    other = dataclasses.replace(shown, statistics=(first, dataclasses.replace(second, sigma=5.0)))
    text = " ".join(Parsed(page(other)).text.split())
    assert "noise, times that of the release" in text
    assert "With noise of 1 times that of the release (this release)" in text
