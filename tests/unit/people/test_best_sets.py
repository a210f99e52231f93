"""Limits on the mean of sets by their weight, against all sets listed."""

import itertools

import numpy as np
import pytest

from disclosure.people.best_sets import best_sets, largest_mean


@pytest.mark.parametrize("weighted", [False, True], ids=["uniform", "weighted"])
def test_the_largest_mean_is_that_of_the_best_choice(weighted):
    generator = np.random.default_rng(2)
    for size in (1, 3, 6):
        for _ in range(30):
            values = np.round(generator.random(6) * 4) / 4
            weights = generator.integers(1, 5, 6).astype(float) if weighted else None
            plain = max(
                np.average(values[list(chosen)], weights=None if weights is None else weights[list(chosen)])
                for chosen in itertools.combinations(range(6), size)
            )
            mean, places = largest_mean(values, weights, size)
            assert mean == pytest.approx(plain, rel=1e-14)
            assert len(set(places.tolist())) == size
            shares = None if weights is None else weights[places]
            assert np.average(values[places], weights=shares) == pytest.approx(plain, rel=1e-14)


def all_of(values, weights, size):
    """Weight and weighted mean of every set."""
    sets = np.array(list(itertools.combinations(range(len(values)), size)))
    total = weights[sets].sum(axis=1)
    return total, (weights[sets] * values[sets]).sum(axis=1) / total


def test_no_set_has_a_larger_mean_than_its_class_allows():
    generator = np.random.default_rng(3)
    for case in range(200):
        number = int(generator.integers(1, 10))
        values = generator.gamma(0.5, 2, number) * (generator.random(number) < 0.8)
        weights = np.exp(generator.normal(size=number) * (0.0, 0.1, 1.0, 4.0)[case % 4])
        size = int(generator.integers(1, number + 1))
        sets = best_sets(values, weights, size)
        assert (sets.lightest <= sets.heaviest).all()
        for weight, mean in zip(*all_of(values, weights, size), strict=True):
            classes = (sets.lightest <= weight) & (weight <= sets.heaviest)
            assert classes.any()
            assert sets.means[classes].max() >= mean * (1 - 1e-12)
        assert sets.means.max() == largest_mean(values, weights, size)[0]


def test_classes_are_not_much_wider_than_their_sets():
    """A limit that were the largest mean in every class would pass the test above."""
    generator = np.random.default_rng(4)
    values, weights = generator.random(18), np.exp(generator.normal(size=18))
    sets = best_sets(values, weights, 6)
    total, mean = all_of(values, weights, 6)
    excess = []
    for allowed, light, heavy in zip(*sets, strict=True):
        inside = (total >= light) & (total <= heavy)
        if inside.any():
            excess.append(allowed / mean[inside].max())
    assert len(excess) > 100
    assert np.median(excess) < 1.05
    assert sets.means[-1] < 0.85 * sets.means.max()


def test_equal_weights_are_no_weights():
    values = np.random.default_rng(5).random(30)
    (mean,), (light,), (heavy,) = best_sets(values, None, 7)
    assert (light, heavy) == (7, 7)
    assert mean == pytest.approx(np.sort(values)[-7:].mean())
    assert best_sets(values, np.full(30, 2.5), 7).means == pytest.approx(mean, rel=1e-12)
