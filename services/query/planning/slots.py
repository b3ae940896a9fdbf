"""What was read of one node, before it has an id; and the slots it becomes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.core.names import NameRow
from services.query.planning.entries import ENTRIES, MetadataEntry
from services.query.planning.nlir import Action, NlirNode, Slot, SlotType

# What inputs and the fields of a screen are called; an industry more briefly than its code is.
ARG_NAMES: Mapping[str, str] = {
    **{one.field: one.name for one in ENTRIES if one.kind == "metric" and one.field},
    **{one.slot or one.short: one.name for one in ENTRIES if one.kind == "argument"},
    "industry": "行业",
}
_ORDER = (
    *("entity", "series", "user", "query", "url", "wants", "period", "count", "category"),
    *("industry", *SCREEN_FIELDS, "order_by", "order", "size", "rank", "time_range"),
    *("start_date", "end_date"),
)
_SYLLABLE = re.compile(
    r"(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?"
    r"(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|ei|ao|ou|an|en|er|ia|ie|iu|in|ua|uo"
    r"|ui|un|ue|ve|a|o|e|i|u|v)"
)


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A node to be: its company is a symbol until it is written; `ref` is the node taken over."""

    action: Action
    outputs: tuple[MetadataEntry, ...] = ()
    args: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    symbol: str | None = None
    ref: str | None = None


def argument_of(key: str, value: JsonValue) -> Slot:
    """The argument of that key."""
    kind: SlotType = "entity" if key == "entity" else "field"
    return Slot(key=key, name=ARG_NAMES[key], value=value, type=kind)


def output_of(entry: MetadataEntry, tail: str = "") -> Slot:
    """The output that is that entry; `tail` tells several of it apart."""
    return Slot(key=f"var_{entry.short}{tail}", name=entry.name)


def node_of(draft: NodeDraft, node_id: str, row: NameRow | None) -> NlirNode:
    """The node with its slots."""
    keys = sorted(draft.args, key=lambda key: _ORDER.index(key) if key in _ORDER else len(_ORDER))
    args = tuple(argument_of(key, draft.args[key]) for key in keys)
    tail = f"_{first_syllable(row)}" if draft.ref and row else ""
    outputs = tuple(output_of(entry, tail) for entry in dict.fromkeys(draft.outputs))
    return NlirNode(id=node_id, action=draft.action, ref_id=draft.ref, outputs=outputs, args=args)


def first_syllable(row: NameRow) -> str:
    """`wu` of 五粮液; the code in small letters when it has no pinyin."""
    if not row.pinyin:
        return re.sub(r"[^a-z0-9]", "", row.symbol.lower())
    spelled = row.pinyin[0]
    second = row.initials[0][1:2] if row.initials else ""
    match = _SYLLABLE.match(spelled)
    while match and second and not spelled.startswith(second, match.end()):
        match = _SYLLABLE.fullmatch(spelled, 0, match.end() - 1) if match.end() > 1 else None
    return match.group() if match else re.sub(r"[^a-z0-9]", "", spelled)[:6]


def node_id(turn: int, at: int) -> str:
    """The name of a turn's node: node_1 in the first turn, node_2a in the second."""
    if turn == 1:
        return f"node_{at + 1}"
    return f"node_{turn}{chr(ord('a') + at) if at < 26 else f'a{at}'}"
