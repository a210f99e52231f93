"""What a page shows of a table: limits beside a plain formula, errors beside draws, and the noise that it offers."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.mechanisms import gaussian
from disclosure.pages import table
from disclosure.people.limits import Limits
from disclosure.people.queries import linear
from tests.unit.pages.shown import NOISE, named, release
from tests.unit.people.tables import people, random_people

VALUES = [1, 2, 2, 3, 5, 6, 9]


def plain_rise(person, sigma, probability, sample=4):
    """The limit by its definition: the farthest sets among all of them, for a mean."""
    others = [value for place, value in enumerate(VALUES) if place != person]
    gaps = [np.array(chosen) - VALUES[person] for chosen in itertools.combinations(others, len(VALUES) - sample)]
    reach = max(math.sqrt((gap**2).mean()) for gap in gaps) / sample / sigma
    prior = 1 / (len(VALUES) - sample + 1)
    return 1 / (prior + (1 - prior) * math.exp(-reach * (reach / 2 + norm.isf(probability))))


def test_limits_are_those_of_the_formula():
    shown = release()
    assert shown.probabilities == (0.05, 0.01, 1e-3, 1e-6)
    for point in (shown.points[0], shown.points[shown.chosen], shown.points[-1]):
        for risk in point.risks:
            rises = {row: plain_rise(row - 1, 2.0 * point.scale, risk.probability) for row in (1, 2, 4, 5, 6, 7)}
            expected = sorted(rises.items(), key=lambda item: -item[1])
            assert [person.row for person in risk.exposed] == [row for row, _ in expected]
            assert [person.rise for person in risk.exposed] == pytest.approx([rise for _, rise in expected], rel=1e-12)
            assert risk.rise == pytest.approx(expected[0][1], rel=1e-12)
            assert risk.posterior == pytest.approx(expected[0][1] / 4, rel=1e-12)
    assert {person.row: person.people for person in risk.exposed}[2] == 2


def test_less_noise_and_rarer_exceptions_are_more_risk():
    rises = np.array([[risk.rise for risk in point.risks] for point in release().points])
    assert (np.diff(rises, axis=0) < 0).all()
    assert (np.diff(rises, axis=1) > 0).all()


def test_epsilon_is_that_at_which_the_noise_is_calibrated():
    shown = release()
    for point in shown.points:
        assert gaussian.calibrate(point.epsilon, 0.01, 2.5, definition="probabilistic") == pytest.approx(
            2.0 * point.scale, rel=1e-9
        )


@pytest.mark.parametrize(("query", "answer"), [("mean", np.mean), ("sum", np.sum)])
def test_the_sampling_error_is_the_deviation_over_all_samples(query, answer):
    (statistic,) = release(query=query).statistics
    answers = [answer(sample) for sample in itertools.combinations(VALUES, 4)]
    assert statistic.sampling_error == pytest.approx(np.std(answers), rel=1e-12)
    assert statistic.name == f"{query} of a"


def test_a_record_by_itself_estimates_nothing():
    shown = release(query="identity")
    assert math.isnan(shown.statistics[0].sampling_error)
    assert not any("sampling" in sentence for sentence in shown.headline)


def test_offered_noise_has_what_was_asked_for_and_goes_beyond_it():
    shown = release()
    sigmas = [2.0 * point.scale for point in shown.points]
    assert [point.mark for point in shown.points if point.mark] == ["this release", "the other"]
    assert sigmas[shown.chosen] == 2.0
    assert 3.5 in sigmas
    assert (min(sigmas), max(sigmas)) == (0.5, 14.0)
    assert sigmas == sorted(sigmas)
    assert np.diff(np.log2(sigmas)).min() > 1 / 8
    far = NOISE._replace(marks=[table.Mark(1.0, "little"), table.Mark(1e9, "much")])
    assert len(release(noise=far).points) < 40
    alone = NOISE._replace(marks=[table.Mark(1.0, "little")])
    assert release(noise=alone).chosen == 8


def test_what_was_asked_comes_first_and_what_was_found_stands_where_it_is_known():
    shown = release(probabilities=(0.2, 1e-3), found={(2.0, 1e-3): 1.75})
    assert shown.probability == 0.2
    assert shown.probabilities == (0.2, 0.05, 0.01, 1e-3, 1e-6)
    found = {(point.scale, risk.probability): risk.found for point in shown.points for risk in point.risks}
    assert {key: value for key, value in found.items() if value == value} == {(1.0, 1e-3): 1.75}


def test_the_headline_tells_risk_before_and_after_and_the_error():
    shown = release()
    answer, before, error = shown.headline
    risk = shown.points[shown.chosen].risks[2]
    assert f"at most {risk.rise:.4g} times as likely as before" in answer
    assert answer.endswith("except with probability 0.001 (1 in 1,000).")
    assert "row 7 of the table, is in the data looks 25% likely before and at most" in before
    assert f"{2.0 / shown.statistics[0].sampling_error:.2g} times that of sampling alone in the mean of a" in error
    assert release(noise=NOISE._replace(answer="Told otherwise.")).headline[0] == "Told otherwise."


@pytest.mark.parametrize("weights", [None, np.array([3.0, 3.0, 3.0, 0.1, 3.0])])
def test_the_limit_of_everybody_is_that_of_the_search_at_every_noise(weights):
    """With weights the person changes: much noise tells of who is far away, little noise of who is unlikely before."""
    records = people([[0], [1], [2], [3], [9]], weights)
    limits, exposed = Limits(records, linear("mean", records.columns, 3), 3), set()
    for point in release(records, sample=3).points:
        for risk in point.risks:
            assert risk.rise == limits.rise_of_all(2.0 * point.scale, risk.probability).value
            exposed.add(risk.exposed[0].row)
    assert weights is None or {4, 5} <= exposed


def test_with_weights_no_single_belief_stands_before():
    shown = release(random_people(9, 2, weights=True), sample=5)
    assert shown.weighted
    assert "is in the data looks at most" in shown.headline[1]


def test_of_people_who_are_alike_nobody_is_exposed():
    shown = release(people([[3]] * 5), sample=3)
    assert {risk.rise for point in shown.points for risk in point.risks} == {1.0}
    assert shown.statistics[0].sampling_error == 0
    assert len(shown.headline) == 2


def test_the_table_of_points_has_the_numbers_of_the_page():
    shown = release()
    columns = table.columns(shown)
    assert {len(column) for column in columns.values()} == {4 * len(shown.points)}
    assert columns["sigma"][4 * shown.chosen] == 2.0
    assert columns["rise_limit_of_all"][4 * shown.chosen + 2] == shown.points[shown.chosen].risks[2].rise
    assert set(columns["most_exposed"]) == {7}


def test_each_column_is_a_statistic():
    shown = release(named("height", "weight"), sample=3)
    assert shown.title == "mean of height, mean of weight"
