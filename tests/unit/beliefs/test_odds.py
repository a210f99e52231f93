import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from disclosure.beliefs import odds
from disclosure.numerics.errors import DomainError
from disclosure.numerics.rounding import round_down

# The profile of the paper's equation (13) is known only by the words around it. These fit them.
READINGS = {
    "linear from 0, then twice P10 up to 2.5": {"scale": "linear", "knots": [[0, 10], [1, 2], [2.5, 5]]},
    "10 up to 0.1, then linear": {"scale": "linear", "knots": [[0.1, 10], [1, 2], [2.5, 5]]},
    "linear from 0, then a ramp to 10": {"scale": "linear", "knots": [[0, 10], [1, 2], [10, 5]]},
    "10 up to 0.1, then a ramp to 10": {"scale": "linear", "knots": [[0.1, 10], [1, 2], [10, 5]]},
    "linear in log P10": {"scale": "log", "knots": [[0.1, 10], [1, 2], [10, 5]]},
}
DEFAULT = READINGS["linear from 0, then twice P10 up to 2.5"]

probabilities = st.floats(1e-6, 1 - 1e-6)
epsilons = st.floats(0, 5)


@st.composite
def profiles(draw):
    places = sorted(draw(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=6, unique=True)))
    bounds = draw(st.lists(st.floats(1, 1e3), min_size=len(places), max_size=len(places)))
    scale = draw(st.sampled_from(["linear", "log"]))
    return odds.RiskProfile(tuple(zip(places, bounds, strict=True)), scale)


# --- small finite mechanisms, all of whose posteriors are enumerated -------------------------------------------------

VALUES = (0, 1, 2)
OTHERS = [others for size in range(3) for others in itertools.combinations_with_replacement(VALUES, size)]


def added(others, value):
    return tuple(sorted((*others, value)))


def removals(first, second):
    """How many records of the first dataset the second one lacks."""
    return sum((Counter(first) - Counter(second)).values())


def random_mechanism(generator, epsilon, datasets, distance, outputs=5):
    """Exponential mechanism with scores that change by at most 1 between neighbours, so that it is epsilon-DP."""
    distances = np.array([[distance(first, second) for second in datasets] for first in datasets])
    # The largest function below these values that changes by at most the distance.
    scores = (distances[:, :, None] + 4 * generator.random((len(datasets), outputs))).min(axis=1)
    weights = np.exp(epsilon / 2 * scores)
    return dict(zip(datasets, weights / weights.sum(axis=1, keepdims=True), strict=True))


def add_remove_mechanism(generator, epsilon):
    datasets = sorted({*OTHERS, *(added(others, value) for others in OTHERS for value in VALUES)})
    mechanism = random_mechanism(
        generator, epsilon, datasets, lambda first, second: removals(first, second) + removals(second, first)
    )
    steps = [np.abs(np.log(mechanism[others] / mechanism[added(others, v)])).max() for others in OTHERS for v in VALUES]
    assert max(steps) <= epsilon * (1 + 1e-12)
    return mechanism


def posteriors(mechanism, joint, inside):
    """P(value in S | each output) with and without the record, from the joint prior of others and value."""
    with_record = {(others, v): joint[others, v] * mechanism[added(others, v)] for others in OTHERS for v in VALUES}
    without = {(others, v): joint[others, v] * mechanism[others] for others in OTHERS for v in VALUES}
    return [
        sum(weight for (_, value), weight in table.items() if value in inside) / sum(table.values())
        for table in (with_record, without)
    ]


def concentrated(generator, size):
    """A prior that may lie nearly on one place, where bounds are put to the test."""
    return generator.dirichlet(np.full(size, generator.choice([0.05, 0.5, 5.0]))) * (1 - 1e-9) + 1e-9 / size


@pytest.mark.parametrize("seed", range(60))
def test_no_prior_breaks_the_bounds_of_posterior_to_posterior_risk(seed):
    generator = np.random.default_rng(seed)
    epsilon = generator.uniform(0.05, 2)
    mechanism = add_remove_mechanism(generator, epsilon)
    cells = [(others, value) for others in OTHERS for value in VALUES]
    joint = dict(zip(cells, concentrated(generator, len(cells)), strict=True))
    included, excluded = posteriors(mechanism, joint, inside={0, 2})
    bounds = odds.posterior_to_posterior_bounds(epsilon)
    assert np.all(bounds.lower <= included / excluded)
    assert np.all(included / excluded <= bounds.upper)


