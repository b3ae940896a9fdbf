"""The arguments of a node: each slot as said becomes a physical key with its code and value."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import InputError
from services.core.text import Text
from services.market.names.names import Names
from services.query.planning import spellings
from services.query.planning.metadata import Metadata, MetadataEntry
from services.query.planning.nlir import NlirNode, Slot
from services.query.planning.plir import PlirSlot
from services.query.reading.conditions import to_range
from services.query.sayings import saying
from services.tools.arguments import window
from services.tools.text_arguments import LONGEST_KEYWORD
from services.tools.visit import community_address

_NAME_AND_TICKER = re.compile(r"(.+)\(([A-Z]{1,5}(?:\.[A-Z])?)\)")
MOST_PERIODS, MOST_ROWS, LISTED = 40, 500, 10
# What a screen does when nobody says otherwise: the tool's own defaults, written out.
_SCREEN_DEFAULTS: Mapping[str, JsonValue] = {
    "category": "CN",
    "order_by": "symbol",
    "order": "desc",
    "size": LISTED,
}


@dataclass(frozen=True, slots=True)
class ArgumentContext:
    """What a slot is read with. `industries` by market: the labels a source has, if known."""

    node: NlirNode
    names: Names
    metadata: Metadata
    today: date
    industries: Mapping[str, frozenset[str]]

    @property
    def market(self) -> str:
        """The market the node names; CN when it names none. Raises: InputError."""
        said = self.node.arg("category")
        return "CN" if said is None else spellings.code_of("category", str(said))


def read_arguments(reading: ArgumentContext) -> list[PlirSlot]:
    """The physical arguments, in the order said; a screen's defaults at the end.

    Raises: InputError named as the semantic slot.
    """
    args: list[PlirSlot] = []
    conditions: dict[str, list[str]] = {}
    for slot in reading.node.args:
        if slot.key in SCREEN_FIELDS:
            conditions.setdefault(slot.key, []).append(str(slot.value))
        elif slot.key == "wants":
            args += _feed_parts(slot)
        else:
            args.append(_argument(reading, slot))
    for key, said in conditions.items():
        entry = _of_field(reading.metadata, key)
        value = to_range(key, said)
        args.append(PlirSlot(key=key, name=entry.name, value=value, code=entry.code))
    if reading.node.action == "screen":
        args += _defaults(reading.metadata, {slot.key for slot in args})
    _check_days(args, reading.today)
    return args


def _argument(reading: ArgumentContext, slot: Slot) -> PlirSlot:
    if slot.key not in _READERS:
        raise InputError(slot.key, slot.value, Text("不认识的条件", "an unknown condition"))
    key, code, read = _READERS[slot.key]
    return PlirSlot(key=key, name=slot.name, value=read(reading, slot), code=code)


def _of_field(metadata: Metadata, key: str) -> MetadataEntry:
    by_field = {entry.field: entry for entry in metadata.metrics}
    return by_field[key]


def _feed_parts(slot: Slot) -> list[PlirSlot]:
    parts = (spellings.FEED_PARTS[part] for part in spellings.feed_parts(slot.value))
    return [PlirSlot(key=one.slot, name=one.name, value=True, code=one.code) for one in parts]


def _defaults(metadata: Metadata, given: set[str]) -> list[PlirSlot]:
    return [
        PlirSlot(key=key, name=metadata.by_code(code).name, value=value, code=code)
        for key, value in _SCREEN_DEFAULTS.items()
        if key not in given
        for _, code, _ in (_READERS[key],)
    ]


def _check_days(args: list[PlirSlot], today: date) -> None:
    """Raises: InputError for days in the wrong order or in the future."""
    days = {slot.key: str(slot.value) for slot in args if slot.key in {"start_date", "end_date"}}
    if not days:
        return
    try:
        window("NoLimit", days.get("start_date", ""), days.get("end_date", ""), today)
    except InputError:
        valid = saying("days", today=today)
        raise InputError("start_date", " ~ ".join(days.values()), valid) from None


def _ticker(reading: ArgumentContext, slot: Slot) -> JsonValue:
    said = str(slot.value)
    if match := _NAME_AND_TICKER.fullmatch(said):  # 中石油(PTR): the name alone is not sure
        row = reading.names.row(match.group(2))
        if row is not None and row.name == match.group(1):
            return row.symbol
    return reading.names.resolve(said).value


def _order_by(reading: ArgumentContext, slot: Slot) -> JsonValue:
    entry = reading.metadata.resolve(str(slot.value))
    if not entry.field:
        fields = [one.name for one in reading.metadata.metrics if one.field]
        valid = Text("不能按它排序，可以按 " + "、".join(fields), "it cannot be ordered by")
        raise InputError("order_by", slot.value, valid, choices=fields[:3])
    return entry.field


def _industry(reading: ArgumentContext, slot: Slot) -> JsonValue:
    """The label of the source that alone has these letters in this order; else as said."""
    said, known = str(slot.value), reading.industries.get(reading.market, frozenset())
    near = [said] if said in known else [label for label in known if _within(said, label)]
    return near[0] if len(near) == 1 else said


def _within(said: str, label: str) -> bool:
    """Whether the letters of `said` stand in `label` in that order: 家电 in 家用电器."""
    letters = iter(label)
    return all(letter in letters for letter in said)


def _series(reading: ArgumentContext, slot: Slot) -> JsonValue:
    entry = reading.metadata.exact(str(slot.value))
    if entry is None or entry.action != "api_macro":
        known = [one.name for one in reading.metadata.entries if one.action == "api_macro"]
        valid = "、".join(known) + " | one of these"
        raise InputError("series", slot.value, valid, choices=known)
    return entry.physical_metric


def _query(reading: ArgumentContext, slot: Slot) -> JsonValue:
    said = str(slot.value).strip()
    if reading.node.action in {"web_search", "site_search"} and len(said) > LONGEST_KEYWORD:
        valid = Text(f"1 到 {LONGEST_KEYWORD} 个字", f"1 to {LONGEST_KEYWORD} characters")
        raise InputError("query", said, valid)
    return said


def _url(_reading: ArgumentContext, slot: Slot) -> JsonValue:
    try:
        return community_address(str(slot.value))
    except ValueError:
        valid = Text("只能打开 xueqiu.com 的网址", "only addresses on xueqiu.com can be opened")
        raise InputError("url", slot.value, valid) from None


def _period(reading: ArgumentContext, slot: Slot) -> JsonValue:
    return spellings.period_code(str(slot.value), reading.today)


def _text(_reading: ArgumentContext, slot: Slot) -> JsonValue:
    return str(slot.value)


def _coded(_reading: ArgumentContext, slot: Slot) -> JsonValue:
    return spellings.code_of(slot.key, str(slot.value))


def _whole(most: int) -> "_Reader":
    return lambda _, slot: spellings.whole(slot.key, slot.value, most)


def _before(_reading: ArgumentContext, slot: Slot) -> JsonValue:
    """How many stand before that place: the second has one."""
    return spellings.whole(slot.key, slot.value, MOST_ROWS) - 1


def _day(_reading: ArgumentContext, slot: Slot) -> JsonValue:
    return spellings.day(slot.key, str(slot.value))


_Reader = Callable[[ArgumentContext, Slot], JsonValue]
# Slot as said → physical key, its code, and how the value is read.
_READERS: Mapping[str, tuple[str, str, _Reader]] = {
    "entity": ("ticker", "company.basic.ticker", _ticker),
    "period": ("period", "common.date.report_period", _period),
    "count": ("count", "common.date.count", _whole(MOST_PERIODS)),
    "category": ("category", "common.market.category", _coded),
    "industry": ("industry", "company.basic.industry", _industry),
    "order_by": ("order_by", "common.screen.order_by", _order_by),
    "order": ("order", "common.screen.order", _coded),
    "size": ("size", "common.screen.size", _whole(MOST_ROWS)),
    "rank": ("offset", "common.screen.offset", _before),
    "time_range": ("time_range", "common.date.time_range", _coded),
    "start_date": ("start_date", "common.date.start_date", _day),
    "end_date": ("end_date", "common.date.end_date", _day),
    "query": ("query", "common.search.query", _query),
    "url": ("url", "common.search.url", _url),
    "user": ("user", "common.search.user", _text),
    "scope": ("scope", "common.search.scope", _text),
    "series": ("series", "common.macro.series", _series),
}
