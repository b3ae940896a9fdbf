"""A node in words: what was understood, and a question that would be understood as it.

No figure is written here: a condition stands as it was said.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from services.core.rendering import Language
from services.market.metrics import SCREEN_FIELDS
from services.query.nlir import Action, Nlir, Node

_DOINGS: Mapping[Action, tuple[str, str]] = {
    "query": ("查", "look up"),
    "price_history": ("查历史行情", "price history of"),
    "screen": ("选股", "screen"),
    "abnormal": ("查异动与原因", "abnormal moves and why:"),
    "feed": ("查动态", "feed of"),
    "knowledge": ("查知识库", "knowledge notes:"),
    "web_search": ("全网搜索", "web search:"),
    "site_search": ("站内搜索", "search the community:"),
    "user_feed": ("看用户动态", "posts of a member:"),
    "visit": ("打开网页", "open a page:"),
    "compare": ("同行对比", "compare with peers:"),
    "macro": ("查宏观数据", "macro data:"),
}
_TAILS: Mapping[Action, str] = {
    "price_history": "历史行情",
    "abnormal": "异动",
    "compare": "同行对比",
}
_SLOTS_EN: Mapping[str, str] = {
    "period": "period",
    "count": "periods",
    "category": "market",
    "industry": "industry",
    "order_by": "ordered by",
    "order": "order",
    "size": "how many",
    "time_range": "within",
    "start_date": "from",
    "end_date": "to",
    "query": "keywords",
    "url": "address",
    "user": "member",
    "wants": "content",
    "series": "series",
}
# How the wording of a slot goes into a question.
_SAID: Mapping[str, str] = {
    "industry": "{}行业",
    "order_by": "按{}",
    "size": "前{}",
    "count": "最近{}期",
}


def plan_words(nlir: Nlir, language: Language) -> str:
    """`我理解为：查 贵州茅台 · 最新 · 营业收入`; several nodes with ； between them."""
    told = [_told(node, language) for node in nlir.nodes]
    return "我理解为：" + "；".join(told) if language == "zh" else "Read as: " + "; ".join(told)


def restated(node: Node, replacing: Mapping[str, str]) -> str:
    """The node as a Chinese question, with the slots of `replacing` said differently."""
    parts: list[str] = []
    for slot in node.args:
        value = replacing.get(slot.key, _plain(slot.value))
        if slot.key in SCREEN_FIELDS:
            value = f"{slot.name}{value}"
        parts.append(_SAID.get(slot.key, "{}").format(value))
    wanted = [replacing.get("metric", slot.name) for slot in node.outputs]
    parts += dict.fromkeys(wanted or [_TAILS.get(node.action, "")])
    return " ".join(part for part in parts if part and part != "最新")


def _told(node: Node, language: Language) -> str:
    zh = language == "zh"
    parts: list[str] = []
    for slot in node.args:
        value = _plain(slot.value)
        if slot.key == "entity":
            parts.append(value)
        elif slot.key in SCREEN_FIELDS:
            parts.append(f"{slot.name}{value}" if zh else f"{slot.name} {value}")
        else:
            label = slot.name if zh else _SLOTS_EN.get(slot.key, slot.key)
            parts.append(f"{label} {value}")
    parts += [slot.name for slot in node.outputs]
    return f"{_DOINGS[node.action][0 if zh else 1]} " + " · ".join(parts)


def _plain(value: JsonValue) -> str:
    if isinstance(value, list):
        return "、".join(str(one) for one in value)
    return str(value)
