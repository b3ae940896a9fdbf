"""From a tool's answer to JSON: the only way out for a number is a Claim.

A bare number in an answer raises, so a tool cannot return an uncited figure. Every figure's place
(`data[0].net_profit`) is listed with its claim, and every null with its reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import cast

from pydantic import JsonValue

from services.core.claims import Claim, DerivedCite, Figure, Missing, ToolCite
from services.core.rendering import PLACE, render
from services.core.text import Text
from services.core.units import UNITS, convert


@dataclass(frozen=True, slots=True)
class Scaled:
    """A figure written in another unit of the same dimension (`CNY_yi`)."""

    claim: Claim
    unit: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A Chinese sentence whose `{{c:ID}}` places are filled from `claims`."""

    template: str
    claims: Mapping[str, Claim]


@dataclass(frozen=True, slots=True)
class Absent:
    """A null with its reason, for what is not a figure."""

    reason: Text | str


@dataclass(slots=True)
class Wire:
    """The JSON `value`; by path the claims of each place, each null's reason, each formula used."""

    value: JsonValue = None
    cites: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    derived: dict[str, str] = field(default_factory=dict[str, str])


def to_wire(answer: Mapping[str, object]) -> Wire:
    """The answer as JSON; `reasons` is added when something is null, `derived` when it is computed.

    Raises: TypeError for a number that is not a Claim.
    """
    wire = Wire()
    converted = cast("dict[str, JsonValue]", _convert(answer, "", wire))
    if wire.reasons:
        converted["reasons"] = cast("JsonValue", dict(wire.reasons))
    if wire.derived:
        converted["derived"] = cast("JsonValue", dict(wire.derived))
    wire.value = converted
    return wire


def _convert(item: object, path: str, wire: Wire) -> JsonValue:
    if item is None or isinstance(item, str | bool):
        return item
    if isinstance(item, Text):
        return item.zh  # the requirement's answers are in Chinese
    if isinstance(item, date):
        return item.isoformat()
    if isinstance(item, Mapping):
        pairs = cast("Mapping[str, object]", item).items()
        return {name: _convert(value, f"{path}.{name}".lstrip("."), wire) for name, value in pairs}
    if isinstance(item, Sequence):
        values = cast("Sequence[object]", item)
        return [_convert(value, f"{path}[{n}]", wire) for n, value in enumerate(values)]
    return _leaf(item, path, wire)


def _leaf(item: object, path: str, wire: Wire) -> JsonValue:
    if isinstance(item, Missing | Absent):
        wire.reasons[path] = Text.of(item.reason).zh
        return None
    if isinstance(item, Cited):
        wire.cites[path] = list(dict.fromkeys(PLACE.findall(item.template)))
        return render(item.template, item.claims)
    if isinstance(item, Claim):
        item = Scaled(item, item.unit)
    if not isinstance(item, Scaled):
        raise TypeError(f"{path}: a {type(item).__name__} cannot leave a tool, only a Claim can")
    wire.cites[path] = [item.claim.claim_id]
    if isinstance(item.claim.cite, DerivedCite):
        wire.derived[path] = _workings(item.claim.cite)
    return number(item.claim, item.unit)


def _workings(cite: DerivedCite) -> str:
    """The formula, and how good it is where it is an estimate."""
    return f"{cite.formula}（{cite.note}）" if cite.note else cite.formula


def number(claim: Claim, unit: str) -> int | float:
    """The claim's value in `unit`, exact to the double; what is counted is an int."""
    if unit == claim.unit:
        counted = (
            unit in {"count", "number", "sessions", "shares", "rank"} and claim.value.is_integer()
        )
        return int(claim.value) if counted else claim.value
    return float(convert(Decimal(repr(claim.value)), claim.unit, unit))


def unit_words(figures: Iterable[tuple[str, Figure | Scaled]]) -> dict[str, str]:
    """The unit of each named column, as `亿元 (CNY_yi)`; several when rows differ in it."""
    seen: dict[str, dict[str, None]] = {}
    for name, figure in figures:
        if not isinstance(figure, Missing):
            seen.setdefault(name, {})[_unit_word(figure.unit)] = None
    return {name: " / ".join(units) for name, units in seen.items()}


def notes_of(figures: Iterable[tuple[str, Figure | Scaled]]) -> list[str]:
    """What the sources say of the figures of these columns, each thing once: `roe：加权`.

    When a figure was announced is left out: it has a place of its own.
    """
    named: dict[str, dict[str, None]] = {}
    for name, figure in figures:
        claim = figure.claim if isinstance(figure, Scaled) else figure
        if isinstance(claim, Claim) and isinstance(claim.cite, ToolCite) and claim.cite.note:
            for note in claim.cite.note.split("；"):
                if "公告日" not in note:
                    named.setdefault(note, {})[name] = None
    return [f"{'、'.join(names)}：{note}" for note, names in named.items()]


def _unit_word(code: str) -> str:
    """A unit as the reader knows it, with its code."""
    word = UNITS[code].zh
    return f"{word} ({code})" if word else code
