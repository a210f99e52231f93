import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from disclosure.beliefs import case_control, profiles
from disclosure.mechanisms import laplace
from disclosure.numerics.errors import DomainError

CROHN = case_control.Study(participants=1095, prevalence=0.00125)
PROFILE = profiles.RiskProfile([[0.1, 10], [1, 2], [2.5, 5]])
BOTH = [case_control.odds_ratio_knowing_design, case_control.odds_ratio_knowing_others]

studies = st.integers(1, 2000).map(lambda half: 2 * half + 1)
epsilons = st.floats(1e-3, 5)


def enumerated_studies(half):
    """Every (probability, target's status, statuses of the others) of the design, with any of its people as target."""
    for last in (0, 1):
        statuses = [1] * half + [0] * half + [last]
        for target in range(len(statuses)):
            others = statuses[:target] + statuses[target + 1 :]
            yield Fraction(1, 2) / len(statuses), statuses[target], others


def enumerated_population(half, cases, controls):
    """P(status, in or out, cases in the study), over every study from a small population and every target in it."""
    people = [1] * cases + [0] * controls
    table = dict.fromkeys(itertools.product((0, 1), (0, 1), (half, half + 1)), Fraction(0))
    for extra in (0, 1):
        chosen_cases = list(itertools.combinations(range(cases), half + extra))
        chosen_controls = list(itertools.combinations(range(cases, cases + controls), half + 1 - extra))
        weight = Fraction(1, 2 * len(chosen_cases) * len(chosen_controls) * len(people))
        for study in itertools.product(chosen_cases, chosen_controls):
            members = {*study[0], *study[1]}
            for target, status in enumerate(people):
                table[status, int(target in members), half + extra] += weight
    return table


def finite_population(half, cases, controls):
    """The same table from the sampling fractions, for a population of any size."""
    total = cases + controls
    table = {}
    for count in (half, half + 1):
        drawn = {1: count, 0: 2 * half + 1 - count}
        for status, people in ((1, cases), (0, controls)):
            table[status, 1, count] = Fraction(drawn[status], 2 * total)
            table[status, 0, count] = Fraction(people - drawn[status], 2 * total)
    return table


def bayes(table, released, epsilon):
    """R10 after each release, from Bayes' rule and nothing else."""

    def weight(status, inside):
        return sum(
            float(probability) * np.exp(-epsilon * np.abs(released - count))
            for (s, i, count), probability in table.items()
            if (s, i) == (status, inside)
        )

    return weight(1, 1) / weight(0, 1) / (weight(1, 0) / weight(0, 0))


@pytest.mark.parametrize("half", [1, 2, 5])
def test_what_the_design_tells_agrees_with_enumeration(half):
    joint = {}
    for probability, status, others in enumerated_studies(half):
        joint[status, sum(others)] = joint.get((status, sum(others)), 0) + probability
    assert {cases for _, cases in joint} == {half - 1, half, half + 1}
    assert sum(probability for (status, _), probability in joint.items() if status) == Fraction(1, 2)
    for status in (0, 1):
        table = case_control.cases_among_others(2 * half + 1, status)
        assert table.cases.tolist() == [half - 1, half, half + 1]
        assert table.probability.tolist() == [
            float(2 * joint.get((status, cases), 0)) for cases in table.cases.tolist()
        ]
    for cases in (half - 1, half, half + 1):
        case, control = joint.get((1, cases), 0), joint.get((0, cases), 0)
        assert case_control.probability_of_case(2 * half + 1, cases) == float(case / (case + control))


def test_beliefs_about_the_others_depend_on_the_target():
    case, control = (case_control.cases_among_others(1095, status).probability for status in (1, 0))
    assert case.tolist() == control[::-1].tolist()
    assert abs(case - control).sum() / 2 == pytest.approx(547 / 1095)
    assert case_control.probability_of_case(1095, [546, 547, 548]).tolist() == [1, 0.5, 0]


def test_the_person_drawn_last_is_the_one_whom_the_design_protects():
    half = 4
    for last in (0, 1):
        statuses = [1] * half + [0] * half + [last]
        given_away = [
            float(case_control.probability_of_case(2 * half + 1, sum(statuses) - status)) != 0.5 for status in statuses
        ]
        assert given_away == [status != last for status in statuses]
        assert not given_away[-1]


def test_sampling_fractions_agree_with_enumeration():
    assert finite_population(1, 3, 4) == enumerated_population(1, 3, 4)
    assert finite_population(2, 4, 4) == enumerated_population(2, 4, 4)


