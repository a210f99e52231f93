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


@pytest.mark.parametrize(
    ("values", "scale", "places", "labels"),
    [
        ([10, 1000, 10_000], "log", [10, 1000, 10_000], None),
        ([10, 1000, np.inf], "log", [10, 1000, 10_000], ["$10^{1}$", "$10^{2}$", "$10^{3}$", r"$\infty$"]),
        ([100, 150, np.inf], "linear", [100, 150, 155], None),
    ],
)
def test_infinity_comes_after_the_largest_value(values, scale, places, labels):
    axis = Figure().subplots()
    x = np.array(values)
    assert axes.placed(x).tolist() == places
    axis.plot(axes.placed(x), [1, 1, 1])
    axes.scale(axis, x)
    assert axis.get_xscale() == scale
    shown = [text.get_text() for text in axis.get_xticklabels()]
    if labels:
        assert shown == labels
    if np.isinf(values[-1]):
        assert shown[-1] == r"$\infty$"
        assert axis.get_xticks()[-1] == places[-1]
