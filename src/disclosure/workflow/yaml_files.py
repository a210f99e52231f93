"""YAML as the project reads it: numbers by the grammar of `numerals`, and every key of a mapping once.

YAML 1.1, which PyYAML reads, has other numbers than people write: 1e-3 is text to it, 1:30 is 90, 1_000 is 1000 and 010 is 8.
Here 1e-3 is a number, and what YAML alone takes for a number, or for another number, is refused with its line.
"""

import os
import pathlib
import re
from typing import Any

import yaml

from disclosure.numerics import numerals
from disclosure.numerics.errors import DomainError

__all__ = ["load_yaml", "mapping", "parse_yaml"]

_INT, _FLOAT = "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
# Octal to YAML, decimal to everybody else.
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]+")


def load_yaml(path: str | os.PathLike[str]) -> Any:
    """Data of a YAML file, `parse_yaml` of its text."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8-sig")
    except IsADirectoryError:
        raise DomainError(f"{path}: is a folder; expected a YAML file") from None
    except UnicodeDecodeError:
        raise DomainError(f"{path}: is not a text in UTF-8") from None
    return parse_yaml(text, path)


def mapping(data: object, source: str, expected: str) -> dict[Any, Any]:
    """Data of a file that are a mapping.

    Anything else may be a confidential table that was named by mistake, so that the message quotes nothing of it.
    """
    if isinstance(data, dict):
        return data
    kind = "nothing" if data is None else "a list" if isinstance(data, list) else "no keys, but text"
    raise DomainError(f"{source}: holds {kind}; expected {expected}")


def parse_yaml(text: str, source: str | os.PathLike[str]) -> Any:
    """Data of a text in YAML or JSON.

    Parameters
    ----------
    text : str
    source : str
        What the text is called in messages.

    Returns
    -------
    dict, list, str, int, float, bool, datetime or None

    Raises
    ------
    disclosure.numerics.errors.DomainError
        In one line, with that of the text if it has several, for what is no YAML, for numbers outside the grammar and for keys
        that stand twice.
    """
    try:
        return yaml.load(text, _Loader)
    except _Refused as error:
        line = f"line {error.line}: " if "\n" in text else ""
        raise DomainError(f"{source}: {line}{error.problem}") from None
    except yaml.YAMLError as error:
        raise DomainError(f"{source}: not readable as YAML ({' '.join(str(error).split())})") from None


class _Refused(yaml.MarkedYAMLError):
    """What YAML would read and the project does not."""

    def __init__(self, problem: str, node: yaml.Node) -> None:
        super().__init__(problem=problem, problem_mark=node.start_mark)
        self.line = node.start_mark.line + 1


class _Loader(yaml.SafeLoader):
    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        first: dict[tuple[str, str], yaml.ScalarNode] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and first.setdefault((key.tag, key.value), key) is not key:
                line = first[key.tag, key.value].start_mark.line + 1
                raise _Refused(f"the key {key.value} stands on line {line} already; write every key once", key)
        return node

    def construct_number(self, node: yaml.ScalarNode) -> float:
        text = self.construct_scalar(node)
        if _LEADING_ZERO.fullmatch(text):
            raise _Refused(f"{text!r} has a leading zero, which YAML reads as octal; leave it out", node)
        try:
            return numerals.whole(text) if node.tag == _INT else numerals.number(text)
        except DomainError as error:
            raise _Refused(str(error), node) from None


# After YAML's own expressions, which already find the whole numbers.
_Loader.add_implicit_resolver(_FLOAT, re.compile(rf"(?:{numerals.NUMBER})$"), list("+-.0123456789"))
_Loader.add_constructor(_INT, _Loader.construct_number)
_Loader.add_constructor(_FLOAT, _Loader.construct_number)
