"""An excess that is not above 0 is a proof, against 80 digits: what it adds covers what rounding has taken from it."""

import numpy as np
import pytest
from mpmath import mpf

from disclosure.mechanisms.excess import EXCESSES, Pair, log_profile
from disclosure.numerics.rounding import UNIT
from tests.unit.mechanisms import exact


def pairs():
    """Pairs whose three numbers fit together exactly, with few digits in each."""
    generator = np.random.default_rng(12)
    for _ in range(80):
        centre = float(np.float32(10 ** generator.uniform(-4, 1)))
        half = float(np.float32(centre + generator.normal() * 10 ** generator.uniform(-1, 1.3)))
        if half > 0 and abs(centre - half) < 37:
            yield Pair(centre, half, 2 * centre * half)


@pytest.mark.parametrize("definition", EXCESSES)
def test_a_pair_that_passes_keeps_delta_in_exact_arithmetic(definition):
    form = {"probabilistic": exact.mass, "approximate": exact.profile}[definition]
    passed = refused = 0
    for pair in pairs():
        mass = form(pair.epsilon, 2 * mpf(pair.centre))
        at_mass = float(mass)
        # One unit in the last place after the other around the mass, and farther out.
        for units in (*range(-8, 9), -5000, 5000):
            delta = at_mass * (1 + units * UNIT)
            if 0 < delta < 1:
                passes = EXCESSES[definition](pair, delta) <= 0
                assert not passes or mass <= mpf(delta), (pair, units)
                passed, refused = passed + passes, refused + (not passes)
        clear = at_mass * (1 + 1e-11 * min(1.0, (1 - at_mass) / at_mass) + 2 * UNIT)
        if clear < 1:
            assert EXCESSES[definition](pair, clear) <= 0
    assert min(passed, refused) > 50


def test_far_pairs_tell_on_which_side_they_are():
    near, far = Pair(100.0, 1.0, 200.0), Pair(1.0, 100.0, 200.0)
    assert (log_profile(near), log_profile(far)) == (0.0, -np.inf)
    for excess in EXCESSES.values():
        for delta in (1e-300, 0.3, 0.7):
            assert excess(near, delta) > 0 > excess(far, delta)