@pytest.mark.parametrize("half", [1, 3, 547])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_knowing_the_design_is_the_limit_of_a_large_population(half, epsilon):
    released = half + np.linspace(-6, 7, 53)
    differences = []
    for cases in (10**6, 10**8):
        table = finite_population(half, cases, 4 * cases)
        q0 = float(
            (table[1, 0, half] + table[1, 0, half + 1]) / sum(table[s, 0, c] for s in (0, 1) for c in (half, half + 1))
        )
        closed = case_control.odds_ratio_knowing_design(released, 2 * half + 1, epsilon, q0)
        differences.append(np.abs(bayes(table, released, epsilon) / closed.odds_ratio - 1).max())
    # In a finite population a study with one more case has one less to offer outside: a difference of order 1/cases.
    assert differences[0] < 2e-6
    assert differences[1] < 2e-8


@pytest.mark.parametrize("participants", [3, 7, 1095])
def test_knowing_the_design_agrees_with_plain_mixtures(participants):
    half, epsilon, q0 = participants // 2, 0.34, 0.00125
    released = half + np.linspace(-20, 21, 401)

    def density(cases):
        return np.exp(laplace.log_density(released, cases, 1 / epsilon))

    case = ((half + 1) * density(half + 1) + half * density(half)) / participants
    control = (half * density(half + 1) + (half + 1) * density(half)) / participants
    answer = case_control.odds_ratio_knowing_design(released, participants, epsilon, q0)
    assert answer.update == pytest.approx(case / control, rel=1e-12)
    assert answer.odds_ratio == pytest.approx(799 * case / control, rel=1e-12)


@pytest.mark.parametrize("participants", [3, 7, 1095])
def test_knowing_the_others_agrees_with_plain_densities(participants):
    half, epsilon = participants // 2, 0.34
    released = half + np.linspace(-20, 21, 401)
    plain = np.exp(-epsilon * np.abs(released - half - 1)) / np.exp(-epsilon * np.abs(released - half))
    answer = case_control.odds_ratio_knowing_others(released, participants, epsilon, 0.5, others_cases=half)
    assert answer.update == pytest.approx(plain, rel=1e-12)
    assert np.array_equal(answer.odds_ratio, answer.update)


@settings(max_examples=30)
@given(
    participants=studies,
    epsilon=epsilons,
    released=st.lists(st.floats(-1e6, 1e6), min_size=5, max_size=5).map(np.array),
    q0=st.floats(1e-6, 1 - 1e-6),
)
def test_a_release_uses_at_most_half_of_the_exponent(participants, epsilon, released, q0):
    for knowing in BOTH:
        answer = knowing(released, participants, epsilon, q0)
        assert np.all(answer.used <= 0.5)
        assert np.all(math.exp(-epsilon) * (1 - 1e-15) <= answer.update)
        assert np.all(answer.update <= math.exp(epsilon) * (1 + 1e-15))
        assert np.all((answer.lower <= answer.odds_ratio) & (answer.odds_ratio <= answer.upper))
        assert answer.odds_ratio == pytest.approx(answer.update * (1 - q0) / q0)
        assert answer.upper == pytest.approx(math.exp(2 * epsilon) * (1 - q0) / q0)
        assert answer.relation == "add/remove-one"
        # Cases and controls change roles.
        mirrored = knowing(participants - released, participants, epsilon, 0.5).update
        assert mirrored * knowing(released, participants, epsilon, 0.5).update == pytest.approx(1, rel=1e-9)


@settings(max_examples=50)
@given(participants=studies, epsilon=epsilons, steps=st.lists(st.floats(-5, 5), min_size=2, max_size=9))
def test_more_released_cases_never_lower_the_odds(participants, epsilon, steps):
    released = participants // 2 + np.sort(steps)
    design, others = (knowing(released, participants, epsilon, 0.5) for knowing in BOTH)
    assert np.all(np.diff(design.update) >= 0)
    assert np.all(np.diff(others.update) >= 0)
    # Whoever knows more learns more.
    assert np.all(design.used <= others.used)


def test_far_releases_keep_their_values():
    far = np.array([-1e300, -1e18, 547.0, 547.5, 548.0, 1e18, 1e300])
    up, n = math.exp(0.34), 547
    others = case_control.odds_ratio_knowing_others(far, 1095, 0.34, 0.00125)
    assert others.update == pytest.approx([1 / up, 1 / up, 1 / up, 1, up, up, up], rel=1e-14)
    assert others.used == pytest.approx([0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5], rel=1e-15)
    design = case_control.odds_ratio_knowing_design(far, 1095, 0.34, 0.00125)
    top = ((n + 1) * up + n) / (n * up + n + 1)
    assert design.update == pytest.approx([1 / top, 1 / top, 1 / top, 1, top, top, top], rel=1e-14)
    assert np.log(design.update[-1]) == pytest.approx(2 * math.tanh(0.17) / 1095, rel=1e-6)


