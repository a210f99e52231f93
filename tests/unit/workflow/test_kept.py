"""Files of an earlier run that come back where nothing takes their place."""

import os

import pytest

from disclosure.workflow.kept import Kept


@pytest.mark.parametrize("links", [True, False], ids=["a second name", "a copy"])
def test_a_file_that_was_removed_comes_back_as_it_was(tmp_path, monkeypatch, links):
    monkeypatch.chdir(tmp_path)
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    os.makedirs("results/a")
    for name in ("results/a/b.csv", "results/c.csv"):
        with open(name, "w", encoding="utf-8") as file:
            file.write(name)
    os.utime("results/a/b.csv", (1e9, 1e9))
    names = ["results/a/b.csv", "results/c.csv", "results/new.csv"]
    kept = Kept(".kept", names)
    assert kept.lost(names) == []
    os.remove("results/a/b.csv")
    os.remove("results/c.csv")
    with open("results/c.csv", "w", encoding="utf-8") as file:
        file.write("a successor")
    assert kept.lost(names) == ["results/a/b.csv"]
    kept.restore("results/a/b.csv")
    kept.forget()
    assert os.stat("results/a/b.csv").st_mtime == 1e9
    texts = [(tmp_path / name).read_text(encoding="utf-8") for name in names[:2]]
    assert texts == ["results/a/b.csv", "a successor"]
    assert not os.path.exists(".kept")


def refuse(*_):
    raise OSError("no second names here")
