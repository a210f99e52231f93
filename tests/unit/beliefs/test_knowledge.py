"""Worlds of adversaries who know some members, against every set of people, exact fractions and draws."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from disclosure.beliefs.knowledge import (
    law_of_ones,
    on_grid,
    sampled_answers,
    subset_sums,
    worlds_of_ones,
    worlds_of_whole_numbers,
)
from disclosure.numerics.errors import DomainError


def enumerated(sums):
    """Sums and their probabilities, all of the sums listed being equally likely."""
    counts = Counter(sums)
    return sorted(counts), [counts[total] / len(sums) for total in sorted(counts)]


def assert_same_law(law, expected, rel=1e-13):
    assert law[0].tolist() == list(expected[0])
    assert law[1] == pytest.approx(expected[1], rel=rel)


def every_world(values, target, known, sample):
    """Answers of all samples that contain the known people, with the target and without."""
    inside, outside = [], []
    for people in itertools.combinations(range(len(values)), sample):
        if set(known) <= set(people):
            (inside if target in people else outside).append(sum(values[person] for person in people))
    return enumerated(inside), enumerated(outside)


@pytest.mark.parametrize("ones", [0, 1, 3, 6, 7])
def test_worlds_of_ones_are_those_of_all_samples(ones):
    values = [1] * ones + [0] * (7 - ones)
    for sample, target in itertools.product(range(1, 7), range(7)):
        for known in range(sample):
            others = [person for person in range(7) if person != target]
            for chosen in itertools.combinations(others, known):
                worlds = worlds_of_ones(
                    7, sample, ones, known, known_ones=sum(values[person] for person in chosen), target=values[target]
                )
                for law, expected in zip(worlds, every_world(values, target, chosen, sample), strict=True):
                    assert_same_law(law, expected)


@pytest.mark.parametrize("values", [[0, 3, 3, -2, 7, 1, 4], [5] * 7, [10, 20, 40, 80, 160, 320, 640]])
def test_worlds_of_whole_numbers_are_those_of_all_samples(values):
    for sample, known in ((1, []), (3, []), (3, [2]), (4, [1, 6]), (6, []), (6, [1, 2, 3, 4, 5])):
        others = [value for person, value in enumerate(values) if person != 0 and person not in known]
        worlds = worlds_of_whole_numbers(values[0], others, sample - len(known), sum(values[i] for i in known))
        for law, expected in zip(worlds, every_world(values, 0, known, sample), strict=True):
            assert_same_law(law, expected)


@pytest.mark.parametrize(("people", "ones", "drawn"), [(0, 0, 0), (1, 1, 1), (90, 45, 31), (400, 13, 380), (60, 59, 1)])
def test_numbers_of_ones_have_their_exact_probabilities(people, ones, drawn):
    counts, weights = law_of_ones(people, ones, drawn)
    assert counts.tolist() == list(range(max(0, drawn - people + ones), min(ones, drawn) + 1))
    for count, weight in zip(counts.astype(int).tolist(), weights.tolist(), strict=True):
        ways = math.comb(ones, count) * math.comb(people - ones, drawn - count)
        assert weight == pytest.approx(float(Fraction(ways, math.comb(people, drawn))), rel=1e-13)


@pytest.mark.parametrize(
    ("people", "ones", "drawn"), [(10**6, 300_000, 900_000), (10**12, 10**6, 10**6), (10**15, 5, 10**14)]
)
def test_numbers_of_ones_of_large_populations(people, ones, drawn):
    counts, weights = law_of_ones(people, ones, drawn)
    with mpmath.workdps(60):
        for place in np.linspace(0, len(counts) - 1, 9).astype(int):
            count = int(counts[place])
            exact = mpmath.binomial(ones, count) * mpmath.binomial(people - ones, drawn - count)
            exact /= mpmath.binomial(people, drawn)
            assert weights[place] == pytest.approx(float(exact), rel=1e-11)
    assert weights.sum() == pytest.approx(1, rel=1e-13)
    # What is left out is too rare for a float.
    assert counts[0] == max(0, drawn - people + ones) or weights[0] < 1e-300
    assert counts[-1] == min(ones, drawn) or weights[-1] < 1e-300


def test_sums_of_zeros_and_ones_are_numbers_of_ones():
    for drawn in (0, 1, 150, 290, 300):
        assert_same_law(subset_sums([1] * 120 + [0] * 180, drawn), law_of_ones(300, 120, drawn), rel=1e-12)


def test_sums_of_many_values_have_their_mean_and_variance():
    values = np.random.default_rng(1).integers(-50, 50, 200)
    for drawn in (3, 100, 195):
        sums, weights = subset_sums(values, drawn)
        assert weights.sum() == pytest.approx(1, rel=1e-13)
        mean = weights @ sums
        assert mean == pytest.approx(drawn * values.mean(), rel=1e-11)
        variance = drawn * values.var() * (200 - drawn) / 199
        assert weights @ (sums - mean) ** 2 == pytest.approx(variance, rel=1e-11)


def test_common_steps_of_values_make_no_difference():
    coarse, fine = subset_sums([3_000_000_007, 7, 1_000_000_007], 2), subset_sums([3, 0, 1], 2)
    assert coarse[0].tolist() == (fine[0] * 1_000_000_000 + 14).tolist()
    assert coarse[1].tolist() == fine[1].tolist()


def test_sampled_answers_follow_the_exact_laws():
    values, size = [0, 1, 1, 4, 6, 9], 60_000
    worlds = worlds_of_whole_numbers(2, values, 3, known_sum=10)
    for law, answers in zip(worlds, sampled_answers(2, values, 3, size, np.random.default_rng(2), 10), strict=True):
        assert set(answers.ravel()) == set(law[0])
        for answer, weight in zip(*law, strict=True):
            # Answers inside that come from one set are not independent, but no more spread than one alone.
            assert abs(np.mean(answers == answer) - weight) < 4.5 * math.sqrt(weight * (1 - weight) / size)


def test_blocks_of_sampled_answers_are_all_filled():
    # A block has a million values, here of ten sets.
    inside, outside = sampled_answers(0.5, np.ones(100_001), 7, 25, np.random.default_rng(3))
    assert inside.tolist() == [[6.5] * 7] * 25
    assert outside.tolist() == [7.0] * 25


def test_a_grid_keeps_mean_and_total():
    answers = np.random.default_rng(4).normal(size=1000)
    for spacing in (0.01, 0.3, 50.0):
        points, weights = on_grid(answers, spacing)
        assert weights.sum() == pytest.approx(1, rel=1e-12)
        assert weights @ points == pytest.approx(answers.mean(), rel=1e-9)
        assert (weights > 0).all()
        assert points / spacing == pytest.approx(np.round(points / spacing), abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worlds_of_ones(10, 10, 5), "sample = 10 is not a whole number of at most 9"),
        (lambda: worlds_of_ones(10, 4, 5, known=4), "known = 4 is not a whole number of at most 3"),
        (lambda: worlds_of_ones(10, 4, 5, known=3, known_ones=4), "known_ones = 4 is not a whole number of at most 3"),
        (lambda: worlds_of_ones(10, 8, 9, known=7), "known_ones = 0 is not a whole number of at least 6"),
        (lambda: worlds_of_ones(10, 4, 0), "ones = 0 is not a whole number of at least 1"),
        (lambda: worlds_of_ones(10, 4, 10, target=0), "ones = 10 is not a whole number of at most 9"),
        (lambda: worlds_of_ones(10, 4, 5, target=2), "target = 2 is not a whole number of at most 1"),
        (lambda: law_of_ones(4, 5, 1), "ones = 5 is not a whole number of at most 4"),
        (lambda: subset_sums([0.5, 1], 1), "values are not a list of whole numbers; for others take sampled_answers"),
        (lambda: subset_sums([1, 2], 3), "drawn = 3 is not a whole number of at most 2"),
        (lambda: subset_sums(np.arange(4000) ** 2, 2000), "values have a table of 4000 x 2001 x"),
        (lambda: worlds_of_whole_numbers(1, [], 1), "others has shape"),
        (lambda: worlds_of_whole_numbers(1, [2, 3], 0), "drawn = 0 is not a whole number of at least 1"),
        (lambda: worlds_of_whole_numbers(math.nan, [2, 3], 1), "target = nan is outside"),
        (lambda: on_grid([1.0], 0.0), "spacing = 0.0 is outside"),
    ],
)
def test_bad_input_is_refused_by_name(call, message):
    with pytest.raises(DomainError, match=f"^{message}"):
        call()