def test_without_privacy_the_design_hides_one_in_many():
    answer = case_control.odds_ratio_knowing_design([-1e3, 1e3], 7, 1000.0, 0.5)
    assert answer.update == pytest.approx([3 / 4, 4 / 3], rel=1e-14)


def test_the_printed_adversaries():
    rows = {row.name: row for row in case_control.adversaries(CROHN, PROFILE, q0=[0.2, 0.9])}
    assert list(rows) == ["prevalence", "naive", "q0 = 0.2", "q0 = 0.9", "any"]
    assert rows["prevalence"][1:5] == (0.5, 0.00125, 799, 5)
    assert round(rows["prevalence"].epsilon, 3) == 0.805
    assert rows["naive"][1:5] == (0.5, 0.5, 1, 2)
    assert round(rows["naive"].epsilon, 3) == 0.347
    assert rows["q0 = 0.2"].epsilon == pytest.approx(math.log(5) / 2)
    assert rows["q0 = 0.9"].bound == pytest.approx(10 - 8 * (1 / 9 - 0.1) / 0.9)
    assert rows["any"][1:] == rows["naive"][1:]
    assert {row.relation for row in rows.values()} == {"add/remove-one"}
    assert len(case_control.adversaries(CROHN, PROFILE, q0=0.2)) == 4


def test_an_adversary_at_a_limit_of_the_profile():
    assert case_control.adversaries(CROHN, profiles.RiskProfile([[0, 2], [1, 3]]))[-1].q0 == 1
    assert case_control.adversaries(CROHN, lambda p: 3 - p**0.01 / (1 + p**0.01))[-1].q0 == 0


def test_the_release_is_the_laplace_mechanism_with_sensitivity_one():
    released = case_control.release([547, 548], 0.5, np.random.default_rng(1), (3,))
    assert np.array_equal(released, np.array([547, 548]) + 2 * np.random.default_rng(1).laplace(size=(3, 2)))


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: case_control.check(case_control.Study(1094, 0.1)), "participants = 1094 is even"),
        (lambda: case_control.check(case_control.Study(1, 0.1)), "participants = 1 is not"),
        (lambda: case_control.check(case_control.Study(3, 0.0)), "prevalence = 0.0"),
        (lambda: case_control.check(case_control.Study(3, math.nan)), "prevalence = nan"),
        (lambda: case_control.adversaries(CROHN, PROFILE, q0=[0.5, 1.0]), "q0 = 1.0"),
        (lambda: case_control.cases_among_others(3, 2), "status = 2"),
        (lambda: case_control.probability_of_case(1095, 545), "others_cases = 545.0"),
        (lambda: case_control.probability_of_case(1095, 546.5), "others_cases = 546.5 is not a whole number"),
        (lambda: case_control.odds_ratio_knowing_others(0, 1095, 0.3, 0.5, 546), "546 makes the target a case"),
        (lambda: case_control.odds_ratio_knowing_others(0, 1095, 0.3, 0.5, 548), "548 makes the target a control"),
        (lambda: case_control.odds_ratio_knowing_others(0, 1095, 0.3, 0.5, 1), "others_cases = 1.0"),
        (lambda: case_control.odds_ratio_knowing_others(math.nan, 1095, 0.3, 0.5), "released = nan"),
        (lambda: case_control.odds_ratio_knowing_design(0, 1095, 0.0, 0.5), "epsilon = 0.0"),
        (lambda: case_control.odds_ratio_knowing_design(0, 1095, 0.3, 0.0), "q0 = 0.0"),
        (lambda: case_control.odds_ratio_knowing_design(0, 4, 0.3, 0.5), "participants = 4 is even"),
        (lambda: case_control.release(547, 0.0, None), "epsilon = 0.0"),
        (
            lambda: case_control.odds_ratio_knowing_design([1, 2, 3], 1095, 0.3, [0.1, 0.2]),
            r"released \(3,\), q0 \(2,\)",
        ),
    ],
)
def test_refusals_name_the_value(refused, message):
    with pytest.raises(DomainError, match=message):
        refused()


@pytest.mark.parametrize("study", [None, 5, (1095, 0.00125)])
def test_what_is_no_study_is_refused(study):
    with pytest.raises(DomainError, match=r"study = .* is no Study; give Study\(participants, prevalence\)"):
        case_control.adversaries(study, profiles.PUBLISHED)
