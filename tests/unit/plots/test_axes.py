"""What figures over a sweep share."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from disclosure.numerics.errors import DomainError
from disclosure.plots import axes
from disclosure.study.points import PARAMETERS


def sweep(**columns):
    fixed = {"point": np.arange(3), "population": np.full(3, 100), "sample": np.full(3, 90)}
    return {**fixed, "epsilon": np.ones(3), "delta": np.full(3, 0.1), **columns}


def test_points_come_in_the_order_of_what_varies():
    parameter, found = axes.in_order(sweep(delta=np.array([0.3, 0.1, 0.2])))
    assert parameter == "delta"
    assert found["delta"].tolist() == [0.1, 0.2, 0.3]
    assert found["point"].tolist() == [1, 2, 0]


def test_a_sweep_of_which_nothing_varies_has_no_figure():
    with pytest.raises(
        DomainError, match=r"^no parameter varies over the sweep; a figure needs a sweep of at least two points$"
    ):
        axes.in_order({name: values[:1] for name, values in sweep().items()})


def test_every_parameter_has_a_symbol_and_a_label():
    assert tuple(axes.SYMBOLS) == tuple(axes.LABELS) == PARAMETERS
    assert all(f"${axes.SYMBOLS[name]}$" in axes.LABELS[name] for name in PARAMETERS)


@pytest.mark.parametrize(
    ("x", "kind"), [([1, 99], "linear"), ([1, 100], "log"), ([0, 100], "linear"), ([1e-3, 1.0], "log")]
)
def test_an_axis_is_logarithmic_from_two_decades_on(x, kind):
    axis = Figure().subplots()
    axes.scale(axis, np.array(x))
    assert axis.get_xscale() == kind


def test_what_is_not_above_0_has_no_place_on_a_logarithmic_axis():
    assert np.array_equal(axes.positive(np.array([0.0, 1e-300, -1.0])), [np.nan, 1e-300, np.nan], equal_nan=True)
