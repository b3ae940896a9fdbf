"""The plan of a turn as conditions a reader may change, and the plan that the changes make of it.

A changed plan is a turn of its own: its nodes refer to the ones they were made from, and the text
of the turn says in words what is asked now.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.core.text import Language, Text
from services.market.names.names import Names
from services.query.planning.arguments import MOST_PERIODS, MOST_ROWS
from services.query.planning.nlir import Action, Nlir, NlirNode, Slot
from services.query.planning.plir import Turn
from services.query.planning.slots import argument_of, node_id, output_of
from services.query.planning.spellings import FEED_PARTS, code_of
from services.query.reading.paraphrase import DOINGS, restated
from services.query.told_turns import told_turn
from services.views.ask_view import Condition, Control, Edits, Option, Plan, PlanNode
from services.views.ask_words import (
    company_words,
    field_entries,
    in_words,
    metadata,
    metric_said,
    slot_label,
    value_words,
)

RULES = Text("按规则读的", "read by rules")
_LONGEST = 500
_YEARS, _QUARTERS = 6, 2
_DAYS = ("time_range", "start_date", "end_date")
# The slots that an action can have; those of a plan that are not here are shown as words.
_OFFERED: Mapping[Action, tuple[str, ...]] = {
    "query": ("entity", "metric", "period", "count"),
    "price_history": ("entity", *_DAYS),
    "abnormal": ("entity", *_DAYS),
    "feed": ("entity", "wants", *_DAYS),
    "compare": ("entity",),
    "screen": ("category", "industry", *SCREEN_FIELDS, "order_by", "order", "size", "metric"),
    "macro": ("series",),
    "knowledge": ("query",),
    "web_search": ("query", "time_range"),
    "site_search": ("query", *_DAYS),
    "user_feed": ("user", "query", *_DAYS),
    "visit": ("url",),
}
_CONTROLS: Mapping[str, Control] = {
    "entity": "company",
    "metric": "several",
    "period": "open",
    "count": "whole",
    "category": "choice",
    "industry": "open",
    "order_by": "choice",
    "order": "choice",
    "size": "whole",
    "time_range": "choice",
    "start_date": "day",
    "end_date": "day",
    "series": "choice",
    "wants": "several",
}
_MOST = {"count": MOST_PERIODS, "size": MOST_ROWS}
_FIXED: Mapping[str, tuple[str, ...]] = {
    "category": ("A股", "港股", "美股"),
    "order": ("降序", "升序"),
    "time_range": ("一天内", "一周内", "一个月内", "一年内", "不限"),
    "wants": tuple(FEED_PARTS),
}
_FIGURE_ACTIONS = {"api_get_financial", "api_get_quote"}
# Figures that are never asked by a bound: a screen can only be ordered by them.
_UNBOUND = frozenset({"market_cap"})


@dataclass(frozen=True, slots=True)
class PlanDesk:
    """What conditions are made with. `industries` of a market by its code."""

    names: Names
    today: date
    industries: Callable[[str], tuple[str, ...]]


def plan_of(turn: Turn, desk: PlanDesk, read_by: Text) -> Plan | None:
    """The plan of a turn; None when it was put back."""
    if turn.nlir is None or turn.plir is None:
        return None
    words = Text(*(told_turn(turn, desk.names, language) for language in ("zh", "en")))
    if not words.zh:  # another action's
        told = [_tell_node(node, desk.names) for node in turn.nlir.nodes]
        words = Text("；".join(one.zh for one in told), "; ".join(one.en for one in told))
    return Plan(
        words=words,
        nodes=tuple(_node(node, desk) for node in turn.nlir.nodes),
        nlir=turn.nlir.model_dump_json(indent=2, exclude_none=True),
        plir=turn.plir.model_dump_json(indent=2, exclude_none=True),
        read_by=read_by,
    )


def edited(turn: Turn, edits: Edits, position: int) -> Nlir | None:
    """The plan with those changes, as the nodes of the turn at `position`; None when nothing of
    it changed. A value that is empty takes its slot away.
    """
    if turn.nlir is None:
        return None
    nodes = [
        _change_node(node, _join_changes(node, edits.get(node.id, {}))) for node in turn.nlir.nodes
    ]
    if tuple(nodes) == turn.nlir.nodes:
        return None
    return Nlir(
        nodes=tuple(
            node.model_copy(
                update={"id": node_id(position, at), "ref_id": f"{turn.turn_id}.{before.id}"}
            )
            for at, (node, before) in enumerate(zip(nodes, turn.nlir.nodes, strict=True))
        )
    )


def said_again(nlir: Nlir, language: Language, names: Names) -> str:
    """The plan as a question in words."""
    if language == "zh":
        told = "；".join(restated(node, {}) for node in nlir.nodes)
    else:
        told = "; ".join(_tell_node(node, names).en for node in nlir.nodes)
        told = told.replace(f"{DOINGS['query'].en} ", "")
    return told[:_LONGEST]


def _tell_node(node: NlirNode, names: Names) -> Text:
    """What one node does, in a line: 查 贵州茅台 · 最新 · 净利润."""
    parts = [in_words(slot, names) for slot in node.args]
    wanted = [metric_said(slot.name) for slot in node.outputs]
    doing = DOINGS[node.action]
    return Text(
        " ".join([doing.zh, " · ".join(part.zh for part in (*parts, *wanted))]),
        " ".join([doing.en, " · ".join(part.en for part in (*parts, *wanted))]),
    )


def _node(node: NlirNode, desk: PlanDesk) -> PlanNode:
    offered = _OFFERED.get(node.action, ())
    keys = [key for key in offered if key not in _UNBOUND]
    keys += [slot.key for slot in node.args if slot.key not in offered]
    entity = node.arg("entity")
    return PlanNode(
        node_id=node.id,
        doing=DOINGS[node.action],
        name=None if entity is None else company_words(str(entity), desk.names),
        conditions=tuple(_condition(node, key, desk) for key in keys),
    )


def _condition(node: NlirNode, key: str, desk: PlanDesk) -> Condition:
    value = _value(node, key)
    control: Control = _CONTROLS.get(key) or ("bound" if key in SCREEN_FIELDS else "words")
    options = _options(node, key, desk) if control in {"choice", "open", "several"} else []
    said = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    missing = [] if value is None else [one for one in said if one not in options]
    return Condition(
        key=key,
        label=slot_label(key),
        value=value,
        shown=Text("", "") if value is None else value_words(key, value, desk.names),
        control=control,
        options=tuple(
            Option(one, value_words(key, one, desk.names)) for one in [*missing, *options]
        )
        if options
        else (),
        most=_MOST.get(key),
    )


def _value(node: NlirNode, key: str) -> JsonValue:
    """The value of a slot as said; a list where several of a list are chosen."""
    if key == "metric":
        return [slot.name for slot in node.outputs] or None
    said = node.arg(key)
    return said if key != "wants" or said is None else [*str(said).split("、")]


def _options(node: NlirNode, key: str, desk: PlanDesk) -> Sequence[str]:
    if key in _FIXED:
        return _FIXED[key]
    return _LISTS[key](node, desk)


def _metrics(node: NlirNode, _desk: PlanDesk) -> list[str]:
    """The figures that can be asked of a company; a screen shows any of them too."""
    return [one.name for one in metadata().metrics if one.action in _FIGURE_ACTIONS]


def _orders(_node: NlirNode, _desk: PlanDesk) -> list[str]:
    return [one.name for one in field_entries().values()]


def _periods(_node: NlirNode, desk: PlanDesk) -> list[str]:
    """The newest, the reports of the last years, and those of the last two years' quarters."""
    last = desk.today.year
    years = [f"{year}年报" for year in range(last - 1, last - 1 - _YEARS, -1)]
    quarters = [
        f"{year}{name}"
        for year in range(last, last - _QUARTERS, -1)
        for name in ("三季报", "中报", "一季报")
    ]
    return ["最新", "预期", "年报", *years, *quarters]


