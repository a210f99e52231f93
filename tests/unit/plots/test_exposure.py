"""Figures of a table of people."""

import numpy as np
import pytest

from disclosure.people.summary import Summary, columns, summarise
from disclosure.plots import exposure, style
from tests.unit.people.exposed import SETTING, exposed


def entries(figure):
    """What the legend says."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_the_figure_of_people_names_who_is_exposed():
    table = exposed(np.append(0.5, np.full(39, 1e-4)), np.full(40, 1e-5), ["everybody"] * 40)
    table["failure_probability_mean"] = np.append(0.01, np.full(39, 1e-30))
    summary = summarise(SETTING, table)
    figure = exposure.people_figure(table, summary, "mean")
    files = [style.rendered(drawn, "svg") for drawn in (figure, exposure.people_figure(table, summary, "mean"))]
    assert files[0] == files[1]
    text = files[0].decode()
    for words in ("row 10", "largest over all datasets", "mean of 7 datasets", "39 people", "mean of 30 of 40 people"):
        assert words in text, words
    left, right = figure.axes
    assert left.get_yscale() == right.get_yscale() == "log"
    assert left.lines[1].get_ydata().tolist() == [0.01]
    table["people"][1:] = 2
    assert any("78 people" in words for words in entries(exposure.people_figure(table, summary, "mean")))


def test_people_who_are_all_alike_have_a_figure():
    table = exposed(np.zeros(40), np.zeros(40), ["everybody"] * 40)
    assert style.rendered(exposure.people_figure(table, summarise(SETTING, table), "mean"), "svg")


def test_the_figure_of_a_sweep_has_risk_and_utility():
    rows = []
    for point, epsilon in enumerate((2.0, 0.5, 1.0)):
        table = exposed(np.full(40, 0.01 * epsilon), np.full(40, 1e-5), ["everybody"] * 40)
        rows.append(summarise(SETTING._replace(point=point, epsilon=epsilon, sigma=2 / epsilon), table))
    summary = {name: np.array(values) for name, values in columns(rows).items()}
    figure = exposure.sweep_figure(summary)
    risk, utility, bound = figure.axes
    assert risk.lines[0].get_xdata().tolist() == [0.5, 1.0, 2.0]
    assert risk.lines[0].get_ydata() == pytest.approx([0.015, 0.03, 0.06])
    assert utility.lines[0].get_ydata() == pytest.approx([4.0, 2.0, 1.0])
    for line, name in zip(bound.lines, ("rise_limit", "rise_found", "ratio_upper"), strict=True):
        assert line.get_ydata().tolist() == sorted(summary[name]), name
    text = style.rendered(figure, "svg").decode()
    for words in (
        "exact over all datasets",
        "expected error",
        "posterior-to-prior ratio",
        "40 targets, 7 datasets each",
        "belief rises by no more, except with probability 0.001",
        "the same, in the worst dataset found",
    ):
        assert words in text, words
    with pytest.raises(ValueError, match="at least two points"):
        exposure.sweep_figure({name: values[:1] for name, values in summary.items()})


def test_figures_of_all_datasets_count_no_sampled_ones():
    table = exposed([0.1] * 40, [0.0] * 40, ["everybody"] * 40, datasets=0)
    row = summarise(SETTING, table)
    assert any("mean of all datasets" in words for words in entries(exposure.people_figure(table, row, "mean")))
    summary = {name: np.array([getattr(row, name)] * 2) for name in Summary._fields}
    summary["epsilon"] = np.array([1.0, 2.0])
    figure = exposure.sweep_figure(summary)
    assert "40 targets, all datasets each" in figure.get_suptitle()
    assert not any("sampled" in words for words in (figure.get_suptitle(), *entries(figure)))