@pytest.mark.parametrize("seed", range(60))
def test_no_independent_prior_breaks_the_bounds_of_risks_and_odds(seed):
    generator = np.random.default_rng(1000 + seed)
    epsilon = generator.uniform(0.05, 2)
    mechanism = add_remove_mechanism(generator, epsilon)
    others_prior = dict(zip(OTHERS, concentrated(generator, len(OTHERS)), strict=True))
    value_prior = concentrated(generator, len(VALUES))
    inside = {0, 2}
    q, q0 = value_prior[[0, 2]].sum(), generator.uniform(0.01, 0.99)
    joint = {(others, value): others_prior[others] * value_prior[value] for others in OTHERS for value in VALUES}
    included, _ = posteriors(mechanism, joint, inside)
    excluded = np.full_like(included, q0)

    risks = odds.risks(included, excluded)
    bounds = odds.posterior_to_posterior_bounds(epsilon, q, q0)
    complement = odds.posterior_to_posterior_bounds(epsilon, 1 - q, 1 - q0)
    ratio = odds.odds_ratio_bounds(epsilon, odds.prior_odds_ratio(q, q0))
    person = odds.odds_bounds(epsilon, q, q0)
    slack = 1 + 1e-12
    for value, (low, high) in (
        (risks.r1, bounds[:2]),
        (risks.r0, complement[:2]),
        (risks.r10, ratio[:2]),
        (included / (1 - included), (person.lower, person.upper)),
    ):
        assert np.all(low <= value * slack)
        assert np.all(value <= high * slack)


def truncated_geometric(count, epsilon, reach):
    """Integers from -reach to reach; at the ends the mass changes by exactly e^epsilon for each step of the count."""
    a = math.exp(-epsilon)
    mass = (1 - a) / (1 + a) * a ** np.abs(np.arange(-reach, reach + 1) - count)
    mass[[0, -1]] /= 1 - a
    return mass


def test_a_release_reaches_the_bounds():
    # The count of 1s less the count of 0s: both records move it, in opposite directions.
    epsilon, q, q0 = 0.7, 0.2, 0.03
    inside, outside = truncated_geometric(1, epsilon, 4), truncated_geometric(-1, epsilon, 4)
    assert inside.sum() == pytest.approx(1, rel=1e-14)
    included = q * inside / (q * inside + (1 - q) * outside)
    risks = odds.risks(included, q0)
    ratio = odds.odds_ratio_bounds(epsilon, odds.prior_odds_ratio(q, q0))
    assert risks.r10[[0, -1]] == pytest.approx([ratio.lower, ratio.upper], rel=1e-13)
    bounds = odds.posterior_to_posterior_bounds(epsilon, q, q0)
    assert risks.r1[[0, -1]] == pytest.approx([bounds.lower, bounds.upper], rel=1e-13)
    # With q = q0 towards 0 the bound for every prior is approached, so it can't be smaller.
    q = 1e-9
    included = q * inside / (q * inside + (1 - q) * outside)
    everywhere = odds.posterior_to_posterior_bounds(epsilon)
    assert included[[0, -1]] / q == pytest.approx([everywhere.lower, everywhere.upper], rel=1e-8)


def test_a_dependent_prior_breaks_the_bound_that_rests_on_independence():
    # The others are many and alike when the value lies in S: the release tells the group, and by it the value.
    epsilon, q, group = 0.5, 0.5, 6
    inside, outside = truncated_geometric(group + 1, epsilon, 10), truncated_geometric(-group - 1, epsilon, 10)
    included = q * inside / (q * inside + (1 - q) * outside)
    assert odds.risks(included, q).r10.max() > 100 * odds.odds_ratio_bounds(epsilon, 1.0).upper


@pytest.mark.parametrize("seed", range(40))
def test_bounded_privacy_needs_one_factor_only(seed):
    generator = np.random.default_rng(2000 + seed)
    datasets = list(itertools.combinations_with_replacement(VALUES, 3))
    bound = generator.uniform(1.05, 6)
    epsilon = float(odds.bounded_epsilon_for(lambda _: bound, 1.0).epsilon)
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