def _industries(node: NlirNode, desk: PlanDesk) -> tuple[str, ...]:
    said = node.arg("category")
    try:
        return desk.industries("CN" if said is None else code_of("category", str(said)))
    except InputError:
        return ()


def _series(_node: NlirNode, _desk: PlanDesk) -> list[str]:
    return [one.name for one in metadata().entries if one.action == "api_macro"]


_LISTS: Mapping[str, Callable[[NlirNode, PlanDesk], Sequence[str]]] = {
    "metric": _metrics,
    "order_by": _orders,
    "period": _periods,
    "industry": _industries,
    "series": _series,
}


def _join_changes(node: NlirNode, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The changes that change something, and what goes with them: days and a range of time rule
    each other out.
    """
    found = {key: _clear_value(value) for key, value in changes.items()}
    if found.get("start_date") or found.get("end_date"):
        found["time_range"] = None
    elif found.get("time_range"):
        found |= {"start_date": None, "end_date": None}
    if "wants" in found and isinstance(found["wants"], list):
        found["wants"] = "、".join(str(one) for one in found["wants"]) or None
    if found.get("order_by") and "order" not in found and node.arg("order") is None:
        found["order"] = "降序"
    return found


def _clear_value(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value.strip() or None
    return value if value != [] else None


def _change_node(node: NlirNode, changes: Mapping[str, JsonValue]) -> NlirNode:
    outputs = node.outputs
    if "metric" in changes:
        outputs = _outputs(node, changes["metric"])
    args = [
        slot.model_copy(update={"value": changes.get(slot.key, slot.value)})
        for slot in node.args
        if changes.get(slot.key, slot.value) is not None
    ]
    known = {slot.key for slot in node.args}
    args += [
        argument_of(key, value)
        for key, value in changes.items()
        if key != "metric" and key not in known and value is not None
    ]
    return node.model_copy(update={"outputs": outputs, "args": tuple(args)})


def _outputs(node: NlirNode, wanted: JsonValue) -> tuple[Slot, ...]:
    kept = {slot.name: slot for slot in node.outputs}
    names = [str(one) for one in wanted] if isinstance(wanted, list) else []
    return tuple(kept.get(name) or output_of(metadata().resolve(name)) for name in names)


def company_of(ticker: str, names: Names) -> str | None:
    """The name of a company by its code; None for an index and for what is not listed here."""
    return None if Symbol(ticker).is_index or names.row(ticker) is None else names.name(ticker)
