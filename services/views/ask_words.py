"""The slots of a plan in both languages: what a value means to a reader, and how a bound is put.

No figure is written here: a condition stands as it was said, its operator as a sign in English.
"""

import re
from collections.abc import Mapping
from functools import cache

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.market.names.names import Names
from services.query.planning.metadata import Entry, Metadata, read_metadata
from services.query.planning.nlir import Slot
from services.query.reading.english import bound_en, bound_told, company_en, figure_en, value_en
from services.query.reading.paraphrase import plain
from services.views.table import Words

_CJK = re.compile(r"[一-鿿]")
LABELS: Mapping[str, Words] = {
    "entity": Words("公司", "Company"),
    "metric": Words("指标", "Figures"),
    "period": Words("报告期", "Period"),
    "count": Words("期数", "How many periods"),
    "category": Words("市场", "Market"),
    "industry": Words("行业", "Industry"),
    "order_by": Words("排序", "Ordered by"),
    "order": Words("顺序", "Order"),
    "size": Words("取前几名", "How many"),
    "time_range": Words("时间范围", "Within"),
    "start_date": Words("开始日期", "From"),
    "end_date": Words("结束日期", "To"),
    "query": Words("关键词", "Keywords"),
    "url": Words("网址", "Address"),
    "user": Words("用户", "Member"),
    "series": Words("宏观指标", "Series"),
    "wants": Words("内容", "Content"),
}
# How the value of a slot stands in a sentence.
_IN_WORDS: Mapping[str, Words] = {
    "count": Words("最近{}期", "last {}"),
    "industry": Words("{}行业", "industry {}"),
    "order_by": Words("按{}排序", "ordered by {}"),
    "size": Words("前{}名", "top {}"),
    "start_date": Words("自 {}", "from {}"),
    "end_date": Words("至 {}", "to {}"),
    "query": Words("「{}」", "“{}”"),
    "user": Words("@{}", "@{}"),
}
_CHINESE: Mapping[str, str] = {"预期": "一致预期", "降序": "从高到低", "升序": "从低到高"}


@cache
def metadata() -> Metadata:
    """The codes and names of everything that can be asked for."""
    return read_metadata()


def field_entries() -> Mapping[str, Entry]:
    """The figures a screen can bound, by the field of the screen."""
    return {one.field: one for one in metadata().metrics if one.field}


def metric_said(name: str) -> Words:
    """A figure by its name in a plan: 净利润, Net profit."""
    entry = metadata().exact(name)
    return Words(name, name) if entry is None else Words(entry.name, figure_en(entry))


def slot_label(key: str) -> Words:
    """What a slot is called above its control."""
    if key in SCREEN_FIELDS:
        return metric_said(field_entries()[key].name)
    return LABELS.get(key, Words(key, key))


def value_words(key: str, value: JsonValue, names: Names) -> Words:
    """The value of a slot by itself."""
    said = plain(value)
    if key in SCREEN_FIELDS:
        return Words(said, bound_en(said))
    if key in {"metric", "order_by", "series"}:
        parts = [metric_said(one) for one in _several(value)]
        return Words("、".join(one.zh for one in parts), ", ".join(one.en for one in parts))
    if key == "entity":
        return company_words(said, names)
    return Words(_CHINESE.get(said, said), value_en(said))


def in_words(slot: Slot, names: Names) -> Words:
    """The slot as part of a sentence: 最近3期, 股息率大于3%, 按净利润排序."""
    value = value_words(slot.key, slot.value, names)
    if slot.key in SCREEN_FIELDS:
        said = plain(slot.value)
        zh, en = bound_told(said, zh=True), bound_told(said, zh=False)
        return Words(f"{slot.name}{zh}", f"{slot_label(slot.key).en} {en}")
    form = _IN_WORDS.get(slot.key, Words("{}", "{}"))
    return Words(form.zh.format(value.zh), form.en.format(value.en))


def company_words(said: str, names: Names) -> Words:
    """A company as said; in English by its English name or its code."""
    return Words(said, company_en(said, names) if _CJK.search(said) else said)


def _several(value: JsonValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [plain(value)]
