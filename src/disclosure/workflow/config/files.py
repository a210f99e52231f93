"""What is lost when a file is read as YAML: keys that stand twice, and how a number is written."""

import os
import pathlib
from collections.abc import Iterator
from typing import TypeAlias

import yaml

from disclosure.numerics import numerals

__all__ = ["duplicate_keys", "empty_mappings", "misread_numbers"]

Place: TypeAlias = tuple[str | int, ...]

_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_WORDS = (".inf", ".nan")


def duplicate_keys(path: str | os.PathLike[str]) -> Iterator[tuple[str, int, int]]:
    """Yield dotted names of keys that stand more than once in a mapping of a YAML or JSON file, and the lines.

    Readers of YAML and of JSON keep the last of them.

    Parameters
    ----------
    path : path-like
        A file that is no YAML has no such keys; whoever reads it says so.

    Yields
    ------
    key : str
    first, again : int
        Lines, from 1.
    """
    for place, node in _nodes(path):
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[str, int] = {}
        for key, _ in node.value:
            name, line = _name(key), key.start_mark.line + 1
            if name in lines:
                yield ".".join(map(str, [*place, name])), lines[name], line
            lines[name] = line


def misread_numbers(path: str | os.PathLike[str]) -> Iterator[tuple[Place, str, object]]:
    """Yield the places of values that YAML takes for another number than a reader, what is written, and the number.

    ``1_80`` is 180 to YAML, ``1:30`` is 90 and ``010`` is 8. The grammar of numbers is that of `disclosure.numerics.numerals`.
    """
    for place, node in _nodes(path):
        if isinstance(node, yaml.ScalarNode) and node.style is None and node.tag in _NUMBERS:
            number = _loaded(node.value)
            if node.value.lstrip("+-").lower() not in _WORDS and numerals.parsed(node.value) != number:
                yield place, node.value, number


def _loaded(text: str) -> object:
    """What YAML reads; None for what its own reader fails at, 0x_ for example."""
    try:
        return yaml.safe_load(text)
    except (ValueError, yaml.YAMLError):
        return None


def empty_mappings(path: str | os.PathLike[str]) -> Iterator[Place]:
    """Yield the places, names and numbers of entries, of mappings without a key."""
    for place, node in _nodes(path):
        if place and isinstance(node, yaml.MappingNode) and not node.value:
            yield place


def _nodes(path: str | os.PathLike[str]) -> Iterator[tuple[Place, yaml.Node]]:
    """Every node of a file once, with the names that lead to it."""
    try:
        # A tab separates tokens in JSON but not in YAML.
        text = pathlib.Path(path).read_text(encoding="utf-8").replace("\t", " ")
        waiting: list[tuple[Place, yaml.Node | None]] = [((), yaml.compose(text, Loader=yaml.SafeLoader))]
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return
    seen: set[int] = set()
    while waiting:
        place, node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        yield place, node
        if isinstance(node, yaml.MappingNode):
            waiting += [((*place, _name(key)), value) for key, value in reversed(node.value)]
        elif isinstance(node, yaml.SequenceNode):
            waiting += [((*place, number), value) for number, value in reversed([*enumerate(node.value)])]


def _name(key: yaml.Node) -> str:
    return key.value if isinstance(key, yaml.ScalarNode) else "?"
