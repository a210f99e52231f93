"""Types of single settings: each says in words what it allows, which the messages and the page of settings repeat."""

import dataclasses
import functools
import math
import re
import sys
from collections.abc import Iterable
from typing import Annotated, Any, Generic, TypeVar, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    ValidationInfo,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from disclosure.numerics import numerals
from disclosure.workflow import sweeps

__all__ = [
    "LARGEST",
    "LIST",
    "RANGE",
    "VALUE",
    "Allowed",
    "ListOf",
    "Name",
    "Named",
    "OneOf",
    "OrNull",
    "Part",
    "Range",
    "Values",
    "Within",
    "joined",
    "refused",
    "said",
]

LARGEST = sweeps.LARGEST
# A name becomes part of the names of files; 20,000 of them are arguments of one command, which has room for 2 MB.
_LONGEST_NAME = 40
_NAME = re.compile(r"[a-z][a-z0-9_]*")
# From here on not every whole number is a float.
_EXACT = 2**53
# What may stand for infinity. Snakemake hands over nested values of --config as text.
_INFINITE = (math.inf, sweeps.INFINITE, ".inf")
# Steps of the place of an error that stand in no configuration: which of its three forms a parameter has.
VALUE, LIST, RANGE = "a value", "a list", "a range"


def refused(allowed: str, key: tuple[object, ...] = (), *, value: object) -> PydanticCustomError:
    """The error of a value that is not allowed; ``key`` leads from the place of the error to the value."""
    return PydanticCustomError("refused", "refused", {"allowed": allowed, "key": key, "value": value})


def said(words: str, key: tuple[object, ...] = ()) -> PydanticCustomError:
    """An error that is more than a value out of its range."""
    return PydanticCustomError("said", "said", {"words": words, "key": key})


