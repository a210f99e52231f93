"""Roots of many functions at once."""

import numpy as np
import pytest

from disclosure.numerics.roots import root_between


def test_roots_are_found_entry_by_entry_and_a_bracket_without_one_is_refused():
    found = root_between(lambda x, target: np.exp(x) - target, [[-50.0]], 50.0, [1e-20, 1.0, 1e20])
    assert found == pytest.approx(np.log([[1e-20, 1.0, 1e20]]), rel=1e-15, abs=1e-15)
    with pytest.raises(ArithmeticError, match="same sign"):
        root_between(lambda x: x + 1, 0.0, 1.0)