# --- odds and risks ---------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(included=probabilities, excluded=probabilities)
def test_the_ratio_of_the_risks_is_an_odds_ratio(included, excluded):
    r1, r0, r10 = odds.risks(included, excluded)
    assert r1 == pytest.approx(included / excluded)
    assert r0 == pytest.approx((1 - included) / (1 - excluded))
    assert r10 == pytest.approx(included / (1 - included) / (excluded / (1 - excluded)), rel=1e-9)


def test_prior_odds_ratio_of_the_crohn_study():
    assert odds.prior_odds_ratio(0.5, 0.00125) == 799
    assert odds.prior_odds_ratio(0.5, 0.5) == 1
    assert odds.prior_odds_ratio([0.75, 0.5], [0.25, 0.75]) == pytest.approx([9, 1 / 3])


def test_bounds_without_noise_and_without_privacy():
    assert odds.odds_ratio_bounds(0.0, 799.0) == (799, 799, "add/remove-one")
    assert odds.odds_bounds(0.0, 0.5, 0.2) == (0.25, 1, 1, "add/remove-one")
    assert odds.posterior_to_posterior_bounds(0.0, 0.3, 0.1)[:2] == pytest.approx((3, 3))
    # No release does more than make the value certain.
    assert odds.posterior_to_posterior_bounds(1000.0, 0.3, 0.1)[:2] == (0, pytest.approx(10))
    assert odds.odds_ratio_bounds(1000.0, 2.0)[:2] == (0, math.inf)


@settings(deadline=None)
@given(epsilon=epsilons, q=probabilities)
def test_one_prior_for_both_worlds_needs_no_ratio(epsilon, q):
    bounds = odds.posterior_to_posterior_bounds(epsilon, q)
    assert bounds == odds.posterior_to_posterior_bounds(epsilon, q, q)
    everywhere = odds.posterior_to_posterior_bounds(epsilon)
    assert everywhere.lower <= bounds.lower * (1 + 1e-12)
    assert bounds.upper <= everywhere.upper * (1 + 1e-12)
    assert bounds.upper <= 1 / q * (1 + 1e-12)
    assert everywhere.relation == bounds.relation == "add/remove-one"


@settings(deadline=None)
@given(epsilon=epsilons, q=probabilities, q0=probabilities)
def test_odds_bounds_are_those_of_the_odds_ratio_times_the_odds_outside(epsilon, q, q0):
    bounds, ratio = odds.odds_bounds(epsilon, q, q0), odds.odds_ratio_bounds(epsilon, odds.prior_odds_ratio(q, q0))
    assert bounds.excluded == pytest.approx(q0 / (1 - q0))
    assert bounds.lower == pytest.approx(ratio.lower * bounds.excluded, rel=1e-9)
    assert bounds.upper == pytest.approx(ratio.upper * bounds.excluded, rel=1e-9)


# --- profiles ---------------------------------------------------------------------------------------------------------


def test_a_profile_from_plain_data_follows_the_default_reading():
    profile = odds.RiskProfile.from_data(DEFAULT)
    for place in (0.0, 0.1, 0.5, 0.99, 1.0, 1.3, 2.0, 2.5, 3.0, 10.0, 799.0, 1e12):
        expected = 10 - 8 * place if place <= 1 else 2 * place if place <= 2.5 else 5
        assert profile(place) == pytest.approx(expected, rel=1e-15)
    assert (profile.limit_at_zero, profile.limit_at_infinity) == (10, 5)
    assert (profile(0.0), profile(math.inf)) == (10, 5)
    assert (
        profile
        == odds.RiskProfile(np.array(DEFAULT["knots"]))
        == odds.RiskProfile.from_data({"knots": DEFAULT["knots"]})
    )


def test_a_profile_on_the_log_scale():
    profile = odds.RiskProfile([[0.1, 10], [1, 2], [100, 6]], "log")
    assert profile([0.01, 10**-0.5, 10, 1e5]) == pytest.approx([10, 6, 4, 6])
    assert (profile(0.0), profile(math.inf)) == (10, 6)


@settings(deadline=None)
@given(profile=profiles(), place=st.floats(0, 1e9))
def test_a_profile_never_leaves_the_range_of_its_knots(profile, place):
    bounds = [bound for _, bound in profile.knots]
    assert min(bounds) <= profile(place) <= max(bounds)


