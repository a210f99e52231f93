"""The change of odds at many releases: against 150 digits, and slopes against differences."""

import mpmath
import numpy as np
import pytest

from disclosure.beliefs import worlds
from disclosure.beliefs.log_odds import log_odds
from disclosure.beliefs.noises import noise_named
from disclosure.beliefs.worlds import Mixture

ATOMS = Mixture([3.0, 4.0, 9.0], [1.0, 2.0, 0.5]), Mixture([0.0, 5.0], [1.0, 3.0])
PIECES = Mixture([3.0], [1.0], [(4.0, 5.5, 2.0)]), Mixture((), (), [(0.0, 3.5, 1.0), (5.5, 7.0, 4.0)])
POSITIONS = np.array([-20.0, -3.0, -0.4, 0.0, 0.9, 5.0, 21.0])


def integral(low, high, release, scale, exponential):
    """Of the kernel from one answer to another, in closed form."""
    if not exponential:
        ends = [(end - release) / scale / mpmath.sqrt(2) for end in (low, high)]
        return scale * mpmath.sqrt(mpmath.pi / 2) * (mpmath.erfc(ends[0]) - mpmath.erfc(ends[1]))
    if low < release < high:
        return integral(low, release, release, scale, True) + integral(release, high, release, scale, True)
    near, far = sorted(abs(end - release) / scale for end in (low, high))
    return scale * (mpmath.exp(-near) - mpmath.exp(-far))


def exact(mixture, release, scale, exponential):
    """Density of a release in 150 digits, up to a constant factor."""
    release, scale = mpmath.mpf(release), mpmath.mpf(scale)
    total = mpmath.mpf(0)
    for answer, weight in zip(mixture.answers, mixture.weights, strict=True):
        distance = abs(release - answer) / scale
        total += weight * mpmath.exp(-distance if exponential else -(distance**2) / 2)
    for low, high, weight in mixture.pieces:
        total += weight * integral(mpmath.mpf(low), mpmath.mpf(high), release, scale, exponential) / (high - low)
    return total / (sum(mixture.weights) + sum(piece[2] for piece in mixture.pieces))


@pytest.mark.parametrize(
    ("noise", "laws"), [("gaussian", ATOMS), ("gaussian", PIECES), ("laplace", ATOMS), ("laplace", PIECES)]
)
def test_values_are_those_in_many_digits(noise, laws):
    kind = noise_named(noise, 1.25)
    curve = log_odds(*(worlds.checked("law", law, kind) for law in laws), kind, 4.0)
    found = curve(POSITIONS)
    with mpmath.workdps(150):
        for position, value in zip(POSITIONS.tolist(), found.tolist(), strict=True):
            inside, outside = (exact(law, 4.0 + 1.25 * position, 1.25, kind.exponential) for law in laws)
            assert abs(value - mpmath.log(inside / outside)) < 1e-13 * (1 + abs(position))


def test_slopes_are_those_of_the_values():
    kind = noise_named("gaussian", 1.25)
    curve = log_odds(*(worlds.checked("law", law, kind) for law in PIECES), kind, 4.0)
    step = 1e-5
    differences = (curve(POSITIONS + step) - curve(POSITIONS - step)) / (2 * step)
    np.testing.assert_allclose(curve.slopes(POSITIONS), differences, rtol=1e-7, atol=1e-7)


def test_many_positions_are_computed_as_few_are():
    kind = noise_named("gaussian", 1.0)
    generator = np.random.default_rng(2)
    laws = [worlds.checked("law", (generator.random(3000), np.ones(3000)), kind) for _ in range(2)]
    curve = log_odds(*laws, kind, 0.5)
    positions = generator.normal(size=(2, 1500))
    assert (curve(positions)[1, -3:] == curve(positions[1, -3:])).all()
