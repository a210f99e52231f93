"""The page of a risk profile without a browser: its numbers are those of the package."""

import json
import re

import pytest

from disclosure.beliefs import profiles
from disclosure.beliefs.profiles import PUBLISHED, RiskProfile
from disclosure.mechanisms.neighbours import RELATIONS
from disclosure.pages.profile import page


def numbers(text, name):
    return [float(value) for value in re.findall(rf'<data value="([^"]*)" data-name="{name}"', text)]


@pytest.mark.parametrize("relation", RELATIONS)
def test_answers_are_those_of_the_package(relation):
    text = page(PUBLISHED, relation, [800.0, 0.4])
    least = profiles.epsilon_for_any_prior(PUBLISHED, relation)
    known = profiles.epsilon_for(PUBLISHED, [800.0, 0.4], relation)
    at_knots = profiles.epsilon_for(PUBLISHED, [0.1, 1, 2.5], relation)
    expected = [*at_knots.epsilon, *known.epsilon, least.epsilon]
    assert numbers(text, "epsilon") == pytest.approx(expected, rel=1e-15)
    assert f'<span id="least"><data value="{least.epsilon}">' in text
    assert relation in text
    assert ("e<sup>2ε</sup>" in text) == (relation == "add/remove-one")


def test_the_rounded_epsilon_is_rounded_down():
    assert '<span id="rounded"><data value="0.34">' in page(PUBLISHED)


def test_the_script_starts_from_the_profile():
    profile = RiskProfile([[0.5, 3], [2, 1.5]], scale="log")
    start = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page(profile))[1])
    assert (start["knots"], start["scale"], start["factors"]) == ([[0.5, 3.0], [2.0, 1.5]], "log", 2)


@pytest.mark.parametrize("knots", [[[0, 10], [1, 2]], [[1, 1]], [[1e-308, 5], [1e308, 1e308]], [[0, 3]]])
def test_extreme_profiles_have_pages(knots):
    text = page(RiskProfile(knots))
    assert not re.search(r"\bnan\b|\binf\b", re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL))
    assert text.count('role="slider"') == len(knots)


def test_the_same_profile_has_the_same_bytes():
    assert page(PUBLISHED) == page(PUBLISHED)
