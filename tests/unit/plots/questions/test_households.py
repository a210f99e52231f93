"""The figure of households that enter the data together."""

import numpy as np

from disclosure.plots import style
from disclosure.plots.questions import households
from disclosure.workflow.questions.households import rows


def test_every_curve_is_drawn_and_named():
    table = rows({"population": 12, "sample": 8, "sizes": [1, 2, 4], "epsilon": 1.0, "delta": 0.1})
    figure = households.figure({name: np.asarray(values) for name, values in table.items()})
    failures, left = figure.axes
    assert len(failures.lines) == 5
    assert {tuple(line.get_xdata()) for axis in figure.axes for line in axis.lines} == {(1, 2, 4)}
    assert left.lines[0].get_ydata().tolist() == table["epsilon_left"]
    # Pure privacy for one person is that of a household times its members.
    assert np.allclose(left.lines[1].get_ydata(), [1, 2, 4], rtol=1e-9)
    svg = style.rendered(figure, "svg").decode()
    for words in ("members of a household", "nothing known", "ones against zeros", "normal noise", "pure privacy"):
        assert words in svg
