"""A node in words: what was understood, and a question that would be understood as it.

No figure is written here: a condition stands as it was said.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from services.core.catalogue import SCREEN_FIELDS
from services.core.text import Language, Text
from services.market.names.names import Names
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import Action, Nlir, NlirNode
from services.query.reading.english import bound_told, company_en, figure_en, keywords_en, value_en

DOINGS: Mapping[Action, Text] = {
    "query": Text("查", "look up"),
    "price_history": Text("查历史行情", "price history of"),
    "screen": Text("选股", "screen"),
    "abnormal": Text("查异动与原因", "abnormal moves and why:"),
    "feed": Text("查动态", "feed of"),
    "knowledge": Text("查知识库", "knowledge notes:"),
    "web_search": Text("全网搜索", "web search:"),
    "site_search": Text("站内搜索", "search the community:"),
    "user_feed": Text("看用户动态", "posts of a member:"),
    "visit": Text("打开网页", "open a page:"),
    "compare": Text("同行对比", "compare with peers:"),
    "macro": Text("查宏观数据", "macro data:"),
    "indicator": Text("算技术指标", "indicators of"),
    "profile": Text("查公司概况", "profile of"),
    "news": Text("查新闻", "news about"),
    "billboard": Text("查龙虎榜", "the exchange's list:"),
    "score": Text("看持有评分", "holding score of"),
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
    "rank": "place",
    "time_range": "within",
    "start_date": "from",
    "end_date": "to",
    "query": "keywords",
    "url": "address",
    "user": "member",
    "wants": "content",
    "series": "series",
}
# Words of the asker's own, told as they are.
_FREE = frozenset({"query", "url", "user"})
# How the wording of a slot goes into a question.
_SAID: Mapping[str, str] = {
    "industry": "{}行业",
    "order_by": "按{}",
    "size": "前{}",
    "rank": "第{}名",
    "count": "最近{}期",
}


def plan_words(nlir: Nlir, language: Language, names: Names, metadata: Metadata) -> str:
    """`我理解为：查 贵州茅台 · 最新 · 营业收入`; several nodes with ； between them."""
    if language == "zh":
        return understood_as(nlir)
    return "Read as: " + "; ".join(
        _tell_node_in_english(node, names, metadata) for node in nlir.nodes
    )


def understood_as(nlir: Nlir) -> str:
    """The same in Chinese, which needs no names and no codes."""
    return "我理解为：" + "；".join(_tell_node(node) for node in nlir.nodes)


def restated(node: NlirNode, replacing: Mapping[str, str]) -> str:
    """The node as a Chinese question, with the slots of `replacing` said differently."""
    parts: list[str] = []
    for slot in node.args:
        value = replacing.get(slot.key, plain(slot.value))
        if slot.key in SCREEN_FIELDS:
            value = f"{slot.name}{value}"
        parts.append(_SAID.get(slot.key, "{}").format(value))
    wanted = [replacing.get("metric", slot.name) for slot in node.outputs]
    parts += dict.fromkeys(wanted or [_TAILS.get(node.action, "")])
    return " ".join(part for part in parts if part and part != "最新")


def _tell_node(node: NlirNode) -> str:
    parts: list[str] = []
    for slot in node.args:
        value = plain(slot.value)
        if slot.key == "entity":
            parts.append(value)
        elif slot.key in SCREEN_FIELDS:
            parts.append(f"{slot.name}{bound_told(value, zh=True)}")
        else:
            parts.append(f"{slot.name} {value}")
    parts += [slot.name for slot in node.outputs]
    return f"{DOINGS[node.action].zh} " + " · ".join(parts)


def _tell_node_in_english(node: NlirNode, names: Names, metadata: Metadata) -> str:
    parts: list[str] = []
    for slot in node.args:
        value = plain(slot.value)
        if slot.key == "entity":
            parts.append(company_en(value, names))
        elif slot.key in SCREEN_FIELDS:
            parts.append(f"{_figure_en(slot.name, metadata)} {bound_told(value, zh=False)}")
        elif slot.key in _FREE:
            parts.append(f"{_SLOTS_EN[slot.key]} {keywords_en(value)}")
        else:
            is_named = slot.key in ("order_by", "series")
            said = _figure_en(value, metadata) if is_named else value_en(value)
            parts.append(f"{_SLOTS_EN.get(slot.key, slot.key)} {said}")
    parts += [_figure_en(slot.name, metadata) for slot in node.outputs]
    return f"{DOINGS[node.action].en} " + " · ".join(parts)


def _figure_en(name: str, metadata: Metadata) -> str:
    entry = metadata.exact(name)
    return name if entry is None else figure_en(entry)


def plain(value: JsonValue) -> str:
    """The value of a slot as text."""
    if isinstance(value, list):
        return "、".join(str(one) for one in value)
    return str(value)
