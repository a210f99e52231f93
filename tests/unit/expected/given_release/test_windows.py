"""Windows see every mean term once."""

import numpy as np
import pytest

from disclosure.expected.densities import Uniform
from disclosure.expected.given_release.settings import SETTINGS, Effort
from disclosure.expected.given_release.spans import span_of
from disclosure.expected.given_release.terms import term_laws
from disclosure.expected.given_release.windows import Window, seen_windows, share, windows_of
from disclosure.numerics.quadrature import Work
from tests.unit.expected.given_release.two_neighbours import symmetric

CASES = [(-0.2, 10, 1.0, 0.6), (-0.1, 3, 5.0, 0.2), (-0.05, 2, 1000.0, 0.0224), (0.2, 5, 1.0, 0.02)]


def laws(case):
    """Laws of terms under which bounds fail at all."""
    t, neighbours, epsilon, sigma = case
    found = term_laws(t, Uniform(), neighbours, symmetric(epsilon), sigma, Work())
    return [law for law in found if windows_of(law).bounds.max() > -np.inf]


@pytest.mark.parametrize("case", CASES)
def test_all_windows_together_see_each_mean_once(case):
    """Each is looked at only between the ends of its own edges; these nest where terms have all orders of magnitude."""
    for law in laws(case):
        windows = windows_of(law)
        count = len(windows.bounds)
        means = np.unique(np.concatenate([windows.tilts.mean, windows.edges]))
        total = np.zeros_like(means)
        for number in range(count):
            window = Window(number, open_below=number == 0, open_above=number == count - 1, constant=False)
            low = -np.inf if number == 0 else windows.edges[number - 1] - SETTINGS.edge * windows.widths[number - 1]
            high = np.inf if number == count - 1 else windows.edges[number] + SETTINGS.edge * windows.widths[number]
            total += np.where((means >= low) & (means <= high), share(windows, window, means), 0.0)
        nested = law.release.lowest < -30
        assert total == pytest.approx(np.ones_like(means), abs=1e-12 if nested else 1e-6)


@pytest.mark.parametrize("case", CASES)
def test_windows_that_matter_stand_for_all(case):
    """They are neighbours of each other, hold the largest, and only the outermost are open, away from the untilted mean."""
    for law in laws(case):
        windows = windows_of(law)
        seen = seen_windows(windows)
        numbers = [window.number for window in seen]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert int(np.argmax(windows.bounds)) in numbers
        assert not any(window.open_below for window in seen[1:])
        assert not any(window.open_above for window in seen[:-1])
        assert all(window.number <= windows.untilted for window in seen if window.open_below)
        assert all(window.number >= windows.untilted for window in seen if window.open_above)


@pytest.mark.parametrize("case", CASES)
def test_a_period_is_longer_than_the_window_and_the_frequencies_grow_with_the_effort(case):
    for law in laws(case):
        windows = windows_of(law)
        for window in seen_windows(windows):
            coarse, fine = (span_of(law, windows, window, Effort(8, 9.0, reach)) for reach in (20.0, 240.0))
            assert coarse.low < coarse.high
            assert 2 * np.pi / coarse.step > coarse.high - coarse.low
            assert fine.summands == pytest.approx(12 * coarse.summands, rel=0.2)
            assert (fine.low, fine.high, fine.theta, fine.step) == (coarse.low, coarse.high, coarse.theta, coarse.step)
