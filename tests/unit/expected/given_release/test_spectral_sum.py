"""Sums over frequencies against plain sums, and against the law of a mean that is known."""

import numpy as np
import pytest

from disclosure.expected.given_release.spectral_sum import spectral_sum

TERMS = np.array([-0.6, -0.1, 0.2, 0.7])
PROBABILITIES = np.array([0.3, 0.25, 0.3, 0.15])


@pytest.mark.parametrize("neighbours", [3, 20_000])
def test_sums_over_frequencies_equal_plain_ones(neighbours):
    """With powers of exponentials for fewer neighbours, with sines for more; blocks are larger than the first one."""
    terms = TERMS - PROBABILITIES @ TERMS
    deviation = np.sqrt(PROBABILITIES @ terms**2 / neighbours)
    means = deviation * np.linspace(-9, 9, 145)
    values = np.exp(-((means / deviation) ** 2) / 2)
    step = 0.02 / deviation
    frequencies = step * np.arange(600)
    law = (np.exp(1j * frequencies[:, None] / neighbours * terms) @ PROBABILITIES) ** neighbours
    known = law * (np.exp(-1j * frequencies[:, None] * means) @ values)
    known[0] /= 2
    found = spectral_sum(terms, PROBABILITIES, means, values, neighbours, step, 4_000)
    assert found == pytest.approx(known.real.sum(), rel=1e-9)


def test_a_sum_that_has_not_ended_fades():
    """The mean of one term has an algebraic tail of frequencies; a smooth function of it needs few."""
    terms = np.linspace(-1, 1, 201)
    weights = np.full(201, 1 / 201)
    means, period = np.linspace(-1.5, 1.5, 601), 4.0
    values = np.exp(-((means / 0.3) ** 2) / 2) * 0.005
    found = 2 / period * spectral_sum(terms, weights, means, values, 1, 2 * np.pi / period, 40)
    known = weights @ np.exp(-((terms / 0.3) ** 2) / 2)
    assert found == pytest.approx(known, rel=1e-6)
