"""Chances out of 100, beside draws of the noise."""

import numpy as np
import pytest

from disclosure.pages import participants


@pytest.mark.parametrize("mu", [0.1, 0.38, 1.0, 3.0])
@pytest.mark.parametrize("probability", [0.05, 1e-3])
def test_chances_hold_in_draws_but_for_the_probability(mu, probability):
    # The worst case is one other candidate at the distance mu.
    z = np.random.default_rng(1).standard_normal(400_000)
    likelihood = np.exp(-mu * z - mu**2 / 2)
    allowed = probability + 5 * np.sqrt(probability / len(z))
    for before, least, most in participants.chances(mu, probability):
        after = 100 * before / (before + (100 - before) * likelihood)
        assert (after > most).mean() <= allowed
        assert (after < least).mean() <= allowed
        # One less would not do.
        assert (after > most - 1).mean() > probability - 5 * np.sqrt(probability / len(z))
        assert 0 <= least <= before <= most <= 100


def test_the_picture_has_100_dots_and_the_chances():
    chances = participants.Chances(10, 2, 28)
    before, after = participants.dots(chances)
    kinds = [[dot.kind for dot in grid] for grid in (before, after)]
    assert [kinds[0].count(kind) for kind in ("before", "added", "none")] == [10, 0, 90]
    assert [kinds[1].count(kind) for kind in ("before", "added", "none")] == [10, 18, 72]
    assert len({(dot.x, dot.y) for dot in after}) == 100


def test_the_sentence_has_the_numbers():
    text = participants.sentence(participants.Chances(10, 2, 28), 1e-3)
    assert "10 in 100" in text
    assert "at most 28 in 100 likely, except with probability 0.001 (1 in 1,000)" in text
