"""The rooms of the package: imports go down only, no module imports itself by a detour, and the picture shows this."""

import graphlib
import pathlib
import re
import runpy
import types

import pytest

import disclosure

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs/tools/rooms.py"


@pytest.fixture(scope="module")
def rooms():
    """The script that reads the imports and draws them."""
    return types.SimpleNamespace(**runpy.run_path(str(SCRIPT)))


def imports(rooms, types=True):
    return {name: dict(rooms.module_imports(path, types)) for name, path in rooms.modules().items()}


def test_every_room_has_its_place(rooms):
    packages = {path.parent.name for path in (ROOT / "src/disclosure").glob("*/__init__.py")}
    assert set(rooms.ROOMS) == packages
    tests = {path.parent.name for path in (ROOT / "tests/unit").glob("*/__init__.py")}
    assert tests == packages


def test_imports_go_down_only(rooms):
    height = {room: floor for floor, room in enumerate(rooms.ROOMS)}
    upwards = []
    for name, targets in imports(rooms).items():
        if name == "disclosure":  # the face above all rooms
            continue
        for target, line in targets.items():
            other = target.split(".")[1] if "." in target else None
            if other and height[other] > height[name.split(".")[1]]:
                upwards.append(f"{rooms.modules()[name].relative_to(ROOT)}:{line} imports {target}")
    assert not upwards, "\n".join(upwards)


def test_no_module_imports_itself_by_a_detour(rooms):
    # What is imported for the sake of types alone is not there at run time.
    graph = {name: set(targets) - {name} for name, targets in imports(rooms, types=False).items()}
    del graph["disclosure"]  # imports its public names when they are first used
    for targets in graph.values():
        targets.discard("disclosure")
    graphlib.TopologicalSorter(graph).prepare()


def test_the_picture_shows_the_imports(rooms):
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.picture(), "run: python docs/tools/rooms.py"


@pytest.mark.parametrize("text", [disclosure.__doc__, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")])
def test_texts_name_the_rooms_from_the_ground_up(rooms, text):
    named = [name for name in re.findall(r"`(\w+)`", text) if name in rooms.ROOMS]
    positions = [named.index(room) for room in rooms.ROOMS]
    assert positions == sorted(positions)
