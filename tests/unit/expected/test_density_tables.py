"""Tables of a density see all of its changes."""

import numpy as np
import pytest

from disclosure.expected import density_tables


def test_a_table_follows_a_narrow_rise():
    """Neighbouring values within a factor e^1.5, over the 500 orders e that the rise has."""
    points, log = density_tables.log_table(lambda x: np.exp(-500 * np.abs(x - 0.3) / 0.01).clip(1e-217), [0.0, 1.0])
    assert log.max() - log.min() > 400
    assert np.abs(np.diff(log)).max() <= 1.5
    assert points[np.argmax(log)] == pytest.approx(0.3, abs=1e-4)


def test_support_is_found_to_the_next_point_and_snaps_to_a_break():
    points = np.linspace(0, 1, 11)
    log = np.where((points > 0.25) & (points < 0.75), 0.0, -np.inf)
    assert density_tables.support(points, log) == pytest.approx((0.2, 0.8))
    breaks = np.array([0.0, 0.2, 1.0])
    assert density_tables.snapped(0.2 + 1e-12, breaks) == 0.2
    assert density_tables.snapped(0.2 + 1e-6, breaks) == 0.2 + 1e-6
