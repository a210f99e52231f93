"""The settings for editors, as JSON schema, and for readers, as a page: both made from the models."""

import json
import types
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema

from disclosure.workflow.config.models import CaseControl, OddsRiskProfile, Settings, StudyDesign, Sweep, TableSweep
from disclosure.workflow.config.questions import (
    AttributeInference,
    CaseControlNoises,
    Households,
    LessInformed,
    Mechanisms,
    NoiseByProfile,
    OpenQuestions,
)
from disclosure.workflow.config.release import BudgetSetting, PersonSetting, ReleaseFile, StatisticSetting
from disclosure.workflow.config.values import Part, Range

__all__ = ["files", "page", "schema"]

_MADE = "Made by `python -m disclosure.workflow.config` from the models in src/disclosure/workflow/config"
_WIDTH = 128
_SECTIONS: dict[str, tuple[type[Part], str]] = {
    "Settings of a run": (Settings, ""),
    "A sweep": (
        Sweep,
        "The entries of `sweeps` and `beyond`. Their names become those of files: lower-case letters, digits and `_`.\n"
        "A sweep of a single point has a table and no figure.",
    ),
    "A sweep over a table of people": (TableSweep, "The entries of `tables`."),
    "A range": (
        Range,
        "In place of the value of `population`, `sample`, `epsilon` or `delta`. Parameters that take several values take "
        "equally many and vary together. Both ends are in the range that is allowed for one value.",
    ),
    "study_design": (StudyDesign, ""),
    "odds_risk_profile": (OddsRiskProfile, ""),
    "case_control": (CaseControl, ""),
    "open_questions": (OpenQuestions, ""),
    "noise_by_profile": (NoiseByProfile, ""),
    "case_control_noises": (CaseControlNoises, ""),
    "less_informed": (LessInformed, ""),
    "households": (Households, ""),
    "attribute_inference": (AttributeInference, ""),
    "mechanisms": (Mechanisms, ""),
    "A planned release": (
        ReleaseFile,
        "Not of a run: the keys of the file that `disclosure release` takes, which [a whole release](releases.md) explains.",
    ),
    "person": (PersonSetting, "`person` of a planned release."),
    "A statistic": (StatisticSetting, "The entries of `statistics` of a planned release."),
    "A budget": (BudgetSetting, "`budget` of a planned release, or an entry of `spent`: one of these languages."),
}
_KINDS = {bool: "true or false", int: "whole number", float: "number", str: "text", list: "list", dict: "mapping"}


def files() -> dict[str, str]:
    """Names of the files that are made, from the folder of the repository, and their text."""
    return {
        "workflow/schemas/config.schema.yaml": schema(Settings),
        "workflow/schemas/release.schema.yaml": schema(ReleaseFile),
        "docs/settings.md": page(),
    }


class _WithoutTitles(GenerateJsonSchema):
    """A field's name is its title."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema(model: type[Part]) -> str:
    """JSON schema of a configuration or a planned release, in YAML; it has no cross checks, and no numbers written as text."""
    content = {
        "$schema": GenerateJsonSchema.schema_dialect,
        **model.model_json_schema(schema_generator=_WithoutTitles),
    }
    text: str = yaml.safe_dump(content, sort_keys=False, width=_WIDTH, allow_unicode=True)
    return f"# {_MADE}.\n{text}"


def page() -> str:
    """Every key with its type, default, allowed range and meaning, in Markdown."""
    lines = [
        "# Settings",
        "",
        "Every key of the configuration. The required ones stand in [config.yaml](../config.yaml) with the papers' values; a",
        "second file named with `--configfile` changes what it names and keeps the rest.",
        "",
        "A number has a sign, digits with at most one point, and an exponent: `1e-3`, `0.001` and `1.0e-3` are the same,",
        "and `1.0e+3` is whole. Numbers that `--config` nests, as in `--config 'sweeps={figure1: {delta: 0.5}}'`, are taken",
        "as such; `true`, `false` and `null` arrive as text from there, and belong into a file.",
        "",
        f"*{_MADE}.*",
    ]
    for title, (model, words) in _SECTIONS.items():
        lines += ["", f"## {title}", "", *([words, ""] if words else [model.__doc__, ""]), *_table(model)]
    return "\n".join(lines) + "\n"


def _table(model: type[Part]) -> Iterator[str]:
    yield "| key | type | default | allowed | meaning |"
    yield "|---|---|---|---|---|"
    for name, field in model.model_fields.items():
        kind, allowed = _described(field.annotation, field.metadata)
        cells = [f"`{name}`", kind, _default(field), allowed, field.description or ""]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default_factory is not None:
        return (field.default_factory.__doc__ or "").rstrip(".").lower()
    return "none" if field.default is None else f"`{json.dumps(field.default)}`".replace('"', "")


def _described(annotation: Any, notes: Sequence[Any]) -> tuple[str, str]:
    """Type and allowed values of a field, in words."""
    if get_origin(annotation) is Annotated:
        annotation, *inner = get_args(annotation)
        return _described(annotation, [*inner, *notes])
    if get_origin(annotation) in (Union, types.UnionType):
        first, *others = get_args(annotation)
        kind, words = _described(first, [])
        if others == [type(None)]:
            return kind, words
        return f"{kind}{', list or range' if len(others) > 1 else ' or list'}", f"{words} (each value)"
    if isinstance(annotation, TypeVar):
        return "as one value", "as one value"
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return "mapping", annotation.words()
    kind = _KINDS[get_origin(annotation) or annotation]
    words = next((note.words for note in notes if getattr(note, "words", "")), kind)
    return kind, words