def test_interpolation_that_rounds_does_not_undercut_a_knot():
    knots = [[0.5, 2.8], [0.8, 5.4], [3.4, 1.5]]
    place = math.nextafter(3.4, 0)
    assert np.interp(place, *np.transpose(knots)) < 1.5
    assert odds.RiskProfile(knots)(place) == 1.5


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_of_the_missing_equation_gives_the_printed_numbers(reading):
    profile = odds.RiskProfile.from_data(READINGS[reading])
    assert profile([0.1, 1, 10])[1:].tolist() == [2, 5]
    for place in (799, 800):
        answer = odds.epsilon_for(profile, place)
        assert (float(answer.bound), round(float(answer.epsilon), 3)) == (5, 0.805)
    answer = odds.epsilon_for(profile, 1)
    assert (float(answer.bound), round(float(answer.epsilon), 3)) == (2, 0.347)
    least = odds.smallest_epsilon(profile)
    assert (least.prior_odds_ratio, least.bound, round(least.epsilon, 3)) == (1, 2, 0.347)


def test_the_printed_roundings_break_the_profile():
    profile = odds.RiskProfile.from_data(DEFAULT)

    def raised(epsilon, place):
        return odds.odds_ratio_bounds(epsilon, place).upper / place

    assert raised(0.35, 1.0) == pytest.approx(2.0138, abs=5e-5)
    assert raised(0.347, 1.0) > profile(1.0)
    assert raised(0.805, 799.0) > profile(799.0)
    for epsilon in (0.34, 0.30):
        assert raised(epsilon, 1.0) < profile(1.0)
    least = odds.smallest_epsilon(profile).epsilon
    assert [round_down(least, decimals) for decimals in (1, 2, 3)] == [0.3, 0.34, 0.346]


@settings(deadline=None)
@given(profile=profiles(), place=st.floats(1e-9, 1e9))
def test_the_allowed_epsilon_exhausts_the_profile_and_no_more(profile, place):
    answer = odds.epsilon_for(profile, place)
    reached = odds.odds_ratio_bounds(answer.epsilon, place).upper
    assert reached == pytest.approx(float(profile(place)) * place, rel=1e-12)
    bounded = odds.bounded_epsilon_for(profile, place)
    assert bounded.epsilon == pytest.approx(2 * answer.epsilon)
    assert (answer.relation, bounded.relation) == ("add/remove-one", "replace-one")


@settings(deadline=None)
@given(profile=profiles(), places=st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=30))
def test_the_smallest_epsilon_is_reached_and_nowhere_undercut(profile, places):
    least = odds.smallest_epsilon(profile)
    assert odds.epsilon_for(profile, least.prior_odds_ratio).epsilon == pytest.approx(least.epsilon, rel=1e-12)
    assert np.all(odds.epsilon_for(profile, places).epsilon >= least.epsilon)
    assert odds.bounded_smallest_epsilon(profile).epsilon == pytest.approx(2 * least.epsilon)
    assert odds.bounded_smallest_epsilon(profile).relation == "replace-one"


@settings(max_examples=25, deadline=None)
@given(profile=profiles())
def test_the_search_finds_the_exact_smallest_of_a_piecewise_linear_profile(profile):
    places = np.array([place for place, _ in profile.knots])
    # Knots closer than the search can tell apart are its documented limit.
    assume(np.all(np.diff(np.log10(places)) > 4 / 64))
    searched = odds.smallest_epsilon(lambda place: profile(place))
    exact = odds.smallest_epsilon(profile)
    assert searched.bound == pytest.approx(exact.bound, rel=1e-12)
    assert searched.epsilon >= exact.epsilon


