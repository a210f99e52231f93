"""The page of a risk profile, in a browser: its script answers as the package does, whatever the knots are dragged to."""

import json

import numpy as np
import pytest

from disclosure.beliefs import odds, profiles
from disclosure.beliefs.profiles import PUBLISHED, RiskProfile
from disclosure.numerics import rounding
from tests.commands import main
from tests.report.test_release_page import PHONE, press

PLACES = [*np.geomspace(1e-4, 1e4, 61).tolist(), 0.1, 1.0, 2.5, 2.0, 800.0]
PROFILES = {
    "published": {"scale": "linear", "knots": [list(knot) for knot in PUBLISHED.knots]},
    "log": {"scale": "log", "knots": [[0.01, 20], [0.7, 1.7], [3, 1.2], [1000, 7]]},
    "limit": {"scale": "linear", "knots": [[0, 4], [5, 1]]},
}


@pytest.fixture
def shown(opened, tmp_path):
    """Opens the page of a profile, which neither complains nor asks for anything until the test ends."""
    addresses = []

    def show(name="published", *options):
        path = tmp_path / f"{name}.html"
        main(["epsilon", "--profile", json.dumps(PROFILES[name]), "--page", str(path), *options])
        addresses.append(path.as_uri())
        opened.open(path.as_uri())
        opened.resize(1280)
        return opened

    opened.requests.clear()
    opened.complaints.clear()
    yield show
    assert not opened.complaints
    assert not [url for url in opened.requests if url not in addresses and not url.startswith("data:")]


def check(page, scale, relation):
    """The script and the page say what the package says of the knots that the page has now."""
    profile = RiskProfile(page.run("window.profile.knots"), scale)
    expected = profiles.epsilon_for(profile, PLACES, relation)
    assert page.run(f"{PLACES}.map(window.profile.bound)") == pytest.approx(expected.bound.tolist(), rel=1e-14)
    assert page.run(f"{PLACES}.map(window.profile.epsilon)") == pytest.approx(expected.epsilon.tolist(), rel=1e-13)
    least = profiles.epsilon_for_any_prior(profile, relation)
    number = "Number(document.querySelector('#{} data').value)".format
    assert page.run(number("least")) == pytest.approx(least.epsilon, rel=1e-14)
    assert page.run(number("rounded")) == rounding.round_down(page.run(number("least")), 2)
    assert page.run(number("strictest")) == least.prior_odds_ratio
    text = page.run("document.querySelector('#yaml').textContent")
    assert f"scale: {scale}" in text
    assert json.loads(text.partition("knots: ")[2]) == [list(knot) for knot in profile.knots]
    return profile


def drag(page, index, right, down):
    """Drag a knot by so many pixels of the screen."""
    page.run("document.querySelector('#picture').scrollIntoView({block: 'center'})")
    box = f"(() => {{ const r = document.querySelectorAll('.knot')[{index}].getBoundingClientRect();"
    x, y = page.run(f"{box} return [r.left + r.width / 2, r.top + r.height / 2] }})()")
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    page.ask("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **mouse)
    for share in (0.5, 1.0):
        page.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x + share * right, y=y + share * down, **mouse)
    page.ask("Input.dispatchMouseEvent", type="mouseReleased", x=x + right, y=y + down, **mouse)


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize(("relation", "options"), [("add/remove-one", []), ("replace-one", ["--bounded"])])
def test_the_script_answers_as_the_package_does(shown, name, relation, options):
    page = shown(name, *options)
    profile = check(page, PROFILES[name]["scale"], relation)
    assert profile.knots == RiskProfile.from_data(PROFILES[name]).knots


def test_knots_are_dragged(shown):
    page = shown("published", "--prior-odds", "800", "1")
    curve = page.run("document.querySelector('#epsilons').getAttribute('points')")
    drag(page, 1, 30, -40)
    profile = check(page, "linear", "add/remove-one")
    (_, _), (place, bound), (_, _) = profile.knots
    assert place > 1
    assert bound > 2
    assert page.run("document.querySelector('#epsilons').getAttribute('points')") != curve
    rows = page.run(
        "[...document.querySelectorAll('#adversaries tbody tr')].map((row) => [...row.querySelectorAll('data')].map("
        "(cell) => Number(cell.value)))"
    )
    for ratio, factor, epsilon in rows:
        assert factor == pytest.approx(float(profile(ratio)), rel=1e-14)
        assert epsilon == pytest.approx(float(profiles.epsilon_for(profile, ratio).epsilon), rel=1e-13)


@pytest.mark.parametrize(("index", "right", "down"), [(1, 2000, 0), (1, -2000, 0), (0, -2000, 2000), (2, 2000, -2000)])
def test_knots_stay_in_order_and_at_factors_of_1_or_more(shown, index, right, down):
    page = shown()
    drag(page, index, right, down)
    check(page, "linear", "add/remove-one")


def test_a_knot_at_0_stays_there(shown):
    page = shown("limit")
    drag(page, 0, 100, -20)
    profile = check(page, "linear", "add/remove-one")
    assert profile.knots[0][0] == 0
    assert profile.knots[0][1] > 4


def test_knots_move_by_keys(shown):
    page = shown()
    page.run("document.querySelectorAll('.knot')[1].focus()")
    press(page, "ArrowRight")
    assert page.run("window.profile.knots[1]") == [1.1, 2]
    press(page, "ArrowUp")
    assert page.run("window.profile.knots[1]") == [1.1, 2.1]
    said = page.run("document.activeElement.getAttribute('aria-valuetext')")
    assert said == "P10 1.1, B 2.1"
    check(page, "linear", "add/remove-one")


def test_odds_of_an_adversary_are_those_of_the_package(shown):
    page = shown()
    for q, q0 in ((0.5, 0.00125), (0.3, 0.3), (0.01, 0.9)):
        found = page.run(f"window.profile.odds({q}, {q0}, 0.34)")
        bounds = odds.odds_bounds(0.34, q, q0)
        assert found["ratio"] == pytest.approx(float(odds.prior_odds_ratio(q, q0)), rel=1e-14)
        assert [found["lower"], found["upper"]] == pytest.approx([float(bounds.lower), float(bounds.upper)], rel=1e-14)
    page.run("document.querySelector('#q').value = '2'; document.querySelector('#q').dispatchEvent(new Event('input'))")
    assert page.run("document.querySelector('#odds').hidden")


def test_print_and_a_phone_show_all_of_it(shown):
    page = shown()
    page.resize(PHONE)
    assert page.run("document.documentElement.scrollWidth") <= PHONE
    page.ask("Emulation.setEmulatedMedia", media="print")
    assert page.run("getComputedStyle(document.querySelector('#adversary')).display") == "none"
    page.ask("Emulation.setEmulatedMedia", media="")
