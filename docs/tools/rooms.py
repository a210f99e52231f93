"""Which room of the package imports which, read from the source without running it, and the picture of it.

``python docs/tools/rooms.py`` writes docs/images/rooms.svg.
"""

import ast
import functools
import pathlib
from collections.abc import Iterator
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "disclosure"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"

# From the ground up: a room imports from those before it only.
ROOMS = (
    "numerics",
    "gaussian_measure",
    "mechanisms",
    "beliefs",
    "expected",
    "study",
    "people",
    "releases",
    "plots",
    "pages",
    "workflow",
    "cli",
)

# The picture, in pixels.
_FLOOR = 52  # height of a room with the space below it
_BOX = 40  # height of a room's box
_TEXT = 700  # width of a room's box
_LANE = 26  # distance between the lines of two rooms
_MARGIN = 12
_DOT = 4.5  # radius where a line ends at a room that is imported
_COLOURS = (
    "#1f4e8c",
    "#b03a2e",
    "#1e7b4f",
    "#7d3c98",
    "#b9770e",
    "#117a8b",
    "#616a6b",
    "#a93268",
    "#4a5a1f",
    "#34495e",
    "#0b5345",
    "#6e2c00",
)


def module_imports(path: pathlib.Path, types: bool = True) -> Iterator[tuple[str, int]]:
    """Modules of the package that a file imports, with the line, within functions as well; ``types``: those for types too."""
    within = path.relative_to(PACKAGE.parent).with_suffix("").parts
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if types or not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(within[: -node.level]) if node.level else ""
            base = ".".join(filter(None, [start, node.module or ""]))
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((_module(name), node.lineno) for name in names if name.split(".")[0] == PACKAGE.name)


@functools.cache
def modules() -> dict[str, pathlib.Path]:
    """Every module of the package by its full name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def room_imports() -> dict[str, set[str]]:
    """The other rooms that each room imports from."""
    rooms: dict[str, set[str]] = {room: set() for room in ROOMS}
    for name, path in modules().items():
        if room := _room(name):
            rooms[room] |= {other for target, _ in module_imports(path) if (other := _room(target)) and other != room}
    return rooms


def picture() -> str:
    """The rooms as floors of a house, with a line from each down to those that it imports from, as SVG."""
    imports = room_imports()
    top = {room: _MARGIN + _FLOOR * floor for floor, room in enumerate(reversed(ROOMS))}
    users = [room for room in reversed(ROOMS) if imports[room]]
    width, height = _MARGIN + _TEXT + _LANE * (len(users) + 1), 2 * _MARGIN + _FLOOR * len(ROOMS) - (_FLOOR - _BOX)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" role="img" aria-labelledby="title">',
        '<title id="title">The rooms of the package, from the ground up, and the imports between them</title>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for lane, room in enumerate(users, 1):
        x, colour, start = _MARGIN + _TEXT + _LANE * lane, _COLOURS[ROOMS.index(room)], top[room] + _BOX / 2
        ends = sorted(top[other] + _BOX / 2 for other in imports[room])
        # A line goes up to a room that should not be imported from, too, so that it is seen.
        path = f"M{_MARGIN + _TEXT} {start:g}H{x}M{x} {min(start, *ends):g}V{max(start, *ends):g}"
        lines.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        lines += [f'<circle cx="{x}" cy="{end:g}" r="{_DOT}" fill="{colour}"/>' for end in ends]
    for room in reversed(ROOMS):
        y, colour = top[room], _COLOURS[ROOMS.index(room)]
        lines += [
            f'<rect x="{_MARGIN}" y="{y}" width="{_TEXT}" height="{_BOX}" rx="4" fill="#f6f7f9" stroke="{colour}"/>',
            f'<text x="{_MARGIN + 10}" y="{y + 16}" font-size="13" font-weight="bold" fill="{colour}">{room}</text>',
            f'<text x="{_MARGIN + 10}" y="{y + 32}" font-size="11" fill="#222222">{escape(_first_line(room))}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def _module(name: str) -> str:
    """The module that a name stands for: itself, or the one that it is taken from."""
    return name if name in modules() else name.rpartition(".")[0]


def _room(module: str) -> str | None:
    """The room of a module, or None for the package itself, the face above all rooms."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def _first_line(room: str) -> str:
    docstring = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8")))
    return (docstring or "").partition("\n")[0].replace("`", "")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
