"""The configuration: checked as a whole before any job runs, with one message that tells what to change.

`models` has the settings with their defaults, ranges and descriptions, `values` the types of single settings, `work` the bounds
of a run's jobs; `files` and `people` look up what stands in files, and `messages` has the words of an error. The JSON schema
and docs/settings.md are made from the models by `python -m disclosure.workflow.config`. No job imports this package: the
import takes as long as a short job.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from disclosure.numerics import numerals
from disclosure.workflow.config.files import duplicate_keys, empty_mappings, misread_numbers
from disclosure.workflow.config.messages import ConfigError, dotted, refusal, shown
from disclosure.workflow.config.models import Settings
from disclosure.workflow.stages import taken

__all__ = ["ConfigError", "check", "read"]

# Levels; the configuration has five at most.
_DEEPEST = 10
# Values, repeated anchors counted again: a hundred times the longest list of points. A second looks at all of them.
_MOST = 1_000_000
# Of a whole number; Python writes out 4,300 digits at most.
_BITS = 10_000


def check(config: dict[str, Any], **sources: Any) -> dict[str, Any]:
    """The configuration without its dropped sweeps and with every default, as nested dicts; takes the arguments of `read`."""
    return read(config, **sources).as_dict()


def read(
    config: dict[str, Any],
    files: Sequence[str | os.PathLike[str]] = (),
    folders: Iterable[str | os.PathLike[str]] = (),
    options: Mapping[str, Any] | None = None,
    arguments: Iterable[str] = (),
) -> Settings:
    """Read a configuration, or say what is wrong with it.

    Parameters
    ----------
    config : dict
        After all files and command-line settings have been merged.
    files : sequence of path-like, optional
        What it was merged from, as in Snakemake's ``workflow.configfiles``: the files that ``--configfile`` names, and last the
        one that they change. They are read again for what a reader of YAML and merging lose.
    folders : iterable of path-like, optional
        Where tables of people are looked for, in this order; without any they are not looked for.
    options : dict, optional
        What ``--config`` names.
    arguments : iterable of str, optional
        The same as it was typed, NAME=VALUE: Snakemake reads ``1_0`` as 10.

    Returns
    -------
    Settings

    Raises
    ------
    ConfigError
        Of one line, naming the key, its value and what is allowed.
    """
    _check_size(config)
    for path in files:
        _check_file(config, path)
    _check_arguments(options or {}, arguments)
    for place in [*_emptied(options or {}), *(place for path in files[:-1] for place in empty_mappings(path))]:
        if (value := _at(config, place, {})) != {}:
            raise ConfigError(
                f"{dotted(place)} = {{}} changes nothing, {shown(value)} stays; allowed: a value, or null to drop a sweep"
            )
    try:
        return Settings.model_validate(config, context={"folders": tuple(folders), "taken": taken()})
    except ValidationError as caught:
        raise refusal(caught.errors(include_url=False)) from None


def _check_arguments(options: Mapping[str, Any], arguments: Iterable[str]) -> None:
    for argument in arguments:
        name, _, text = argument.partition("=")
        number = options.get(name)
        if isinstance(number, int | float) and not isinstance(number, bool) and (fault := numerals.fault(text)):
            raise ConfigError(f"{name} = {text} {fault}; allowed: a number like 12, -0.5 or 1e-3")


def _check_file(config: object, path: str | os.PathLike[str]) -> None:
    for key, first, line in duplicate_keys(path):
        raise ConfigError(f"{key} stands in lines {first} and {line} of {path}; allowed: every key once")
    for place, text, number in misread_numbers(path):
        # A file may have settings of another workflow as well.
        if _at(config, place, None) == number:
            raise ConfigError(
                f"{dotted(place)} = {text} in {path}, which YAML reads as {number}; allowed: a number of digits, at most one "
                "point and an exponent"
            )


def _check_size(config: object) -> None:
    """Refuse what is nested without end, repeats itself by anchors until no memory holds it, or takes thousands of digits."""
    waiting: list[tuple[tuple[object, ...], object]] = [((), config)]
    left = _MOST
    while waiting:
        place, value = waiting.pop()
        left -= 1
        for number, where in ((value, place), (place[-1] if place else None, place[:-1])):
            if isinstance(number, int) and number.bit_length() > _BITS:
                raise ConfigError(
                    f"{dotted(where)} has a number of {number.bit_length()} bits; allowed: at most {_BITS}"
                )
        if len(place) > _DEEPEST:
            raise ConfigError(
                f"{dotted(place[:3])} is nested more than {_DEEPEST} deep; allowed: a setting of docs/settings.md"
            )
        if left < 0:
            raise ConfigError(
                f"{dotted(place[:3])}: there are more than {_MOST} values; allowed: lists written out, not anchors"
            )
        if isinstance(value, dict):
            waiting += [((*place, key), item) for key, item in value.items()]
        elif isinstance(value, Collection) and not isinstance(value, str | bytes):
            waiting += [((*place, number), item) for number, item in enumerate(value)]


def _emptied(tree: Mapping[str, Any], place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Places of mappings without a key in nested dicts."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _emptied(value, (*place, key)) if value else iter([(*place, key)])


def _at(config: Any, place: Iterable[object], default: object) -> object:
    """What stands at a place of nested dicts and lists."""
    for step in place:
        try:
            config = config[step]
        except (KeyError, IndexError, TypeError):
            return default
    return config