@pytest.mark.parametrize("place", [3.7e-7, 0.034, 1.0, 2.0, 799.0, 5.4321e9])
def test_the_search_finds_smooth_kinked_and_broken_minima(place):
    smooth = odds.smallest_epsilon(lambda p: 2 + math.log(p / place) ** 2)
    assert smooth.bound == pytest.approx(2, rel=1e-15)
    assert smooth.prior_odds_ratio == pytest.approx(place, rel=1e-7)
    kinked = odds.smallest_epsilon(lambda p: 2 + abs(math.log(p / place)))
    assert kinked.bound == pytest.approx(2, rel=1e-13)
    assert kinked.prior_odds_ratio == pytest.approx(place, rel=1e-13)
    broken = odds.smallest_epsilon(lambda p: 10 - 8 * p / place if p <= place else 7.0)
    assert broken.bound == pytest.approx(2, rel=1e-13)
    assert broken.prior_odds_ratio == pytest.approx(place, rel=1e-13)


@pytest.mark.parametrize("knots", [[[1.005, 3], [1.01, 2], [1.03, 4]], [[0.965, 4], [0.99, 2], [0.995, 3]]])
def test_the_search_looks_beyond_the_edge_of_a_flat_stretch(knots):
    profile = odds.RiskProfile(knots)
    assert odds.smallest_epsilon(lambda place: profile(place)).bound == pytest.approx(2, rel=1e-12)


def test_the_search_tells_when_the_smallest_is_at_an_end():
    assert odds.smallest_epsilon(lambda p: 2 + p / (1 + p)).prior_odds_ratio == 0
    assert odds.smallest_epsilon(lambda p: 3 - p**0.01 / (1 + p**0.01)).prior_odds_ratio == math.inf
    assert odds.smallest_epsilon(lambda p: 3.0).bound == 3
    assert odds.smallest_epsilon(lambda p: math.inf).epsilon == math.inf
    assert odds.smallest_epsilon(lambda p: 1.0).epsilon == 0


def test_a_limit_at_zero_can_be_the_smallest():
    least = odds.smallest_epsilon(odds.RiskProfile([[0, 1.5], [1, 2]]))
    assert (least.prior_odds_ratio, least.bound) == (0, 1.5)
    assert least.epsilon == pytest.approx(0.2027325540540822, rel=1e-15)


def test_the_smallest_over_people_names_the_person():
    people = {
        "first": odds.RiskProfile.from_data(DEFAULT),
        "second": lambda p: 1.5 + abs(math.log(p)),
        "third": odds.RiskProfile([[1, 4]]),
    }
    least = odds.smallest_epsilon(people)
    assert (least.person, least.prior_odds_ratio, least.bound) == ("second", 1, 1.5)
    assert odds.smallest_epsilon(list(people.values())).person == 1
    assert odds.bounded_smallest_epsilon(people).epsilon == pytest.approx(math.log(1.5))
    assert odds.smallest_epsilon(people["first"]).person is None


def test_epsilon_for_a_callable_keeps_the_shape():
    places = np.array([[0.5, 1.0], [2.0, 4.0]])
    answer = odds.epsilon_for(lambda p: 1 + p, places)
    assert answer.epsilon == pytest.approx(np.log1p(places) / 2)
    assert np.array_equal(answer.prior_odds_ratio, places)


# --- the posterior-to-prior counterpart -------------------------------------------------------------------------------


@settings(deadline=None)
@given(prior=probabilities, epsilon=st.floats(1e-6, 8))
def test_posterior_to_prior_epsilon_inverts_the_upper_bound(prior, epsilon):
    ratio = 1 / (prior + (1 - prior) * math.exp(-epsilon))
    # How far a rounded ratio moves epsilon, times a few hundred.
    slack = 1e-13 * math.exp(epsilon) / (1 - prior) / epsilon
    answer = odds.posterior_to_prior_epsilon(prior, max(ratio, 1.0)).epsilon
    assert answer == pytest.approx(epsilon, rel=slack)


@settings(deadline=None)
@given(prior=probabilities, ratio=st.floats(1, 1e6))
def test_posterior_to_prior_epsilon_is_the_largest(prior, ratio):
    answer = odds.posterior_to_prior_epsilon(prior, ratio)
    assert answer.relation == "replace-one"
    if prior * ratio >= 1:
        assert answer.epsilon == math.inf
        return

    def reached(epsilon):
        return 1 / (prior + (1 - prior) * math.exp(-epsilon))

    assert reached(answer.epsilon) <= ratio * (1 + 1e-12)
    assert reached(answer.epsilon * 1.01 + 1e-9) > ratio