def joined(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence.

    Examples
    --------
    >>> joined(["scale"]), joined(["linear", "log"], "or"), joined(["mean", "sum", "count"])
    ('scale', 'linear or log', 'mean, sum and count')
    """
    *others, final = names
    return f"{', '.join(others)} {last} {final}" if others else final


@dataclasses.dataclass(frozen=True)
class Allowed:
    """What a text is, in words."""

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "minLength": 1}

    def _check(self, value: Any) -> Any:
        if not isinstance(value, str) or not value:
            raise refused(self.words, value=value)
        return value


@dataclasses.dataclass(frozen=True)
class OneOf:
    """One of some texts."""

    options: tuple[str, ...]

    @property
    def words(self) -> str:
        """The options in a sentence."""
        return joined(self.options, "or")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "enum": list(self.options)}

    def _check(self, value: Any) -> Any:
        if not isinstance(value, str) or value not in self.options:
            raise refused(self.words, value=value)
        return value


@dataclasses.dataclass(frozen=True)
class ListOf:
    """What a list is, in words, and how many entries it has; without words they follow from its entries' words."""

    words: str = ""
    least: int = 1
    most: int = sweeps.MOST_POINTS

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        words = self.words or f"{self.least} to {self.most} times {_words_of_entry(source)}"
        return core_schema.no_info_before_validator_function(functools.partial(self._check, words), handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "minItems": self.least, "maxItems": self.most}

    def _check(self, words: str, value: Any) -> Any:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            raise refused(words, value=value)
        return value


def _words_of_entry(source: Any) -> str:
    (entry,) = get_args(source)
    return next(str(note.words) for note in entry.__metadata__ if hasattr(note, "words"))


@dataclasses.dataclass(frozen=True)
class Within:
    """Range of a number: checked, put into words, and written into the JSON schema.

    Attributes
    ----------
    interval : str
        As in `disclosure.numerics.checks.within`: a round bracket leaves its end out.
    whole : bool
        Whether the number is a whole one. 1.0e+6 is whole, whichever way YAML reads it.
    infinite : bool
        Whether infinity may stand in its place: the text inf, or YAML's .inf. It is kept as the text, which JSON has as well.
    """

    interval: str
    whole: bool = False
    infinite: bool = False

    @property
    def words(self) -> str:
        """The range as a part of a sentence.

        Examples
        --------
        >>> Within("(0, 1]").words, Within("[1, 1e15]", whole=True).words
        ('a number above 0 and at most 1', 'a whole number of at least 1 and at most 1.0e+15')
        """
        lower = "of at least" if self.interval[0] == "[" else "above"
        upper = "at most" if self.interval[-1] == "]" else "below"
        ends = [
            f"{side} {_shown(end)}" for side, end in zip((lower, upper), self._ends, strict=True) if math.isfinite(end)
        ]
        return " ".join([self._kind, " and ".join(ends)]).strip() + (", or inf" if self.infinite else "")

    @property
    def _kind(self) -> str:
        return "a whole number" if self.whole else "a number"

    @property
    def _ends(self) -> tuple[float, float]:
        low, high = map(float, self.interval[1:-1].split(","))
        return low, high

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        if self.infinite:
            return core_schema.no_info_plain_validator_function(self._check)
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        low, high = self._ends
        lower = "minimum" if self.interval[0] == "[" else "exclusiveMinimum"
        upper = "maximum" if self.interval[-1] == "]" else "exclusiveMaximum"
        ends = {name: end for name, end in ((lower, low), (upper, high)) if math.isfinite(end)}
        numbers = {name: int(end) if end == int(end) and end < _EXACT else end for name, end in ends.items()}
        if self.infinite:
            return {"anyOf": [{"type": "integer" if self.whole else "number", **numbers}, {"const": sweeps.INFINITE}]}
        return {**handler(schema), **numbers}

    def _check(self, value: Any) -> Any:
        if self.infinite and value in _INFINITE:
            return sweeps.INFINITE
        number = _number(value)
        if number is None or (self.whole and number != number // 1):
            raise refused(self.words, value=value)
        if not self.whole and not math.isfinite(number):
            raise refused(self.words.replace(self._kind, "a finite number", 1), value=value)
        low, high = self._ends
        above = number >= low if self.interval[0] == "[" else number > low
        below = number <= high if self.interval[-1] == "]" else number < high
        if not (above and below):
            raise refused(self.words, value=value)
        return int(number) if self.whole else float(number)


def _number(value: object) -> int | float | None:
    """An int or a float, from text as well; None for all else. Snakemake hands over nested values of --config as text."""
    if isinstance(value, str):
        return numerals.parsed(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Beyond the largest float, which is far beyond every range, `math` knows no whole number either.
    return value if abs(value) <= sys.float_info.max else math.copysign(math.inf, value > 0 or -1)


def _shown(end: float) -> str:
    return f"{end:.0f}" if end == int(end) and abs(end) < 1e6 else f"{end:.1e}" if end >= 1e6 else repr(end)


class Part(BaseModel):
    """Settings under one key, none of which is unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)

    @classmethod
    def words(cls) -> str:
        """What stands here, in words: the keys that have no default."""
        keys = [name for name, field in cls.model_fields.items() if field.is_required()]
        return f"the key{'s' * (len(keys) > 1)} {joined(keys)}"

    @model_validator(mode="before")
    @classmethod
    def _keys(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            raise refused(cls.words(), value=value)
        for key in value:
            if key not in cls.model_fields:
                known = ", ".join(sorted(cls.model_fields))
                raise said(f" is not a key of the configuration; allowed here: {known}", (key,))
        return value

    def as_dict(self) -> dict[str, Any]:
        """Plain values with every default filled in; settings without a value are left out."""
        return self.model_dump(exclude_none=True)


T = TypeVar("T")


class Range(Part, Generic[T]):
    """Several values by their ends."""

    # Described by hand: pydantic looks for the docstrings of a generic class again for each of its types, in every module
    # that is imported, which takes a quarter of the time of a look at the study.
    model_config = ConfigDict(use_attribute_docstrings=False)

    start: T = Field(description="The first value.")
    stop: T = Field(description="The last value, not below the first.")
    points: Annotated[int, Within(f"[2, {sweeps.MOST_POINTS}]", whole=True)] = Field(
        description="How many values, the ends included."
    )
    spacing: Annotated[str, OneOf(("linear", "log"))] = Field(
        "linear",
        description="Whether neighbouring values have equal differences or equal ratios, before whole numbers are rounded.",
    )


def _form(value: object) -> str:
    return RANGE if isinstance(value, dict | Range) else LIST if isinstance(value, list) else VALUE


R = TypeVar("R")
# A parameter of a sweep: one value, a list of them, or a range.
Values = Annotated[
    Annotated[T, Tag(VALUE)] | Annotated[list[T], ListOf(), Tag(LIST)] | Annotated[R, Tag(RANGE)],
    Discriminator(_form),
]


def _checked_name(name: Any, info: ValidationInfo) -> Any:
    taken = (info.context or {}).get("taken", ())
    fits = isinstance(name, str) and _NAME.fullmatch(name) and len(name) <= _LONGEST_NAME
    if not fits or name.endswith("_exact"):
        raise said(
            ": not a name of a sweep; allowed: lower-case letters, digits and _, a letter first, at most "
            f"{_LONGEST_NAME} of them, not ending in _exact",
            (name,),
        )
    if name in taken:
        raise said(f": the workflow has files of this name; allowed: none of {', '.join(sorted(taken))}", (name,))
    return name


Name = Annotated[str, BeforeValidator(_checked_name)]


@dataclasses.dataclass(frozen=True)
class OrNull:
    """Null may stand here as well; whoever reads it drops it."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.nullable_schema(handler(source))


@dataclasses.dataclass(frozen=True)
class Named:
    """What stands under each of the names of a mapping, in words."""

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        names = {"pattern": f"^{_NAME.pattern}$", "maxLength": _LONGEST_NAME}
        return {**handler(schema), "propertyNames": names}

    def _check(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise refused(self.words, value=value)
        return value
