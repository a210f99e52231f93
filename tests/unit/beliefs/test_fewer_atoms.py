"""Few atoms in place of many: the density of the release stays what it was, to the last digits."""

import mpmath
import numpy as np
import pytest

from disclosure.beliefs.fewer_atoms import fewer_atoms
from disclosure.beliefs.worlds import Law

NO_PIECES = np.empty((0, 3))


def values(kind, size, spread, generator):
    if kind == "uniform":
        return generator.random(size) * spread
    if kind == "two heaps":
        return np.concatenate([generator.random(size // 2) * 1e-12, spread - generator.random(size - size // 2) * 1e-9])
    return np.minimum(generator.lognormal(0, 2, size), 40) * spread / 40


def log_density(answers, weights, releases):
    """Log of the density, up to a function of the release, summed about the middle of the answers."""
    exponents = releases[:, None] * answers - answers**2 / 2 + np.log(weights)
    largest = exponents.max(axis=1)
    return largest + np.log(np.exp(exponents - largest[:, None]).sum(axis=1))


@pytest.mark.parametrize("kind", ["uniform", "two heaps", "skewed"])
@pytest.mark.parametrize(("size", "spread"), [(40, 0.3), (300, 0.45), (2000, 3.0), (3000, 30.0)])
def test_the_density_is_the_same_as_far_as_there_is_mass(kind, size, spread):
    generator = np.random.default_rng(size)
    answers, weights = values(kind, size, spread, generator) - spread / 2, generator.random(size) ** 3 + 1e-9
    few = fewer_atoms(Law(answers, weights, NO_PIECES), 1.0)
    assert len(few.answers) <= 16 * (np.ceil(spread / 0.5) + 1) < size
    assert (few.weights > 0).all()
    assert few.answers.min() >= answers.min() - 1e-12
    assert few.answers.max() <= answers.max() + 1e-12
    releases = np.linspace(-40 - spread / 2, 40 + spread / 2, 161)
    # The exponents' own rounding is up to 1e-16 of 40 times the spread.
    difference = log_density(answers, weights, releases) - log_density(few.answers, few.weights, releases)
    assert np.abs(difference).max() < 1e-14 * (1 + spread)


def test_moments_are_those_of_the_atoms_in_forty_digits():
    generator = np.random.default_rng(5)
    law = Law(generator.random(60) * 0.5, generator.random(60), NO_PIECES)
    few = fewer_atoms(law, 1.0)
    assert len(few.answers) == 16
    with mpmath.workdps(40):
        for power in range(32):
            exact, found = (
                mpmath.fsum(
                    mpmath.mpf(w) * (mpmath.mpf(x) - mpmath.mpf("0.25")) ** power
                    for x, w in zip(given.answers.tolist(), given.weights.tolist(), strict=True)
                )
                for given in (law, few)
            )
            assert abs(found - exact) < 1e-13 * 0.25**power


def test_few_atoms_and_pieces_stay_as_they_are():
    law = Law(np.array([3.0, 1.0]), np.array([1.0, 2.0]), np.array([[0.0, 1.0, 5.0]]))
    assert fewer_atoms(law, 1.0) is law
    many = Law(np.linspace(0, 0.4, 30), np.ones(30), law.pieces)
    assert fewer_atoms(many, 1.0).pieces is law.pieces
    equal = fewer_atoms(Law(np.full(30, 0.7), np.ones(30), NO_PIECES), 1.0)
    assert (equal.answers.tolist(), equal.weights.tolist()) == ([0.7], [30.0])