def test_posterior_to_prior_epsilon_at_its_edges():
    assert odds.posterior_to_prior_epsilon(0.3, 1.0).epsilon == 0
    assert odds.posterior_to_prior_epsilon([0.5, 0.1, 0.499], [2, 10, 2]).epsilon[:2].tolist() == [math.inf, math.inf]
    assert odds.posterior_to_prior_epsilon(1e-12, 3.0).epsilon == pytest.approx(math.log(3), rel=1e-11)
    assert odds.posterior_to_prior_epsilon(0.25, 1 + 1e-9).epsilon == pytest.approx(1e-9 / 0.75, rel=1e-6)
    near = odds.posterior_to_prior_epsilon(0.5, math.nextafter(2.0, 0.0)).epsilon
    assert 30 < near < 40
    by_profile = odds.posterior_to_prior_epsilon([0.1, 0.2], lambda p: 1 + 5 * p)
    assert by_profile.epsilon == pytest.approx(np.log([0.9 / (1 / 1.5 - 0.1), 0.8 / (1 / 2 - 0.2)]))


@pytest.mark.parametrize("seed", range(20))
def test_no_release_raises_the_inclusion_probability_above_the_tolerated_ratio(seed):
    generator = np.random.default_rng(3000 + seed)
    prior, ratio = generator.uniform(0.02, 0.4), generator.uniform(1.05, 2.2)
    epsilon = float(odds.posterior_to_prior_epsilon(prior, ratio).epsilon)
    candidates = [(value,) for value in range(6)]
    mechanism = random_mechanism(generator, epsilon, candidates, lambda first, second: float(first != second))
    priors = np.concatenate([[prior], (1 - prior) * generator.dirichlet(np.ones(5))])
    weighted = priors[:, None] * np.array([mechanism[candidate] for candidate in candidates])
    assert np.all(weighted[0] / weighted.sum(axis=0) / prior <= ratio * (1 + 1e-12))


# --- refusals ---------------------------------------------------------------------------------------------------------

