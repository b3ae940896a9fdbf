"""A tool's signature as a JSON schema, and as the check of what it is called with.

Wire names (`stockName`) are declared once, as the alias in `argument`; inside they are snake_case.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, cast, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    JsonValue,
    ValidationError,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic_core import core_schema

from services.core.errors import InputError

Schema = dict[str, Any]


class _Nothing:
    """Shown as the value of an argument that was not given."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


def argument(
    description: str,
    *,
    wire: str | None = None,
    valid: str | None = None,
    required: bool = False,
    also: Sequence[str] = (),
    published: bool = True,
    **limits: Any,
) -> FieldInfo:
    """What the model reads about one argument.

    `wire` is its name outside, `valid` the valid form in words (made from the schema when absent),
    `also` other spellings accepted. `required` marks an argument the specification requires
    although it has a default there: left out, it is filled with that default. An argument that is
    not `published` is accepted, and is not in the schema: the specification has it not.
    """
    ours: dict[str, JsonValue] = {"x-required": required, "x-also": list(also)}
    ours["x-published"] = published
    if valid is not None:
        ours["x-valid"] = valid
    return Field(alias=wire, description=description, json_schema_extra=ours, **limits)


def _whole(value: object) -> object:
    """10.0 is 10, as in JSON; anything else is left to the strict check."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True, slots=True)
class Whole:
    """In an annotation: a whole JSON number from `low` to `high`, both included."""

    low: int
    high: int
    kind: Literal["number", "integer"] = "number"

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        inner = core_schema.int_schema(strict=True, ge=self.low, le=self.high)
        return core_schema.no_info_before_validator_function(_whole, inner)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> Schema:
        step: Schema = {"multipleOf": 1} if self.kind == "number" else {}
        return {"type": self.kind, **step, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Arguments:
    """Checked arguments: `wire` with every default filled in, `values` for the Python function."""

    wire: dict[str, JsonValue]
    values: dict[str, Any]


class Signature:
    """The arguments of one function after its first (the context)."""

    def __init__(
        self, function: Callable[..., object], more: Mapping[str, tuple[Any, Any]] | None = None
    ) -> None:
        """Read names, types, defaults and descriptions from the signature.

        `more`: type and default (`...` where there is none) of each argument that the function
        takes by `**` and a table lists.
        """
        hints = get_type_hints(function, include_extras=True)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        fields: dict[str, Any] = {
            item.name: (
                hints[item.name],
                ... if item.default is inspect.Parameter.empty else item.default,
            )
            for item in parameters
            if item.kind is not inspect.Parameter.VAR_KEYWORD
        } | dict(more or {})
        config = ConfigDict(extra="forbid", strict=True, validate_default=False)
        self._model: type[BaseModel] = create_model(function.__name__, __config__=config, **fields)
        raw = self._model.model_json_schema(by_alias=True)
        written: dict[str, Schema] = raw.get("properties", {})
        self._ours = {name: _ours(entry) for name, entry in written.items()}
        needed = set(cast("list[str]", raw.get("required", [])))
        self.required = tuple(
            name for name in written if name in needed or self._ours[name].get("x-required")
        )
        self._accepted = {name: _clean(entry) for name, entry in written.items()}
        self.properties = {
            name: entry
            for name, entry in self._accepted.items()
            if self._ours[name].get("x-published", True)
        }

    @property
    def schema(self) -> Schema:
        """JSON schema of an arguments object."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }

    def read(self, given: Mapping[str, JsonValue]) -> Arguments:
        """The arguments, checked strictly and completed with defaults.

        Raises: InputError naming the argument and its valid form.
        """
        renamed = self._rename_arguments(given)
        for name, value in renamed.items():
            if name not in self._accepted:
                raise InputError(name, value, self._unknown(name))
        present = {
            name: value
            for name, value in renamed.items()
            if value is not None or name in self.required
        }
        try:
            model = self._model.model_validate(present)
        except ValidationError as error:
            raise self._explain_refusal(error) from None
        wire = model.model_dump(mode="json", by_alias=True, exclude_none=True)
        values = {name: getattr(model, name) for name in type(model).model_fields}
        return Arguments(wire, values)

    def _rename_arguments(self, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        names = {other: name for name, ours in self._ours.items() for other in ours["x-also"]}
        renamed: dict[str, JsonValue] = {}
        for name, value in given.items():
            canonical = names.get(name, name)
            if canonical in renamed:
                raise InputError(name, value, f"given twice: {canonical} is the same argument")
            renamed[canonical] = value
        return renamed

    def _unknown(self, name: str) -> str:
        known = list(self.properties)
        lowered = {item.lower(): item for item in known}
        near = get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.5)
        hint = f"did you mean {lowered[near[0]]}? " if near else ""
        return f"no such argument; {hint}the arguments are {', '.join(known)}"

    def _explain_refusal(self, error: ValidationError) -> InputError:
        first = error.errors()[0]
        name = str(first["loc"][0])
        place = name + "".join(f"[{step}]" for step in first["loc"][1:])
        got = NOTHING if first["type"] == "missing" else first["input"]
        return InputError(place, got, self.valid(name))

    def valid(self, name: str) -> str:
        """The valid form of one argument in words."""
        said = self._ours[name].get("x-valid")
        return str(said) if said else _in_words(self._accepted[name])


def _ours(entry: Schema) -> Schema:
    found: Schema = {"x-also": []}
    return found | {name: value for name, value in entry.items() if name.startswith("x-")}


def _clean(entry: Schema) -> Schema:
    """Without titles, our own keys and the null of an optional argument."""
    kept = {
        name: value
        for name, value in entry.items()
        if name != "title"
        and not name.startswith("x-")
        and not (name == "default" and value is None)
    }
    options = cast("list[Schema]", kept.pop("anyOf", []))
    for option in options:
        if option.get("type") != "null":
            kept = option | kept
    return kept


def _in_words(entry: Schema) -> str:
    if "enum" in entry:
        return "one of " + " | ".join(cast("list[str]", entry["enum"]))
    kind = entry.get("type")
    if kind == "boolean":
        return "true or false (a JSON boolean, not text)"
    if kind in {"number", "integer"}:
        low, high = entry.get("minimum"), entry.get("maximum")
        return f"a whole number from {low} to {high} (a JSON number, not text)"
    if kind == "array":
        low, high = entry.get("minItems", 0), entry.get("maxItems", "any number")
        return f"a list of {low} to {high} items, each {_in_words(entry.get('items', {}))}"
    low, high = entry.get("minLength", 0), entry.get("maxLength")
    return f"text of {low} to {high} characters" if high else "text"
