"""How the command ends when a computation fails."""

import pytest

from disclosure import cli
from disclosure.cli import odds


@pytest.mark.parametrize("failure", [ArithmeticError, OverflowError, ValueError])
def test_a_computation_that_fails_ends_with_one_line(capsys, monkeypatch, failure):
    def run(arguments):
        raise failure("Newton's method has not converged in 200 steps")

    monkeypatch.setattr(odds, "run", run)
    with pytest.raises(SystemExit) as caught:
        cli.main(["odds", "--epsilon", "0.34", "--q", "0.5", "--q0", "0.5"])
    assert caught.value.code == 2
    assert capsys.readouterr().err == "disclosure odds: Newton's method has not converged in 200 steps\n"


def test_ctrl_c_ends_with_one_line(capsys, monkeypatch):
    def run(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(odds, "run", run)
    with pytest.raises(SystemExit) as caught:
        cli.main(["odds", "--epsilon", "0.34", "--q", "0.5", "--q0", "0.5"])
    assert caught.value.code == 130
    assert capsys.readouterr().err == "disclosure odds: interrupted\n"
