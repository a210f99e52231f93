"""Figures of a table of people."""

import numpy as np
import pytest

from disclosure.people.summary import Summary, columns, summarise
from disclosure.plots import exposure, style
from tests.unit.people.exposed import SETTING, exposed


def entries(figure):
    """What the legend says."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


RELEASED = "people.csv: mean of height"


def people_figure(table):
    return exposure.people_figure(table, summarise(SETTING, table), RELEASED)


def marks(axis, marker):
    """Places of all marks of a kind."""
    lines = [line for line in axis.lines if line.get_marker() == marker]
    return np.concatenate([line.get_ydata() for line in lines]).tolist()


def ticks(axis):
    return {text.get_text(): place for place, text in zip(axis.get_yticks(), axis.get_yticklabels(), strict=True)}


def test_the_figure_of_people_names_who_is_exposed():
    table = exposed(np.append(0.5, np.full(39, 1e-4)), np.full(40, 1e-5), ["everybody"] * 40)
    figure = people_figure(table)
    files = [style.rendered(drawn, "svg") for drawn in (figure, people_figure(table))]
    assert files[0] == files[1]
    text = files[0].decode()
    for words in ("row 10", "largest over all datasets", "mean of 7 datasets", RELEASED, "30 of 40 people"):
        assert words in text, words
    assert "looked at" not in text
    left, right = figure.axes
    assert (left.get_yscale(), right.get_yscale()) == ("linear", "log")
    assert marks(left, "s") == table["rise_limit"].tolist()
    assert marks(right, "s") == table["union_mass_supremum"].tolist()
    table["rise_limit"][0] = 1000.0
    assert people_figure(table).axes[0].get_yscale() == "log"


def test_probabilities_that_are_0_or_tiny_stand_where_the_axis_says_so():
    table = exposed([0.5, 0.1, 1e-13, 0.0], np.zeros(4), ["everybody"] * 4, counts=[37, 1, 1, 1])
    (_, right) = people_figure(table).axes
    places = ticks(right)
    tiny, zero = places["$<10^{-12}$"], places["0"]
    assert 0 < zero < tiny < 1e-12
    assert marks(right, "s") == pytest.approx([1.0, 0.3, tiny, zero])
    assert marks(right, "o") == pytest.approx([0.005, 0.001, tiny, zero])
    assert right.get_ylim()[0] < zero
    assert "1e-12" not in "".join(places)
    # Without such people the axis has no place for them.
    (_, right) = people_figure(exposed([0.5, 0.1], np.zeros(2), ["everybody"] * 2, counts=[20, 20])).axes
    assert not {"0", "$<10^{-12}$"} & set(ticks(right))
    assert right.get_ylim()[0] < min(right.get_yticks())


def test_people_who_were_picked_and_sampled_are_told_apart():
    chosen = ["farthest", "exposed", *["sampled"] * 38]
    figure = people_figure(exposed(np.linspace(0.1, 0.2, 40), np.zeros(40), chosen))
    pale, strong = (line for line in figure.axes[0].lines if line.get_marker() == "s")
    assert (len(pale.get_xdata()), len(strong.get_xdata())) == (38, 2)
    assert pale.get_alpha() < strong.get_alpha() == 1
    assert entries(figure)[-2:] == ["picked: they stick out", "pale: a random sample of the others"]
    everybody = people_figure(exposed(np.linspace(0.1, 0.2, 40), np.zeros(40), ["everybody"] * 40))
    assert not any("pale" in words for words in entries(everybody))


def test_names_of_people_do_not_cover_each_other_or_the_axis():
    table = exposed([0.3, 0.3, 0.3, 0.1], np.zeros(4), ["everybody"] * 4, counts=[37, 1, 1, 1])
    table["centre"] = np.array([0.9, 0.89, 0.0, 0.5])
    left = people_figure(table).axes[0]
    assert sorted(text.get_text() for text in left.texts) == ["row 10", "row 12"]
    sides = {text.get_text(): text.get_ha() for text in left.texts}
    assert sides == {"row 10": "right", "row 12": "left"}


def test_numbers_in_a_title_have_no_computer_exponents():
    table = exposed([0.5, 0.1], np.zeros(2), ["everybody"] * 2, counts=[20, 20])
    row = summarise(SETTING._replace(delta=1e-6, sigma=24000.0), table)
    title = exposure.people_figure(table, row, "cost.csv: sum of " + "price in $, " * 40).get_suptitle()
    assert r"$\delta = 10^{-6}$" in title
    assert r"$\sigma = 2.4 \times 10^{4}$" in title
    assert max(map(len, title.split("\n"))) < 140
    assert r"\$" in title


def test_factors_without_limit_leave_room_for_the_others():
    table = exposed(np.linspace(0.1, 0.2, 40), np.zeros(40), ["everybody"] * 40)
    others = table["rise_limit"][1:].max()
    table["rise_limit"][0] = np.inf
    assert others < people_figure(table).axes[0].get_ylim()[1] < np.inf


def test_people_who_are_all_alike_have_a_figure():
    figure = people_figure(exposed(np.zeros(40), np.zeros(40), ["everybody"] * 40))
    assert style.rendered(figure, "svg")
    assert set(marks(figure.axes[1], "s")) == {ticks(figure.axes[1])["0"]}


def test_the_figure_of_a_sweep_has_risk_and_utility():
    rows = []
    for point, epsilon in enumerate((2.0, 0.5, 1.0)):
        table = exposed(np.full(40, 0.01 * epsilon), np.full(40, 1e-5), ["everybody"] * 40)
        rows.append(summarise(SETTING._replace(point=point, epsilon=epsilon, sigma=2 / epsilon), table))
    summary = {name: np.array(values) for name, values in columns(rows).items()}
    figure = exposure.sweep_figure(summary, RELEASED)
    risk, utility, bound = figure.axes
    assert risk.lines[0].get_xdata().tolist() == [0.5, 1.0, 2.0]
    assert risk.lines[0].get_ydata() == pytest.approx([0.015, 0.03, 0.06])
    assert utility.lines[0].get_ydata() == pytest.approx([4.0, 2.0, 1.0])
    for line, name in zip(bound.lines, ("rise_limit", "rise_found", "ratio_upper"), strict=True):
        assert line.get_ydata().tolist() == sorted(summary[name]), name
    text = style.rendered(figure, "svg").decode()
    for words in (
        RELEASED,
        "exact over all datasets",
        "expected error",
        "posterior-to-prior ratio",
        "40 targets, 7 datasets each",
        "belief rises by no more, except with probability 0.001",
        "the same, in the worst dataset found",
    ):
        assert words in text, words
    with pytest.raises(ValueError, match="at least two points"):
        exposure.sweep_figure({name: values[:1] for name, values in summary.items()}, RELEASED)


def test_a_sweep_draws_probabilities_of_0_where_the_axis_says_so():
    table = exposed([0.1] * 40, [0.0] * 40, ["everybody"] * 40)
    row = summarise(SETTING, table)
    summary = {name: np.array([getattr(row, name)] * 2) for name in Summary._fields}
    summary |= {"epsilon": np.array([1.0, 2.0]), "failure_probability_mean": np.array([0.0, 1e-20])}
    risk = exposure.sweep_figure(summary, RELEASED).axes[0]
    assert risk.lines[-1].get_ydata().tolist() == [ticks(risk)["0"], ticks(risk)["$<10^{-12}$"]]


def test_figures_of_all_datasets_count_no_sampled_ones():
    table = exposed([0.1] * 40, [0.0] * 40, ["everybody"] * 40, datasets=0)
    row = summarise(SETTING, table)
    assert any("mean of all datasets" in words for words in entries(people_figure(table)))
    summary = {name: np.array([getattr(row, name)] * 2) for name in Summary._fields}
    summary["epsilon"] = np.array([1.0, 2.0])
    figure = exposure.sweep_figure(summary, RELEASED)
    assert "40 targets, all datasets each" in figure.get_suptitle()
    assert not any("sampled" in words for words in (figure.get_suptitle(), *entries(figure)))