NAN = math.nan


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: odds.RiskProfile([[0, 10], [1, 0.5]]), r"B\(P10 = 1.0\) = 0.5 is outside \[1, inf\)"),
        (lambda: odds.RiskProfile([[0, NAN]]), r"B\(P10 = 0.0\) = nan"),
        (lambda: odds.RiskProfile([[0, math.inf]]), r"B\(P10 = 0.0\) = inf"),
        (lambda: odds.RiskProfile([[0, "many"]]), r"B\(P10 = 0.0\) = 'many' is not numeric"),
        (lambda: odds.RiskProfile([[NAN, 2]]), "P10 of a knot = nan"),
        (lambda: odds.RiskProfile([[-1, 2]]), "P10 of a knot = -1.0"),
        (lambda: odds.RiskProfile([[0, 2]], "log"), "P10 of a knot = 0.0.*log scale"),
        (lambda: odds.RiskProfile([[2, 2], [1, 2]]), "out of order: P10 = 1.0 after 2.0"),
        (lambda: odds.RiskProfile([[1, 2], [1, 3]]), "repeat P10 = 1.0"),
        (lambda: odds.RiskProfile([]), "empty"),
        (lambda: odds.RiskProfile([[1, 2, 3]]), r"knot \[1, 2, 3\] is not a pair"),
        (lambda: odds.RiskProfile([[1, [2]]]), r"knot \[1, \[2\]\] is not a pair"),
        (lambda: odds.RiskProfile([4, 5]), "knot 4 is not a pair"),
        (lambda: odds.RiskProfile("12"), "knots = '12' is not a list"),
        (lambda: odds.RiskProfile(None), "knots = None is not a list"),
        (lambda: odds.RiskProfile([[1, 2]], "cubic"), "scale = 'cubic'"),
        (lambda: odds.RiskProfile.from_data({"knots": [[1, 2]], "slope": 2}), "unknown key 'slope'"),
        (lambda: odds.RiskProfile.from_data({"scale": "log"}), "no knots"),
        (lambda: odds.RiskProfile.from_data([[1, 2]]), "not a mapping"),
        (lambda: odds.RiskProfile([[1, 2]])(NAN), "prior_odds_ratio = nan"),
        (lambda: odds.epsilon_for(odds.RiskProfile([[1, 2]]), [1, 0]), "prior_odds_ratio = 0.0"),
        (lambda: odds.epsilon_for(odds.RiskProfile([[1, 2]]), NAN), "prior_odds_ratio = nan"),
        (lambda: odds.epsilon_for(lambda p: 3 - p, [1, 4]), r"B\(P10 = 4.0\) = -1.0"),
        (lambda: odds.epsilon_for(lambda p: NAN, 4), r"B\(P10 = 4.0\) = nan"),
        (
            lambda: odds.smallest_epsilon(lambda p: 0.9 + abs(math.log(p / 3.3))),
            r"B\(P10 = 3\.\d*\) = 0\.9\d* is outside",
        ),
        (lambda: odds.smallest_epsilon({"she": lambda p: 0.0}), r"B\(P10 = .*\) of she = 0.0"),
        (lambda: odds.smallest_epsilon(lambda p: 1 + p**20), r"B\(P10 = .*\) can't be evaluated"),
        (lambda: odds.epsilon_for(lambda p: [2.0, 3.0], 4), r"B\(P10 = 4.0\) has shape \(2,\)"),
        (lambda: odds.epsilon_for(lambda p: "2", 4), r"B\(P10 = 4.0\) = '2' is not numeric"),
        (lambda: odds.smallest_epsilon(lambda p: None), r"B\(P10 = .*\) = None is not numeric"),
        (
            lambda: odds.posterior_to_prior_epsilon([0.1, 0.2], lambda p: [2.0]),
            r"largest_ratio\(0.1\) has shape \(1,\)",
        ),
        (lambda: odds.posterior_to_prior_epsilon([0.1, 0.2], [2.0, 3.0, 4.0]), r"prior \(2,\), largest_ratio \(3,\)"),
        (lambda: odds.risks([0.1, 0.2], [0.1, 0.2, 0.3]), r"included \(2,\), excluded \(3,\)"),
        (lambda: odds.prior_odds_ratio([0.1, 0.2], [0.1, 0.2, 0.3]), r"q \(2,\), q0 \(3,\)"),
        (lambda: odds.odds_ratio_bounds([0.1, 0.2], [1, 2, 3]), r"epsilon \(2,\), prior_odds_ratio \(3,\)"),
        (lambda: odds.odds_bounds([0.1, 0.2], [0.1, 0.2, 0.3], 0.5), r"epsilon \(2,\), q \(3,\)"),
        (lambda: odds.posterior_to_posterior_bounds([0.1, 0.2], [0.1, 0.2, 0.3]), r"epsilon \(2,\), q \(3,\)"),
        (lambda: odds.smallest_epsilon({}), "empty"),
        (lambda: odds.smallest_epsilon([]), "empty"),
        (lambda: odds.prior_odds_ratio(0.5, 0.0), "q0 = 0.0"),
        (lambda: odds.prior_odds_ratio(1.0, 0.5), "q = 1.0"),
        (lambda: odds.risks(NAN, 0.5), "included = nan"),
        (lambda: odds.risks(0.5, 1.0), "excluded = 1.0"),
        (lambda: odds.odds_ratio_bounds(-0.1, 1.0), "epsilon = -0.1"),
        (lambda: odds.odds_ratio_bounds(0.1, math.inf), "prior_odds_ratio = inf"),
        (lambda: odds.odds_bounds(NAN, 0.5, 0.5), "epsilon = nan"),
        (lambda: odds.odds_bounds(0.1, 0.5, -0.5), "q0 = -0.5"),
        (lambda: odds.posterior_to_posterior_bounds(0.1, 0.0), "q = 0.0"),
        (lambda: odds.posterior_to_prior_epsilon(0.0, 2.0), "prior = 0.0"),
        (lambda: odds.posterior_to_prior_epsilon(0.5, 0.9), "largest_ratio = 0.9"),
    ],
)
def test_refusals_name_the_value(refused, message):
    with pytest.raises(DomainError, match=message):
        refused()


def test_misuse_that_no_value_explains():
    with pytest.raises(TypeError, match="q0 is given without q"):
        odds.posterior_to_posterior_bounds(0.1, q0=0.5)
    with pytest.raises(TypeError, match="neither"):
        odds.epsilon_for(3.0, 1.0)
    with pytest.raises(TypeError, match="neither"):
        odds.smallest_epsilon(3.0)
