"""What is wrong with a configuration, on one line: the key, its value, what is allowed, and what to do."""

from collections.abc import Iterable

import yaml
from pydantic_core import ErrorDetails

from disclosure.numerics.errors import DisclosureError
from disclosure.workflow.config.values import LIST, RANGE, VALUE

__all__ = ["ConfigError", "dotted", "refusal", "shown"]

# Letters of a value in a message, and of a message.
_LONGEST_VALUE, _LONGEST = 100, 1000


class ConfigError(DisclosureError, ValueError):
    """A configuration that no job can be run with; its message is one line, whatever it quotes."""

    def __init__(self, message: str) -> None:
        printed = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in message)
        super().__init__(_cut(printed, _LONGEST))


def refusal(errors: Iterable[ErrorDetails]) -> ConfigError:
    """The `ConfigError` of the first of pydantic's errors: at the surface before the depth, a name before what it names."""
    return ConfigError(_message(min(errors, key=_rank)))


def _rank(error: ErrorDetails) -> tuple[bool, bool, int]:
    return (error["loc"][-1:] != ("[key]",), error["type"] == "default_factory_not_called", len(error["loc"]))


def _message(error: ErrorDetails) -> str:
    place = [step for step in error["loc"] if step not in (VALUE, LIST, RANGE)]
    if error["loc"][-1:] == ("[key]",):
        place = [*error["loc"][:-2]]
    context = error.get("ctx", {})
    if error["type"] == "missing":
        return f"{dotted(place)} is missing"
    if error["type"] == "said":
        return f"{dotted([*place, *context['key']])}{context['words']}"
    if error["type"] == "value_error":
        return f"{dotted(place)}: {context['error']}"
    if error["type"] == "refused":
        key, value, allowed = [*place, *context["key"]], context["value"], context["allowed"]
    else:
        key, value, allowed = place, error["input"], _allowed(error)
    return f"{dotted(key)} = {shown(value)}; allowed: {allowed}{_hint(value, allowed)}"


def _allowed(error: ErrorDetails) -> str:
    """Pydantic's own errors in the words of the others."""
    return "true or false" if error["type"] == "bool_type" else error["msg"]


def _hint(value: object, allowed: str) -> str:
    """What to do about a text that YAML would take for something else, where that would be allowed."""
    if not isinstance(value, str):
        return ""
    loader = yaml.SafeLoader("")
    # PyYAML's stubs have no types of this method.
    tag = str(loader.resolve(yaml.ScalarNode, value, (True, False)))  # type: ignore[no-untyped-call]
    kind = tag.rpartition(":")[2]
    if kind in ("int", "float"):
        return "; a number has digits, at most one point and an exponent"
    if (kind == "bool" and "true or false" in allowed) or (kind == "null" and "or null" in allowed):
        return f"; {value!r} is text, as all nested values of --config are: write it without quotes in a file for --configfile"
    return ""


def dotted(place: Iterable[object]) -> str:
    """The steps to a setting as one key; those that are no names are quoted."""
    return ".".join(step if isinstance(step, str) and step.isidentifier() else shown(step) for step in place)


def shown(value: object) -> str:
    """A value on one line, cut where it is long."""
    return _cut(repr(value), _LONGEST_VALUE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
