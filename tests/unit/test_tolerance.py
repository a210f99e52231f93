"""What the tests' own comparisons can see."""

import numpy as np
import pytest


def test_small_numbers_are_compared_relatively():
    assert pytest.approx(1e-20, rel=1e-9) != 1.1e-20
    assert pytest.approx([1e-20], rel=1e-9) != [0.0]
    assert pytest.approx(np.array([1e-20])) != np.array([0.0])
    assert pytest.approx(1e-20, rel=0.2) == 1.1e-20
