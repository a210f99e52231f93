"""What answers write into a folder: the files of one answer, and nothing of anybody else's is lost."""

import pathlib

import pytest

from disclosure.cli import answer_folder, page
from disclosure.numerics.errors import DomainError
from tests.commands import main

TABLE = ["--columns", "income:0:10", "--query", "mean"]
GUARANTEE = ["--sample", "6", "--epsilon", "2", "--delta", "0.05", "--datasets", "2"]
PLAN = "sample: 6\npopulation: 8\nbudget: {rho: 0.1}\nstatistics: {m: {kind: mean, columns: ['income:0:10']}}\n"
COMMANDS = {
    "assess": ["assess", "table.csv", *TABLE, *GUARANTEE],
    "choose": ["choose", "table.csv", *TABLE, "--sample", "6", "--largest-ratio", "2", "--failure", "1e-3"],
    "release": ["release", "plan.yaml", "table.csv", "--datasets", "2"],
    "compare": ["compare", "table.csv", *TABLE, "--samples", "6"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, without_figures):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("table.csv").write_text("income\n" + "\n".join("12234789") + "\n", encoding="utf-8")
    pathlib.Path("plan.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in pathlib.Path(folder).iterdir()}


def refused(words, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    message = capsys.readouterr().err
    assert stopped.value.code == 2
    assert message.count("\n") == 1
    return message


def test_each_command_leaves_its_own_files_alone_whatever_was_answered_before():
    for words in COMMANDS.values():
        main([*words, "--output", "fresh"])
        main([*words, "--output", "used"])
        assert contents("used").keys() == contents("fresh").keys()
        listed = pathlib.Path("used", answer_folder.LIST).read_text(encoding="utf-8").splitlines()[1:]
        assert {*listed, answer_folder.LIST} == contents("used").keys()
        for path in pathlib.Path("fresh").iterdir():
            path.unlink()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_no_answer_wrote_stops_an_answer_before_it_writes(capsys, folder, name, kind):
    foreign = {"compare": "comparison.csv", "release": "budget.csv"}.get(name, "release.json")
    path = pathlib.Path("mine", foreign)
    path.parent.mkdir()
    if kind == "link":
        path.symlink_to("nowhere")
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_text("mine", encoding="utf-8")
    message = refused([*COMMANDS[name], "--output", "mine"], capsys)
    assert f"output = 'mine' holds {foreign}, which no earlier answer wrote; move that away" in message
    assert [path.name for path in pathlib.Path("mine").iterdir()] == [foreign]


@pytest.mark.parametrize("name", COMMANDS)
def test_files_of_other_names_are_left_as_they_are(name):
    mine = pathlib.Path("mine")
    mine.mkdir()
    for other in ("attribute.csv", "notes.txt"):
        (mine / other).write_text("mine", encoding="utf-8")
    main([*COMMANDS[name], "--output", "mine"])
    main([*COMMANDS[name], "--output", "mine"])
    assert contents("mine")["attribute.csv"] == contents("mine")["notes.txt"] == b"mine"


def test_a_table_is_neither_replaced_nor_removed(capsys):
    pathlib.Path("z").mkdir()
    pathlib.Path("table.csv").rename("z/attribute.csv")
    before = pathlib.Path("z/attribute.csv").read_bytes()
    assess = ["assess", "z/attribute.csv", *TABLE, *GUARANTEE, "--output", "z"]
    main(assess)  # writes no file of that name
    capsys.readouterr()
    assert "would replace the table that is read, attribute.csv" in refused(
        [*assess, "--sensitive", "income > 3"], capsys
    )
    # Not even if it has taken the place of a file that an earlier answer wrote.
    with pathlib.Path("z", answer_folder.LIST).open("a", encoding="utf-8") as noted:
        noted.write("attribute.csv\n")
    assert "would replace the table that is read, attribute.csv" in refused(assess, capsys)
    assert pathlib.Path("z/attribute.csv").read_bytes() == before


def test_an_interrupted_answer_does_not_stand_in_the_way_of_the_next(monkeypatch):
    main([*COMMANDS["assess"], "--output", "used"])

    def fail(*_):
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(page, "write", fail)
        with pytest.raises(RuntimeError):
            main([*COMMANDS["assess"], "--sensitive", "income > 3", "--output", "used"])
    assert pathlib.Path("used/attribute.csv").exists()
    main([*COMMANDS["choose"], "--output", "used"])
    assert contents("used").keys() == {answer_folder.LIST, *page.FILES}


@pytest.mark.parametrize("noted", [b"mine\n", b"", b"\xff"])
def test_a_list_that_no_answer_wrote_is_refused(noted):
    pathlib.Path("mine").mkdir()
    pathlib.Path("mine", answer_folder.LIST).write_bytes(noted)
    with pytest.raises(DomainError, match="is no list that an answer wrote"):
        answer_folder.check("mine", ["people.csv"])


def test_a_list_names_nothing_outside_its_folder(folder):
    with answer_folder.replaced("used", ["../table.csv"]):
        pass
    with answer_folder.replaced("used", []):
        pass
    assert (folder / "table.csv").exists()
