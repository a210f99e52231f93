"""The figure of the ratio by mechanism."""

import numpy as np

from disclosure.plots import style
from disclosure.plots.questions import mechanisms
from disclosure.workflow.questions.mechanisms import rows

SETTINGS = {
    "population": 16,
    "sample": 12,
    "ones": 5,
    "ones_outside": 1,
    "errors": [4.0, 1.5],
    "probability": 0.01,
    "rate": 0.5,
    "releases": 1000,
    "seed": 7,
}


def test_every_curve_is_drawn_and_named_and_intervals_with_a_length_are_lines():
    table = {name: np.asarray(values) for name, values in rows(SETTINGS).items()}
    figure = mechanisms.figure(table)
    assert len(figure.axes) == 2
    for axis, side in zip(figure.axes, ("upper", "lower"), strict=True):
        named = {line.get_label(): line for line in axis.lines if not line.get_label().startswith("_")}
        assert len(named) == 7
        assert all(np.all(np.diff(line.get_xdata()) > 0) for line in named.values())
        gaussian = table["mechanism"] == "gaussian"
        assert named["Gaussian"].get_ydata().tolist() == table[side][gaussian][::-1].tolist()
        long = np.count_nonzero(table[f"{side}_high"] > table[f"{side}_low"])
        assert long > 0
        assert len(axis.lines) == 7 + 1 + long  # and the level 1
    svg = style.rendered(figure, "svg").decode()
    for words in (
        "exponential mechanism, simulated",
        "exceeded with probability 0.01",
        "undercut with probability 0.01",
    ):
        assert words in svg


def test_a_mechanism_without_rows_is_left_out():
    table = {name: np.asarray(values) for name, values in rows({**SETTINGS, "errors": 1.5}).items()}
    labels = [text.get_text() for text in mechanisms.figure(table).legends[0].get_texts()]
    assert len(labels) == 6
    assert not any("subsampled" in label for label in labels)
