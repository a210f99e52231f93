"""The figure of four kinds of noise on the number of cases."""

import numpy as np

from disclosure.plots import style
from disclosure.plots.questions import case_control_noises
from disclosure.workflow.questions.case_control_noises import rows


def test_every_noise_is_drawn_in_both_panels_and_named():
    settings = {"error": 4.0, "errors": [8.0, 2.0], "probability": 0.01, "case_control": {"participants": 11}}
    figure = case_control_noises.figure({name: np.asarray(values) for name, values in rows(settings).items()})
    right = figure.axes[1]
    assert [len(axis.lines) for axis in figure.axes] == [5, 4]
    assert all(line.get_xdata().tolist() == [2.0, 8.0] for line in right.lines)
    svg = style.rendered(figure, "svg").decode()
    for words in (
        "Laplace",
        "geometric",
        "Gaussian",
        "discrete Gaussian",
        "knows the design only",
        "except with probability 0.01",
    ):
        assert words in svg
