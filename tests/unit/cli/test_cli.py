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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["odds", "--epsilon", "x"], "disclosure odds: argument --epsilon: 'x' is no number"),
        (["odds", "--epsilon", "1"], "disclosure odds: the following arguments are required: --q, --q0"),
        (["odd"], "disclosure: argument COMMAND: invalid choice: 'odd'"),
        (
            ["odds", "--epsilon", "1", "--q", "0.5", "--q0", "0.1", "--qq", "1"],
            "disclosure: unrecognized arguments: --qq 1",
        ),
        (
            ["choose", "--columns", "a:0:9", "people.csv", "--sample", "1"],
            "disclosure choose: argument --columns: 'people.csv' is a file and no column; name the table before --columns",
        ),
    ],
)
def test_a_mistake_in_the_options_is_told_in_one_line(capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("a\n1\n", encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    out, error = capsys.readouterr()
    assert error.startswith(said)
    assert error.count("\n") == 1
    assert out == ""
