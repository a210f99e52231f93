"""The table of adversaries of a case-control study."""

import numpy as np
import pytest

from disclosure.workflow import tables
from tests.commands import main

PROFILE = "{scale: linear, knots: [[0.1, 10], [1, 2], [2.5, 5]]}"


def test_the_table_of_adversaries(tmp_path):
    words = ["--profile", PROFILE, "--participants", "1095", "--prevalence", "0.00125", "--q0", "0.1"]
    main(["adversaries", *words, "--output", str(tmp_path / "table.csv")])
    table = tables.read(tmp_path / "table.csv", tables.ADVERSARIES, rows=4)
    assert table["adversary"].tolist() == ["prevalence", "naive", "q0 = 0.1", "any"]
    assert table["prior_odds_ratio"].tolist() == pytest.approx([799, 1, 9, 1])
    assert np.all(np.exp(2 * table["epsilon_rounded_down"]) <= table["bound"])
