"""Risk profiles: every reading of the paper's, what they allow, and the search for the smallest epsilon."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from disclosure.beliefs import odds, profiles
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics.errors import DomainError
from disclosure.numerics.rounding import round_down
from tests.unit.beliefs.finite_mechanisms import (
    VALUES,
    added,
    concentrated,
    random_mechanism,
    removals,
    truncated_geometric,
)

# The profile of the paper's equation (13) is known only by the words around it. These fit them.
READINGS = {
    "linear from 0, then twice P10 up to 2.5": {"scale": "linear", "knots": [[0, 10], [1, 2], [2.5, 5]]},
    "10 up to 0.1, then linear": {"scale": "linear", "knots": [[0.1, 10], [1, 2], [2.5, 5]]},
    "linear from 0, then a ramp to 10": {"scale": "linear", "knots": [[0, 10], [1, 2], [10, 5]]},
    "10 up to 0.1, then a ramp to 10": {"scale": "linear", "knots": [[0.1, 10], [1, 2], [10, 5]]},
    "linear in log P10": {"scale": "log", "knots": [[0.1, 10], [1, 2], [10, 5]]},
}
DEFAULT = READINGS["10 up to 0.1, then linear"]


@st.composite
def risk_profiles(draw):
    places = sorted(draw(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=6, unique=True)))
    bounds = draw(st.lists(st.floats(1, 1e3), min_size=len(places), max_size=len(places)))
    scale = draw(st.sampled_from(["linear", "log"]))
    return profiles.RiskProfile(tuple(zip(places, bounds, strict=True)), scale)


@pytest.mark.parametrize("seed", range(40))
def test_bounded_privacy_needs_one_factor_only(seed):
    generator = np.random.default_rng(2000 + seed)
    datasets = list(itertools.combinations_with_replacement(VALUES, 3))
    bound = generator.uniform(1.05, 6)
    epsilon = float(profiles.epsilon_for(lambda _: bound, 1.0, REPLACE_ONE).epsilon)
    mechanism = random_mechanism(generator, epsilon, datasets, removals)
    others = list(itertools.combinations_with_replacement(VALUES, 2))
    weights = concentrated(generator, len(others))
    inside, outside = (
        sum(weight * mechanism[added(rest, value)] for weight, rest in zip(weights, others, strict=True))
        for value in (0, 1)
    )
    assert np.all(inside / outside <= bound * (1 + 1e-12))
    # Some mechanism gets there: with half of the exponent the bounded answer would promise too little.
    extreme = truncated_geometric(1, epsilon, 3) / truncated_geometric(0, epsilon, 3)
    assert extreme.max() == pytest.approx(bound, rel=1e-13)


def test_a_profile_from_plain_data_follows_the_default_reading():
    profile = profiles.RiskProfile.from_data(DEFAULT)
    for place in (0.0, 0.1, 0.5, 0.99, 1.0, 1.3, 2.0, 2.5, 3.0, 10.0, 799.0, 1e12):
        expected = 10 - 8 * max(place - 0.1, 0) / 0.9 if place <= 1 else 2 * place if place <= 2.5 else 5
        assert profile(place) == pytest.approx(expected, rel=1e-15)
    assert (profile.limit_at_zero, profile.limit_at_infinity) == (10, 5)
    assert (profile(0.0), profile(math.inf)) == (10, 5)
    assert (
        profile
        == profiles.RiskProfile(np.array(DEFAULT["knots"]))
        == profiles.RiskProfile.from_data({"knots": DEFAULT["knots"]})
    )


def test_a_profile_on_the_log_scale():
    profile = profiles.RiskProfile([[0.1, 10], [1, 2], [100, 6]], "log")
    assert profile([0.01, 10**-0.5, 10, 1e5]) == pytest.approx([10, 6, 4, 6])
    assert (profile(0.0), profile(math.inf)) == (10, 6)


@given(profile=risk_profiles(), place=st.floats(0, 1e9))
def test_a_profile_never_leaves_the_range_of_its_knots(profile, place):
    bounds = [bound for _, bound in profile.knots]
    assert min(bounds) <= profile(place) <= max(bounds)


def test_interpolation_that_rounds_does_not_undercut_a_knot():
    knots = [[0.5, 2.8], [0.8, 5.4], [3.4, 1.5]]
    place = math.nextafter(3.4, 0)
    assert np.interp(place, *np.transpose(knots)) < 1.5
    assert profiles.RiskProfile(knots)(place) == 1.5


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_of_the_missing_equation_gives_the_printed_numbers(reading):
    profile = profiles.RiskProfile.from_data(READINGS[reading])
    assert profile([1, 10]).tolist() == [2, 5]
    # The words have ten-fold at 0.1 as well, which a line from (0, 10) misses.
    assert (float(profile(0.1)) == 10) == (profile.knots[0][0] == 0.1)
    for place in (799, 800):
        answer = profiles.epsilon_for(profile, place)
        assert (float(answer.bound), round(float(answer.epsilon), 3)) == (5, 0.805)
    answer = profiles.epsilon_for(profile, 1)
    assert (float(answer.bound), round(float(answer.epsilon), 3)) == (2, 0.347)
    least = profiles.epsilon_for_any_prior(profile)
    assert (least.prior_odds_ratio, least.bound, round(least.epsilon, 3)) == (1, 2, 0.347)


def test_the_printed_roundings_break_the_profile():
    profile = profiles.RiskProfile.from_data(DEFAULT)

    def raised(epsilon, place):
        return odds.odds_ratio_bounds(epsilon, place).upper / place

    assert raised(0.35, 1.0) == pytest.approx(2.0138, abs=5e-5)
    assert raised(0.347, 1.0) > profile(1.0)
    assert raised(0.805, 799.0) > profile(799.0)
    for epsilon in (0.34, 0.30):
        assert raised(epsilon, 1.0) < profile(1.0)
    least = profiles.epsilon_for_any_prior(profile).epsilon
    assert [round_down(least, decimals) for decimals in (1, 2, 3)] == [0.3, 0.34, 0.346]


@given(profile=risk_profiles(), place=st.floats(1e-9, 1e9))
def test_the_allowed_epsilon_exhausts_the_profile_and_no_more(profile, place):
    answer = profiles.epsilon_for(profile, place)
    reached = odds.odds_ratio_bounds(answer.epsilon, place).upper
    assert reached == pytest.approx(float(profile(place)) * place, rel=1e-12)
    bounded = profiles.epsilon_for(profile, place, REPLACE_ONE)
    assert bounded.epsilon == pytest.approx(2 * answer.epsilon)
    assert (answer.relation, bounded.relation) == ("add/remove-one", "replace-one")


@given(profile=risk_profiles(), places=st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=30))
def test_the_smallest_epsilon_is_reached_and_nowhere_undercut(profile, places):
    least = profiles.epsilon_for_any_prior(profile)
    assert profiles.epsilon_for(profile, least.prior_odds_ratio).epsilon == pytest.approx(least.epsilon, rel=1e-12)
    assert np.all(profiles.epsilon_for(profile, places).epsilon >= least.epsilon)
    assert profiles.epsilon_for_any_prior(profile, REPLACE_ONE).epsilon == pytest.approx(2 * least.epsilon)
    assert profiles.epsilon_for_any_prior(profile, REPLACE_ONE).relation == "replace-one"


def plainly(profile):
    """The profile as a function of one float: linear between the two knots around it."""
    scale = math.log if profile.scale == "log" else float
    knots = [(scale(place), bound) for place, bound in profile.knots]

    def bound(place):
        at = scale(place)
        if at <= knots[0][0]:
            return knots[0][1]
        for (left, lower), (right, upper) in itertools.pairwise(knots):
            if at <= right:
                return upper if at == right else lower + (upper - lower) * ((at - left) / (right - left))
        return knots[-1][1]

    return bound


@settings(max_examples=15)
@given(profile=risk_profiles())
def test_the_search_finds_the_exact_smallest_of_a_piecewise_linear_profile(profile):
    places = np.array([place for place, _ in profile.knots])
    # Knots closer than the search can tell apart are its documented limit.
    assume(np.all(np.diff(np.log10(places)) > 4 / 64))
    searched = profiles.epsilon_for_any_prior(plainly(profile))
    exact = profiles.epsilon_for_any_prior(profile)
    assert searched.bound == pytest.approx(exact.bound, rel=1e-12)
    assert searched.epsilon >= exact.epsilon * (1 - 1e-15)


@pytest.mark.parametrize("place", [3.7e-7, 1.0, 799.0])
def test_the_search_finds_smooth_kinked_and_broken_minima(place):
    smooth = profiles.epsilon_for_any_prior(lambda p: 2 + math.log(p / place) ** 2)
    assert smooth.bound == pytest.approx(2, rel=1e-15)
    assert smooth.prior_odds_ratio == pytest.approx(place, rel=1e-7)
    kinked = profiles.epsilon_for_any_prior(lambda p: 2 + abs(math.log(p / place)))
    assert kinked.bound == pytest.approx(2, rel=1e-13)
    assert kinked.prior_odds_ratio == pytest.approx(place, rel=1e-13)
    broken = profiles.epsilon_for_any_prior(lambda p: 10 - 8 * p / place if p <= place else 7.0)
    assert broken.bound == pytest.approx(2, rel=1e-13)
    assert broken.prior_odds_ratio == pytest.approx(place, rel=1e-13)


@pytest.mark.parametrize("knots", [[[1.005, 3], [1.01, 2], [1.03, 4]], [[0.965, 4], [0.99, 2], [0.995, 3]]])
def test_the_search_looks_beyond_the_edge_of_a_flat_stretch(knots):
    profile = profiles.RiskProfile(knots)
    assert profiles.epsilon_for_any_prior(plainly(profile)).bound == pytest.approx(2, rel=1e-12)


def test_the_search_tells_when_the_smallest_is_at_an_end():
    assert profiles.epsilon_for_any_prior(lambda p: 2 + p / (1 + p)).prior_odds_ratio == 0
    assert profiles.epsilon_for_any_prior(lambda p: 3 - p**0.01 / (1 + p**0.01)).prior_odds_ratio == math.inf
    assert profiles.epsilon_for_any_prior(lambda p: 3.0).bound == 3
    assert profiles.epsilon_for_any_prior(lambda p: math.inf).epsilon == math.inf
    assert profiles.epsilon_for_any_prior(lambda p: 1.0).epsilon == 0


def test_a_limit_at_zero_can_be_the_smallest():
    least = profiles.epsilon_for_any_prior(profiles.RiskProfile([[0, 1.5], [1, 2]]))
    assert (least.prior_odds_ratio, least.bound) == (0, 1.5)
    assert least.epsilon == pytest.approx(0.2027325540540822, rel=1e-15)


def test_the_smallest_over_people_names_the_person():
    people = {
        "first": profiles.RiskProfile.from_data(DEFAULT),
        "second": lambda p: 1.5 + abs(math.log(p)),
        "third": profiles.RiskProfile([[1, 4]]),
    }
    least = profiles.epsilon_for_any_prior(people)
    assert (least.person, least.prior_odds_ratio, least.bound) == ("second", 1, 1.5)
    assert profiles.epsilon_for_any_prior(list(people.values())).person == 1
    assert profiles.epsilon_for_any_prior(people, REPLACE_ONE).epsilon == pytest.approx(math.log(1.5))
    assert profiles.epsilon_for_any_prior(people["first"]).person is None


def test_epsilon_for_a_callable_keeps_the_shape():
    places = np.array([[0.5, 1.0], [2.0, 4.0]])
    answer = profiles.epsilon_for(lambda p: 1 + p, places)
    assert answer.epsilon == pytest.approx(np.log1p(places) / 2)
    assert np.array_equal(answer.prior_odds_ratio, places)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: profiles.RiskProfile([[0, 10], [1, 0.5]]), r"B\(P10 = 1.0\) = 0.5 is outside \[1, inf\)"),
        (lambda: profiles.RiskProfile([[0, math.nan]]), r"B\(P10 = 0.0\) = nan"),
        (lambda: profiles.RiskProfile([[0, math.inf]]), r"B\(P10 = 0.0\) = inf"),
        (lambda: profiles.RiskProfile([[0, "many"]]), r"B\(P10 = 0.0\) = 'many' is not numeric"),
        (lambda: profiles.RiskProfile([[math.nan, 2]]), "P10 of a knot = nan"),
        (lambda: profiles.RiskProfile([[-1, 2]]), "P10 of a knot = -1.0"),
        (lambda: profiles.RiskProfile([[0, 2]], "log"), "P10 of a knot = 0.0.*log scale"),
        (lambda: profiles.RiskProfile([[2, 2], [1, 2]]), "out of order: P10 = 1.0 after 2.0"),
        (lambda: profiles.RiskProfile([[1, 2], [1, 3]]), "repeat P10 = 1.0"),
        (lambda: profiles.RiskProfile([]), "empty"),
        (lambda: profiles.RiskProfile([[1, 2, 3]]), r"knot \[1, 2, 3\] is not a pair"),
        (lambda: profiles.RiskProfile([[1, [2]]]), r"knot \[1, \[2\]\] is not a pair"),
        (lambda: profiles.RiskProfile([4, 5]), "knot 4 is not a pair"),
        (lambda: profiles.RiskProfile("12"), "knots = '12' is not a list"),
        (lambda: profiles.RiskProfile(None), "knots = None is not a list"),
        (lambda: profiles.RiskProfile([[1, 2]], "cubic"), "scale = 'cubic'"),
        (lambda: profiles.RiskProfile.from_data({"knots": [[1, 2]], "slope": 2}), "unknown key 'slope'"),
        (lambda: profiles.RiskProfile.from_data({"scale": "log"}), "no knots"),
        (lambda: profiles.RiskProfile.from_data([[1, 2]]), "not a mapping"),
        (lambda: profiles.RiskProfile([[1, 2]])(math.nan), "prior_odds_ratio = nan"),
        (lambda: profiles.epsilon_for(profiles.RiskProfile([[1, 2]]), [1, 0]), "prior_odds_ratio = 0.0"),
        (lambda: profiles.epsilon_for(profiles.RiskProfile([[1, 2]]), math.nan), "prior_odds_ratio = nan"),
        (lambda: profiles.epsilon_for(lambda p: 3 - p, [1, 4]), r"B\(P10 = 4.0\) = -1.0"),
        (lambda: profiles.epsilon_for(lambda p: math.nan, 4), r"B\(P10 = 4.0\) = nan"),
        (
            lambda: profiles.epsilon_for_any_prior(lambda p: 0.9 + abs(math.log(p / 3.3))),
            r"B\(P10 = 3\.\d*\) = 0\.9\d* is outside",
        ),
        (lambda: profiles.epsilon_for_any_prior({"she": lambda p: 0.0}), r"B\(P10 = .*\) of she = 0.0"),
        (lambda: profiles.epsilon_for_any_prior(lambda p: 1 + p**20), r"B\(P10 = .*\) can't be evaluated"),
        (lambda: profiles.epsilon_for(lambda p: [2.0, 3.0], 4), r"B\(P10 = 4.0\) has shape \(2,\)"),
        (lambda: profiles.epsilon_for(lambda p: "2", 4), r"B\(P10 = 4.0\) = '2' is not numeric"),
        (lambda: profiles.epsilon_for_any_prior(lambda p: None), r"B\(P10 = .*\) = None is not numeric"),
        (lambda: profiles.epsilon_for_any_prior({}), "empty"),
        (lambda: profiles.epsilon_for_any_prior([]), "empty"),
    ],
)
def test_refusals_name_the_value(refused, message):
    with pytest.raises(DomainError, match=message):
        refused()


def test_misuse_that_no_value_explains():
    with pytest.raises(TypeError, match="neither"):
        profiles.epsilon_for(3.0, 1.0)
    with pytest.raises(TypeError, match="neither"):
        profiles.epsilon_for_any_prior(3.0)
