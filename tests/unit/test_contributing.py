"""CONTRIBUTING.md points at code that is there and that says which equation it is of."""

import functools
import importlib
import inspect
import pathlib
import re

import pytest

import disclosure

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
EQUATION = re.compile(r"^\| ([^|`]+) \| [^|]+ \| `(\w+(?:\.\w+)+)` \|$", re.MULTILINE)
ROWS = EQUATION.findall(PAGE)
INLINE = re.findall(r"`((?:disclosure|" + "|".join(("mechanisms", "beliefs", "people")) + r")(?:\.\w+)+)`", PAGE)


def found(name):
    """What a name of the package stands for."""
    module, _, attribute = name.removeprefix("disclosure.").rpartition(".")
    try:
        return importlib.import_module(f"disclosure.{module}.{attribute}")
    except ModuleNotFoundError:
        return getattr(importlib.import_module(f"disclosure.{module}"), attribute)


def test_both_papers_have_their_table():
    assert PAGE.count("| equation | what it is | function |") == 2
    assert len(ROWS) > 20


@pytest.mark.parametrize(("equation", "name"), ROWS)
def test_functions_say_which_equation_they_compute(equation, name):
    value = found(name)
    assert value.__module__ == f"disclosure.{name.rpartition('.')[0]}", "the table names where it stands"
    text = " ".join(filter(None, [inspect.getdoc(value), inspect.getdoc(inspect.getmodule(value))]))
    for part in equation.removeprefix("the ").split(", "):
        assert says(text, part), f"neither {name} nor its module speaks of {part}"


def says(text, equation):
    """Whether a text names an equation, alone or within a range such as (4)-(6)."""
    if number := re.fullmatch(r"\((\d+)\)", equation):
        ranges = re.findall(r"\((\d+)\)-\((\d+)\)", text)
        return equation in text or any(int(low) <= int(number[1]) <= int(high) for low, high in ranges)
    return re.search(rf"\b{equation}\b", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("name", INLINE)
def test_names_in_the_text_are_there(name):
    assert found(name)


def test_every_equation_that_code_names_is_in_the_table():
    """A function whose first line says of which equation it is has a row."""
    rows = {name for _, name in ROWS}
    missing = {
        name: line
        for name, line in public_functions()
        if re.search(r"\(paper [AB], (equations? )?\(", line) and name not in rows
    }
    assert not missing


@functools.cache
def public_functions():
    functions = []
    for room in ("mechanisms", "beliefs", "study", "people"):
        folder = pathlib.Path(disclosure.__file__).parent / room
        for path in sorted(folder.glob("[!_]*.py")):
            module = importlib.import_module(f"disclosure.{room}.{path.stem}")
            for name in module.__all__:
                value = getattr(module, name)
                if inspect.isfunction(value) and value.__module__ == module.__name__:
                    functions.append((f"{room}.{path.stem}.{name}", inspect.getdoc(value).partition("\n")[0]))
    return functions
