"""The slots of a plan in both languages: what a value means to a reader, and how a bound is put.

No figure is written here: a condition stands as it was said, its operator as a sign in English.
"""

import re
from collections.abc import Mapping
from functools import cache

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.core.text import Text
from services.market.names.names import Names
from services.query.planning.metadata import Metadata, MetadataEntry, read_metadata
from services.query.planning.nlir import Slot
from services.query.reading.english import bound_en, bound_told, company_en, figure_en, value_en
from services.query.reading.paraphrase import plain

_CJK = re.compile(r"[一-鿿]")
LABELS: Mapping[str, Text] = {
    "entity": Text("公司", "Company"),
    "metric": Text("指标", "Figures"),
    "period": Text("报告期", "Period"),
    "count": Text("期数", "How many periods"),
    "category": Text("市场", "Market"),
    "industry": Text("行业", "Industry"),
    "order_by": Text("排序", "Ordered by"),
    "order": Text("顺序", "Order"),
    "size": Text("取前几名", "How many"),
    "time_range": Text("时间范围", "Within"),
    "start_date": Text("开始日期", "From"),
    "end_date": Text("结束日期", "To"),
    "query": Text("关键词", "Keywords"),
    "url": Text("网址", "Address"),
    "user": Text("用户", "Member"),
    "series": Text("宏观指标", "Series"),
    "wants": Text("内容", "Content"),
}
# How the value of a slot stands in a sentence.
_IN_WORDS: Mapping[str, Text] = {
    "count": Text("最近{}期", "last {}"),
    "industry": Text("{}行业", "industry {}"),
    "order_by": Text("按{}排序", "ordered by {}"),
    "size": Text("前{}名", "top {}"),
    "start_date": Text("自 {}", "from {}"),
    "end_date": Text("至 {}", "to {}"),
    "query": Text("「{}」", "“{}”"),
    "user": Text("@{}", "@{}"),
}
_CHINESE: Mapping[str, str] = {"预期": "一致预期", "降序": "从高到低", "升序": "从低到高"}


@cache
def metadata() -> Metadata:
    """The codes and names of everything that can be asked for."""
    return read_metadata()


def field_entries() -> Mapping[str, MetadataEntry]:
    """The figures a screen can bound, by the field of the screen."""
    return {one.field: one for one in metadata().metrics if one.field}


def metric_said(name: str) -> Text:
    """A figure by its name in a plan: 净利润, Net profit."""
    entry = metadata().exact(name)
    return Text(name, name) if entry is None else Text(entry.name, figure_en(entry))


def slot_label(key: str) -> Text:
    """What a slot is called above its control."""
    if key in SCREEN_FIELDS:
        return metric_said(field_entries()[key].name)
    return LABELS.get(key, Text(key, key))


def value_words(key: str, value: JsonValue, names: Names) -> Text:
    """The value of a slot by itself."""
    said = plain(value)
    if key in SCREEN_FIELDS:
        return Text(said, bound_en(said))
    if key in {"metric", "order_by", "series"}:
        parts = [metric_said(one) for one in _several(value)]
        return Text("、".join(one.zh for one in parts), ", ".join(one.en for one in parts))
    if key == "entity":
        return company_words(said, names)
    return Text(_CHINESE.get(said, said), value_en(said))


def in_words(slot: Slot, names: Names) -> Text:
    """The slot as part of a sentence: 最近3期, 股息率大于3%, 按净利润排序."""
    value = value_words(slot.key, slot.value, names)
    if slot.key in SCREEN_FIELDS:
        said = plain(slot.value)
        zh, en = bound_told(said, zh=True), bound_told(said, zh=False)
        return Text(f"{slot.name}{zh}", f"{slot_label(slot.key).en} {en}")
    form = _IN_WORDS.get(slot.key, Text("{}", "{}"))
    return Text(form.zh.format(value.zh), form.en.format(value.en))


def company_words(said: str, names: Names) -> Text:
    """A company as said; in English by its English name or its code."""
    return Text(said, company_en(said, names) if _CJK.search(said) else said)


def _several(value: JsonValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [plain(value)]
